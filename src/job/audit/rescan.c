/* rescan.c - scan the same reading again. */
#include "job/audit/rescan.h"

const struct slv_hasher *
slv_rescan_hasher(const struct slv_audit *a)
{
	return a->patched != NULL && a->mends.n > 0 ? &a->patched_hasher
	                                            : &a->hasher;
}

/* Free the present scan and its source. */
static void
forget(struct slv_audit *a)
{
	slv_plan_free(&a->plan);
	slv_scan_free(&a->scan);
	slv_hasher_free(&a->patched_hasher);
	slv_source_close(a->patched);
	a->patched = NULL;
	slv_mends_free(&a->mends);
}

/* Lay the patches over the input.  The digest up to the first one is known. */
static enum slv_status
lay_patches(struct slv_audit *a, struct slv_mends *mends,
    struct slv_scan_options *how, struct slv_err *err)
{
	a->mends = *mends;
	*mends = (struct slv_mends){ 0 };
	slv_mends_sort(&a->mends);
	how->mends = &a->mends;
	if (a->mends.n > 0) {
		how->known = NULL;
		how->no_digest = false;
		how->from = slv_hasher_before(&a->hasher, a->mends.at[0].off);
	}
	return slv_patched_source(a->read, &a->mends, &a->patched, err);
}

enum slv_status
slv_rescan(struct slv_audit *a, const struct slv_scan_options *opt,
    struct slv_mends *mends, struct slv_err *err)
{
	struct slv_scan_options how = *opt;
	struct slv_source *source = a->read;

	/* Unless it is the first scan to see the end of the log. */
	how.no_digest = a->seal.known || !(how.reading & SLV_READ_ONE_LOG);
	how.known = &a->seal;
	how.tee = NULL;
	forget(a);
	if (mends != NULL) {
		SLV_TRY(lay_patches(a, mends, &how, err));
		source = a->patched;
	}
	slv_plan_init(&a->plan, source, SLV_SHA1);
	a->plan.meter = how.meter;
	a->plan.mends = mends != NULL ? &a->mends : NULL;
	SLV_TRY(slv_scan_run(&a->scan, source, a->formats, &how, err));
	a->patched_hasher = a->scan.hasher;
	a->scan.hasher.buf = NULL; /* is the audit's now */
	return SLV_OK;
}

void
slv_rescan_take_back(struct slv_audit *a, struct slv_mends *mends)
{
	slv_source_close(a->patched);
	a->patched = NULL;
	/* The driver may still be asked about the log as it is. */
	a->scan.source = a->read;
	*mends = a->mends;
	a->mends = (struct slv_mends){ 0 };
}
