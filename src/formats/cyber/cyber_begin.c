/* cyber_begin.c - is it a record? */
#include "formats/cyber/cyber_state.h"

/* Bits of evidence. */
#define BID_HEAD  104 /* the header, whole */
#define BID_FIRST 100 /* sections where the first of any record are */
#define BID_CHAIN 60  /* two units, somewhere */

#define SEARCH    ((uint64_t)8 << 20) /* bytes in which they must be */

enum slv_status
cyber_is_chain(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_section k;
	struct cyber_message m;
	uint64_t len;

	*yes = false;
	SLV_TRY(cyber_look_message(s, off, &m, err));
	SLV_TRY(cyber_look_section(s, off, &k, err));
	if (m.read != CYBER_WHOLE && (!k.agrees || k.size == 0))
		return SLV_OK;
	if (m.read == CYBER_WHOLE)
		len = cyber_message_span(&m);
	else
		len =
		    CYBER_SECTION + (k.found == CYBER_CHUNK_BODY ? 0 : k.size);
	/* A body was seen to begin with a message; a section may be cut. */
	*yes = k.agrees && !slv_range_in(off, len, s->source->size)
	    && off == CYBER_DATA_START;
	if (!*yes && slv_range_in(off, len, s->source->size))
		SLV_TRY(cyber_goes_on(s, off + len, CYBER_NEXT_ANY, yes, err));
	return SLV_OK;
}

/* Whether a record begins at off, with its header, and reaches at least as far
 * as the file: a payload may carry a shorter one. */
static enum slv_status
is_base(struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_head head;
	const uint8_t *p;

	*yes = false;
	if (off > 0)
		SLV_TRY(cyber_look_record(s, off, yes, err));
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, CYBER_DATA_START, &p, err));
	cyber_head_get(p, CYBER_DATA_START, &head);
	*yes = head.v[CYBER_COMPLETE] != 1
	    || head.v[CYBER_SIZE] >= s->logical_end - off;
	return SLV_OK;
}

/* The first units that follow each other, or the header of a record that other
 * bytes precede: that is the scan's base then. */
static enum slv_status
find_chain(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH), at = 0;

	*yes = false;
	while (!*yes) {
		SLV_TRY(cyber_next_mark(s, at, to, &at, err));
		if (at == to)
			return SLV_OK;
		SLV_TRY(is_base(s, at, yes, err));
		if (*yes)
			s->base = at;
		else
			SLV_TRY(cyber_is_chain(s, at, yes, err));
		at++;
	}
	return SLV_OK;
}

enum slv_status
cyber_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	size_t n =
	    (size_t)slv_min64(s->source->size - s->base, CYBER_DATA_START);
	struct cyber_head head;
	const uint8_t *p;
	bool yes = false;

	*bid = 0;
	SLV_TRY(slv_window_view(s->window, s->base, n, &p, err));
	cyber_head_get(p, n, &head);
	if (head.whole) {
		*bid = BID_HEAD;
		return SLV_OK;
	}
	if (CYBER_DATA_START < s->source->size)
		SLV_TRY(cyber_is_chain(s, CYBER_DATA_START, &yes, err));
	if (yes) {
		*bid = BID_FIRST;
		return SLV_OK;
	}
	SLV_TRY(find_chain(s, &yes, err));
	*bid = yes ? BID_CHAIN : 0;
	return SLV_OK;
}
