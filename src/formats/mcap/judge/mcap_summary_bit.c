/* mcap_summary_bit.c - the bit of a summary that its checksum misses.
 *
 * All of a summary can be rebuilt, but for declarations that nothing else repeats:
 * those of channels without messages.
 */
#include "digest/crc32.h"
#include "formats/mcap/judge/mcap_judge.h"

/* Whether the byte at `at` is in the content of a declaration, and the summary holds
 * records from end to end. */
static enum slv_status
is_declared(
    const struct slv_scan *s, uint64_t at, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t off = m->summary.data_end + MCAP_DATA_END;

	for (*yes = false; off < m->summary.footer;) {
		uint64_t len, end;
		const uint8_t *p;

		SLV_TRY(slv_window_view(s->window, off, MCAP_HEAD, &p, err));
		len = slv_get_le64(p + 1);
		if (len > m->summary.footer - off)
			break;
		end = off + MCAP_HEAD + len;
		*yes |= (p[0] == MCAP_SCHEMA || p[0] == MCAP_CHANNEL)
		    && at >= off + MCAP_HEAD && at < end;
		off = end;
	}
	*yes &= off == m->summary.footer;
	return SLV_OK;
}

enum slv_status
mcap_mend_summary(
    struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_bytes b = mcap_bytes_of(s);
	uint64_t from = m->summary.data_end + MCAP_DATA_END, len, bit, at;
	const uint8_t *p;
	uint32_t crc = 0;
	bool yes;

	if (m->summary.data_end == 0 || m->summary.crc == 0 || m->summary.proven
	    || from > m->summary.footer)
		return SLV_OK;
	len = m->summary.footer + MCAP_FOOTER_SIZE - sizeof(crc) - from;
	if (len > s->opt.limits.max_chunk)
		return SLV_OK;
	SLV_TRY(mcap_crc(&b, from, len, &crc, err));
	if (slv_crc32_locate(len, crc ^ m->summary.crc, &bit)
	    != SLV_CRC32_MESSAGE)
		return SLV_OK;
	at = from + bit / 8;
	SLV_TRY(is_declared(s, at, &yes, err));
	if (!yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, at, 1, &p, err));
	return mcap_mend_byte(at, (uint8_t)(*p ^ 1u << bit % 8), out, err);
}
