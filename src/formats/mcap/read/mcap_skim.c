/* mcap_skim.c - take a chunk by its head and its indexes, without reading what it holds.
 *
 * The head states how long the chunk is and its first and last time; the MessageIndexes
 * after it name the channel, the time and the place of every message.  A chunk is taken
 * so if all of that agrees, its channels are declared already, and another whole chunk
 * follows.  Any other chunk is read: the last one, those that declare a channel that is
 * new, and those next to damage.
 */
#include "base/list.h"
#include "base/mem.h"
#include "formats/mcap/read/mcap_head.h"
#include "formats/mcap/read/mcap_unit.h"

/* A MessageIndex: a channel, how many messages it has in the chunk, and their times. */
struct names {
	struct mcap_record r;
	uint64_t off; /* of the record */
	size_t decl;
	uint64_t n, from, to;
};

/* What head and indexes say. */
struct skim {
	struct mcap_head head;
	struct names *at; /* owned; the indexes */
	size_t n, cap;
	uint64_t end; /* of the last of them */
	uint64_t messages, from, to;
	uint64_t sum; /* a digest of what the indexes say */
	bool unknown; /* one is of a channel that is not declared */
};

/* Return true if a chunk may begin here, and everything before it is in order. */
static bool
may_skim(const struct slv_scan *s, uint64_t off)
{
	const struct mcap *m = mcap_of(s);

	return s->opt.skim && m->n_chunks > 0 && !m->in_summary
	    && m->upto == off && !m->orphaned && !mcap_is_inside(m, off)
	    && slv_problems_total(&s->problems) == 0;
}

/* The head of a chunk; *yes = false: it is none, or one that must be read. */
static enum slv_status
get_head(const struct slv_scan *s, uint64_t off, struct mcap_head *h, bool *yes,
    struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_claim *c = &h->claim;

	SLV_TRY(mcap_head_get(s, off, h, yes, err));
	*yes = *yes && !h->damaged && !h->open && !h->strange
	    && slv_range_in(h->data, c->stored, s->logical_end)
	    && c->start <= c->stop && mcap_continues(m, c->start)
	    && mcap_continues(m, c->stop)
	    && (h->codec != SLV_CODEC_NONE || c->size == c->stored);
	return SLV_OK;
}

/* Each entry names a time, and a place in the chunk. */
static enum slv_status
read_entries(const struct slv_scan *s, struct skim *x, struct names *n,
    bool *yes, struct slv_err *err)
{
	uint64_t at = n->off + n->r.at[MCAP_DATA];
	const uint8_t *p;

	for (uint64_t i = 0; *yes && i < n->n; i++, at += MCAP_ENTRY) {
		struct mcap_entry e = { .id = (uint16_t)n->r.v[MCAP_ID] };

		SLV_TRY(slv_window_view(s->window, at, MCAP_ENTRY, &p, err));
		e.time = slv_get_le64(p);
		e.len = slv_get_le64(p + 8);
		n->from = slv_min64(n->from, e.time);
		n->to = slv_max64(n->to, e.time);
		x->sum += mcap_sum(&e);
		*yes =
		    slv_range_in(e.len, MCAP_MESSAGE_HEAD, x->head.claim.size);
	}
	return SLV_OK;
}

/* The index of a channel that is declared; *yes = false: something else is there. */
static enum slv_status
read_index(const struct slv_scan *s, struct skim *x, struct names *n, bool *yes,
    struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_record *r = &n->r;
	enum mcap_read read;

	*n = (struct names){ .off = x->end, .from = UINT64_MAX };
	SLV_TRY(mcap_look(s, n->off, &n->r, &read, err));
	*yes = read == MCAP_WHOLE && r->op == MCAP_MESSAGE_INDEX;
	if (!*yes)
		return SLV_OK;
	n->n = r->v[MCAP_DATA] / MCAP_ENTRY;
	n->decl = mcap_decl_find(m, MCAP_CHANNEL, (uint16_t)r->v[MCAP_ID]);
	x->unknown |= n->decl == MCAP_NONE;
	*yes = n->n > 0 && n->n * MCAP_ENTRY == r->v[MCAP_DATA]
	    && r->used == mcap_span(r) && n->decl != MCAP_NONE
	    && m->decls[n->decl].recorded
	    && mcap_decl_is_usable(m, &m->decls[n->decl]);
	return *yes ? read_entries(s, x, n, yes, err) : SLV_OK;
}

/* All indexes of the chunk, up to where something else follows. */
static enum slv_status
read_indexes(struct slv_scan *s, struct skim *x, struct slv_err *err)
{
	struct names n;
	bool yes;

	x->end = x->head.data + x->head.claim.stored;
	x->from = UINT64_MAX;
	for (;;) {
		SLV_TRY(read_index(s, x, &n, &yes, err));
		if (!yes)
			return SLV_OK;
		SLV_TRY(SLV_ADD_AT(x, err, n));
		x->end += mcap_span(&n.r);
		x->messages += n.n;
		x->from = slv_min64(x->from, n.from);
		x->to = slv_max64(x->to, n.to);
	}
}

/* The declarations of a chunk that is not compressed. */
static enum slv_status
declare_stored(struct slv_scan *s, struct mcap_chunk *c, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	struct mcap_record r;
	enum mcap_read read;

	for (uint64_t at = c->data; at < c->data_end; at += mcap_span(&r)) {
		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(mcap_record_get(&b, at, &r, &read, err));
		if (read != MCAP_WHOLE)
			return SLV_OK;
		if (r.op != MCAP_SCHEMA && r.op != MCAP_CHANNEL)
			continue;
		SLV_TRY(mcap_accept_declaration(s, &b, at, c->off, false, err));
		c->declares = true;
	}
	return SLV_OK;
}

/* ... and of one that is. */
static enum slv_status
declare_packed(struct slv_scan *s, struct mcap_chunk *c, struct slv_err *err)
{
	const struct mcap_body *body;
	struct mcap_bytes b;
	struct mcap_head h;
	bool yes;

	SLV_TRY(mcap_head_get(s, c->off, &h, &yes, err));
	if (!yes)
		return SLV_OK;
	SLV_TRY(mcap_packed_body(s, &h, &body, err));
	b = (struct mcap_bytes){ NULL, body->decode.out.at,
		body->decode.out.len };
	for (size_t i = 0; i < body->entries.n; i++) {
		const struct mcap_entry *e = &body->entries.at[i];

		if (e->op != MCAP_SCHEMA && e->op != MCAP_CHANNEL)
			continue;
		SLV_TRY(
		    mcap_accept_declaration(s, &b, e->at, c->off, false, err));
		c->declares = true;
	}
	return SLV_OK;
}

/* A writer may declare a channel, and then close the chunk because the message does not
 * fit into it.  Whether the last chunk, which was not read, declares something. */
static enum slv_status
search_last(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_chunk *c = &m->chunks[m->n_chunks - 1];

	*yes = false;
	if (!c->skimmed || c->declares)
		return SLV_OK;
	SLV_TRY(c->codec == SLV_CODEC_NONE ? declare_stored(s, c, err)
	                                   : declare_packed(s, c, err));
	*yes = c->declares;
	return SLV_OK;
}

/* Return true if no channel has two indexes. */
static bool
are_apart(struct mcap *m, const struct skim *x)
{
	bool apart = true;

	for (size_t i = 0; i < x->n; i++)
		apart &= m->decls[x->at[i].decl].n_here++ == 0;
	for (size_t i = 0; i < x->n; i++)
		m->decls[x->at[i].decl].n_here = 0;
	return apart;
}

/* Do head and indexes agree, and does another chunk follow, of which all is there? */
static enum slv_status
agrees(struct slv_scan *s, const struct skim *x, bool *yes, struct slv_err *err)
{
	const struct mcap_claim *c = &x->head.claim;
	struct mcap_head next;

	*yes = x->n > 0 && x->from == c->start && x->to == c->stop
	    && are_apart(mcap_edit(s), x);
	return *yes ? get_head(s, x->end, &next, yes, err) : SLV_OK;
}

/* The messages that an index names. */
static enum slv_status
take_index(struct slv_scan *s, const struct names *n, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_decl *d = &m->decls[n->decl];
	const struct slv_gap_blocks blocks = {
		.channel = d->id,
		.first = mcap_moment(n->from),
		.last = mcap_moment(n->to),
		.n = n->n,
		.least = UINT64_MAX,
	};

	if (d->n == 0)
		d->order = m->n_used++;
	d->n += n->n;
	slv_moment_span(blocks.first, &d->from, &d->to);
	slv_moment_span(blocks.last, &d->from, &d->to);
	SLV_TRY(SLV_ADD(
	    m, counts, err, (struct mcap_count){ (uint32_t)n->decl, n->n, 0 }));
	return slv_gaps_blocks(&s->gaps, &blocks, err);
}

static enum slv_status
take(
    struct slv_scan *s, uint64_t off, const struct skim *x, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_chunk *c;

	SLV_TRY(mcap_accept_chunk(s, off, &x->head, true, err));
	m->open = false;
	m->indexes = true;
	c = &m->chunks[m->n_chunks - 1];
	c->data_end = c->index = c->limit = c->data + c->claim.stored;
	c->end = m->upto = x->end;
	c->size = c->claim.size;
	c->stored = c->stays = c->indexed = c->has_index = c->skimmed = true;
	c->messages = x->messages;
	c->from = x->from;
	c->to = x->to;
	c->sum = x->sum;
	c->first_count = m->n_counts;
	c->n_counts = x->n;
	for (size_t i = 0; i < x->n; i++)
		SLV_TRY(take_index(s, &x->at[i], err));
	c->n_used = m->n_used;
	m->messages += x->messages;
	m->in_chunks += x->messages;
	m->sum += x->sum;
	m->from = slv_min64(m->from, x->from);
	m->from_set =
	    m->from_set == 0 ? x->from : slv_min64(m->from_set, x->from);
	m->to = slv_max64(m->to, x->to);
	slv_gaps_times(&s->gaps, mcap_moment(m->to), 0);
	slv_scan_skip(s, c->data, c->claim.stored, x->end);
	s->units_kept += x->messages;
	slv_scan_count(s, MCAP_CHUNK, 1);
	/* Those of a compressed chunk are no units. */
	if (c->codec == SLV_CODEC_NONE)
		slv_scan_count(s, MCAP_MESSAGE, x->messages);
	slv_scan_count(s, MCAP_MESSAGE_INDEX, x->n);
	return SLV_OK;
}

/* Take the chunk, if its head and its indexes agree. */
static enum slv_status
try_chunk(struct slv_scan *s, uint64_t off, struct skim *x, struct slv_run *run,
    struct slv_err *err)
{
	bool yes;

	SLV_TRY(read_indexes(s, x, err));
	if (x->unknown) {
		const struct skim again = {
			.head = x->head, .at = x->at, .cap = x->cap
		};

		SLV_TRY(search_last(s, &yes, err));
		if (!yes)
			return SLV_OK;
		*x = again;
		SLV_TRY(read_indexes(s, x, err));
	}
	SLV_TRY(agrees(s, x, &yes, err));
	if (!yes)
		return SLV_OK;
	SLV_TRY(take(s, off, x, err));
	run->end = x->end;
	return SLV_OK;
}

enum slv_status
mcap_skim(
    struct slv_scan *s, uint64_t off, struct slv_run *run, struct slv_err *err)
{
	struct skim x = { .n = 0 };
	enum slv_status st;
	bool yes = may_skim(s, off);

	if (yes)
		SLV_TRY(get_head(s, off, &x.head, &yes, err));
	if (!yes)
		return SLV_OK;
	SLV_TRY(mcap_chunk_close(s, err));
	if (!may_skim(s, off))
		return SLV_OK;
	st = try_chunk(s, off, &x, run, err);
	slv_free(x.at);
	return st;
}
