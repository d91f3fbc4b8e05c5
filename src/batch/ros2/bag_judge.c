/* bag_judge.c - does metadata.yaml say what the files hold? */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/ros2/bag.h"

/* A name from a text that anyone may have written. */
#define NAME "%.200s"

static size_t
field(const struct slv_bag *b, size_t map, const char *name)
{
	return slv_yaml_get(&b->yaml, map, name);
}

static size_t
next(const struct slv_bag *b, size_t node)
{
	return b->yaml.at[node].next;
}

/* Compare a number with what the files say. */
static enum slv_status
compare(struct slv_bag *b, enum slv_bag_row row, const char *of, size_t map,
    const char *name, const char *inner, uint64_t right, struct slv_err *err)
{
	uint64_t says;

	/* A field without a number was reported. */
	if (!slv_bag_number(b, map, name, inner, &says) || says == right)
		return SLV_OK;
	return slv_bag_raise(b, row, err,
	    NAME ": %s is %" PRIu64 ", and should be %" PRIu64, of, name, says,
	    right);
}

/* Compare the times of the bag or of a file.
 *
 *   other  another duration that is right */
static enum slv_status
compare_times(struct slv_bag *b, const char *of, size_t map,
    const struct slv_bag_span *s, uint64_t other, struct slv_err *err)
{
	static const char start[] = "starting_time",
	                  since[] = "nanoseconds_since_epoch",
	                  lasts[] = "duration", nanos[] = "nanoseconds";
	bool none = s->messages == 0;
	uint64_t duration = none ? 0 : s->last - s->first, says;

	if (slv_bag_number(b, map, lasts, nanos, &says) && says == other)
		duration = other;
	/* Without messages a recorder writes one of these times, a reindexer the
	 * other. */
	if (!none || !slv_bag_number(b, map, start, since, &says)
	    || (says != 0 && says != SLV_BAG_NEVER))
		SLV_TRY(compare(b, SLV_BAG_TIME, of, map, start, since,
		    none ? SLV_BAG_NEVER : s->first, err));
	return compare(b, SLV_BAG_TIME, of, map, lasts, nanos, duration, err);
}

/* Mark the files that metadata.yaml names. */
static enum slv_status
find_named(struct slv_bag *b, struct slv_err *err)
{
	size_t list = field(b, b->root, "relative_file_paths");

	for (size_t i = slv_yaml_first(&b->yaml, list); i != SLV_YAML_NONE;
	     i = next(b, i)) {
		const char *name = slv_yaml_text(&b->yaml, i);
		struct slv_bag_file *f;

		SLV_TRY(slv_bag_go_on(b, err));
		if (name == NULL)
			continue;
		f = strchr(name, '/') == NULL ? slv_bag_file_named(b, name)
		                              : NULL;
		if (f == NULL)
			SLV_TRY(slv_bag_raise(b, SLV_BAG_MISSING, err,
			    NAME " is not there", name));
		else if (f->named)
			SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
			    "relative_file_paths has " NAME " twice", name));
		else if (strcmp(f->name, name) != 0)
			SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
			    "relative_file_paths has " NAME
			    ", and the file is " NAME,
			    name, f->name));
		if (f != NULL)
			f->named = true;
	}
	return SLV_OK;
}

/* Files are compressed as a whole if the mode says so. */
static enum slv_status
judge_mode(struct slv_bag *b, struct slv_err *err)
{
	const char *mode =
	    slv_yaml_text(&b->yaml, field(b, b->root, "compression_mode"));
	bool whole = mode != NULL && strcmp(mode, "FILE") == 0;
	size_t packed = 0, named = 0;

	for (size_t i = 0; i < b->n_files; i++) {
		named += b->files[i].named;
		packed += b->files[i].named && slv_bag_is_packed(&b->files[i]);
	}
	if (mode == NULL || named == 0 || whole == (packed > 0))
		return SLV_OK;
	return slv_bag_raise(b, SLV_BAG_FIELD, err,
	    "compression_mode is " NAME ", and %zu of %zu files are "
	    "compressed",
	    *mode != '\0' ? mode : "\"\"", packed, named);
}

/* Report files that cannot be read, or that metadata.yaml does not name. */
static enum slv_status
judge_files(struct slv_bag *b, bool usable, struct slv_err *err)
{
	for (size_t i = 0; i < b->n_files; i++) {
		const struct slv_bag_file *f = &b->files[i];

		if (!f->read)
			SLV_TRY(slv_bag_raise(b, SLV_BAG_UNREAD, err,
			    NAME ": no messages of it could be read", f->name));
		if (usable && !f->named)
			SLV_TRY(slv_bag_raise(b, SLV_BAG_EXTRA, err,
			    NAME " is not in " SLV_BAG_METADATA, f->name));
	}
	return SLV_OK;
}

/* The list must have the files in the order of their times. */
static enum slv_status
judge_list(struct slv_bag *b, struct slv_err *err)
{
	size_t list = field(b, b->root, "relative_file_paths");
	const struct slv_bag_file *last = NULL;

	for (size_t i = slv_yaml_first(&b->yaml, list); i != SLV_YAML_NONE;
	     i = next(b, i)) {
		const char *name = slv_yaml_text(&b->yaml, i);
		const struct slv_bag_file *f =
		    name != NULL ? slv_bag_file_named(b, name) : NULL;

		if (f == NULL)
			continue;
		if (last != NULL && last > f)
			return slv_bag_raise(b, SLV_BAG_FIELD, err,
			    "relative_file_paths has " NAME " before " NAME,
			    last->name, f->name);
		last = f;
	}
	return SLV_OK;
}

/* The entry of a file may have its name from before it was compressed. */
static bool
is_entry_of(const char *name, const char *listed)
{
	size_t n = strlen(name);

	return strncmp(listed, name, n) == 0
	    && (listed[n] == '\0' || strcmp(listed + n, ".zstd") == 0);
}

/* Compare each entry of `files` with its file.  The list exists since version 5,
 * and a reindexer leaves it empty.  Its names lack the ending of a compression. */
static enum slv_status
judge_entries(struct slv_bag *b, struct slv_err *err)
{
	size_t list = field(b, b->root, "files");
	size_t named =
	    slv_yaml_count(&b->yaml, field(b, b->root, "relative_file_paths"));
	size_t count = slv_yaml_count(&b->yaml, list), nth = 0;
	size_t at =
	    slv_yaml_first(&b->yaml, field(b, b->root, "relative_file_paths"));

	if (count > 0 && count != named)
		SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
		    "files has %zu entries, and relative_file_paths %zu", count,
		    named));
	for (size_t i = slv_yaml_first(&b->yaml, list); i != SLV_YAML_NONE;
	     i = next(b, i), nth++) {
		const char *name = slv_yaml_text(&b->yaml, field(b, i, "path"));
		const char *listed =
		    at != SLV_YAML_NONE ? slv_yaml_text(&b->yaml, at) : NULL;
		struct slv_bag_file *f =
		    name != NULL ? slv_bag_file_named(b, name) : NULL;

		at = at != SLV_YAML_NONE ? next(b, at) : at;
		if (name == NULL)
			continue;
		if (listed != NULL && !is_entry_of(name, listed))
			SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
			    "files has " NAME ", and relative_file_paths " NAME,
			    name, listed));
		if (f == NULL || !f->read)
			continue;
		SLV_TRY(compare(b, SLV_BAG_COUNT, name, i, "message_count",
		    NULL, f->span.messages, err));
		SLV_TRY(compare_times(
		    b, name, i, &f->span, f->span.last - f->span.first, err));
	}
	return SLV_OK;
}

/* What a reindexer writes as the duration of the bag. */
static uint64_t
sum_of_durations(const struct slv_bag *b)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < b->n_files; i++)
		sum += b->files[i].span.last - b->files[i].span.first;
	return sum;
}

/* Whether a channel has the QoS profiles of metadata.yaml, or none that can be
 * compared. */
static enum slv_status
same_qos(struct slv_bag *b, size_t node, const char *text, bool *same,
    struct slv_err *err)
{
	struct slv_yaml said = { .cancel = b->cancel };
	bool valid;
	enum slv_status st = slv_bag_qos(&said, text, b->version, &valid, err);

	*same = st != SLV_OK || !valid || node == SLV_YAML_NONE
	    || b->yaml.at[node].kind != said.at[0].kind
	    || slv_yaml_is_null(&b->yaml, node)
	    || slv_yaml_equal(&b->yaml, node, &said, 0);
	slv_yaml_free(&said);
	return st;
}

static enum slv_status
compare_text(struct slv_bag *b, const char *topic, size_t about,
    const char *name, const char *right, struct slv_err *err)
{
	const char *says = slv_yaml_text(&b->yaml, field(b, about, name));

	if (says == NULL || *right == '\0' || strcmp(says, right) == 0)
		return SLV_OK;
	return slv_bag_raise(b, SLV_BAG_TOPIC, err,
	    NAME ": %s is " NAME ", and should be " NAME, topic, name, says,
	    right);
}

static const char *
name_of(const struct slv_bag *b, size_t item)
{
	return slv_yaml_text(
	    &b->yaml, field(b, field(b, item, "topic_metadata"), "name"));
}

/* metadata.yaml has a topic that no file has, and the files have a topic without
 * messages that metadata.yaml lacks: it is one topic with two names.  Either alone is
 * no finding: a summary was lost, or the topic was removed during the recording. */
static enum slv_status
judge_silent(
    struct slv_bag *b, size_t list, const bool *seen, struct slv_err *err)
{
	size_t silent = 0, i = slv_yaml_first(&b->yaml, list);
	const char *name = NULL;

	while (silent < b->n_topics
	    && (seen[silent] || b->topics[silent].messages > 0))
		silent++;
	while (i != SLV_YAML_NONE
	    && ((name = name_of(b, i)) == NULL
	        || slv_bag_topic_named(b, name) != NULL))
		i = next(b, i);
	if (silent == b->n_topics || i == SLV_YAML_NONE)
		return SLV_OK;
	b->renamed = true;
	return slv_bag_raise(b, SLV_BAG_TOPIC, err,
	    NAME ": is in no file, and " NAME " is in one", name,
	    b->topics[silent].name);
}

static enum slv_status
judge_topic(struct slv_bag *b, size_t node, bool all, struct slv_err *err)
{
	size_t about = field(b, node, "topic_metadata");
	const char *name = slv_yaml_text(&b->yaml, field(b, about, "name"));
	const struct slv_bag_topic *t =
	    name != NULL ? slv_bag_topic_named(b, name) : NULL;
	bool same;

	if (name == NULL)
		return SLV_OK;
	if (all)
		SLV_TRY(compare(b, SLV_BAG_COUNT, name, node, "message_count",
		    NULL, t != NULL ? t->messages : 0, err));
	if (t == NULL)
		return SLV_OK;
	if (!t->mixed) {
		SLV_TRY(compare_text(b, name, about, "type", t->type, err));
		SLV_TRY(compare_text(
		    b, name, about, "serialization_format", t->encoding, err));
	}
	SLV_TRY(compare_text(
	    b, name, about, "type_description_hash", t->hash, err));
	SLV_TRY(same_qos(
	    b, field(b, about, "offered_qos_profiles"), t->qos, &same, err));
	return same
	    ? SLV_OK
	    : slv_bag_raise(b, SLV_BAG_TOPIC, err,
	        NAME ": offered_qos_profiles are others in the files", name);
}

/* The list must have each topic once, and all topics with messages. */
static enum slv_status
judge_topics(struct slv_bag *b, bool all, struct slv_err *err)
{
	size_t list = field(b, b->root, "topics_with_message_count");
	bool *seen = slv_calloc(b->n_topics + 1, sizeof(*seen));
	enum slv_status st = SLV_OK;

	if (seen == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = slv_yaml_first(&b->yaml, list);
	     st == SLV_OK && i != SLV_YAML_NONE; i = next(b, i)) {
		const char *name = name_of(b, i);
		const struct slv_bag_topic *t =
		    name != NULL ? slv_bag_topic_named(b, name) : NULL;

		st = slv_bag_go_on(b, err);
		if (st == SLV_OK && t != NULL && seen[t - b->topics])
			st = slv_bag_raise(b, SLV_BAG_TOPIC, err,
			    NAME ": is there twice", name);
		else if (st == SLV_OK)
			st = judge_topic(b, i, all, err);
		if (t != NULL)
			seen[t - b->topics] = true;
	}
	if (all && st == SLV_OK)
		st = judge_silent(b, list, seen, err);
	for (size_t i = 0; st == SLV_OK && i < b->n_topics; i++) {
		if (!seen[i] && b->topics[i].messages > 0)
			st = slv_bag_raise(b, SLV_BAG_TOPIC, err,
			    NAME ": %" PRIu64 " messages are in the files, and "
			         "the topic is not in " SLV_BAG_METADATA,
			    b->topics[i].name, b->topics[i].messages);
	}
	slv_free(seen);
	return st;
}

/* Compare the fields that the latest file has as well. */
static enum slv_status
judge_notes(struct slv_bag *b, struct slv_err *err)
{
	static const char *const same[] = { "ros_distro", "custom_data" };
	const char *distro =
	    slv_yaml_text(&b->yaml, field(b, b->root, "ros_distro"));

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		size_t here = field(b, b->root, same[i]);
		size_t there = slv_yaml_get(&b->noted, 0, same[i]);

		if (here != SLV_YAML_NONE && there != SLV_YAML_NONE
		    && !slv_yaml_equal(&b->yaml, here, &b->noted, there))
			SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
			    "%s is another one in the files", same[i]));
	}
	if (distro != NULL && b->distro != NULL
	    && strcmp(distro, b->distro) != 0)
		return slv_bag_raise(b, SLV_BAG_FIELD, err,
		    "ros_distro is " NAME ", and should be " NAME, distro,
		    b->distro);
	return SLV_OK;
}

/* Whether everything that metadata.yaml counts was read. */
static bool
is_complete(const struct slv_bag *b)
{
	bool all = true;

	for (size_t i = 0; i < b->n_files; i++)
		all &= b->files[i].read;
	return all && !slv_bag_has(b, SLV_BAG_MISSING);
}

enum slv_status
slv_bag_judge(struct slv_bag *b, struct slv_err *err)
{
	bool usable = false, all;

	slv_bag_join_topics(b);
	if (b->has_metadata)
		SLV_TRY(slv_bag_form(b, &usable, err));
	else
		SLV_TRY(slv_bag_raise(b, SLV_BAG_NO_METADATA, err,
		    "there is no " SLV_BAG_METADATA));
	if (slv_bag_has(b, SLV_BAG_STORAGE))
		return SLV_OK;
	if (usable)
		SLV_TRY(find_named(b, err));
	SLV_TRY(judge_files(b, usable, err));
	if (!usable)
		return SLV_OK;
	all = is_complete(b);
	SLV_TRY(judge_list(b, err));
	SLV_TRY(judge_mode(b, err));
	SLV_TRY(judge_entries(b, err));
	SLV_TRY(judge_topics(b, all, err));
	SLV_TRY(judge_notes(b, err));
	if (!all)
		return SLV_OK;
	SLV_TRY(compare(b, SLV_BAG_COUNT, SLV_BAG_METADATA, b->root,
	    "message_count", NULL, b->span.messages, err));
	return compare_times(
	    b, SLV_BAG_METADATA, b->root, &b->span, sum_of_durations(b), err);
}
