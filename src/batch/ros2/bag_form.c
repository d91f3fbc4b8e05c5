/* bag_form.c - does metadata.yaml have the form of its version?
 *
 * Each version has its fields, and ROS 2 reads no file that lacks one.  The
 * tables below have them; docs/formats/ros2-bag.md says since when.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/ros2/bag.h"

enum kind {
	NUMBER,
	TEXT,
	BOOL,
	WORD,     /* or a number up to 4, in older versions */
	DURATION, /* a map with one number */
	TIME,     /* the same */
	SPAN,     /* a map of two numbers */
	TEXTS,    /* a list of texts */
	NOTES,    /* a map of texts, or null */
	QOS,      /* a list of profiles, before version 9 as a text */
	ABOUT,    /* a topic */
	TOPICS,   /* a list of topics and their counts */
	FILES,    /* a list of files */
};

struct field {
	const char *name;
	enum kind kind;
	unsigned since; /* version */
};

static const struct field bag_fields[] = {
	{ "version", NUMBER, 0 },
	{ "storage_identifier", TEXT, 0 },
	{ "duration", DURATION, 0 },
	{ "starting_time", TIME, 0 },
	{ "message_count", NUMBER, 0 },
	{ "topics_with_message_count", TOPICS, 0 },
	{ "compression_format", TEXT, 3 },
	{ "compression_mode", TEXT, 3 },
	{ "relative_file_paths", TEXTS, 0 },
	{ "files", FILES, 5 },
	{ "custom_data", NOTES, 6 },
	{ "ros_distro", TEXT, 8 },
	{ .name = NULL },
};

static const struct field topic_fields[] = {
	{ "topic_metadata", ABOUT, 0 },
	{ "message_count", NUMBER, 0 },
	{ .name = NULL },
};

static const struct field about_fields[] = {
	{ "name", TEXT, 0 },
	{ "type", TEXT, 0 },
	{ "serialization_format", TEXT, 0 },
	{ "offered_qos_profiles", QOS, 4 },
	{ "type_description_hash", TEXT, 7 },
	{ .name = NULL },
};

static const struct field file_fields[] = {
	{ "path", TEXT, 0 },
	{ "starting_time", TIME, 0 },
	{ "duration", DURATION, 0 },
	{ "message_count", NUMBER, 0 },
	{ .name = NULL },
};

static const struct field qos_fields[] = {
	{ "history", WORD, 0 },
	{ "depth", NUMBER, 0 },
	{ "reliability", WORD, 0 },
	{ "durability", WORD, 0 },
	{ "deadline", SPAN, 0 },
	{ "lifespan", SPAN, 0 },
	{ "liveliness", WORD, 0 },
	{ "liveliness_lease_duration", SPAN, 0 },
	{ "avoid_ros_namespace_conventions", BOOL, 0 },
	{ .name = NULL },
};

static const struct field span_fields[] = {
	{ "sec", NUMBER, 0 },
	{ "nsec", NUMBER, 0 },
	{ .name = NULL },
};

static const struct field duration_fields[] = {
	{ "nanoseconds", NUMBER, 0 },
	{ .name = NULL },
};

static const struct field time_fields[] = {
	{ "nanoseconds_since_epoch", NUMBER, 0 },
	{ .name = NULL },
};

/* What a profile may say, by its field; ROS 2 takes any other word for
 * "unknown". */
static const struct {
	const char *field, *word;
} words[] = {
	{ "history", "keep_last" },
	{ "history", "keep_all" },
	{ "reliability", "reliable" },
	{ "reliability", "best_effort" },
	{ "reliability", "best_available" },
	{ "durability", "transient_local" },
	{ "durability", "volatile" },
	{ "durability", "best_available" },
	{ "liveliness", "automatic" },
	{ "liveliness", "manual_by_topic" },
	{ "liveliness", "best_available" },
	{ NULL, "system_default" },
	{ NULL, "unknown" },
};

/* The kinds that are maps with fields of their own. */
static const struct field *
fields_of(enum kind kind)
{
	switch (kind) {
	case DURATION: return duration_fields;
	case TIME: return time_fields;
	case SPAN: return span_fields;
	case ABOUT: return about_fields;
	default: return NULL;
	}
}

/* A tree while it is checked. */
struct form {
	struct slv_bag *bag;
	const struct slv_yaml *yaml;
	uint64_t version;
	uint64_t wrong; /* fields that have no valid value */
};

static enum slv_status
complain(
    struct form *f, const char *what, const char *name, struct slv_err *err)
{
	f->wrong++;
	/* A text in the text, which has no lines of its own. */
	if (f->bag == NULL)
		return SLV_OK;
	return slv_bag_raise(f->bag, SLV_BAG_FIELD, err, "%s %s", name, what);
}

static enum slv_status check(
    struct form *, size_t node, const struct field *, struct slv_err *);

/* A map with exactly these fields. */
static enum slv_status
check_map(struct form *f, size_t map, const struct field *fields,
    const char *name, struct slv_err *err)
{
	const struct slv_yaml *y = f->yaml;

	if (map >= y->n || y->at[map].kind != SLV_YAML_MAP)
		return complain(f, "has no valid value", name, err);
	for (const struct field *one = fields; one->name != NULL; one++) {
		size_t node = slv_yaml_get(y, map, one->name);

		if (one->since > f->version)
			continue;
		SLV_TRY(node == SLV_YAML_NONE
		        ? complain(f, "is missing", one->name, err)
		        : check(f, node, one, err));
	}
	for (size_t i = y->at[map].first; i != SLV_YAML_NONE;
	     i = y->at[i].next) {
		const struct field *one = fields;

		while (one->name != NULL
		    && (strcmp(one->name, y->at[i].key) != 0
		        || one->since > f->version))
			one++;
		if (one->name == NULL)
			SLV_TRY(complain(f, "is no field of this version",
			    y->at[i].key, err));
	}
	return SLV_OK;
}

static bool
is_word(const struct form *f, size_t node, const char *field)
{
	const char *text = slv_yaml_text(f->yaml, node);
	uint64_t number;

	if (text == NULL)
		return false;
	if (slv_yaml_number(f->yaml, node, &number))
		return number <= 4 && f->version < 9;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i].word, text) == 0
		    && (words[i].field == NULL
		        || strcmp(words[i].field, field) == 0))
			return f->version >= 9;
	}
	return false;
}

static bool
is_bool(const struct form *f, size_t node)
{
	const char *text = slv_yaml_text(f->yaml, node);

	return text != NULL
	    && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
}

static bool
is_scalar(const struct form *f, size_t node)
{
	return f->yaml->at[node].kind == SLV_YAML_SCALAR
	    && !slv_yaml_is_null(f->yaml, node);
}

/* A list, or a map, of texts. */
static bool
is_texts(const struct form *f, size_t node, enum slv_yaml_kind kind)
{
	bool good = f->yaml->at[node].kind == kind;

	for (size_t i = slv_yaml_first(f->yaml, node);
	     good && i != SLV_YAML_NONE; i = f->yaml->at[i].next)
		good = is_scalar(f, i);
	return good;
}

/* Items that are maps with these fields. */
static enum slv_status
check_list(struct form *f, size_t list, const struct field *fields,
    const char *name, struct slv_err *err)
{
	if (f->yaml->at[list].kind != SLV_YAML_LIST)
		return complain(f, "has no valid value", name, err);
	for (size_t i = f->yaml->at[list].first; i != SLV_YAML_NONE;
	     i = f->yaml->at[i].next)
		SLV_TRY(check_map(f, i, fields, name, err));
	return SLV_OK;
}

/* Profiles that are a YAML text in the text. */
static enum slv_status
check_qos_text(
    struct form *f, size_t node, const char *name, struct slv_err *err)
{
	const char *text = slv_yaml_text(f->yaml, node);
	struct slv_yaml inner = { .cancel = f->yaml->cancel };
	struct form within = { .yaml = &inner, .version = f->version };
	enum slv_status st;

	if (text == NULL)
		return complain(f, "has no valid value", name, err);
	if (*text == '\0')
		return SLV_OK;
	st = slv_yaml_read(&inner, text, strlen(text), err);
	if (st == SLV_OK && inner.why[0] == '\0')
		st = check_list(&within, 0, qos_fields, name, err);
	if (st == SLV_OK && (inner.why[0] != '\0' || within.wrong > 0))
		st = complain(f, "has no valid value", name, err);
	slv_yaml_free(&inner);
	return st;
}

static enum slv_status
check(
    struct form *f, size_t node, const struct field *field, struct slv_err *err)
{
	uint64_t number;
	bool good = true;

	switch (field->kind) {
	case NUMBER: good = slv_yaml_number(f->yaml, node, &number); break;
	case TEXT: good = is_scalar(f, node); break;
	case BOOL: good = is_bool(f, node); break;
	case WORD: good = is_word(f, node, field->name); break;
	case TEXTS: good = is_texts(f, node, SLV_YAML_LIST); break;
	case NOTES:
		good = slv_yaml_is_null(f->yaml, node)
		    || is_texts(f, node, SLV_YAML_MAP);
		break;
	case QOS:
		return f->version >= 9
		    ? check_list(f, node, qos_fields, field->name, err)
		    : check_qos_text(f, node, field->name, err);
	case TOPICS: return check_list(f, node, topic_fields, field->name, err);
	case FILES: return check_list(f, node, file_fields, field->name, err);
	case DURATION:
	case TIME:
	case SPAN:
	case ABOUT:
		return check_map(
		    f, node, fields_of(field->kind), field->name, err);
	}
	return good ? SLV_OK
	            : complain(f, "has no valid value", field->name, err);
}

enum slv_status
slv_bag_valid(const struct slv_yaml *y, size_t node, const char *field,
    uint64_t version, bool *valid, struct slv_err *err)
{
	static const struct field *const all[] = { bag_fields, about_fields };
	struct form f = { .yaml = y, .version = version };
	enum slv_status st = SLV_OK;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		for (const struct field *one = all[i]; one->name != NULL; one++)
			if (st == SLV_OK && strcmp(one->name, field) == 0)
				st = check(&f, node, one, err);
	}
	*valid = f.wrong == 0;
	return st;
}

enum slv_status
slv_bag_qos(struct slv_yaml *y, const char *text, uint64_t version, bool *valid,
    struct slv_err *err)
{
	*valid = false;
	if (*text == '\0')
		return SLV_OK;
	if (version < 9)
		SLV_TRY(slv_yaml_add(
		    y, SLV_YAML_NONE, NULL, SLV_YAML_SCALAR, text, NULL, err));
	else
		SLV_TRY(slv_yaml_read(y, text, strlen(text), err));
	if (y->n == 0 || y->why[0] != '\0')
		return SLV_OK;
	return slv_bag_valid(y, 0, "offered_qos_profiles", version, valid, err);
}

bool
slv_bag_number(const struct slv_bag *b, size_t map, const char *field,
    const char *inner, uint64_t *out)
{
	size_t node = slv_yaml_get(&b->yaml, map, field);

	if (inner != NULL)
		node = slv_yaml_get(&b->yaml, node, inner);
	return slv_yaml_number(&b->yaml, node, out);
}

/* Other storages are known by their names alone. */
static enum slv_status
check_storage(struct slv_bag *b, struct slv_err *err)
{
	const char *id = slv_yaml_text(
	    &b->yaml, slv_yaml_get(&b->yaml, b->root, "storage_identifier"));

	if (id == NULL || strcmp(id, "mcap") == 0)
		return SLV_OK;
	if (strcmp(id, "sqlite3") == 0 && b->n_files == 0)
		return slv_bag_raise(b, SLV_BAG_STORAGE, err,
		    "the bag was recorded with %s; salvor reads MCAP", id);
	return slv_bag_raise(b, SLV_BAG_FIELD, err,
	    "storage_identifier is %.64s and not mcap", id);
}

/* "" or zstd; "", FILE or MESSAGE; and both or none. */
static enum slv_status
check_compression(struct slv_bag *b, struct slv_err *err)
{
	const char *format = slv_yaml_text(
	    &b->yaml, slv_yaml_get(&b->yaml, b->root, "compression_format"));
	const char *mode = slv_yaml_text(
	    &b->yaml, slv_yaml_get(&b->yaml, b->root, "compression_mode"));

	if (format == NULL || mode == NULL)
		return SLV_OK;
	if (*mode != '\0' && strcmp(mode, "FILE") != 0
	    && strcmp(mode, "MESSAGE") != 0 && strcmp(mode, "NONE") != 0)
		return slv_bag_raise(b, SLV_BAG_FIELD, err,
		    "compression_mode %.64s is unknown", mode);
	if ((*format != '\0') != (*mode != '\0' && *mode != 'N'))
		return slv_bag_raise(b, SLV_BAG_FIELD, err,
		    "compression_format and compression_mode do not go "
		    "together");
	return SLV_OK;
}

/* The version that has exactly the fields that are there; 0: none. */
static enum slv_status
guess_version(const struct slv_bag *b, uint64_t *out, struct slv_err *err)
{
	*out = 0;
	for (uint64_t v = SLV_BAG_OLDEST; v <= SLV_BAG_NEWEST; v++) {
		struct form f = { .yaml = &b->yaml, .version = v };

		SLV_TRY(check_map(&f, b->root, bag_fields, "", err));
		if (f.wrong == 0)
			*out = v;
	}
	return SLV_OK;
}

/* A damaged number may be that of another version. */
static enum slv_status
check_version(struct slv_bag *b, struct slv_err *err)
{
	struct form f = { .bag = b, .yaml = &b->yaml, .version = b->version };
	struct form quiet = { .yaml = &b->yaml, .version = b->version };
	uint64_t other;

	if (b->version > SLV_BAG_NEWEST
	    || (b->version > 0 && b->version < SLV_BAG_OLDEST))
		return slv_bag_raise(b, SLV_BAG_VERSION, err,
		    SLV_BAG_METADATA " has version %llu, and %d to %d are "
		                     "known",
		    (unsigned long long)b->version, SLV_BAG_OLDEST,
		    SLV_BAG_NEWEST);
	SLV_TRY(check_map(&quiet, b->root, bag_fields, "", err));
	SLV_TRY(guess_version(b, &other, err));
	/* One field may be lost, but none comes by itself. */
	if (quiet.wrong == 0 || other == 0
	    || (other < b->version && quiet.wrong == 1))
		return check_map(&f, b->root, bag_fields, SLV_BAG_ROOT, err);
	SLV_TRY(slv_bag_raise(b, SLV_BAG_FIELD, err,
	    "version is %llu, and the fields are those of version %llu",
	    (unsigned long long)b->version, (unsigned long long)other));
	b->version = other;
	return SLV_OK;
}

enum slv_status
slv_bag_form(struct slv_bag *b, bool *usable, struct slv_err *err)
{
	struct slv_yaml *y = &b->yaml;

	*usable = false;
	y->cancel = b->cancel;
	SLV_TRY(slv_yaml_read(y, b->metadata.at, b->metadata.len, err));
	b->root = slv_yaml_get(y, 0, SLV_BAG_ROOT);
	if (y->why[0] != '\0')
		SLV_TRY(slv_bag_raise(b, SLV_BAG_YAML, err,
		    SLV_BAG_METADATA " is damaged in line %llu: %s",
		    (unsigned long long)y->line, y->why));
	else if (b->root == SLV_YAML_NONE || slv_yaml_count(y, 0) != 1)
		SLV_TRY(slv_bag_raise(b, SLV_BAG_YAML, err,
		    SLV_BAG_METADATA " does not consist of " SLV_BAG_ROOT));
	slv_bag_number(b, b->root, "version", NULL, &b->version);
	if (y->why[0] != '\0' || b->root == SLV_YAML_NONE)
		return SLV_OK;
	*usable = true;
	SLV_TRY(check_version(b, err));
	SLV_TRY(check_storage(b, err));
	return check_compression(b, err);
}
