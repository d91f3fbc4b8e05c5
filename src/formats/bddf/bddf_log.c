/* bddf_log.c - the beginning of a log: ours at 0, another one elsewhere. */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define FIRST_BLOCK 64 /* bytes of a magic and a first block, about */

/* Where the log that begins at off ends, as far as its blocks hang
 * together. */
static enum slv_status
whole_log(struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	*end = off + BDDF_MAGIC_SIZE;
	while (*end < s->logical_end) {
		struct slv_unit u;

		if (s->opt.cancel != NULL && *s->opt.cancel)
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(bddf_block(s, *end, SLV_ASK_STRANGER, &u, err));
		if (u.verdict == SLV_UNIT_SHORT)
			*end = s->source->size;
		if (u.verdict != SLV_UNIT_GOOD)
			break;
		*end += u.len;
		if (u.ends)
			break;
	}
	return SLV_OK;
}

/* A log behind a magic at off, in the state's dialect; *end = off where there
 * is none. */
static enum slv_status
log_of_dialect(
    struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct slv_unit first;

	*end = off;
	SLV_TRY(bddf_block(
	    s, off + BDDF_MAGIC_SIZE, SLV_ASK_STRANGER, &first, err));
	if (first.verdict != SLV_UNIT_GOOD || first.tag != BDDF_TAG_FILE)
		return SLV_OK;
	return whole_log(s, off, end, err);
}

/* The longest log behind a magic at off, in any dialect.  The state's own
 * dialect is lent out meanwhile. */
static enum slv_status
foreign_log(
    struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	struct bddf_dialect ours = b->dialect;
	enum slv_status st = SLV_OK;
	uint64_t at;

	*end = off;
	for (size_t i = 0; st == SLV_OK && i < 4; i++) {
		b->dialect = bddf_dialects[i];
		st = log_of_dialect(s, off, &at, err);
		if (st == SLV_OK && at > *end)
			*end = at;
	}
	b->dialect = ours;
	return st;
}

enum slv_status
bddf_log(struct slv_scan *s, uint64_t off, enum slv_asking asking,
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
	SLV_TRY(slv_window_view(&s->window, off, BDDF_MAGIC_SIZE, &p, err));
	magic = memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0;
	if (off != 0 && !magic)
		return SLV_OK;
	*u = (struct slv_unit){ .verdict = SLV_UNIT_BAD };
	if (off == 0 && (magic || b->first_parses)) {
		u->verdict = SLV_UNIT_GOOD;
		u->len = BDDF_MAGIC_SIZE;
		u->tag = BDDF_TAG_MAGIC;
		u->part = SLV_PART_FRAME;
		u->fate = magic ? SLV_KEPT : SLV_REBUILT;
		u->problem = magic ? BDDF_PROBLEMS : BDDF_P_MAGIC;
		return SLV_OK;
	}
	if (off == 0)
		return SLV_OK;
	SLV_TRY(foreign_log(s, off, &end, err));
	/* Behind our own end a magic and a few bytes are another log, too. */
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
