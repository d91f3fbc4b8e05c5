/* mcap_spoilt.c - a header, declaration, attachment or metadata that no reader takes.
 *
 * Its texts are none, or it is a schema with the number that means "no schema".  What it
 * declares another copy may declare; else that is a finding of its own.
 */
#include "formats/mcap/read/mcap_unit.h"

enum slv_status
mcap_spoilt_unit(const struct slv_scan *s, uint64_t off,
    const struct mcap_record *r, struct slv_unit *u, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	bool yes;

	SLV_TRY(mcap_record_is_text(&b, off, r, false, &yes, err));
	if (yes && (r->op != MCAP_SCHEMA || r->v[MCAP_ID] != 0))
		return SLV_OK;
	u->got = r->v[MCAP_ID];
	if (r->op == MCAP_ATTACHMENT || r->op == MCAP_METADATA) {
		u->fate = SLV_LOST;
		u->problem = MCAP_P_SPOILT_EXTRA;
		return SLV_OK;
	}
	u->fate = SLV_REBUILT;
	u->part = SLV_PART_INDEX;
	u->problem = MCAP_P_SPOILT;
	return SLV_OK;
}
