/* cyber_chain.c - units that follow each other. */
#include "formats/cyber/judge/cyber_chain.h"

#define LOOK 512 /* units that are followed */
#define HEAD 64  /* bytes of most heads of messages */

enum slv_status
cyber_chain_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	uint64_t before = s->window->viewed;

	SLV_TRY(cyber_next_mark(s, from, to, out, err));
	s->window->viewed = before + (*out > from ? *out - from : 0);
	return SLV_OK;
}

/* Whether the head of a message is at off.  Most are short, and many are looked
 * at. */
static enum slv_status
look(const struct slv_scan *s, uint64_t off, struct cyber_message *m, bool *yes,
    struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (off >= s->source->size)
		return SLV_OK;
	if (slv_range_in(off, HEAD, s->source->size)) {
		SLV_TRY(slv_window_view(s->window, off, HEAD, &p, err));
		m->read = cyber_message_get(p, HEAD, m);
		*yes = m->read == CYBER_WHOLE;
		if (m->read != CYBER_SHORT)
			return SLV_OK;
	}
	SLV_TRY(cyber_look_message(s, off, m, err));
	*yes = m->read == CYBER_WHOLE;
	return SLV_OK;
}

enum slv_status
cyber_chain_unit(const struct slv_scan *s, uint64_t off, uint64_t *len,
    struct cyber_message *m, bool *message, bool *yes, struct slv_err *err)
{
	struct cyber_section k;

	*len = 0;
	SLV_TRY(look(s, off, m, message, err));
	if (*message) {
		*len = cyber_message_span(m);
	} else {
		SLV_TRY(cyber_look_section(s, off, &k, err));
		if (k.agrees)
			*len = CYBER_SECTION
			    + (k.found == CYBER_CHUNK_BODY ? 0 : k.size);
	}
	*yes = *len > 0 && slv_range_in(off, *len, s->source->size);
	return SLV_OK;
}

enum slv_status
cyber_chain_stated(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	size_t n = (size_t)slv_min64(s->source->size - off, CYBER_HEAD_MAX);
	struct cyber_message m;
	const uint8_t *p;
	uint64_t len;
	size_t lead;

	*end = 0;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	if (cyber_message_get(p, n, &m) == CYBER_WHOLE
	    || cyber_message_guess(p, n, &m))
		*end = off + cyber_message_span(&m);
	else if (n > CYBER_INNER_MIN && p[0] == 0x0a
	    && cyber_varint_get(p + 1, n - 1, &len, &lead) == CYBER_WHOLE
	    && len >= CYBER_INNER_MIN && len < CYBER_CONTENT_MAX)
		*end = off + 1 + lead + len;
	return SLV_OK;
}

static void
add_message(struct cyber_chain *c, const struct cyber_message *m)
{
	if (c->messages++ == 0)
		c->times = (struct cyber_times){ m->time, m->time };
	c->times.from = slv_min64(c->times.from, m->time);
	c->times.to = slv_max64(c->times.to, m->time);
	c->raw += m->content;
}

enum slv_status
cyber_chain_follow(const struct slv_scan *s, uint64_t off, uint64_t upto,
    struct cyber_chain *c, struct slv_err *err)
{
	uint64_t at = off;

	*c = (struct cyber_chain){ .last = off, .end = off };
	for (unsigned i = 0; i < LOOK && at < upto; i++) {
		struct cyber_message m;
		bool message, yes;
		uint64_t len, end;

		SLV_TRY(cyber_chain_unit(s, at, &len, &m, &message, &yes, err));
		if (yes) {
			end = at + len;
		} else {
			SLV_TRY(cyber_chain_stated(s, at, &end, err));
			if (end > 0 && end < s->source->size)
				SLV_TRY(cyber_chain_unit(
				    s, end, &len, &m, &message, &yes, err));
			message = false;
		}
		c->broken = !yes;
		if (!yes)
			return SLV_OK;
		c->last = c->end = at;
		if (message)
			add_message(c, &m);
		at = end;
	}
	c->end = at;
	return SLV_OK;
}
