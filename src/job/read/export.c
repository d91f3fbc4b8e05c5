/* export.c - the records of a reader as a file of another format.
 *
 *	open -> channels, records, what was lost -> scan what was written -> publish
 */
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "core/format/writer.h"
#include "formats/formats.h"
#include "io/sys.h"
#include "io/write/sink.h"
#include "job/output/output.h"
#include "job/read/gap_records.h"
#include "job/read/log.h"

#define FLUSH ((size_t)1 << 20) /* bytes that are written at once */

/* An export while it runs. */
struct export
{
	struct slv_log *log;
	struct slv_reader *reader;
	const struct slv_format *format;
	const char *path;
	struct slv_sink *sink; /* owned until it is committed */
	void *state;           /* owned; the writer's */
	struct slv_outgoing out;
	struct slv_channel_info *channels; /* owned; the log's, and one more if
					    * something was lost */
	uint32_t n_channels;
};

/* The format of that name; of a path, by its ending. */
static enum slv_status
find_format(struct export *x, const char *to)
{
	size_t n = strlen(x->path);

	for (size_t i = 0; slv_formats[i] != NULL; i++) {
		const struct slv_format *f = slv_formats[i];
		size_t ending = strlen(f->suffix);

		if (f->writing == NULL)
			continue;
		if (to != NULL ? strcmp(f->name, to) == 0
		               : n > ending
		            && strcmp(x->path + n - ending, f->suffix) == 0)
			x->format = f;
	}
	return x->format != NULL
	    ? SLV_OK
	    : slv_fail(&x->log->err, SLV_E_USAGE,
	        "%s: salvor cannot export to this format; name one: mcap",
	        to != NULL ? to : x->path);
}

static enum slv_status
open_sink(struct export *x)
{
	struct slv_log *log = x->log;
	const struct slv_target target = {
		.path = x->path,
		.replace = log->opt.force,
	};
	struct stat st;
	bool exists;

	if (strcmp(x->path, "-") == 0)
		return slv_sink_fd(
		    STDOUT_FILENO, "standard output", &x->sink, &log->err);
	exists = slv_sys.stat(x->path, &st) == 0;
	if (exists && st.st_dev == log->work.st.st_dev
	    && st.st_ino == log->work.st.st_ino)
		return slv_fail(&log->err, SLV_E_USAGE,
		    "%s: is the input itself; name another output", x->path);
	if (exists && S_ISDIR(st.st_mode))
		return slv_fail(&log->err, SLV_E_USAGE,
		    "%s: is a directory; name a file in it", x->path);
	if (exists && !S_ISREG(st.st_mode))
		return slv_sink_device(
		    x->path, log->opt.cancel, &x->sink, &log->err);
	if (exists && !log->opt.force)
		return slv_fail(&log->err, SLV_E_EXISTS,
		    "%s: exists; nothing was written", x->path);
	return slv_sink_atomic(&target, &x->sink, &log->err);
}

static enum slv_status
flush(struct export *x)
{
	struct slv_buf *buf = &x->out.buf;

	if (buf->len == 0)
		return SLV_OK;
	SLV_TRY(x->sink->ops->write(x->sink, buf->at, buf->len, &x->log->err));
	x->out.before += buf->len;
	buf->len = 0;
	return SLV_OK;
}

static enum slv_status
write_records(struct export *x)
{
	const struct slv_writing *w = x->format->writing;
	struct slv_err *err = &x->log->err;
	const struct slv_record *r;

	while ((r = slv_reader_next(x->reader)) != NULL) {
		SLV_TRY(w->record(x->state, r, &x->out, err));
		if (x->out.buf.len >= FLUSH)
			SLV_TRY(flush(x));
	}
	return err->code;
}

/* The channels of the log, and if something was lost one for that. */
static enum slv_status
list_channels(struct export *x)
{
	const struct slv_channels *from = &x->log->channels;

	x->channels = slv_calloc(from->n + 1, sizeof(*x->channels));
	if (x->channels == NULL)
		return slv_fail(&x->log->err, SLV_E_NOMEM, "out of memory");
	if (from->n > 0)
		memcpy(x->channels, from->at, from->n * sizeof(*from->at));
	x->n_channels = (uint32_t)from->n;
	if (x->log->work.report->gaps.n > 0)
		x->channels[x->n_channels++] = slv_gap_channel;
	return SLV_OK;
}

/* A record for each gap, so that a viewer shows when data are missing. */
static enum slv_status
write_gaps(struct export *x)
{
	const struct slv_gap_list *gaps = &x->log->work.report->gaps;
	struct slv_err *err = &x->log->err;
	struct slv_buf text = { 0 };

	for (size_t i = 0; i < gaps->n && err->code == SLV_OK; i++) {
		struct slv_record r = {
			.channel = x->n_channels - 1,
			.log_ns = slv_gap_record(&gaps->at[i], &text),
			.publish_ns = SLV_NO_STAMP,
			.data = text.at,
			.len = text.len,
		};

		if (text.failed)
			slv_fail(err, SLV_E_NOMEM, "out of memory");
		else
			(void)x->format->writing->record(
			    x->state, &r, &x->out, err);
	}
	slv_buf_free(&text);
	return err->code;
}

/* What became of the log on its way. */
static enum slv_status
write_note(struct export *x)
{
	const struct slv_report *r = x->log->work.report;
	char lost[24], gaps[24], bytes[24];
	const struct slv_pair pairs[] = {
		{ "format", r->format },
		{ "state", slv_state_name(r->state) },
		{ "records_lost", lost },
		{ "gaps", gaps },
		{ "bytes_lost", bytes },
		{ "salvor", slv_version() },
	};

	snprintf(lost, sizeof(lost), "%llu", (unsigned long long)r->units_lost);
	snprintf(gaps, sizeof(gaps), "%llu", (unsigned long long)r->gaps.total);
	snprintf(
	    bytes, sizeof(bytes), "%llu", (unsigned long long)r->gaps.bytes);
	return x->format->writing->note(x->state, "salvor", pairs,
	    sizeof(pairs) / sizeof(*pairs), &x->out, &x->log->err);
}

/* What is there before it gets its name is a sound log of all these records. */
static enum slv_status
prove(struct export *x)
{
	const struct slv_format *const formats[] = { x->format, NULL };
	const struct slv_scan_options how = {
		.limits = x->log->work.audit.scan.opt.limits,
		.no_digest = true,
		.cancel = x->log->opt.cancel,
	};
	struct slv_err *err = &x->log->err;
	struct slv_source *written = NULL;
	struct slv_scan scan = { 0 };

	if (x->sink->ops->reread == NULL)
		return SLV_OK;
	SLV_TRY(x->sink->ops->reread(x->sink, &written, err));
	if (slv_scan_run(&scan, written, formats, &how, err) == SLV_OK
	    && (scan.format == NULL || !slv_scan_is_sound(&scan)))
		slv_fail(err, SLV_E_BUG,
		    "%s: what was written is not sound; nothing was "
		    "published; please report this",
		    x->path);
	slv_scan_free(&scan);
	slv_source_close(written);
	return err->code;
}

static enum slv_status
run(struct export *x)
{
	const struct slv_writing *w = x->format->writing;
	struct slv_log *log = x->log;
	struct slv_err *err = &log->err;

	x->state = slv_calloc(1, w->state_size);
	if (x->state == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(open_sink(x));
	SLV_TRY(list_channels(x));
	SLV_TRY(w->begin(x->state, x->channels, x->n_channels, &x->out, err));
	SLV_TRY(write_records(x));
	SLV_TRY(write_gaps(x));
	SLV_TRY(write_note(x));
	SLV_TRY(w->end(x->state, &x->out, err));
	SLV_TRY(flush(x));
	return prove(x);
}

enum slv_status
slv_reader_export(struct slv_reader *reader, const char *path, const char *to)
{
	struct slv_log *log = slv_reader_log(reader);
	struct export x = { .log = log, .reader = reader, .path = path };
	struct slv_sink *sink;

	SLV_TRY(log->err.code);
	SLV_TRY(find_format(&x, to));
	(void)run(&x);
	if (x.state != NULL)
		x.format->writing->release(x.state);
	free(x.state);
	free(x.channels);
	slv_buf_free(&x.out.buf);
	sink = x.sink;
	if (sink != NULL && log->err.code != SLV_OK)
		sink->ops->discard(sink);
	else if (sink != NULL)
		(void)sink->ops->commit(sink, &log->err);
	return log->err.code;
}
