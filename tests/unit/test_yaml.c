/* test_yaml.c - YAML of ROS 2: what was read is written as it was, and no text
 * makes a tree without bounds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/ros2/yaml.h"
#include "support/check.h"
#include "unit/suites.h"

/* As yaml-cpp writes it: lists are indented, and the last line has no end. */
static const char written[] =
    "rosbag2_bagfile_information:\n"
    "  version: 9\n"
    "  storage_identifier: mcap\n"
    "  duration:\n"
    "    nanoseconds: 70653944\n"
    "  topics_with_message_count:\n"
    "    - topic_metadata:\n"
    "        name: /scan\n"
    "        offered_qos_profiles:\n"
    "          - history: keep_last\n"
    "            depth: 5\n"
    "            deadline:\n"
    "              sec: 9223372036\n"
    "            avoid_ros_namespace_conventions: false\n"
    "          - history: unknown\n"
    "        type_description_hash: \"\"\n"
    "      message_count: 0\n"
    "    - topic_metadata:\n"
    "        name: \"\\\"odd: name\\\\ \\n\\x01\"\n"
    "        offered_qos_profiles: []\n"
    "  compression_format: \"\"\n"
    "  relative_file_paths:\n"
    "    - \"-\"\n"
    "    - a_0.mcap\n"
    "  custom_data: ~\n"
    "  ros_distro: jazzy";

static void
read_text(struct slv_yaml *y, const char *text, size_t len)
{
	struct slv_err err = { 0 };

	*y = (struct slv_yaml){ .n = 0 };
	CHECK_OK(slv_yaml_read(y, text, len, &err), &err);
}

static void
comes_back(void)
{
	struct slv_yaml y, copy = { .n = 0 };
	struct slv_buf out = { 0 }, again = { 0 };
	struct slv_err err = { 0 };
	uint64_t n;
	size_t bag, node;

	read_text(&y, written, sizeof(written) - 1);
	CHECK(y.why[0] == '\0');
	slv_yaml_write(&y, &out);
	CHECK(out.len == sizeof(written) - 1);
	CHECK(out.len == sizeof(written) - 1
	    && memcmp(out.at, written, out.len) == 0);
	bag = slv_yaml_get(&y, 0, "rosbag2_bagfile_information");
	CHECK(slv_yaml_number(&y, slv_yaml_get(&y, bag, "version"), &n));
	CHECK(n == 9);
	node = slv_yaml_get(&y, bag, "custom_data");
	CHECK(slv_yaml_is_null(&y, node) && slv_yaml_text(&y, node) == NULL);
	CHECK(slv_yaml_get(&y, bag, "absent") == SLV_YAML_NONE);
	node = slv_yaml_get(&y, bag, "relative_file_paths");
	CHECK(slv_yaml_count(&y, node) == 2);
	CHECK_OK(slv_yaml_copy(&copy, SLV_YAML_NONE, NULL, &y, 0, &err), &err);
	slv_yaml_write(&copy, &again);
	CHECK(again.len == out.len && memcmp(again.at, out.at, out.len) == 0);
	CHECK(slv_yaml_equal(&y, 0, &copy, 0));
	slv_buf_free(&out);
	slv_buf_free(&again);
	slv_yaml_free(&y);
	slv_yaml_free(&copy);
}

/* A text is what it was after it was written and read. */
static void
stays(const char *text)
{
	struct slv_yaml y = { .n = 0 }, back;
	struct slv_buf out = { 0 };
	struct slv_err err = { 0 };
	size_t list;

	CHECK_OK(slv_yaml_add(
	             &y, SLV_YAML_NONE, NULL, SLV_YAML_MAP, NULL, NULL, &err),
	    &err);
	CHECK_OK(slv_yaml_add(&y, 0, "list", SLV_YAML_LIST, NULL, &list, &err),
	    &err);
	CHECK_OK(
	    slv_yaml_add(&y, list, NULL, SLV_YAML_SCALAR, text, NULL, &err),
	    &err);
	CHECK_OK(slv_yaml_add(&y, 0, "key", SLV_YAML_SCALAR, text, NULL, &err),
	    &err);
	slv_yaml_write(&y, &out);
	read_text(&back, (const char *)out.at, out.len);
	CHECK(back.why[0] == '\0');
	CHECK(back.n == 4 && slv_yaml_equal(&y, 0, &back, 0));
	slv_buf_free(&out);
	slv_yaml_free(&y);
	slv_yaml_free(&back);
}

/* Whatever is in it. */
static void
every_text(void)
{
	static const char *const odd[] = { "", "~", "null", "true", "a: b",
		"a:", ":a", ": a", "-", "- a", "-a", "?", "#", "a #b", "a#b",
		"&a", "a&b", "*a", "!a", "'", "\"", "%", "@", "`", " a", "a ",
		"\t", "a\nb", "[a]", "{a}", "a,b", ",", "|", ">", "\xc2\x85",
		"\xc3\xa4", "\xef\xbb\xbfx", "\x1b[31m", "0x1f", "1e5", "=" };

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++)
		stays(odd[i]);
	/* Each code point of two bytes, and of three up to those of Asia: among
	 * them all that YAML takes for the end of a line. */
	for (unsigned c = 0x80; c < 0x3000; c++) {
		const char two[] = { (char)(0xc0 | c >> 6),
			(char)(0x80 | (c & 0x3f)), '\0' };
		const char three[] = { (char)(0xe0 | c >> 12),
			(char)(0x80 | (c >> 6 & 0x3f)),
			(char)(0x80 | (c & 0x3f)), '\0' };
		char text[20];

		snprintf(text, sizeof(text), "a %s b", c < 0x800 ? two : three);
		check_case("U+%04X", c);
		stays(text);
		stays(text + 2);
	}
	check_case("%s", "");
}

/* Each prefix and each byte that is another one: a tree, or a reason. */
static void
every_byte(void)
{
	char text[sizeof(written)];
	struct slv_yaml y;

	for (size_t n = 0; n < sizeof(written); n++) {
		read_text(&y, written, n);
		CHECK((y.n > 0) || y.why[0] != '\0');
		slv_yaml_free(&y);
	}
	memcpy(text, written, sizeof(text));
	for (size_t i = 0; i < sizeof(written) - 1; i++) {
		for (unsigned c = 0; c < 256; c += 5) {
			text[i] = (char)c;
			read_text(&y, text, sizeof(written) - 1);
			CHECK(y.n > 0 || y.why[0] != '\0');
			slv_yaml_free(&y);
		}
		text[i] = written[i];
	}
}

static void
refused(const char *text, size_t len, const char *why)
{
	struct slv_yaml y;

	read_text(&y, text, len);
	if (strcmp(y.why, why) != 0)
		fprintf(stderr, "# %s, not %s\n", y.why, why);
	CHECK(strcmp(y.why, why) == 0);
	CHECK(y.n <= SLV_YAML_NODES);
	slv_yaml_free(&y);
}

static void
bounds(void)
{
	size_t n = SLV_YAML_MOST + 1;
	char *long_text = malloc(n);
	struct slv_buf keys = { 0 };

	refused("a: &x 1\nb: *x\n", 14, "an anchor is there");
	refused("a: *x\n", 6, "an alias is there");
	refused("a: !!binary x\n", 14, "a tag is there");
	refused("a: 1\na: 2\n", 10, "a key is there twice");
	refused("? [a]\n: 1\n", 10, "a key is no word");
	refused("a\n---\nb\n", 8, "there is a second document");
	refused("a: \"\\0\"\n", 8, "a text has a zero byte");
	refused("", 0, "nothing is in it");
	refused(NULL, 0, "nothing is in it");
	memset(long_text, '[', n);
	refused(long_text, n, "it is too long");
	refused(long_text, n / 4, "entries are nested too deep");
	for (size_t i = 0; i + 1 < n; i += 2)
		memcpy(long_text + i, "a,", 2);
	long_text[0] = '[';
	long_text[1] = 'a';
	refused(long_text, n - 1, "there are too many entries");
	for (int i = 0; i < 2000; i++)
		slv_buf_printf(&keys, "k%d: 1\n", i);
	refused((char *)keys.at, keys.len, "a map has too many keys");
	slv_buf_free(&keys);
	free(long_text);
}

CU_TestInfo yaml_tests[] = {
	{ "comes back", comes_back },
	{ "every text", every_text },
	{ "every byte", every_byte },
	{ "bounds", bounds },
	CU_TEST_INFO_NULL,
};
