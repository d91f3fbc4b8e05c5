/* repair.c - repair bytes in memory and keep all that can be said about it. */
#include "support/repair.h"

#include <stdlib.h>
#include <string.h>

#include "job/audit/audit.h"
#include "job/merge/fill.h"
#include "job/merge/merge.h"
#include "job/readings/reading.h"

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

static struct slv_audit_options
options_of(unsigned flags)
{
	struct slv_audit_options opt = { .plan = true, .prove = true };

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	opt.scan.keep = flags & REPAIR_KEEP_SUSPECT ? SLV_KEEP_SUSPECT : 0;
	opt.reseal = flags & REPAIR_RESEAL;
	opt.effort = flags & REPAIR_EFFORT ? 1 : 0;
	return opt;
}

/* Audit a source, or a merge whose result it is, and keep what comes of
 * it. */
static void
audit(struct repaired *r, struct slv_source *source, unsigned flags,
    const struct slv_merge *merge, struct slv_source *donor,
    struct slv_filled *filled)
{
	struct slv_audit_options opt = options_of(flags);
	const struct slv_catalog *c;
	struct slv_audit a = { 0 };

	if (r->status == SLV_OK)
		r->status = slv_audit_run(&a, source, &opt, &r->err);
	if (r->status == SLV_OK && merge != NULL)
		r->status = slv_merge_judge(merge, &a, &r->err);
	if (r->status == SLV_OK && donor != NULL)
		r->status = slv_fill_run(filled, &a, donor, &opt, &r->err);
	if (r->status == SLV_OK && a.planned)
		r->status = materialise(r,
		    donor != NULL && filled->any ? &filled->audit.plan
		                                 : &a.plan);
	r->state = a.state;
	r->contradicted = a.contradicted;
	r->unsure = a.scan.units_unsure > 0;
	r->assurance = a.assurance;
	r->proven = a.proven;
	r->planned = a.planned;
	r->verified = a.verified;
	c = slv_reading_catalog(&a);
	blob_add(&r->catalog, c->at, c->n * sizeof(*c->at));
	memcpy(r->sums, c->sums, sizeof(r->sums));
	r->units_kept = a.scan.units_kept;
	r->units_lost = a.scan.units_lost;
	r->damage = slv_problems_damage(&a.scan.problems);
	keep_words(r, &a.scan.problems);
	slv_audit_free(&a);
}

void
repair_memory(
    struct repaired *r, const uint8_t *bytes, size_t n, unsigned flags)
{
	struct slv_source *source = NULL;
	uint8_t *copy = must_alloc(n);

	repaired_free(r);
	if (n > 0)
		memcpy(copy, bytes, n);
	r->status = slv_source_memory(copy, n, &source, &r->err);
	audit(r, source, flags, NULL, NULL, NULL);
	slv_source_close(source);
	free(copy);
}

void
merge_memory(
    struct repaired *r, const struct blob *copies, size_t n, unsigned flags)
{
	struct slv_audit_options opt = options_of(flags);
	struct slv_source *source = NULL;
	struct slv_merge m = { 0 };

	repaired_free(r);
	r->status = slv_merge_init(&m, n, &r->err);
	for (size_t i = 0; i < n && r->status == SLV_OK; i++)
		r->status = slv_source_memory(
		    copies[i].at, copies[i].n, &m.files[i].source, &r->err);
	if (r->status == SLV_OK)
		r->status = slv_merge_join(&m, &opt, &source, &r->err);
	audit(r, source, flags, &m, NULL, NULL);
	slv_merge_free(&m);
}

void
fill_memory(struct repaired *r, const struct blob *log,
    const struct blob *donor, uint64_t *added, uint64_t *left_out)
{
	struct slv_source *source = NULL, *other = NULL;
	struct slv_filled filled = { 0 };

	repaired_free(r);
	r->status = slv_source_memory(log->at, log->n, &source, &r->err);
	if (r->status == SLV_OK)
		r->status =
		    slv_source_memory(donor->at, donor->n, &other, &r->err);
	audit(r, source, 0, NULL, other, &filled);
	*added = filled.fill.blocks;
	*left_out = filled.fill.left_out;
	slv_filled_free(&filled);
	slv_source_close(source);
	slv_source_close(other);
}

void
repaired_free(struct repaired *r)
{
	blob_free(&r->out);
	blob_free(&r->catalog);
	blob_free(&r->words);
	*r = (struct repaired){ 0 };
}
