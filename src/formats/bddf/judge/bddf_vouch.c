/* bddf_vouch.c - is a block that looks whole really whole?
 *
 * Where filler follows a torn block it completes it to its stated length.  So
 * a block is believed only if a block begins where it ends: the whole head of
 * one, or as much of it as the file still holds.
 */
#include <string.h>

#include "core/scan/probe.h"
#include "core/scan/resync.h"
#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/read/bddf_ident.h"

#define HOLE_MIN  1  /* zeros of the payload that it reaches */
#define OUTER_MAX 11 /* bytes of an outer tag and its length */
#define CUT_HEAD  64 /* bytes of a head that was cut */

/* Fewer than 8 bytes of a header. */
static bool
part_of_header(struct bddf_dialect dialect, const uint8_t *p, size_t n)
{
	struct bddf_head head;
	uint8_t padded[BDDF_HEADER_SIZE] = { 0 };

	if (!dialect.type_first)
		return true; /* the type is what is missing */
	memcpy(padded, p, n);
	head = bddf_head_get(dialect, padded);
	if (head.type == BDDF_END)
		return bddf_is_end_header(dialect, p, n);
	return head.type != BDDF_NO_TYPE;
}

/* What is known of a block after another one. */
struct behind {
	uint64_t end;           /* where it ends, if it is data */
	struct slv_moment time; /* of data, unless its head is cut */
	bool again;             /* a first block, of which this log has one */
};

/* A data header with its DataDescriptor, whose payload may run out. */
static enum slv_status
data_head(const struct slv_scan *s, uint64_t at, struct bddf_head head,
    struct behind *next, bool *yes, struct slv_err *err)
{
	uint64_t there = s->logical_end - at;
	struct bddf_data d;
	enum bddf_read read = BDDF_BROKEN;
	uint8_t padded[4] = { 0 };
	const uint8_t *p;
	uint32_t size;
	size_t have;

	have = (size_t)slv_min64(there, BDDF_DATA_HEAD);
	SLV_TRY(slv_window_view(s->window, at, have, &p, err));
	memcpy(padded, p + BDDF_HEADER_SIZE, have - BDDF_HEADER_SIZE);
	size = slv_get_le32(padded);
	*yes = size <= BDDF_DD_MAX && size <= head.size;
	if (!*yes || there < BDDF_DATA_HEAD)
		return SLV_OK;
	if (size > 0)
		SLV_TRY(bddf_data_at(s, at, size,
		    (size_t)slv_min64(there - BDDF_DATA_HEAD, size), &d, &read,
		    err));
	*yes =
	    read != BDDF_BROKEN && (read == BDDF_CUT || bddf_data_time_ok(&d));
	next->end = at + bddf_head_span(head);
	if (*yes && read == BDDF_WHOLE)
		next->time =
		    (struct slv_moment){ .known = d.has_time, .sec = d.sec };
	return SLV_OK;
}

/* A DescriptorBlock that is cut or damaged: its outer tag and length must
 * agree with the block-size, as far as they are there. */
static enum slv_status
outer_agrees(const struct slv_scan *s, uint64_t at, struct bddf_head head,
    bool *yes, struct slv_err *err)
{
	uint64_t from = at + BDDF_HEADER_SIZE, v = 0;
	size_t n = (size_t)slv_min64(s->logical_end - from, OUTER_MAX);
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, from, n, &p, err));
	*yes = n == 0 || ((p[0] & 7) == 2 && p[0] < 0x80 && p[0] >> 3 != 0);
	for (size_t i = 1; *yes && i < n; i++) {
		v |= (uint64_t)(p[i] & 0x7f) << 7 * (i - 1);
		if (p[i] < 0x80) {
			*yes = head.size == 1 + i + v;
			break;
		}
	}
	return SLV_OK;
}

static enum slv_status
descriptor_head(const struct slv_scan *s, uint64_t at, struct bddf_head head,
    struct behind *next, bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t there = s->logical_end - at;
	struct bddf_desc d;
	enum bddf_read read = BDDF_BROKEN;

	if (head.size == 0) {
		*yes = b->n_series == 0;
		return SLV_OK;
	}
	if (bddf_head_span(head) <= there)
		SLV_TRY(bddf_desc_get(
		    s, at + BDDF_HEADER_SIZE, head.size, &d, &read, err));
	*yes = read == BDDF_WHOLE;
	next->again = *yes && d.member == BDDF_FILE && b->first.len > 0
	    && at > b->first.off;
	return *yes ? SLV_OK : outer_agrees(s, at, head, yes, err);
}

/* Whether a hole begins in a DataDescriptor and runs on into the payload: zeros
 * do, and what it says does not fit its series. */
static enum slv_status
hole_in_head(const struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_data d;
	const uint8_t *p;
	size_t n = 0;

	memcpy(&d, u->priv, sizeof(d));
	*yes = false;
	/* A proof judges what was decided. */
	if (s->reference != NULL || !bddf_is_data(u) || d.series >= b->n_series
	    || !b->series[d.series].declared
	    || d.n_extra == b->series[d.series].n_names)
		return SLV_OK;
	if (u->len < BDDF_DATA_HEAD + d.size + HOLE_MIN)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off + BDDF_DATA_HEAD + d.size - 1,
	    1 + HOLE_MIN, &p, err));
	while (n < 1 + HOLE_MIN && p[n] == 0)
		n++;
	*yes = n == 1 + HOLE_MIN;
	return SLV_OK;
}

/* Whether what starts at `at` is a block as far as it is there.  Zeros that
 * reach the end of the file count as not there. */
static enum slv_status
begins_here(const struct slv_scan *s, uint64_t at, struct behind *next,
    bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t there = s->logical_end - at;
	struct bddf_head head;
	const uint8_t *p;

	if (there < BDDF_HEADER_SIZE) {
		SLV_TRY(slv_window_view(s->window, at, (size_t)there, &p, err));
		*yes = part_of_header(b->dialect, p, (size_t)there);
		return SLV_OK;
	}
	SLV_TRY(slv_window_view(s->window, at, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(b->dialect, p);
	switch (head.type) {
	case BDDF_DATA: return data_head(s, at, head, next, yes, err);
	case BDDF_DESCRIPTOR:
		return descriptor_head(s, at, head, next, yes, err);
	case BDDF_END:
		*yes = bddf_is_end_header(b->dialect, p, BDDF_HEADER_SIZE);
		return SLV_OK;
	case BDDF_NO_TYPE: break;
	}
	*yes = false;
	return SLV_OK;
}

/* Whether a descriptor of which only the header is right is at `at`: where
 * it says it ends, a block begins.  One of data could be any length. */
static enum slv_status
leads_on(const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	uint64_t there = s->logical_end - at;
	struct behind next = { 0 };
	struct bddf_head head;
	const uint8_t *p;

	*yes = false;
	if (there < BDDF_HEADER_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(bddf_of(s)->dialect, p);
	if (head.type != BDDF_DESCRIPTOR || head.size == 0
	    || bddf_head_span(head) > there - BDDF_HEADER_SIZE)
		return SLV_OK;
	return begins_here(s, at + bddf_head_span(head), &next, yes, err);
}

/* Whether another log begins at `at` or in the head of a block there, and it is
 * all that follows, so that no payload carries it: then this one ended there. */
static enum slv_status
log_begins(
    const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	uint64_t end = slv_min64(at + CUT_HEAD, s->logical_end), log;
	struct behind next = { 0 };
	struct slv_probe probe;
	enum slv_status st;

	SLV_TRY(bddf_log_across(s, at, end, end, &log, err));
	*yes = log < end;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(bddf_log_across(
	    s, log, end, slv_max64(end, s->logical_end - 1), &log, err));
	*yes = log < end;
	if (!*yes || log == at)
		return SLV_OK;
	slv_probe_open(&probe, s, NULL);
	probe.scan.logical_end = log;
	st = begins_here(&probe.scan, at, &next, yes, err);
	slv_probe_close(&probe);
	return st;
}

enum slv_status
bddf_head_begins(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct behind next = { 0 };

	return begins_here(s, off, &next, yes, err);
}

enum slv_status
bddf_begins(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct behind next = { 0 };

	SLV_TRY(begins_here(s, off, &next, yes, err));
	if (!*yes)
		SLV_TRY(leads_on(s, off, yes, err));
	return *yes ? SLV_OK : log_begins(s, off, yes, err);
}

/* What was set aside at the end of a data block, or NULL: blocks of another
 * recording say nothing about this one.  A descriptor is confirmed by what it
 * says. */
static const struct slv_aside *
aside_behind(const struct slv_scan *s, const struct slv_unit *u, uint64_t at)
{
	return bddf_is_data(u) ? slv_mends_aside(s->opt.mends, at) : NULL;
}

/* Whether a block vouches for the one of this time before it.  One of another
 * clock does if it is whole itself, and one alone if this clock goes on after
 * it; what remains of an older log does not, nor does a log that begins inside
 * the block. */
static enum slv_status
vouches(const struct slv_scan *s, struct slv_unit *u, uint64_t at, bool *yes,
    struct slv_err *err)
{
	const struct slv_aside *aside = aside_behind(s, u, at);
	struct behind next = { 0 }, beyond = { 0 };
	bool holds = true;
	uint64_t log;

	SLV_TRY(begins_here(s, at, &next, yes, err));
	if (!*yes)
		return bddf_begins(s, at, yes, err);
	/* It is in a payload. */
	if (next.again) {
		*yes = false;
		return SLV_OK;
	}
	if (next.end > 0 && bddf_is_data(u))
		SLV_TRY(bddf_size_holds(s, at, u, &holds, err));
	u->weak = !holds;
	if (aside != NULL && aside->fate == SLV_FOREIGN) {
		*yes = false;
		return SLV_OK;
	}
	if (!u->time.known || !next.time.known || next.end >= s->logical_end
	    || !bddf_clock_far(s, u->time.sec, next.time.sec))
		return SLV_OK;
	SLV_TRY(bddf_log_across(s, at - u->len + 1, at, at, &log, err));
	*yes = log >= at;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(begins_here(s, next.end, &beyond, yes, err));
	if (aside != NULL && beyond.time.known)
		*yes &= !bddf_clock_far(s, u->time.sec, beyond.time.sec);
	return SLV_OK;
}

/* Whether the log goes on inside the unit, with the same declaration, or with one
 * that is known already: then this one was torn, or is of a duplicate range. */
static enum slv_status
is_followed(const struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    bool *yes, struct slv_err *err)
{
	struct slv_unit next;
	uint64_t mark;
	bool spent;

	SLV_TRY(slv_resync(
	    s, off + 1, s->logical_end, SLV_ASK_SEARCH, &mark, &spent, err));
	*yes = spent || mark < off + u->len;
	if (*yes || mark >= s->logical_end)
		return SLV_OK;
	SLV_TRY(bddf_block(s, mark, SLV_ASK_SEARCH, &next, err));
	*yes = next.tag == BDDF_TAG_SERIES
	    && (next.channel == u->channel
	        || next.channel < bddf_of(s)->n_series);
	return SLV_OK;
}

/* Whether a declaration, after which nothing begins, is confirmed by its own
 * hash, and no run of one byte that holes are made of reaches into it. */
static enum slv_status
confirms_itself(const struct slv_scan *s, uint64_t off,
    const struct slv_unit *u, bool *yes, struct slv_err *err)
{
	uint64_t end = off + u->len;
	bool followed;
	uint8_t meaning[BDDF_DIGEST_SIZE];
	struct bddf_desc d;
	const uint8_t *p;
	uint64_t hash;

	*yes = u->tag == BDDF_TAG_SERIES && end < s->logical_end;
	if (!*yes)
		return SLV_OK;
	memcpy(&d, u->priv, sizeof(d));
	SLV_TRY(slv_window_view(s->window, end - 1, 2, &p, err));
	if (d.strange || (p[0] == p[1] && (p[0] == 0x00 || p[0] == 0xff))) {
		*yes = false;
		return SLV_OK;
	}
	SLV_TRY(bddf_ident(s, (struct bddf_range){ d.ident_off, d.ident_len },
	    &hash, meaning, yes, err));
	*yes &= hash == d.hash;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(is_followed(s, off, u, &followed, err));
	*yes = !followed;
	return SLV_OK;
}

enum slv_status
bddf_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t end = off + u->len;
	struct bddf_desc d;
	bool yes = true, hole, sure = false;

	/* The magic is no block, a whole foreign log needs no confirmation,
	 * and an index is compared with the data blocks. */
	*out = SLV_VOUCHED;
	if (u->part != SLV_PART_DATA || u->fate == SLV_FOREIGN)
		return SLV_OK;
	*out = slv_scan_zeros(s, off, end);
	SLV_TRY(hole_in_head(s, off, u, &hole, err));
	if (hole)
		*out = SLV_SUSPECT;
	if (*out == SLV_UNSURE) {
		u->problem = BDDF_P_END_UNSURE;
		return SLV_OK;
	}
	if (s->opt.mends != NULL
	    && slv_ranges_hit(&s->opt.mends->barred, off, 1)) {
		*out = SLV_SUSPECT;
	} else if (*out == SLV_VOUCHED && end < s->logical_end) {
		SLV_TRY(vouches(s, u, end, &yes, err));
		if (!yes) {
			*out = SLV_SUSPECT;
			SLV_TRY(confirms_itself(s, off, u, &sure, err));
		}
	}
	SLV_TRY(bddf_swallows_footer(s, off, end, &hole, err));
	if (hole)
		*out = SLV_SUSPECT;
	/* Without its first block the log would not say what it is; it is kept
	 * whenever it parses and no zeros are in it.  So is a declaration that
	 * confirms itself. */
	memcpy(&d, u->priv, sizeof(d));
	if (sure
	    || (!yes && off == s->base + BDDF_MAGIC_SIZE
	        && u->tag == BDDF_TAG_FILE && !d.strange)) {
		u->problem = BDDF_P_SUSPECT_KEPT;
		*out = SLV_UNSURE;
	}
	if (*out == SLV_SUSPECT)
		u->problem = s->opt.keep & SLV_KEEP_SUSPECT
		    ? BDDF_P_SUSPECT_KEPT
		    : BDDF_P_SUSPECT;
	return SLV_OK;
}
