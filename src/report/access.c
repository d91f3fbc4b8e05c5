/* access.c - what a report says, member by member, for programs.
 *
 * Structs grow at their ends.  A program that was compiled with a shorter one gets the
 * members that it knows.
 */
#include "report/report.h"

#include <string.h>

#include "base/mem.h"

/* Copy what both sides of a struct that grows know of it. */
#define HAND_OUT(out, all) hand_out((out), &(all), (out)->size_of, sizeof(all))

static void
hand_out(void *out, void *all, size_t theirs, size_t ours)
{
	size_t both = theirs < ours ? theirs : ours;

	memcpy(all, &both, sizeof(both)); /* size_of is the first member */
	memcpy(out, all, both);
}

/* Nanoseconds since 1970. */
static int64_t
stamp_of(struct slv_moment m)
{
	int64_t ns;

	if (!m.known || __builtin_mul_overflow(m.sec, 1000000000, &ns)
	    || __builtin_add_overflow(ns, m.nanos, &ns))
		return SLV_NO_STAMP;
	return ns;
}

void
slv_report_counts(const struct slv_report *r, struct slv_counts *out)
{
	struct slv_counts all = {
		.size = r->size,
		.kept = r->bytes[SLV_KEPT],
		.rebuilt = r->bytes[SLV_REBUILT],
		.lost = r->bytes[SLV_LOST],
		.filler = r->bytes[SLV_FILLER],
		.foreign = r->bytes[SLV_FOREIGN],
		.records_kept = r->units_kept,
		.records_lost = r->units_lost,
		.records_unsure = r->units_unsure,
		.lost_exactly = !r->lost_loose,
		.findings = r->n_problems_total,
		.gaps = r->gaps.total,
	};

	HAND_OUT(out, all);
}

const char *
slv_report_format(const struct slv_report *r)
{
	return r->format;
}

const char *
slv_report_output(const struct slv_report *r)
{
	return r->outcome == SLV_OUT_WRITTEN || r->outcome == SLV_OUT_ALREADY
	    ? r->output
	    : NULL;
}

bool
slv_report_finding(
    const struct slv_report *r, size_t i, struct slv_finding *out)
{
	if (i >= r->n_problems)
		return false;

	const struct slv_problem *p = &r->problems[i];
	struct slv_finding all = {
		.problem = p->info,
		.off = p->off,
		.len = p->len,
	};

	HAND_OUT(out, all);
	return true;
}

char *
slv_report_finding_text(const struct slv_report *r, size_t i)
{
	char text[1024];

	if (i >= r->n_problems)
		return NULL;
	slv_problem_text(&r->problems[i], text, sizeof(text));
	return slv_strdup(text);
}

bool
slv_report_gap(const struct slv_report *r, size_t i, struct slv_report_gap *out)
{
	if (i >= r->gaps.n)
		return false;

	const struct slv_gap *g = &r->gaps.at[i];
	struct slv_report_gap all = {
		.off = g->off,
		.len = g->len,
		.lost = g->bytes,
		.before_ns = stamp_of(g->before),
		.after_ns = stamp_of(g->after),
	};

	HAND_OUT(out, all);
	return true;
}

bool
slv_report_channel(
    const struct slv_report *r, size_t i, struct slv_report_channel *out)
{
	if (i >= r->facts.n_channels)
		return false;

	const struct slv_channel *c = &r->facts.channels[i];
	struct slv_report_channel all = {
		.name = c->name,
		.type = c->type,
		.encoding = c->encoding,
		.messages = c->messages,
		.has_times = c->first.known && c->last.known,
		.first_sec = c->first.sec,
		.first_nanos = c->first.nanos,
		.last_sec = c->last.sec,
		.last_nanos = c->last.nanos,
	};

	HAND_OUT(out, all);
	return true;
}

const char *
slv_report_note(const struct slv_report *r, size_t i, const char *key)
{
	const struct slv_annotation *at = r->facts.notes;
	size_t n = r->facts.n_notes;

	if (i != SLV_WHOLE_LOG && i >= r->facts.n_channels)
		return NULL;
	if (i != SLV_WHOLE_LOG) {
		at = r->facts.channels[i].notes;
		n = r->facts.channels[i].n_notes;
	}
	/* The last one is the latest. */
	while (n > 0 && strcmp(at[n - 1].key, key) != 0)
		n--;
	return n > 0 ? at[n - 1].value : NULL;
}

bool
slv_report_earlier(const struct slv_report *r, struct slv_report_history *out)
{
	const struct slv_history *h = &r->history;
	struct slv_report_history all = {
		.file = h->file,
		.sidecar = h->noted ? NULL : r->history_path,
		.json = h->line,
		.changed = h->changed,
		.lossy = h->lossy,
		.open_end = h->open_end,
		.contradicted = h->contradicted,
		.lost = h->lost_bytes,
		.foreign = h->foreign_bytes,
		.records_lost = h->lost_units,
		.records_unsure = h->unsure_units,
		.lost_exactly = h->lost_exact,
	};

	if (!slv_report_has_history(r))
		return false;
	HAND_OUT(out, all);
	return true;
}

const struct slv_report *
slv_report_segment(const struct slv_report *r, size_t i)
{
	return i < r->n_segments ? r->segments[i] : NULL;
}

static struct slv_next
next_of(const struct slv_report *r)
{
	const struct slv_problem_info *row = slv_report_obstacle(r);
	/* What was not repaired in place can be repaired elsewhere. */
	bool elsewhere = r->target != NULL && !r->repairable;

	if (r->err.code == SLV_OK && r->decoded != NULL
	    && !slv_report_writes(r))
		return (struct slv_next){
			.command = "repair",
			.argument = r->file,
			.output = r->decoded,
			.output_size = r->size,
			.decoder = r->stranger->decoder,
		};
	if (r->err.code != SLV_OK || r->state == SLV_STATE_UNRECOGNISED
	    || (slv_report_writes(r) && !elsewhere) || r->job == SLV_JOB_UNDO
	    || !slv_report_is_of_file(r))
		return (struct slv_next){ .command = NULL };
	if (r->unfinished)
		return (struct slv_next){
			.command = r->undo_trouble == NULL ? "undo" : NULL,
			.argument = r->file,
		};
	if (r->backup.file != NULL && r->backup.depth != SLV_BACKUP_SIZE)
		return (struct slv_next){
			.command = r->backup.target != NULL ? "repair" : NULL,
			.argument = r->backup.file,
			.output = r->backup.target,
			.output_size = r->backup.target_size,
		};
	if (r->target != NULL)
		return (struct slv_next){
			.command = "repair",
			.argument = r->file,
			.output = r->target,
			.output_size = r->target_size,
			.donor = r->wants_donor,
			.split = r->whole_log,
		};
	if (r->wanted != NULL)
		return (struct slv_next){
			.command = "repair",
			.argument = r->file,
			.output = r->wanted_target,
			.output_size = r->size,
			.option = r->wanted->option,
			.note = r->wanted->note,
		};
	/* Nothing can be kept before another log declares what it is. */
	if (r->wants_donor && r->state == SLV_STATE_UNRECOVERABLE
	    && r->wanted_target != NULL)
		return (struct slv_next){
			.command = "repair",
			.argument = r->file,
			.output = r->wanted_target,
			.output_size = r->size,
			.option = "--donor LOG",
			.note = "another log of the same robot",
		};
	if (row != NULL)
		return (struct slv_next){ .command = "explain",
			.argument = row->id };
	return (struct slv_next){ .command = NULL };
}

void
slv_report_next(const struct slv_report *r, struct slv_next *out)
{
	struct slv_next all = next_of(r);

	HAND_OUT(out, all);
}
