/* tell.c - copy the result of an audit into a report. */
#include "job/audit/tell.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/text/packed_name.h"
#include "job/output/outname.h"
#include "job/output/plan_lines.h"
#include "job/output/split.h"
#include "job/readings/reading.h"
#include "job/readings/within.h"

static int
compare_problems(const void *x, const void *y)
{
	const struct slv_problem *a = x, *b = y;

	int ids = strcmp(a->info->id, b->info->id);

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	/* Not every C library has a stable sort: the length decides, too. */
	if (ids == 0 && a->len != b->len)
		return a->len > b->len ? -1 : 1;
	return ids;
}

enum slv_status
slv_tell_losses(struct slv_report *r, struct slv_scan *s, struct slv_err *err)
{
	uint64_t n;

	r->units_lost = s->units_lost;
	r->lost_one = !s->lost_mixed;
	r->lost_channel = s->lost_channel;
	/* Rebuilt bytes held no records. */
	r->lost_loose =
	    s->lost_loose && (s->absent || s->catalog.sums[SLV_LOST] > 0);
	r->units_unsure = s->units_unsure;
	SLV_TRY(slv_gaps_list(&s->gaps, &s->catalog, &r->gaps, err));
	/* A driver that ran out of memory does not know what it has lost. */
	if ((r->gaps.n == 0 && r->units_lost == 0) || s->format == NULL
	    || s->format->missing == NULL || err->code != SLV_OK)
		return SLV_OK;
	SLV_TRY(s->format->missing(s, &r->gaps, err));
	if (!slv_gap_list_total(&r->gaps, &n)) {
		n = slv_gap_list_least(&r->gaps);
		r->lost_one &= n <= 1;
		r->units_lost = slv_max64(r->units_lost, n);
		return SLV_OK;
	}
	r->units_lost = n;
	r->lost_loose = false;
	r->lost_one = n == 1;
	if (n == 1)
		r->lost_channel = r->gaps.losses[r->gaps.n_losses - 1].channel;
	return SLV_OK;
}

/* The name of a compressed file without its last extension gives the output for
 * a repair of its contents. */
static enum slv_status
tell_decoded(struct slv_report *r, struct slv_err *err)
{
	const char *dot = strrchr(r->file, '.');
	char *name;

	if (r->stranger == NULL || r->stranger->decoder == NULL || dot == NULL
	    || dot == r->file || strchr(dot, '/') != NULL)
		return SLV_OK;
	name = slv_strdup(r->file);
	if (name != NULL) {
		name[dot - r->file] = '\0';
		r->decoded = slv_outname(name);
	}
	slv_free(name);
	return r->decoded != NULL ? SLV_OK
	                          : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

/* The other logs in the file. */
static enum slv_status
tell_others(
    struct slv_report *r, const struct slv_audit *a, struct slv_err *err)
{
	size_t cap = 0;

	for (size_t i = 0; i < a->view.n_why; i++) {
		const struct slv_problem *why = &a->view.why[i];
		const struct slv_format *f = slv_within_format(a, why);

		if (f == NULL)
			continue;
		SLV_TRY(slv_grow(&r->others, &cap, r->n_others + 1,
		    sizeof(*r->others), err));
		r->others[r->n_others++] = (struct slv_other_line){
			.off = why->off,
			.len = why->len,
			.format = f->name,
			.title = f->title,
			.records = why->got,
		};
	}
	return SLV_OK;
}

/* What the file is instead of a log.  One that was to be decompressed is what it is
 * because nothing came out, and nothing does from another program. */
static const struct slv_stranger *
stranger_of(const struct slv_report *r, const struct slv_scan *s)
{
	bool tried = s->stranger != NULL && !r->served && slv_packed_is(r->file)
	    && strcmp(s->stranger->id, slv_stranger_packed.id) == 0;

	return tried ? &slv_stranger_packed : s->stranger;
}

enum slv_status
slv_tell_audit(struct slv_report *r, struct slv_audit *a,
    const struct slv_plan *plan, struct slv_err *err)
{
	/* A plan that adds a second recording reads another source. */
	static const struct slv_view as_it_is = { .source = NULL };
	const struct slv_catalog *c = slv_reading_catalog(a);
	struct slv_scan *s = &a->scan;

	memcpy(r->bytes, c->sums, sizeof(r->bytes));
	memcpy(r->attempts, a->attempts, sizeof(r->attempts));
	r->n_attempts = a->n_attempts;
	r->units_kept = s->units_kept;
	r->n_map = (size_t)slv_min64(c->end, SLV_MAP_CELLS);
	slv_catalog_map(c, r->map, r->n_map);
	SLV_TRY(slv_tiles_make(&r->tiles, c, err));
	SLV_TRY(slv_tell_losses(r, s, err));
	for (size_t i = 0; i < r->gaps.n; i++)
		slv_view_range(
		    &a->view, &r->gaps.at[i].off, &r->gaps.at[i].len);
	memcpy(r->kinds, s->kinds, sizeof(r->kinds));
	r->n_kinds = s->n_kinds;
	r->stranger = stranger_of(r, s);
	r->assurance = a->assurance;
	r->end = s->end;
	r->proven = a->proven;
	r->contradicted = a->contradicted;
	r->glanced = s->glanced;
	r->skimmed = s->skimmed.units;
	r->verified = a->verified;
	r->annotated = a->annotated;
	r->has_notes = s->format != NULL && s->format->noting != NULL;
	r->repairable = a->planned && !slv_audit_is_sound(a);
	r->donor.taken = s->taken;
	r->donor.refused = s->refused;
	r->wants_donor = s->wants_donor;
	r->wanted = s->wanted;
	r->n_problems_total = slv_problems_total(&s->problems);
	r->problems = s->problems.at;
	r->n_problems = s->problems.n;
	slv_sort(
	    r->problems, r->n_problems, sizeof(*r->problems), compare_problems);
	s->problems.at = NULL;
	s->problems.n = s->problems.cap = 0;
	/* Standard input has no files next to it. */
	if ((r->repairable || a->moves) && slv_report_is_of_file(r)) {
		r->target = slv_outname(r->file);
		r->target_size = plan->size;
		if (r->target == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	if (r->wanted != NULL || (s->wants_donor && r->target == NULL)) {
		r->wanted_target = slv_outname(r->file);
		if (r->wanted_target == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	SLV_TRY(tell_decoded(r, err));
	if (a->planned)
		SLV_TRY(slv_plan_lines(
		    r, plan, plan == &a->plan ? &a->view : &as_it_is, err));
	if (s->format == NULL)
		return SLV_OK;
	SLV_TRY(tell_others(r, a, err));
	if (r->bytes[SLV_FOREIGN] > 0 && r->job != SLV_JOB_MERGE
	    && err->code == SLV_OK)
		SLV_TRY(slv_split_likely(a, &r->whole_log, err));
	r->format = s->format->name;
	r->title = s->format->title;
	r->terms = s->format->terms;
	SLV_TRY(s->format->describe(s, &r->facts, err));
	slv_moment_span(r->facts.first, &r->first, &r->last);
	slv_moment_span(r->facts.last, &r->first, &r->last);
	for (size_t i = 0; i < r->facts.n_channels; i++) {
		slv_moment_span(
		    r->facts.channels[i].first, &r->first, &r->last);
		slv_moment_span(r->facts.channels[i].last, &r->first, &r->last);
	}
	return SLV_OK;
}

enum slv_status
slv_tell_siblings(struct slv_report *r, const struct slv_scan *s,
    const struct slv_neighbours *all, struct slv_err *err)
{
	size_t cap = 0;

	for (size_t i = 0; i < SLV_SIBLINGS_MAX; i++) {
		struct slv_taken one = { .taken = s->lent[i] };

		if (one.taken == 0)
			continue;
		SLV_TRY(slv_grow(&r->siblings, &cap, r->n_siblings + 1,
		    sizeof(*r->siblings), err));
		one.file = slv_strdup(all->at[i].name);
		if (one.file == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		r->siblings[r->n_siblings++] = one;
	}
	return SLV_OK;
}
