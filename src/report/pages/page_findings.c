/* page_findings.c - what was found: the costliest, or everything. */
#include <stdio.h>
#include <string.h>

#include "base/text/wrap.h"
#include "report/pages/pages.h"

#define FINDINGS_MAX 6    /* that are shown, unless all are asked for */
#define KINDS_MAX    128  /* that are explained */
#define TEXT_MAX     1024 /* bytes of a sentence */

/* Rows that were explained. */
struct explained {
	const struct slv_problem_info *info[KINDS_MAX];
	size_t n;
};

static bool
is_first(struct explained *e, const struct slv_problem_info *info)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->info[i] == info)
			return false;
	}
	if (e->n < KINDS_MAX)
		e->info[e->n++] = info;
	return true;
}

/* Columns of the widest offset. */
static int
widest(const struct slv_report *r)
{
	int widest = 1;

	for (size_t i = 0; i < r->n_problems; i++) {
		int n = (int)strlen(slv_words_count(r->problems[i].off).text);

		widest = n > widest ? n : widest;
	}
	return widest;
}

/* What a finding that is no damage begins with. */
static const char *
note_of(const struct slv_problem *p)
{
	return p->info->severity == SLV_NOTE ? "note: " : "";
}

/* "  298,158  log cut inside this block ...    [bddf.cut-block]" */
static void
put_finding(struct slv_buf *out, int offset, const struct slv_problem *p)
{
	char text[TEXT_MAX];

	slv_problem_text(p, text, sizeof(text));
	slv_buf_printf(out, "  %*s  " SLV_HANG "%s", offset,
	    slv_words_count(p->off).text, note_of(p));
	slv_page_escaped(out, text);
	slv_buf_printf(out, SLV_RIGHT "[%s]\n", p->info->id);
}

/* Cut a text after a word, so that it takes no more than so many bytes. */
static void
cut(char *text, size_t room)
{
	static const char dots[] = "...";
	size_t n = strlen(text);

	if (n <= room)
		return;
	n = room >= sizeof(dots) ? room - (sizeof(dots) - 1) : 0;
	while (n > 0 && text[n] != ' ')
		n--;
	memcpy(text + n, dots, sizeof(dots));
}

/* The same in one line, however little of the sentence that leaves. */
static void
put_cut_finding(struct slv_buf *out, const struct slv_style *style, int offset,
    const struct slv_problem *p)
{
	size_t taken = (size_t)offset + strlen("    ") + strlen(p->info->id)
	    + strlen("  []");
	char text[TEXT_MAX];

	taken += strlen(note_of(p));
	slv_problem_text(p, text, sizeof(text));
	cut(text, style->width > taken ? style->width - taken : 0);
	slv_buf_printf(
	    out, "  %*s  %s", offset, slv_words_count(p->off).text, note_of(p));
	slv_page_escaped(out, text);
	slv_buf_printf(out, SLV_RIGHT "[%s]\n", p->info->id);
}

/* Of what is damaged more or less may be kept, or it may be missing in the file:
 * only the row can say what is left out. */
static const char *
remedy_in_words(const struct slv_problem_info *row)
{
	switch (row->remedy) {
	case SLV_LEAVE: return "Nothing to repair.";
	case SLV_DROP: return row->repair;
	case SLV_REBUILD: return "Repair rebuilds this.";
	case SLV_RESEAL: return "Repair does not touch it without --reseal.";
	case SLV_REFUSE: return "Repair cannot correct this.";
	}
	return "?";
}

/* What a kind of finding means and whether a repair can correct it. */
static void
put_meaning(struct slv_buf *out, int offset, const struct slv_problem_info *row)
{
	char text[TEXT_MAX];

	snprintf(text, sizeof(text), "%s %s%s", row->means,
	    row->remedy == SLV_DROP ? "Repair: " : "",
	    row == &slv_core_problems[SLV_P_UNFINISHED]
	        ? "Only undo and repair --in-place go on from here."
	        : remedy_in_words(row));
	slv_page_paragraph(out, (unsigned)offset + 6, text);
}

void
slv_page_findings(struct slv_buf *out, const struct slv_report *r)
{
	struct explained e = { .n = 0 };
	int offset = widest(r);

	for (size_t i = 0; i < r->n_problems; i++) {
		put_finding(out, offset, &r->problems[i]);
		if (is_first(&e, r->problems[i].info))
			put_meaning(out, offset, r->problems[i].info);
	}
	if (r->n_problems_total > r->n_problems)
		slv_buf_printf(out, "  and %s that %s not listed\n",
		    slv_words_some(
		        r->n_problems_total - r->n_problems, "more finding")
		        .text,
		    r->n_problems_total - r->n_problems == 1 ? "is" : "are");
}

/* Bytes that are lost by it: all of them where nothing can be written, and at
 * least one where some may be lost. */
static uint64_t
lost_by(const struct slv_problem *p)
{
	if (p->info->remedy == SLV_REFUSE || p->info->remedy == SLV_RESEAL)
		return UINT64_MAX;
	if (p->info->risk != SLV_RISK_LOST)
		return 0;
	return p->len > 0 ? p->len : 1;
}

/* What is lost by it counts first, then what is in doubt, then how bad it is,
 * then which is first in the file. */
static bool
is_costlier(const struct slv_problem *a, const struct slv_problem *b)
{
	if (lost_by(a) != lost_by(b))
		return lost_by(a) > lost_by(b);
	if (a->info->risk != b->info->risk)
		return a->info->risk > b->info->risk;
	if (a->info->severity != b->info->severity)
		return a->info->severity > b->info->severity;
	return a->off != b->off ? a->off < b->off : a < b;
}

/* The costliest of those that are less costly than `last`; NULL: none is, and
 * NULL as `last`: of all. */
static const struct slv_problem *
next_costliest(const struct slv_report *r, const struct slv_problem *last)
{
	const struct slv_problem *best = NULL;

	for (size_t i = 0; i < r->n_problems; i++) {
		const struct slv_problem *p = &r->problems[i];

		if ((last == NULL || is_costlier(last, p))
		    && (best == NULL || is_costlier(p, best)))
			best = p;
	}
	return best;
}

/* Append the finding in no more than so many lines: how many it takes; 0: it would
 * take more.  One that `must` is there is cut instead. */
static unsigned
fit(struct slv_buf *out, const struct slv_style *style, int offset,
    const struct slv_problem *p, unsigned most, bool must)
{
	struct slv_buf line = { 0 };
	unsigned n;

	put_finding(&line, offset, p);
	n = slv_page_lines(out, &line, style);
	if (n <= most) {
		slv_buf_add(out, line.at, line.len);
	} else {
		n = must;
		if (must)
			put_cut_finding(out, style, offset, p);
	}
	out->failed |= line.failed;
	slv_buf_free(&line);
	return n;
}

void
slv_page_costliest(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style, unsigned room)
{
	const struct slv_problem *p = next_costliest(r, NULL);
	int offset = widest(r);
	uint64_t shown = 0, total = r->n_problems_total;

	for (; p != NULL && shown < FINDINGS_MAX; shown++) {
		unsigned more = total > shown + 1;
		unsigned n = fit(out, style, offset, p,
		    room > more ? room - more : 0, shown == 0);

		if (n == 0)
			break;
		room -= n < room ? n : room;
		p = next_costliest(r, p);
	}
	if (total > shown)
		slv_buf_printf(out, "  and %s: -v\n",
		    slv_words_some(total - shown, "more finding").text);
}
