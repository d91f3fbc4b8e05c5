/* page_gaps.c - what was lost: in all, in each gap, and where in the file. */
#include "report/text/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text/wrap.h"
#include "report/text/words.h"

#define GAPS_MAX   3 /* that are told of, the largest */
#define LOSERS_MAX 3 /* channels of a gap that are named, the worst */
#define PAGE_WIDE  78

/* Whose blocks are lost, where that is one channel and it has a name. */
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

/* What is not in the file. */
static void
put_absent(struct slv_buf *out, const struct slv_report *r, const char *before)
{
	if (r->facts.expected > r->size)
		slv_buf_printf(out, "%sat least %s that are not in the file",
		    before,
		    slv_words_some(r->facts.expected - r->size, "byte").text);
	else
		slv_buf_text(out, "nothing that is in the file");
}

void
slv_page_lost(struct slv_buf *out, const struct slv_report *r)
{
	bool open_end = r->end == SLV_END_UNKNOWN;

	if (r->units_lost == 0 && r->bytes[SLV_LOST] == 0 && !open_end)
		return;
	slv_buf_text(out, "  lost: ");
	if (r->bytes[SLV_LOST] > 0)
		slv_buf_text(
		    out, slv_words_some(r->bytes[SLV_LOST], "byte").text);
	if (r->bytes[SLV_LOST] > 0 && r->units_lost > 0)
		slv_buf_text(out, " in ");
	slv_buf_text(out, slv_page_at_least(r));
	if (r->units_lost > 0)
		slv_buf_text(out, slv_page_units(r, r->units_lost).text);
	put_loser(out, r);
	if (r->bytes[SLV_LOST] == 0 && r->units_lost == 0)
		put_absent(out, r, "");
	else if (r->facts.expected > r->size)
		put_absent(out, r, ", and ");
	if (open_end)
		slv_buf_text(out, SLV_PAGE_OPEN_END);
	slv_buf_text(out, "\n");
}

/* Of one that was cut out nobody knows how large it was. */
static uint64_t
weight(const struct slv_gap *gap)
{
	return gap->bytes > 0 ? gap->bytes : UINT64_MAX;
}

/* Whether fewer than `most` gaps are larger, or as large and earlier. */
static bool
is_among_largest(const struct slv_gap_list *list, size_t i, size_t most)
{
	uint64_t own = weight(&list->at[i]);
	size_t before = 0;

	for (size_t k = 0; k < list->n && before < most; k++)
		before += weight(&list->at[k]) > own
		    || (weight(&list->at[k]) == own && k < i);
	return before < most;
}

/* ", 22:30:00.005 to 22:30:00.013 UTC", with dates where they differ. */
static void
put_when(
    struct slv_buf *out, const struct slv_report *r, const struct slv_gap *gap)
{
	struct slv_moment a = gap->before, b = gap->after;
	bool day = slv_words_same_day(a, b);
	bool back = a.known && b.known && slv_moment_compare(a, b) > 0;

	if (back && day && !r->facts.undated)
		slv_buf_printf(out,
		    ", after %s, before %s UTC: time steps back",
		    slv_words_clock(a).text, slv_words_clock(b).text);
	else if (back)
		slv_buf_printf(out, ", after %s, before %s: time steps back",
		    slv_page_moment(r, a).text, slv_page_moment(r, b).text);
	else if (a.known && b.known && r->facts.undated)
		slv_buf_printf(out, ", %s", slv_page_span(r, a, b).text);
	else if (a.known && b.known)
		slv_buf_printf(out, ", %s to %s UTC",
		    day ? slv_words_clock(a).text : slv_words_moment(a).text,
		    day ? slv_words_clock(b).text : slv_words_moment(b).text);
	else if (a.known)
		slv_buf_printf(out, ", after %s", slv_page_moment(r, a).text);
	else if (b.known)
		slv_buf_printf(out, ", before %s", slv_page_moment(r, b).text);
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
put_losses(struct slv_buf *out, const struct slv_report *r,
    const struct slv_gap *gap, size_t most)
{
	struct slv_gap_span span = slv_gap_span(gap);

	if (slv_words_can_date(gap->before) && slv_words_can_date(gap->after)
	    && !r->facts.undated)
		slv_buf_printf(out, "ask for %" PRId64 "-%" PRId64 "%s",
		    span.from, span.to, gap->n_losses > 0 ? ": " : "");
	for (size_t i = 0; i < gap->n_losses && i < most; i++) {
		slv_buf_text(out, i > 0 ? ", " : "");
		put_loss(out, r, &r->gaps.losses[gap->loss + i]);
	}
	if (gap->n_losses > most)
		slv_buf_printf(out, " and some of %s",
		    slv_words_some(gap->n_losses - most, "other channel").text);
}

static void
put_gap(struct slv_buf *out, const struct slv_report *r,
    const struct slv_gap *gap, size_t most)
{
	struct slv_buf losses = { 0 };
	char *text;

	slv_buf_printf(out, "  gap at %s: ", slv_words_count(gap->off).text);
	slv_buf_text(out,
	    gap->bytes > 0 ? slv_words_some(gap->bytes, "byte").text
	                   : "cut out");
	put_when(out, r, gap);
	slv_buf_text(out, "\n");
	put_losses(&losses, r, gap, most);
	text = slv_buf_take(&losses);
	if (text == NULL)
		out->failed = true;
	else if (*text != '\0')
		slv_wrap(out, 4, PAGE_WIDE, text);
	free(text);
}

void
slv_page_gaps(struct slv_buf *out, const struct slv_report *r, bool all)
{
	const struct slv_gap_list *list = &r->gaps;
	size_t told = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct slv_gap *gap = &list->at[i];

		if (!all && !is_among_largest(list, i, GAPS_MAX))
			continue;
		told++;
		put_gap(out, r, gap, all ? SIZE_MAX : LOSERS_MAX);
	}
	if (list->total > told)
		slv_buf_printf(out, "  ... and %s\n",
		    slv_words_some(list->total - told, "smaller gap").text);
	if (!slv_report_open_end(r) || !slv_words_can_date(list->latest))
		return;
	slv_buf_printf(out, "  open end: after %s nothing is known",
	    slv_page_moment(r, list->latest).text);
	if (!r->facts.undated)
		slv_buf_printf(out, "; ask for %" PRId64 "- (Unix seconds)",
		    slv_gap_list_open_from(list));
	slv_buf_text(out, "\n");
}

/* One column of the map: the worst that stands in it. */
static char
column(uint8_t cell)
{
	static const struct {
		enum slv_fate fate;
		char sign;
	} worst_first[] = {
		{ SLV_LOST, 'x' },
		{ SLV_FOREIGN, 'o' },
		{ SLV_REBUILT, '+' },
		{ SLV_FILLER, '.' },
	};

	for (size_t i = 0; i < sizeof(worst_first) / sizeof(*worst_first); i++)
		if ((cell & 1u << worst_first[i].fate) != 0)
			return worst_first[i].sign;
	return '#';
}

void
slv_page_map(struct slv_buf *out, const struct slv_report *r)
{
	char line[SLV_MAP_CELLS + 1] = "";

	for (size_t i = 0; i < r->n_map; i++)
		line[i] = column(r->map[i]);
	if (r->n_map > 0)
		slv_buf_printf(out, "  map: %s\n", line);
}
