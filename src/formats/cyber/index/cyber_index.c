/* cyber_index.c - the index: what it says, and is that so? */
#include "base/list.h"
#include "formats/cyber/judge/cyber_twice.h"

#define ENTRY_HEAD   64 /* bytes of an entry before what it holds, and more */
#define REACH        ((uint64_t)1 << 20) /* bytes after an index */
#define CHANNEL_HEAD ((uint64_t)2 * CYBER_NAME_MAX + 64)

/* What an entry holds, at `off`; *good: it can be read. */
static enum slv_status
read_cache(struct slv_scan *s, uint64_t off, const struct cyber_entry_head *h,
    struct cyber_entry *e, bool *good, struct slv_err *err)
{
	size_t n = (size_t)slv_min64(h->len, CHANNEL_HEAD);
	struct cyber_field f;
	struct cyber_decl d;
	const uint8_t *p;
	uint64_t len;

	*good = false;
	e->type = (enum cyber_type)h->type;
	e->position = h->position + s->base;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	switch (e->type) {
	case CYBER_CHUNK_HEADER:
		*good = cyber_entry_claim_get(p, n, &e->claim);
		return SLV_OK;
	case CYBER_CHUNK_BODY:
		*good = cyber_entry_body_get(p, n, &e->claim.messages);
		return SLV_OK;
	case CYBER_CHANNEL:
		if (cyber_field_get(p, n, &f) != CYBER_WHOLE || f.tag != 1
		    || f.is_span
		    || cyber_decl_get(p + f.head, n - f.head, 2, &d, &len)
		        != CYBER_WHOLE
		    || len != h->len - f.head)
			return SLV_OK;
		e->claim.messages = f.number;
		*good = true;
		return cyber_spec_read(s, off + f.head, &d, &e->spec, err);
	default: return SLV_OK;
	}
}

enum slv_status
cyber_index_read(
    struct slv_scan *s, uint64_t off, uint64_t end, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);

	/* Where two are in the file, the sums are those of the last one. */
	memset(c->indexed, 0, sizeof(c->indexed));
	c->index_whole = true;
	while (off < end) {
		size_t n = (size_t)slv_min64(end - off, ENTRY_HEAD);
		struct cyber_entry e = { .type = CYBER_TYPES };
		struct cyber_entry_head h;
		const uint8_t *p;
		bool good = false;

		SLV_TRY(slv_window_view(s->window, off, n, &p, err));
		if (cyber_entry_get(p, n, &h) != CYBER_WHOLE
		    || h.len > end - off - h.head) {
			/* Channels may follow, which are declared nowhere
			 * else any more. */
			c->index_whole = false;
			off++;
			continue;
		}
		SLV_TRY(read_cache(s, off + h.head, &h, &e, &good, err));
		off += h.head + h.len;
		c->index_whole &= good;
		if (!good)
			continue;
		SLV_TRY(SLV_ADD(c, entries, err, e));
		c->indexed[e.type] += e.claim.messages;
	}
	return SLV_OK;
}

static bool
is_between(uint64_t time, uint64_t a, uint64_t b)
{
	return time >= slv_min64(a, b) && time <= slv_max64(a, b);
}

/* Whether the index lists a chunk in which a message of that time was, or the
 * header states times around it. */
static bool
is_listed(const struct cyber *c, uint64_t time)
{
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct cyber_entry *e = &c->entries[i];

		if (e->type == CYBER_CHUNK_HEADER
		    && is_between(time, e->claim.begin, e->claim.end))
			return true;
	}
	return c->head.whole
	    && is_between(time, c->head.v[CYBER_BEGIN], c->head.v[CYBER_END]);
}

enum slv_status
cyber_index_before(
    struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t to = slv_min64(s->logical_end, off + REACH), n;

	*yes = false;
	if (!cyber_total(c, &n) || n <= c->messages)
		return SLV_OK;
	for (; off < to && !*yes; off++) {
		struct cyber_message m;

		SLV_TRY(cyber_next_mark(s, off, to, &off, err));
		if (off == to)
			return SLV_OK;
		SLV_TRY(cyber_look_message(s, off, &m, err));
		if (m.read == CYBER_WHOLE && is_listed(c, m.time))
			SLV_TRY(cyber_is_chain(s, off, yes, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_index_end(const struct slv_scan *s, uint64_t off, uint64_t *last,
    uint64_t *end, struct slv_err *err)
{
	uint64_t size = s->source->size;

	*last = off;
	for (*end = off; *end < size;) {
		size_t n = (size_t)slv_min64(size - *end, ENTRY_HEAD);
		struct cyber_entry_head h;
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, *end, n, &p, err));
		if (cyber_entry_get(p, n, &h) != CYBER_WHOLE)
			break;
		*last = *end;
		/* The last entry may be cut. */
		*end = slv_min64(size, *end + h.head + h.len);
	}
	return SLV_OK;
}

static bool
claim_same(const struct cyber_claim *a, const struct cyber_claim *b)
{
	return a->begin == b->begin && a->end == b->end
	    && a->messages == b->messages && a->raw == b->raw;
}

/* A comparison of the sections with the entries of the index, both in order. */
struct compare {
	const struct cyber *cyber;
	size_t next; /* entry */
	bool same, starts, ends;
};

/* The next entry must be of this type, about [off, end). */
static const struct cyber_entry *
take(struct compare *x, enum cyber_type type, uint64_t off, uint64_t end)
{
	const struct cyber_entry *e;

	if (x->next == x->cyber->n_entries
	    || x->cyber->entries[x->next].type != type) {
		x->same = false;
		return NULL;
	}
	e = &x->cyber->entries[x->next++];
	x->starts &= e->position == off;
	x->ends &= e->position == end;
	return e;
}

static uint64_t
messages_of(const struct cyber *c, const struct cyber_item *item)
{
	const uint8_t *name = c->texts.at + item->spec.name;
	uint32_t i;

	/* Only the first declaration of a channel has the count. */
	return cyber_channel_known(c, name, item->spec.name_len, &i)
	        && c->channels[i].item == (size_t)(item - c->items)
	    ? c->channels[i].messages
	    : UINT64_MAX;
}

static void
compare_channel(struct compare *x, const struct cyber_item *item)
{
	const struct cyber_entry *e =
	    take(x, CYBER_CHANNEL, item->off, item->end);
	uint64_t n;

	if (e == NULL)
		return;
	n = messages_of(x->cyber, item);
	x->same &= cyber_spec_same(x->cyber, &e->spec, &item->spec)
	    && (n == UINT64_MAX || e->claim.messages == n);
}

static void
compare_chunk(struct compare *x, const struct cyber_item *item)
{
	uint64_t end = item->body + CYBER_SECTION + item->bytes;
	const struct cyber_entry *e =
	    take(x, CYBER_CHUNK_HEADER, item->off, item->end);

	if (e == NULL)
		return;
	x->same &= claim_same(&e->claim, cyber_chunk_claim(item));
	e = take(x, CYBER_CHUNK_BODY, item->body, end);
	x->same &= e != NULL && e->claim.messages == item->own.messages;
}

void
cyber_index_judge(struct cyber *c)
{
	struct compare x = { c, 0, true, true, true };

	for (size_t i = 0; x.same && i < c->n_items; i++) {
		if (c->items[i].kind == CYBER_IS_CHANNEL)
			compare_channel(&x, &c->items[i]);
		else if (c->items[i].kind == CYBER_IS_CHUNK)
			compare_chunk(&x, &c->items[i]);
	}
	c->index_ends = x.ends && x.next > 0 && !x.starts;
	c->index_holds = c->index_end > c->index && c->index_whole && x.same
	    && x.next == c->n_entries && (x.starts || x.ends);
}
