/* mcap_head.c - the head of a chunk: all of the record before the stored bytes. */
#include "formats/mcap/read/mcap_head.h"

#define FIXED (MCAP_HEAD + 28 + 4) /* bytes up to the name of the compression */

/* Which compression the head names; where its name is damaged the stored bytes tell
 * by how they begin. */
static enum slv_status
get_codec(const struct slv_scan *s, const uint8_t *name, uint32_t n,
    struct mcap_head *h, bool *yes, struct slv_err *err)
{
	bool word = n > 0;
	uint64_t at;

	*yes = true;
	if (mcap_codec_get(name, n, &h->codec))
		return SLV_OK;
	for (uint32_t i = 0; i < n; i++)
		word &= name[i] > ' ' && name[i] < 0x7f;
	SLV_TRY(mcap_find_frame(s, h->data, h->data + 1, &at, &h->codec, err));
	h->damaged = at == h->data;
	h->strange = !h->damaged;
	*yes = h->damaged || word;
	return SLV_OK;
}

/* Where the stored bytes end, if the two lengths differ: where a record follows. */
static enum slv_status
settle_length(const struct slv_scan *s, uint64_t by_record, struct mcap_head *h,
    bool *yes, struct slv_err *err)
{
	uint64_t lengths[] = { h->claim.stored, by_record };

	h->damaged = true;
	for (int i = 0; i < 2; i++) {
		*yes = slv_range_in(h->data, lengths[i], s->logical_end);
		if (*yes)
			SLV_TRY(
			    mcap_goes_on(s, h->data + lengths[i], yes, err));
		if (*yes) {
			h->claim.stored = lengths[i];
			return SLV_OK;
		}
	}
	return SLV_OK;
}

enum slv_status
mcap_head_get(const struct slv_scan *s, uint64_t off, struct mcap_head *h,
    bool *yes, struct slv_err *err)
{
	uint64_t there = slv_max64(s->source->size, off) - off, len, by_record;
	const uint8_t *p;
	bool named;
	uint32_t n;

	*h = (struct mcap_head){ .damaged = false };
	*yes = false;
	if (there < FIXED + 8)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, FIXED, &p, err));
	n = slv_get_le32(p + FIXED - 4);
	if (n > MCAP_WORD_MAX || there < FIXED + n + 8)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, FIXED + n + 8, &p, err));
	len = slv_get_le64(p + 1);
	h->claim = (struct mcap_claim){
		.start = slv_get_le64(p + 9),
		.stop = slv_get_le64(p + 17),
		.size = slv_get_le64(p + 25),
		.crc = slv_get_le32(p + 33),
		.stored = slv_get_le64(p + FIXED + n),
	};
	h->data = off + FIXED + n + 8;
	by_record = len - (h->data - off - MCAP_HEAD);
	named = p[0] == MCAP_CHUNK;
	h->open = len == MCAP_OPEN && h->claim.stored == MCAP_OPEN;
	SLV_TRY(get_codec(s, p + FIXED, n, h, yes, err));
	h->damaged |= !named;
	/* A frame of LZ4 ends in four zeros. */
	h->end = slv_min64(s->logical_end + 4, s->source->size);
	if (!*yes || (h->open && named))
		return SLV_OK;
	if (by_record == h->claim.stored)
		*yes = named || !h->strange;
	else if (named && !h->strange)
		SLV_TRY(settle_length(s, by_record, h, yes, err));
	else
		*yes = false;
	h->end = h->data + h->claim.stored;
	*yes &= h->claim.stored <= INT64_MAX;
	return SLV_OK;
}
