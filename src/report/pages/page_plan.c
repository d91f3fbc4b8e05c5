/* page_plan.c - what a repair wrote or would write. */
#include "report/pages/pages.h"

#include <string.h>

#include "base/buf.h"
#include "base/ranges.h"
#include "report/text/columns.h"
#include "report/text/words.h"

#define LINES_MAX  20 /* of the plan, and of the ranges that are dropped */
#define SPLITS_MAX 2  /* logs that are named, unless all are asked for */

/* Whether the line takes over a stretch of the input that was not taken over
 * before; notes it in `kept`.  What an index repeats from the data part is
 * copied too, but only a detail of making the index. */
static bool
takes_over(
    const struct slv_plan_line *l, struct slv_ranges *kept, struct slv_buf *out)
{
	const struct slv_range *there;

	if (l->kind != SLV_SEG_COPY)
		return false;
	there = slv_ranges_from(kept, l->in);
	if (there != NULL && there->off <= l->in
	    && there->end - l->in >= l->len)
		return false;
	if (slv_ranges_add(kept, l->in, l->len, NULL) != SLV_OK)
		out->failed = true;
	return true;
}

void
slv_page_output(struct slv_buf *out, const struct slv_report *r)
{
	if (strcmp(r->output, "-") == 0)
		slv_buf_text(out, "to standard output");
	else
		slv_page_escaped(out, r->output);
}

static uint64_t
kept_bytes(const struct slv_report *r, struct slv_buf *out)
{
	struct slv_ranges kept = { 0 };
	uint64_t n;

	for (size_t i = 0; i < r->n_plan; i++)
		takes_over(&r->plan[i], &kept, out);
	n = slv_ranges_sum(&kept);
	slv_ranges_free(&kept);
	return n;
}

const char *
slv_page_outcome(enum slv_outcome outcome)
{
	switch (outcome) {
	case SLV_OUT_NONE: return "nothing written";
	case SLV_OUT_PLANNED: return "would write";
	case SLV_OUT_WRITTEN: return "wrote";
	case SLV_OUT_ALREADY: return "already there:";
	}
	return "?";
}

/* What a repair in place changed, and what takes it back. */
static void
put_in_place(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	const struct slv_in_place *p = &r->in_place;
	bool planned = r->outcome == SLV_OUT_PLANNED;

	slv_buf_text(out, planned ? "  would change " : "  changed ");
	slv_page_escaped(out, r->output);
	slv_buf_text(out, " in place");
	if (style->all) {
		slv_buf_printf(out, ": %s patched",
		    slv_words_some(p->patched, "byte").text);
		slv_buf_printf(
		    out, ", %s appended", slv_words_count(p->appended).text);
		slv_buf_printf(
		    out, ", %s cut off", slv_words_count(p->cut).text);
	}
	slv_buf_text(out,
	    planned ? "; the old bytes would be in "
	            : "; \"salvor undo\" takes it back from ");
	slv_page_escaped(out, p->record);
	slv_buf_printf(out, ", %s", slv_words_size(p->record_size).text);
}

static void
put_copied(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	uint64_t kept = kept_bytes(r, out);

	slv_buf_printf(out, "  %s ", slv_page_outcome(r->outcome));
	slv_page_output(out, r);
	slv_buf_printf(out, ", %s", slv_words_size(r->output_size).text);
	if (!style->all)
		return;
	slv_buf_printf(out, ": %s copied", slv_words_some(kept, "byte").text);
	if (r->output_size > kept)
		slv_buf_printf(out, ", %s rebuilt",
		    slv_words_count(r->output_size - kept).text);
	if (r->size > kept)
		slv_buf_printf(out, ", %s of the input not used",
		    slv_words_count(r->size - kept).text);
}

void
slv_page_sidecar(struct slv_buf *out, const struct slv_report *r)
{
	if (r->sidecar == NULL || r->outcome == SLV_OUT_PLANNED)
		return;
	slv_buf_text(out,
	    r->state == SLV_STATE_LOSSY || r->history.lossy
	        ? "; loss report: "
	        : "; report that the end is unknown: ");
	slv_page_escaped(out, r->sidecar);
}

static void
put_outcome(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	if (r->in_place.record != NULL)
		put_in_place(out, r, style);
	else
		put_copied(out, r, style);
	slv_page_sidecar(out, r);
	slv_buf_text(out, "\n");
}

static void
put_annotated(struct slv_buf *out, const struct slv_report *r)
{
	bool doubtful =
	    slv_report_is_resealed(r) || (r->units_unsure > 0 && r->has_notes);

	if (!(r->annotate || doubtful) || r->state == SLV_STATE_INTACT)
		return;
	if (doubtful && !r->annotated)
		slv_buf_text(out,
		    "  warning: not annotated; only its report shows that "
		    "bytes are unproven\n");
	else if (r->annotated)
		slv_buf_text(out,
		    "  annotated: salvor:* tell of the repair; not the "
		    "original bit for bit\n");
	else if (r->proven)
		slv_buf_text(out,
		    "  not annotated: it is the original again, bit for "
		    "bit\n");
	else
		slv_buf_text(
		    out, "  not annotated: the log has no place for it\n");
}

/* The room that it needs, where that is not there or all is asked for. */
static void
put_space(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	if (!r->space_known
	    || (!style->all && slv_report_needs(r) <= r->space_free))
		return;
	slv_buf_printf(out, "  space: %s needed",
	    slv_words_size(slv_report_needs(r)).text);
	slv_buf_printf(out, ", %s free\n", slv_words_size(r->space_free).text);
}

/* End a table that has rows for the first LINES_MAX of n things. */
static void
put_table(struct slv_columns *c, size_t n, struct slv_buf *out)
{
	slv_columns_put(c, 4, out);
	if (n > LINES_MAX)
		slv_buf_printf(out, "    and %s more\n",
		    slv_words_count(n - LINES_MAX).text);
}

static void
add_segment(struct slv_columns *c, uint64_t off, uint64_t len,
    const struct slv_plan_line *copy)
{
	struct slv_words from = { "rebuilt" };

	if (copy != NULL)
		from = slv_words_count(copy->in);
	slv_columns_add(c, slv_words_count(off).text);
	slv_columns_add(c, slv_words_count(len).text);
	slv_columns_add(c, from.text);
}

/* What the output is made of, in order; the ranges taken over from the input
 * are left in `kept`. */
static void
put_segments(
    struct slv_buf *out, const struct slv_report *r, struct slv_ranges *kept)
{
	struct slv_columns c = { .n = 3, .right = 3 };
	uint64_t made = 0; /* bytes since the last copy */
	size_t n = 0;

	slv_columns_add(&c, "output at");
	slv_columns_add(&c, "bytes");
	slv_columns_add(&c, "from the input at");
	for (size_t i = 0; i <= r->n_plan; i++) {
		const struct slv_plan_line *l = &r->plan[i];
		bool end = i == r->n_plan;
		uint64_t off = end ? r->output_size : l->out;

		if (!end && !takes_over(l, kept, out)) {
			made += l->len;
			continue;
		}
		if (made > 0 && n++ < LINES_MAX)
			add_segment(&c, off - made, made, NULL);
		if (!end && n++ < LINES_MAX)
			add_segment(&c, off, l->len, l);
		made = 0;
	}
	put_table(&c, n, out);
}

/* The ranges of the input that were not taken over. */
static void
put_dropped(struct slv_buf *out, const struct slv_report *r,
    const struct slv_ranges *kept)
{
	struct slv_columns c = { .n = 2, .right = 3 };
	uint64_t at = 0;
	size_t n = 0;

	slv_columns_add(&c, "not used at");
	slv_columns_add(&c, "bytes");
	for (size_t i = 0; i <= kept->n; i++) {
		uint64_t upto = i < kept->n ? kept->at[i].off : r->size;

		if (upto > at && n++ < LINES_MAX) {
			slv_columns_add(&c, slv_words_count(at).text);
			slv_columns_add(&c, slv_words_count(upto - at).text);
		}
		at = i < kept->n ? kept->at[i].end : at;
	}
	put_table(&c, n, out);
}

static const char *
saving_in_words(enum slv_outcome outcome)
{
	switch (outcome) {
	case SLV_OUT_NONE: return "not saved";
	case SLV_OUT_PLANNED: return "would be saved";
	case SLV_OUT_WRITTEN: return "is saved";
	case SLV_OUT_ALREADY: return "was saved before";
	}
	return "?";
}

static void
put_saved(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_saved *d = &r->dropped;

	if (d->outcome == SLV_OUT_NONE)
		return;
	slv_buf_printf(
	    out, "  what is left out %s in ", saving_in_words(d->outcome));
	slv_page_escaped(out, d->dir);
	slv_buf_printf(out, ": %s in ", slv_words_some(d->bytes, "byte").text);
	slv_buf_printf(out, "%s\n", slv_words_some(d->files, "file").text);
}

/* How much of each copy is in what was merged. */
static void
put_copies(struct slv_buf *out, const struct slv_report *r)
{
	for (size_t i = 0; i < r->n_copies; i++) {
		const struct slv_copy_line *c = &r->copies[i];

		slv_buf_printf(out, "%s%s of ", i == 0 ? "  used: " : ", ",
		    slv_words_count(c->used).text);
		slv_buf_printf(
		    out, "%s of ", slv_words_some(c->size, "byte").text);
		slv_page_escaped(out, c->file);
	}
	if (r->n_copies > 0)
		slv_buf_text(out, "\n");
}

/* What is of no copy. */
static void
put_added(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_added *a = &r->added;

	if (a->file == NULL || r->err.code != SLV_OK)
		return;
	slv_buf_printf(out, "  added from another recording, unproven: %s",
	    slv_page_units(r, a->blocks).text);
	slv_buf_printf(out, ", %s, of ", slv_words_some(a->bytes, "byte").text);
	slv_page_escaped(out, a->file);
	if (a->left_out > 0)
		slv_buf_printf(out, "; dropped: %s of unknown channels",
		    slv_page_units(r, a->left_out).text);
	slv_buf_text(out, "\n");
}

/* What another log of the robot was good for. */
static void
put_donor(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_taken *d = &r->donor;

	if (d->file == NULL || r->err.code != SLV_OK)
		return;
	slv_buf_printf(out, "  taken from another log, ");
	slv_page_escaped(out, d->file);
	slv_buf_printf(
	    out, ": %s", slv_words_some(d->taken, "declaration").text);
	if (d->refused > 0)
		slv_buf_printf(out, "; unsure, and not taken: %s",
		    slv_words_count(d->refused).text);
	slv_buf_text(out, "\n");
}

/* What other pieces of the recording were good for. */
static void
put_siblings(struct slv_buf *out, const struct slv_report *r)
{
	for (size_t i = 0; i < r->n_siblings && r->err.code == SLV_OK; i++) {
		slv_buf_text(out, "  taken from another segment, ");
		slv_page_escaped(out, r->siblings[i].file);
		slv_buf_printf(out, ": %s\n",
		    slv_words_some(r->siblings[i].taken, "declaration").text);
	}
}

/* The logs of other recordings, and their files. */
static void
put_splits(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	size_t n = r->n_splits;
	size_t most = style->all || n <= SPLITS_MAX ? n : SPLITS_MAX;

	for (size_t i = 0; i < most; i++) {
		const struct slv_split *s = &r->splits[i];

		if (s->log == NULL)
			continue;
		slv_buf_printf(out, "  another log at %s, %s: %s; ",
		    slv_words_count(s->off).text, slv_words_size(s->len).text,
		    slv_state_name(s->log->state));
		slv_buf_text(out, slv_page_outcome(s->log->outcome));
		if (s->log->outcome != SLV_OUT_NONE) {
			slv_buf_text(out, " ");
			slv_page_escaped(out, s->log->output);
			slv_buf_printf(out, ", %s",
			    slv_words_size(s->log->output_size).text);
		}
		slv_buf_text(out, "\n");
	}
	if (n > most)
		slv_buf_printf(out, "  and %s: -v\n",
		    slv_words_some(n - most, "more log").text);
}

/* What the plan is in detail. */
static void
put_plan(struct slv_buf *out, const struct slv_report *r)
{
	struct slv_ranges kept = { 0 };

	put_segments(out, r, &kept);
	if (r->size > slv_ranges_sum(&kept))
		put_dropped(out, r, &kept);
	slv_ranges_free(&kept);
}

static void
put_result(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	put_outcome(out, r, style);
	put_annotated(out, r);
	put_saved(out, r);
	put_splits(out, r, style);
	if (r->outcome != SLV_OUT_PLANNED)
		return;
	put_space(out, r, style);
	if (style->all)
		put_plan(out, r);
}

void
slv_page_plan(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	if (r->in_place.rolled_back)
		slv_buf_text(out,
		    "  a repair that was interrupted was rolled back first\n");
	if (r->in_place.forgotten != NULL) {
		slv_buf_text(out,
		    "  the earlier repair can no longer be taken back: removed "
		    "");
		slv_page_escaped(out, r->in_place.forgotten);
		slv_buf_text(out, "\n");
	}
	put_copies(out, r);
	put_added(out, r);
	put_donor(out, r);
	put_siblings(out, r);
	if (r->outcome != SLV_OUT_NONE)
		put_result(out, r, style);
	else if (r->err.code == SLV_OK)
		/* After a failure the cause says what became of it. */
		slv_buf_text(out,
		    r->state == SLV_STATE_INTACT
		        ? "  nothing to repair, nothing written\n"
		        : "  nothing written\n");
}
