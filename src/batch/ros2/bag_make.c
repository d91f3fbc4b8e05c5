/* bag_make.c - a metadata.yaml that agrees with the files.
 *
 * It has the fields of its version in the order of ROS 2.  What the files say
 * counts; what they do not say is taken from the old file, as far as it can be
 * read, or from the copy that files have since Jazzy.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/ros2/bag.h"

#define DEFAULT_ENCODING "cdr"
#define LIKE_MOST        1000 /* topics that a damaged name is compared with */
#define LIST_FIRST       4    /* the version with another order of fields */
#define QOS              "offered_qos_profiles"

/* A node of one of the trees. */
struct place {
	const struct slv_yaml *yaml; /* NULL: there is none */
	size_t node;
};

struct making {
	struct slv_bag *b;
	struct slv_yaml out;
	uint64_t version;
	size_t root;
};

/* A field of a map, of this kind. */
static struct place
field(const struct slv_yaml *y, size_t map, const char *name,
    enum slv_yaml_kind kind)
{
	struct place p = { y, slv_yaml_get(y, map, name) };

	if (p.node == SLV_YAML_NONE || y->at[p.node].kind != kind)
		p.yaml = NULL;
	return p;
}

/* What the old file says, or the copy. */
static struct place
known(const struct making *m, const char *name, enum slv_yaml_kind kind)
{
	struct place p = field(&m->b->yaml, m->b->root, name, kind);

	return p.yaml != NULL ? p : field(&m->b->noted, 0, name, kind);
}

/* A text that is not null; "" if there is none. */
static const char *
text_of(struct place p)
{
	const char *text =
	    p.yaml != NULL ? slv_yaml_text(p.yaml, p.node) : NULL;

	return text != NULL ? text : "";
}

static enum slv_status
put_text(struct making *m, size_t map, const char *name, const char *text,
    struct slv_err *err)
{
	return slv_yaml_add(
	    &m->out, map, name, SLV_YAML_SCALAR, text, NULL, err);
}

/* A map with one number. */
static enum slv_status
put_inner(struct making *m, size_t map, const char *name, const char *inner,
    uint64_t number, struct slv_err *err)
{
	size_t here;

	SLV_TRY(
	    slv_yaml_add(&m->out, map, name, SLV_YAML_MAP, NULL, &here, err));
	return slv_yaml_add_number(&m->out, here, inner, number, err);
}

static enum slv_status
put_duration(struct making *m, size_t map, const struct slv_bag_span *s,
    struct slv_err *err)
{
	return put_inner(m, map, "duration", "nanoseconds",
	    s->messages > 0 ? s->last - s->first : 0, err);
}

static enum slv_status
put_start(struct making *m, size_t map, const struct slv_bag_span *s,
    struct slv_err *err)
{
	return put_inner(m, map, "starting_time", "nanoseconds_since_epoch",
	    s->messages > 0 ? s->first : SLV_BAG_NEVER, err);
}

/* Profiles are a list since version 9, and before the text of one. */
static enum slv_status
put_qos(struct making *m, size_t map, struct place old, const char *text,
    struct slv_err *err)
{
	struct slv_yaml said = { .cancel = m->b->cancel };
	bool valid = false;
	enum slv_status st = slv_bag_qos(&said, text, m->version, &valid, err);

	if (st == SLV_OK && valid)
		st = slv_yaml_copy(&m->out, map, QOS, &said, 0, err);
	slv_yaml_free(&said);
	if (st != SLV_OK || valid)
		return st;
	if (old.yaml != NULL)
		SLV_TRY(slv_bag_valid(
		    old.yaml, old.node, QOS, m->version, &valid, err));
	if (valid)
		return slv_yaml_copy(
		    &m->out, map, QOS, old.yaml, old.node, err);
	return m->version < 9
	    ? put_text(m, map, QOS, "", err)
	    : slv_yaml_add(&m->out, map, QOS, SLV_YAML_LIST, NULL, NULL, err);
}

/* The first of two texts that says something. */
static const char *
either(const char *a, const char *b)
{
	return *a != '\0' ? a : b;
}

/* A topic.
 *
 *   t      what the files say; NULL: nothing
 *   about  the same of the old file; SLV_YAML_NONE: nothing */
static enum slv_status
put_topic(struct making *m, size_t list, const struct slv_bag_topic *t,
    size_t about, struct slv_err *err)
{
	char nothing[] = "";
	const struct slv_bag_topic none = { 0, nothing, nothing, nothing,
		nothing, nothing, false, 0 };
	const struct slv_yaml *y = &m->b->yaml;
	const char *type = text_of(field(y, about, "type", SLV_YAML_SCALAR));
	const char *encoding =
	    text_of(field(y, about, "serialization_format", SLV_YAML_SCALAR));
	const char *hash =
	    text_of(field(y, about, "type_description_hash", SLV_YAML_SCALAR));
	struct place qos = { y, slv_yaml_get(y, about, QOS) };
	const char *name = t != NULL
	    ? t->name
	    : text_of(field(y, about, "name", SLV_YAML_SCALAR));
	size_t item, here;

	if (qos.node == SLV_YAML_NONE)
		qos.yaml = NULL;
	t = t != NULL ? t : &none;
	SLV_TRY(
	    slv_yaml_add(&m->out, list, NULL, SLV_YAML_MAP, NULL, &item, err));
	SLV_TRY(slv_yaml_add(
	    &m->out, item, "topic_metadata", SLV_YAML_MAP, NULL, &here, err));
	SLV_TRY(put_text(m, here, "name", name, err));
	SLV_TRY(put_text(m, here, "type",
	    t->mixed ? either(type, t->type) : either(t->type, type), err));
	SLV_TRY(put_text(m, here, "serialization_format",
	    either(t->mixed ? either(encoding, t->encoding)
	                    : either(t->encoding, encoding),
	        DEFAULT_ENCODING),
	    err));
	SLV_TRY(put_qos(m, here, qos, t->qos, err));
	if (m->version >= 7)
		SLV_TRY(put_text(m, here, "type_description_hash",
		    either(t->hash, hash), err));
	return slv_yaml_add_number(
	    &m->out, item, "message_count", t->messages, err);
}

/* The topics of the old file, while they are copied. */
struct copying {
	const struct slv_yaml *old;
	bool *taken; /* owned; of the topics that the files have */
	bool *put;   /* owned; of those, which are in the new file */
	bool exact;  /* the old file has no damaged names */
	bool whole;  /* ... and all its topics */
};

static const char *
name_in(const struct slv_yaml *y, size_t item)
{
	return text_of(field(y, slv_yaml_get(y, item, "topic_metadata"), "name",
	    SLV_YAML_SCALAR));
}

/* The only topic that nothing contradicts of what an item says, if it says
 * something; NULL: there is none. */
static const struct slv_bag_topic *
only_like(const struct slv_bag *b, const struct copying *c, size_t item)
{
	const struct slv_yaml *y = c->old;
	const char *type = text_of(field(y,
	    slv_yaml_get(y, item, "topic_metadata"), "type", SLV_YAML_SCALAR));
	uint64_t n;
	bool counted =
	    slv_yaml_number(y, slv_yaml_get(y, item, "message_count"), &n);
	const struct slv_bag_topic *like = NULL;

	if (*type == '\0' && !counted)
		return NULL;
	for (size_t k = 0; k < b->n_topics; k++) {
		const struct slv_bag_topic *t = &b->topics[k];

		if (c->taken[k] || (counted && n != t->messages)
		    || (*type != '\0' && strcmp(type, t->type) != 0))
			continue;
		if (like != NULL)
			return NULL;
		like = t;
	}
	return like;
}

/* The topic of an item; one whose name is damaged is the only one that it can
 * be. */
static const struct slv_bag_topic *
topic_of(const struct slv_bag *b, const struct copying *c, size_t item)
{
	const struct slv_bag_topic *t =
	    slv_bag_topic_named(b, name_in(c->old, item));

	return t != NULL || b->n_topics > LIKE_MOST ? t : only_like(b, c, item);
}

/* The items of the old file, in their order. */
static enum slv_status
copy_topics(struct making *m, struct copying *c, size_t from, size_t to,
    struct slv_err *err)
{
	struct slv_bag *b = m->b;
	const struct slv_bag_topic *t;

	/* What has its name is not another one's. */
	for (size_t i = from; i != SLV_YAML_NONE; i = c->old->at[i].next) {
		t = slv_bag_topic_named(b, name_in(c->old, i));
		if (t != NULL)
			c->taken[t - b->topics] = true;
	}
	for (size_t i = from; i != SLV_YAML_NONE; i = c->old->at[i].next) {
		const char *name = name_in(c->old, i);

		SLV_TRY(slv_bag_go_on(b, err));
		t = topic_of(b, c, i);
		if (t != NULL ? c->put[t - b->topics]
		              : *name == '\0' || !c->exact)
			continue;
		if (t != NULL)
			c->taken[t - b->topics] = c->put[t - b->topics] = true;
		SLV_TRY(put_topic(
		    m, to, t, slv_yaml_get(c->old, i, "topic_metadata"), err));
	}
	return SLV_OK;
}

/* The topics of the old file in its order, then those that it does not have. */
static enum slv_status
put_topics(struct making *m, struct slv_err *err)
{
	struct slv_bag *b = m->b;
	struct place old = field(
	    &b->yaml, b->root, "topics_with_message_count", SLV_YAML_LIST);
	struct copying c = {
		.old = &b->yaml,
		.taken = slv_calloc(b->n_topics + 1, sizeof(*c.taken)),
		.put = slv_calloc(b->n_topics + 1, sizeof(*c.put)),
		.exact = b->yaml.why[0] == '\0' && !b->renamed,
		.whole = old.yaml != NULL && !b->renamed
		    && !slv_bag_has(b, SLV_BAG_FIELD)
		    && !slv_bag_has(b, SLV_BAG_YAML),
	};
	enum slv_status st = c.taken != NULL && c.put != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_NOMEM, "out of memory");
	size_t list = SLV_YAML_NONE;

	if (st == SLV_OK)
		st = slv_yaml_add(&m->out, m->root, "topics_with_message_count",
		    SLV_YAML_LIST, NULL, &list, err);
	if (st == SLV_OK && old.yaml != NULL)
		st = copy_topics(
		    m, &c, slv_yaml_first(old.yaml, old.node), list, err);
	for (size_t k = 0; st == SLV_OK && k < b->n_topics; k++) {
		if (!c.taken[k] && (!c.whole || b->topics[k].messages > 0))
			st = put_topic(
			    m, list, &b->topics[k], SLV_YAML_NONE, err);
	}
	slv_free(c.taken);
	slv_free(c.put);
	return st;
}

static const char *
name_of(const struct slv_bag_file *f)
{
	const char *slash = f->output != NULL ? strrchr(f->output, '/') : NULL;

	return slash != NULL    ? slash + 1
	    : f->output != NULL ? f->output
	                        : f->name;
}

static enum slv_status
put_paths(struct making *m, struct slv_err *err)
{
	size_t list;

	SLV_TRY(slv_yaml_add(&m->out, m->root, "relative_file_paths",
	    SLV_YAML_LIST, NULL, &list, err));
	for (size_t i = 0; i < m->b->n_files; i++) {
		if (m->b->files[i].read)
			SLV_TRY(put_text(
			    m, list, NULL, name_of(&m->b->files[i]), err));
	}
	return SLV_OK;
}

static enum slv_status
put_files(struct making *m, struct slv_err *err)
{
	size_t list, here;

	SLV_TRY(slv_yaml_add(
	    &m->out, m->root, "files", SLV_YAML_LIST, NULL, &list, err));
	for (size_t i = 0; i < m->b->n_files; i++) {
		const struct slv_bag_file *f = &m->b->files[i];

		if (!f->read)
			continue;
		SLV_TRY(slv_yaml_add(
		    &m->out, list, NULL, SLV_YAML_MAP, NULL, &here, err));
		SLV_TRY(put_text(m, here, "path", name_of(f), err));
		SLV_TRY(put_start(m, here, &f->span, err));
		SLV_TRY(put_duration(m, here, &f->span, err));
		SLV_TRY(slv_yaml_add_number(
		    &m->out, here, "message_count", f->span.messages, err));
	}
	return SLV_OK;
}

/* Return true if the file is compressed as a whole, also after a repair. */
static bool
stays_packed(const struct slv_bag_file *f)
{
	return slv_bag_is_packed(f)
	    && (f->output == NULL || strcmp(f->output, f->path) == 0);
}

/* Of files that are compressed as a whole, and of messages that are. */
static enum slv_status
put_compression(struct making *m, struct slv_err *err)
{
	const char *mode =
	    text_of(known(m, "compression_mode", SLV_YAML_SCALAR));
	const char *format =
	    text_of(known(m, "compression_format", SLV_YAML_SCALAR));
	bool packed = false, stays = strcmp(mode, "MESSAGE") == 0;

	for (size_t i = 0; i < m->b->n_files; i++)
		packed |= m->b->files[i].read && stays_packed(&m->b->files[i]);
	if (packed)
		mode = "FILE";
	if (packed || stays)
		format = either(format, "zstd");
	SLV_TRY(put_text(m, m->root, "compression_format",
	    packed || stays ? format : "", err));
	return put_text(
	    m, m->root, "compression_mode", packed || stays ? mode : "", err);
}

static enum slv_status
put_custom(struct making *m, struct slv_err *err)
{
	static const char name[] = "custom_data";
	struct place p = known(m, name, SLV_YAML_MAP);
	bool valid = false;

	if (p.yaml != NULL)
		SLV_TRY(slv_bag_valid(
		    p.yaml, p.node, name, m->version, &valid, err));
	return valid
	    ? slv_yaml_copy(&m->out, m->root, name, p.yaml, p.node, err)
	    : put_text(m, m->root, name, NULL, err);
}

static enum slv_status
put_distro(struct making *m, struct slv_err *err)
{
	const char *files = either(
	    text_of(field(&m->b->noted, 0, "ros_distro", SLV_YAML_SCALAR)),
	    m->b->distro != NULL ? m->b->distro : "");

	return put_text(m, m->root, "ros_distro",
	    either(files, text_of(known(m, "ros_distro", SLV_YAML_SCALAR))),
	    err);
}

/* The least version that has all that the files say. */
static uint64_t
version_of(const struct slv_bag *b)
{
	uint64_t version = b->version;

	if (version >= SLV_BAG_OLDEST)
		return version;
	if (slv_yaml_number(
	        &b->noted, slv_yaml_get(&b->noted, 0, "version"), &version)
	    && version >= SLV_BAG_OLDEST && version <= SLV_BAG_NEWEST)
		return version;
	version = b->distro != NULL ? 8 : 5;
	for (size_t i = 0; i < b->n_topics; i++) {
		const struct slv_bag_topic *t = &b->topics[i];
		const char *history = strstr(t->qos, "history: ");

		/* Words were numbers before. */
		if (history != NULL && (history[9] < '0' || history[9] > '9'))
			return 9;
		if (*t->hash != '\0' && version < 7)
			version = 7;
	}
	return version;
}

static enum slv_status
make(struct making *m, struct slv_err *err)
{
	struct slv_bag *b = m->b;
	size_t top;

	SLV_TRY(slv_yaml_add(
	    &m->out, SLV_YAML_NONE, NULL, SLV_YAML_MAP, NULL, &top, err));
	SLV_TRY(slv_yaml_add(
	    &m->out, top, SLV_BAG_ROOT, SLV_YAML_MAP, NULL, &m->root, err));
	SLV_TRY(
	    slv_yaml_add_number(&m->out, m->root, "version", m->version, err));
	SLV_TRY(put_text(m, m->root, "storage_identifier", "mcap", err));
	if (m->version <= LIST_FIRST)
		SLV_TRY(put_paths(m, err));
	SLV_TRY(put_duration(m, m->root, &b->span, err));
	SLV_TRY(put_start(m, m->root, &b->span, err));
	SLV_TRY(slv_yaml_add_number(
	    &m->out, m->root, "message_count", b->span.messages, err));
	SLV_TRY(put_topics(m, err));
	SLV_TRY(put_compression(m, err));
	if (m->version > LIST_FIRST)
		SLV_TRY(put_paths(m, err));
	if (m->version >= 5)
		SLV_TRY(put_files(m, err));
	if (m->version >= 6)
		SLV_TRY(put_custom(m, err));
	return m->version >= 8 ? put_distro(m, err) : SLV_OK;
}

enum slv_status
slv_bag_make(
    struct slv_bag *b, struct slv_buf *out, bool *possible, struct slv_err *err)
{
	struct making m = { .b = b, .version = version_of(b) };
	bool moved = false;
	enum slv_status st;

	for (size_t i = 0; i < b->n_files; i++)
		moved |= slv_bag_is_packed(&b->files[i])
		    && !stays_packed(&b->files[i]);
	*possible = m.version <= SLV_BAG_NEWEST && b->span.messages > 0;
	*possible = *possible && !slv_bag_has(b, SLV_BAG_STORAGE);
	if (b->has_metadata && ((b->total == 0 && !moved) || !*possible)) {
		slv_buf_add(out, b->metadata.at, b->metadata.len);
		*possible |= b->total == 0;
		return out->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
		                   : SLV_OK;
	}
	st = make(&m, err);
	if (st == SLV_OK)
		slv_yaml_write(&m.out, out);
	if (st == SLV_OK && out->failed)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_yaml_free(&m.out);
	return st;
}
