/* test_bddf_wire.c - the hand-written decoders of what every block has
 * against the generated ones, with patience: all messages of up to three
 * bytes, a million random ones, and every bit of every message in testdata.
 *
 * unit/test_bddf_wire.c tries fewer, and names them.  SALVOR_LONG=1 goes on to
 * four bytes of which two are any, and ten million.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/agree.h"
#include "support/check.h"
#include "support/make_bddf.h"

#define TEXT_MAX 32 /* bytes of a message that are shown */

static unsigned long tried, whole;

/* Try one message as either. */
static void
try_message(const uint8_t *p, size_t n)
{
	enum bddf_read data, entry;
	const char *differ = agree_data(p, n, &data);
	char text[2 * TEXT_MAX + 1] = "";

	if (differ == NULL)
		differ = agree_entry(p, n, &entry);
	tried++;
	whole += data == BDDF_WHOLE;
	if (differ == NULL)
		return;
	for (size_t i = 0; i < n && i < TEXT_MAX; i++)
		snprintf(text + 2 * i, 3, "%02x", p[i]);
	check_case("%s", text);
	CHECK_STR(differ, "");
}

static void
check_tried(unsigned long least, unsigned long least_whole)
{
	CHECK(tried >= least);
	CHECK(whole >= least_whole);
	tried = whole = 0;
	check_case("%s", "");
}

static void
every_message_of_three_bytes(void)
{
	uint8_t p[3] = { 0 };

	try_message(p, 0);
	for (size_t n = 1; n <= sizeof(p); n++) {
		for (uint32_t v = 0; v < (uint32_t)1 << 8 * n; v++) {
			p[0] = (uint8_t)v;
			p[1] = (uint8_t)(v >> 8);
			p[2] = (uint8_t)(v >> 16);
			try_message(p, n);
		}
	}
	check_tried(1 + 256 + 65536 + 16777216, 250000);
}

static void
messages_of_four_bytes(void)
{
	/* Keys, and what may follow them. */
	static const uint8_t heads[] = { 0x08, 0x0a, 0x10, 0x12, 0x18, 0x1a,
		0x20, 0x22, 0x25, 0x80 };
	static const uint8_t seconds[] = { 0x00, 0x01, 0x02, 0x03, 0x08, 0x10,
		0x7f, 0x80, 0x88, 0xff };

	if (getenv("SALVOR_LONG") == NULL)
		return;
	for (uint32_t v = 0; v < 10 * 10 * 65536; v++) {
		uint8_t p[] = { heads[v % 10], seconds[v / 10 % 10],
			(uint8_t)(v / 100), (uint8_t)(v / 100 >> 8) };

		try_message(p, sizeof(p));
	}
	check_tried(10 * 10 * 65536, 10000);
}

/* Random messages, each as it is and with some bits of it turned over. */
static void
a_million_random_messages(void)
{
	uint64_t n = getenv("SALVOR_LONG") != NULL ? 2000000 : 200000;
	struct blob b = { 0 };

	for (uint64_t seed = 0; seed < n && !check_enough(); seed++) {
		struct dice dice = { seed };

		agree_random(&b, &dice, 1 + seed % 2);
		try_message(b.at, b.n);
		for (unsigned i = 0; i < 4 && b.n > 0; i++) {
			b.at[dice_below(&dice, b.n)] ^=
			    (uint8_t)(1 << dice_below(&dice, 8));
			try_message(b.at, b.n);
		}
	}
	blob_free(&b);
	check_tried(n * 4, n / 4);
}

/* The message, and the message with each of its bits turned over. */
static void
try_bits(const uint8_t *bytes, size_t n)
{
	uint8_t *p = must_alloc(n);

	memcpy(p, bytes, n);
	try_message(p, n);
	for (size_t i = 0; i < 8 * n; i++) {
		p[i / 8] ^= (uint8_t)(1 << i % 8);
		try_message(p, n);
		p[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	free(p);
}

/* The entries of an index, as the vendor's writer has them: short ones. */
static void
try_entries(const uint8_t *p, size_t n)
{
	for (size_t at = 0; at + 2 < n; at++) {
		size_t len = p[at + 1];

		if (p[at] != 0x1a || len < 3 || len > n - at - 2
		    || p[at + 2] != 0x0a)
			continue;
		try_bits(p + at + 2, len);
		at += 1 + len;
	}
}

static void
try_log(const struct blob *file)
{
	struct made_log log = { 0 };

	made_walk(&log, false, false, file->at, file->n);
	for (size_t i = 0; i < log.n; i++) {
		const struct made_block *b = &log.blocks[i];

		if (b->kind == MADE_DATA)
			try_bits(log.bytes.at + b->off + 12,
			    b->payload - b->off - 12);
		else if (b->kind == MADE_INDEX)
			try_entries(
			    log.bytes.at + b->off + 8, b->end - b->off - 8);
	}
	made_free(&log);
}

static void
every_bit_of_every_message(void)
{
	const char *top = getenv("SALVOR_SRCDIR");
	struct dirent **names;
	struct blob file = { 0 };
	char path[4096];
	int n;

	snprintf(path, sizeof(path), "%s/testdata/bddf", top ? top : ".");
	n = scandir(path, &names, NULL, alphasort);
	CHECK(n > 100);
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		snprintf(path, sizeof(path), "%s/testdata/bddf/%s",
		    top ? top : ".", name);
		if (strstr(name, ".bddf") != NULL && blob_read(&file, path))
			try_log(&file);
		free(names[i]);
	}
	free(names);
	blob_free(&file);
	check_tried(100000, 10000);
}

static CU_TestInfo tests[] = {
	{ "every message of three bytes", every_message_of_three_bytes },
	{ "messages of four bytes", messages_of_four_bytes },
	{ "a million random messages", a_million_random_messages },
	{ "every bit of every message", every_bit_of_every_message },
	CU_TEST_INFO_NULL,
};

int
main(void)
{
	CU_SuiteInfo suites[] = {
		{ .pName = "bddf wire", .pTests = tests },
		CU_SUITE_INFO_NULL,
	};

	return slv_test_main(suites);
}
