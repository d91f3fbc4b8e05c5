/* bddf_unit.c - what block starts at an offset? */
#include "formats/bddf/bddf_state.h"

#include <string.h>

#define DATA_HEAD  (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define FIRST_LOOK ((size_t)256)          /* bytes of a DataDescriptor */
#define GLANCE     ((size_t)64 << 10)     /* bytes searched at once */

const char *const bddf_kinds[BDDF_TAGS] = {
	[BDDF_TAG_BYTES] = "bytes",
	[BDDF_TAG_MAGIC] = "magic",
	[BDDF_TAG_LOG] = "log",
	[BDDF_TAG_DATA] = "data",
	[BDDF_TAG_DESCRIPTOR] = "descriptor",
	[BDDF_TAG_OTHER] = "other",
	[BDDF_TAG_FILE] = "file",
	[BDDF_TAG_SERIES] = "series",
	[BDDF_TAG_SERIES_INDEX] = "series-index",
	[BDDF_TAG_FILE_INDEX] = "file-index",
	[BDDF_TAG_EMPTY_INDEX] = "empty-index",
	[BDDF_TAG_INDEX] = "index",
	[BDDF_TAG_END] = "end",
};

/* The file ends inside the unit, so that it is not a whole block. */
static void
cut(struct slv_unit *u, uint64_t len)
{
	u->verdict = SLV_UNIT_SHORT;
	u->len = len;
	u->problem = BDDF_P_CUT;
}

/* The bytes are an index: a repair rebuilds it from the data blocks. */
static void
derived(struct slv_unit *u, unsigned problem)
{
	u->fate = SLV_REBUILT;
	u->part = SLV_PART_INDEX;
	u->problem = problem;
	u->tag = BDDF_TAG_INDEX;
}

/* Whether data of this series may be here; *foreign: they can only be of another
 * recording. */
static bool
series_fits(const struct slv_scan *s, uint32_t series, enum slv_asking asking,
    bool *foreign)
{
	const struct bddf *b = bddf_of(s);
	bool lost = asking == SLV_ASK_SEARCH || s->catalog.sums[SLV_LOST] > 0
	    || b->first.len == 0;

	*foreign = false;
	if (asking == SLV_ASK_STRANGER || series < b->n_series)
		return true;
	if (lost && series < b->n_series + BDDF_UNDECLARED_MAX)
		return true;
	*foreign = true;
	return asking == SLV_ASK_NEXT;
}

enum slv_status
bddf_data_at(const struct slv_scan *s, uint64_t off, uint32_t size, size_t have,
    struct bddf_data *d, enum bddf_read *read, struct slv_err *err)
{
	void *room = slv_cache_find(s->cache, BDDF_CACHED_DATA, off);
	const struct bddf_data *seen = room;
	size_t look = have < FIRST_LOOK ? have : FIRST_LOOK;
	const uint8_t *p;

	if (seen != NULL && seen->size == size && have == size) {
		*d = *seen;
		*read = BDDF_WHOLE;
		return SLV_OK;
	}
	/* Most false starts are recognised by their first bytes. */
	SLV_TRY(slv_window_view(s->window, off + DATA_HEAD, look, &p, err));
	*read = bddf_data_get(p, look, size, d, NULL, NULL);
	if (*read != BDDF_BROKEN && look < have) {
		SLV_TRY(
		    slv_window_view(s->window, off + DATA_HEAD, have, &p, err));
		*read = bddf_data_get(p, have, size, d, NULL, NULL);
	}
	if (*read != BDDF_WHOLE)
		return SLV_OK;
	SLV_TRY(slv_cache_claim(s->cache, BDDF_CACHED_DATA, &room, err));
	memcpy(room, d, sizeof(*d));
	slv_cache_keep(s->cache, BDDF_CACHED_DATA, room, off);
	return SLV_OK;
}

static enum slv_status
data_block(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    enum slv_asking asking, struct slv_unit *u, struct slv_err *err)
{
	uint64_t avail = s->source->size - off, head_end = off + DATA_HEAD;
	struct bddf_data d;
	const uint8_t *p;
	enum bddf_read read = BDDF_BROKEN;
	uint32_t size = 0;
	bool foreign = false, named = false;

	u->tag = BDDF_TAG_DATA;
	if (avail < DATA_HEAD) {
		cut(u, avail);
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(s->window, off, DATA_HEAD, &p, err));
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (size > 0 && size <= BDDF_DD_MAX && size <= head.size) {
		SLV_TRY(bddf_data_at(s, off, size,
		    (size_t)slv_min64(size, avail - DATA_HEAD), &d, &read,
		    err));
		head_end += size;
	}
	if (read == BDDF_WHOLE
	    && (!bddf_data_time_ok(&d)
	        || (asking != SLV_ASK_NEXT && (!d.has_time || d.strange))
	        || !series_fits(s, d.series, asking, &foreign)))
		read = BDDF_BROKEN;
	if (read == BDDF_CUT
	    || (read == BDDF_BROKEN && head_end > s->logical_end)) {
		cut(u, avail);
		return SLV_OK;
	}
	if (read == BDDF_BROKEN)
		return SLV_OK;
	u->has_channel = true;
	u->channel = d.series;
	u->time = (struct slv_moment){
		.known = d.has_time,
		.sec = d.sec,
		.nanos = (uint32_t)d.nanos,
	};
	memcpy(u->priv, &d, sizeof(d));
	if (bddf_head_span(head) > avail) {
		cut(u, avail);
		return SLV_OK;
	}
	if (foreign)
		SLV_TRY(bddf_named(s, off, d.series, &named, err));
	foreign &= !named;
	u->verdict = SLV_UNIT_GOOD;
	u->len = bddf_head_span(head);
	u->fate = foreign ? SLV_FOREIGN : SLV_KEPT;
	u->problem = BDDF_PROBLEMS;
	return SLV_OK;
}

/* How many bytes of a header equal those of an end header. */
static unsigned
end_likeness(struct bddf_dialect d, const uint8_t *p)
{
	uint8_t header[BDDF_HEADER_SIZE];
	unsigned same = 0;

	bddf_end_header(d, header);
	for (unsigned i = 0; i < BDDF_HEADER_SIZE; i++)
		same += header[i] == p[i];
	return same;
}

/* The vendor's index of a log without series: an empty block before the end
 * block. */
static enum slv_status
empty_block(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t avail = s->source->size - off;
	size_t n = (size_t)slv_min64(avail, 2 * BDDF_HEADER_SIZE);
	const uint8_t *p;

	if (asking != SLV_ASK_STRANGER
	    && (b->n_series > 0 || b->file_index.len > 0))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	if (n == 2 * BDDF_HEADER_SIZE
	    && end_likeness(b->dialect, p + BDDF_HEADER_SIZE)
	        >= BDDF_HEADER_SIZE
	            - (avail == BDDF_HEADER_SIZE + BDDF_END_SIZE)) {
		u->verdict = SLV_UNIT_GOOD;
		u->len = BDDF_HEADER_SIZE;
		u->part = SLV_PART_INDEX;
		u->tag = BDDF_TAG_EMPTY_INDEX;
		u->problem = BDDF_P_EMPTY_INDEX;
	} else if (off + 2 * BDDF_HEADER_SIZE > s->logical_end) {
		cut(u, avail);
		derived(u, BDDF_P_INDEX_BAD);
	}
	return SLV_OK;
}

/* A descriptor block that does not parse or is cut: is it an index, going by
 * its outer tag? */
static enum slv_status
broken_descriptor(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t span = bddf_head_span(head), body = off + BDDF_HEADER_SIZE;
	bool index = b->in_index && body >= s->logical_end;
	const uint8_t *p;

	if (body < s->source->size && b->first.len > 0) {
		SLV_TRY(slv_window_view(s->window, body, 1, &p, err));
		index |= *p == (BDDF_SERIES_INDEX << 3 | 2)
		    || *p == (BDDF_INDEX << 3 | 2)
		    || s->opt.reading & SLV_READ_REMADE;
	}
	if (slv_range_in(off, span, s->source->size))
		u->len = span;
	if (!slv_range_in(off, span, s->logical_end))
		cut(u, s->source->size - off);
	if (index)
		derived(u, BDDF_P_INDEX_BAD);
	return SLV_OK;
}

static enum slv_status
descriptor_block(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    enum slv_asking asking, struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	enum bddf_read read = BDDF_BROKEN;
	struct bddf_desc d = { 0 };

	u->tag = BDDF_TAG_DESCRIPTOR;
	if (head.size == 0)
		return empty_block(s, off, asking, u, err);
	if (slv_range_in(off, bddf_head_span(head), s->source->size))
		SLV_TRY(bddf_desc_get(
		    s, off + BDDF_HEADER_SIZE, head.size, &d, &read, err));
	if (read != BDDF_WHOLE
	    || (d.member == 0 && s->opt.reading & SLV_READ_REMADE))
		return broken_descriptor(s, off, head, u, err);
	if (d.member == BDDF_SERIES && asking != SLV_ASK_STRANGER
	    && d.series > b->n_series + BDDF_GAP_MAX) {
		u->problem = BDDF_P_SERIES_INDEX;
		u->want = b->n_series;
		u->got = d.series;
		return SLV_OK;
	}
	if (asking != SLV_ASK_NEXT && d.strange)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->len = bddf_head_span(head);
	u->tag = BDDF_TAG_OTHER + d.member;
	u->problem = d.strange ? BDDF_P_STRANGE : BDDF_PROBLEMS;
	u->part =
	    d.member >= BDDF_SERIES_INDEX ? SLV_PART_INDEX : SLV_PART_DATA;
	u->has_channel =
	    d.member == BDDF_SERIES || d.member == BDDF_SERIES_INDEX;
	u->channel = d.series;
	memcpy(u->priv, &d, sizeof(d));
	return SLV_OK;
}

/* The end block, recognised by its header, or by its place, its magic and the
 * place of the index that it states.  If it is cut, its end is rebuilt. */
static enum slv_status
end_block(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t there = s->logical_end - off;
	size_t n = (size_t)slv_min64(there, BDDF_END_SIZE);
	bool header, magic, cut_off = n < BDDF_END_SIZE;
	const uint8_t *p;

	if (off >= s->logical_end)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	header = n >= BDDF_HEADER_SIZE
	    && bddf_is_end_header(b->dialect, p, BDDF_HEADER_SIZE);
	magic = !cut_off
	    && memcmp(p + BDDF_END_SIZE - BDDF_MAGIC_SIZE, BDDF_END_MAGIC,
	           BDDF_MAGIC_SIZE)
	        == 0;
	if (!header) {
		bool points = !cut_off && b->file_index.len > 0
		    && slv_get_le64(p + BDDF_HEADER_SIZE) == b->file_index.off;
		bool last = there == BDDF_END_SIZE
		    && end_likeness(b->dialect, p) >= BDDF_HEADER_SIZE - 1;

		if (!magic || !(points || last))
			return SLV_OK;
	}
	/* A header alone is not enough: one flipped bit makes it of a data
	 * block of that size. */
	if (!magic && !cut_off
	    && (asking != SLV_ASK_NEXT
	        || (!b->in_index && there != BDDF_END_SIZE)))
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->len = n;
	u->tag = BDDF_TAG_END;
	u->part = SLV_PART_INDEX;
	u->ends = true;
	u->fate = header && magic ? SLV_KEPT : SLV_REBUILT;
	u->problem = !header ? BDDF_P_END_HEADER
	    : cut_off        ? BDDF_P_END_CUT
	    : !magic         ? BDDF_P_END_MAGIC
	                     : BDDF_PROBLEMS;
	return SLV_OK;
}

/* Fewer bytes than a header, up to where the zeros or the end come. */
static enum slv_status
stump(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	size_t n = (size_t)(s->logical_end - off);
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	cut(u, s->source->size - off);
	if (b->in_index)
		derived(u,
		    bddf_is_end_header(b->dialect, p, n) ? BDDF_P_END_CUT
		                                         : BDDF_P_INDEX_BAD);
	return SLV_OK;
}

enum slv_status
bddf_block(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_head head;
	const uint8_t *p;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.problem = BDDF_P_BAD_BLOCK,
		.tag = BDDF_TAG_BYTES,
	};
	if (off + BDDF_HEADER_SIZE <= s->source->size) {
		SLV_TRY(
		    slv_window_view(s->window, off, BDDF_HEADER_SIZE, &p, err));
		head = bddf_head_get(b->dialect, p);
		if (head.type == BDDF_DATA)
			SLV_TRY(data_block(s, off, head, asking, u, err));
		else if (head.type == BDDF_DESCRIPTOR)
			SLV_TRY(descriptor_block(s, off, head, asking, u, err));
	}
	if (u->verdict != SLV_UNIT_GOOD) {
		struct slv_unit end = *u;

		SLV_TRY(end_block(s, off, asking, &end, err));
		if (end.verdict == SLV_UNIT_GOOD) {
			*u = end;
			return SLV_OK;
		}
	}
	if (u->verdict != SLV_UNIT_GOOD
	    && off + BDDF_HEADER_SIZE > s->logical_end && off < s->logical_end)
		return stump(s, off, u, err);
	return SLV_OK;
}

/* Whether the log goes on after an end block that names another place for
 * the index than it is at: then it ended another log. */
static enum slv_status
ends_another(const struct slv_scan *s, uint64_t off, uint64_t len, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct slv_unit next;
	const uint8_t *p;

	*yes = false;
	if (len < BDDF_END_SIZE || off + len >= s->logical_end)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, BDDF_END_SIZE, &p, err));
	if (slv_get_le64(p + BDDF_HEADER_SIZE) + s->base == b->file_index.off)
		return SLV_OK;
	SLV_TRY(bddf_block(s, off + BDDF_END_SIZE, SLV_ASK_SEARCH, &next, err));
	*yes = next.verdict == SLV_UNIT_GOOD && !next.ends
	    && next.fate == SLV_KEPT;
	return SLV_OK;
}

enum slv_status
bddf_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	bool other = false;

	SLV_TRY(bddf_log(s, off, asking, u, err));
	if (u->verdict == SLV_UNIT_GOOD)
		return SLV_OK;
	SLV_TRY(
	    bddf_block(s, off, b->foreign ? SLV_ASK_STRANGER : asking, u, err));
	if (u->ends && asking != SLV_ASK_STRANGER
	    && !(s->opt.reading & SLV_READ_ONE_LOG))
		SLV_TRY(ends_another(s, off, u->len, &other, err));
	if (b->foreign || other) {
		u->fate = SLV_FOREIGN;
		u->ends = false;
	}
	return SLV_OK;
}

/* Whether the bytes at p, of which n are there, may begin a block; `left`
 * bytes of the file begin there. */
static bool
may_begin(
    struct bddf_dialect dialect, const uint8_t *p, size_t n, uint64_t left)
{
	struct bddf_head head;

	if (n >= BDDF_MAGIC_SIZE && memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0)
		return true;
	if (n < DATA_HEAD + 1)
		return n >= BDDF_HEADER_SIZE
		    && bddf_is_end_header(dialect, p, BDDF_HEADER_SIZE);
	head = bddf_head_get(dialect, p);
	switch (head.type) {
	case BDDF_DATA: {
		uint32_t size = slv_get_le32(p + BDDF_HEADER_SIZE);
		uint8_t tag = p[DATA_HEAD];

		return bddf_head_span(head) <= left && size > 0
		    && size <= head.size && size <= BDDF_DD_MAX
		    && (tag == 0x08 || tag == 0x12);
	}
	case BDDF_DESCRIPTOR: {
		uint8_t tag = p[BDDF_HEADER_SIZE];

		return bddf_head_span(head) <= left && (tag & 7) == 2
		    && tag >> 3 >= BDDF_FILE && tag >> 3 <= BDDF_INDEX;
	}
	case BDDF_END: return bddf_is_end_header(dialect, p, BDDF_HEADER_SIZE);
	case BDDF_NO_TYPE: break;
	}
	return false;
}

/* The first of `stop` places in the n bytes at p where a block may begin;
 * stop when there is none. */
static size_t
first_mark(struct bddf_dialect dialect, const uint8_t *p, size_t n, size_t stop,
    uint64_t left)
{
	for (size_t i = 0; i < stop; i++) {
		/* No block has an empty header: step over long runs of
		 * zeros eight at a time. */
		while (i + 16 <= stop && slv_get_le64(p + i) == 0
		    && slv_get_le64(p + i + 8) == 0)
			i += 8;
		if (may_begin(dialect, p + i, n - i, left - i))
			return i;
	}
	return stop;
}

enum slv_status
bddf_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	/* An end block with a damaged header is known by its place. */
	uint64_t last = s->logical_end - BDDF_END_SIZE;
	bool has_last = s->logical_end >= BDDF_END_SIZE;

	while (from < to) {
		uint64_t left = s->source->size - from;
		size_t stop =
		    (size_t)slv_min64(slv_min64(left, GLANCE), to - from);
		size_t n = (size_t)slv_min64(left, stop + DATA_HEAD + 1);
		size_t at;
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		at = first_mark(b->dialect, p, n, stop, left);
		if (has_last && last >= from && last - from < at)
			at = (size_t)(last - from);
		if (at < stop) {
			*out = from + at;
			return SLV_OK;
		}
		from += stop;
	}
	*out = to;
	return SLV_OK;
}
