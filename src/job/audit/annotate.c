/* annotate.c - note in the output that it was repaired.
 *
 * The numbers of an earlier repair are added to those of this one: a loss must
 * not be forgotten because the log was damaged again.
 */
#include "job/audit/annotate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text/hex.h"
#include "core/format/notes.h"
#include "job/audit/restore.h"
#include "job/audit/tell.h"
#include "job/input/digests.h"
#include "salvor.h"

#define BYTES   "salvor:lost-bytes"
#define BLOCKS  "salvor:lost-blocks"
#define FOREIGN "salvor:foreign-bytes"
#define UNSURE  "salvor:unsure-blocks"
#define DIGEST  "salvor:digest"
#define DENIED  "contradicted"
#define INPUT   "salvor:input" /* only of an export */
#define END     "salvor:end"

/* What one repair, or all of them, left out. */
struct loss {
	bool noted; /* by an earlier repair */
	bool lossy;
	bool contradicted; /* by the digest of the writer */
	bool exported;
	bool open_end; /* where the recording ended is unknown */
	uint64_t bytes, blocks, foreign;
	uint64_t unsure; /* kept, but may not be what was recorded */
};

/* A number of an earlier repair.  Invalid text counts as 0, and a sum stops at
 * the largest number. */
static void
add(uint64_t *sum, const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (*text >= '0' && *text <= '9' && *end == '\0')
		*sum = slv_add64(*sum, n);
}

static void
add_noted(const struct slv_facts *facts, struct loss *l)
{
	for (size_t i = 0; i < facts->n_annotations; i++) {
		const struct slv_annotation *a = &facts->annotations[i];

		l->noted |= strcmp(a->key, SLV_NOTE_STATE) == 0;
		if (strcmp(a->key, SLV_NOTE_STATE) == 0)
			l->lossy |= strcmp(a->value, "lossy") == 0;
		else if (strcmp(a->key, DIGEST) == 0)
			l->contradicted |= strcmp(a->value, DENIED) == 0;
		else if (strcmp(a->key, INPUT) == 0)
			l->exported = true;
		else if (strcmp(a->key, END) == 0)
			l->open_end |= strcmp(a->value, "unknown") == 0;
		else if (strcmp(a->key, BYTES) == 0)
			add(&l->bytes, a->value);
		else if (strcmp(a->key, BLOCKS) == 0)
			add(&l->blocks, a->value);
		else if (strcmp(a->key, FOREIGN) == 0)
			add(&l->foreign, a->value);
		else if (strcmp(a->key, UNSURE) == 0)
			add(&l->unsure, a->value);
	}
}

static enum slv_status
add_earlier(struct slv_scan *s, struct loss *l, struct slv_err *err)
{
	struct slv_facts facts = { 0 };
	enum slv_status st = s->format->noting->annotations(s, &facts, err);

	if (st == SLV_OK)
		add_noted(&facts, l);
	slv_facts_free(&facts);
	return st;
}

enum slv_status
slv_annotate_find(struct slv_scan *s, bool *noted, struct slv_err *err)
{
	struct loss l = { .noted = false };

	if (s->format->noting != NULL)
		SLV_TRY(add_earlier(s, &l, err));
	*noted = l.noted;
	return SLV_OK;
}

void
slv_annotate_recall(const struct slv_facts *facts, struct slv_history *h)
{
	struct loss l = { .noted = false };

	add_noted(facts, &l);
	/* A repair that left nothing out is no reason to doubt the log. */
	if (!l.noted || !(l.lossy || l.contradicted || l.open_end))
		return;
	*h = (struct slv_history){
		.noted = true,
		.lossy = l.lossy,
		.contradicted = l.contradicted,
		.exported = l.exported,
		.open_end = l.open_end,
		.lost_bytes = l.bytes,
		.lost_units = l.blocks,
		.foreign_bytes = l.foreign,
		.unsure_units = l.unsure,
	};
}

static struct slv_note *
put(struct slv_notes *notes, const char *key, const char *value)
{
	struct slv_note *n = &notes->at[notes->n++];

	n->key = key;
	snprintf(n->value, sizeof(n->value), "%s", value);
	return n;
}

static void
put_number(struct slv_notes *notes, const char *key, uint64_t value)
{
	struct slv_note *n = put(notes, key, "");

	snprintf(n->value, sizeof(n->value), "%" PRIu64, value);
}

static enum slv_status
put_source(
    struct slv_notes *notes, const struct slv_audit *a, struct slv_err *err)
{
	uint8_t sha1[SLV_DIGEST_MAX];
	struct slv_note *n;

	SLV_TRY(slv_digest_sha1(a, sha1, err));
	n = put(notes, "salvor:source-sha1", "");
	slv_hex(n->value, sha1, SLV_SHA1_SIZE);
	return SLV_OK;
}

/* As many as the report will state. */
static enum slv_status
count_lost(struct slv_scan *s, uint64_t *n, struct slv_err *err)
{
	struct slv_report r = { .units_lost = 0 };
	enum slv_status st = slv_tell_losses(&r, s, err);

	*n = r.units_lost;
	slv_gap_list_free(&r.gaps);
	return st;
}

static enum slv_status
make_notes(struct slv_audit *a, struct slv_notes *notes, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	struct loss l = {
		.lossy = a->state == SLV_STATE_LOSSY,
		.contradicted = a->contradicted,
		.bytes = s->catalog.sums[SLV_LOST],
		.foreign = s->catalog.sums[SLV_FOREIGN],
		.unsure = s->units_unsure,
	};

	SLV_TRY(count_lost(s, &l.blocks, err));
	SLV_TRY(add_earlier(s, &l, err));
	put(notes, "salvor:version", slv_version());
	put(notes, SLV_NOTE_STATE,
	    slv_state_name(l.lossy ? SLV_STATE_LOSSY : SLV_STATE_REPAIRED));
	if (l.contradicted)
		put(notes, DIGEST, DENIED);
	put_number(notes, BYTES, l.bytes);
	put_number(notes, BLOCKS, l.blocks);
	put_number(notes, FOREIGN, l.foreign);
	if (l.unsure > 0)
		put_number(notes, UNSURE, l.unsure);
	/* The digest of a file with unreadable bytes is unknown. */
	return a->input->unreadable.n == 0 ? put_source(notes, a, err) : SLV_OK;
}

enum slv_status
slv_annotate(struct slv_audit *a, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	struct slv_notes notes = { .n = 0 };
	const struct slv_plan old = a->plan;
	bool possible = false;

	if (s->format->noting == NULL)
		return SLV_OK;
	SLV_TRY(make_notes(a, &notes, err));
	SLV_TRY(s->format->noting->annotate(s, &notes, &a->annotated, err));
	if (!a->annotated)
		return SLV_OK;
	slv_plan_free(&a->plan);
	slv_plan_init(&a->plan, s->source, SLV_SHA1);
	a->plan.meter = old.meter;
	a->plan.mends = old.mends;
	SLV_TRY(s->format->plan(s, &a->plan, &possible, err));
	if (!possible)
		return slv_fail(err, SLV_E_BUG,
		    "%s: no repair is possible with annotations",
		    s->source->name);
	slv_plan_close(&a->plan);
	return SLV_OK;
}
