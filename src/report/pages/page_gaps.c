/* page_gaps.c - what was lost: in all, in each gap, and where in the file. */
#include "report/pages/pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/wrap.h"
#include "report/text/words.h"

/* Whose units are lost, where that is one channel and it has a name. */
static void
put_loser(struct slv_buf *out, const struct slv_report *r)
{
	for (size_t i = 0; i < r->facts.n_channels && !r->terms.mixed; i++) {
		const struct slv_channel *c = &r->facts.channels[i];

		if (r->units_lost > 0 && r->lost_one
		    && c->index == r->lost_channel && c->name != NULL) {
			slv_buf_text(out, " of ");
			slv_page_escaped(out, c->name);
			return;
		}
	}
}

/* "1,179 bytes in at least 1 block of camera/front" */
static void
put_amount(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	uint64_t bytes = r->bytes[SLV_LOST];
	bool any = bytes > 0 || r->units_lost > 0;

	slv_page_colour(out, style, SLV_PAGE_RED);
	if (bytes > 0)
		slv_buf_text(out, slv_words_some(bytes, "byte").text);
	if (bytes > 0 && r->units_lost > 0)
		slv_buf_text(out, " in ");
	slv_buf_text(out, slv_page_at_least(r));
	if (r->units_lost > 0)
		slv_buf_text(out, slv_page_units(r, r->units_lost).text);
	if (!style->tight)
		put_loser(out, r);
	if (r->facts.expected > r->size)
		slv_buf_printf(out, "%sat least %s missing", any ? "; " : "",
		    slv_words_some(r->facts.expected - r->size, "byte").text);
	slv_page_colour(out, style, SLV_PAGE_PLAIN);
}

/* "2023-11-14 22:30:00.005", to the millisecond; `brief`: without its date. */
static struct slv_words
exact(const struct slv_report *r, struct slv_moment m, bool brief)
{
	struct slv_words w;

	if (r->facts.undated)
		snprintf(w.text, sizeof(w.text), "%.3f s",
		    (double)m.sec + m.nanos / 1e9);
	else
		w = brief ? slv_words_clock(m) : slv_words_moment(m);
	return w;
}

/* ", 2023-11-14 22:30:00.005 to 22:30:00.013 UTC" */
static void
put_when(struct slv_buf *out, const struct slv_report *r,
    const struct slv_gap *gap, bool brief)
{
	struct slv_moment a = gap->before, b = gap->after;
	bool back = a.known && b.known && slv_moment_compare(a, b) > 0;
	bool day = brief || slv_words_same_day(a, b);

	if (!a.known && !b.known)
		return;
	if (!a.known)
		slv_buf_printf(out, ", before %s", exact(r, b, brief).text);
	else if (!b.known)
		slv_buf_printf(out, ", after %s", exact(r, a, brief).text);
	else
		slv_buf_printf(out,
		    back ? ", after %s, before %s" : ", %s to %s",
		    exact(r, a, brief).text, exact(r, b, day).text);
	if (r->facts.undated)
		slv_buf_text(out, " after the start");
	else if (slv_words_can_date(b.known ? b : a))
		slv_buf_text(out, " UTC");
	if (back)
		slv_buf_text(out, ": time steps back");
}

/* Whether the line of what is kept has the date of both. */
static bool
is_of_the_day(const struct slv_report *r, const struct slv_gap *gap)
{
	return slv_words_same_day(r->first, r->last)
	    && (!gap->before.known || slv_words_same_day(gap->before, r->last))
	    && (!gap->after.known || slv_words_same_day(gap->after, r->last));
}

/* From the last moment before all gaps to the first after them, where the list
 * has all of them. */
static void
put_lost_time(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_gap_list *list = &r->gaps;
	struct slv_gap all;

	if (list->n == 0 || list->total > list->n)
		return;
	all = list->at[0];
	for (size_t i = 1; i < list->n; i++) {
		const struct slv_gap *gap = &list->at[i];

		if (!gap->before.known
		    || (all.before.known
		        && slv_moment_compare(gap->before, all.before) < 0))
			all.before = gap->before;
		if (!gap->after.known
		    || (all.after.known
		        && slv_moment_compare(gap->after, all.after) > 0))
			all.after = gap->after;
	}
	if (list->n > 1)
		slv_buf_printf(
		    out, " in %s", slv_words_some(list->n, "gap").text);
	put_when(out, r, &all, is_of_the_day(r, &all));
}

void
slv_page_lost(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	if (r->units_lost == 0 && r->bytes[SLV_LOST] == 0
	    && r->facts.expected <= r->size)
		return;
	slv_buf_text(out, "  lost: " SLV_HANG);
	put_amount(out, r, style);
	if (!style->tight)
		put_lost_time(out, r);
	slv_buf_text(out, "\n");
}

static void
put_channel(struct slv_buf *out, const struct slv_report *r, uint32_t channel)
{
	for (size_t i = 0; i < r->facts.n_channels; i++) {
		const struct slv_channel *c = &r->facts.channels[i];

		if (c->index == channel && c->name != NULL) {
			slv_page_escaped(out, c->name);
			return;
		}
	}
	slv_buf_printf(out, "channel %" PRIu32, channel);
}

/* "about 3 blocks of a" */
static void
put_loss(struct slv_buf *out, const struct slv_report *r,
    const struct slv_gap_loss *l)
{
	if (l->known)
		slv_buf_printf(out, "%s%s", l->exact ? "" : "about ",
		    slv_page_units(r, l->missing).text);
	else if (l->at_least > 0)
		slv_buf_printf(
		    out, "at least %s", slv_page_units(r, l->at_least).text);
	else
		slv_buf_printf(out, "an unknown number%s",
		    r->terms.mixed ? " of them" : "");
	if (r->terms.mixed)
		return;
	slv_buf_text(out, " of ");
	put_channel(out, r, l->channel);
}

/* "ask for 1700001000-1700001001: about 3 blocks of a, 1 block of b" */
static void
put_losses(
    struct slv_buf *out, const struct slv_report *r, const struct slv_gap *gap)
{
	struct slv_gap_span span = slv_gap_span(gap);

	if (slv_words_can_date(gap->before) && slv_words_can_date(gap->after)
	    && !r->facts.undated)
		slv_buf_printf(out, "ask for %" PRId64 "-%" PRId64 "%s",
		    span.from, span.to, gap->n_losses > 0 ? ": " : "");
	for (size_t i = 0; i < gap->n_losses; i++) {
		slv_buf_text(out, i > 0 ? ", " : "");
		put_loss(out, r, &r->gaps.losses[gap->loss + i]);
	}
}

static void
put_gap(
    struct slv_buf *out, const struct slv_report *r, const struct slv_gap *gap)
{
	struct slv_buf losses = { 0 };

	slv_buf_printf(out, "  gap at %s: ", slv_words_count(gap->off).text);
	slv_buf_text(out,
	    gap->bytes > 0 ? slv_words_some(gap->bytes, "byte").text
	                   : "cut out");
	put_when(out, r, gap, false);
	slv_buf_text(out, "\n");
	put_losses(&losses, r, gap);
	if (losses.len > 0) {
		slv_buf_text(out, "    " SLV_HANG);
		slv_buf_add(out, losses.at, losses.len);
		slv_buf_text(out, "\n");
	}
	out->failed |= losses.failed;
	slv_buf_free(&losses);
}

void
slv_page_gaps(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_gap_list *list = &r->gaps;

	for (size_t i = 0; i < list->n; i++)
		put_gap(out, r, &list->at[i]);
	if (list->total > list->n)
		slv_buf_printf(out, "  and %s\n",
		    slv_words_some(list->total - list->n, "more gap").text);
	if (!slv_report_open_end(r) || !slv_words_can_date(list->latest))
		return;
	slv_buf_printf(out, "  open end: the last known time is %s",
	    slv_page_moment(r, list->latest).text);
	if (!r->facts.undated)
		slv_buf_printf(out, "; ask for %" PRId64 "- (Unix seconds)",
		    slv_gap_list_open_from(list));
	slv_buf_text(out, "\n");
}

/* How a part of the file looks on the map, by the worst that is in it. */
struct look {
	enum slv_fate fate;
	char sign;
	const char *colour;
};

static const struct look *
look_of(uint8_t cell)
{
	static const struct look worst_first[] = {
		{ SLV_LOST, 'x', SLV_PAGE_RED },
		{ SLV_FOREIGN, 'o', SLV_PAGE_YELLOW },
		{ SLV_REBUILT, '+', SLV_PAGE_GREEN },
		{ SLV_FILLER, '.', SLV_PAGE_PLAIN },
		{ SLV_KEPT, '#', SLV_PAGE_PLAIN },
	};
	size_t i = 0;

	while (worst_first[i].fate != SLV_KEPT
	    && (cell & 1u << worst_first[i].fate) == 0)
		i++;
	return &worst_first[i];
}

void
slv_page_map(struct slv_buf *out, const struct slv_report *r,
    const struct slv_style *style)
{
	const char *colour = SLV_PAGE_PLAIN;

	if (r->n_map == 0)
		return;
	slv_buf_text(out, "  map: ");
	for (size_t i = 0; i < r->n_map; i++) {
		const struct look *look = look_of(r->map[i]);

		if (strcmp(look->colour, colour) != 0)
			slv_page_colour(out, style, look->colour);
		colour = look->colour;
		slv_buf_add(out, &look->sign, 1);
	}
	if (strcmp(colour, SLV_PAGE_PLAIN) != 0)
		slv_page_colour(out, style, SLV_PAGE_PLAIN);
	slv_buf_text(out, "\n");
}
