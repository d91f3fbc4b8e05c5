/* fill.c - add what a second recording has of the lost time.
 *
 * The repair comes first and gives a sound log.  Its data part, with the added
 * blocks in the gaps, is judged and planned like any log that has lost its
 * index.
 */
#include "job/merge/fill.h"

#include <stdlib.h>

#include "base/mem.h"
#include "formats/formats.h"
#include "job/readings/reading.h"

/* The gaps of the repaired log; owned by the caller.  A log that does not state
 * its end may have been longer. */
static enum slv_status
find_gaps(const struct slv_audit *a, struct slv_fill_gap **out, size_t *n,
    struct slv_err *err)
{
	const struct slv_scan *s = &a->scan;
	struct slv_gap_list list = { 0 };
	struct slv_fill_gap *gaps = NULL;
	enum slv_status st;
	bool open = s->end == SLV_END_UNKNOWN;

	*n = 0;
	st = slv_gaps_list(&s->gaps, &s->catalog, &list, err);
	if (st == SLV_OK) {
		gaps = slv_calloc(list.n + 1, sizeof(*gaps));
		if (gaps == NULL)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	for (size_t i = 0; st == SLV_OK && i < list.n; i++) {
		const struct slv_gap *g = &list.at[i];

		gaps[(*n)++] = (struct slv_fill_gap){
			.at = slv_plan_where(&a->plan, g->off + g->len),
			.span = slv_gap_span(g),
		};
		open &= g->after.known;
	}
	if (st == SLV_OK && open && list.latest.known)
		gaps[(*n)++] = (struct slv_fill_gap){
			.at = a->plan.size,
			.span = { .has_from = true,
			    .from = slv_gap_list_open_from(&list) },
		};
	slv_gap_list_free(&list);
	*out = gaps;
	return st;
}

/* The output of the plan and the donor, both scanned. */
static enum slv_status
lay_in(struct slv_filled *f, struct slv_source *donor,
    const struct slv_audit_options *opt, struct slv_err *err)
{
	struct slv_scan_options how = opt->scan;
	struct slv_scan here = { 0 }, there = { 0 };
	enum slv_status st;

	st = slv_scan_run(&there, donor, slv_formats, &how, err);
	how.no_digest = true;
	how.keep = 0;
	if (st == SLV_OK)
		st = slv_scan_run(&here, f->repaired, slv_formats, &how, err);
	if (st == SLV_OK
	    && (here.format == NULL || here.format != there.format))
		st = slv_fail(err, SLV_E_UNRELATED,
		    "%s: is no log of the format of the copies", donor->name);
	if (st == SLV_OK && here.format->fill == NULL)
		st = slv_fail(err, SLV_E_REFUSED,
		    "--fill adds nothing to a log of the format %s: a second "
		    "recording of the same time has other records",
		    here.format->title);
	if (st == SLV_OK)
		st = here.format->fill(&here, &there, &f->fill, err);
	if (st == SLV_OK && !f->fill.related)
		st = slv_fail(err, SLV_E_UNRELATED,
		    "%s and %s are not of one robot: they declare no channel "
		    "in common",
		    f->repaired->name, donor->name);
	slv_scan_free(&here);
	slv_scan_free(&there);
	return st;
}

/* Judge the log with the added blocks.  Nothing may get lost by that. */
static enum slv_status
judge(struct slv_filled *f, const struct slv_audit *a,
    const struct slv_audit_options *opt, struct slv_err *err)
{
	struct slv_audit_options how = *opt;
	const struct slv_catalog *c;

	/* It ends with a block, and nothing after it can confirm it. */
	how.scan.keep = SLV_KEEP_SUSPECT;
	how.effort = 0;
	SLV_TRY(
	    slv_joined_source(&f->fill.joint, a->input->name, &f->source, err));
	SLV_TRY(slv_audit_run(&f->audit, f->source, &how, err));
	c = slv_reading_catalog(&f->audit);
	if (!f->audit.planned
	    || c->sums[SLV_LOST] + c->sums[SLV_FOREIGN] + c->sums[SLV_FILLER]
	        > 0)
		return slv_fail(err, SLV_E_BUG,
		    "%s: what was added does not fit in; nothing was written; "
		    "please report this",
		    a->input->name);
	f->any = true;
	return SLV_OK;
}

enum slv_status
slv_fill_run(struct slv_filled *f, struct slv_audit *a,
    struct slv_source *donor, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_fill_gap *gaps = NULL;
	enum slv_status st;

	if (!a->planned)
		return SLV_OK;
	st = find_gaps(a, &gaps, &f->fill.n, err);
	f->fill.gaps = gaps;
	if (st == SLV_OK)
		st = slv_plan_source(&a->plan, &f->repaired, err);
	if (st == SLV_OK)
		st = lay_in(f, donor, opt, err);
	f->fill.gaps = NULL;
	slv_free(gaps);
	if (st != SLV_OK || f->fill.blocks == 0)
		return st;
	SLV_TRY(judge(f, a, opt, err));
	a->proven = false;
	a->assurance = SLV_BY_STRUCTURE;
	a->verified = f->audit.verified;
	if (a->scan.end == SLV_END_PROVEN)
		a->scan.end = SLV_END_KNOWN;
	if (a->state == SLV_STATE_INTACT)
		a->state = SLV_STATE_REPAIRED;
	return SLV_OK;
}

enum slv_status
slv_fill_report(const struct slv_filled *f, const char *name,
    struct slv_report *r, struct slv_err *err)
{
	r->added.blocks = f->fill.blocks;
	r->added.bytes = f->fill.bytes;
	r->added.there = f->fill.there;
	r->added.left_out = f->fill.left_out;
	r->added.file = slv_strdup(name);
	return r->added.file != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

void
slv_filled_free(struct slv_filled *f)
{
	slv_audit_free(&f->audit);
	slv_source_close(f->source);
	slv_source_close(f->repaired);
	slv_joint_free(&f->fill.joint);
	*f = (struct slv_filled){ .any = false };
}
