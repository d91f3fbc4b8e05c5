/* report_json.c - a report as one JSON object.
 *
 * The keys have a fixed order and are described in docs/json.md; a released key
 * stays.  Output is pure ASCII: a name from a log can neither break the JSON
 * nor control a terminal that shows it.
 */
#include "report/report.h"

#include <string.h>

#include "report/json/baseline_json.h"
#include "report/json/gaps_json.h"
#include "report/json/maker_json.h"
#include "report/json/map_json.h"
#include "report/json/merge_json.h"
#include "report/json/output_json.h"
#include "report/json/policy_json.h"
#include "report/names.h"

#define EXACT_MAX (((uint64_t)1 << 53) - 1) /* what a double holds exactly */

static void
put_channels(struct slv_object *to, const struct slv_facts *f)
{
	slv_rows_begin(to, "channels");
	for (size_t i = 0; i < f->n_channels; i++) {
		const struct slv_channel *c = &f->channels[i];
		struct slv_object o = slv_object();

		slv_put(&o, "index", slv_json_number(c->index));
		slv_put(&o, "name", slv_json_text(c->name));
		slv_put(&o, "type", slv_json_text(c->type));
		if (f->sums_types)
			slv_put(&o, "type_sum", slv_json_text(c->type_sum));
		slv_put(&o, "messages", slv_json_number(c->messages));
		slv_put(&o, "bytes",
		    c->unweighed ? json_null() : slv_json_number(c->bytes));
		slv_put_moment(&o, "first", c->first);
		slv_put_moment(&o, "last", c->last);
		slv_rows_add(to, &o);
	}
	slv_rows_end(to);
}

/* How it is compressed, as far as that was read. */
static json_t *
compression_of(const struct slv_facts *f)
{
	struct slv_object all = slv_object();
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < f->n_packs; i++) {
		const struct slv_pack *p = &f->packs[i];
		struct slv_object o = slv_object();

		slv_put(&o, "kind", json_string(p->kind));
		slv_put(&o, "chunks", slv_json_number(p->pieces));
		slv_put(&o, "stored", slv_json_number(p->stored));
		slv_put(&o, "size", slv_json_number(p->size));
		slv_array_add(array, &o, &failed);
	}
	slv_put(&all, "chunks", slv_json_number(f->pieces));
	slv_put(&all, "kinds", slv_array_done(array, failed));
	return slv_object_done(&all);
}

/* A list, not an object: a hostile log can have duplicate keys. */
static json_t *
annotations_of(const struct slv_facts *f)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < f->n_annotations; i++) {
		struct slv_object o = slv_object();

		slv_put(&o, "key", slv_json_text(f->annotations[i].key));
		slv_put(&o, "value", slv_json_text(f->annotations[i].value));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
problems_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_problems; i++) {
		const struct slv_problem *p = &r->problems[i];
		struct slv_object o = slv_object();
		char text[1024];

		slv_problem_text(p, text, sizeof(text));
		slv_put(&o, "id", json_string(p->info->id));
		slv_put(&o, "severity",
		    json_string(slv_severity_name(p->info->severity)));
		slv_put(&o, "remedy",
		    json_string(slv_remedy_name(p->info->remedy)));
		slv_put(&o, "offset", slv_json_number(p->off));
		slv_put(&o, "length", slv_json_number(p->len));
		slv_put(&o, "text", slv_json_text(text));
		if (p->name[0] != '\0')
			slv_put(&o, "name", slv_json_text(p->name));
		if (p->here[0] != '\0') {
			slv_put(&o, "here", slv_json_text(p->here));
			slv_put(&o, "there", slv_json_text(p->there));
		}
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

/* Only in a dry run: the free space always changes. */
static json_t *
space_of(const struct slv_report *r)
{
	struct slv_object o = slv_object();

	slv_put(&o, "needed", slv_json_number(slv_report_needs(r)));
	slv_put(&o, "free",
	    r->space_known && r->space_free <= EXACT_MAX
	        ? slv_json_number(r->space_free)
	        : json_null());
	return slv_object_done(&o);
}

static json_t *
sha256_of(bool known, const uint8_t *digest)
{
	return known ? slv_json_hex(digest, SLV_SHA256_SIZE) : json_null();
}

static json_t *
output_of(const struct slv_report *r)
{
	struct slv_object o;

	if (r->outcome == SLV_OUT_NONE)
		return json_null();
	o = slv_object();
	slv_put_path(&o, "path", "path_base64", r->output);
	slv_put(&o, "outcome", json_string(slv_outcome_name(r->outcome)));
	slv_put(&o, "size", slv_json_number(r->output_size));
	slv_put(&o, "sha1", slv_json_hex(r->output_digest, SLV_SHA1_SIZE));
	if (r->output_from > 0)
		slv_put(&o, "sha1_from", slv_json_number(r->output_from));
	slv_put(
	    &o, "sha256", sha256_of(r->has_output_sha256, r->output_sha256));
	slv_put_path(&o, "sidecar", "sidecar_base64", r->sidecar);
	slv_put(&o, "annotated", json_boolean(r->annotated));
	if (r->outcome == SLV_OUT_PLANNED)
		slv_put(&o, "space", space_of(r));
	return slv_object_done(&o);
}

/* What the report next to the log says about it. */
static json_t *
history_of(const struct slv_report *r)
{
	const struct slv_history *h = &r->history;
	struct slv_object o;

	if (!slv_report_has_history(r))
		return json_null();
	o = slv_object();
	slv_put(&o, "state",
	    json_string(slv_state_name(
	        h->lossy ? SLV_STATE_LOSSY : SLV_STATE_REPAIRED)));
	slv_put(&o, "changed", json_boolean(h->changed));
	slv_put(&o, "open_end", json_boolean(h->open_end));
	slv_put(&o, "contradicted", json_boolean(h->contradicted));
	slv_put(&o, "confirmed", json_boolean(h->confirmed));
	slv_put(&o, "file", slv_json_text(h->file));
	slv_put(&o, "lost_bytes", slv_json_number(h->lost_bytes));
	slv_put(&o, "lost_blocks", slv_json_number(h->lost_units));
	slv_put(&o, "unsure_blocks", slv_json_number(h->unsure_units));
	slv_put(&o, "foreign_bytes", slv_json_number(h->foreign_bytes));
	slv_put(&o, "noted", json_boolean(h->noted));
	slv_put_path(
	    &o, "sidecar", "sidecar_base64", h->noted ? NULL : r->history_path);
	return slv_object_done(&o);
}

/* What another tool left next to the log. */
static json_t *
backup_of(const struct slv_backup *b)
{
	static const char *const depths[] = {
		[SLV_BACKUP_SIZE] = "size",
		[SLV_BACKUP_INDEX] = "index",
		[SLV_BACKUP_ALL] = "all",
	};
	struct slv_object o = slv_object();

	slv_put_path(&o, "file", "file_base64", b->file);
	slv_put(&o, "size", slv_json_number(b->size));
	slv_put(&o, "depth", json_string(depths[b->depth]));
	slv_put(&o, "blocks",
	    b->depth != SLV_BACKUP_SIZE ? slv_json_number(b->units)
	                                : json_null());
	return slv_object_done(&o);
}

/* What was changed in the file itself, and how to undo that. */
static json_t *
in_place_of(const struct slv_report *r)
{
	const struct slv_in_place *p = &r->in_place;
	struct slv_object o = slv_object();

	slv_put_path(&o, "record", "record_base64", p->record);
	slv_put(&o, "record_state", json_string(slv_name_of_record(p->state)));
	slv_put(&o, "record_size", slv_json_number(p->record_size));
	slv_put(&o, "patched", slv_json_number(p->patched));
	slv_put(&o, "appended", slv_json_number(p->appended));
	slv_put(&o, "cut", slv_json_number(p->cut));
	slv_put(&o, "rolled_back", json_boolean(p->rolled_back));
	slv_put_path(&o, "discarded", "discarded_base64",
	    p->discarded ? p->record : p->forgotten);
	if (r->job == SLV_JOB_UNDO) {
		slv_put(&o, "exact", json_boolean(p->exact));
		slv_put(&o, "missing", slv_json_set(&p->missing));
		slv_put(&o, "missing_bytes",
		    slv_json_number(slv_ranges_sum(&p->missing)));
		slv_put_path(
		    &o, "removed_report", "removed_report_base64", p->unsaid);
	}
	return slv_object_done(&o);
}

static json_t *
error_of(const struct slv_err *err)
{
	struct slv_object o;

	if (err->code == SLV_OK)
		return json_null();
	o = slv_object();
	slv_put_error(&o, err);
	return slv_object_done(&o);
}

static json_t *
bytes_of(const struct slv_report *r)
{
	struct slv_object o = slv_object();

	for (int fate = 0; fate < SLV_FATES; fate++)
		slv_put(&o, slv_fate_name((enum slv_fate)fate),
		    slv_json_number(r->bytes[fate]));
	return slv_object_done(&o);
}

static json_t *
kinds_of(const struct slv_report *r)
{
	struct slv_object all = slv_object();

	for (size_t i = 0; i < r->n_kinds; i++) {
		struct slv_object o = slv_object();

		slv_put(&o, "kept", slv_json_number(r->kinds[i].kept));
		slv_put(&o, "lost", slv_json_number(r->kinds[i].lost));
		slv_put(&all, r->kinds[i].kind, slv_object_done(&o));
	}
	return slv_object_done(&all);
}

/* The options without which its repair writes nothing. */
static json_t *
needs_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;
	const char *option;

	if (r->wanted != NULL) {
		option = r->wanted->option;
		failed |= json_array_append_new(
		              array, json_stringn(option, strcspn(option, " ")))
		    != 0;
	}
	if (slv_report_needs_reseal(r))
		failed |=
		    json_array_append_new(array, json_string("--reseal")) != 0;
	return slv_array_done(array, failed);
}

/* How much of the log exists, if it states its length. */
static json_t *
expected_of(const struct slv_report *r)
{
	struct slv_object o = slv_object();

	slv_put(&o, "bytes", slv_json_number(r->facts.expected));
	slv_put(&o, "present_percent", json_real(slv_report_percent(r)));
	return slv_object_done(&o);
}

static json_t *
blocks_of(const struct slv_report *r)
{
	struct slv_object o = slv_object();

	slv_put(&o, "kept", slv_json_number(r->units_kept));
	slv_put(&o, "lost", slv_json_number(r->units_lost));
	slv_put(&o, "lost_exact",
	    json_boolean(!r->lost_loose && r->units_unsure == 0));
	slv_put(&o, "unsure", slv_json_number(r->units_unsure));
	return slv_object_done(&o);
}

static json_t *
time_of(const struct slv_report *r)
{
	struct slv_object o = slv_object();

	slv_put_moment(&o, "first", r->first);
	slv_put_moment(&o, "last", r->last);
	slv_put(&o, "dated", json_boolean(!r->facts.undated));
	return slv_object_done(&o);
}

static json_t *
word_or_null(const char *text)
{
	return slv_json_text(text != NULL && *text != '\0' ? text : NULL);
}

/* The logs of other recordings that were written to files of their own. */
static json_t *
splits_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_splits; i++) {
		const struct slv_split *s = &r->splits[i];
		struct slv_object o;

		if (s->log == NULL)
			continue;
		o = slv_object();
		slv_put(&o, "offset", slv_json_number(s->off));
		slv_put(&o, "length", slv_json_number(s->len));
		slv_put(
		    &o, "state", json_string(slv_state_name(s->log->state)));
		slv_put(&o, "bytes", bytes_of(s->log));
		slv_put(&o, "output", output_of(s->log));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static void put_segments(struct slv_object *, const struct slv_report *);

static struct slv_object
object_of(const struct slv_report *r)
{
	struct slv_object o =
	    slv_object_of_type(r->job == SLV_JOB_LIST ? "summary" : "file");
	bool planless = r->job != SLV_JOB_VERIFY && !slv_report_writes(r);

	slv_put_path(&o, "file", "file_base64", r->file);
	if (r->spool != NULL)
		slv_put_path(&o, "spool", "spool_base64", r->spool);
	if (r->packed_size > 0)
		slv_put(&o, "compressed_size", slv_json_number(r->packed_size));
	slv_put(&o, "made_by", slv_json_maker(r));
	slv_put(&o, "job", json_string(slv_name_of_job(r->job)));
	slv_put(&o, "format", word_or_null(r->format));
	slv_put(&o, "looks_like", word_or_null(slv_report_looks_like(r)));
	slv_put(&o, "dialect", word_or_null(r->facts.dialect));
	slv_put(&o, "version", word_or_null(r->facts.version));
	slv_put(&o, "state", json_string(slv_state_name(r->state)));
	slv_put(&o, "error", error_of(&r->err));
	slv_put(&o, "advice", word_or_null(slv_report_advice(r)));
	slv_put(
	    &o, "assurance", json_string(slv_name_of_assurance(r->assurance)));
	slv_put(&o, "digest", word_or_null(r->facts.digest));
	slv_put(&o, "depth",
	    json_string(r->glanced || r->skimmed > 0 ? "index" : "all"));
	slv_put(&o, "end", json_string(slv_name_of_end(r->end)));
	slv_put(&o, "repairable",
	    planless ? json_null() : json_boolean(r->repairable));
	slv_put(&o, "needs", needs_of(r));
	slv_put(&o, "proven", json_boolean(r->proven));
	slv_put(&o, "contradicted", json_boolean(r->contradicted));
	slv_put(&o, "verified", json_boolean(r->verified));
	slv_put(&o, "history", history_of(r));
	if (r->backup.file != NULL)
		slv_put(&o, "backup", backup_of(&r->backup));
	slv_put(&o, "sha256", sha256_of(r->has_sha256, r->sha256));
	slv_put(&o, "size", slv_json_number(r->size));
	slv_put(&o, "bytes", bytes_of(r));
	slv_put_ranges(&o, r);
	if (r->facts.expected > 0)
		slv_put(&o, "expected", expected_of(r));
	slv_put(&o, "blocks", blocks_of(r));
	slv_put(&o, "kinds", kinds_of(r));
	slv_put(&o, "time", time_of(r));
	slv_put_gaps(&o, r);
	if (r->timeline != NULL)
		slv_put(&o, "timeline", slv_json_timeline(r->timeline));
	if (r->facts.packs_pieces)
		slv_put(&o, "compression", compression_of(&r->facts));
	put_channels(&o, &r->facts);
	slv_put(&o, "annotations", annotations_of(&r->facts));
	slv_put(&o, "problems", problems_of(r));
	slv_put(&o, "problems_total", slv_json_number(r->n_problems_total));
	if (r->policed)
		slv_put_policy(&o, r);
	if (r->against.verdict != SLV_BASELINE_NONE)
		slv_put_baseline(&o, r);
	slv_put(&o, "output", output_of(r));
	if (r->in_place.record != NULL || r->in_place.rolled_back
	    || r->in_place.forgotten != NULL)
		slv_put(&o, "in_place", in_place_of(r));
	if (r->job == SLV_JOB_MERGE)
		slv_put_merge(&o, r);
	if (r->job == SLV_JOB_REPAIR || slv_report_exports(r))
		slv_put_donor(&o, r);
	if (slv_report_exports(r))
		slv_put_export(&o, r);
	if (r->n_segments > 0)
		put_segments(&o, r);
	if (slv_report_repairs(r)) {
		slv_put(&o, "dropped", slv_dropped_of(r));
		slv_put(&o, "split", splits_of(r));
		slv_put_plan(&o, r);
	}
	return o;
}

/* The reports of the logs that were joined. */
static void
put_segments(struct slv_object *to, const struct slv_report *r)
{
	slv_rows_begin(to, "segments");
	for (size_t i = 0; i < r->n_segments; i++) {
		struct slv_object o = object_of(r->segments[i]);

		slv_rows_add(to, &o);
	}
	slv_rows_end(to);
}

char *
slv_report_json(const struct slv_report *r)
{
	struct slv_object o = object_of(r);

	return slv_object_dump(&o);
}
