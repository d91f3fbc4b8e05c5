/* rewalk.c - walk over the log again, when it is known what each block is
 * worth. */
#include "job/rewalk.h"

#include "formats/formats.h"
#include "job/judge.h"

enum slv_status
slv_rewalk_list(struct slv_work *w)
{
	struct slv_scan_options how = w->audit.scan.opt;
	struct slv_scan scan = { 0 };
	enum slv_status st;

	how.no_digest = true;
	how.known = &w->audit.seal;
	how.on_block = w->opt->on_block;
	how.on_block_ctx = w->opt->on_block_ctx;
	slv_plan_free(&w->audit.plan);
	slv_scan_free(&w->audit.scan);
	st = slv_scan_run(&scan, w->source, slv_formats, &how, w->err);
	slv_scan_free(&scan);
	return st;
}

/* Who listens. */
struct ears {
	struct slv_timeline *timeline; /* NULL: nobody */
	struct slv_silences *silences; /* NULL: nobody */
};

static bool
hear(void *ctx, const struct slv_block *b)
{
	struct ears *e = ctx;

	return (e->timeline == NULL || slv_timeline_block(e->timeline, b))
	    && (e->silences == NULL || slv_silences_block(e->silences, b));
}

enum slv_status
slv_rewalk(struct slv_work *w)
{
	struct slv_scan_options how = w->audit.scan.opt;
	/* What was mended is walked over as it was, with its patches. */
	struct slv_source *source =
	    w->audit.patched != NULL ? w->audit.patched : w->source;
	struct slv_report *r = w->report;
	struct ears ears = { .timeline = r->timeline };
	struct slv_scan scan = { 0 };
	enum slv_status st;

	if (w->active || r->unfinished || r->glanced || r->format == NULL)
		return SLV_OK;
	SLV_TRY(slv_judge_listen(w, &ears.silences));
	if (ears.timeline != NULL)
		SLV_TRY(slv_timeline_begin(ears.timeline, r->size, r->first,
		    r->last, &r->facts, w->err));
	if (ears.timeline == NULL && ears.silences == NULL)
		return SLV_OK;
	how.no_digest = true;
	how.known = &w->audit.seal;
	how.tee = NULL;
	how.nameless = true;
	how.on_block = hear;
	how.on_block_ctx = &ears;
	st = slv_scan_run(&scan, source, slv_formats, &how, w->err);
	slv_scan_free(&scan);
	return st;
}
