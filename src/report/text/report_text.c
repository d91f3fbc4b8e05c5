/* report_text.c - a report as text for people.
 *
 * One file is at most eight lines of 80 columns: the verdict, how much of the
 * recording is kept, the costliest findings, then what is lost, what proves the
 * rest, and what was written.  SLV_TEXT_VERBOSE shows everything.
 */
#include "report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/wrap.h"
#include "report/pages/pages.h"

#define WIDTH     80 /* columns, where the caller does not say */
#define LINES_MAX 8  /* of a file, the next command included */

void
slv_page_escaped(struct slv_buf *out, const char *text)
{
	char *safe = slv_escape(text != NULL ? text : "-");

	if (safe != NULL)
		slv_buf_text(out, safe);
	else
		out->failed = true;
	slv_free(safe);
}

void
slv_page_colour(
    struct slv_buf *out, const struct slv_style *style, const char *colour)
{
	if (style->colour)
		slv_buf_text(out, colour);
}

void
slv_page_paragraph(struct slv_buf *out, unsigned indent, const char *text)
{
	slv_buf_printf(out, "%*s" SLV_HANG, (int)indent, "");
	slv_wrap(out, 0, UINT_MAX, text);
}

unsigned
slv_page_lines(struct slv_buf *out, const struct slv_buf *page,
    const struct slv_style *style)
{
	struct slv_buf text = { 0 }, folded = { 0 };
	unsigned n = 0;
	char *whole;

	slv_buf_add(&text, page->at, page->len);
	whole = slv_buf_take(&text);
	if (whole != NULL)
		slv_fold(&folded, whole, style->width);
	for (size_t i = 0; i < folded.len; i++)
		n += folded.at[i] == '\n';
	out->failed |= whole == NULL || folded.failed;
	slv_buf_free(&folded);
	slv_free(whole);
	return n;
}

/* The cause of a failure.  It may begin with the name that the headline has
 * already. */
static void
put_cause(struct slv_buf *out, const struct slv_report *r)
{
	const char *text = r->err.text;
	size_t n = strlen(r->file);

	if (strncmp(text, r->file, n) == 0 && strncmp(text + n, ": ", 2) == 0)
		text += n + 2;
	slv_buf_text(out, ": ");
	slv_page_escaped(out, text);
}

/* Colours as every terminal has them: sound, repaired or repairable, neither. */
static const char *
colour_of(const struct slv_report *r)
{
	switch (r->state) {
	case SLV_STATE_INTACT: return SLV_PAGE_GREEN;
	case SLV_STATE_INDEXED: return SLV_PAGE_PLAIN;
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY: return SLV_PAGE_YELLOW;
	case SLV_STATE_ACTIVE: return SLV_PAGE_YELLOW;
	case SLV_STATE_DAMAGED:
		return r->repairable || r->wanted != NULL ? SLV_PAGE_YELLOW
		                                          : SLV_PAGE_RED;
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: return SLV_PAGE_RED;
	}
	return SLV_PAGE_RED;
}

/* "drive.bag: DAMAGED, repairable (ROS 1 bag 2.0)" */
static void
put_headline(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	slv_page_escaped(out, r->file);
	for (size_t i = 1; i < r->n_copies; i++) {
		slv_buf_text(out, " + ");
		slv_page_escaped(out, r->copies[i].file);
	}
	if (r->n_segments > 1)
		slv_buf_printf(out, " and %s",
		    slv_words_some(r->n_segments - 1, "other log").text);
	slv_buf_text(out, ": ");
	slv_page_colour(out, style, colour_of(r));
	slv_buf_text(out, slv_page_verdict(r).text);
	slv_page_colour(out, style, SLV_PAGE_PLAIN);
	if (r->format != NULL) {
		slv_buf_printf(out, " (%s", r->title);
		if (r->facts.version[0] != '\0' && !style->tight) {
			slv_buf_text(out, " ");
			slv_page_escaped(out, r->facts.version);
		}
		slv_buf_text(out, ")");
	}
	if (r->err.code != SLV_OK) {
		put_cause(out, r);
	} else if (r->format == NULL && r->stranger != NULL) {
		slv_buf_printf(out, ": %s", r->stranger->title);
	} else if (slv_page_is_sound(r) && r->n_segments == 0) {
		slv_buf_text(out, "; ");
		slv_page_assurance(out, r);
	}
	slv_buf_text(out, "\n");
}

/* Bytes that are not in a repaired log, though they are not lost. */
static void
put_dropped(struct slv_buf *out, const struct slv_report *r)
{
	uint64_t filler = r->bytes[SLV_FILLER], foreign = r->bytes[SLV_FOREIGN];

	if (filler > 0)
		slv_buf_printf(out,
		    "  dropped: %s never written or no part of the log\n",
		    slv_words_some(filler, "byte").text);
	if (foreign > 0)
		slv_buf_printf(out, "  dropped: %s of another recording%s\n",
		    slv_words_some(foreign, "byte").text,
		    r->whole_log && r->n_splits == 0
		        ? "; repair --split writes a whole log to a file of "
		          "its own"
		        : "");
}

/* What became of the recording, in a log that was judged. */
static void
put_balance(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	switch (r->state) {
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY:
	case SLV_STATE_DAMAGED:
		if (r->unfinished)
			return;
		slv_page_lost(out, r, style);
		if (style->all) {
			slv_page_gaps(out, r);
			put_dropped(out, r);
		}
		slv_page_history(out, r);
		if (r->n_segments == 0)
			slv_page_proof(out, r);
		if (style->all) {
			slv_page_attempts(out, r);
			slv_page_map(out, r, style);
		}
		return;
	case SLV_STATE_INTACT:
	case SLV_STATE_INDEXED: slv_page_history(out, r); return;
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_ACTIVE:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: return;
	}
}

/* Where the next command needs an option, its note says as much. */
static void
put_advice(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	const char *advice = slv_report_advice(r);
	struct slv_next next = { .size_of = sizeof(next) };

	slv_report_next(r, &next);
	/* It has file names in it. */
	if (r->undo_trouble != NULL) {
		slv_buf_text(out, "  " SLV_HANG);
		slv_page_escaped(out, r->undo_trouble);
		slv_buf_text(out, "\n");
	} else if (advice != NULL && (style->all || next.option == NULL)) {
		slv_page_paragraph(out, 2, advice);
	}
}

/* The copy of what cannot be read as it is took room, and where it was should be
 * known. */
static void
put_spool(struct slv_buf *out, const struct slv_report *r)
{
	bool packed = r->packed_size > 0;

	if (packed)
		slv_buf_printf(out,
		    "  decompressed first: offsets and sizes are those of the "
		    "log%s\n",
		    r->job == SLV_JOB_REPAIR
		        ? ", and the output is not compressed"
		        : "");
	if (r->spool == NULL)
		return;
	slv_buf_text(out, "  read through a temporary file in ");
	slv_page_escaped(out, r->spool);
	slv_buf_printf(
	    out, ", because it is %s\n", packed ? "compressed" : "a pipe");
}

/* What follows the findings. */
static void
put_rest(struct slv_buf *out, const struct slv_report *r, enum slv_page page,
    const struct slv_style *style)
{
	put_balance(out, r, style);
	slv_page_segments(out, r, style);
	slv_page_policy(out, r, style);
	slv_page_baseline(out, r, style);
	if (r->backup.file != NULL) {
		slv_buf_text(out, "  ");
		slv_page_backup(out, r);
	}
	put_advice(out, r, style);
	if (slv_report_exports(r))
		slv_page_export(out, r);
	else if (page == SLV_PAGE_PLAN)
		slv_page_plan(out, r, style);
	put_spool(out, r);
}

/* What a page is put together of, but the findings. */
struct frame {
	struct slv_buf head, rest;
	unsigned lines; /* that both take, and the next command */
};

static void
free_frame(struct frame *f)
{
	slv_buf_free(&f->head);
	slv_buf_free(&f->rest);
}

static struct frame
frame_of(struct slv_buf *out, const struct slv_report *r, enum slv_page page,
    const struct slv_style *style)
{
	struct slv_next next = { .size_of = sizeof(next) };
	struct frame f = { 0 };

	slv_report_next(r, &next);
	f.lines = next.command != NULL;

	put_headline(&f.head, r, style);
	slv_page_kept(&f.head, r, style);
	put_rest(&f.rest, r, page, style);
	out->failed |= f.head.failed || f.rest.failed;
	f.lines += slv_page_lines(out, &f.head, style)
	    + slv_page_lines(out, &f.rest, style);
	return f;
}

/* The findings get the lines that the others leave, and enough for one. */
static void
put_brief(struct slv_buf *out, const struct slv_report *r, enum slv_page page,
    struct slv_style style)
{
	struct frame f = frame_of(out, r, page, &style);
	/* A finding, and how many there are besides. */
	unsigned least = (r->n_problems_total > 0) + (r->n_problems_total > 1);

	if (!style.all && f.lines + least > LINES_MAX) {
		free_frame(&f);
		style.tight = true;
		f = frame_of(out, r, page, &style);
	}
	slv_buf_add(out, f.head.at, f.head.len);
	if (style.all)
		slv_page_findings(out, r);
	else
		slv_page_costliest(out, r, &style,
		    f.lines < LINES_MAX ? LINES_MAX - f.lines : 0);
	slv_buf_add(out, f.rest.at, f.rest.len);
	free_frame(&f);
}

char *
slv_report_text(const struct slv_report *r, enum slv_page page, unsigned how)
{
	const struct slv_style style = {
		.colour = (how & SLV_TEXT_COLOUR) != 0,
		.all = (how & SLV_TEXT_VERBOSE) != 0,
		.width = how >> 8 != 0 ? how >> 8 : WIDTH,
	};
	struct slv_buf unfolded = { 0 }, out = { 0 };
	char *text;

	/* Of a file that could not be read there is nothing to describe. */
	if (page == SLV_PAGE_INFO && r->format != NULL) {
		slv_page_info(&unfolded, r);
		put_spool(&unfolded, r);
	} else if (r->job == SLV_JOB_UNDO && r->err.code == SLV_OK) {
		slv_page_undo(&unfolded, r);
		put_spool(&unfolded, r);
	} else {
		put_brief(&unfolded, r, page, style);
	}
	text = slv_buf_take(&unfolded);
	if (text == NULL)
		return NULL;
	slv_fold(&out, text, style.width);
	slv_free(text);
	return slv_buf_take(&out);
}
