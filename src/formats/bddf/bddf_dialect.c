/* bddf_dialect.c - which of the four dialects, and is it BDDF at all?
 *
 * The first block must be a FileFormatDescriptor, which decides.  Where it is
 * damaged, the dialect under which a chain of blocks hangs together does.
 */
#include <string.h>

#include "core/resync.h"
#include "formats/bddf/bddf_state.h"

#define BID_FIRST 128 /* bits: header, tags and lengths of the first block */
#define BID_CHAIN 64  /* a chain of blocks somewhere */
#define BID_MAGIC 32
#define SEARCH    ((uint64_t)16 << 20) /* bytes looked through for a chain */

static enum slv_status
first_parses(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	struct bddf_head head;
	struct bddf_desc d;
	enum bddf_read read;
	const uint8_t *p;

	*yes = false;
	if (s->source->size < BDDF_MAGIC_SIZE + BDDF_HEADER_SIZE)
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    &s->window, BDDF_MAGIC_SIZE, BDDF_HEADER_SIZE, &p, err));
	head = bddf_head_get(b->dialect, p);
	if (head.type != BDDF_DESCRIPTOR || head.size == 0
	    || !slv_range_in(
	        BDDF_MAGIC_SIZE, bddf_head_span(head), s->source->size))
		return SLV_OK;
	SLV_TRY(bddf_desc_get(
	    s, BDDF_MAGIC_SIZE + BDDF_HEADER_SIZE, head.size, &d, &read, err));
	*yes = read == BDDF_WHOLE && d.member == BDDF_FILE;
	return SLV_OK;
}

enum slv_status
bddf_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	uint64_t to = slv_min64(s->logical_end, SEARCH), at, best = to;
	const uint8_t *p;
	size_t winner = 0;
	bool magic = false, spent;

	*bid = 0;
	if (s->source->size >= BDDF_MAGIC_SIZE) {
		SLV_TRY(
		    slv_window_view(&s->window, 0, BDDF_MAGIC_SIZE, &p, err));
		magic = memcmp(p, BDDF_MAGIC, BDDF_MAGIC_SIZE) == 0;
	}
	for (size_t i = 0; i < 4; i++) {
		b->dialect = bddf_dialects[i];
		SLV_TRY(first_parses(s, &b->first_parses, err));
		if (b->first_parses) {
			*bid = BID_FIRST + (magic ? BID_MAGIC : 0);
			return SLV_OK;
		}
	}
	*bid = magic ? BID_MAGIC : 0;
	for (size_t i = 0; i < 4; i++) {
		b->dialect = bddf_dialects[i];
		SLV_TRY(slv_resync(s, BDDF_MAGIC_SIZE, best, SLV_ASK_STRANGER,
		    &at, &spent, err));
		if (at < best) {
			best = at;
			winner = i;
			*bid = BID_CHAIN;
		}
	}
	b->dialect = bddf_dialects[winner];
	s->resync_work = 0;
	return SLV_OK;
}
