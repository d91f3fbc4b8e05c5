/* bddf_log.c - the beginning of a log: ours at 0, another one elsewhere. */
#include <string.h>

#include "core/scan/probe.h"
#include "formats/bddf/bddf_state.h"
#include "support/seek.h"

#define FIRST_BLOCK 64 /* bytes of a magic and a first block, about */

/* Whether the end block at `foot` counts from the beginning of the file, where
 * our log begins, and not from off. */
static enum slv_status
is_ours(const struct slv_scan *s, uint64_t off, uint64_t foot, uint64_t index,
    bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, foot, BDDF_DIGEST_AT, &p, err));
	*yes = off > s->base && bddf_of(s)->first.len > 0
	    && slv_get_le64(p + BDDF_HEADER_SIZE) + s->base == index;
	return SLV_OK;
}

/* Where the log that begins at off ends, as far as its blocks hang together;
 * off: they lead to the end of our log, so that only a payload begins there. */
static enum slv_status
whole_log(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	uint64_t index = 0;
	bool ours = false, begins = false;

	*end = off + BDDF_MAGIC_SIZE;
	while (*end < s->logical_end) {
		struct slv_unit u;

		SLV_TRY(slv_scan_go_on(s, err));
		SLV_TRY(bddf_block(s, *end, SLV_ASK_STRANGER, &u, err));
		if (u.verdict == SLV_UNIT_SHORT)
			SLV_TRY(bddf_head_begins(s, *end, &begins, err));
		if (begins)
			*end = s->source->size;
		if (u.verdict != SLV_UNIT_GOOD)
			break;
		if (u.tag == BDDF_TAG_FILE_INDEX)
			index = *end;
		if (u.ends && index > 0 && u.len == BDDF_END_SIZE)
			SLV_TRY(is_ours(s, off, *end, index, &ours, err));
		*end = ours ? off : *end + u.len;
		if (u.ends)
			break;
	}
	return SLV_OK;
}

/* A log after a magic at off, in the state's dialect; *end = off where there
 * is none. */
static enum slv_status
log_of_dialect(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct slv_unit first;

	*end = off;
	SLV_TRY(bddf_block(
	    s, off + BDDF_MAGIC_SIZE, SLV_ASK_STRANGER, &first, err));
	if (first.verdict != SLV_UNIT_GOOD || first.tag != BDDF_TAG_FILE)
		return SLV_OK;
	return whole_log(s, off, end, err);
}

/* The longest log after a magic at off, in any dialect. */
static enum slv_status
foreign_log(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct bddf theirs = *bddf_of(s);
	enum slv_status st = SLV_OK;
	struct slv_probe probe;
	uint64_t at;

	*end = off;
	slv_probe_open(&probe, s, NULL);
	probe.scan.state = &theirs;
	for (size_t i = 0; st == SLV_OK && i < 4; i++) {
		theirs.dialect = bddf_dialects[i];
		st = log_of_dialect(&probe.scan, off, &at, err);
		if (st == SLV_OK && at > *end)
			*end = at;
	}
	slv_probe_close(&probe);
	return st;
}

enum slv_status
bddf_log(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const uint8_t *p;
	uint64_t end;
	bool magic;

	/* What is no log, as every block, is asked for nothing else. */
	u->verdict = SLV_UNIT_BAD;
	if (off + BDDF_MAGIC_SIZE > s->logical_end)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, BDDF_MAGIC_SIZE, &p, err));
	magic = memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0;
	if (off != s->base && !magic)
		return SLV_OK;
	*u = (struct slv_unit){ .verdict = SLV_UNIT_BAD };
	if (off == s->base && (magic || b->first_parses)) {
		u->verdict = SLV_UNIT_GOOD;
		u->len = BDDF_MAGIC_SIZE;
		u->tag = BDDF_TAG_MAGIC;
		u->part = SLV_PART_FRAME;
		u->fate = magic ? SLV_KEPT : SLV_REBUILT;
		u->problem = magic ? BDDF_PROBLEMS : BDDF_P_MAGIC;
		return SLV_OK;
	}
	if (off == s->base && (off == 0 || b->first_parses))
		return SLV_OK;
	SLV_TRY(foreign_log(s, off, &end, err));
	/* After our own end a magic and a few bytes are another log, too. */
	if (end == off && asking == SLV_ASK_STRANGER
	    && s->logical_end - off < FIRST_BLOCK)
		end = s->source->size;
	if (end == off)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->len = end - off;
	u->tag = BDDF_TAG_LOG;
	u->fate = SLV_FOREIGN;
	u->whole_log = true;
	u->problem = BDDF_PROBLEMS;
	return SLV_OK;
}

/* The first magic in [from, to), of which all bytes are before `to`; `to`:
 * there is none. */
static enum slv_status
next_magic(const struct slv_scan *s, uint64_t from, uint64_t to, uint64_t *out,
    struct slv_err *err)
{
	SLV_TRY(slv_seek(s, from, to, BDDF_MAGIC, BDDF_MAGIC_SIZE, out, err));
	if (to - *out < BDDF_MAGIC_SIZE)
		*out = to;
	return SLV_OK;
}

enum slv_status
bddf_log_across(const struct slv_scan *s, uint64_t from, uint64_t end,
    uint64_t past, uint64_t *out, struct slv_err *err)
{
	for (*out = from; *out < end; ++*out) {
		uint64_t log_end;

		SLV_TRY(next_magic(s, *out, end, out, err));
		if (*out >= end)
			return SLV_OK;
		SLV_TRY(foreign_log(s, *out, &log_end, err));
		if (log_end > past)
			return SLV_OK;
	}
	return SLV_OK;
}
