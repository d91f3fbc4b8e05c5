/* bddf_odd.c - DataDescriptors that the writer of the log does not write.
 *
 * A DataDescriptor with zeros over a few bytes still parses.  But it has a padded
 * number, a zero that is written out, or more additional indexes than the series
 * names.  After a flipped bit in the key of a field, it has a field that version 1.0
 * does not have.  The time, the series or the indexes of such a block were never
 * recorded.  Some writers always write this: so only rare cases are damage, and only
 * if no index has the same.
 */
#include "formats/bddf/judge/bddf_odd.h"

#include "base/list.h"
#include "formats/bddf/recover/bddf_known.h"

#define ODD_MAX 4096 /* blocks; more of them are no damage */
#define RARE    8    /* one in so many is rare */

enum slv_status
bddf_odd_note(struct slv_scan *s, uint64_t off, uint64_t len,
    const struct bddf_data *d, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	if (s->reference != NULL || b->n_odd > ODD_MAX
	    || !(d->odd || d->strange
	        || d->n_extra != b->series[d->series].n_names))
		return SLV_OK;
	return SLV_ADD(b, odd, err,
	    (struct bddf_odd){
	        .off = off,
	        .end = off + len,
	        .series = d->series,
	        .n_extra = d->n_extra,
	        .spelled = d->odd,
	        .strange = d->strange,
	    });
}

bool
bddf_is_newer(const struct bddf *b)
{
	return b->file.version[1] > 0 || b->file.version[2] > 0;
}

/* Asked only after the whole log was read: a declaration may follow its data, and the
 * first block may be late.  Without a declaration the number of names is unknown. */
static bool
is_odd(const struct bddf *b, const struct bddf_odd *one)
{
	const struct bddf_series *series = &b->series[one->series];

	return one->spelled || (one->strange && !bddf_is_newer(b))
	    || (series->declared && series->n_names != one->n_extra);
}

bool
bddf_odd_at(const struct bddf *b, uint64_t off)
{
	const struct bddf_odd *one =
	    SLV_FIND(const struct bddf_odd, off, b->odd, b->n_odd, off);

	return one != NULL && is_odd(b, one);
}

/* Whether `odd` of n blocks are so few that the writer does not write them so. */
static bool
is_rare(uint64_t odd, uint64_t n)
{
	return n > 1 && (odd == 1 || odd <= n / RARE);
}

/* Whether odd blocks are rare in the log. */
static bool
are_rare(const struct bddf *b)
{
	uint64_t odd = 0, n = 0;

	for (size_t i = 0; i < b->n_odd; i++)
		odd += is_odd(b, &b->odd[i]);
	for (size_t i = 0; i < b->n_series; i++)
		n += b->series[i].n;
	return b->n_odd <= ODD_MAX && is_rare(odd, n);
}

/* Whether odd blocks are rare in the series; otherwise its declaration may be wrong. */
static bool
is_rare_in_series(const struct bddf *b, uint32_t series)
{
	uint64_t odd = 0;

	for (size_t i = 0; i < b->n_odd; i++)
		odd += b->odd[i].series == series && is_odd(b, &b->odd[i]);
	return is_rare(odd, b->series[series].n);
}

/* Whether the index of the series has the same block. */
static bool
is_indexed(const struct bddf *b, const struct bddf_knowledge *k,
    const struct bddf_odd *one)
{
	const struct bddf_known *known = bddf_known_at(k, one->off);

	if (bddf_known_orphan(k, one->off) || (known != NULL && !known->found))
		return false;
	for (size_t i = 0; i < b->n_found; i++) {
		if (b->found[i].series == one->series)
			return true;
	}
	return false;
}

/* Whether the block is already excluded or corrected. */
static bool
is_judged(const struct slv_mends *m, const struct bddf_odd *one)
{
	for (size_t i = 0; i < m->n_aside; i++) {
		if (m->aside[i].off < one->end && one->off < m->aside[i].end)
			return true;
	}
	for (size_t i = 0; i < m->n; i++) {
		if (m->at[i].off < one->end
		    && one->off < m->at[i].off + m->at[i].len)
			return true;
	}
	return false;
}

enum slv_status
bddf_odd_judge(struct slv_scan *s, const struct bddf_knowledge *k,
    struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	if (s->opt.keep & SLV_KEEP_SUSPECT || !are_rare(b))
		return SLV_OK;
	for (size_t i = 0; i < b->n_odd; i++) {
		const struct bddf_odd *one = &b->odd[i];
		struct slv_aside a = {
			.off = one->off,
			.end = one->end,
			.fate = SLV_LOST,
			.problem.info = &bddf_problems[BDDF_P_ODD],
		};

		if (is_odd(b, one) && is_rare_in_series(b, one->series)
		    && !is_indexed(b, k, one) && !is_judged(out, one))
			SLV_TRY(slv_mends_add_aside(out, &a, err));
	}
	return SLV_OK;
}

void
bddf_doubt_strange(struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);
	uint64_t declared = 0, strange = 0, blocks = 0;

	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i];

		declared += series->declared;
		strange += series->strange;
		blocks += series->strange ? series->n : 0;
	}
	if (strange < declared && !bddf_is_newer(b))
		s->units_unsure =
		    slv_min64(s->units_unsure + blocks, s->units_kept);
}
