/* reading_ways.c - make readings from one that leaves something out. */
#include "job/readings/reading_ways.h"

#include <string.h>

#include "base/bytes.h"

#define SEAM_TRIES 3 /* tries with other seams */

bool
slv_way_mixes(const struct slv_scan *s, const struct slv_begun *found)
{
	const struct slv_catalog *c = &s->catalog;

	for (size_t i = 1; i < found->n; i++) {
		const struct slv_extent *x =
		    &c->at[slv_catalog_find(c, found->at[i])];

		if (x->off < found->at[i]
		    && (x->fate == SLV_KEPT || x->fate == SLV_REBUILT))
			return true;
	}
	return false;
}

enum slv_status
slv_way_seek(struct slv_way_input *in, struct slv_err *err)
{
	if (in->sought)
		return SLV_OK;
	in->sought = true;
	return slv_begun_find(&in->audit->scan, &in->begun, err);
}

/* End of the last kept unit. */
static uint64_t
kept_upto(const struct slv_catalog *c)
{
	size_t i = c->n;

	while (i > 0 && c->at[i - 1].fate != SLV_KEPT)
		i--;
	return i > 0 ? c->at[i - 1].off + c->at[i - 1].len : 0;
}

enum slv_status
slv_way_front(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	const struct slv_scan *s = &in->audit->scan;
	uint64_t begun;

	*any = false;
	if (i > 0 || !s->format->based)
		return SLV_OK;
	SLV_TRY(slv_way_seek(in, err));
	begun = in->begun.at[0];
	if (begun == s->base)
		return SLV_OK;
	*any = true;
	in->front = begun;
	in->kept_upto = kept_upto(&s->catalog);
	SLV_TRY(slv_view_why(
	    view, &slv_core_problems[SLV_P_JUNK_BEFORE], 0, begun, err));
	return slv_view_without(view, in->audit->read, err);
}

bool
slv_way_front_holds(struct slv_way_input *in)
{
	const struct slv_catalog *c = &in->audit->scan.catalog;

	return in->front + kept_upto(c) >= in->kept_upto;
}

enum slv_status
slv_way_last_beginning(struct slv_way_input *in, unsigned i,
    struct slv_view *view, bool *any, struct slv_err *err)
{
	struct slv_audit *a = in->audit;
	struct slv_scan *s = &a->scan;
	const struct slv_begun *found = &in->begun;
	uint64_t begun;

	*any = false;
	if (i > 0 || !s->format->based)
		return SLV_OK;
	SLV_TRY(slv_way_seek(in, err));
	if (found->last == 0)
		return SLV_OK;
	in->mixed = slv_way_mixes(s, found);
	*any = true;
	begun = found->at[0];
	if (begun > 0)
		SLV_TRY(slv_view_why(view,
		    &slv_core_problems[SLV_P_JUNK_BEFORE], 0, begun, err));
	SLV_TRY(slv_view_why(view, &slv_core_problems[SLV_P_BEGUN], begun,
	    found->at[found->last] - begun, err));
	return slv_view_without(view, a->read, err);
}

/* How many of n seams are at the same damage as the first one. */
static size_t
count_place(const struct slv_seam *at, size_t n)
{
	size_t i = 1;

	while (i < n && at[i].about.off == at->about.off)
		i++;
	return i;
}

/* Whether the log goes on without this seam alone.  Without another one of the same
 * damage that is as long it would have the same structure, and other bytes. */
static bool
is_held(const struct slv_way_input *in, size_t i)
{
	const struct slv_seam *at = in->seams.at;

	for (size_t k = 0; in->tries[i] == SLV_SEAM_FITS && k < in->seams.n;
	     k++) {
		if (k != i && at[k].len == at[i].len
		    && at[k].about.off == at[i].about.off
		    && in->tries[k] != SLV_SEAM_WRONG)
			return false;
	}
	return in->tries[i] >= SLV_SEAM_FITS;
}

/* Of n seams at one damage the one that holds, or, if none does, the one with
 * `rank` longer ones; n: none. */
static size_t
pick(const struct slv_way_input *in, size_t first, size_t n, unsigned rank)
{
	const struct slv_seam *at = &in->seams.at[first];

	for (size_t i = 0; i < n; i++) {
		if (is_held(in, first + i))
			return i;
	}
	for (size_t i = 0; i < n; i++) {
		unsigned longer = 0;

		for (size_t k = 0; k < n; k++)
			longer += at[k].len > at[i].len
			    || (at[k].len == at[i].len && k < i);
		if (longer == rank)
			return i;
	}
	return n;
}

/* Choose what is tried next: one seam per damage, the longest first, and
 * finally those that held. */
static bool
pick_all(struct slv_way_input *in, unsigned i)
{
	const struct slv_seams *all = &in->seams;
	uint64_t end = 0;
	size_t n;

	in->picked.n = 0;
	for (size_t first = 0; first < all->n; first += n) {
		size_t k;

		n = count_place(&all->at[first], all->n - first);
		k = pick(in, first, n, i < SEAM_TRIES - 1 ? i : SLV_SEAMS);
		if (k == n || all->at[first + k].off < end)
			continue;
		in->picked.at[in->picked.n++] = all->at[first + k];
		end = all->at[first + k].off + all->at[first + k].len;
	}
	return in->picked.n > 0;
}

/* The bytes that are kept where both copies of a range seem good, and differ. */
static enum slv_status
add_doubts(
    const struct slv_seam *seam, struct slv_view *view, struct slv_err *err)
{
	for (size_t i = 0; i < seam->n_holes; i++) {
		const struct slv_seam_hole *hole = &seam->holes[i];
		uint64_t off =
		    hole->off < seam->off ? hole->off : hole->off + seam->len;

		if (hole->doubted)
			SLV_TRY(slv_view_why(view,
			    &slv_core_problems[SLV_P_COPIES_DIFFER], off,
			    hole->len, err));
	}
	return SLV_OK;
}

static enum slv_status
propose_seams(struct slv_way_input *in, unsigned i, enum slv_seam_use use,
    struct slv_view *view, bool *any, struct slv_err *err)
{
	const struct slv_seams *now = &in->picked;

	if (i == 0) {
		in->seams.n = 0;
		memset(in->tries, 0, sizeof(in->tries));
		SLV_TRY(slv_seams_find(&in->audit->scan, use, &in->seams, err));
	}
	*any = i < SEAM_TRIES && pick_all(in, i);
	memset(in->timed, 0, sizeof(in->timed));
	for (size_t k = 0; *any && k < now->n; k++)
		SLV_TRY(slv_view_why(view, &slv_core_problems[SLV_P_OVERLAP],
		    now->at[k].off, now->at[k].len, err));
	if (*any)
		SLV_TRY(slv_view_without(view, in->audit->read, err));
	for (size_t k = 0; *any && k < now->n; k++)
		SLV_TRY(add_doubts(&now->at[k], view, err));
	return SLV_OK;
}

enum slv_status
slv_way_seams(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	return propose_seams(in, i, SLV_SEAM_EXACT, view, any, err);
}

enum slv_status
slv_way_torn_seams(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	return propose_seams(in, i, SLV_SEAM_TORN, view, any, err);
}

enum slv_status
slv_way_hidden_seam(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	*any = false;
	return i > 0 || in->audit->scan.surplus
	    ? propose_seams(in, i, SLV_SEAM_HIDDEN, view, any, err)
	    : SLV_OK;
}

/* The offset of a byte of the reading after the seams are left out. */
static uint64_t
without(const struct slv_seams *all, uint64_t off)
{
	uint64_t out = 0;

	for (size_t i = 0; i < all->n && all->at[i].off < off; i++)
		out += slv_min64(all->at[i].len, off - all->at[i].off);
	return off - out;
}

/* Return true if both copies of a range have a unit, and its bytes are the same. */
static bool
is_repeated(const struct slv_seams *all, size_t k, const struct slv_block *b)
{
	const struct slv_seam *seam = &all->at[k];
	uint64_t first = without(all, seam->first), end = b->off + b->len;

	if (b->off < first || end - first > seam->len)
		return false;
	for (size_t i = 0; i < seam->n_holes; i++) {
		uint64_t at = first + seam->holes[i].off - seam->first;

		if (b->off < at + seam->holes[i].len && at < end)
			return false;
	}
	return true;
}

bool
slv_way_seams_hear(void *ctx, const struct slv_block *b)
{
	struct slv_way_input *in = ctx;
	const struct slv_seams *now = &in->picked;

	if (!b->has_time || b->packed)
		return true;
	for (size_t k = 0; k < now->n; k++)
		in->timed[k] |= is_repeated(now, k, b);
	return true;
}

/* Return true if a log in which everything matches shows that a range is a duplicate.
 * Where both copies are kept and differ, records may resemble each other: then an
 * index must be among what matches, because it states how long everything is. */
static bool
is_stated(const struct slv_scan *s, const struct slv_seam *seam)
{
	for (size_t i = 0; i < seam->n_holes; i++) {
		if (seam->holes[i].kept)
			return s->end == SLV_END_KNOWN;
	}
	return true;
}

/* Return true if the scan leaves nothing out in a range. */
static bool
is_whole(const struct slv_catalog *c, uint64_t off, uint64_t end)
{
	for (size_t i = slv_catalog_find(c, off);
	     i < c->n && c->at[i].off < end; i++) {
		if (c->at[i].fate == SLV_LOST || c->at[i].fate == SLV_FOREIGN)
			return false;
	}
	return true;
}

bool
slv_way_seams_hold(struct slv_way_input *in)
{
	const struct slv_scan *s = &in->audit->scan;
	const struct slv_catalog *c = &s->catalog;
	const struct slv_seams *now = &in->picked;
	bool shows = s->end != SLV_END_UNKNOWN || s->format->counted;
	bool all = true,
	     checked = s->checksummed || s->seal.as_is >= SLV_SEAL_FIELD,
	     proven = (slv_scan_is_sound(s) && shows) || checked;

	for (size_t i = 0, k = 0; i < in->seams.n && k < now->n; i++) {
		const struct slv_seam *seam = &now->at[k];
		uint64_t from = slv_min64(seam->about.off, seam->off - 1);
		uint64_t upto =
		    slv_max64(seam->about.end, seam->off + seam->len + 1);

		if (in->seams.at[i].off != seam->off
		    || in->seams.at[i].len != seam->len)
			continue;
		in->tries[i] = SLV_SEAM_WRONG;
		if (c->n > 0 && ((proven && is_stated(s, seam)) || in->timed[k])
		    && is_whole(c, without(now, from), without(now, upto)))
			in->tries[i] =
			    checked ? SLV_SEAM_PROVEN : SLV_SEAM_FITS;
		all &= is_held(in, i);
		k++;
	}
	return all;
}
