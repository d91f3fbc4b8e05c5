/* report_text.c - a report as text for people.
 *
 * One headline, the findings, then what is lost and what cannot be known.
 */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/wrap.h"
#include "report/text/pages.h"
#include "report/text/words.h"

#define ALIKE_MAX 3 /* findings of one kind that are listed */
#define KINDS_MAX 128
#define TEXT_WIDE 88 /* columns of a finding's text before its id */
#define PAGE_WIDE 78
#define INDENT    2 /* columns, of what does not fit beside its offset */

#define RED       "\033[1;31m"
#define GREEN     "\033[32m"
#define YELLOW    "\033[1;33m"
#define PLAIN     "\033[0m"

void
slv_page_escaped(struct slv_buf *out, const char *text)
{
	char *safe = slv_escape(text != NULL ? text : "-");

	if (safe != NULL)
		slv_buf_text(out, safe);
	else
		out->failed = true;
	free(safe);
}

struct slv_words
slv_page_moment(const struct slv_report *r, struct slv_moment m)
{
	struct slv_words w;

	if (r->facts.undated && m.known)
		snprintf(w.text, sizeof(w.text), "%.3f s after the start",
		    (double)m.sec + m.nanos / 1e9);
	else
		snprintf(w.text, sizeof(w.text), "%.30s%s",
		    slv_words_moment(m).text,
		    slv_words_can_date(m) ? " UTC" : "");
	return w;
}

struct slv_words
slv_page_span(
    const struct slv_report *r, struct slv_moment first, struct slv_moment last)
{
	struct slv_words w;

	if (!r->facts.undated || !first.known || !last.known)
		return slv_words_span(first, last);
	snprintf(w.text, sizeof(w.text), "%.3f to %.40s",
	    (double)first.sec + first.nanos / 1e9,
	    slv_page_moment(r, last).text);
	return w;
}

const char *
slv_page_unit(const struct slv_report *r)
{
	return r->terms.unit != NULL ? r->terms.unit : "block";
}

struct slv_words
slv_page_units(const struct slv_report *r, uint64_t n)
{
	return slv_words_some(n, slv_page_unit(r));
}

/* The cause of a failure.  Where the input could not be read it begins with
 * the name that the headline has already. */
static void
put_cause(struct slv_buf *out, const struct slv_report *r)
{
	const char *text = r->err.text;
	size_t n = strlen(r->file);

	if ((r->format == NULL || r->err.code == SLV_E_ACTIVE)
	    && strncmp(text, r->file, n) == 0
	    && strncmp(text + n, ": ", 2) == 0)
		text += n + 2;
	slv_buf_text(out, ": ");
	slv_page_escaped(out, text);
}

const char *
slv_page_at_least(const struct slv_report *r)
{
	return r->units_lost > 0 && r->lost_loose ? "at least " : "";
}

/* Whether units are lost of which nothing says how many there were. */
static bool
is_short(const struct slv_report *r)
{
	return r->facts.expected > 0
	    || (r->lost_loose
	        && (r->bytes[SLV_LOST] > 0 || r->state == SLV_STATE_LOSSY));
}

/* Where no unit is known to be lost, but other bytes are, or those of another
 * recording, "none" alone would contradict the verdict. */
static const char *
no_units(const struct slv_report *r)
{
	if (is_short(r))
		return "an unknown number";
	if (r->lost_loose || r->units_unsure > 0)
		return "none known to be";
	if (r->bytes[SLV_FOREIGN] > 0)
		return "none of its own";
	if (r->bytes[SLV_LOST] > 0 || r->wanted != NULL
	    || r->state == SLV_STATE_LOSSY)
		return "only other data";
	return "none";
}

/* How many units are lost. */
static struct slv_words
lost(const struct slv_report *r)
{
	struct slv_words w = slv_words_count(r->units_lost);

	if (r->units_lost == 0)
		snprintf(w.text, sizeof(w.text), "%s", no_units(r));
	return w;
}

/* How many of the kept ones may not be what was recorded. */
static struct slv_words
unsure(const struct slv_report *r)
{
	struct slv_words w = { "" };

	if (r->units_unsure > 0)
		snprintf(w.text, sizeof(w.text), " (%.40s of them unsure)",
		    slv_words_count(r->units_unsure).text);
	return w;
}

static void
put_counts(struct slv_buf *out, const struct slv_report *r)
{
	struct slv_words span = slv_page_span(r, r->first, r->last);

	if (r->state == SLV_STATE_UNSUPPORTED && r->units_kept == 0)
		return;
	slv_buf_printf(out, ": %s", slv_page_units(r, r->units_kept).text);
	if (r->state == SLV_STATE_ACTIVE)
		slv_buf_text(out, " so far");
	else if (r->contradicted && r->units_lost == 0)
		slv_buf_text(out, " kept, at least 1 byte wrong or missing");
	else if (!slv_page_is_sound(r) && r->state != SLV_STATE_UNSUPPORTED)
		slv_buf_printf(out, " kept%s, %s%s lost", unsure(r).text,
		    slv_page_at_least(r), lost(r).text);
	if (r->facts.expected > 0)
		slv_buf_printf(out,
		    " (the file has %.1f %% of the bytes that its header "
		    "states)",
		    slv_report_percent(r));
	if (span.text[0] != '\0')
		slv_buf_printf(out, ", %s", span.text);
	slv_page_others(out, r);
	if (slv_page_is_sound(r)) {
		slv_buf_text(out, "; ");
		slv_page_assurance(out, r);
		if (r->end == SLV_END_UNKNOWN)
			slv_buf_text(out, SLV_PAGE_OPEN_END);
	}
}

/* Colours as every terminal has them: sound, mended or mendable, neither. */
static const char *
colour_of(const struct slv_report *r)
{
	switch (r->state) {
	case SLV_STATE_INTACT: return GREEN;
	case SLV_STATE_INDEXED: return PLAIN;
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY: return YELLOW;
	case SLV_STATE_ACTIVE: return YELLOW;
	case SLV_STATE_DAMAGED:
		return r->repairable || r->wanted != NULL ? YELLOW : RED;
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: return RED;
	}
	return RED;
}

static void
put_verdict(struct slv_buf *out, const struct slv_report *r, unsigned how)
{
	bool colour = (how & SLV_TEXT_COLOUR) != 0;

	slv_buf_printf(out, "%s%s%s", colour ? colour_of(r) : "",
	    slv_page_verdict(r).text, colour ? PLAIN : "");
}

static void
put_headline(struct slv_buf *out, const struct slv_report *r, unsigned how)
{
	slv_page_escaped(out, r->file);
	for (size_t i = 1; i < r->n_copies; i++) {
		slv_buf_text(out, " + ");
		slv_page_escaped(out, r->copies[i].file);
	}
	slv_buf_text(out, ": ");
	if (r->format != NULL) {
		slv_buf_text(out, r->title);
		if (r->facts.version[0] != '\0') {
			slv_buf_text(out, " ");
			slv_page_escaped(out, r->facts.version);
		}
		slv_buf_text(out, "  ");
	}
	put_verdict(out, r, how);
	if (r->err.code != SLV_OK)
		put_cause(out, r);
	else if (r->format != NULL)
		put_counts(out, r);
	else if (r->stranger != NULL)
		slv_buf_printf(out, ": %s", r->stranger->title);
	slv_buf_text(out, "\n");
}

/* Rows seen so far and how often. */
struct tally {
	const struct slv_problem_info *info[KINDS_MAX];
	uint64_t seen[KINDS_MAX];
	size_t n;
};

/* How often the row was seen, this time included. */
static uint64_t
tally(struct tally *t, const struct slv_problem_info *info)
{
	size_t i = 0;

	while (i < t->n && t->info[i] != info)
		i++;
	if (i == KINDS_MAX)
		return 2; /* neither the first nor one too many */
	if (i == t->n) {
		t->info[t->n] = info;
		t->seen[t->n++] = 0;
	}
	return ++t->seen[i];
}

static const char *
remedy_in_words(enum slv_remedy remedy)
{
	switch (remedy) {
	case SLV_LEAVE: return "Nothing to mend.";
	case SLV_DROP: return "Repair leaves these bytes out.";
	case SLV_REBUILD: return "Repair rebuilds this.";
	case SLV_RESEAL: return "Repair does not touch it without --reseal.";
	case SLV_REFUSE: return "Repair cannot mend it.";
	}
	return "?";
}

struct layout {
	int offset; /* columns of the widest offset */
	int text;   /* columns of the widest text, or TEXT_WIDE */
};

/* The sentence of a finding, marked where it is no damage. */
static void
finding_text(const struct slv_problem *p, char *text, size_t size)
{
	static const char note[] = "note: ";
	size_t n = p->info->severity == SLV_NOTE ? sizeof(note) - 1 : 0;

	memcpy(text, note, n);
	slv_problem_text(p, text + n, size - n);
}

static struct layout
lay_out(const struct slv_report *r)
{
	struct layout l = { 1, 1 };

	for (size_t i = 0; i < r->n_problems; i++) {
		char text[1024];
		int n = (int)strlen(slv_words_count(r->problems[i].off).text);

		l.offset = n > l.offset ? n : l.offset;
		finding_text(&r->problems[i], text, sizeof(text));
		n = (int)strlen(text);
		if (n > l.text)
			l.text = n < TEXT_WIDE ? n : TEXT_WIDE;
	}
	return l;
}

/* How much of the text goes into a line that is so wide: words, and one that is
 * wider. */
static int
line_of(const char *text, int width)
{
	int n = (int)strlen(text);
	int at = n > width ? width : n;

	while (n > width && at > 0 && text[at] != ' ')
		at--;
	if (n > width && at == 0)
		at = (int)strcspn(text, " ");
	return at;
}

static void
put_finding(struct slv_buf *out, struct layout l, const struct slv_problem *p)
{
	char text[1024];
	const char *at = text;
	int wide = l.text;

	finding_text(p, text, sizeof(text));
	slv_buf_printf(out, "  %*s  ", l.offset, slv_words_count(p->off).text);
	for (int n = line_of(at, wide); at[n] != '\0'; n = line_of(at, wide)) {
		slv_buf_printf(
		    out, "%.*s\n%*s", n, at, l.offset + 4 + INDENT, "");
		at += n + 1;
		wide = l.text - INDENT;
	}
	slv_buf_printf(out, "%-*s  [%s]\n", wide, at, p->info->id);
}

/* What a kind of finding means and whether a repair can mend it. */
static void
put_meaning(
    struct slv_buf *out, struct layout l, const struct slv_problem_info *row)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s %s", row->means,
	    row == &slv_core_problems[SLV_P_UNFINISHED]
	        ? "Only undo and repair --in-place go on from here."
	        : remedy_in_words(row->remedy));
	slv_wrap(out, (unsigned)l.offset + 6, PAGE_WIDE, text);
}

static void
put_findings(struct slv_buf *out, const struct slv_report *r, unsigned how)
{
	struct tally seen = { .n = 0 };
	struct layout l = lay_out(r);
	bool all = (how & SLV_TEXT_VERBOSE) != 0;

	for (size_t i = 0; i < r->n_problems; i++) {
		uint64_t nth = tally(&seen, r->problems[i].info);

		if (all || nth <= ALIKE_MAX)
			put_finding(out, l, &r->problems[i]);
		if (all && nth == 1)
			put_meaning(out, l, r->problems[i].info);
	}
	for (size_t i = 0; i < seen.n && !all; i++) {
		if (seen.seen[i] > ALIKE_MAX)
			slv_buf_printf(out, "  %*s  ... and %s more  [%s]\n",
			    l.offset, "",
			    slv_words_count(seen.seen[i] - ALIKE_MAX).text,
			    seen.info[i]->id);
	}
	if (r->n_problems_total > r->n_problems)
		slv_buf_printf(out, "  %*s  ... and %s not listed\n", l.offset,
		    "",
		    slv_words_some(
		        r->n_problems_total - r->n_problems, "finding")
		        .text);
}

static void
put_left_out(struct slv_buf *out, const struct slv_report *r)
{
	uint64_t filler = r->bytes[SLV_FILLER], foreign = r->bytes[SLV_FOREIGN];

	if (filler > 0)
		slv_buf_printf(out,
		    "  left out: %s never written or no part of the log\n",
		    slv_words_some(filler, "byte").text);
	if (foreign > 0)
		slv_buf_printf(out, "  left out: %s of another recording%s\n",
		    slv_words_some(foreign, "byte").text,
		    r->whole_log && r->n_splits == 0
		        ? "; repair --split writes a whole log to a file of "
		          "its own"
		        : "");
}

static void
put_advice(struct slv_buf *out, const struct slv_report *r)
{
	const char *advice = slv_report_advice(r);

	/* It has file names in it. */
	if (r->undo_trouble != NULL) {
		slv_buf_text(out, "  ");
		slv_page_escaped(out, r->undo_trouble);
		slv_buf_text(out, "\n");
	} else if (advice != NULL)
		slv_wrap(out, 2, PAGE_WIDE, advice);
}

static void
put_brief(struct slv_buf *out, const struct slv_report *r, unsigned how)
{
	put_headline(out, r, how);
	put_findings(out, r, how);
	switch (r->state) {
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY:
	case SLV_STATE_DAMAGED:
		if (r->unfinished)
			break;
		slv_page_lost(out, r);
		slv_page_gaps(out, r, (how & SLV_TEXT_VERBOSE) != 0);
		put_left_out(out, r);
		slv_page_history(out, r);
		slv_page_sureness(out, r);
		if (how & SLV_TEXT_VERBOSE)
			slv_page_attempts(out, r);
		slv_page_map(out, r);
		break;
	case SLV_STATE_INTACT:
	case SLV_STATE_INDEXED: slv_page_history(out, r); break;
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED:
	case SLV_STATE_ACTIVE:
	case SLV_STATE_CANCELLED:
	case SLV_STATE_FAILED: break;
	}
	slv_page_policy(out, r);
	slv_page_baseline(out, r, (how & SLV_TEXT_VERBOSE) != 0);
	if (r->backup.file != NULL) {
		slv_buf_text(out, "  ");
		slv_page_backup(out, r);
	}
	put_advice(out, r);
}

/* The copy of a pipe took room, and where it stood should be known. */
static void
put_spool(struct slv_buf *out, const struct slv_report *r)
{
	if (r->spool == NULL)
		return;
	slv_buf_text(out, "  read through a temporary file in ");
	slv_page_escaped(out, r->spool);
	slv_buf_text(out, ", because it is a pipe\n");
}

char *
slv_report_text(const struct slv_report *r, enum slv_page page, unsigned how)
{
	struct slv_buf out = { 0 };

	/* Of a file that could not be read there is nothing to describe. */
	if (page == SLV_PAGE_INFO && r->format != NULL) {
		slv_page_info(&out, r);
	} else if (r->job == SLV_JOB_UNDO && r->err.code == SLV_OK) {
		slv_page_undo(&out, r);
	} else {
		put_brief(&out, r, how);
		if (page == SLV_PAGE_PLAN)
			slv_page_plan(&out, r);
	}
	put_spool(&out, r);
	return slv_buf_take(&out);
}
