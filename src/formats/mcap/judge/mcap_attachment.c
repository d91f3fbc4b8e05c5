/* mcap_attachment.c - the checksum of an attachment, and the bit that it misses. */
#include "digest/crc32.h"
#include "formats/mcap/judge/mcap_judge.h"

/* The checksum of all of the content before it. */
static enum slv_status
sum_of(struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    uint32_t *crc, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);

	*crc = 0;
	return mcap_crc(
	    &b, off + MCAP_HEAD, r->at[MCAP_CRC] - MCAP_HEAD, crc, err);
}

enum slv_status
mcap_attachment_check(struct slv_scan *s, uint64_t off,
    const struct mcap_record *r, bool *refuted, struct slv_err *err)
{
	uint32_t crc;

	*refuted = false;
	if (r->op != MCAP_ATTACHMENT || r->v[MCAP_CRC] == 0)
		return SLV_OK;
	mcap_edit(s)->attachments_summed = true;
	SLV_TRY(sum_of(s, off, r, &crc, err));
	*refuted = crc != r->v[MCAP_CRC];
	return SLV_OK;
}

enum slv_status
mcap_mend_attachments(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);

	for (size_t i = 0; i < m->n_spoilt; i++) {
		struct mcap_record r;
		enum slv_crc32_place place;
		uint64_t bit, at;
		const uint8_t *p;
		uint32_t crc;
		uint8_t byte;

		SLV_TRY(
		    mcap_look_again(s, m->spoilt[i], s->source->size, &r, err));
		if (r.op != MCAP_ATTACHMENT)
			return slv_scan_changed(s, err);
		SLV_TRY(sum_of(s, m->spoilt[i], &r, &crc, err));
		place = slv_crc32_locate(r.at[MCAP_CRC] - MCAP_HEAD,
		    crc ^ (uint32_t)r.v[MCAP_CRC], &bit);
		if (place == SLV_CRC32_NOWHERE)
			continue;
		at = m->spoilt[i] + bit / 8
		    + (place == SLV_CRC32_MESSAGE ? MCAP_HEAD : r.at[MCAP_CRC]);
		SLV_TRY(slv_window_view(s->window, at, 1, &p, err));
		byte = (uint8_t)(*p ^ 1u << bit % 8);
		SLV_TRY(mcap_mend_byte(at, byte, out, err));
	}
	return SLV_OK;
}
