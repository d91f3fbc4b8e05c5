/* test_streams.c - what all compressed chunks of a log may hold together is a budget,
 * which each way to a chunk keeps.
 */
#include "support/streams.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/pack.h"
#include "unit/suites.h"

#define SLOT   ((uint64_t)32 << 10) /* bytes of a log that a chunk has */
#define SLOTS  ((uint64_t)64) /* more than what is too small for two threads */
#define LARGE  ((size_t)1 << 20) /* bytes that a chunk holds */
#define LITTLE ((size_t)100)

/* A log of chunks, and the scan of it. */
struct log {
	struct blob bytes;
	uint64_t
	    len[2]; /* stored bytes of chunks with an even number, an odd one */
	struct slv_cache cache;
	struct slv_scan scan;
};

static const struct slv_cache_kind kinds[] = { SLV_STREAMS_CACHED, { 0 } };

static struct log the_log;

static struct slv_stored
chunk(uint64_t slot)
{
	return (struct slv_stored){
		.off = slot * SLOT,
		.end = slot * SLOT + the_log.len[slot % 2],
		.codec = SLV_CODEC_BZ2,
	};
}

/* Bytes that were decoded for nothing so far. */
static uint64_t
wasted(void)
{
	struct slv_err err = { 0 };
	void *value;

	CHECK_OK(slv_cache_only(&the_log.cache, 0, &value, &err), &err);
	return ((const struct slv_streams *)value)->wasted;
}

static enum slv_status
give(const struct slv_scan *s, uint64_t slot, uint64_t *at,
    struct slv_stored *out, uint64_t *after, bool *found)
{
	CHECK(wasted() <= s->opt.limits.max_decoded);
	*found = slot < SLOTS;
	*out = chunk(slot);
	*at = out->off;
	*after = out->end;
	return SLV_OK;
}

static enum slv_status
next(const struct slv_scan *s, uint64_t *at, struct slv_stored *out,
    uint64_t *after, bool *found, struct slv_err *err)
{
	(void)err;
	return give(s, (*at + SLOT - 1) / SLOT, at, out, after, found);
}

/* Only to chunks that nobody asks for. */
static enum slv_status
mislead(const struct slv_scan *s, uint64_t *at, struct slv_stored *out,
    uint64_t *after, bool *found, struct slv_err *err)
{
	(void)err;
	return give(s, (*at + SLOT - 1) / SLOT | 1, at, out, after, found);
}

static const struct slv_stream_rules rules = { .size_max = UINT32_MAX,
	.next = next };
static const struct slv_stream_rules misleading = { .size_max = UINT32_MAX,
	.next = mislead };

/* A log of so many slots, whose chunks may hold so much together. */
static void
open_log(uint64_t slots, size_t even, uint64_t most)
{
	struct blob zeros = { 0 }, packed[2] = { { 0 }, { 0 } };
	struct slv_err err = { 0 };

	the_log = (struct log){ .cache = { .kinds = kinds } };
	blob_fill(&zeros, 0, LARGE);
	pack_bz2(&packed[0], zeros.at, even, 1);
	pack_bz2(&packed[1], zeros.at, LARGE, 1);
	blob_fill(&the_log.bytes, 0, slots * SLOT);
	for (uint64_t i = 0; i < slots; i++)
		memcpy(the_log.bytes.at + i * SLOT, packed[i % 2].at,
		    packed[i % 2].n);
	for (int i = 0; i < 2; i++) {
		the_log.len[i] = packed[i].n;
		blob_free(&packed[i]);
	}
	blob_free(&zeros);
	CHECK_OK(slv_source_memory(the_log.bytes.at, the_log.bytes.n,
	             &the_log.scan.source, &err),
	    &err);
	the_log.scan.cache = &the_log.cache;
	the_log.scan.opt.limits =
	    slv_limits_fill((struct slv_limits){ .max_decoded = most });
}

static void
close_log(void)
{
	slv_cache_drop(&the_log.cache);
	slv_source_close(the_log.scan.source);
	blob_free(&the_log.bytes);
}

/* Decode one; *n is how much came out. */
static enum slv_status
decode(const struct slv_stream_rules *how, uint64_t slot, size_t *n)
{
	const struct slv_stored at = chunk(slot);
	struct slv_decode out = { 0 };
	struct slv_err err = { 0 };
	enum slv_status st =
	    slv_streams_decode(&the_log.scan, how, &at, &out, &err);

	*n = out.out.len;
	slv_decode_free(&out);
	return st;
}

/* One chunk is decoded no further than the rest of the budget. */
static void
no_chunk_is_over(void)
{
	const uint64_t most = LARGE + LARGE / 3;
	size_t n;

	open_log(4, LARGE, most);
	CHECK_STATUS(decode(&rules, 0, &n), SLV_OK, NULL);
	CHECK_U64(n, LARGE);
	CHECK_STATUS(decode(&rules, 1, &n), SLV_E_LIMIT, NULL);
	CHECK(n <= most - LARGE);
	close_log();
}

/* What was decoded ahead counts, although each had all of the budget. */
static void
nor_are_those_ahead(void)
{
	size_t n;

	open_log(SLOTS, LARGE, LARGE + LARGE / 2);
	CHECK_STATUS(decode(&rules, 0, &n), SLV_OK, NULL);
	CHECK_STATUS(decode(&rules, 1, &n), SLV_E_LIMIT, NULL);
	close_log();
}

/* What is decoded for nothing has as much; then nothing more is. */
static void
nor_what_is_wasted(void)
{
	const uint64_t most = 3 * LARGE;
	size_t n;

	open_log(SLOTS, LITTLE, most);
	for (uint64_t i = 0; i < SLOTS; i += 2) {
		CHECK_STATUS(decode(&misleading, i, &n), SLV_OK, NULL);
		CHECK_U64(n, LITTLE);
	}
	CHECK(wasted() > most);
	close_log();
}

static pthread_t reader;

static bool
only_the_reader(size_t size)
{
	(void)size;
	return pthread_equal(pthread_self(), reader) != 0;
}

/* Where there is memory for one chunk at a time, all of them are decoded. */
static void
does_without_those_ahead(void)
{
	size_t n;

	reader = pthread_self();
	open_log(SLOTS, LARGE, SLOTS * LARGE);
	CHECK_STATUS(decode(&rules, 0, &n), SLV_OK, NULL);
	slv_mem_hook = only_the_reader;
	for (uint64_t i = 1; i < SLOTS; i++) {
		CHECK_STATUS(decode(&rules, i, &n), SLV_OK, NULL);
		CHECK_U64(n, LARGE);
	}
	slv_mem_hook = NULL;
	close_log();
}

CU_TestInfo streams_tests[] = {
	{ "no chunk is over the budget", no_chunk_is_over },
	{ "nor are those ahead", nor_are_those_ahead },
	{ "nor what is wasted", nor_what_is_wasted },
	{ "does without those ahead", does_without_those_ahead },
	CU_TEST_INFO_NULL,
};
