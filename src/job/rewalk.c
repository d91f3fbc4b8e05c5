/* rewalk.c - walk over the log again when the value of each block is known. */
#include "job/rewalk.h"

#include "base/bytes.h"
#include "formats/formats.h"
#include "job/rules/judge.h"

/* A listener for the blocks of a view, at their offsets in the file. */
struct teller {
	const struct slv_view *view;
	slv_block_fn fn;
	void *ctx;
	size_t told; /* reasons of the view that were reported */
};

/* Report what the view leaves out before off. */
static bool
tell_rest(struct teller *t, uint64_t off)
{
	const struct slv_view *v = t->view;

	for (; t->told < v->n_why && v->why[t->told].off < off; t->told++) {
		const struct slv_problem *p = &v->why[t->told];
		struct slv_block b = { .off = p->off, .len = p->len };

		b.kind = "bytes";
		b.verdict = slv_fate_name(slv_view_fate(p));
		if (p->info->remedy == SLV_DROP && !t->fn(t->ctx, &b))
			return false;
	}
	return true;
}

/* A block that the view has joined is reported at the place of its first part;
 * its other parts are bytes. */
static bool
tell(void *ctx, const struct slv_block *block)
{
	struct teller *t = ctx;
	uint64_t at = block->off, end = at + block->len;
	struct slv_block b = *block;

	if (b.packed) {
		b.off = slv_view_at(t->view, b.off);
		return t->fn(t->ctx, &b);
	}
	do {
		b.off = slv_view_at(t->view, at);
		b.len = slv_min64(slv_view_run(t->view, at), end - at);
		if (!tell_rest(t, b.off) || !t->fn(t->ctx, &b))
			return false;
		at += b.len;
		b = (struct slv_block){
			.kind = "bytes",
			.verdict = block->verdict,
		};
	} while (at < end);
	return true;
}

/* Scan what the audit has read, and report every block to the listeners. */
static enum slv_status
scan(const struct slv_work *w, struct slv_source *source,
    const struct slv_scan_options *opt, slv_block_fn fn, void *ctx)
{
	struct teller t = { .view = &w->audit.view, .fn = fn, .ctx = ctx };
	struct slv_scan_options how = *opt;
	struct slv_scan scan = { 0 };
	enum slv_status st;

	how.no_digest = true;
	how.known = &w->audit.seal;
	how.on_block = tell;
	how.on_block_ctx = &t;
	st = slv_scan_run(&scan, source, slv_formats, &how, w->err);
	slv_scan_free(&scan);
	if (st == SLV_OK && !tell_rest(&t, UINT64_MAX))
		st = slv_fail(w->err, SLV_E_CANCELLED, "stopped");
	return st;
}

enum slv_status
slv_rewalk_list(struct slv_work *w)
{
	struct slv_scan_options how = w->audit.scan.opt;

	slv_plan_free(&w->audit.plan);
	slv_scan_free(&w->audit.scan);
	return scan(
	    w, w->audit.read, &how, w->opt->on_block, w->opt->on_block_ctx);
}

/* The listeners. */
struct ears {
	struct slv_timeline *timeline; /* NULL: none */
	struct slv_silences *silences; /* NULL: none */
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
	/* Corrected bytes are walked over with their patches. */
	struct slv_source *source =
	    w->audit.patched != NULL ? w->audit.patched : w->audit.read;
	struct slv_report *r = w->report;
	struct ears ears = { .timeline = r->timeline };

	if (w->active || r->unfinished || r->glanced || r->format == NULL)
		return SLV_OK;
	SLV_TRY(slv_judge_listen(w, &ears.silences));
	if (ears.timeline != NULL)
		SLV_TRY(slv_timeline_begin(ears.timeline, r->size, r->first,
		    r->last, &r->facts, w->err));
	if (ears.timeline == NULL && ears.silences == NULL)
		return SLV_OK;
	how.tee = NULL;
	how.nameless = true;
	return scan(w, source, &how, hear, &ears);
}
