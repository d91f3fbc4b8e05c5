/* test_careful.c - a plan that does not come out clean gives way to a more careful
 * one. */
#include "suites.h"

#include "formats/carla/carla.h"
#include "formats/carla/carla_state.h"
#include "job/audit/audit.h"
#include "support/check.h"
#include "support/make_carla.h"

static bool always; /* object to careful readings, too */

static bool
is_strict(const struct slv_scan *s)
{
	return s->opt.reading & SLV_READ_UNCORRECTED;
}

/* Find fault with what was corrected, as a driver with a defect does. */
static enum slv_status
objecting(struct slv_scan *s, struct slv_err *err)
{
	SLV_TRY(carla_finish(s, err));
	if (s->reference == NULL || (is_strict(s->reference) && !always))
		return SLV_OK;
	return carla_problem(s, CARLA_P_FRAME, 0, 0, 0, 0, err);
}

static enum slv_status
breaking(struct slv_scan *s, struct slv_err *err)
{
	SLV_TRY(carla_finish(s, err));
	return s->reference == NULL || is_strict(s->reference)
	    ? SLV_OK
	    : slv_fail(err, SLV_E_BUG, "other records");
}

/* Audit a log in which the size of a packet and a whole frame are damaged. */
static enum slv_status
audit(struct slv_audit *a,
    enum slv_status (*finish)(struct slv_scan *, struct slv_err *),
    struct slv_err *err)
{
	static struct slv_format driver;
	static const struct slv_format *const formats[] = { &driver, NULL };
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source = NULL;
	struct made_carla log;
	enum slv_status st;

	driver = slv_format_carla;
	driver.finish = finish;
	opt.formats = formats;
	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	make_carla(&log, &(struct carla_recipe){ 30, 4 });
	/* The size of an EventAdd, in the fifth frame from the end. */
	log.bytes.at[log.last - 5 * log.frame_len + 30] ^= 64;
	CHECK_OK(
	    slv_source_memory(log.bytes.at, log.bytes.n, &source, err), err);
	st = slv_audit_run(a, source, &opt, err);
	if (st == SLV_OK && a->planned)
		CHECK_U64(a->scan.units_kept, is_strict(&a->scan) ? 29 : 30);
	slv_audit_free(a);
	slv_source_close(source);
	made_carla_free(&log);
	return st;
}

static void
takes_the_next(void)
{
	struct slv_audit a;
	struct slv_err err = { 0 };

	CHECK_OK(audit(&a, carla_finish, &err), &err);
	CHECK_OK(audit(&a, objecting, &err), &err);
	CHECK_OK(audit(&a, breaking, &err), &err);
}

static void
gives_up(void)
{
	struct slv_audit a;
	struct slv_err err = { 0 };

	always = true;
	CHECK_STATUS(audit(&a, objecting, &err), SLV_E_BUG, NULL);
	always = false;
}

CU_TestInfo careful_tests[] = {
	{ "a more careful reading is taken", takes_the_next },
	{ "no reading comes out clean", gives_up },
	CU_TEST_INFO_NULL,
};
