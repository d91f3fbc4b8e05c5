/* fuzz_records.c - the records of any bytes are those of their repair.
 *
 * Also in the order of time; and each channel has as many as it says.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "fuzz/fuzz.h"
#include "job/read/log.h"

/* What was read. */
struct heard {
	uint64_t n;
	uint64_t sum;   /* of the records, in any order */
	uint64_t chain; /* ... in this one */
};

static uint64_t
hash_of(const struct slv_record *r)
{
	uint64_t hash = slv_fnv(SLV_FNV, (const uint8_t *)r->data, r->len);
	uint64_t numbers[] = { r->channel, (uint64_t)r->log_ns,
		(uint64_t)r->publish_ns, r->sequence, r->len };

	return slv_fnv(hash, (const uint8_t *)numbers, sizeof(numbers));
}

/* Return true if the call went well; else it reached a limit, or there is nothing to
 * read. */
static bool
is_fine(const struct slv_log *log)
{
	struct slv_err err = log->err;

	return err.code != SLV_E_REFUSED && fuzz_within(err.code, &err);
}

static struct heard
hear(struct slv_log *log, const char *order)
{
	uint32_t n = slv_log_channels(log);
	uint64_t *counts = calloc(n + 1, sizeof(*counts));
	struct slv_reader *reader;
	const struct slv_record *r;
	struct heard out = { 0 };
	int64_t last = INT64_MIN;

	FUZZ_CHECK(counts != NULL);
	if (slv_reader_open(log, &reader) == SLV_OK) {
		FUZZ_CHECK(slv_reader_set(reader, "order", order) == SLV_OK);
		while ((r = slv_reader_next(reader)) != NULL) {
			uint64_t hash = hash_of(r);

			FUZZ_CHECK(r->channel < n);
			FUZZ_CHECK(*order == 'f' || r->log_ns >= last);
			last = r->log_ns;
			counts[r->channel]++;
			out.n++;
			out.sum += hash;
			out.chain = slv_fnv(
			    out.chain, (const uint8_t *)&hash, sizeof(hash));
		}
		for (uint32_t i = 0; i < n && is_fine(log); i++)
			FUZZ_CHECK(
			    counts[i] == slv_log_channel(log, i)->records);
	}
	slv_reader_close(reader);
	free(counts);
	return out;
}

/* Read what a repair would write. */
static void
hear_output(struct slv_log *log, const struct slv_options *opt,
    const struct heard *want)
{
	size_t n = (size_t)log->out->size;
	uint8_t *bytes = malloc(n);
	struct slv_err err = { 0 };
	struct slv_log *out;
	struct heard got;

	FUZZ_CHECK(bytes != NULL);
	fuzz_ok(slv_source_read(log->out, 0, bytes, n, &err), &err);
	FUZZ_CHECK(
	    slv_log_open_memory(bytes, n, "output", opt, &out) != SLV_E_NOMEM);
	got = hear(out, "file");
	if (is_fine(out))
		FUZZ_CHECK(got.n == want->n && got.chain == want->chain);
	slv_log_close(out);
	free(bytes);
}

void
fuzz_records(const uint8_t *bytes, size_t n)
{
	const struct slv_options opt = { .limits = FUZZ_LIMITS };
	struct heard file, sorted;
	struct slv_log *log;

	FUZZ_CHECK(
	    slv_log_open_memory(bytes, n, NULL, &opt, &log) != SLV_E_NOMEM);
	file = hear(log, "file");
	if (is_fine(log)) {
		sorted = hear(log, "time");
		FUZZ_CHECK(!is_fine(log)
		    || (sorted.n == file.n && sorted.sum == file.sum));
		if (log->out != NULL && is_fine(log))
			hear_output(log, &opt, &file);
	}
	slv_log_close(log);
}
