/* mcap_twice.c - chunks, attachments and metadata that are in the file twice.
 *
 * A range that a disk or a download has repeated reads as well as any. A chunk that
 * equals another one byte for byte is such a range, unless the summary names both.  An
 * attachment or metadata may have been written twice, unless the summary counts fewer.
 * The one stays that is where the summary says, or the first.
 */
#include <stdlib.h>

#include "base/list.h"
#include "core/compare.h"
#include "formats/mcap/judge/mcap_judge.h"

#define EXTRAS 4096 /* attachments and metadata that are compared, at most */
#define TRIES  8    /* ... each with so many of its length before it */

/* What equal chunks have in common. */
static int
compare(const void *a, const void *b)
{
	const struct mcap_chunk *x = *(const struct mcap_chunk *const *)a;
	const struct mcap_chunk *y = *(const struct mcap_chunk *const *)b;
	const uint64_t keys[][2] = { { x->data_end - x->off,
		                         y->data_end - y->off },
		{ x->claim.crc, y->claim.crc }, { x->from, y->from },
		{ x->to, y->to }, { x->sum, y->sum } };

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (keys[i][0] != keys[i][1])
			return keys[i][0] < keys[i][1] ? -1 : 1;
	}
	return 0;
}

/* By that, then by place. */
static int
compare_places(const void *a, const void *b)
{
	const struct mcap_chunk *x = *(const struct mcap_chunk *const *)a;
	const struct mcap_chunk *y = *(const struct mcap_chunk *const *)b;
	int order = compare(a, b);

	return order != 0 ? order : (x->off > y->off) - (x->off < y->off);
}

/* Where the summary says that chunks, attachments and metadata are. */
struct places {
	uint64_t *at; /* owned; sorted */
	size_t n, cap;
};

static int
compare_offsets(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static enum slv_status
read_places(struct slv_scan *s, struct places *out, struct slv_err *err)
{
	const struct mcap_summary *x = &mcap_of(s)->summary;
	const unsigned indexes = MCAP_BIT(MCAP_CHUNK_INDEX)
	    | MCAP_BIT(MCAP_ATTACHMENT_INDEX) | MCAP_BIT(MCAP_METADATA_INDEX);
	uint64_t at = x->from;

	while (at != 0 && at < x->end) {
		struct mcap_record r;
		bool yes;

		SLV_TRY(mcap_look_strict(s, at, &r, &yes, err));
		if (!yes)
			break;
		if (indexes >> r.op & 1)
			SLV_TRY(
			    SLV_ADD_AT(out, err, r.v[MCAP_OFFSET] + s->base));
		at += mcap_span(&r);
	}
	slv_sort(out->at, out->n, sizeof(*out->at), compare_offsets);
	return SLV_OK;
}

static bool
is_named(const struct places *p, uint64_t off)
{
	return slv_find_sorted(&off, p->at, p->n, sizeof(off), compare_offsets)
	    != NULL;
}

/* Two parts of the file that may be equal. */
struct pair {
	struct slv_range first, again;
	uint64_t n; /* bytes that must be */
	unsigned problem;
};

/* Leave out one of a pair, if they are equal. */
static enum slv_status
leave(struct slv_scan *s, const struct pair *p, const struct places *named,
    struct slv_mends *out, bool *done, struct slv_err *err)
{
	bool swap =
	    is_named(named, p->again.off) && !is_named(named, p->first.off);
	const struct slv_range *copy = swap ? &p->first : &p->again;
	uint64_t stays = swap ? p->again.off : p->first.off, same;
	const struct slv_aside aside = {
		.off = copy->off,
		.end = copy->end,
		.fate = SLV_FILLER,
		.problem = { .info = &mcap_problems[p->problem], .got = stays },
		.twin = stays,
	};

	SLV_TRY(slv_compare(s, stays, copy->off, p->n, &same, err));
	*done = same == p->n;
	return *done ? slv_mends_add_aside(out, &aside, err) : SLV_OK;
}

static enum slv_status
leave_chunk(struct slv_scan *s, const struct mcap_chunk *first,
    const struct mcap_chunk *again, const struct places *named,
    struct slv_mends *out, struct slv_err *err)
{
	const struct pair pair = { { first->off, first->end },
		{ again->off, again->end }, first->data_end - first->off,
		MCAP_P_TWICE };
	bool done;

	return leave(s, &pair, named, out, &done, err);
}

/* Leave out one of these attachments and metadata, if an earlier one equals it.
 *
 *   many  the summary counts fewer; otherwise only one of two that it does not name
 *         is left out */
static enum slv_status
leave_extra(struct slv_scan *s, size_t i, const struct places *named, bool many,
    struct slv_mends *out, bool *done, struct slv_err *err)
{
	const struct mcap_extra *at = mcap_of(s)->extras;
	size_t tries = 0;

	*done = false;
	for (size_t k = i; !*done && k-- > 0 && tries < TRIES;) {
		const struct pair pair = {
			{ at[k].off, at[k].off + at[k].len },
			{ at[i].off, at[i].off + at[i].len },
			at[i].len,
			MCAP_P_REPEATED,
		};
		bool one =
		    is_named(named, at[i].off) != is_named(named, at[k].off);

		if (at[k].op != at[i].op || at[k].len != at[i].len
		    || !(many || one))
			continue;
		tries++;
		SLV_TRY(leave(s, &pair, named, out, done, err));
	}
	return SLV_OK;
}

static enum slv_status
leave_extras(struct slv_scan *s, const struct places *named,
    struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t surplus =
	    m->n_extras - slv_min64(m->n_extras, m->summary.extras);
	bool done;

	if (m->summary.counted == 0 || m->n_extras > EXTRAS)
		return SLV_OK;
	for (size_t i = 1; i < m->n_extras; i++) {
		SLV_TRY(leave_extra(s, i, named, surplus > 0, out, &done, err));
		surplus -= done && surplus > 0;
	}
	return SLV_OK;
}

static enum slv_status
leave_chunks(struct slv_scan *s, const struct places *named,
    struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk **list;
	enum slv_status st = SLV_OK;
	bool fewer = m->summary.counted > 0 && m->summary.counted < m->messages;
	size_t n = 0, first = 0;

	SLV_TRY(slv_new(&list, m->n_chunks, sizeof(*list), err));
	for (size_t i = 0; i < m->n_chunks; i++) {
		/* Without messages at two times chunks may be alike by chance,
		 * unless the summary counts fewer messages. */
		if (m->chunks[i].headed
		    && (m->chunks[i].from < m->chunks[i].to
		        || (m->chunks[i].messages > 0 && fewer)))
			list[n++] = &m->chunks[i];
	}
	slv_sort(list, n, sizeof(*list), compare_places);
	for (size_t i = 1; st == SLV_OK && i < n; i++) {
		if (compare(&list[first], &list[i]) != 0)
			first = i;
		else
			st = leave_chunk(
			    s, list[first], list[i], named, out, err);
	}
	free(list);
	return st;
}

enum slv_status
mcap_leave_twice(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	struct places named = { .n = 0 };
	enum slv_status st;

	if (mcap_of(s)->summary.stays)
		return SLV_OK;
	st = read_places(s, &named, err);
	if (st == SLV_OK)
		st = leave_extras(s, &named, out, err);
	if (st == SLV_OK)
		st = leave_chunks(s, &named, out, err);
	free(named.at);
	return st;
}
