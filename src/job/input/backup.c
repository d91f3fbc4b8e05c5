/* backup.c - the log as it was before another tool changed it. */
#include "job/input/backup.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "formats/formats.h"
#include "job/inplace/undo.h"
#include "job/input/active.h"
#include "job/input/beside.h"
#include "job/output/outname.h"

#define SAMPLES 8              /* places where both must be equal */
#define SAMPLE  ((size_t)4096) /* bytes */

struct search {
	struct slv_report *report;
	const struct slv_audit *audit; /* of the log */
	const struct stat *st;
	struct slv_err *err;
};

/* Apply a format's rows to a name. */
static bool
names_of(const struct slv_format *format, const char *log,
    bool (*fn)(const void *, char *), const void *ctx)
{
	const struct slv_leaving *l =
	    format->leavings != NULL ? format->leavings->names : NULL;
	size_t n = strlen(log);

	for (; l != NULL && l->ending != NULL; l++) {
		size_t tail = strlen(l->ending);
		struct slv_buf name = { 0 };

		if (n <= tail || strcmp(log + n - tail, l->ending) != 0
		    || log[n - tail - 1] == '/')
			continue;
		slv_buf_add(&name, log, n - tail);
		slv_buf_text(&name, l->instead);
		if (!fn(ctx, slv_buf_take(&name)))
			return false;
	}
	return true;
}

bool
slv_backup_names(const struct slv_format *format, const char *log,
    bool (*fn)(const void *ctx, char *name), const void *ctx)
{
	if (format != NULL)
		return names_of(format, log, fn, ctx);
	for (size_t i = 0; slv_formats[i] != NULL; i++) {
		if (!names_of(slv_formats[i], log, fn, ctx))
			return false;
	}
	return true;
}

/* Return true if both have the same bytes at more than half of some places of
 * what was recorded.  If there is nothing to compare, the name is the only
 * evidence. */
static enum slv_status
is_alike(const struct search *f, struct slv_source *other, bool *yes)
{
	struct slv_source *log = f->audit->input;
	const struct slv_leavings *tool = f->audit->scan.format->leavings;
	uint64_t from = tool != NULL ? tool->remade : 0;
	uint64_t end = f->report->facts.recorded;
	uint64_t part = end > from ? (end - from) / SAMPLES : 0;
	size_t n = (size_t)slv_min64(SAMPLE, part);
	uint8_t a[SAMPLE], b[SAMPLE];
	unsigned same = 0;

	for (unsigned i = 0; n > 0 && i < SAMPLES; i++) {
		uint64_t at = from + part * i;

		SLV_TRY(slv_source_read(log, at, a, n, f->err));
		SLV_TRY(slv_source_read(other, at, b, n, f->err));
		same += memcmp(a, b, n) == 0;
	}
	*yes = n == 0 || same > SAMPLES / 2;
	return SLV_OK;
}

static struct slv_scan_options
scan_options(const struct search *f)
{
	return (struct slv_scan_options){
		.limits = f->audit->scan.opt.limits,
		.cancel = f->audit->scan.opt.cancel,
		.meter = f->audit->scan.opt.meter,
		.no_digest = true,
	};
}

/* Read what its index says, if there is one. */
static enum slv_status
glance(const struct search *f, struct slv_source *other, struct slv_backup *out)
{
	struct slv_scan_options how = scan_options(f);
	struct slv_scan scan = { 0 };
	enum slv_status st;

	how.glance = how.brief = true;
	st = slv_scan_run(&scan, other, slv_formats, &how, f->err);
	if (st == SLV_OK && scan.glanced
	    && scan.format == f->audit->scan.format) {
		out->depth = SLV_BACKUP_INDEX;
		out->units = scan.units_kept;
	}
	slv_scan_free(&scan);
	return st;
}

/* Find out what a repair would keep of it, and what its output would be. */
static enum slv_status
read_all(
    const struct search *f, struct slv_source *other, struct slv_backup *out)
{
	struct slv_audit_options how = { .scan = scan_options(f),
		.plan = true };
	struct slv_audit a = { 0 };
	enum slv_status st = slv_audit_run(&a, other, &how, f->err);

	out->depth = SLV_BACKUP_ALL;
	if (st == SLV_OK && a.scan.format == f->audit->scan.format)
		out->units = a.scan.units_kept;
	if (st == SLV_OK && a.planned && a.state != SLV_STATE_INTACT) {
		out->target = slv_outname(out->file);
		out->target_size = a.plan.size;
		if (out->target == NULL)
			st = slv_fail(f->err, SLV_E_NOMEM, "out of memory");
	}
	slv_audit_free(&a);
	return st;
}

/* Return true if it holds more, as far as that can be determined. */
static enum slv_status
weigh(const struct search *f, struct slv_source *other, struct slv_backup *out,
    bool *more)
{
	*more = false;
	/* A file that is not longer than the log does not hold more. */
	if (other->size <= f->report->facts.recorded)
		return SLV_OK;
	SLV_TRY(slv_undo_check_finished(out->file, f->err));
	SLV_TRY(slv_active_writer(other, f->err));
	SLV_TRY(is_alike(f, other, more));
	if (!*more)
		return SLV_OK;
	out->size = other->size;
	SLV_TRY(glance(f, other, out));
	if (out->depth == SLV_BACKUP_SIZE && f->report->glanced)
		return SLV_OK;
	if (out->depth == SLV_BACKUP_SIZE)
		SLV_TRY(read_all(f, other, out));
	*more = out->units > f->report->units_kept;
	return SLV_OK;
}

/* Examine one candidate; takes over the name. */
static bool
look(const void *ctx, char *name)
{
	const struct search *f = ctx;
	struct slv_backup found = { .file = name };
	struct slv_source *other = NULL;
	struct stat st;
	bool more = false;
	enum slv_status got;

	got = name == NULL ? slv_fail(f->err, SLV_E_NOMEM, "out of memory")
	                   : slv_beside_open(name, f->st, &other, &st, f->err);
	if (got == SLV_OK
	    && (st.st_dev != f->st->st_dev || st.st_ino != f->st->st_ino))
		got = weigh(f, other, &found, &more);
	slv_source_close(other);
	if (got == SLV_OK && more) {
		f->report->backup = found;
		return false;
	}
	slv_free(found.file);
	slv_free(found.target);
	/* The user did not name the file: it is no news that it cannot be
	 * read. */
	if (got != SLV_E_NOMEM && got != SLV_E_CANCELLED && got != SLV_E_BUG)
		*f->err = (struct slv_err){ 0 };
	return f->err->code == SLV_OK;
}

enum slv_status
slv_backup_find(struct slv_report *r, const struct slv_audit *a,
    const struct stat *st, struct slv_err *err)
{
	struct search f = { r, a, st, err };
	bool judged = r->state == SLV_STATE_INTACT
	    || r->state == SLV_STATE_INDEXED || r->state == SLV_STATE_DAMAGED
	    || r->state == SLV_STATE_UNRECOVERABLE;

	/* Standard input has no files next to it. */
	if (judged && a->scan.format != NULL && slv_report_is_of_file(r))
		slv_backup_names(a->scan.format, r->file, look, &f);
	return err->code;
}
