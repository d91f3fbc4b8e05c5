/* test_rosbag_record.c - the header of a message says the same in any order of its
 * fields, whole or damaged. */
#include "unit/suites.h"

#include <string.h>

#include "formats/rosbag/read/rosbag_record.h"
#include "support/check.h"

#define FIELDS 3

static const struct {
	const char *bytes;
	size_t n;
} fields[FIELDS] = {
	{ "\x09\0\0\0conn=\x07\x01\0\0", 13 },
	{ "\x04\0\0\0op=\x02", 8 },
	{ "\x0d\0\0\0time=\x01\x02\x03\x04\xff\xc9\x9a\x3b", 17 },
};

/* All orders; the first two are those of ROS for C++ and for Python. */
static const unsigned orders[][FIELDS] = {
	{ 0, 1, 2 },
	{ 1, 0, 2 },
	{ 0, 2, 1 },
	{ 1, 2, 0 },
	{ 2, 0, 1 },
	{ 2, 1, 0 },
};

#define ORDERS (sizeof(orders) / sizeof(*orders))

/* A message of 5 bytes, of which one bit of a field is wrong; of none where
 * there is no such field. */
static enum rosbag_read
get(const unsigned *order, unsigned field, size_t bit, size_t have,
    struct rosbag_record *r)
{
	uint8_t bytes[ROSBAG_MESSAGE_HEAD] = { ROSBAG_MESSAGE_HEAD - 8 };
	uint8_t *p = bytes + 4;

	for (unsigned i = 0; i < FIELDS; i++) {
		memcpy(p, fields[order[i]].bytes, fields[order[i]].n);
		if (order[i] == field)
			p[bit / 8] ^= (uint8_t)(1u << bit % 8);
		p += fields[order[i]].n;
	}
	p[0] = 5;
	return rosbag_record_get(bytes, have, r);
}

static void
whole(void)
{
	for (size_t i = 0; i < ORDERS; i++) {
		struct rosbag_record r;

		check_case("order %zu", i);
		CHECK_U64(get(orders[i], FIELDS, 0, ROSBAG_MESSAGE_HEAD, &r),
		    ROSBAG_WHOLE);
		CHECK_U64(r.op, ROSBAG_MESSAGE);
		CHECK_U64(r.conn, 0x107);
		CHECK_U64(r.time.sec, 0x04030201);
		CHECK_U64(r.time.nsec, 999999999);
		CHECK_U64(rosbag_head(&r), ROSBAG_MESSAGE_HEAD);
		CHECK_U64(r.data, 5);
		for (size_t n = 0; n < ROSBAG_MESSAGE_HEAD; n++)
			CHECK_U64(
			    get(orders[i], FIELDS, 0, n, &r), ROSBAG_SHORT);
	}
	check_case("%s", "");
}

static void
damaged(void)
{
	for (unsigned field = 0; field < FIELDS; field++) {
		for (size_t bit = 0; bit < fields[field].n * 8; bit++) {
			struct rosbag_record want, got;

			(void)get(orders[ORDERS - 1], field, bit,
			    ROSBAG_MESSAGE_HEAD, &want);
			for (size_t i = 0; i < ORDERS; i++) {
				check_case("order %zu, field %u, bit %zu", i,
				    field, bit);
				(void)get(orders[i], field, bit,
				    ROSBAG_MESSAGE_HEAD, &got);
				CHECK_U64(got.read, want.read);
				if (want.read != ROSBAG_WHOLE)
					continue;
				CHECK_U64(got.op, want.op);
				CHECK_U64(got.conn, want.conn);
				CHECK_U64(got.time.sec, want.time.sec);
				CHECK_U64(got.time.nsec, want.time.nsec);
			}
		}
	}
	check_case("%s", "");
}

CU_TestInfo rosbag_record_tests[] = {
	{ "whole", whole },
	{ "damaged", damaged },
	CU_TEST_INFO_NULL,
};
