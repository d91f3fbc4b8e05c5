/* bddf_dialect.c - which of the four dialects, and is it BDDF at all?
 *
 * The first block must be a FileFormatDescriptor, which decides.  Where it is
 * damaged, the dialect under which a chain of blocks hangs together does.
 */
#include <string.h>

#include "core/scan/resync.h"
#include "formats/bddf/bddf_state.h"

#define BID_FIRST 128 /* bits: header, tags and lengths of the first block */
#define BID_CHAIN 64  /* a chain of blocks somewhere */
#define BID_MAGIC 32
#define SEARCH    ((uint64_t)16 << 20) /* bytes looked through for a chain */

static enum slv_status
first_parses(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_head head;
	struct bddf_desc d;
	enum bddf_read read;
	const uint8_t *p;
	uint64_t at = s->base + BDDF_MAGIC_SIZE;

	*yes = false;
	if (!slv_range_in(at, BDDF_HEADER_SIZE, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(b->dialect, p);
	if (head.type != BDDF_DESCRIPTOR || head.size == 0
	    || !slv_range_in(at, bddf_head_span(head), s->source->size))
		return SLV_OK;
	SLV_TRY(
	    bddf_desc_get(s, at + BDDF_HEADER_SIZE, head.size, &d, &read, err));
	*yes = read == BDDF_WHOLE && d.member == BDDF_FILE;
	return SLV_OK;
}

/* Whether a block begins where the first one ends, in this dialect: one
 * flipped bit can make a first block look right in another. */
static enum slv_status
second_follows(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	enum slv_vouch vouch = SLV_SUSPECT;
	uint64_t at = s->base + BDDF_MAGIC_SIZE;
	struct slv_unit u;

	SLV_TRY(bddf_block(s, at, SLV_ASK_NEXT, &u, err));
	if (u.verdict == SLV_UNIT_GOOD)
		SLV_TRY(bddf_vouch(s, at, &u, &vouch, err));
	*yes = vouch == SLV_VOUCHED;
	return SLV_OK;
}

/* Whether a file index begins at `at` and ends at `end`, in any dialect: that of the
 * log is not known yet. */
static enum slv_status
is_file_index(struct slv_scan *s, uint64_t at, uint64_t end, bool *yes,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_dialect ours = b->dialect;
	enum slv_status st = SLV_OK;
	struct slv_unit u;

	*yes = false;
	for (size_t i = 0; st == SLV_OK && !*yes && i < 4; i++) {
		b->dialect = bddf_dialects[i];
		st = bddf_block(s, at, SLV_ASK_STRANGER, &u, err);
		*yes = st == SLV_OK && u.verdict == SLV_UNIT_GOOD
		    && u.tag == BDDF_TAG_FILE_INDEX && at + u.len == end;
	}
	b->dialect = ours;
	return st;
}

/* Whether the footer at the end of the file is of a log that begins at off: then a file
 * index is at the offset that it states. */
static enum slv_status
footer_counts(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	uint64_t foot = s->logical_end - BDDF_END_SIZE, index;
	const uint8_t *p;

	*yes = false;
	if (s->logical_end < off + BDDF_MAGIC_SIZE + BDDF_END_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, foot, BDDF_END_SIZE, &p, err));
	index = slv_get_le64(p + BDDF_HEADER_SIZE);
	if (memcmp(p + BDDF_END_SIZE - BDDF_MAGIC_SIZE, BDDF_END_MAGIC,
	        BDDF_MAGIC_SIZE)
	        != 0
	    || index < BDDF_MAGIC_SIZE || index >= foot - off)
		return SLV_OK;
	return is_file_index(s, off + index, foot, yes, err);
}

/* Whether a block begins at `end`, where a log ends: then a block before it may carry the
 * log.  If the log has no end block, the head is of a damaged block of its own. */
static enum slv_status
is_followed(
    const struct slv_scan *s, uint64_t end, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (s->logical_end - end < BDDF_HEADER_SIZE || end < BDDF_END_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, end - BDDF_MAGIC_SIZE, BDDF_MAGIC_SIZE, &p, err));
	if (memcmp(p, BDDF_END_MAGIC, BDDF_MAGIC_SIZE) != 0)
		return SLV_OK;
	return bddf_head_begins(s, end, yes, err);
}

/* Set the scan's base if a whole log begins at off, and its footer ends the file, or it
 * reaches the end, or it is most of the file and no block follows it.  Otherwise a block
 * of another log may carry it. */
static enum slv_status
find_base(struct slv_scan *s, uint64_t off, struct slv_err *err)
{
	bool counts, goes_on = false;
	struct slv_unit u;
	uint64_t end;

	SLV_TRY(bddf_log(s, off, SLV_ASK_SEARCH, &u, err));
	if (u.verdict != SLV_UNIT_GOOD || !u.whole_log)
		return SLV_OK;
	/* The same log may follow, once or several times. */
	for (end = off + u.len; end < s->logical_end; end += u.len) {
		SLV_TRY(bddf_log(s, end, SLV_ASK_SEARCH, &u, err));
		if (u.verdict != SLV_UNIT_GOOD || !u.whole_log)
			break;
	}
	if (end < s->logical_end)
		SLV_TRY(is_followed(s, end, &goes_on, err));
	SLV_TRY(footer_counts(s, off, &counts, err));
	if (counts || end >= s->logical_end
	    || (end - off > s->logical_end / 2 && !goes_on))
		s->base = off;
	return SLV_OK;
}

/* The dialect under which a chain of blocks begins first, at *first; the present
 * one where none does. */
static enum slv_status
find_chain(
    struct slv_scan *s, bool *found, uint64_t *first, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_dialect winner = b->dialect;
	uint64_t best = slv_min64(s->logical_end, SEARCH), at;
	bool spent;

	*found = false;
	for (size_t i = 0; i < 4 && best > 1; i++) {
		b->dialect = bddf_dialects[i];
		SLV_TRY(
		    slv_resync(s, 1, best, SLV_ASK_STRANGER, &at, &spent, err));
		if (at < best) {
			best = at;
			winner = b->dialect;
			*found = true;
		}
	}
	b->dialect = winner;
	*first = best;
	s->cache->searched = 0;
	return SLV_OK;
}

/* The dialect in which the first block is right, and a block follows it: then
 * first_parses is set; else the first in which it is right: *alone. */
static enum slv_status
pick(struct slv_scan *s, bool *alone, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_dialect first = bddf_dialects[0];
	bool yes;

	*alone = false;
	for (size_t i = 0; i < 4; i++) {
		b->dialect = bddf_dialects[i];
		SLV_TRY(first_parses(s, &yes, err));
		if (!yes)
			continue;
		SLV_TRY(second_follows(s, &b->first_parses, err));
		if (b->first_parses)
			return SLV_OK;
		if (!*alone)
			first = b->dialect;
		*alone = true;
	}
	b->dialect = first;
	return SLV_OK;
}

enum slv_status
bddf_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	bool magic = false, yes, alone;
	const uint8_t *p;
	uint64_t first;

	if (s->source->size - s->base >= BDDF_MAGIC_SIZE) {
		SLV_TRY(slv_window_view(
		    s->window, s->base, BDDF_MAGIC_SIZE, &p, err));
		magic = memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0;
	}
	SLV_TRY(pick(s, &alone, err));
	*bid = BID_FIRST + (magic ? BID_MAGIC : 0);
	if (b->first_parses)
		return SLV_OK;
	SLV_TRY(find_chain(s, &yes, &first, err));
	if (!alone)
		*bid = yes ? BID_CHAIN : magic ? BID_MAGIC : 0;
	if (yes && !alone)
		SLV_TRY(find_base(s, first, err));
	if (s->base > 0)
		return pick(s, &alone, err);
	if (alone || yes)
		SLV_TRY(first_parses(s, &b->first_parses, err));
	return SLV_OK;
}
