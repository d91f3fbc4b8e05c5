/* plan_write.c - put a plan into a file.
 *
 * The lines of the report say what is copied from the file, with views and
 * patches resolved; everything between is read from the output itself.
 */
#include "job/plan/plan_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/text/base64.h"
#include "base/text/hex.h"
#include "job/files/lines_part.h"
#include "job/input/digests.h"

#define PIECE ((size_t)48 << 10) /* bytes of one line; they need no padding */

struct writer {
	struct slv_work *w;
	struct slv_source *output; /* owned */
	uint8_t *piece;            /* owned */
	uint64_t written;          /* bytes of text */
};

static enum slv_status
add(struct writer *wr, struct slv_buf *line)
{
	struct slv_work *w = wr->w;

	wr->written += line->len;
	if (wr->written > SLV_PLAN_LIMIT) {
		slv_buf_free(line);
		return slv_fail(w->err, SLV_E_LIMIT,
		    "%s: would have more than %zu bytes; repair the log where "
		    "it is",
		    w->opt->plan_out, SLV_PLAN_LIMIT);
	}
	return slv_lines_part(w->plan_out, line, w->err);
}

/* Which file an end of the plan is. */
static enum slv_status
add_end(struct writer *wr, const char *word, uint64_t size,
    const uint8_t sha256[SLV_SHA256_SIZE])
{
	char hex[SLV_HEX(SLV_SHA256_SIZE)];
	struct slv_buf line = { 0 };

	slv_hex(hex, sha256, SLV_SHA256_SIZE);
	slv_buf_printf(&line, "%s %" PRIu64 " %s\n", word, size, hex);
	return add(wr, &line);
}

static bool
is_one_byte(const uint8_t *at, size_t n)
{
	return n > 1 && memcmp(at, at + 1, n - 1) == 0;
}

/* Bytes of the output that are not copied. */
static enum slv_status
add_bytes(struct writer *wr, uint64_t out, uint64_t len)
{
	while (len > 0) {
		size_t n = (size_t)slv_min64(len, PIECE);
		struct slv_buf line = { 0 };

		SLV_TRY(
		    slv_source_read(wr->output, out, wr->piece, n, wr->w->err));
		if (is_one_byte(wr->piece, n)) {
			slv_buf_printf(&line, "fill %zu %u\n", n, *wr->piece);
		} else {
			slv_buf_printf(&line, "bytes %zu ", n);
			slv_base64(&line, wr->piece, n);
			slv_buf_text(&line, "\n");
		}
		SLV_TRY(add(wr, &line));
		out += n;
		len -= n;
	}
	return SLV_OK;
}

static enum slv_status
add_lines(struct writer *wr)
{
	const struct slv_report *r = wr->w->report;

	for (size_t i = 0; i < r->n_plan; i++) {
		const struct slv_plan_line *l = &r->plan[i];
		struct slv_buf line = { 0 };

		if (l->kind != SLV_SEG_COPY) {
			SLV_TRY(add_bytes(wr, l->out, l->len));
			continue;
		}
		slv_buf_printf(
		    &line, "copy %" PRIu64 " %" PRIu64 "\n", l->in, l->len);
		SLV_TRY(add(wr, &line));
	}
	return SLV_OK;
}

/* The digests of both ends. */
static enum slv_status
add_ends(struct writer *wr)
{
	struct slv_work *w = wr->w;
	uint8_t input[SLV_SHA256_SIZE], output[SLV_SHA256_SIZE];

	SLV_TRY(slv_digest_of(
	    w->source, SLV_SHA256, NULL, w->opt->cancel, input, w->err));
	SLV_TRY(slv_digest_of(
	    wr->output, SLV_SHA256, NULL, w->opt->cancel, output, w->err));
	/* A copy elsewhere may be readable there, and is then another file. */
	if (w->source->unreadable.n > 0)
		return slv_fail(w->err, SLV_E_IO,
		    "%s: no plan is written: sectors of it cannot be read",
		    w->report->file);
	SLV_TRY(add_end(wr, "input", w->source->size, input));
	return add_end(wr, "output", wr->output->size, output);
}

/* What goes next to the output. */
static enum slv_status
add_report(struct writer *wr, const char *report)
{
	char hex[SLV_HEX(SLV_SHA1_SIZE)];
	struct slv_buf line = { 0 };

	if (report == NULL)
		return SLV_OK;
	slv_hex(hex, slv_work_plan(wr->w)->whole, SLV_SHA1_SIZE);
	slv_buf_printf(&line, "report %s ", hex);
	slv_base64(&line, report, strlen(report));
	slv_buf_text(&line, "\n");
	return add(wr, &line);
}

static enum slv_status
write_all(struct writer *wr, const char *report)
{
	struct slv_buf head = { 0 }, tail = { 0 };

	slv_buf_text(&head, SLV_PLAN_MAGIC "1\n");
	SLV_TRY(add(wr, &head));
	SLV_TRY(add_ends(wr));
	SLV_TRY(add_report(wr, report));
	SLV_TRY(add_lines(wr));
	slv_buf_text(&tail, "end\n");
	return add(wr, &tail);
}

static enum slv_status
write_plan(struct slv_work *w, const char *report)
{
	struct writer wr = { .w = w, .piece = slv_realloc(NULL, PIECE) };
	enum slv_status st;

	if (wr.piece == NULL)
		return slv_fail(w->err, SLV_E_NOMEM, "out of memory");
	st = slv_plan_source(slv_work_plan(w), &wr.output, w->err);
	if (st == SLV_OK)
		st = write_all(&wr, report);
	slv_source_close(wr.output);
	slv_free(wr.piece);
	return st;
}

enum slv_status
slv_plan_file_publish(struct slv_work *w, const char *report)
{
	struct slv_lines *lines = w->plan_out;

	if (lines == NULL || !w->audit.planned)
		return SLV_OK;
	SLV_TRY(write_plan(w, report));
	w->plan_out = NULL;
	return slv_lines_commit(lines, w->err);
}
