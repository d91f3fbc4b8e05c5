/* export.c - the records of a reader as a file of another format.
 *
 *	open -> channels, records, what was lost -> scan what was written -> publish
 */
#include "job/export/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/ring.h"
#include "job/export/described.h"
#include "job/export/earlier.h"
#include "job/export/gap_records.h"
#include "job/export/opaque.h"

#define FLUSH      ((size_t)1 << 20) /* bytes that are written at once */
#define SIZE_TIMES 1024              /* an export may be so much larger ... */
#define SIZE_FREE  ((uint64_t)256 << 20) /* ... and always so large */

/* An export while it runs. */
struct export
{
	struct slv_log *log;
	struct slv_reader *reader;
	const struct slv_export_form *form;
	const char *path;
	struct slv_sink *sink;    /* owned until it is committed */
	struct slv_digest sha1;   /* of what is written */
	struct slv_ring *hashing; /* owned; NULL: it is computed here */
	void *state;              /* owned; the writer's */
	struct slv_outgoing out;
	struct slv_exported *what; /* borrowed; what the report says of it */
	struct slv_described described;        /* the log's channels */
	const struct slv_exporting *exporting; /* NULL: records as they are */
	struct slv_channel_info *channels;     /* owned; as they are written */
	uint32_t n_channels;
	uint32_t more[SLV_EXPORT_MORE]; /* the places of the exporter's own;
					 * UINT32_MAX: not written */
	unsigned n_more;
	uint32_t *places;  /* owned; of the log's channels in this list */
	uint32_t *numbers; /* owned; of `channels` in the log */
	uint64_t *records; /* owned; of the log, by place */
	struct slv_opaque opaque; /* by channel of the log */
	struct slv_earlier earlier;
};

enum slv_status
slv_export_check(struct slv_log *log, uint64_t size)
{
	if (size <= SIZE_FREE || size / SIZE_TIMES <= log->work.source->size)
		return SLV_OK;
	return slv_fail(&log->err, SLV_E_LIMIT,
	    "%s: becomes more than %d times as large in this format; that is "
	    "the limit",
	    log->name, SIZE_TIMES);
}

static void
hash(void *ctx, const uint8_t *bytes, size_t n)
{
	struct export *x = ctx;

	slv_digest_add(&x->sha1, bytes, n);
}

/* Hash what is written: it takes about as long as everything else together. */
static void
hash_along(struct export *x, const uint8_t *bytes, size_t n)
{
	size_t part;

	for (; x->hashing != NULL && n > 0; n -= part, bytes += part) {
		part = (size_t)slv_min64(n, SLV_RING_PIECE);
		memcpy(slv_ring_room(x->hashing), bytes, part);
		slv_ring_give(x->hashing, part);
	}
	if (n > 0)
		slv_digest_add(&x->sha1, bytes, n);
}

static enum slv_status
flush(struct export *x)
{
	struct slv_buf *buf = &x->out.buf;
	bool small = x->out.before < SLV_HASHER_ALONE;

	if (buf->len == 0)
		return SLV_OK;
	SLV_TRY(slv_export_check(x->log, x->out.before + buf->len));
	SLV_TRY(x->sink->ops->write(x->sink, buf->at, buf->len, &x->log->err));
	hash_along(x, buf->at, buf->len);
	x->out.before += buf->len;
	buf->len = 0;
	if (small && x->out.before >= SLV_HASHER_ALONE)
		x->hashing =
		    slv_ring_start(&(struct slv_ring_work){ hash, x }, 1);
	return SLV_OK;
}

/* The messages that are made of the record. */
static enum slv_status
write_more(struct export *x, const struct slv_record *r)
{
	struct slv_err *err = &x->log->err;
	struct slv_record made;
	bool any;

	for (unsigned i = 0; i < x->n_more; i++) {
		if (x->more[i] == UINT32_MAX)
			continue;
		SLV_TRY(x->exporting->derive(
		    x->described.state, i, r, &made, &any, err));
		if (!any)
			continue;
		made.channel = x->more[i];
		SLV_TRY(
		    x->form->writing->record(x->state, &made, &x->out, err));
	}
	return SLV_OK;
}

static enum slv_status
write_records(struct export *x)
{
	const struct slv_writing *w = x->form->writing;
	struct slv_meter *meter = &x->log->work.meter;
	struct slv_err *err = &x->log->err;
	const struct slv_record *r;

	slv_meter_begin(meter, SLV_PHASE_WRITE, x->log->work.source->size);
	while ((r = slv_reader_next(x->reader)) != NULL) {
		struct slv_record placed = *r;

		if (x->exporting != NULL && x->exporting->record != NULL)
			SLV_TRY(x->exporting->record(
			    x->described.state, &placed, err));
		placed.channel = x->places[r->channel];
		SLV_TRY(w->record(x->state, &placed, &x->out, err));
		x->records[placed.channel]++;
		if (x->out.opaque)
			slv_opaque_add(&x->opaque, r->channel, x->out.unfit);
		SLV_TRY(write_more(x, r));
		if (x->out.buf.len >= FLUSH)
			SLV_TRY(flush(x));
		slv_meter_at(meter, r->off);
	}
	return err->code;
}

/* Describe the channels of the log to readers of the format. */
static enum slv_status
describe_channels(struct export *x)
{
	bool as_logged = x->form->writing->as_logged;

	SLV_TRY(slv_described_make(&x->described, x->log, as_logged));
	if (!as_logged)
		x->exporting = x->described.how;
	return SLV_OK;
}

/* The exporter's own channels, if those that they are made of are wanted. */
static enum slv_status
list_more(struct export *x)
{
	const struct slv_channel_info *more;
	bool wanted;
	uint32_t of;

	if (x->exporting == NULL || x->exporting->more == NULL)
		return SLV_OK;
	for (unsigned i = 0; i < SLV_EXPORT_MORE; i++) {
		more = x->exporting->more(x->described.state, i, &of);
		if (more == NULL)
			break;
		x->more[x->n_more++] = UINT32_MAX;
		if (of == UINT32_MAX)
			continue;
		SLV_TRY(slv_reader_wants(x->reader, of, &wanted));
		if (!wanted)
			continue;
		x->more[i] = x->n_channels;
		x->channels[x->n_channels++] = *more;
	}
	return SLV_OK;
}

/* The channels of the log that are wanted, and if something was lost one for
 * that. */
static enum slv_status
list_channels(struct export *x)
{
	const struct slv_channels *from = &x->log->channels;
	const size_t room =
	    from->n + SLV_EXPORT_MORE + 1; /* and one for gaps */
	struct slv_err *err = &x->log->err;
	bool wanted;

	x->channels = slv_calloc(room, sizeof(*x->channels));
	x->places = slv_calloc(from->n + 1, sizeof(*x->places));
	x->records = slv_calloc(room, sizeof(*x->records));
	x->numbers = slv_calloc(room, sizeof(*x->numbers));
	if (x->channels == NULL || x->places == NULL || x->records == NULL
	    || x->numbers == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_opaque_begin(&x->opaque, (uint32_t)from->n, err));
	for (uint32_t i = 0; i < from->n; i++) {
		SLV_TRY(slv_reader_wants(x->reader, i, &wanted));
		x->places[i] = x->n_channels;
		x->numbers[x->n_channels] = i;
		if (wanted)
			x->channels[x->n_channels++] = x->described.at[i];
	}
	SLV_TRY(list_more(x));
	SLV_TRY(slv_earlier_find(&x->earlier, x->log->work.report, err));
	if (x->log->work.report->gaps.n + x->earlier.n > 0
	    && x->form->writing->gap == NULL)
		x->channels[x->n_channels++] = slv_gap_channel;
	return SLV_OK;
}

/* A gap as a record, so that a viewer shows when data are missing. */
static enum slv_status
write_gap_record(
    struct export *x, const struct slv_gap *gap, struct slv_buf *text)
{
	const struct slv_record r = {
		.channel = x->n_channels - 1,
		.log_ns = slv_gap_record(gap, text),
		.publish_ns = SLV_NO_STAMP,
		.data = text->at,
		.len = text->len,
	};

	SLV_TRY(slv_buf_check(text, &x->log->err));
	return x->form->writing->record(x->state, &r, &x->out, &x->log->err);
}

static enum slv_status
write_some(struct export *x, const struct slv_gap *gaps, size_t n)
{
	const struct slv_writing *w = x->form->writing;
	struct slv_err *err = &x->log->err;
	struct slv_buf text = { 0 };

	for (size_t i = 0; i < n && err->code == SLV_OK; i++)
		(void)(w->gap != NULL ? w->gap(x->state, &gaps[i], &x->out, err)
		                      : write_gap_record(x, &gaps[i], &text));
	slv_buf_free(&text);
	return err->code;
}

/* What was lost, also when the log was repaired. */
static enum slv_status
write_gaps(struct export *x)
{
	const struct slv_gap_list *gaps = &x->log->work.report->gaps;

	SLV_TRY(write_some(x, x->earlier.at, x->earlier.n));
	return write_some(x, gaps->at, gaps->n);
}

static void
put_pair(struct slv_export_note *n, const char *key, const char *value)
{
	n->pairs[n->n++] = (struct slv_pair){ key, value };
}

static void
put_sum(struct slv_export_note *n, const char *key, char value[24],
    uint64_t now, uint64_t before)
{
	snprintf(value, 24, "%" PRIu64, slv_add64(now, before));
	put_pair(n, key, value);
}

void
slv_export_note(struct slv_export_note *n, const struct slv_report *r)
{
	/* What was lost, or doubted, when the log was repaired earlier is so here,
	 * too. */
	const struct slv_history *before = &r->history;
	bool lossy = r->units_lost > 0 || r->units_unsure > 0
	    || r->gaps.bytes > 0 || before->lossy;

	n->n = 0;
	put_pair(n, "format", r->format);
	put_pair(n, "input", slv_state_name(r->state));
	put_pair(n, "state", lossy ? "lossy" : "intact");
	if (r->contradicted || before->contradicted)
		put_pair(n, "digest", "contradicted");
	if (slv_report_open_end(r) || before->open_end)
		put_pair(n, "end", "unknown");
	put_sum(n, "lost-blocks", n->lost, r->units_lost, before->lost_units);
	put_sum(n, "gaps", n->gaps, r->gaps.total, 0);
	put_sum(n, "lost-bytes", n->bytes, r->gaps.bytes, before->lost_bytes);
	put_sum(n, "unsure-blocks", n->unsure, r->units_unsure,
	    before->unsure_units);
	put_pair(n, "version", slv_version());
}

static enum slv_status
write_note(struct export *x)
{
	struct slv_export_note note;

	slv_export_note(&note, x->log->work.report);
	return x->form->writing->note(
	    x->state, "salvor", note.pairs, note.n, &x->out, &x->log->err);
}

/* What is there before it gets its name is a sound log of all these records. */
static enum slv_status
prove(struct export *x)
{
	const struct slv_format *const formats[] = { x->form->format, NULL };
	const struct slv_scan_options how = {
		.limits = x->log->work.audit.scan.opt.limits,
		.no_digest = true,
		.cancel = x->log->opt.cancel,
	};
	struct slv_err *err = &x->log->err;
	struct slv_source *written = NULL;
	struct slv_scan scan = { 0 };

	if (x->sink->ops->reread == NULL || x->form->format == NULL)
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
	const struct slv_writing *w = x->form->writing;
	struct slv_log *log = x->log;
	struct slv_write_how how = {
		.compression = log->opt.compression,
		.chunk_size = log->opt.chunk_size,
		.layout = log->scan->format->layout,
	};
	struct slv_err *err = &log->err;

	if (how.chunk_size > log->work.audit.scan.opt.limits.max_chunk)
		return slv_fail(err, SLV_E_USAGE,
		    "chunks of %llu bytes are over the limit (--max-chunk)",
		    (unsigned long long)how.chunk_size);
	x->state = slv_calloc(1, w->state_size);
	if (x->state == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(describe_channels(x));
	SLV_TRY(list_channels(x));
	how.numbers = x->numbers;
	SLV_TRY(
	    w->begin(x->state, &how, x->channels, x->n_channels, &x->out, err));
	SLV_TRY(write_records(x));
	SLV_TRY(write_gaps(x));
	SLV_TRY(write_note(x));
	SLV_TRY(w->end(x->state, &x->out, err));
	SLV_TRY(flush(x));
	slv_opaque_sum(&x->opaque, &x->described, x->log, &x->what->opaque);
	return prove(x);
}

/* The end of it, good or bad. */
static void
finish(struct export *x, struct slv_export *out)
{
	struct slv_sink *sink = x->sink;

	out->size = sink->n;
	out->what.format = x->form->name;
	slv_ring_free(x->hashing);
	slv_digest_get(&x->sha1, out->sha1);
	for (uint32_t i = 0; x->records != NULL && i < x->n_channels; i++) {
		out->what.records += x->records[i];
		out->what.channels += x->records[i] > 0;
	}
	if (x->log->err.code != SLV_OK)
		sink->ops->discard(sink);
	else
		(void)sink->ops->commit(sink, &x->log->err);
}

enum slv_status
slv_export_run(struct slv_reader *reader, const struct slv_export_form *form,
    const struct slv_export_target *target, struct slv_export *out)
{
	struct slv_log *log = slv_reader_log(reader);
	struct export x = {
		.log = log,
		.reader = reader,
		.form = form,
		.path = target->path,
		.what = &out->what,
	};

	*out = (struct slv_export){ .outcome = SLV_OUT_NONE };
	SLV_TRY(log->err.code);
	slv_digest_init(&x.sha1, SLV_SHA1);
	SLV_TRY(slv_export_open(target, &out->outcome, &x.sink, &log->err));
	(void)run(&x);
	finish(&x, out);
	if (x.state != NULL)
		x.form->writing->release(x.state);
	slv_free(x.state);
	slv_described_free(&x.described);
	slv_free(x.channels);
	slv_free(x.places);
	slv_free(x.numbers);
	slv_opaque_free(&x.opaque);
	slv_earlier_free(&x.earlier);
	slv_free(x.records);
	slv_buf_free(&x.out.buf);
	return log->err.code;
}

enum slv_status
slv_reader_export(struct slv_reader *reader, const char *path, const char *to)
{
	struct slv_log *log = slv_reader_log(reader);
	const struct slv_export_target target = {
		.path = path,
		.stream = &log->opt.stream,
		.input = &log->work.st,
		.force = log->opt.force,
		.cancel = log->opt.cancel,
	};
	struct slv_export_form form;
	struct slv_export done;

	SLV_TRY(log->err.code);
	SLV_TRY(slv_export_form(path, to, &form, &log->err));
	if (form.writing == NULL)
		return slv_fail(&log->err, SLV_E_USAGE,
		    "%s: a reader cannot be read twice, as a folder of CSV "
		    "needs; slv_export() can write it",
		    path);
	return slv_export_run(reader, &form, &target, &done);
}
