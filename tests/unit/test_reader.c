/* test_reader.c - what a program can ask of a reader of records. */
#include "suites.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "options/options.h"
#include "salvor.h"
#include "support/check.h"
#include "support/make_bag.h"

#define HEAD   46 /* bytes of a message before its payload */
#define SECOND INT64_C(1000000000)
#define FIRST  INT64_C(1700000000) /* s: the time of the first message */
#define ALL    12                  /* messages of the bag */
#define ON_ALL 8                   /* choices of a reader, at most */

/* Messages 0 to 11, a second after each other, of /t0 and /t1 by turns. */
static const struct bag_recipe recipe = {
	.conns = 2, .chunks = 3, .each = 2, .payload = 100
};

/* Open what is in memory; no call may fail. */
static struct slv_log *
open_bag(const struct made_bag *bag, struct slv_reader **reader)
{
	struct slv_log *log;

	CHECK_STATUS(
	    slv_log_open_memory(bag->bytes.at, bag->bytes.n, NULL, NULL, &log),
	    SLV_OK, NULL);
	CHECK_STATUS(slv_reader_open(log, reader), SLV_OK, NULL);
	return log;
}

/* How many records such a reader has; and the second of the first one. */
static unsigned
count(const char *const *choices, int64_t *first)
{
	struct made_bag bag;
	struct slv_reader *reader;
	const struct slv_record *r;
	struct slv_log *log;
	unsigned n = 0;

	make_bag(&bag, &recipe);
	log = open_bag(&bag, &reader);
	for (; *choices != NULL; choices += 2)
		CHECK_STATUS(slv_reader_set(reader, choices[0], choices[1]),
		    SLV_OK, NULL);
	*first = -1;
	while ((r = slv_reader_next(reader)) != NULL) {
		if (n++ == 0)
			*first = r->log_ns / SECOND - FIRST;
	}
	CHECK_STR(slv_log_error(log), "");
	slv_reader_close(reader);
	slv_log_close(log);
	made_bag_free(&bag);
	return n;
}

static void
records_of_a_time_span(void)
{
	static const struct {
		const char *choices[5];
		unsigned n;
		int64_t first;
	} cases[] = {
		{ { NULL }, ALL, 0 },
		{ { "start", "1700000004", NULL }, 8, 4 },
		{ { "start", "1700000003.5", NULL }, 8, 4 },
		{ { "start", "2023-11-14T22:13:24Z", NULL }, 8, 4 },
		{ { "start", "2023-11-14T22:13:23.000000001Z", NULL }, 8, 4 },
		{ { "start", "+4s", NULL }, 8, 4 },
		{ { "start", "+4", NULL }, 8, 4 },
		{ { "start", "+4500ms", NULL }, 7, 5 },
		{ { "start", "+0.1m", NULL }, 6, 6 },
		{ { "start", "+1h", NULL }, 0, -1 },
		{ { "start", "-2s", NULL }, 3, 9 },
		{ { "end", "+3s", NULL }, 3, 0 },
		{ { "end", "-0s", NULL }, 11, 0 },
		{ { "start", "+3s", "end", "+5s", NULL }, 2, 3 },
		{ { "start", "+5s", "end", "+5s", NULL }, 0, -1 },
		{ { "order", "time", "start", "+10s", NULL }, 2, 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t first;

		check_case("case %zu", i);
		CHECK_U64(count(cases[i].choices, &first), cases[i].n);
		CHECK_I64(first, cases[i].first);
	}
}

static void
records_of_some_channels(void)
{
	static const struct {
		const char *choices[ON_ALL];
		unsigned n;
	} cases[] = {
		{ { "include", "/t0", NULL }, 6 },
		{ { "include", "/t", NULL }, 0 }, /* all of a name matches */
		{ { "include", "/t.", NULL }, ALL },
		{ { "include", "/t0|/t1", NULL }, ALL },
		{ { "include", "/t0", "include", "/t1", NULL }, ALL },
		{ { "exclude", "/t0", NULL }, 6 },
		{ { "include", ".*", "exclude", ".*1", NULL }, 6 },
		{ { "exclude", ".*", NULL }, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t first;

		check_case("case %zu", i);
		CHECK_U64(count(cases[i].choices, &first), cases[i].n);
	}
}

static void
choices_that_make_no_sense(void)
{
	static const char *const cases[][2] = {
		{ "start", "" },
		{ "start", "soon" },
		{ "start", "+" },
		{ "start", "+s" },
		{ "start", "+1x" },
		{ "start", "1700000000s" },
		{ "start", "99999999999999999999" },
		{ "start", "2023-02-30T00:00:00Z" },
		{ "start", "2023-11-14T24:00:00Z" },
		{ "start", "2023-11-14T22:13:60Z" },
		{ "start", "2023-11-14 22:13:20Z" },
		{ "end", NULL },
		{ "include", "[" },
		{ "order", "size" },
		{ "colour", "red" },
	};
	struct made_bag bag;
	struct slv_reader *reader;
	struct slv_log *log;

	make_bag(&bag, &recipe);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		check_case("%s=%s", cases[i][0],
		    cases[i][1] != NULL ? cases[i][1] : "(null)");
		log = open_bag(&bag, &reader);
		CHECK_STATUS(slv_reader_set(reader, cases[i][0], cases[i][1]),
		    SLV_E_USAGE, NULL);
		CHECK(strstr(slv_log_error(log), cases[i][0]) != NULL);
		CHECK(slv_reader_next(reader) == NULL);
		slv_reader_close(reader);
		slv_log_close(log);
	}
	check_case("too late");
	log = open_bag(&bag, &reader);
	CHECK(slv_reader_next(reader) != NULL);
	CHECK_STATUS(
	    slv_reader_set(reader, "order", "time"), SLV_E_USAGE, NULL);
	slv_reader_close(reader);
	slv_log_close(log);
	made_bag_free(&bag);
}

static void
channels_say_what_they_are(void)
{
	const struct slv_channel_info *c;
	struct made_bag bag;
	struct slv_reader *reader;
	struct slv_log *log;
	char name[8];

	make_bag(&bag, &recipe);
	log = open_bag(&bag, &reader);
	CHECK_U64(slv_log_channels(log), 2);
	for (uint32_t i = 0; i < 2; i++) {
		c = slv_log_channel(log, i);
		snprintf(name, sizeof(name), "/t%u", i);
		CHECK_STR(c->name, name);
		CHECK_STR(c->encoding, "ros1");
		CHECK_STR(c->schema_encoding, "ros1msg");
		CHECK_U64(c->records, ALL / 2);
		CHECK_U64(c->size_of, sizeof(*c));
	}
	CHECK(slv_log_channel(log, 2) == NULL);
	slv_reader_close(reader);
	slv_log_close(log);
	made_bag_free(&bag);
}

/* Where message k is in the bag. */
static size_t
place_of(const struct made_bag *bag, unsigned k)
{
	struct slv_reader *reader;
	struct slv_log *log = open_bag(bag, &reader);
	const struct slv_record *r = slv_reader_next(reader);
	size_t at;

	for (; k > 0; k--)
		r = slv_reader_next(reader);
	at = (size_t)r->off;
	slv_reader_close(reader);
	slv_log_close(log);
	return at;
}

static void
records_after_a_loss(void)
{
	struct made_bag bag;
	struct slv_reader *reader;
	const struct slv_record *r;
	struct slv_log *log;
	unsigned k = 0, after = 0;

	make_bag(&bag, &recipe);
	memset(bag.bytes.at + place_of(&bag, 5), 0xff, HEAD + recipe.payload);
	log = open_bag(&bag, &reader);
	while ((r = slv_reader_next(reader)) != NULL) {
		check_case("message %u", k);
		/* Message 5 is lost, and nothing confirms the end of 4. */
		k += k == 4 ? 2 : 0;
		CHECK_I64(r->log_ns, (FIRST + k) * SECOND);
		CHECK_U64(r->channel, k % 2);
		CHECK_U64(r->sequence, k / 2 - (k > 5));
		CHECK_NAME(slv_state_name,
		    slv_report_state(slv_log_report(log)), SLV_STATE_LOSSY);
		CHECK_BYTES(bag.bytes.at + r->off + HEAD, r->len, r->data,
		    recipe.payload);
		/* The first one of each channel. */
		CHECK_U64(
		    r->flags, k == 6 || k == 7 ? SLV_RECORD_AFTER_GAP : 0);
		after += r->flags != 0;
		k++;
	}
	CHECK_U64(k, ALL);
	CHECK_U64(after, 2);
	CHECK_STR(slv_log_error(log), "");
	slv_reader_close(reader);
	slv_log_close(log);
	made_bag_free(&bag);
}

/* Bytes of which a sector cannot be read. */
struct bytes {
	const struct blob *bytes;
	size_t bad; /* offset of it */
	int error;
	unsigned closed;
};

static int
read_bytes(void *ctx, uint64_t off, void *buf, size_t n)
{
	const struct bytes *b = ctx;

	if (off > b->bytes->n || n > b->bytes->n - off)
		return EINVAL;
	if (off < b->bad + 512 && off + n > b->bad)
		return b->error;
	memcpy(buf, b->bytes->at + off, n);
	return 0;
}

static void
close_bytes(void *ctx)
{
	((struct bytes *)ctx)->closed++;
}

static void
bytes_that_cannot_be_read(void)
{
	static const struct {
		int error;
		enum slv_status status;
	} cases[] = { { EIO, SLV_OK }, { EACCES, SLV_E_IO } };
	struct made_bag bag;

	make_bag(&bag, &recipe);
	for (size_t i = 0; i < 2; i++) {
		struct bytes b = { .bytes = &bag.bytes,
			.bad = place_of(&bag, 4) / 512 * 512,
			.error = cases[i].error };
		const struct slv_input input = { sizeof(input), bag.bytes.n,
			read_bytes, close_bytes, &b };
		struct slv_reader *reader = NULL;
		struct slv_log *log;
		unsigned n = 0;

		check_case("errno %d", cases[i].error);
		CHECK_STATUS(slv_log_open_input(&input, "x", NULL, &log),
		    cases[i].status, NULL);
		if (cases[i].status == SLV_OK)
			CHECK_STATUS(
			    slv_reader_open(log, &reader), SLV_OK, NULL);
		while (reader != NULL && slv_reader_next(reader) != NULL)
			n++;
		CHECK(n < ALL && (n > 0) == (cases[i].status == SLV_OK));
		CHECK_STATUS(slv_log_status(log), cases[i].status, NULL);
		slv_reader_close(reader);
		slv_log_close(log);
		CHECK_U64(b.closed, 1);
	}
	made_bag_free(&bag);
}

static void
what_is_no_log(void)
{
	struct slv_reader *reader;
	struct slv_log *log;

	CHECK_STATUS(slv_log_open_memory("hello", 5, "hello.txt", NULL, &log),
	    SLV_OK, NULL);
	CHECK_U64(slv_log_channels(log), 0);
	CHECK_STATUS(slv_reader_open(log, &reader), SLV_E_REFUSED, NULL);
	CHECK(reader == NULL);
	CHECK_STR(
	    slv_log_error(log), "hello.txt: is not a log that salvor knows");
	slv_log_close(log);
	CHECK_STATUS(
	    slv_log_open("/nonexistent/x.bag", NULL, &log), SLV_E_IO, NULL);
	CHECK(strstr(slv_log_error(log), "/nonexistent/x.bag") != NULL);
	slv_log_close(log);
	slv_log_close(NULL);
	slv_reader_close(NULL);
}

/* Stopped after its first record, in this order; `from` has all of the log in memory. */
static void
check_stop(const char *order, const struct made_bag *from)
{
	volatile sig_atomic_t stop = 0;
	const struct slv_options opt = { .cancel = &stop };
	struct slv_reader *reader;
	struct slv_log *log;

	check_case("order %s", order);
	CHECK_STATUS(slv_log_open_memory(
	                 from->bytes.at, from->bytes.n, NULL, &opt, &log),
	    SLV_OK, NULL);
	CHECK_STATUS(slv_reader_open(log, &reader), SLV_OK, NULL);
	CHECK_STATUS(slv_reader_set(reader, "order", order), SLV_OK, NULL);
	CHECK(slv_reader_next(reader) != NULL);
	stop = 1;
	CHECK(slv_reader_next(reader) == NULL);
	CHECK_STATUS(slv_log_status(log), SLV_E_CANCELLED, NULL);
	slv_reader_close(reader);
	slv_log_close(log);
	check_case("%s", "");
}

static void
stopped_by_the_caller(void)
{
	struct made_bag bag;

	make_bag(&bag, &recipe);
	check_stop("file", &bag);
	check_stop("time", &bag);
	made_bag_free(&bag);
}

/* Several readers of a log with compressed chunks take turns. */
static void
readers_side_by_side(void)
{
	static const char *const files[] = {
		"testdata/rosbag/good-drive-lz4.bag",
		"testdata/rosbag/good-drive-bz2.bag"
	};

	for (size_t i = 0; i < 2; i++) {
		const struct slv_record *r = NULL;
		struct slv_reader *a, *b[3];
		struct slv_log *log;
		char path[600];
		unsigned n = 0;

		check_case("%s", files[i]);
		snprintf(path, sizeof(path), "%s/%s", check_top(), files[i]);
		CHECK_STATUS(slv_log_open(path, NULL, &log), SLV_OK, NULL);
		CHECK_STATUS(slv_reader_open(log, &a), SLV_OK, NULL);
		for (unsigned k = 0; k < 3; k++) {
			CHECK_STATUS(slv_reader_open(log, &b[k]), SLV_OK, NULL);
			/* They are not at the same place. */
			for (unsigned skip = 0; skip < k * 20; skip++)
				(void)slv_reader_next(b[k]);
		}
		CHECK_STATUS(slv_reader_set(a, "order", "time"), SLV_OK, NULL);
		while ((r = slv_reader_next(a)) != NULL) {
			int64_t at = r->log_ns;
			size_t len = r->len;

			n++;
			for (unsigned k = 0; k < 3; k++) {
				r = slv_reader_next(b[k]);
				if (r == NULL || k > 0)
					continue;
				/* It has recorded in the order of time. */
				CHECK_I64(r->log_ns, at);
				CHECK_U64(r->len, len);
			}
		}
		CHECK(n > 50);
		CHECK_STR(slv_log_error(log), "");
		slv_reader_close(a);
		for (unsigned k = 0; k < 3; k++)
			slv_reader_close(b[k]);
		slv_log_close(log);
	}
}

static long countdown;

static bool
fail_once(size_t size)
{
	(void)size;
	return countdown-- != 0;
}

/* Read a log while one allocation fails; false: there were not so many. */
static bool
read_without_memory(const struct made_bag *bag, long k, unsigned want)
{
	struct slv_reader *reader = NULL;
	struct slv_log *log;
	unsigned n = 0;

	check_case("allocation %ld", k);
	countdown = k;
	slv_mem_hook = fail_once;
	if (slv_log_open_memory(bag->bytes.at, bag->bytes.n, NULL, NULL, &log)
	        == SLV_OK
	    && slv_reader_open(log, &reader) == SLV_OK
	    && slv_reader_set(reader, "include", ".*") == SLV_OK
	    && slv_reader_set(reader, "order", "time") == SLV_OK) {
		while (slv_reader_next(reader) != NULL)
			n++;
	}
	slv_mem_hook = NULL;
	if (log == NULL)
		return true;
	if (slv_log_status(log) == SLV_OK)
		CHECK_U64(n, want);
	else
		CHECK_STATUS(slv_log_status(log), SLV_E_NOMEM, NULL);
	slv_reader_close(reader);
	slv_log_close(log);
	return countdown < 0;
}

static void
every_allocation_fails_once(void)
{
	struct made_bag bag;

	make_bag(&bag, &recipe);
	for (unsigned damaged = 0; damaged < 2; damaged++) {
		long k = 0;

		if (damaged)
			memset(bag.bytes.at + place_of(&bag, 5), 0xff, HEAD);
		while (read_without_memory(&bag, k, damaged ? ALL - 2 : ALL))
			k++;
		CHECK(k > 20);
	}
	made_bag_free(&bag);
}

CU_TestInfo reader_tests[] = {
	{ "records of a time span", records_of_a_time_span },
	{ "records of some channels", records_of_some_channels },
	{ "choices that make no sense", choices_that_make_no_sense },
	{ "channels say what they are", channels_say_what_they_are },
	{ "records after a loss", records_after_a_loss },
	{ "bytes that cannot be read", bytes_that_cannot_be_read },
	{ "what is no log", what_is_no_log },
	{ "stopped by the caller", stopped_by_the_caller },
	{ "readers side by side", readers_side_by_side },
	{ "every allocation fails once", every_allocation_fails_once },
	CU_TEST_INFO_NULL,
};
