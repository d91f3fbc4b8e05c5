/* begin.c - read the log, and find out if its digest confirms doubted units. */
#include "job/audit/begin.h"

#include "job/audit/rescan.h"
#include "job/readings/reading.h"

/* What follows a contradiction, or a doubted block, seems to be another
 * recording.  If the digest at its end covers all of it, or, in a log without a
 * digest, if its index agrees with every block of it, then it is this
 * recording. */
static enum slv_status
trust_contested(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	const struct slv_scan *s = &a->scan;
	struct slv_scan_options again = *how;
	bool doubted = s->units_suspect > 0 && s->catalog.sums[SLV_FOREIGN] > 0;

	if (a->seal.have > 0 || !(s->contested || doubted))
		return SLV_OK;
	again.reading |= SLV_READ_ONE_LOG;
	again.keep |= doubted ? SLV_KEEP_SUSPECT : 0;
	SLV_TRY(slv_rescan(a, &again, NULL, err));
	if (s->seal.as_is < SLV_SEAL_FIELD && !slv_scan_is_sound(s))
		return slv_rescan(a, how, NULL, err);
	a->seal = s->seal;
	return SLV_OK;
}

/* If the digest covers the bytes as they are, a block that looks whole is
 * whole: nothing is suspect, and the scan is done again and keeps it. */
static enum slv_status
trust_digest(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	struct slv_scan_options again = *how;

	SLV_TRY(trust_contested(a, how, err));
	if (a->seal.as_is < SLV_SEAL_FIELD || a->scan.units_suspect == 0
	    || a->scan.opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	again.reading = a->scan.opt.reading;
	again.keep |= SLV_KEEP_SUSPECT;
	SLV_TRY(slv_rescan(a, &again, NULL, err));
	if (!a->scan.contested || again.reading & SLV_READ_ONE_LOG)
		return SLV_OK;
	/* Nor does another recording begin in what it covers. */
	again.reading |= SLV_READ_ONE_LOG;
	return slv_rescan(a, &again, NULL, err);
}

enum slv_status
slv_begin(
    struct slv_audit *a, struct slv_audit_options *opt, struct slv_err *err)
{
	SLV_TRY(slv_reading_choose(a, opt, err));
	return trust_digest(a, &opt->scan, err);
}
