/* repair.c - repair bytes in memory and keep all that can be said about it. */
#include "support/repair.h"

#include <stdlib.h>
#include <string.h>

#include "job/audit.h"

static void
keep_words(struct repaired *r, const struct slv_problems *problems)
{
	char text[512];

	for (size_t i = 0; i < problems->n; i++) {
		const struct slv_problem *p = &problems->at[i];

		slv_problem_text(p, text, sizeof(text));
		blob_add(&r->words, p->info->id, strlen(p->info->id));
		blob_add(&r->words, ": ", 2);
		blob_add(&r->words, text, strlen(text));
		blob_add(&r->words, "\n", 1);
	}
	blob_byte(&r->words, 0);
}

/* All bytes of the planned output. */
static enum slv_status
materialise(struct repaired *r, const struct slv_plan *plan)
{
	struct slv_source *out = NULL;
	enum slv_status st;

	SLV_TRY(slv_plan_source(plan, &out, &r->err));
	blob_fill(&r->out, 0, out->size);
	st = slv_source_read(out, 0, r->out.at, r->out.n, &r->err);
	slv_source_close(out);
	return st;
}

void
repair_memory(
    struct repaired *r, const uint8_t *bytes, size_t n, unsigned flags)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };
	struct slv_source *source = NULL;
	struct slv_audit a = { 0 };
	uint8_t *copy = must_alloc(n);

	repaired_free(r);
	if (n > 0)
		memcpy(copy, bytes, n);
	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	opt.scan.keep = flags & REPAIR_KEEP_SUSPECT ? SLV_KEEP_SUSPECT : 0;
	opt.reseal = flags & REPAIR_RESEAL;
	opt.effort = flags & REPAIR_EFFORT ? 1 : 0;
	r->status = slv_source_memory(copy, n, &source, &r->err);
	if (r->status == SLV_OK)
		r->status = slv_audit_run(&a, source, &opt, &r->err);
	if (r->status == SLV_OK && a.planned)
		r->status = materialise(r, &a.plan);
	r->state = a.state;
	r->contradicted = a.contradicted;
	r->assurance = a.assurance;
	r->proven = a.proven;
	r->planned = a.planned;
	r->verified = a.verified;
	blob_add(&r->catalog, a.scan.catalog.at,
	    a.scan.catalog.n * sizeof(*a.scan.catalog.at));
	memcpy(r->sums, a.scan.catalog.sums, sizeof(r->sums));
	r->units_kept = a.scan.units_kept;
	r->units_lost = a.scan.units_lost;
	r->damage = slv_problems_damage(&a.scan.problems);
	keep_words(r, &a.scan.problems);
	slv_audit_free(&a);
	slv_source_close(source);
	free(copy);
}

void
repaired_free(struct repaired *r)
{
	blob_free(&r->out);
	blob_free(&r->catalog);
	blob_free(&r->words);
	*r = (struct repaired){ 0 };
}
