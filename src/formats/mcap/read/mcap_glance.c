/* mcap_glance.c - what the header and the summary say, without reading the chunks.
 *
 * The statistics count the messages of each channel.  A chunk index says where a
 * chunk and its MessageIndexes are, and how long those are: so many messages does it
 * hold.  A bounded number of chunks is looked at besides, to see that the summary is
 * of this file, and for the times of channels, which it does not state.  A scan
 * finds out about all that is odd.
 */
#include <stdlib.h>

#include "base/list.h"
#include "formats/mcap/read/mcap_head.h"

#define SAMPLES     32 /* chunks, attachments and metadata that are looked at */
#define LOOKS       256 /* MessageIndexes that are searched for times */
#define EMPTY_INDEX 15  /* bytes of a MessageIndex without an entry */

/* What the chunk indexes and the statistics say. */
struct glance {
	struct slv_scan *s;
	struct mcap *m;
	uint64_t messages; /* in all chunks */
	uint64_t before;   /* where the chunk before ends, with its indexes */
	uint64_t
	    stated[MCAP_OPS]; /* how many records of each opcode there are */
	bool counted;         /* the statistics are there */
	unsigned left;        /* MessageIndexes that may still be read */
};

/* The unit at off, which must be as usual, is accepted. */
static enum slv_status
take(struct slv_scan *s, uint64_t off, struct slv_unit *u, bool *yes,
    struct slv_err *err)
{
	SLV_TRY(mcap_unit(s, off, SLV_ASK_NEXT, u, err));
	*yes = u->verdict == SLV_UNIT_GOOD && u->fate == SLV_KEPT
	    && u->problem == MCAP_PROBLEMS;
	return *yes ? mcap_accept(s, off, u, err) : SLV_OK;
}

static enum slv_status
glance_head(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct slv_unit u;

	*yes = s->base == 0;
	if (*yes)
		SLV_TRY(take(s, 0, &u, yes, err));
	if (*yes)
		SLV_TRY(take(s, MCAP_MAGIC_SIZE, &u, yes, err));
	*yes = *yes && mcap_of(s)->header_len > 0;
	return SLV_OK;
}

/* Find the footer; whether it names a summary, and the checksum of that, if
 * there is one, matches. */
static enum slv_status
find_summary(struct slv_scan *s, uint64_t *from, uint64_t *footer, bool *yes,
    struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	struct mcap_record r;
	uint32_t crc = 0;

	*yes = s->source->size > MCAP_MAGIC_SIZE + MCAP_TAIL_SIZE;
	if (!*yes)
		return SLV_OK;
	*footer = s->source->size - MCAP_TAIL_SIZE;
	SLV_TRY(mcap_look_strict(s, *footer, &r, yes, err));
	*from = r.v[MCAP_START];
	*yes = *yes && r.op == MCAP_FOOTER
	    && *from >= MCAP_MAGIC_SIZE + MCAP_DATA_END && *from <= *footer;
	if (!*yes || r.v[MCAP_CRC] == 0)
		return SLV_OK;
	SLV_TRY(
	    mcap_crc(&b, *from, *footer + r.at[MCAP_CRC] - *from, &crc, err));
	*yes = crc == r.v[MCAP_CRC];
	return SLV_OK;
}

/* DataEnd, the records of the summary, and nothing but them up to the end of the
 * file. */
static enum slv_status
glance_tail(struct slv_scan *s, uint64_t from, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t off = from - MCAP_DATA_END;
	struct slv_unit u;

	s->window->stride = SLV_WINDOW_STRIDE;
	for (; *yes && off < s->source->size; off += u.len) {
		SLV_TRY(take(s, off, &u, yes, err));
		*yes = *yes && m->in_summary && !m->summary.odd;
	}
	s->window->stride = SLV_WINDOW_GLANCE;
	*yes = *yes && m->summary.data_end == from - MCAP_DATA_END
	    && m->summary.ended;
	return SLV_OK;
}

/* The channels that a chunk index names. */
static enum slv_status
add_channels(
    struct glance *g, uint64_t list, uint64_t n, bool *yes, struct slv_err *err)
{
	struct mcap *m = g->m;
	const uint8_t *p;

	for (uint64_t i = 0; *yes && i < n; i++, list += MCAP_COUNT) {
		size_t decl;

		SLV_TRY(
		    slv_window_view(g->s->window, list, MCAP_COUNT, &p, err));
		decl = mcap_decl_find(m, MCAP_CHANNEL, slv_get_le16(p));
		*yes = decl != MCAP_NONE;
		if (*yes)
			SLV_TRY(SLV_ADD(m, counts, err,
			    (struct mcap_count){
			        (uint32_t)decl, 0, slv_get_le64(p + 2) }));
	}
	return SLV_OK;
}

/* What a chunk index says, which must fit to what those before it say. */
static enum slv_status
add_chunk(struct glance *g, uint64_t at, const struct mcap_record *r, bool *yes,
    struct slv_err *err)
{
	struct mcap *m = g->m;
	uint64_t off = r->v[MCAP_OFFSET], n = r->v[MCAP_DATA] / MCAP_COUNT;
	uint64_t index = r->v[MCAP_MESSAGES], entries;
	struct mcap_chunk c = { .off = off, .headed = true };
	const uint8_t *p;

	SLV_TRY(slv_window_view(g->s->window, at + r->at[MCAP_ENCODING],
	    (size_t)r->v[MCAP_ENCODING], &p, err));
	*yes = mcap_codec_get(p, (size_t)r->v[MCAP_ENCODING], &c.codec)
	    && off >= g->before && r->v[MCAP_LENGTH] > r->v[MCAP_STORED]
	    && slv_range_in(off, r->v[MCAP_LENGTH], m->summary.data_end)
	    && index <= m->summary.data_end - off - r->v[MCAP_LENGTH]
	    && index >= n * EMPTY_INDEX;
	if (!*yes)
		return SLV_OK;
	entries = index - n * EMPTY_INDEX;
	*yes = entries % MCAP_ENTRY == 0;
	c.data_end = c.index = off + r->v[MCAP_LENGTH];
	c.data = c.data_end - r->v[MCAP_STORED];
	c.end = g->before = c.index + index;
	c.size = r->v[MCAP_SIZE];
	c.claim = (struct mcap_claim){ .start = r->v[MCAP_START],
		.stop = r->v[MCAP_STOP],
		.size = c.size,
		.stored = r->v[MCAP_STORED] };
	c.messages = entries / MCAP_ENTRY;
	c.first_count = m->n_counts;
	c.n_counts = (size_t)n;
	g->messages += c.messages;
	SLV_TRY(SLV_ADD(m, chunks, err, c));
	return add_channels(g, at + r->at[MCAP_DATA], n, yes, err);
}

/* How many messages each channel has. */
static enum slv_status
add_statistics(struct glance *g, uint64_t at, const struct mcap_record *r,
    bool *yes, struct slv_err *err)
{
	uint64_t n = r->v[MCAP_DATA] / MCAP_COUNT, sum = 0;
	uint64_t list = at + r->at[MCAP_DATA];
	const uint8_t *p;

	*yes = !g->counted;
	for (uint64_t i = 0; *yes && i < n; i++, list += MCAP_COUNT) {
		struct mcap_decl *d;
		size_t decl;

		SLV_TRY(
		    slv_window_view(g->s->window, list, MCAP_COUNT, &p, err));
		decl = mcap_decl_find(g->m, MCAP_CHANNEL, slv_get_le16(p));
		*yes = decl != MCAP_NONE && g->m->decls[decl].n == 0;
		if (!*yes)
			return SLV_OK;
		d = &g->m->decls[decl];
		d->n = slv_get_le64(p + 2);
		*yes = !__builtin_add_overflow(sum, d->n, &sum);
	}
	g->counted = true;
	g->m->messages = sum;
	g->stated[MCAP_CHUNK] = r->v[MCAP_CHUNKS];
	g->stated[MCAP_ATTACHMENT] = r->v[MCAP_ATTACHMENTS];
	g->stated[MCAP_METADATA] = r->v[MCAP_METADATAS];
	*yes = *yes && sum == r->v[MCAP_MESSAGES];
	return SLV_OK;
}

/* Where an attachment or metadata is. */
static enum slv_status
add_extra(struct glance *g, const struct mcap_record *r, bool *yes,
    struct slv_err *err)
{
	struct mcap *m = g->m;
	unsigned op =
	    r->op == MCAP_METADATA_INDEX ? MCAP_METADATA : MCAP_ATTACHMENT;

	*yes = slv_range_in(
	    r->v[MCAP_OFFSET], r->v[MCAP_LENGTH], m->summary.data_end);
	return *yes ? SLV_ADD(m, extras, err,
	           (struct mcap_extra){
	               .op = op,
	               .off = r->v[MCAP_OFFSET],
	               .len = r->v[MCAP_LENGTH],
	           })
	            : SLV_OK;
}

/* Add all records of the summary; all channels are already known. */
static enum slv_status
add_all(struct glance *g, bool *yes, struct slv_err *err)
{
	const struct mcap_summary *x = &g->m->summary;
	uint64_t n[MCAP_OPS] = { 0 };
	struct mcap_record r;

	for (uint64_t at = x->from; *yes && at < x->footer;
	     at += mcap_span(&r)) {
		SLV_TRY(mcap_look_again(g->s, at, x->footer, &r, err));
		if (r.op == MCAP_CHUNK_INDEX)
			SLV_TRY(add_chunk(g, at, &r, yes, err));
		else if (r.op == MCAP_STATISTICS)
			SLV_TRY(add_statistics(g, at, &r, yes, err));
		else if (r.op == MCAP_ATTACHMENT_INDEX
		    || r.op == MCAP_METADATA_INDEX)
			SLV_TRY(add_extra(g, &r, yes, err));
		n[r.op < MCAP_OPS ? r.op : 0]++;
	}
	*yes = *yes && g->counted && g->messages == g->m->messages
	    && n[MCAP_CHUNK_INDEX] == g->stated[MCAP_CHUNK]
	    && n[MCAP_ATTACHMENT_INDEX] == g->stated[MCAP_ATTACHMENT]
	    && n[MCAP_METADATA_INDEX] == g->stated[MCAP_METADATA]
	    && (g->messages > 0 || n[MCAP_CHUNK_INDEX] == 0);
	return SLV_OK;
}

/* Whether the chunk is where its ChunkIndex says, with the same values. */
static enum slv_status
check_chunk(struct slv_scan *s, const struct mcap_chunk *c, bool *yes,
    struct slv_err *err)
{
	struct mcap_head h;

	SLV_TRY(mcap_head_get(s, c->off, &h, yes, err));
	*yes = *yes && !h.strange && !h.damaged && !h.open
	    && h.codec == c->codec && h.data == c->data && h.end == c->data_end
	    && h.claim.size == c->size;
	/* Writers state no times, or any times, for a chunk without messages. */
	if (c->messages > 0)
		*yes = *yes && h.claim.start == c->claim.start
		    && h.claim.stop == c->claim.stop;
	return SLV_OK;
}

static enum slv_status
check_extra(struct slv_scan *s, const struct mcap_extra *x, bool *yes,
    struct slv_err *err)
{
	struct mcap_record r;

	SLV_TRY(mcap_look_strict(s, x->off, &r, yes, err));
	*yes = *yes && r.op == x->op && mcap_span(&r) == x->len;
	return SLV_OK;
}

/* The position of one of n samples from a list, the first and the last among
 * them. */
static size_t
sample(size_t k, size_t n, size_t list)
{
	return n > 1 ? k * (list - 1) / (n - 1) : 0;
}

static enum slv_status
check_some(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	size_t chunks = (size_t)slv_min64(m->n_chunks, SAMPLES);
	size_t extras = (size_t)slv_min64(m->n_extras, SAMPLES);

	for (size_t k = 0; *yes && k < chunks; k++)
		SLV_TRY(check_chunk(
		    s, &m->chunks[sample(k, chunks, m->n_chunks)], yes, err));
	for (size_t k = 0; *yes && k < extras; k++)
		SLV_TRY(check_extra(
		    s, &m->extras[sample(k, extras, m->n_extras)], yes, err));
	return SLV_OK;
}

/* Learn from the MessageIndex of a chunk when its channel was used. */
static enum slv_status
read_times(struct glance *g, const struct mcap_chunk *c,
    const struct mcap_count *n, bool *yes, struct slv_err *err)
{
	struct mcap_decl *d = &g->m->decls[n->decl];
	uint64_t at = n->index;
	struct mcap_record r;
	const uint8_t *p;

	*yes = at >= c->index && at < c->end;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(g->s, at, &r, yes, err));
	*yes = *yes && r.op == MCAP_MESSAGE_INDEX && r.v[MCAP_ID] == d->id
	    && mcap_span(&r) <= c->end - at;
	for (uint64_t i = 0; *yes && i < r.v[MCAP_DATA] / MCAP_ENTRY; i++) {
		uint64_t time;

		SLV_TRY(slv_window_view(g->s->window,
		    at + r.at[MCAP_DATA] + i * MCAP_ENTRY, MCAP_ENTRY, &p,
		    err));
		time = slv_get_le64(p);
		*yes = time >= c->claim.start && time <= c->claim.stop;
		slv_moment_span(mcap_moment(time), &d->from, &d->to);
	}
	return SLV_OK;
}

/* Whether the chunk may hold an earlier message of a channel than is known, or a
 * later one. */
static bool
may_widen(const struct mcap_chunk *c, const struct mcap_decl *d, bool later)
{
	struct slv_moment known = later ? d->to : d->from;
	struct slv_moment at =
	    mcap_moment(later ? c->claim.stop : c->claim.start);
	int order = known.known ? slv_moment_compare(at, known) : 0;

	return !known.known || (later ? order > 0 : order < 0);
}

/* What the chunk tells of its channels.
 *
 *   vague  by declaration: too many chunks would have to be asked */
static enum slv_status
learn_times(struct glance *g, const struct mcap_chunk *c, bool later,
    bool *vague, bool *yes, struct slv_err *err)
{
	for (size_t k = 0; *yes && k < c->n_counts; k++) {
		const struct mcap_count *n = &g->m->counts[c->first_count + k];

		if (vague[n->decl]
		    || !may_widen(c, &g->m->decls[n->decl], later))
			continue;
		if (g->left == 0) {
			vague[n->decl] = true;
			continue;
		}
		g->left--;
		SLV_TRY(read_times(g, c, n, yes, err));
	}
	return SLV_OK;
}

/* When each channel was used.  Those with messages are in some chunk. */
static enum slv_status
find_times(struct glance *g, bool *yes, struct slv_err *err)
{
	struct mcap *m = g->m;
	enum slv_status st = SLV_OK;
	bool *vague;

	SLV_TRY(slv_new(&vague, m->n_decls, sizeof(*vague), err));
	for (size_t i = 0; st == SLV_OK && *yes && i < m->n_chunks; i++)
		st = learn_times(g, &m->chunks[i], false, vague, yes, err);
	for (size_t i = m->n_chunks; st == SLV_OK && *yes && i-- > 0;)
		st = learn_times(g, &m->chunks[i], true, vague, yes, err);
	for (size_t i = 0; i < m->n_decls; i++) {
		struct mcap_decl *d = &m->decls[i];

		if (vague[i])
			d->from.known = d->to.known = false;
		else
			*yes = *yes && d->from.known == (d->n > 0);
	}
	slv_free(vague);
	return st;
}

enum slv_status
mcap_glance(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct glance g = { .s = s, .m = mcap_edit(s), .left = LOOKS };
	uint64_t from, footer;

	SLV_TRY(glance_head(s, yes, err));
	if (*yes)
		SLV_TRY(find_summary(s, &from, &footer, yes, err));
	if (*yes)
		SLV_TRY(glance_tail(s, from, yes, err));
	if (*yes)
		SLV_TRY(add_all(&g, yes, err));
	if (*yes)
		SLV_TRY(check_some(s, yes, err));
	if (*yes)
		SLV_TRY(find_times(&g, yes, err));
	s->units_kept = g.m->messages;
	s->supported = *yes;
	s->end = SLV_END_KNOWN;
	return SLV_OK;
}
