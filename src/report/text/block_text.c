/* block_text.c - one line of a listing.
 *
 * Listings are streamed, so the columns have fixed widths and a long name
 * pushes the rest to the right.  Offsets are plain digits, to be handed to
 * other tools; "4117+96" is the place 96 in what the block at 4117 holds.
 */
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/text/utf8.h"
#include "report/text/words.h"

static const int widths[] = { 12, 10, -10, -36, -30, 0 };

#define CELLS (sizeof(widths) / sizeof(*widths))

/* Negative widths align to the left, as in printf(3); what is shown is
 * counted in characters, not bytes. */
static void
put_cells(struct slv_buf *out, const char *const *cells)
{
	for (size_t i = 0; i < CELLS; i++) {
		int have = (int)slv_utf8_width(cells[i]);
		int right = widths[i] - have, left = -widths[i] - have;

		slv_buf_printf(
		    out, "%s%*s", i > 0 ? "  " : "", right > 0 ? right : 0, "");
		slv_buf_text(out, cells[i]);
		slv_buf_printf(out, "%*s", left > 0 ? left : 0, "");
	}
}

/* "3 gps", escaped; NULL: out of memory. */
static char *
channel_of(const struct slv_block *b)
{
	struct slv_buf text = { 0 };
	char *safe = NULL;

	if (!b->has_channel) {
		slv_buf_text(&text, "-");
		return slv_buf_take(&text);
	}
	slv_buf_printf(&text, "%" PRIu32, b->channel);
	if (b->channel_name != NULL) {
		safe = slv_escape(b->channel_name);
		slv_buf_text(&text, " ");
		slv_buf_text(&text, safe != NULL ? safe : "");
		text.failed |= safe == NULL;
		slv_free(safe);
	}
	return slv_buf_take(&text);
}

char *
slv_block_text(const struct slv_block *b)
{
	static const char *const heads[CELLS] = { "offset", "size", "kind",
		"channel", "time", "verdict" };
	struct slv_buf out = { 0 };
	struct slv_moment time;
	struct slv_words when;
	char off[48], len[24], *channel;

	if (b == NULL) {
		put_cells(&out, heads);
		return slv_buf_take(&out);
	}
	time = (struct slv_moment){ b->sec, b->nanos, b->has_time };
	when = slv_words_can_date(time) ? slv_words_rfc3339(time)
	                                : slv_words_moment(time);
	snprintf(off, sizeof(off), "%" PRIu64, b->off);
	if (b->packed)
		snprintf(
		    off, sizeof(off), "%" PRIu64 "+%" PRIu64, b->off, b->inner);
	snprintf(len, sizeof(len), "%" PRIu64, b->len);
	channel = channel_of(b);
	if (channel == NULL)
		return NULL;
	put_cells(&out,
	    (const char *const[CELLS]){
	        off, len, b->kind, channel, when.text, b->verdict });
	slv_free(channel);
	return slv_buf_take(&out);
}
