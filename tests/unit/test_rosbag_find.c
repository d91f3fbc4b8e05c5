/* test_rosbag_find.c - a search in a bag ends where the log ends, wherever the
 * caller asks it to end; and what may be the beginning of a header. */
#include "unit/suites.h"

#include <string.h>
#include <unistd.h>

#include "core/scan/scan.h"
#include "formats/rosbag/read/rosbag_record.h"
#include "formats/rosbag/rosbag_state.h"
#include "support/check.h"

#define SIZE    1000
#define LONGEST 20 /* seconds, for a search that does not end */

static const uint8_t lz4_head[] = { 4, 0x22, 0x4d, 0x18, 0x64, 0x40, 0xa7 };

/* A log of which the bytes from `end` on are zeros that were never written. */
static void
open_log(
    struct slv_scan *s, struct slv_window *window, uint8_t *bytes, uint64_t end)
{
	struct slv_source *source = NULL;

	*s = (struct slv_scan){ .logical_end = end, .window = window };
	CHECK_OK(slv_source_memory(bytes, SIZE, &source, NULL), NULL);
	s->source = source;
	slv_window_init(window, source, NULL);
}

static void
close_log(struct slv_scan *s)
{
	slv_window_free(s->window);
	slv_source_close(s->source);
}

/* The stream begins at `stream`; the log ends at `end`. */
static void
search(uint64_t stream, uint64_t end)
{
	const unsigned any = (1u << ROSBAG_OPS) - 1;
	uint8_t bytes[SIZE] = { 0 };
	struct slv_window window;
	struct slv_scan s;

	memcpy(bytes + stream, lz4_head, sizeof(lz4_head));
	open_log(&s, &window, bytes, end);
	for (uint64_t from = 0; from <= SIZE; from += 50) {
		for (uint64_t to = from; to <= 2 * SIZE; to += 50) {
			bool there = stream >= from && stream < to
			    && stream + sizeof(lz4_head) <= end;
			enum slv_codec_kind codec = SLV_CODEC_NONE;
			uint64_t at = 0;

			check_case("stream at %u, end %u, from %u to %u",
			    (unsigned)stream, (unsigned)end, (unsigned)from,
			    (unsigned)to);
			CHECK_OK(
			    rosbag_find_stream(&s, from, to, &at, &codec, NULL),
			    NULL);
			CHECK_U64(at, there ? stream : to);
			CHECK_OK(
			    rosbag_find(&s, from, to, any, &at, NULL), NULL);
			CHECK_U64(at, to);
		}
	}
	close_log(&s);
	check_case("%s", "");
}

static void
ends(void)
{
	alarm(LONGEST);
	search(500, SIZE);
	search(500, 700);
	search(700, 500);
	search(500, 503);
	search(0, 0);
	alarm(0);
}

/* A header of which only the beginning is there has names that may be those of
 * fields; numbers of a payload are none. */
static void
cut_headers(void)
{
	static const uint8_t head[] = "\x26\0\0\0\x09\0\0\0conn=\1\0\0\0"
	                              "\x04\0\0\0op=\2\x0d\0\0\0time=";
	static const uint8_t payload[] = "\x06\x50\0\0\0\x34\0\0\0\xf1"
	                                 "\x53\x65\xb8\xb9\xda\6";
	struct rosbag_record r;

	for (size_t n = 0; n < sizeof(head); n++) {
		check_case("%u bytes of a header", (unsigned)n);
		CHECK(rosbag_record_get(head, n, &r) == ROSBAG_SHORT);
	}
	for (size_t n = 9; n < sizeof(payload); n++) {
		check_case("%u bytes of a payload", (unsigned)n);
		CHECK(rosbag_record_get(payload, n, &r) == ROSBAG_BAD);
	}
	check_case("%s", "");
}

CU_TestInfo rosbag_find_tests[] = {
	{ "a cut header has names of fields", cut_headers },
	{ "ends where the log ends", ends },
	CU_TEST_INFO_NULL,
};
