/* page_info.c - what a log holds, for people. */
#include "report/pages/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sort.h"
#include "base/text/wrap.h"
#include "report/text/columns.h"
#include "report/text/words.h"

#define SHARED_MAX 3 /* names of several channels that are told */

static void
field(struct slv_buf *out, const char *name)
{
	slv_buf_printf(out, "  %-12s " SLV_HANG, name);
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
	slv_buf_text(out, slv_page_verdict(r).text);
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
	slv_buf_printf(out, "; %s%s", slv_page_units(r, r->units_kept).text,
	    r->state == SLV_STATE_INDEXED ? "" : " kept");
	if (r->units_lost > 0)
		slv_buf_printf(out, ", %s%s lost", slv_page_at_least(r),
		    slv_words_count(r->units_lost).text);
	slv_buf_text(out, "\n");
}

static void
put_time(struct slv_buf *out, const struct slv_report *r, const char *name,
    struct slv_moment m)
{
	field(out, name);
	slv_buf_text(out, slv_page_moment(r, m).text);
}

static void
put_times(struct slv_buf *out, const struct slv_report *r)
{
	put_time(out, r, "start", r->first);
	slv_buf_text(out, "\n");
	put_time(out, r, "end", r->last);
	if (r->end == SLV_END_UNKNOWN)
		slv_buf_text(
		    out, " or later: where the recording ended is not known");
	slv_buf_text(out, "\n");
	field(out, "duration");
	slv_buf_text(out, slv_words_lasting(r->first, r->last).text);
	slv_buf_text(out, "\n");
}

/* "lz4 [5/5 chunks; 57.3%]" for each way there is. */
static void
put_packs(struct slv_buf *out, const struct slv_facts *f)
{
	uint64_t seen = 0;

	if (f->pieces == 0)
		return;
	field(out, "compression");
	for (size_t i = 0; i < f->n_packs; i++) {
		const struct slv_pack *p = &f->packs[i];

		seen += p->pieces;
		slv_buf_printf(out, "%s%s [%s/", i > 0 ? ", " : "", p->kind,
		    slv_words_count(p->pieces).text);
		slv_buf_printf(
		    out, "%s", slv_words_some(f->pieces, "chunk").text);
		if (p->size > 0 && p->stored != p->size)
			slv_buf_printf(out, "; %.1f%%",
			    100 * (double)p->stored / (double)p->size);
		slv_buf_text(out, "]");
	}
	if (seen < f->pieces)
		slv_buf_printf(
		    out, "; %s looked at", slv_words_some(seen, "chunk").text);
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
	slv_free(safe);
}

static int
compare_names(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Where several channels have one name: how many names there are, and which
 * are those.  Sorted, they are adjacent. */
static void
put_shared(struct slv_buf *out, const struct slv_report *r, const char **names,
    size_t n)
{
	size_t distinct = 0, shared = 0;

	slv_sort(names, n, sizeof(*names), compare_names);
	for (size_t i = 0; i < n; i++)
		distinct += i == 0 || strcmp(names[i - 1], names[i]) != 0;
	if (distinct == n)
		return;
	slv_buf_printf(
	    out, " of %s; ", slv_words_some(distinct, r->terms.name).text);
	for (size_t i = 0, same; i < n; i += same) {
		same = 1;
		while (i + same < n && strcmp(names[i], names[i + same]) == 0)
			same++;
		if (same == 1 || shared++ >= SHARED_MAX)
			continue;
		slv_buf_text(out, shared > 1 ? ", " : "");
		slv_page_escaped(out, names[i]);
		slv_buf_printf(out, " has %s", slv_words_count(same).text);
	}
	if (shared > SHARED_MAX)
		slv_buf_printf(out, " and %s",
		    slv_words_some(shared - SHARED_MAX, "other").text);
}

static void
put_sharing(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_facts *f = &r->facts;
	const char **names = slv_calloc(f->n_channels + 1, sizeof(*names));
	size_t n = 0;

	if (names == NULL) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < f->n_channels; i++) {
		if (f->channels[i].name != NULL)
			names[n++] = f->channels[i].name;
	}
	put_shared(out, r, names, n);
	slv_free(names);
}

static void
put_channels(struct slv_buf *out, const struct slv_report *r)
{
	char units[32];
	const char *const heads[] = { "#", r->terms.name, "type", units,
		"bytes", "rate", "first", "last" };
	const struct slv_facts *f = &r->facts;
	struct slv_columns c = { .n = 8, .right = 1 << 0 | 7 << 3 };
	bool one_day = slv_words_same_day(r->first, r->last);

	snprintf(units, sizeof(units), "%ss", r->terms.channel);
	field(out, units);
	slv_buf_text(out, slv_words_count(f->n_channels).text);
	put_sharing(out, r);
	slv_buf_text(out, "\n");
	snprintf(units, sizeof(units), "%ss", slv_page_unit(r));
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
		slv_columns_add(
		    &c, ch->unweighed ? "-" : slv_words_count(ch->bytes).text);
		slv_columns_add(
		    &c, slv_words_rate(ch->messages, ch->first, ch->last).text);
		slv_columns_add(&c, first.text);
		slv_columns_add(&c, last.text);
	}
	slv_columns_put(&c, 4, out);
}

static int
compare_types(const void *x, const void *y)
{
	const struct slv_channel *a = *(const struct slv_channel *const *)x;
	const struct slv_channel *b = *(const struct slv_channel *const *)y;
	int order = strcmp(a->type, b->type);

	return order != 0 ? order : strcmp(a->type_sum, b->type_sum);
}

/* Keep one of each; those without a sum say nothing more than the table of
 * channels does. */
static size_t
distinct_types(const struct slv_facts *f, const struct slv_channel **all)
{
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < f->n_channels; i++) {
		if (f->channels[i].type != NULL
		    && f->channels[i].type_sum != NULL)
			all[n++] = &f->channels[i];
	}
	slv_sort(all, n, sizeof(*all), compare_types);
	for (size_t i = 0; i < n; i++) {
		if (kept == 0 || compare_types(&all[kept - 1], &all[i]) != 0)
			all[kept++] = all[i];
	}
	return kept;
}

/* Each type there is, with the sum over what it is. */
static void
put_types(struct slv_buf *out, const struct slv_facts *f)
{
	struct slv_columns c = { .n = 2 };
	const struct slv_channel **all;
	size_t n;

	if (!f->sums_types || f->n_channels == 0)
		return;
	all = slv_calloc(f->n_channels, sizeof(*all));
	if (all == NULL) {
		out->failed = true;
		return;
	}
	n = distinct_types(f, all);
	field(out, "types");
	slv_buf_printf(out, "%s\n", slv_words_count(n).text);
	for (size_t i = 0; i < n; i++) {
		add_escaped(&c, all[i]->type);
		add_escaped(&c, all[i]->type_sum);
	}
	slv_columns_put(&c, 4, out);
	slv_free(all);
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
	put_packs(out, &r->facts);
	put_annotations(out, &r->facts);
	slv_page_history(out, r);
	if (r->backup.file != NULL) {
		field(out, "beside it");
		slv_page_backup(out, r);
	}
	put_types(out, &r->facts);
	put_channels(out, r);
}
