/* test_stranger.c - what is no log is called by its name, and nothing else
 * is. */
#include <ctype.h>
#include <string.h>

#include "core/scan/stranger.h"
#include "support/blob.h"
#include "support/check.h"
#include "unit/suites.h"

/* The id of what these bytes are, or "-". */
static const char *
id_of(const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	const struct slv_stranger *s;
	struct slv_look look = { .head = p, .size = n };

	look.n = n < SLV_STRANGER_HEAD ? n : SLV_STRANGER_HEAD;
	look.logical_end = n;
	while (look.logical_end > 0 && p[look.logical_end - 1] == 0)
		look.logical_end--;
	s = slv_stranger_find(&look);
	return s != NULL ? s->id : "-";
}

#define ROW(id, text)                                                          \
	{                                                                      \
		id, text, sizeof(text) - 1                                     \
	}

static const struct sample {
	const char *id;
	const char *bytes;
	size_t n;
} samples[] = {
	ROW("empty", ""),
	ROW("zeros", "\0"),
	ROW("zeros", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
	ROW("git-lfs", "version https://git-lfs.github.com/spec/v1\noid sha"),
	ROW("html", "<!doctype HTML>\n<p>Sign in"),
	ROW("html", "\xef\xbb\xbf \r\n\t<HTML lang=de>"),
	ROW("xml", "<?xml version=\"1.0\"?>"),
	ROW("xml", "<Error><Code>NoSuchKey</Code></Error>"),
	ROW("gzip", "\x1f\x8b\x08\0\0\0\0\0\0\x03"),
	ROW("-", "\x1f\x8b\x08\x20\0\0\0\0\0\x03"),
	ROW("-", "\x1f\x8b\x08\0\0\0"),
	ROW("zstd", "\x28\xb5\x2f\xfd\x60"),
	ROW("-", "\x28\xb5\x2f"),
	ROW("xz", "\xfd\x37zXZ\0\0"),
	ROW("bzip2", "BZh91AY&SY"),
	ROW("bzip2", "BZh1\x17\x72\x45\x38\x50\x90"),
	ROW("text", "BZh01AY&SY"),
	ROW("text", "BZh91AY&SX"),
	ROW("lz4", "\x04\x22\x4d\x18\x64\x40\xa7"),
	ROW("zip", "PK\3\4\x14"),
	ROW("sqlite", "SQLite format 3\0\x10"),
	ROW("text", "SQLite format 3 "),
	ROW("rosbag-crlf", "#ROSBAG V2.0\r\nE\0\0\0"),
	ROW("-", "#ROSBAG V2.0\nE\0\0\0\x10"),
	ROW("-", "\0\0\0\0\0\0\0\0\x1e\0\0\0\0\0\0\1\x08\1\x20"),
	ROW("-", "\1\0\0\0\0\0\0\0\x1e\0\0\0\0\0\0\0\x08\1\x20"),
	ROW("salvor-report", "{\"type\":\"file\",\"schema\":1,"),
	ROW("json", "{\"error\": 401}"),
	ROW("json", " \n{ }"),
	ROW("json", "[ {\"a\": 1} ]"),
	ROW("text", "{a} and more"),
	ROW("text", "[INFO] recording to patrol.bddf"),
	ROW("-", "{\"\x80\x81\"}"),
	ROW("text", "Killed\n"),
	ROW("text", "na\xc3\xafve \xe2\x82\xac \xf0\x9f\xa4\x96\n\0\0\0"),
	ROW("-", "na\xefve, in Latin-1"),
	ROW("-", "cut inside a character \xe2\x82"),
	ROW("-", "with a \0 inside"),
	/* What is left of a magic is no text. */
	ROW("-", "B"),
	ROW("-", "BDD"),
};

static void
each_is_called_by_its_name(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		const struct sample *s = &samples[i];

		check_case("sample %u", (unsigned)i);
		CHECK_STR(id_of(s->bytes, s->n), s->id);
	}
	check_case("%s", "");
}

static void
has_sample(const char *id)
{
	bool found = strcmp(id, "tar") == 0; /* has a test of its own */

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		found = found || strcmp(samples[i].id, id) == 0;
	check_case("%s", id);
	CHECK(found);
	check_case("%s", "");
}

static void
tar_needs_its_sum(void)
{
	uint8_t head[512] = "patrol.bddf";
	unsigned sum = 8 * ' ';

	memcpy(head + 257, "ustar", 6);
	for (size_t i = 0; i < sizeof(head); i++)
		sum += head[i];
	for (int i = 5; i >= 0; i--, sum >>= 3)
		head[148 + i] = (uint8_t)('0' + (sum & 7));
	CHECK_STR(id_of(head, sizeof(head)), "tar");
	CHECK_STR(id_of(head, sizeof(head) - 1), "-");
	head[0] ^= 1;
	CHECK_STR(id_of(head, sizeof(head)), "-");
}

/* The end of what is looked at may cut a character, the end of a file not. */
static void
text_goes_on(void)
{
	struct blob b = { 0 };

	blob_fill(&b, 'x', SLV_STRANGER_HEAD - 1);
	blob_add(&b, "\xc3\xa4", 2);
	CHECK_STR(id_of(b.at, b.n), "text");
	CHECK_STR(id_of(b.at, b.n - 1), "-");
	blob_free(&b);
}

/* Bytes that mean nothing are called nothing. */
static void
chance(void)
{
	struct dice dice = { 5 };
	uint8_t bytes[64];

	for (int i = 0; i < 20000 && !check_enough(); i++) {
		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)dice_roll(&dice);
		check_case("roll %d", i);
		CHECK_STR(id_of(bytes, sizeof(bytes)), "-");
	}
	check_case("%s", "");
}

static void
rules_of_the_table(void)
{
	const struct slv_stranger *s, *other;

	for (size_t i = 0; (s = slv_stranger_at(i)) != NULL; i++) {
		has_sample(s->id);
		check_case("%s", s->id);
		for (const char *c = s->id; *c != '\0'; c++)
			CHECK(islower((unsigned char)*c) || *c == '-'
			    || isdigit((unsigned char)*c));
		for (size_t k = 0; k < i; k++) {
			other = slv_stranger_at(k);
			CHECK(strcmp(s->id, other->id) != 0);
		}
		CHECK(s->magic.n > 0 || s->test != NULL);
		CHECK(s->magic.off + s->magic.n <= SLV_STRANGER_HEAD);
		CHECK(s->title[0] != '\0' && strchr(s->title, '\n') == NULL);
		CHECK(s->advice[strlen(s->advice) - 1] == '.');
		CHECK(strstr(s->advice, "  ") == NULL);
	}
	check_case("%s", "");
}

CU_TestInfo stranger_tests[] = {
	{ "each is called by its name", each_is_called_by_its_name },
	{ "tar needs its sum", tar_needs_its_sum },
	{ "text goes on", text_goes_on },
	{ "chance", chance },
	{ "rules of the table", rules_of_the_table },
	CU_TEST_INFO_NULL,
};
