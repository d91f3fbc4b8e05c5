/* cyber_unit.c - what is at an offset, and is it whole? */
#include "formats/cyber/read/cyber_unit.h"

#define CLAIM_MIN 16 /* bytes of a ChunkHeader, damaged or not */
#define CLAIM_MAX 64
#define EARLIEST  UINT64_C(1000000000000000)    /* ns: no clock is before */
#define LATEST    UINT64_C(4000000000000000000) /* ... or after it */
#define JUNK      ((uint64_t)1 << 20) /* bytes after a recording, at most */
#define FAR       UINT64_C(604800000000000) /* ns: a week */

const char *const cyber_kinds[CYBER_TAGS] = {
	[CYBER_TAG_MESSAGE] = "message",
	[CYBER_TAG_OTHER] = "section",
	[CYBER_TAG_HEADER] = "header",
	[CYBER_TAG_CHUNK_HEADER] = "chunk",
	[CYBER_TAG_CHUNK_BODY] = "body",
	[CYBER_TAG_INDEX] = "index",
	[CYBER_TAG_CHANNEL] = "channel",
};

/* Where in [off, end) a message or a section begins that another one follows;
 * end: nowhere. */
static enum slv_status
find_units(const struct slv_scan *s, uint64_t off, uint64_t end, uint64_t *out,
    struct slv_err *err)
{
	for (*out = off; *out < end; ++*out) {
		bool yes = false, carried = false;

		SLV_TRY(cyber_next_mark(s, *out, end, out, err));
		if (*out < end)
			SLV_TRY(cyber_is_chain(s, *out, &yes, err));
		if (yes)
			SLV_TRY(cyber_is_carried(s, *out, &carried, err));
		if (yes && !carried)
			return SLV_OK;
	}
	*out = end;
	return SLV_OK;
}

/* End of the padding after the header, which is whole and at the start of the n bytes. */
static uint64_t
padded_upto(const uint8_t *p, uint64_t n)
{
	uint64_t at = CYBER_SECTION + slv_get_le64(p + 8);

	return at + cyber_padding(p + at, (size_t)(n - at));
}

/* The reserved space of the header, as far as the file has it.  If units are in it, parts
 * of the file have changed places. */
static enum slv_status
header_unit(const struct slv_scan *s, struct slv_unit *u, struct slv_err *err)
{
	uint64_t n = slv_min64(s->source->size - s->base, CYBER_DATA_START);
	uint64_t from = s->base + CYBER_SECTION, end = s->base + n, padded;
	struct cyber_head h;
	const uint8_t *p;
	bool follows;

	SLV_TRY(slv_window_view(s->window, s->base, (size_t)n, &p, err));
	cyber_head_get(p, (size_t)n, &h);
	/* If the file ends inside that space, bytes that are no padding followed it. */
	padded = h.whole && n < CYBER_DATA_START ? padded_upto(p, n) : n;
	if (!h.padded)
		SLV_TRY(find_units(s, from, end, &end, err));
	if (end == s->base + n)
		end = s->base + padded;
	n = end - s->base;
	SLV_TRY(cyber_goes_on(s, end, CYBER_NEXT_ANY, &follows, err));
	u->tag = CYBER_TAG_HEADER;
	u->part = SLV_PART_INDEX;
	u->len = n;
	if (h.whole || follows || end >= s->logical_end)
		u->verdict = SLV_UNIT_GOOD;
	if (h.whole && h.padded && h.plain)
		return SLV_OK;
	u->problem = CYBER_P_HEADER_BROKEN;
	u->fate = SLV_REBUILT;
	return SLV_OK;
}

/* Whether a message of a channel that is not known may be of this record. */
static bool
is_plausible(const struct cyber *c, uint64_t time)
{
	uint64_t near = c->last_time;

	return time >= EARLIEST && time < LATEST
	    && (c->messages == 0
	        || (time < near ? near - time : time - near) < FAR);
}

/* A message that is all there, or is cut. */
static enum slv_status
message_unit(const struct slv_scan *s, uint64_t off,
    const struct cyber_message *m, enum slv_asking asking, struct slv_unit *u,
    struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	bool yes = true, known;
	uint32_t channel;
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, m->head, &p, err));
	known = cyber_channel_known(c, p + m->name, m->name_len, &channel);
	u->tag = CYBER_TAG_MESSAGE;
	u->len = cyber_message_span(m);
	u->time = cyber_moment(m->time);
	u->priv[CYBER_U_CONTENT] = m->content;
	u->priv[CYBER_U_TIME] = m->time;
	u->priv[CYBER_U_CHANNEL] = known ? (uint64_t)channel + 1 : 0;
	if (!slv_range_in(off, u->len, s->source->size)) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = CYBER_P_CUT;
		return SLV_OK;
	}
	/* A message found by a search must have a known channel or a possible
	 * time. */
	if (asking != SLV_ASK_NEXT) {
		yes = known || is_plausible(c, m->time);
		if (yes)
			SLV_TRY(cyber_goes_on(
			    s, off + u->len, CYBER_NEXT_ANY, &yes, err));
		u->sure = yes;
	}
	if (yes)
		u->verdict = SLV_UNIT_GOOD;
	return SLV_OK;
}

/* Whether the head of a body is at off. */
static enum slv_status
is_body(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_section k;

	SLV_TRY(cyber_look_section(s, off, &k, err));
	*yes = k.found == CYBER_CHUNK_BODY && k.type == CYBER_CHUNK_BODY;
	return SLV_OK;
}

/* Whether a header of a chunk that can be read is in [off, end), up to its end. */
static enum slv_status
holds_claim(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	struct cyber_section k;

	*yes = false;
	for (; off + CYBER_SECTION < end && !*yes; off++) {
		SLV_TRY(cyber_look_section(s, off, &k, err));
		*yes = k.agrees && k.found == CYBER_CHUNK_HEADER
		    && off + CYBER_SECTION + k.size == end;
	}
	return SLV_OK;
}

/* The header of a chunk that cannot be read any more: the head of its body
 * follows. */
static enum slv_status
broken_claim(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	bool yes = false, other = false;

	for (uint64_t n = CLAIM_MIN; !yes && n <= CLAIM_MAX; n++) {
		SLV_TRY(is_body(s, off + CYBER_SECTION + n, &yes, err));
		u->len = CYBER_SECTION + n;
	}
	if (yes)
		SLV_TRY(holds_claim(s, off + 1, off + u->len, &other, err));
	if (!yes || other) {
		u->len = 0;
		return SLV_OK;
	}
	u->verdict = SLV_UNIT_GOOD;
	u->fate = SLV_REBUILT;
	u->part = SLV_PART_INDEX;
	u->tag = CYBER_TAG_CHUNK_HEADER;
	u->problem = CYBER_P_CHUNK_HEADER_BROKEN;
	return SLV_OK;
}

/* A section that is known by its content.  The index and the header of a chunk
 * are derived; of a body the messages are units of their own. */
static void
found_unit(const struct slv_scan *s, uint64_t off,
    const struct cyber_section *k, struct slv_unit *u)
{
	uint64_t there = s->source->size - off;

	u->verdict = SLV_UNIT_GOOD;
	u->tag = CYBER_TAG_SECTION + k->found;
	u->part = k->found == CYBER_CHANNEL ? SLV_PART_PACK : SLV_PART_INDEX;
	u->len = CYBER_SECTION + k->len;
	u->priv[CYBER_U_CONTENT] = k->len;
	u->sure = k->found == CYBER_CHUNK_HEADER;
	if (k->found == CYBER_CHUNK_BODY)
		u->len = CYBER_SECTION;
	if (!k->agrees) {
		u->fate = SLV_REBUILT;
		u->problem = CYBER_P_SECTION_BROKEN;
		u->want = k->found;
		u->got = k->type;
	}
	u->ends = k->found == CYBER_INDEX && !k->torn;
	if (u->len > there) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = CYBER_P_CUT;
	}
}

/* A section whose content looks like nothing: it is cut, or what it begins with
 * is damaged, or of a kind that we do not know. */
static enum slv_status
odd_unit(const struct slv_scan *s, uint64_t off, const struct cyber_section *k,
    struct slv_unit *u, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	uint64_t there = s->source->size - off;
	bool fits = k->read == CYBER_WHOLE && k->size > 0
	    && k->size <= there - CYBER_SECTION;
	bool follows = false;

	if (fits)
		SLV_TRY(cyber_goes_on(s, off + CYBER_SECTION + k->size,
		    CYBER_NEXT_ANY, &follows, err));
	u->part = SLV_PART_INDEX;
	if (k->type == CYBER_CHUNK_BODY && (follows || fits) && c->open
	    && !c->items[c->n_items - 1].bodied) {
		u->verdict = SLV_UNIT_GOOD;
		u->tag = CYBER_TAG_CHUNK_BODY;
		u->len = CYBER_SECTION;
		return SLV_OK;
	}
	if (k->type == CYBER_INDEX && fits
	    && CYBER_SECTION + k->size == there) {
		u->verdict = SLV_UNIT_GOOD;
		u->tag = CYBER_TAG_INDEX;
		u->len = there;
		u->ends = true;
		return SLV_OK;
	}
	u->part = SLV_PART_DATA;
	if (!cyber_section_is_strange(s, off, k) || !follows)
		return broken_claim(s, off, u, err);
	u->verdict = SLV_UNIT_GOOD;
	u->tag = CYBER_TAG_OTHER;
	u->part = SLV_PART_PACK;
	u->len = CYBER_SECTION + k->size;
	u->problem = CYBER_P_UNKNOWN;
	u->got = k->type;
	return SLV_OK;
}

/* The file ends inside what is at off. */
static void
cut_unit(const struct slv_scan *s, uint64_t off, const struct cyber_section *k,
    struct slv_unit *u)
{
	u->verdict = SLV_UNIT_SHORT;
	u->problem = CYBER_P_CUT;
	u->len = s->source->size - off;
	u->part = SLV_PART_INDEX;
	u->tag = CYBER_TAG_OTHER;
	if (k->read == CYBER_WHOLE)
		u->tag = CYBER_TAG_SECTION + k->type;
	if (k->read == CYBER_WHOLE && k->type == CYBER_CHANNEL)
		u->part = SLV_PART_DATA;
}

/* How long the index at off is.  Where it was torn apart the rest of its length
 * is of the record. */
static enum slv_status
measure_index(const struct slv_scan *s, uint64_t off, struct cyber_section *k,
    struct slv_err *err)
{
	uint64_t from = off + CYBER_SECTION, there = s->source->size - from;
	uint64_t last, end, mark;

	SLV_TRY(cyber_index_end(s, from, &last, &end, err));
	if (k->agrees && k->size <= there && end < from + k->size) {
		SLV_TRY(find_units(s, end, from + k->size, &mark, err));
		k->torn = mark < from + k->size;
	}
	if (k->agrees && k->size <= there && !k->torn)
		return SLV_OK;
	/* The last entry goes on in what is put there. */
	k->len = (k->torn ? last : end) - from;
	k->agrees = false;
	return SLV_OK;
}

static enum slv_status
section_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	struct cyber_section k;
	uint64_t there = s->source->size - off;

	SLV_TRY(cyber_look_section(s, off, &k, err));
	if (k.found == CYBER_INDEX)
		SLV_TRY(measure_index(s, off, &k, err));
	if (k.found != CYBER_TYPES && (k.agrees || asking == SLV_ASK_NEXT)) {
		found_unit(s, off, &k, u);
		return SLV_OK;
	}
	if (asking != SLV_ASK_NEXT)
		return SLV_OK;
	if (k.read == CYBER_SHORT
	    || (k.type > 0 && k.type < CYBER_TYPES
	        && k.size > there - CYBER_SECTION
	        && there < CYBER_SECTION + CYBER_HEAD_MAX)) {
		cut_unit(s, off, &k, u);
		return SLV_OK;
	}
	return odd_unit(s, off, &k, u, err);
}

/* Another record, from its header on. */
static void
foreign_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u)
{
	u->verdict = SLV_UNIT_GOOD;
	u->tag = CYBER_TAG_HEADER;
	u->part = SLV_PART_FRAME;
	u->fate = SLV_FOREIGN;
	/* It may end in zeros itself. */
	u->len = s->source->size - off;
	u->whole_log = true;
}

/* Whether a section or a message, not the header, starts the file: the header
 * is gone with its room.  It must be whole, and something must follow it. */
static enum slv_status
lacks_header(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct cyber_section k;
	struct cyber_message m;
	uint64_t len = 0;

	*yes = false;
	SLV_TRY(cyber_look_message(s, 0, &m, err));
	SLV_TRY(cyber_look_section(s, 0, &k, err));
	if (m.read == CYBER_WHOLE)
		len = cyber_message_span(&m);
	else if (k.agrees && k.type != CYBER_HEADER && k.size > 0)
		len =
		    CYBER_SECTION + (k.found == CYBER_CHUNK_BODY ? 0 : k.size);
	if (len == 0 || len >= s->source->size)
		return SLV_OK;
	return cyber_goes_on(s, len, CYBER_NEXT_ANY, yes, err);
}

enum slv_status
cyber_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	struct cyber_message m;
	bool yes;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.fate = SLV_KEPT,
		.part = SLV_PART_DATA,
		.tag = CYBER_TAG_MESSAGE,
		.problem = CYBER_PROBLEMS,
	};
	yes = off != s->base;
	if (off == 0 && s->base == 0)
		SLV_TRY(lacks_header(s, &yes, err));
	if (!yes)
		return header_unit(s, u, err);
	SLV_TRY(cyber_look_message(s, off, &m, err));
	if (m.read == CYBER_WHOLE)
		return message_unit(s, off, &m, asking, u, err);
	if (m.read == CYBER_SHORT) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = CYBER_P_CUT;
		u->len = s->source->size - off;
		return SLV_OK;
	}
	SLV_TRY(cyber_look_record(s, off, &yes, err));
	if (yes) {
		foreign_unit(s, off, u);
		return SLV_OK;
	}
	SLV_TRY(section_unit(s, off, asking, u, err));
	if (u->verdict == SLV_UNIT_BAD)
		u->problem = CYBER_P_BAD;
	return SLV_OK;
}

/* Whether the content of the message at off is as it was recorded, as far as
 * can be seen. */
static enum slv_status
vouch_content(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t hole;

	/* In the output other bytes are where pages begin. */
	if (s->reference != NULL)
		return SLV_OK;
	SLV_TRY(cyber_find_hole(s, off + u->len - u->priv[CYBER_U_CONTENT],
	    off + u->len, &hole, err));
	if (hole == 0)
		return SLV_OK;
	*out = SLV_SUSPECT;
	u->problem = CYBER_P_HOLE;
	u->got = hole;
	return SLV_OK;
}

/* Whether what follows the message in [off, end) is of another recording, or a few
 * bytes that are no part of any, and nothing of what followed a shorter message is
 * in it. */
static enum slv_status
is_last(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const struct cyber_head *head = &cyber_of(s)->head;
	uint64_t mark;

	*yes = slv_mends_aside(s->opt.mends, end) != NULL;
	/* After a finished recording an index must follow. */
	if (*yes || s->logical_end - end > JUNK
	    || (head->whole && head->v[CYBER_COMPLETE] == 1))
		return SLV_OK;
	SLV_TRY(find_units(s, off + 1, s->logical_end, &mark, err));
	*yes = mark == s->logical_end;
	return SLV_OK;
}

enum slv_status
cyber_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	enum cyber_next next = CYBER_NEXT_ANY;
	uint64_t end = off + u->len;
	unsigned problem = CYBER_P_LAST_UNSURE;
	bool yes = true, last = false;

	*out = SLV_VOUCHED;
	if (u->tag != CYBER_TAG_MESSAGE && u->tag != CYBER_TAG_CHANNEL)
		return SLV_OK;
	/* What was never written would be zeros inside it; the length of an
	 * empty content is one. */
	if (end == s->logical_end
	    || (u->priv[CYBER_U_CONTENT] == 0 && end == s->logical_end + 1))
		return vouch_content(s, off, u, out, err);
	if (u->tag == CYBER_TAG_MESSAGE)
		next = cyber_chunk_next(
		    cyber_of(s), off, u->len, u->priv[CYBER_U_CONTENT]);
	if (end > s->logical_end) {
		*out = slv_scan_zeros(s, off, end);
		/* Zeros at its end are its own where the header of the chunk
		 * and the head of the body say that it is the last one. */
		if (*out == SLV_UNSURE && next != CYBER_NEXT_SECTION)
			*out = SLV_SUSPECT;
		problem = CYBER_P_END_UNSURE;
	} else {
		SLV_TRY(cyber_goes_on(s, end, next, &yes, err));
		/* Header and body confirm that it ends here: another message
		 * that follows it was put in. */
		if (!yes && next == CYBER_NEXT_SECTION)
			SLV_TRY(cyber_goes_on(
			    s, end, CYBER_NEXT_MESSAGE, &yes, err));
		if (!yes && next == CYBER_NEXT_SECTION)
			SLV_TRY(is_last(s, off, end, &last, err));
		*out = yes ? SLV_VOUCHED : last ? SLV_UNSURE : SLV_SUSPECT;
	}
	if (*out == SLV_VOUCHED)
		return vouch_content(s, off, u, out, err);
	u->problem = *out == SLV_UNSURE ? problem : CYBER_P_SUSPECT;
	return SLV_OK;
}
