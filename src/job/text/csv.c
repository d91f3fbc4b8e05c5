/* csv.c - records as a folder of files of comma-separated values.
 *
 *	measure all payloads -> names of columns -> rows -> what was lost, and which
 *	file has what -> compare with what is there, or publish
 */
#include "job/text/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/hex.h"
#include "base/text/number.h"
#include "core/format/records.h"
#include "io/write/folder.h"
#include "job/export/described.h"
#include "job/export/earlier.h"
#include "job/export/opaque.h"
#include "job/text/csv_cell.h"
#include "job/text/csv_files.h"
#include "job/text/csv_tree.h"
#include "job/text/decoding.h"
#include "job/text/ndjson.h"

#define FLUSH ((size_t)256 << 10) /* bytes of a file that are written at once */
#define HOLD  ((size_t)32 << 20)  /* bytes of all files that are held */
#define NODES ((size_t)1 << 20)   /* places of values, of all files */
#define HEAD                                                                   \
	"log_time,publish_time,sequence,sure,offset,inner,after_gap,made,"     \
	"channel_id"
#define ODD  ",data_base64"
#define NONE SIZE_MAX

/* A file while it is made. */
struct file {
	const char *name; /* borrowed */
	struct slv_csv_tree tree;
	bool plain;    /* its payloads are bytes: there are too many places */
	bool odd;      /* some of its payloads are bytes */
	size_t number; /* in the folder; NONE: it is not made yet */
	struct slv_buf buf; /* owned; what is not written */
	uint64_t size, records;
	struct slv_digest sha1;
};

struct csv {
	struct slv_log *log;
	struct slv_described described;
	struct slv_decoding decoding;
	struct slv_csv_files names;
	struct file *files; /* owned; as the names */
	uint64_t *records;  /* owned; by channel */
	struct slv_opaque opaque;
	size_t nodes, held;
	struct slv_folder folder;
	bool writes;
	struct slv_buf head; /* owned; what a row begins with */
	struct slv_export *out;
};

/* How payloads of a file are read; *layout = NULL: as bytes. */
static enum slv_status
find_layout(struct csv *x, uint32_t file, const struct slv_layout **layout)
{
	*layout = NULL;
	if (x->files[file].plain)
		return SLV_OK;
	return slv_decoding_of(
	    &x->decoding, x->names.at[file].channel, layout, &x->log->err);
}

static enum slv_status
measure(struct csv *x, const struct slv_record *r)
{
	uint32_t number = x->names.of[r->channel];
	struct file *f = &x->files[number];
	const struct slv_layout *layout;
	size_t before = f->tree.n_nodes;
	bool fits = false;

	f->records++;
	x->records[r->channel]++;
	SLV_TRY(find_layout(x, number, &layout));
	if (layout != NULL)
		SLV_TRY(slv_csv_measure(&f->tree, layout,
		    (struct slv_span){ r->data, r->len }, &fits, &x->log->err));
	f->odd |= !fits;
	x->nodes += f->tree.n_nodes - before;
	if (x->nodes > NODES && !f->plain) {
		slv_csv_tree_free(&f->tree);
		f->tree = (struct slv_csv_tree){ .n_nodes = 0 };
		f->plain = f->odd = true;
	}
	return SLV_OK;
}

/* Write what is held of a file. */
static enum slv_status
flush(struct csv *x, struct file *f)
{
	struct slv_err *err = &x->log->err;

	SLV_TRY(slv_buf_check(&f->buf, err));
	if (f->buf.len == 0)
		return SLV_OK;
	SLV_TRY(slv_export_check(x->log, x->out->size + f->buf.len));
	if (x->writes && f->number == NONE) {
		f->number = x->folder.n_files;
		SLV_TRY(slv_folder_add(&x->folder, f->name, err));
	}
	if (x->writes)
		SLV_TRY(slv_folder_append(
		    &x->folder, f->number, f->buf.at, f->buf.len, err));
	slv_digest_add(&f->sha1, f->buf.at, f->buf.len);
	f->size += f->buf.len;
	x->out->size += f->buf.len;
	/* Memory of many files that are written once would add up. */
	slv_buf_free(&f->buf);
	f->buf = (struct slv_buf){ .len = 0 };
	return SLV_OK;
}

static enum slv_status
flush_all(struct csv *x)
{
	for (uint32_t i = 0; i < x->names.n; i++)
		SLV_TRY(flush(x, &x->files[i]));
	x->held = 0;
	return SLV_OK;
}

static enum slv_status
put_names(struct csv *x)
{
	for (uint32_t i = 0; i < x->names.n; i++) {
		struct file *f = &x->files[i];

		if (f->records == 0)
			continue;
		slv_buf_text(&f->buf, HEAD);
		slv_csv_number(&f->tree, &f->buf);
		slv_buf_text(&f->buf, f->odd ? ODD "\n" : "\n");
		SLV_TRY(flush(x, f));
	}
	return SLV_OK;
}

static void
put_time(struct slv_buf *out, int64_t ns)
{
	if (ns != SLV_NO_STAMP)
		slv_number_i64(out, ns);
	slv_buf_add(out, ",", 1);
}

/* What a row begins with, up to the columns of the payload. */
static void
make_head(struct slv_buf *out, const struct slv_record *r)
{
	out->len = 0;
	put_time(out, r->log_ns);
	put_time(out, r->publish_ns);
	slv_number_u64(out, r->sequence);
	slv_buf_printf(out, ",%s,", slv_sure_names[r->sure]);
	slv_number_u64(out, r->off);
	slv_buf_text(out, ",");
	if (r->inner != SLV_UNPACKED)
		slv_number_u64(out, r->inner);
	slv_buf_text(out, r->flags & SLV_RECORD_AFTER_GAP ? ",true" : ",false");
	slv_buf_text(out, r->flags & SLV_RECORD_MADE ? ",true," : ",false,");
	slv_number_u64(out, r->channel);
}

static enum slv_status
write_record(struct csv *x, const struct slv_record *r)
{
	uint32_t number = x->names.of[r->channel];
	struct file *f = &x->files[number];
	const struct slv_span data = { r->data, r->len };
	const struct slv_layout *layout;
	size_t before = f->buf.len;

	SLV_TRY(find_layout(x, number, &layout));
	make_head(&x->head, r);
	if (layout == NULL
	    || !slv_csv_rows(
	        &f->tree, layout, data, &x->head, f->odd ? "," : "", &f->buf)) {
		slv_buf_add(&f->buf, x->head.at, x->head.len);
		for (uint32_t i = 0; i <= f->tree.columns; i++)
			slv_buf_add(&f->buf, ",", 1);
		slv_csv_bytes(&f->buf, data);
		slv_buf_text(&f->buf, "\n");
		slv_opaque_add(&x->opaque, r->channel, layout != NULL);
	}
	x->held += f->buf.len - before;
	if (f->buf.len >= FLUSH || f->buf.failed || x->head.failed) {
		x->held -= slv_min64(x->held, f->buf.len);
		SLV_TRY(slv_buf_check(&x->head, &x->log->err));
		return flush(x, f);
	}
	return x->held < HOLD ? SLV_OK : flush_all(x);
}

/* Call a function for every record. */
static enum slv_status
for_all(struct csv *x, enum slv_phase phase,
    enum slv_status (*fn)(struct csv *, const struct slv_record *))
{
	struct slv_meter *meter = &x->log->work.meter;
	const struct slv_record *r;
	struct slv_reader *reader;
	enum slv_status st = SLV_OK;

	SLV_TRY(slv_reader_open(x->log, &reader));
	slv_meter_begin(meter, phase, x->log->work.source->size);
	while (st == SLV_OK && (r = slv_reader_next(reader)) != NULL) {
		st = fn(x, r);
		slv_meter_at(meter, r->off);
	}
	slv_reader_close(reader);
	return x->log->err.code;
}

/* A file about the others. */
static enum slv_status
write_about(struct csv *x, const char *name, struct slv_buf *text,
    uint8_t sha1[SLV_SHA1_SIZE])
{
	struct file f = { .name = name, .number = NONE };
	enum slv_status st;

	slv_digest_init(&f.sha1, SLV_SHA1);
	f.buf = *text;
	*text = (struct slv_buf){ .len = 0 };
	st = flush(x, &f);
	slv_buf_free(&f.buf);
	slv_digest_get(&f.sha1, sha1);
	return st;
}

static void
put_gaps(struct slv_buf *text, const struct slv_gap *gaps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		put_time(text, slv_moment_ns(gaps[i].before));
		put_time(text, slv_moment_ns(gaps[i].after));
		slv_number_u64(text, gaps[i].off);
		slv_buf_text(text, ",");
		slv_number_u64(text, gaps[i].bytes);
		slv_buf_text(text, gaps[i].earlier ? ",true\n" : ",false\n");
	}
}

/* "_gaps.csv": what was lost, also when the log was repaired. */
static enum slv_status
write_gaps(struct csv *x)
{
	const struct slv_gap_list *gaps = &x->log->work.report->gaps;
	struct slv_earlier earlier = { .n = 0 };
	struct slv_buf text = { 0 };
	uint8_t sha1[SLV_SHA1_SIZE];

	SLV_TRY(slv_earlier_find(&earlier, x->log->work.report, &x->log->err));
	slv_buf_text(&text, "from,to,offset,bytes,earlier\n");
	put_gaps(&text, earlier.at, earlier.n);
	put_gaps(&text, gaps->at, gaps->n);
	slv_earlier_free(&earlier);
	return write_about(x, "_gaps.csv", &text, sha1);
}

/* "_log.csv": what became of the log on its way. */
static enum slv_status
write_note(struct csv *x)
{
	struct slv_export_note note;
	struct slv_buf text = { 0 };
	uint8_t sha1[SLV_SHA1_SIZE];

	slv_export_note(&note, x->log->work.report);
	slv_buf_text(&text, "key,value\n");
	for (size_t i = 0; i < note.n; i++)
		slv_buf_printf(
		    &text, "%s,%s\n", note.pairs[i].key, note.pairs[i].value);
	return write_about(x, "_log.csv", &text, sha1);
}

static void
put_channel(struct csv *x, uint32_t channel, struct slv_buf *text)
{
	const struct slv_channel_info *c = &x->log->channels.at[channel];
	const struct file *f = &x->files[x->names.of[channel]];
	struct slv_buf meta = { 0 };
	uint8_t sha1[SLV_SHA1_SIZE];
	char hex[SLV_HEX(SLV_SHA1_SIZE)];

	slv_digest_get(&f->sha1, sha1);
	slv_hex(hex, sha1, sizeof(sha1));
	slv_buf_printf(text, "%s,", f->name);
	slv_csv_text(text, slv_span_of(c->name));
	slv_buf_text(text, ",");
	slv_csv_text(text, slv_span_of(c->type));
	slv_buf_text(text, ",");
	slv_csv_text(text, slv_span_of(c->encoding));
	slv_buf_text(text, ",");
	slv_number_u64(text, x->records[channel]);
	slv_buf_text(text, ",");
	slv_number_u64(text, f->size);
	slv_buf_printf(text, ",%s,", hex);
	slv_ndjson_meta(&meta, c);
	slv_csv_text(text, (struct slv_span){ meta.at, meta.len });
	slv_buf_printf(text, ",%u\n", (unsigned)channel);
	text->failed |= meta.failed;
	slv_buf_free(&meta);
}

/* "_files.csv": which channel is in which file. */
static enum slv_status
write_files(struct csv *x)
{
	struct slv_buf text = { 0 };

	slv_buf_text(&text,
	    "file,topic,type,encoding,records,bytes,sha1,metadata,channel_"
	    "id\n");
	for (uint32_t i = 0; i < x->log->channels.n; i++) {
		if (x->records[i] == 0)
			continue;
		put_channel(x, i, &text);
		x->out->what.records += x->records[i];
		x->out->what.channels++;
	}
	return write_about(x, "_files.csv", &text, x->out->sha1);
}

static enum slv_status
publish(struct csv *x)
{
	struct slv_err *err = &x->log->err;
	bool there, same;

	if (!x->writes)
		return SLV_OK;
	SLV_TRY(slv_folder_compare(&x->folder, &there, &same, err));
	if (!same)
		return slv_folder_commit(&x->folder, err);
	x->out->outcome = SLV_OUT_ALREADY;
	return SLV_OK;
}

static enum slv_status
run(struct csv *x, const struct slv_export_target *target)
{
	const struct slv_channels *c = &x->log->channels;
	struct slv_err *err = &x->log->err;

	SLV_TRY(slv_described_make(&x->described, x->log, true));
	SLV_TRY(slv_decoding_begin(&x->decoding, x->log->scan->format->layout,
	    x->described.at, (uint32_t)c->n, err));
	SLV_TRY(slv_csv_files_list(&x->names, c, err));
	SLV_TRY(slv_new(&x->files, x->names.n, sizeof(*x->files), err));
	SLV_TRY(slv_new(&x->records, c->n, sizeof(*x->records), err));
	SLV_TRY(slv_opaque_begin(&x->opaque, (uint32_t)c->n, err));
	for (uint32_t i = 0; i < x->names.n; i++) {
		x->files[i].name = x->names.at[i].name;
		x->files[i].number = NONE;
		slv_digest_init(&x->files[i].sha1, SLV_SHA1);
	}
	SLV_TRY(for_all(x, SLV_PHASE_READ, measure));
	if (x->writes)
		SLV_TRY(slv_folder_begin(
		    &x->folder, target->path, target->input, err));
	SLV_TRY(put_names(x));
	SLV_TRY(for_all(x, SLV_PHASE_WRITE, write_record));
	SLV_TRY(flush_all(x));
	SLV_TRY(write_gaps(x));
	SLV_TRY(write_note(x));
	SLV_TRY(write_files(x));
	slv_opaque_sum(&x->opaque, &x->described, x->log, &x->out->what.opaque);
	return publish(x);
}

enum slv_status
slv_csv_export(struct slv_log *log, const struct slv_export_target *target,
    struct slv_export *out)
{
	struct csv x = {
		.log = log,
		.folder = { .at = { .dir = -1 }, .dir = -1 },
		.writes = !target->dry_run,
		.out = out,
	};

	*out =
	    (struct slv_export){ .outcome = target->dry_run ? SLV_OUT_PLANNED
		                                            : SLV_OUT_WRITTEN };
	out->what.format = "csv";
	(void)run(&x, target);
	slv_folder_free(&x.folder);
	for (uint32_t i = 0; x.files != NULL && i < x.names.n; i++) {
		slv_csv_tree_free(&x.files[i].tree);
		slv_buf_free(&x.files[i].buf);
	}
	slv_free(x.files);
	slv_free(x.records);
	slv_opaque_free(&x.opaque);
	slv_buf_free(&x.head);
	slv_decoding_free(&x.decoding);
	slv_described_free(&x.described);
	slv_csv_files_free(&x.names);
	return log->err.code;
}
