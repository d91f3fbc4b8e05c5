/* both_ways.c - units in a row without a surprise, against one by one. */
#include "support/both_ways.h"

#include <string.h>

#include "formats/formats.h"
#include "support/check.h"

static bool
listen(void *ctx, const struct slv_block *block)
{
	*(uint64_t *)ctx += block->len;
	return true;
}

/* Scan; only the slow way tells of blocks. */
static bool
scan(struct slv_scan *s, struct slv_source *source,
    const struct slv_mends *mends, bool slowly)
{
	uint64_t told = 0;
	struct slv_scan_options how = {
		.limits = slv_limits_fill((struct slv_limits){ 0 }),
		.mends = mends,
		.on_block = slowly ? listen : NULL,
		.on_block_ctx = &told,
	};
	struct slv_err err = { 0 };

	return CHECK_OK(slv_scan_run(s, source, slv_formats, &how, &err), &err)
	    && CHECK(slowly || told == 0);
}

bool
both_same_moment(struct slv_moment a, struct slv_moment b)
{
	return a.known == b.known
	    && (!a.known || slv_moment_compare(a, b) == 0);
}

static void
check_gaps(const struct slv_gaps *a, const struct slv_gaps *b)
{
	CHECK(both_same_moment(a->last, b->last));
	CHECK(both_same_moment(a->latest, b->latest));
	CHECK_U64(a->late, b->late);
	CHECK_U64(a->n_notes, b->n_notes);
	if (!CHECK_U64(a->n_channels, b->n_channels))
		return;
	for (size_t i = 0; i < a->n_channels; i++) {
		const struct slv_gap_channel *x = &a->channels[i];
		const struct slv_gap_channel *y = &b->channels[i];

		CHECK_U64(x->channel, y->channel);
		CHECK_U64(x->n, y->n);
		CHECK_U64(x->least, y->least);
		CHECK(both_same_moment(x->last, y->last));
		CHECK_U64(x->met, y->met);
		CHECK(x->steps == y->steps);
		CHECK_U64(x->n_steps, y->n_steps);
		CHECK_U64(x->waiting, y->waiting);
	}
}

static void
check_scans(const struct slv_scan *a, const struct slv_scan *b)
{
	CHECK_U64(a->units_kept, b->units_kept);
	CHECK_U64(a->units_lost, b->units_lost);
	if (CHECK_U64(a->catalog.n, b->catalog.n))
		CHECK(memcmp(a->catalog.at, b->catalog.at,
		          a->catalog.n * sizeof(*a->catalog.at))
		    == 0);
	if (CHECK_U64(a->problems.n, b->problems.n))
		CHECK(a->problems.n == 0
		    || memcmp(a->problems.at, b->problems.at,
		           a->problems.n * sizeof(*a->problems.at))
		        == 0);
	CHECK(a->format == b->format);
	check_gaps(&a->gaps, &b->gaps);
}

void
both_ways(const uint8_t *bytes, size_t n, const struct slv_mends *mends,
    void (*states)(const struct slv_scan *, const struct slv_scan *))
{
	struct slv_source *source = NULL;
	struct slv_scan quick = { 0 }, slow = { 0 };
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_source_memory(bytes, n, &source, &err), &err))
		return;
	if (scan(&quick, source, mends, false)
	    && scan(&slow, source, mends, true))
		check_scans(&quick, &slow);
	if (quick.format != NULL && quick.format == slow.format)
		states(&quick, &slow);
	slv_scan_free(&quick);
	slv_scan_free(&slow);
	slv_source_close(source);
}
