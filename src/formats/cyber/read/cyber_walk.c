/* cyber_walk.c - does anything contradict the heads of sections and chunks? */
#include "formats/cyber/read/cyber_walk.h"
#include "base/list.h"

static enum slv_status
look_message(struct cyber_walk *w, uint64_t at, struct cyber_message *m,
    bool *yes, struct slv_err *err)
{
	SLV_TRY(cyber_look_message(w->scan, at, m, err));
	*yes = m->read == CYBER_WHOLE
	    && slv_range_in(at, cyber_message_span(m), w->scan->source->size);
	return SLV_OK;
}

/* Messages in a row, up to n bytes of them; *end: where they end. */
static enum slv_status
skip_messages(struct cyber_walk *w, uint64_t at, uint64_t n, uint64_t *time,
    uint64_t *end, struct slv_err *err)
{
	uint64_t from = at;

	*end = at;
	while (*end - from < n) {
		struct cyber_message m;
		bool yes;

		SLV_TRY(look_message(w, *end, &m, &yes, err));
		if (!yes)
			break;
		if (*end == from)
			*time = m.time;
		*end += cyber_message_span(&m);
	}
	return SLV_OK;
}

static enum slv_status
add_section(struct cyber_walk *w, uint64_t at, struct slv_err *err)
{
	return SLV_ADD(w, sections, err, at);
}

/* The chunk is over: does it hold what it says? */
static void
close_chunk(struct cyber_walk *w)
{
	const struct cyber_walked *c = &w->now;
	uint64_t there = c->end - c->data - c->passed;

	if (!w->in_chunk)
		return;
	w->in_chunk = false;
	if (there > c->size && c->messages > c->claim.messages
	    && c->raw > c->claim.raw) {
		w->more = *c;
		w->n_more++;
	} else if (there < c->size && c->messages < c->claim.messages
	    && c->raw < c->claim.raw) {
		w->less = *c;
		w->n_less++;
	} else {
		w->tidy &= there == c->size && c->messages == c->claim.messages
		    && c->raw == c->claim.raw;
	}
}

/* How long the section at `at` is; that of a chunk with its body.  0: it is torn,
 * or there are messages between its two heads. */
static enum slv_status
measure(struct cyber_walk *w, uint64_t at, const struct cyber_section *k,
    uint64_t *len, struct slv_err *err)
{
	struct cyber_section body;

	*len = CYBER_SECTION + k->len;
	if (k->found != CYBER_CHUNK_HEADER)
		return SLV_OK;
	SLV_TRY(cyber_look_section(w->scan, at + *len, &body, err));
	if (body.agrees && body.found == CYBER_CHUNK_BODY)
		*len += CYBER_SECTION + body.size;
	else
		*len = 0;
	return SLV_OK;
}

/* Whether the section is inside the messages of the chunk: the rest of them follows
 * it.  What follows another chunk may rather be a message of that one, or one that
 * was moved there: then it does not fit by its time. */
static enum slv_status
is_amid(struct cyber_walk *w, uint64_t at, const struct cyber_section *k,
    uint64_t *len, bool *yes, struct slv_err *err)
{
	const struct cyber_walked *c = &w->now;
	uint64_t there = c->end - c->data - c->passed, rest, end, time = 0;

	*yes = false;
	if (!w->in_chunk || there >= c->size || k->found == CYBER_INDEX)
		return SLV_OK;
	rest = c->size - there;
	SLV_TRY(measure(w, at, k, len, err));
	if (*len == 0)
		return SLV_OK;
	SLV_TRY(skip_messages(w, at + *len, rest, &time, &end, err));
	*yes = end == at + *len + rest
	    && (k->found != CYBER_CHUNK_HEADER
	        || (time >= c->last && time >= c->claim.begin
	            && time <= c->claim.end));
	return SLV_OK;
}

/* The two heads of a chunk, and messages that were put between them. */
static enum slv_status
open_chunk(struct cyber_walk *w, uint64_t *at, const struct cyber_section *k,
    struct slv_err *err)
{
	struct cyber_walked c = { .off = *at, .claim = k->claim };
	struct cyber_section body;
	uint64_t end, time;

	*at += CYBER_SECTION + k->len;
	SLV_TRY(skip_messages(w, *at, UINT64_MAX, &time, &end, err));
	if (end > *at) {
		w->loose = (struct slv_range){ *at, end };
		w->headed = true;
		w->n_runs++;
		*at = end;
	}
	SLV_TRY(cyber_look_section(w->scan, *at, &body, err));
	w->tidy &= body.read == CYBER_WHOLE && body.type == CYBER_CHUNK_BODY;
	SLV_TRY(add_section(w, *at, err));
	*at += CYBER_SECTION;
	c.data = c.end = *at;
	c.size = body.size;
	w->now = c;
	w->in_chunk = true;
	return SLV_OK;
}

static void
take_message(struct cyber_walk *w, uint64_t at, const struct cyber_message *m)
{
	uint64_t end = at + cyber_message_span(m);

	w->messages++;
	if (w->in_chunk) {
		w->now.messages++;
		w->now.raw += m->content;
		w->now.last = m->time;
		w->now.end = end;
		return;
	}
	if (w->n_runs == 0 || w->loose.end != at) {
		w->n_runs++;
		w->loose.off = at;
	}
	w->loose.end = end;
}

/* The section at *at; *ends: it is the index. */
static enum slv_status
take_section(
    struct cyber_walk *w, uint64_t *at, bool *ends, struct slv_err *err)
{
	struct cyber_section k;
	uint64_t len;
	bool amid;

	SLV_TRY(cyber_look_section(w->scan, *at, &k, err));
	w->tidy &= k.agrees && k.found != CYBER_CHUNK_BODY;
	if (!w->tidy)
		return SLV_OK;
	w->n_kind[k.found]++;
	*ends = k.found == CYBER_INDEX;
	SLV_TRY(is_amid(w, *at, &k, &len, &amid, err));
	if (amid) {
		w->amid = (struct slv_range){ *at, *at + len };
		w->inner = k;
		w->outer = w->now.off;
		w->now.passed += len;
		w->now.end += len;
		w->n_amid++;
		*at += len;
		return SLV_OK;
	}
	close_chunk(w);
	SLV_TRY(add_section(w, *at, err));
	if (k.found == CYBER_CHUNK_HEADER)
		return open_chunk(w, at, &k, err);
	*at += CYBER_SECTION + k.len;
	return SLV_OK;
}

enum slv_status
cyber_walk(struct cyber_walk *w, struct slv_err *err)
{
	struct slv_scan *s = w->scan;
	uint64_t at = s->base + CYBER_DATA_START;
	bool ends = false;

	w->tidy = true;
	while (w->tidy && !ends && at < s->logical_end && w->n_more <= 1
	    && w->n_less <= 1) {
		struct cyber_message m;
		bool yes;

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(look_message(w, at, &m, &yes, err));
		if (yes) {
			take_message(w, at, &m);
			at += cyber_message_span(&m);
		} else {
			SLV_TRY(take_section(w, &at, &ends, err));
		}
	}
	close_chunk(w);
	return SLV_OK;
}

void
cyber_walk_free(struct cyber_walk *w)
{
	slv_free(w->sections);
}
