/* page_info.c - what a log holds, for people. */
#include "report/pages.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "report/columns.h"
#include "report/words.h"

static void
field(struct slv_buf *out, const char *name)
{
	slv_buf_printf(out, "  %-12s ", name);
}

static void
put_format(struct slv_buf *out, const struct slv_report *r)
{
	field(out, "format");
	slv_buf_text(out, r->title);
	if (r->facts.version[0] != '\0') {
		slv_buf_text(out, " ");
		slv_page_escaped(out, r->facts.version);
	}
	if (r->facts.dialect[0] != '\0') {
		slv_buf_text(out, ", dialect ");
		slv_page_escaped(out, r->facts.dialect);
	}
	slv_buf_text(out, "\n");
}

static void
put_state(struct slv_buf *out, const struct slv_report *r)
{
	field(out, "state");
	slv_buf_text(out, slv_page_verdict(r));
	if (r->err.code != SLV_OK) {
		slv_buf_text(out, ": ");
		slv_page_escaped(out, r->err.text);
	} else if (slv_page_is_sound(r)) {
		slv_buf_text(out, "; ");
		slv_page_assurance(out, r);
	} else if (r->state == SLV_STATE_ACTIVE) {
		slv_buf_text(out,
		    "; somebody is writing it, and this is what it holds so "
		    "far");
	} else {
		slv_buf_printf(out, "; %s, listed by \"salvor verify\"",
		    slv_words_some(r->n_problems_total, "finding").text);
	}
	slv_buf_text(out, "\n");
}

static void
put_size(struct slv_buf *out, const struct slv_report *r)
{
	field(out, "size");
	slv_buf_text(out, slv_words_some(r->size, "byte").text);
	slv_buf_printf(out, "; %s%s",
	    slv_words_some(r->units_kept, "block").text,
	    r->state == SLV_STATE_INDEXED ? "" : " kept");
	if (r->units_lost > 0)
		slv_buf_printf(out, ", %s%s lost", slv_page_at_least(r),
		    slv_words_count(r->units_lost).text);
	slv_buf_text(out, "\n");
}

static void
put_time(struct slv_buf *out, const char *name, struct slv_moment m)
{
	field(out, name);
	slv_buf_text(out, slv_words_moment(m).text);
	slv_buf_text(out, slv_words_can_date(m) ? " UTC" : "");
}

static void
put_times(struct slv_buf *out, const struct slv_report *r)
{
	put_time(out, "start", r->first);
	slv_buf_text(out, "\n");
	put_time(out, "end", r->last);
	if (r->end == SLV_END_UNKNOWN)
		slv_buf_text(
		    out, " or later: where the recording ended is not known");
	slv_buf_text(out, "\n");
	field(out, "duration");
	slv_buf_text(out, slv_words_lasting(r->first, r->last).text);
	slv_buf_text(out, "\n");
}

static void
put_annotations(struct slv_buf *out, const struct slv_facts *f)
{
	for (size_t i = 0; i < f->n_annotations; i++) {
		field(out, i == 0 ? "annotations" : "");
		slv_page_escaped(out, f->annotations[i].key);
		slv_buf_text(out, ": ");
		slv_page_escaped(out, f->annotations[i].value);
		slv_buf_text(out, "\n");
	}
}

static void
add_escaped(struct slv_columns *c, const char *text)
{
	char *safe = slv_escape(text != NULL ? text : "-");

	slv_columns_add(c, safe != NULL ? safe : "");
	c->cells.failed |= safe == NULL;
	free(safe);
}

static void
put_channels(struct slv_buf *out, const struct slv_report *r)
{
	static const char *const heads[] = { "#", "name", "type", "blocks",
		"bytes", "rate", "first", "last" };
	const struct slv_facts *f = &r->facts;
	struct slv_columns c = { .n = 8, .right = 1 << 0 | 7 << 3 };
	bool one_day = slv_words_same_day(r->first, r->last);

	field(out, "channels");
	slv_buf_text(out, slv_words_count(f->n_channels).text);
	slv_buf_text(out, "\n");
	if (f->n_channels == 0)
		return;
	for (unsigned i = 0; i < c.n; i++)
		slv_columns_add(&c, heads[i]);
	for (size_t i = 0; i < f->n_channels; i++) {
		const struct slv_channel *ch = &f->channels[i];
		struct slv_words first = one_day ? slv_words_clock(ch->first)
		                                 : slv_words_moment(ch->first);
		struct slv_words last = one_day ? slv_words_clock(ch->last)
		                                : slv_words_moment(ch->last);

		slv_columns_add(&c, slv_words_count(ch->index).text);
		add_escaped(&c, ch->name);
		add_escaped(&c, ch->type);
		slv_columns_add(&c, slv_words_count(ch->messages).text);
		slv_columns_add(&c, slv_words_count(ch->bytes).text);
		slv_columns_add(
		    &c, slv_words_rate(ch->messages, ch->first, ch->last).text);
		slv_columns_add(&c, first.text);
		slv_columns_add(&c, last.text);
	}
	slv_columns_put(&c, 4, out);
}

void
slv_page_info(struct slv_buf *out, const struct slv_report *r)
{
	slv_page_escaped(out, r->file);
	slv_buf_text(out, "\n");
	put_format(out, r);
	put_state(out, r);
	put_size(out, r);
	put_times(out, r);
	put_annotations(out, &r->facts);
	put_channels(out, r);
}
