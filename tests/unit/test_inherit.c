/* test_inherit.c - a proof that inherits what the first scan knows finds what one finds
 * that reads all. */
#include <string.h>

#include "formats/mcap/mcap_state.h"
#include "job/audit/audit.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/damage.h"
#include "support/testdata.h"
#include "unit/suites.h"

#define CUTS 20 /* places where each file is cut */

static unsigned n_inherited;

static void
check_decls(const struct mcap *a, const struct mcap *b)
{
	for (size_t i = 0; i < a->n_decls; i++) {
		const struct mcap_decl *x = &a->decls[i], *y;
		size_t at = mcap_decl_find(b, x->op, x->id);

		/* The first scan may know more, from what is left out. */
		if (at == MCAP_NONE) {
			CHECK(x->n == 0 && !x->declared);
			continue;
		}
		y = &b->decls[at];
		CHECK_U64(x->n, y->n);
		CHECK_U64(x->len, y->len);
		CHECK_U64(x->schema, y->schema);
		CHECK(x->declared == y->declared);
		CHECK(x->recorded == y->recorded);
		CHECK(x->in_summary == y->in_summary && x->late == y->late);
		if (x->n > 0)
			CHECK_U64(x->order, y->order);
		if (x->declared)
			CHECK(memcmp(a->texts.at + x->text,
			          b->texts.at + y->text, (size_t)x->len)
			    == 0);
	}
}

static void
check_mcap(const struct mcap *a, const struct mcap *b)
{
	CHECK_U64(a->messages, b->messages);
	CHECK_U64(a->in_chunks, b->in_chunks);
	CHECK_U64(a->sum, b->sum);
	CHECK_U64(a->from, b->from);
	CHECK_U64(a->from_set, b->from_set);
	CHECK_U64(a->to, b->to);
	CHECK_U64(a->n_used, b->n_used);
	CHECK_U64(a->n_items, b->n_items);
	CHECK_U64(a->n_extras, b->n_extras);
	CHECK_U64(a->n_headed, b->n_headed);
	CHECK_U64(a->n_sums, b->n_sums);
	CHECK_U64(a->n_counts, b->n_counts);
	CHECK(a->indexes == b->indexes && a->chunked == b->chunked);
	CHECK(a->attachments_summed == b->attachments_summed);
	check_decls(a, b);
	if (!CHECK_U64(a->n_chunks, b->n_chunks))
		return;
	for (size_t i = 0; i < a->n_chunks; i++) {
		const struct mcap_chunk *x = &a->chunks[i], *y = &b->chunks[i];

		CHECK_U64(x->off, y->off);
		CHECK_U64(x->end, y->end);
		CHECK_U64(x->messages, y->messages);
		CHECK_U64(x->n_counts, y->n_counts);
		CHECK_U64(x->sum, y->sum);
		CHECK(x->stays == y->stays && x->indexed == y->indexed);
		CHECK(x->summed == y->summed && x->declares == y->declares);
	}
}

static void
check_scans(const struct slv_scan *a, const struct slv_scan *b)
{
	CHECK_U64(a->catalog.end, b->catalog.end);
	CHECK_U64(a->catalog.sums[SLV_KEPT], b->catalog.sums[SLV_KEPT]);
	CHECK(a->checksummed == b->checksummed && a->end == b->end);
	/* Notes about what is inherited were raised by the first scan. */
	CHECK_U64(slv_problems_damage(&a->problems), 0);
	CHECK_U64(slv_problems_damage(&b->problems), 0);
	if (a->format->kinds == mcap_kinds)
		check_mcap(mcap_of(a), mcap_of(b));
}

/* Prove what the audit has planned, with what it knows and without. */
static void
prove_both_ways(struct slv_audit *a)
{
	struct slv_format plain = *a->scan.format;
	struct slv_scan first = a->scan, with, without;
	const struct slv_scan_options opt = { .limits = a->scan.opt.limits };
	struct slv_source *out = NULL;
	struct slv_err err = { 0 };

	plain.inherit = NULL;
	first.format = &plain;
	if (!CHECK_OK(slv_plan_source(&a->plan, &out, &err), &err))
		return;
	CHECK_OK(
	    slv_scan_prove(&with, out, &a->plan, &opt, &a->scan, &err), &err);
	CHECK_OK(
	    slv_scan_prove(&without, out, &a->plan, &opt, &first, &err), &err);
	CHECK(!without.inherited);
	n_inherited += with.inherited;
	check_scans(&with, &without);
	slv_scan_free(&with);
	slv_scan_free(&without);
	slv_source_close(out);
}

static void
prove_bytes(const uint8_t *bytes, size_t n)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source = NULL;
	struct slv_err err = { 0 };
	struct slv_audit a;

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	CHECK_OK(slv_source_memory(bytes, n, &source, &err), &err);
	CHECK_OK(slv_audit_run(&a, source, &opt, &err), &err);
	if (a.verified && a.planned && !slv_plan_is_identity(&a.plan))
		prove_both_ways(&a);
	slv_audit_free(&a);
	slv_source_close(source);
}

/* As it is, and cut at places that are more often near its end. */
static void
check_file(const char *path)
{
	struct blob file = { 0 };

	check_case("%s", path);
	if (CHECK(blob_read(&file, path)) && file.n > 0) {
		prove_bytes(file.at, file.n);
		for (size_t i = 1, n = file.n; i <= CUTS; i++) {
			n = n * 19 / 20;
			check_case("%s, %zu bytes of it", path, n);
			prove_bytes(file.at, n);
		}
	}
	blob_free(&file);
}

static void
check_folder(const char *name, unsigned least)
{
	n_inherited = 0;
	CHECK(testdata_each(name, check_file) > 10);
	check_case("%s", name);
	CHECK(n_inherited >= least);
}

static void
bddf(void)
{
	check_folder("bddf", 100);
}

static void
carla(void)
{
	check_folder("carla", 50);
}

static void
mcap(void)
{
	check_folder("mcap", 100);
}

CU_TestInfo inherit_tests[] = {
	{ "BDDF", bddf },
	{ "CARLA", carla },
	{ "MCAP", mcap },
	CU_TEST_INFO_NULL,
};
