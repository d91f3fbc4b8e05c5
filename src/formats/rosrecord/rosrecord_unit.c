/* rosrecord_unit.c - what is at an offset, and is it whole? */
#include <string.h>

#include "base/find.h"
#include "core/scan/resync.h"
#include "formats/rosrecord/rosrecord_state.h"
#include "support/seek.h"

/* Bits of evidence. */
#define BID_MAGIC 104 /* the whole first line */
#define BID_CHAIN 60  /* two records, somewhere */

#define SEARCH    ((uint64_t)8 << 20) /* bytes in which there must be records */
#define GUESS     ((size_t)512)       /* more bytes than most headers have */
#define STRIDE    ((uint64_t)64 << 10) /* bytes searched at once */
#define OVERLAP   64 /* bytes that identify the beginning of a record */

/* Offset of the first record of a bag with a bag header. */
#define DATA_START ((uint64_t)ROSREC_MAGIC_SIZE + ROSREC_HEADER_LEN)

const char *const rosrec_kinds[ROSREC_TAGS] = {
	[ROSREC_TAG_NONE] = "record",
	[ROSREC_TAG_LINE] = "header",
	[ROSREC_TAG_HEADER] = "header",
	[ROSREC_TAG_DEF] = "definition",
	[ROSREC_TAG_MESSAGE] = "message",
	[ROSREC_TAG_INDEX] = "index",
	[ROSREC_TAG_BAG] = "bag",
};

enum slv_status
rosrec_look(const struct slv_scan *s, uint64_t off, struct rosrec_record *r,
    struct slv_err *err)
{
	uint64_t there = slv_max64(s->source->size, off) - off;
	size_t n = (size_t)slv_min64(there, GUESS);
	const uint8_t *p;

	*r = (struct rosrec_record){ .read = ROSREC_SHORT };
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	if (rosrec_record_get(p, n, r) != ROSREC_SHORT || n == there || n < 4)
		return SLV_OK;
	n = (size_t)slv_min64(there, (uint64_t)slv_get_le32(p) + 8);
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	rosrec_record_get(p, n, r);
	return SLV_OK;
}

/* Return true if the first line of a bag is at off. */
static enum slv_status
is_line(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	return slv_seek_is(s, off, ROSREC_MAGIC, ROSREC_MAGIC_SIZE, yes, err);
}

enum slv_status
rosrec_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	for (; from < to; from += STRIDE) {
		size_t upto = (size_t)slv_min64(to - from, STRIDE);
		size_t n =
		    (size_t)slv_min64(s->source->size - from, upto + OVERLAP);
		const uint8_t *p, *line;
		size_t at;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		at = rosrec_record_find(p, n, upto);
		line = slv_find_bytes(p, n, ROSREC_MAGIC, ROSREC_MAGIC_SIZE);
		if (line != NULL)
			at = (size_t)slv_min64(at, (uint64_t)(line - p));
		if (at < upto) {
			*out = from + at;
			return SLV_OK;
		}
	}
	*out = to;
	return SLV_OK;
}

/* Return true if a record of a bag is somewhere, with another one after it. */
static enum slv_status
find_chain(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH), at = 0;

	for (*yes = false; at < to && !*yes; at++) {
		struct rosrec_record r;

		SLV_TRY(rosrec_next_mark(s, at, to, &at, err));
		if (at == to)
			return SLV_OK;
		SLV_TRY(rosrec_look(s, at, &r, err));
		if (r.read != ROSREC_WHOLE || r.op == ROSREC_HEADER
		    || !slv_range_in(at, rosrec_span(&r), s->logical_end))
			continue;
		SLV_TRY(rosrec_look(s, at + rosrec_span(&r), &r, err));
		*yes = r.read == ROSREC_WHOLE;
	}
	return SLV_OK;
}

enum slv_status
rosrec_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	bool chain;

	*bid = 0;
	SLV_TRY(is_line(s, 0, &b->has_line, err));
	if (b->has_line) {
		*bid = BID_MAGIC;
		return SLV_OK;
	}
	SLV_TRY(find_chain(s, &chain, err));
	*bid = chain ? BID_CHAIN : 0;
	return SLV_OK;
}

/* What each op is, in whole records. */
static const struct {
	enum rosrec_tag tag;
	enum slv_part part;
	unsigned cut; /* the row about one at the end of the file */
} ops[ROSREC_OPS] = {
	[ROSREC_DEF] = { ROSREC_TAG_DEF, SLV_PART_PACK, ROSREC_P_CUT },
	[ROSREC_MESSAGE] = { ROSREC_TAG_MESSAGE, SLV_PART_DATA, ROSREC_P_CUT },
	[ROSREC_HEADER] = { ROSREC_TAG_HEADER, SLV_PART_INDEX,
	    ROSREC_P_CUT_INDEX },
	[ROSREC_INDEX] = { ROSREC_TAG_INDEX, SLV_PART_INDEX,
	    ROSREC_P_CUT_INDEX },
};

/* Return true if the length of the data agrees with the rest. */
static bool
is_consistent(const struct rosrec_record *r, uint64_t off)
{
	switch (r->op) {
	case ROSREC_DEF: return r->data == 0;
	case ROSREC_HEADER:
		return off == ROSREC_MAGIC_SIZE
		    && rosrec_span(r) == ROSREC_HEADER_LEN;
	case ROSREC_INDEX:
		return r->data == (uint64_t)r->count * ROSREC_ENTRY_SIZE;
	default: return true;
	}
}

/* A record with a whole header. */
static void
record_unit(const struct slv_scan *s, uint64_t off,
    const struct rosrec_record *r, struct slv_unit *u)
{
	const struct rosrec *b = rosrec_of(s);
	size_t topic;

	u->tag = ops[r->op].tag;
	u->part = ops[r->op].part;
	if (!is_consistent(r, off))
		return;
	u->len = rosrec_span(r);
	u->verdict = slv_range_in(off, u->len, s->source->size)
	    ? SLV_UNIT_GOOD
	    : SLV_UNIT_SHORT;
	if (u->verdict == SLV_UNIT_SHORT)
		u->problem = ops[r->op].cut;
	if (r->op != ROSREC_MESSAGE)
		return;
	u->time = (struct slv_moment){ r->sec, r->nsec, true };
	topic = rosrec_topic_find(b, r->topic);
	u->has_channel = topic < b->n_topics;
	u->channel = (uint32_t)topic;
}

/* Return true if a possible record starts at off. */
static enum slv_status
is_record(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct rosrec_record r;

	SLV_TRY(rosrec_look(s, off, &r, err));
	*yes = r.read == ROSREC_WHOLE && is_consistent(&r, off)
	    && slv_range_in(off, rosrec_span(&r), s->source->size);
	return SLV_OK;
}

/* The damaged first line or bag header: both have a fixed length, and what
 * follows them is in its place. */
static enum slv_status
spoilt_head(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	bool line = off == 0, yes;

	SLV_TRY(is_record(s, DATA_START, &yes, err));
	if (!yes && line)
		SLV_TRY(is_record(s, ROSREC_MAGIC_SIZE, &yes, err));
	if (!yes)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->tag = line ? ROSREC_TAG_LINE : ROSREC_TAG_HEADER;
	u->part = line ? SLV_PART_FRAME : SLV_PART_INDEX;
	u->fate = SLV_REBUILT;
	u->problem = line ? ROSREC_P_LINE : ROSREC_P_HEADER;
	u->len = line ? ROSREC_MAGIC_SIZE : ROSREC_HEADER_LEN;
	return SLV_OK;
}

/* Return true if the bytes at off, not a whole record, were part of the
 * index. */
static bool
in_index(const struct rosrec *b, uint64_t off)
{
	return b->n_lists > 0 || (b->index_pos > 0 && b->index_pos == off);
}

/* The first line of this bag, or of another one. */
static void
line_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u)
{
	u->verdict = SLV_UNIT_GOOD;
	u->part = SLV_PART_FRAME;
	u->tag = off == 0 ? ROSREC_TAG_LINE : ROSREC_TAG_BAG;
	u->len = ROSREC_MAGIC_SIZE;
	if (off == 0)
		return;
	u->fate = SLV_FOREIGN;
	u->whole_log = true;
	u->len = s->logical_end - off;
}

enum slv_status
rosrec_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	struct rosrec_record r;
	bool line;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.fate = SLV_KEPT,
		.part = SLV_PART_DATA,
		.tag = ROSREC_TAG_NONE,
		.problem =
		    asking == SLV_ASK_NEXT ? ROSREC_P_RECORD : ROSREC_PROBLEMS,
	};
	SLV_TRY(is_line(s, off, &line, err));
	if (line) {
		u->problem = ROSREC_PROBLEMS;
		line_unit(s, off, u);
		return SLV_OK;
	}
	SLV_TRY(rosrec_look(s, off, &r, err));
	if (r.read == ROSREC_WHOLE) {
		record_unit(s, off, &r, u);
		if (u->verdict == SLV_UNIT_GOOD)
			u->problem = ROSREC_PROBLEMS;
	} else if (r.read == ROSREC_SHORT) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = ROSREC_P_CUT;
		u->len = slv_max64(s->logical_end, off + 1) - off;
	}
	if (u->verdict == SLV_UNIT_GOOD || asking != SLV_ASK_NEXT)
		return SLV_OK;
	if (in_index(rosrec_of(s), off)) {
		u->part = SLV_PART_INDEX;
		u->tag = ROSREC_TAG_INDEX;
		u->problem = u->verdict == SLV_UNIT_SHORT ? ROSREC_P_CUT_INDEX
		                                          : ROSREC_P_INDEX;
	}
	return off == 0 || off == ROSREC_MAGIC_SIZE
	    ? spoilt_head(s, off, u, err)
	    : SLV_OK;
}

/* Return true if data of this length lie between their length and another
 * record, or the end. */
static enum slv_status
leads_on(const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	uint64_t next;
	const uint8_t *p;

	*yes = false;
	if (!slv_range_in(at, 4, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, 4, &p, err));
	next = at + 4 + slv_get_le32(p);
	*yes = next == s->logical_end;
	return *yes ? SLV_OK : is_record(s, next, yes, err);
}

/* Return true if half of the bytes of a length survive, unlike what precedes
 * the fields at the end of a record's header. */
static bool
is_nearly(const uint8_t *p, uint32_t length)
{
	uint8_t want[4];
	int same = 0;

	slv_put_le32(want, length);
	for (int i = 0; i < 4; i++)
		same += p[i] == want[i];
	return same >= 2;
}

/* Return true if a damaged record starts at off: its length and its first field
 * survive, or one of them, which leads to another record. */
static enum slv_status
is_begun(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	size_t n = (size_t)slv_min64(s->source->size - off, GUESS);
	uint32_t fields;
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	*yes = false;
	if (n < 8)
		return SLV_OK;
	fields = slv_get_le32(p);
	if (fields < ROSREC_FIELDS_MIN || fields > ROSREC_FIELDS_MAX) {
		n = rosrec_fields_length(p + 4, n - 4);
		return n > 0 && is_nearly(p, (uint32_t)n)
		    ? leads_on(s, off + 4 + n, yes, err)
		    : SLV_OK;
	}
	*yes =
	    rosrec_fields_length(p + 4, (size_t)slv_min64(n - 4, fields)) > 0;
	return *yes ? SLV_OK : leads_on(s, off + 4 + fields, yes, err);
}

enum slv_status
rosrec_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t end = off + u->len;
	struct rosrec_record r;
	bool line;

	*out = SLV_VOUCHED;
	if (end == s->logical_end || u->fate != SLV_KEPT
	    || u->tag != ROSREC_TAG_MESSAGE)
		return SLV_OK; /* everything in a definition is checked */
	if (end > s->logical_end) {
		*out = slv_scan_zeros(s, off, end);
	} else {
		SLV_TRY(rosrec_look(s, end, &r, err));
		SLV_TRY(is_line(s, end, &line, err));
		if (!line && r.read == ROSREC_BAD)
			SLV_TRY(is_begun(s, end, &line, err));
		*out = line || r.read != ROSREC_BAD ? SLV_VOUCHED : SLV_SUSPECT;
	}
	if (*out == SLV_UNSURE)
		*out = SLV_SUSPECT;
	if (*out != SLV_VOUCHED)
		u->problem = ROSREC_P_SUSPECT;
	return SLV_OK;
}
