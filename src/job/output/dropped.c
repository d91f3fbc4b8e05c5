/* dropped.c - save what a repair leaves out, range by range.
 *
 * A range is published like an output, with a plan that copies it.  So it
 * appears complete or never, nothing is replaced without --force, and a file
 * that is already correct is left unchanged.
 */
#include "job/output/dropped.h"
#include "options/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/sys.h"
#include "job/output/output.h"
#include "job/output/target.h"
#include "job/readings/reading.h"
#include "report/json/output_json.h"

#define PIECE ((size_t)16 << 10) /* bytes examined at once */

struct saving {
	struct slv_report *report;
	const struct slv_audit *audit;
	const struct slv_options *opt;
	const struct stat *input;
	const char *name;        /* prefix of the files */
	struct slv_buf manifest; /* owned; lines, once all are checked */
	bool dry;                /* only check */
	uint64_t files, bytes;   /* that are saved */
	uint64_t need;           /* bytes that do not exist yet */
};

static enum slv_status
is_zeros(struct slv_source *s, const struct slv_extent *x, bool *zeros,
    struct slv_err *err)
{
	uint8_t bytes[PIECE];

	*zeros = true;
	for (uint64_t at = 0; *zeros && at < x->len; at += PIECE) {
		size_t n = (size_t)slv_min64(PIECE, x->len - at);

		SLV_TRY(slv_source_read(s, x->off + at, bytes, n, err));
		*zeros = bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0;
	}
	return SLV_OK;
}

/* Plan to copy the range; zeros replace the *bad unreadable bytes. */
static enum slv_status
plan_range(struct slv_plan *plan, const struct slv_extent *x, uint64_t *bad,
    struct slv_err *err)
{
	uint64_t end = x->off + x->len, at = x->off;

	*bad = 0;
	while (at < end) {
		const struct slv_range *r =
		    slv_ranges_from(&plan->input->unreadable, at);
		uint64_t upto =
		    r == NULL ? end : slv_min64(end, slv_max64(r->off, at));
		uint64_t next = r == NULL ? end : slv_min64(end, r->end);

		SLV_TRY(slv_plan_copy(plan, at, upto - at, err));
		SLV_TRY(slv_plan_fill(plan, 0, next - upto, err));
		*bad += next - upto;
		at = next;
	}
	return SLV_OK;
}

/* The finding about the range, preferably one that makes repair drop it; NULL:
 * none. */
static const char *
finding_about(const struct slv_report *r, const struct slv_extent *x)
{
	const char *id = NULL;

	for (size_t i = 0; i < r->n_problems; i++) {
		const struct slv_problem *p = &r->problems[i];

		if (p->off >= x->off + x->len || p->off + p->len <= x->off)
			continue;
		if (p->info->remedy == SLV_DROP)
			return p->info->id;
		if (id == NULL)
			id = p->info->id;
	}
	return id;
}

/* Publish one file of the directory. */
static enum slv_status
publish(struct saving *s, struct slv_plan *plan, const char *name,
    struct slv_err *err)
{
	struct slv_output o = {
		.input = s->input,
		.original = s->report->spool == NULL
		        && slv_source_fd(s->audit->input) >= 0
		    ? s->audit->input
		    : NULL,
		.dry_run = s->dry,
		.force = s->opt->force,
		.verify_written = s->opt->verify_written,
		.cancel = s->opt->cancel,
	};
	enum slv_outcome outcome = SLV_OUT_NONE;
	char *path = slv_target_in(s->opt->save_dropped, name);
	enum slv_status st;

	if (path == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	o.path = path;
	st = slv_plan_seal(plan, &s->audit->hasher, err);
	if (st == SLV_OK)
		st = slv_plan_know(plan, &s->audit->hasher, NULL, NULL, err);
	if (st == SLV_OK)
		st = slv_output_publish(plan, &o, &outcome, err);
	if (outcome != SLV_OUT_ALREADY)
		s->need += plan->size;
	slv_free(path);
	return st;
}

/* Save one range, with its line of the manifest. */
static enum slv_status
save(struct saving *s, const struct slv_extent *x, struct slv_err *err)
{
	struct slv_dropped d = {
		.file = s->report->file,
		.off = x->off,
		.len = x->len,
		.fate = x->fate,
		.finding = finding_about(s->report, x),
	};
	struct slv_buf name = { 0 };
	struct slv_plan plan;
	enum slv_status st;
	char *text, *line;

	slv_buf_printf(&name, "%s.%010" PRIu64 "-%" PRIu64 ".%s", s->name,
	    x->off, x->len, slv_fate_name(x->fate));
	text = slv_buf_take(&name);
	if (text == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_plan_init(&plan, s->audit->input, SLV_SHA256);
	st = plan_range(&plan, x, &d.unreadable, err);
	if (st == SLV_OK)
		st = publish(s, &plan, text, err);
	if (st == SLV_OK && s->dry) {
		d.saved = text;
		memcpy(d.sha256, plan.whole, sizeof(d.sha256));
		line = slv_dropped_json(&d);
		slv_buf_printf(&s->manifest, "%s\n", line != NULL ? line : "");
		s->manifest.failed |= line == NULL;
		slv_free(line);
	}
	slv_plan_free(&plan);
	slv_free(text);
	s->files++;
	s->bytes += x->len;
	return st;
}

/* Save a range, unless there is nothing to save in it. */
static enum slv_status
save_if_any(struct saving *s, const struct slv_extent *x, struct slv_err *err)
{
	bool zeros = false;

	if (x->len == 0 || x->fate == SLV_KEPT || x->fate == SLV_REBUILT)
		return SLV_OK;
	if (x->fate == SLV_FILLER)
		SLV_TRY(is_zeros(s->audit->input, x, &zeros, err));
	return zeros ? SLV_OK : save(s, x, err);
}

/* Save all ranges, adjacent ones of one fate as one; then the manifest. */
static enum slv_status
save_all(struct saving *s, bool dry, struct slv_err *err)
{
	const struct slv_catalog *c = slv_reading_catalog(s->audit);
	struct slv_extent x = { .len = 0 };
	struct slv_buf name = { 0 };
	struct slv_plan plan;
	enum slv_status st;
	char *text;

	s->dry = dry;
	s->files = s->bytes = s->need = 0;
	for (size_t i = 0; i < c->n; i++) {
		if (x.len > 0 && c->at[i].fate == x.fate) {
			x.len += c->at[i].len;
			continue;
		}
		SLV_TRY(save_if_any(s, &x, err));
		x = c->at[i];
	}
	SLV_TRY(save_if_any(s, &x, err));
	if (s->manifest.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (s->files == 0)
		return SLV_OK;
	slv_buf_printf(&name, "%s.dropped.json", s->name);
	text = slv_buf_take(&name);
	if (text == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_plan_init(&plan, s->audit->input, SLV_SHA256);
	st = slv_plan_bytes(&plan, s->manifest.at, s->manifest.len, err);
	if (st == SLV_OK)
		st = publish(s, &plan, text, err);
	slv_plan_free(&plan);
	slv_free(text);
	return st;
}

static enum slv_status
check_directory(const char *dir, struct slv_err *err)
{
	struct stat st;

	if (slv_sys.stat(dir, &st) < 0)
		return slv_fail_errno(
		    err, "%s: cannot be used; name a folder that exists", dir);
	if (S_ISDIR(st.st_mode))
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE,
	    "%s: is no directory; --save-dropped needs one", dir);
}

/* Nothing is written before everything is checked. */
static enum slv_status
check_and_save(struct saving *s, struct slv_err *err)
{
	const char *dir = s->opt->save_dropped;
	struct slv_report *r = s->report;
	struct slv_space space = { .need = 0 };

	SLV_TRY(check_directory(dir, err));
	SLV_TRY(save_all(s, true, err));
	if (s->files == 0)
		return SLV_OK;
	space.need = s->need;
	slv_space_look(dir, &space);
	SLV_TRY(slv_space_check(&space, "what is dropped", dir, NULL, err));
	r->dropped.files = s->files;
	r->dropped.bytes = s->bytes;
	r->dropped.dir = slv_strdup(dir);
	if (r->dropped.dir == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (s->opt->dry_run || s->need == 0) {
		r->dropped.outcome =
		    s->need > 0 ? SLV_OUT_PLANNED : SLV_OUT_ALREADY;
		return SLV_OK;
	}
	SLV_TRY(save_all(s, false, err));
	r->dropped.outcome = SLV_OUT_WRITTEN;
	return SLV_OK;
}

enum slv_status
slv_dropped_save(struct slv_report *r, const struct slv_audit *a,
    const struct slv_options *opt, const struct stat *input,
    struct slv_err *err)
{
	struct saving s = {
		.report = r,
		.audit = a,
		.opt = opt,
		.input = input,
		.name = strcmp(r->file, "-") == 0 ? "stdin"
		                                  : slv_target_base(r->file),
	};
	enum slv_status st = SLV_OK;

	if (opt->save_dropped != NULL
	    && (a->planned || a->state == SLV_STATE_UNRECOVERABLE))
		st = check_and_save(&s, err);
	slv_buf_free(&s.manifest);
	return st;
}
