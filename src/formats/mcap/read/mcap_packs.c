/* mcap_packs.c - what chunks hold: shown in a listing, and confirmed by a checksum. */
#include <string.h>

#include "core/scan/show.h"
#include "digest/crc32.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/read/mcap_unit.h"

#define CRC_AT (MCAP_HEAD + 24) /* bytes before the checksum of a chunk */
#define NAME_AT                                                                \
	(MCAP_HEAD + 28 + 4) /* ... before the name of its compression */

static enum slv_status
show(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	const struct mcap_head h = mcap_head_of(u);
	const struct mcap_body *body;

	if (u->tag != MCAP_TAG_PACKED)
		return SLV_OK;
	SLV_TRY(mcap_packed_body(s, &h, &body, err));
	for (size_t i = 0; i < body->entries.n; i++) {
		const struct mcap_entry *e = &body->entries.at[i];
		const struct slv_unit inner = {
			.verdict = SLV_UNIT_GOOD,
			.fate = SLV_KEPT,
			.tag = e->op < MCAP_OPS ? e->op : MCAP_TAG_OTHER,
			.len = e->len,
			.has_channel = e->op == MCAP_MESSAGE,
			.channel = e->id,
			.time = e->op == MCAP_MESSAGE
			    ? mcap_moment(e->time)
			    : (struct slv_moment){ .known = false },
			.problem = MCAP_PROBLEMS,
		};

		SLV_TRY(slv_show_packed(s, &inner, off, e->at, err));
	}
	return SLV_OK;
}

/* Whether what is stored holds n bytes of records that the checksum is of. */
static enum slv_status
is_summed(const struct slv_scan *s, const uint8_t *stored, uint64_t len,
    enum slv_codec_kind codec, uint64_t n, uint32_t crc, bool *yes,
    struct slv_err *err)
{
	struct slv_decode d;

	if (codec == SLV_CODEC_NONE) {
		*yes = len == n && slv_crc32(0, stored, (size_t)n) == crc
		    && mcap_are_records(stored, n);
		return SLV_OK;
	}
	SLV_TRY(slv_decode(codec, stored, (size_t)len, (size_t)n,
	    s->opt.limits.max_chunk, &d, err));
	*yes = d.how == SLV_DECODED_WHOLE && d.out.len == n
	    && slv_crc32(0, d.out.at, d.out.len) == crc
	    && mcap_are_records(d.out.at, d.out.len);
	slv_decode_free(&d);
	return SLV_OK;
}

static enum slv_status
confirm_chunk(const struct slv_scan *s, const uint8_t *chunk, size_t n,
    uint64_t *len, bool *yes, struct slv_err *err)
{
	enum slv_codec_kind codec;
	uint64_t span, name, stored;
	uint32_t crc;

	if (n < MCAP_CHUNK_HEAD)
		return SLV_OK;
	span = slv_get_le64(chunk + 1);
	name = slv_get_le32(chunk + NAME_AT - 4);
	crc = slv_get_le32(chunk + CRC_AT);
	if (crc == 0 || name > n - MCAP_CHUNK_HEAD || span > INT64_MAX
	    || !mcap_codec_get(chunk + NAME_AT, (uint32_t)name, &codec))
		return SLV_OK;
	stored = slv_get_le64(chunk + NAME_AT + name);
	if (stored != span + MCAP_HEAD - MCAP_CHUNK_HEAD - name)
		return SLV_OK;
	*len = span + MCAP_HEAD;
	return *len > n
	    ? SLV_OK
	    : is_summed(s, chunk + MCAP_CHUNK_HEAD + name, stored, codec,
	        slv_get_le64(chunk + MCAP_HEAD + 16), crc, yes, err);
}

/* An attachment has no records that a damage could tear. */
static enum slv_status
confirm_attachment(const struct slv_scan *s, const uint8_t *bytes, size_t n,
    uint64_t *len, bool *yes, struct slv_err *err)
{
	const struct mcap_bytes b = { .at = bytes, .end = n };
	struct mcap_record r;
	enum mcap_read read;
	uint32_t crc = 0;

	if (!mcap_of(s)->attachments_summed)
		return SLV_OK;
	SLV_TRY(mcap_record_get(&b, 0, &r, &read, err));
	if (read == MCAP_BAD || r.at[MCAP_DATA] == 0
	    || mcap_span(&r)
	        != r.at[MCAP_DATA] + r.v[MCAP_DATA] + MCAP_CRC_SIZE)
		return SLV_OK;
	*len = mcap_span(&r);
	if (read != MCAP_WHOLE)
		return SLV_OK;
	SLV_TRY(mcap_crc(&b, MCAP_HEAD, r.at[MCAP_CRC] - MCAP_HEAD, &crc, err));
	*yes = crc == r.v[MCAP_CRC];
	return SLV_OK;
}

static enum slv_status
confirm(const struct slv_scan *s, const uint8_t *bytes, size_t n, uint64_t *len,
    bool *yes, struct slv_err *err)
{
	*len = 0;
	*yes = false;
	if (n > MCAP_HEAD && bytes[0] == MCAP_CHUNK)
		return confirm_chunk(s, bytes, n, len, yes, err);
	if (n > MCAP_HEAD && bytes[0] == MCAP_ATTACHMENT)
		return confirm_attachment(s, bytes, n, len, yes, err);
	return SLV_OK;
}

/* For what has a checksum, as confirm() says. */
static bool
as_stored(const uint8_t *bytes, size_t n)
{
	return bytes[0] == MCAP_ATTACHMENT
	    || (n >= NAME_AT && slv_get_le32(bytes + NAME_AT - 4) == 0);
}

const struct slv_packs mcap_packs = {
	.show = show,
	.confirm = confirm,
	.as_stored = as_stored,
};
