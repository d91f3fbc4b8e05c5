/* mcap_magic.c - the magic: it begins a file, ends it, or begins another one. */
#include "formats/mcap/read/mcap_unit.h"

#include "base/bytes.h"

/* The footer before the magic that ends the file; *yes = false: the file does not end
 * so. */
static enum slv_status
get_last_footer(const struct slv_scan *s, struct mcap_record *r, bool *yes,
    struct slv_err *err)
{
	uint64_t end = s->logical_end;

	SLV_TRY(mcap_closed(s, yes, err));
	*yes = *yes && end >= MCAP_TAIL_SIZE;
	if (*yes)
		SLV_TRY(mcap_look_strict(s, end - MCAP_TAIL_SIZE, r, yes, err));
	*yes = *yes && r->op == MCAP_FOOTER;
	return SLV_OK;
}

/* Whether the magic after the footer ends the file.  A page of an older file can be
 * in the middle of this one: its footer states a summary that is not before it, and
 * the file ends with a footer of its own. */
static enum slv_status
is_last_footer(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct mcap_summary *x = &mcap_of(s)->summary;
	struct mcap_record r;
	bool other;

	*yes = x->footer != 0;
	if (!*yes || x->start == 0
	    || (x->from <= x->start && x->start <= x->footer))
		return SLV_OK;
	SLV_TRY(get_last_footer(s, &r, &other, err));
	*yes = !other;
	return SLV_OK;
}

/* Whether the footer at the end of the file, after off, is that of this log: it states
 * the place of a summary, and DataEnd is before that.  A log that begins at off has
 * other places. */
static enum slv_status
has_own_end(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	uint64_t end = s->logical_end, at;
	struct mcap_record footer, r;

	*yes = false;
	if (end - off < MCAP_TAIL_SIZE)
		return SLV_OK;
	SLV_TRY(get_last_footer(s, &footer, yes, err));
	at = *yes ? footer.v[MCAP_START] : 0;
	*yes = at > MCAP_DATA_END && at < end - s->base && at + s->base > off;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(
	    mcap_look_strict(s, at + s->base - MCAP_DATA_END, &r, yes, err));
	*yes &= r.op == MCAP_DATA_END_OP && mcap_span(&r) == MCAP_DATA_END;
	return SLV_OK;
}

enum slv_status
mcap_magic_unit(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	uint64_t end = off + MCAP_MAGIC_SIZE;
	struct mcap_record r;
	bool magic, yes, last;

	SLV_TRY(mcap_is_magic(s, off, &magic, err));
	if (!magic && off != 0)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(s, end, &r, &yes, err));
	if (!magic && !(yes && r.op == MCAP_HEADER))
		return SLV_OK;
	u->tag = MCAP_TAG_MAGIC;
	u->part = SLV_PART_FRAME;
	u->len = MCAP_MAGIC_SIZE;
	/* A file that a payload holds ends where this one goes on. */
	SLV_TRY(is_last_footer(s, &last, err));
	u->ends = off != s->base && !yes && (last || end >= s->logical_end);
	if (off == s->base || u->ends) {
		u->verdict = SLV_UNIT_GOOD;
		/* What a header follows at the beginning of a file was one. */
		u->fate = magic ? SLV_KEPT : SLV_REBUILT;
	} else if (yes && r.op == MCAP_HEADER) {
		SLV_TRY(has_own_end(s, off, &last, err));
		if (last)
			return SLV_OK;
		u->verdict = SLV_UNIT_GOOD;
		u->fate = SLV_FOREIGN;
		u->len = s->source->size - off;
		u->whole_log = true;
	}
	return SLV_OK;
}

enum slv_status
mcap_closed(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	*yes = s->logical_end >= MCAP_MAGIC_SIZE;
	return *yes
	    ? mcap_is_magic(s, s->logical_end - MCAP_MAGIC_SIZE, yes, err)
	    : SLV_OK;
}
