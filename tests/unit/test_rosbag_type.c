/* test_rosbag_type.c - the definitions of message types: their sums, as ROS has
 * them, and which bytes are such a message. */
#include <stdlib.h>
#include <string.h>

#include "formats/rosbag/read/rosbag_type.h"
#include "support/check.h"
#include "unit/suites.h"

#define RULE "================================================="
#define HEADER                                                                 \
	RULE "\nMSG: std_msgs/Header\n# seconds\nuint32 seq\n  time  stamp # " \
	     "when\n"                                                          \
	     "string frame_id\n"

static struct slv_span
span(const char *text)
{
	return (struct slv_span){ (const uint8_t *)text, strlen(text) };
}

static bool
understand(struct rosbag_types *t, const char *name, const char *text)
{
	struct slv_err err = { 0 };
	bool good;

	CHECK_OK(
	    rosbag_types_read(t, span(name), span(text), &good, &err), &err);
	return good;
}

/* The sums are those of genmsg. */
static void
sums(void)
{
	static const struct {
		const char *name, *text, *sum;
	} cases[] = {
		{ "std_msgs/Empty", "", "d41d8cd98f00b204e9800998ecf8427e" },
		{ "std_msgs/String", "string data\n",
		    "992ce8a1687cec8c8bd883ec73ca41d1" },
		{ "geometry_msgs/PointStamped",
		    "# a point\r\nHeader header\r\nPoint point\r\n" HEADER RULE
		    "\nMSG: geometry_msgs/Point\nfloat64 x\nfloat64 y\n"
		    "float64 z\n",
		    "c63aecb41bfdfd6b7e1fac37c7cbe7bf" },
		/* Constants come first, and not as they stand. */
		{ "actionlib_msgs/GoalStatus",
		    "GoalID goal_id\nuint8 status\n"
		    "uint8 PENDING         = 0   # pending\nuint8 ACTIVE=1\n"
		    "uint8 PREEMPTED       = 2\nuint8 SUCCEEDED = 3\n"
		    "uint8 ABORTED=4\nuint8 REJECTED=5\nuint8 PREEMPTING=6\n"
		    "uint8 RECALLING=7\nuint8 RECALLED=8\nuint8 LOST=9\n\n"
		    "string text\n" RULE
		    "\nMSG: actionlib_msgs/GoalID\ntime stamp\nstring id\n",
		    "d388f9b87b3c471f784434d671988d4a" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rosbag_types t;
		char sum[33] = "";

		check_case("%s", cases[i].name);
		CHECK(understand(&t, cases[i].name, cases[i].text));
		CHECK(rosbag_types_md5(&t, sum));
		CHECK_STR(sum, cases[i].sum);
		rosbag_types_free(&t);
	}
}

/* What nobody can understand has no sum. */
static void
no_types(void)
{
	static const char *const texts[] = {
		"uint8",
		"uint8 a b",
		"Point p",
		"uint8[ a",
		"uint8[x] a",
		"[3] a",
		"uint8[99999999999] a",
		"uint8 a\n" RULE "\nuint8 b\n",
		"B b\n" RULE "\nMSG: c/B\nuint8 x\n",
	};
	struct rosbag_types t;
	char sum[33];

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		check_case("%s", texts[i]);
		CHECK(!understand(&t, "a/A", texts[i]));
		rosbag_types_free(&t);
	}
	CHECK(understand(&t, "a/A", "B b\n" RULE "\nMSG: a/B\nA[] a\n"));
	CHECK(!rosbag_types_md5(&t, sum));
	CHECK(!rosbag_types_fit(&t, (const uint8_t *)"\1\0\0", 3));
	rosbag_types_free(&t);
}

/* A message must end where its type does. */
static void
messages(void)
{
	static const struct {
		const char *text, *bytes;
		size_t n;
		bool fits;
	} cases[] = {
		{ "", "", 0, true },
		{ "", "\0", 1, false },
		{ "uint8 LIMIT=3\nuint16 a", "ab", 2, true },
		{ "uint16 a", "a", 1, false },
		{ "string s", "\2\0\0\0hi", 6, true },
		{ "string s", "\3\0\0\0hi", 6, false },
		{ "string s", "\1\0\0\0hi", 6, false },
		{ "string s", "\377\377\377\377", 4, false },
		{ "int8[3] a", "abc", 3, true },
		{ "int16[] a", "\2\0\0\0abcd", 8, true },
		{ "string[2] a", "\0\0\0\0\1\0\0\0x", 9, true },
		{ "time t", "\1\0\0\0\377\311\232\73", 8, true },
		{ "time t", "\1\0\0\0\0\312\232\73", 8, false },
		{ "B[] b\n" RULE "\nMSG: a/B\nuint8 x\nstring y\n",
		    "\2\0\0\0x\0\0\0\0x\0\0\0\0", 14, true },
		/* Nothing, four thousand million times. */
		{ "B[] b\n" RULE "\nMSG: a/B\n", "\377\377\377\377", 4, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rosbag_types t;

		check_case("%zu: %s", i, cases[i].text);
		CHECK(understand(&t, "a/A", cases[i].text));
		CHECK(rosbag_types_fit(
		          &t, (const uint8_t *)cases[i].bytes, cases[i].n)
		    == cases[i].fits);
		rosbag_types_free(&t);
	}
}

static void
frames(void)
{
	static const uint8_t bytes[] = "\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0base\7";
	struct rosbag_types t;
	struct slv_span frame;

	CHECK(
	    understand(&t, "a/A", "int8 K=1\nHeader header\nint8 x\n" HEADER));
	CHECK(rosbag_types_fit(&t, bytes, sizeof(bytes) - 1));
	frame = rosbag_types_frame(&t, bytes, sizeof(bytes) - 1);
	CHECK(frame.len == 4 && memcmp(frame.at, "base", 4) == 0);
	rosbag_types_free(&t);
	CHECK(understand(&t, "a/A", "int8 x\nHeader header\n" HEADER));
	CHECK(rosbag_types_frame(&t, bytes, sizeof(bytes) - 1).at == NULL);
	rosbag_types_free(&t);
}

CU_TestInfo rosbag_type_tests[] = {
	{ "sums", sums },
	{ "no types", no_types },
	{ "messages", messages },
	{ "frames", frames },
	CU_TEST_INFO_NULL,
};
