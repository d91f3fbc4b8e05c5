/* test_bag_glance.c - of an indexed bag little but its index is read, and no
 * index is believed that cannot be all of it. */
#include "suites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "options/options.h"
#include "salvor.h"
#include "support/check.h"
#include "support/make_bag.h"
#include "support/scratch.h"

#define CONNS     3
#define EACH      2
#define PAYLOAD   20000
#define INFO_SIZE (108 + 8 * CONNS) /* bytes of a CHUNK_INFO */
#define AROUND    (64 << 10) /* bytes read of the rest, whatever its size */

static uint64_t bytes_read;
static ssize_t (*real_pread)(int, void *, size_t, off_t);

static ssize_t
counting_pread(int fd, void *buf, size_t n, off_t off)
{
	ssize_t got = real_pread(fd, buf, n, off);

	bytes_read += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Describe a bag in the scratch folder, counting what is read; the JSON is
 * owned by the caller. */
static char *
describe(const struct made_bag *bag, bool scan, enum slv_state state)
{
	struct slv_options how = { .scan = scan };
	struct slv_report *report = NULL;
	char *json;

	scratch_write("x.bag", bag->bytes.at, bag->bytes.n);
	real_pread = slv_sys.pread;
	slv_sys.pread = counting_pread;
	bytes_read = 0;
	CHECK(slv_info(scratch_path("x.bag"), &how, &report) == SLV_OK);
	slv_sys.pread = real_pread;
	CHECK_NAME(slv_state_name, slv_report_state(report), state);
	json = slv_report_json(report);
	slv_report_free(report);
	scratch_clean();
	return json;
}

static void
make(struct made_bag *bag, uint32_t chunks)
{
	make_bag(bag,
	    &(struct bag_recipe){ .conns = CONNS,
	        .chunks = chunks,
	        .each = EACH,
	        .payload = PAYLOAD });
}

static void
the_same_in_few_reads(void)
{
	struct made_bag bag;
	char *from_scan, *from_index, *a, *b;

	make(&bag, 20);
	from_scan = describe(&bag, true, SLV_STATE_INTACT);
	CHECK(bytes_read > 20 * CONNS * EACH * PAYLOAD);
	from_index = describe(&bag, false, SLV_STATE_INDEXED);
	CHECK(strstr(from_index, "\"depth\":\"index\"") != NULL);
	CHECK(strstr(from_index, "\"assurance\":\"none\"") != NULL);
	a = strstr(from_scan, "\"time\":");
	b = strstr(from_index, "\"time\":");
	CHECK(a != NULL && b != NULL && strncmp(a, b, strcspn(a, "}")) == 0);
	free(from_scan);
	free(from_index);
	made_bag_free(&bag);
}

/* Ten times the chunks: no more of them is looked at. */
static void
only_the_index_grows(void)
{
	struct made_bag small, large;
	uint64_t of_small, index;

	make(&small, 60);
	make(&large, 600);
	free(describe(&small, false, SLV_STATE_INDEXED));
	of_small = bytes_read;
	free(describe(&large, false, SLV_STATE_INDEXED));
	index = 540 * INFO_SIZE;
	CHECK(bytes_read >= of_small + index - AROUND);
	CHECK(bytes_read <= of_small + index + AROUND);
	CHECK(bytes_read < large.bytes.n / 50);
	made_bag_free(&small);
	made_bag_free(&large);
}

/* A header that says so, over a bag of 5 chunks. */
struct claim {
	const char *what;
	bool empty;  /* the index is where the chunks begin, else ... */
	bool at_end; /* at the end of the file, else ... */
	int past;    /* so many bytes after its place */
	uint32_t conns, chunks;
	bool cut; /* and there is none after the chunks */
};

static const struct claim claims[] = {
	{ .what = "no index", .empty = true },
	{ .what = "no index, and none there", .empty = true, .cut = true },
	{ .what = "an empty one at the end", .at_end = true },
	{ .what = "an empty one behind the chunks",
	    .at_end = true,
	    .cut = true },
	{ .what = "connections and no chunks", .conns = CONNS },
	{ .what = "one chunk too few", .conns = CONNS, .chunks = 4 },
	{ .what = "one chunk too many", .conns = CONNS, .chunks = 6 },
	{ .what = "one connection too few", .conns = CONNS - 1, .chunks = 5 },
	{ .what = "the wrong place", .past = 1, .conns = CONNS, .chunks = 5 },
	{ .what = "nothing behind the chunks",
	    .conns = CONNS,
	    .chunks = 5,
	    .cut = true },
};

static void
what_is_odd_is_read_through(void)
{
	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++) {
		const struct claim *c = &claims[i];
		struct made_bag bag;
		uint64_t at;
		char *json;

		check_case("%s", c->what);
		make(&bag, 5);
		if (c->cut)
			bag.bytes.n = bag.index_pos;
		at = c->empty   ? 4117
		    : c->at_end ? bag.bytes.n
		                : bag.index_pos + (uint64_t)c->past;
		bag_put_header(&bag, at, c->conns, c->chunks);
		json = describe(&bag, false, SLV_STATE_DAMAGED);
		CHECK(strstr(json, "\"blocks\":{\"kept\":30,") != NULL);
		CHECK(bytes_read > 5 * CONNS * EACH * PAYLOAD);
		free(json);
		made_bag_free(&bag);
	}
}

/* Every byte of the index: believed as it is written, or not at all; except for
 * what a connection is called. */
static void
no_byte_of_an_info_lies(void)
{
	struct made_bag bag;

	make(&bag, 2);
	for (uint64_t at = bag.infos; at < bag.bytes.n; at++) {
		char *json;

		check_case("byte %llu of the infos",
		    (unsigned long long)(at - bag.infos));
		bag.bytes.at[at] ^= 0x04;
		json = describe(&bag, false, SLV_STATE_DAMAGED);
		CHECK(strstr(json, "\"blocks\":{\"kept\":12,") != NULL);
		free(json);
		bag.bytes.at[at] ^= 0x04;
		if (check_enough())
			break;
	}
	made_bag_free(&bag);
}

CU_TestInfo bag_glance_tests[] = {
	{ "the same in few reads", the_same_in_few_reads },
	{ "only the index grows", only_the_index_grows },
	{ "what is odd is read through", what_is_odd_is_read_through },
	{ "no byte of an info lies", no_byte_of_an_info_lies },
	CU_TEST_INFO_NULL,
};
