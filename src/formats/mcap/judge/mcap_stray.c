/* mcap_stray.c - chunks, attachments, metadata and messages that are not of this file.
 *
 * A payload may contain a whole MCAP file.  If damage hits the record around it, the inner
 * chunks and messages look like those of this file.  But an intact summary names every
 * chunk of this file, with the times of its messages:
 * - A whole chunk is of an inner file if the summary names another one at its place, and
 *   none like it elsewhere.
 * - A message outside of whole chunks is of an inner file if its time is in none of the
 *   named chunks that are damaged or missing.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/summary/mcap_summary.h"

static bool
is_whole(const struct mcap_chunk *c)
{
	return c->headed && !c->damaged && c->stored;
}

static enum slv_status
leave_chunk(
    const struct mcap_chunk *c, struct slv_mends *out, struct slv_err *err)
{
	const struct slv_aside aside = {
		.off = c->off,
		.end = c->end,
		.fate = SLV_FOREIGN,
		.problem = { .info = &mcap_problems[MCAP_P_STRAY] },
	};

	return slv_mends_add_aside(out, &aside, err);
}

/* What is known of a summary. */
struct knowledge {
	bool proven; /* its checksum confirms it */

	/* It names all chunks that it counts.  If it may be damaged, all of them are
	 * also in the file: otherwise a chunk that it does not name may be one of
	 * them. */
	bool all;

	/* It is where its footer says: no bytes before it are missing or surplus. */
	bool placed;
};

static enum slv_status
get_knowledge(
    const struct slv_scan *s, struct knowledge *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;
	struct mcap_record r;

	*out = (struct knowledge){ x->proven, mcap_names_chunks(m, !x->proven),
		false };
	if (!x->ended || x->start == 0 || x->offsets == 0
	    || !slv_range_in(x->offsets, 1, x->footer - s->base))
		return SLV_OK;
	SLV_TRY(
	    mcap_look_strict(s, x->offsets + s->base, &r, &out->placed, err));
	out->placed = out->placed && r.op == MCAP_SUMMARY_OFFSET
	    && r.v[MCAP_OFFSET] == x->start;
	return SLV_OK;
}

/* Whether the summary shows what must be at this place: it is inside a part that the
 * summary names, between such parts if all are named, or in the summary itself. */
static bool
is_known(const struct slv_scan *s, uint64_t off, const struct knowledge *knows)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;
	bool named = knows->proven || knows->all;

	if (named && mcap_is_in_placed(m, off))
		return true;
	if (knows->all && m->n_placed > 0 && off >= m->placed[0].off
	    && off < m->placed[m->n_placed - 1].off)
		return true;
	return knows->placed && off < x->footer && off - s->base >= x->start;
}

/* Whether the summary names a chunk here, and this may be it.  Its head may be damaged,
 * but not all of its messages have other times. */
static bool
may_be_placed(const struct slv_scan *s, const struct mcap_chunk *c,
    const struct knowledge *knows)
{
	const struct mcap_placed *p = mcap_placed_at(mcap_of(s), c->off);

	return p != NULL
	    && (!knows->proven || p->op != MCAP_CHUNK_INDEX || c->messages == 0
	        || (c->from <= p->to && c->to >= p->from));
}

/* Leave out whole chunks that the summary does not name, where it names something else.  At
 * most MCAP_STRAYS are examined. */
static enum slv_status
leave_chunks(struct slv_scan *s, const struct knowledge *knows,
    struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	unsigned tries = 0;

	for (size_t i = 0; i < m->n_chunks && tries < MCAP_STRAYS; i++) {
		const struct mcap_chunk *c = &m->chunks[i];
		bool known = false;

		if (!is_whole(c) || may_be_placed(s, c, knows)
		    || !is_known(s, c->off, knows))
			continue;
		tries++;
		for (size_t k = 0; !known && k < m->n_placed; k++)
			known = mcap_is_like(&m->placed[k], c);
		if (!known)
			SLV_TRY(leave_chunk(c, out, err));
	}
	return SLV_OK;
}

/* Whether the summary names an attachment or metadata of this kind and length. */
static bool
is_named(const struct mcap *m, const struct mcap_extra *e)
{
	unsigned op = e->op == MCAP_ATTACHMENT ? MCAP_ATTACHMENT_INDEX
	                                       : MCAP_METADATA_INDEX;
	bool yes = false;

	for (size_t i = 0; i < m->n_placed && !yes; i++)
		yes = m->placed[i].op == op && m->placed[i].len == e->len;
	return yes;
}

/* Leave out attachments and metadata that the summary does not name, at places where it
 * names something else, if it names as many as it counts. */
static enum slv_status
leave_extras(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t named = 0;

	for (size_t i = 0; i < m->n_placed; i++)
		named += m->placed[i].op != MCAP_CHUNK_INDEX;
	if (m->summary.counted == 0 || named != m->summary.extras)
		return SLV_OK;
	for (size_t i = 0, tries = 0; i < m->n_extras && tries < MCAP_STRAYS;
	     i++) {
		const struct mcap_extra *e = &m->extras[i];
		const struct slv_aside aside = {
			.off = e->off,
			.end = e->off + e->len,
			.fate = SLV_FOREIGN,
			.problem = { .info =
			                 &mcap_problems[MCAP_P_STRAY_EXTRA] },
		};

		if (mcap_is_placed(m, e->off) || !mcap_is_in_placed(m, e->off))
			continue;
		tries++;
		if (!is_named(m, e))
			SLV_TRY(slv_mends_add_aside(out, &aside, err));
	}
	return SLV_OK;
}

/* The times of the messages in a chunk that is missing or not whole. */
struct span {
	uint64_t from, to;
};

struct spans {
	struct span *at; /* owned; in order, without overlap */
	size_t n;
};

static int
compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static enum slv_status
list_spans(const struct mcap *m, struct spans *out, struct slv_err *err)
{
	size_t n = 0;

	SLV_TRY(slv_new(&out->at, m->n_placed, sizeof(*out->at), err));
	for (size_t i = 0; i < m->n_placed; i++) {
		const struct mcap_placed *p = &m->placed[i];
		const struct mcap_chunk *c = mcap_chunk_at(m, p->off);

		if (p->op == MCAP_CHUNK_INDEX
		    && (c == NULL || !is_whole(c) || !mcap_is_like(p, c)))
			out->at[out->n++] = (struct span){ p->from, p->to };
	}
	slv_sort(out->at, out->n, sizeof(*out->at), compare);
	for (size_t i = 1; i < out->n; i++) {
		if (out->at[i].from <= out->at[n].to)
			out->at[n].to = slv_max64(out->at[n].to, out->at[i].to);
		else
			out->at[++n] = out->at[i];
	}
	out->n = out->n > 0 ? n + 1 : 0;
	return SLV_OK;
}

/* Whether any span has a time from `from` to `to`. */
static bool
is_any_in(const struct spans *spans, uint64_t from, uint64_t to)
{
	size_t low = 0, high = spans->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (spans->at[mid].to < from)
			low = mid + 1;
		else
			high = mid;
	}
	return low < spans->n && spans->at[low].from <= to;
}

/* Leave out a chunk without a head, if none of its messages can be in a span. */
static enum slv_status
leave_headless(const struct mcap_chunk *c, const struct spans *spans,
    struct slv_mends *out, struct slv_err *err)
{
	const struct slv_aside aside = {
		.off = c->off,
		.end = c->end,
		.fate = SLV_LOST,
		.problem = { .info = &mcap_problems[MCAP_P_STRAY_MESSAGE] },
	};

	return is_any_in(spans, c->from, c->to)
	    ? SLV_OK
	    : slv_mends_add_aside(out, &aside, err);
}

static enum slv_status
leave_messages(const struct mcap *m, const struct mcap_chunk *c,
    const struct spans *spans, struct slv_mends *out, struct slv_err *err)
{
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct mcap_entry *e = &m->kept.at[c->first_entry + i];
		const struct slv_aside aside = {
			.off = e->at,
			.end = e->at + e->len,
			.fate = SLV_LOST,
			.problem = { .info =
			                 &mcap_problems[MCAP_P_STRAY_MESSAGE] },
		};

		if (e->op == MCAP_MESSAGE
		    && !is_any_in(spans, e->time, e->time))
			SLV_TRY(slv_mends_add_aside(out, &aside, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_leave_strays(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct spans spans = { 0 };
	struct knowledge knows;
	enum slv_status st = SLV_OK;

	if (m->summary.stays || m->summary.footer == 0)
		return SLV_OK;
	SLV_TRY(get_knowledge(s, &knows, err));
	SLV_TRY(leave_chunks(s, &knows, out, err));
	if (!m->summary.proven)
		return SLV_OK;
	SLV_TRY(leave_extras(s, out, err));
	/* The summary states no times of messages outside of chunks. */
	if (m->messages != m->in_chunks)
		return SLV_OK;
	SLV_TRY(list_spans(m, &spans, err));
	for (size_t i = 0; st == SLV_OK && i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		if (c->stored && !c->headed && c->messages > 0
		    && (!c->bare || c->has_index))
			st = leave_headless(c, &spans, out, err);
		else if (c->codec == SLV_CODEC_NONE && !is_whole(c))
			st = leave_messages(m, c, &spans, out, err);
	}
	slv_free(spans.at);
	return st;
}
