/* test_seam.c - a duplicate range is found, and a search for one can be stopped. */
#include "suites.h"

#include <signal.h>
#include <stdio.h>

#include "core/seams/seam.h"
#include "formats/formats.h"
#include "support/blob.h"
#include "support/check.h"

static volatile sig_atomic_t cancel;

/* Scan a bag in which 220 bytes are there twice. */
static void
scan(struct blob *file, struct slv_source **source, struct slv_scan *s)
{
	struct slv_scan_options opt = { .no_digest = true, .cancel = &cancel };
	struct slv_err err = { 0 };
	char path[512];

	cancel = 0;
	opt.limits = slv_limits_fill(opt.limits);
	snprintf(path, sizeof(path), "%s/testdata/rosbag/bad-stretch-twice.bag",
	    check_top());
	CHECK(blob_read(file, path));
	CHECK_OK(slv_source_memory(file->at, file->n, source, &err), &err);
	CHECK_OK(slv_scan_run(s, *source, slv_formats, &opt, &err), &err);
}

static void
finds_and_stops(void)
{
	static const enum slv_seam_use uses[] = { SLV_SEAM_EXACT, SLV_SEAM_TORN,
		SLV_SEAM_HIDDEN };
	static struct slv_seams seams;
	struct slv_source *source = NULL;
	struct slv_err err = { 0 };
	struct slv_scan s = { 0 };
	struct blob file = { 0 };

	scan(&file, &source, &s);
	CHECK_OK(slv_seams_find(&s, SLV_SEAM_EXACT, &seams, &err), &err);
	CHECK_U64(seams.n, 1);
	CHECK_U64(seams.at[0].len, 220);
	cancel = 1;
	for (size_t i = 0; i < sizeof(uses) / sizeof(*uses); i++) {
		seams.n = 0;
		CHECK_STATUS(slv_seams_find(&s, uses[i], &seams, &err),
		    SLV_E_CANCELLED, &err);
		CHECK_U64(seams.n, 0);
		err = (struct slv_err){ 0 };
	}
	slv_scan_free(&s);
	slv_source_close(source);
	blob_free(&file);
}

CU_TestInfo seam_tests[] = {
	{ "a duplicate range is found, and the search can be stopped",
	    finds_and_stops },
	CU_TEST_INFO_NULL,
};
