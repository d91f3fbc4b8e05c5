/* mcap_chain.c - where records that follow each other lead. */
#include <string.h>

#include "formats/mcap/mcap_state.h"

enum slv_status
mcap_is_magic(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = slv_range_in(off, MCAP_MAGIC_SIZE, s->source->size);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, MCAP_MAGIC_SIZE, &p, err));
	*yes = memcmp(p, MCAP_MAGIC, MCAP_MAGIC_SIZE) == 0;
	return SLV_OK;
}

enum slv_status
mcap_is_after_footer(
    const struct slv_scan *s, uint64_t end, bool *yes, struct slv_err *err)
{
	struct mcap_record r;

	*yes = end >= MCAP_FOOTER_SIZE;
	if (*yes)
		SLV_TRY(
		    mcap_look_strict(s, end - MCAP_FOOTER_SIZE, &r, yes, err));
	*yes = *yes && r.op == MCAP_FOOTER;
	return SLV_OK;
}

enum slv_status
mcap_step(const struct slv_scan *s, struct mcap_chain *c, bool *on,
    struct slv_err *err)
{
	const struct mcap_bytes b = { s->window, NULL, s->logical_end };
	struct mcap_record r;
	enum mcap_read read;
	bool magic;

	*on = false;
	if (c->end >= s->logical_end)
		return SLV_OK;
	SLV_TRY(mcap_is_magic(s, c->end, &magic, err));
	if (magic)
		c->end += MCAP_MAGIC_SIZE;
	SLV_TRY(mcap_record_get(&b, c->end, &r, &read, err));
	c->ends = magic && !(read == MCAP_WHOLE && r.op == MCAP_HEADER);
	c->cut = read == MCAP_SHORT && r.op < MCAP_OPS
	    && (r.len < (uint64_t)1 << 40 || r.len == MCAP_OPEN);
	if (c->ends || read != MCAP_WHOLE || r.len == 0)
		return SLV_OK;
	c->end += mcap_span(&r);
	*on = true;
	return SLV_OK;
}

enum slv_status
mcap_follow(const struct slv_scan *s, uint64_t off, struct mcap_chain *c,
    struct slv_err *err)
{
	bool on = true;

	*c = (struct mcap_chain){ .end = off };
	while (on)
		SLV_TRY(mcap_step(s, c, &on, err));
	return SLV_OK;
}
