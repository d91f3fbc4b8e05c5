/* ulog_format.c - formats and subscriptions: found by name and number, and how
 * long messages are by them.
 *
 * A format may hold others, which may be declared after it.  What a format amounts to
 * is worked out once, and again only if one that it waits for is added: a log may
 * declare thousands of formats after as many subscriptions.
 */
#include "base/fnv.h"
#include "base/list.h"
#include "formats/ulog/ulog_state.h"
#include "support/memory.h"

#define DEPTH_MAX  16                  /* formats in formats */
#define EFFORT_MAX ((uint64_t)1 << 24) /* fields that are measured */
#define PADDING    "_padding"

static struct slv_span
text_of(const struct ulog *m, const struct ulog_format *f)
{
	return ulog_text(m, f->text, f->len);
}

/* In the order of lengths, and then of bytes: a hash could be attacked. */
static int
compare_name(
    const struct ulog *m, const struct ulog_format *f, struct slv_span name)
{
	if (f->name_len != name.len)
		return f->name_len < name.len ? -1 : 1;
	return memcmp(m->texts.at + f->text, name.at, name.len);
}

/* The place of a name in the list by names, or where it would be. */
static size_t
place_of(const struct ulog *m, struct slv_span name)
{
	struct slv_search f = { .high = m->n_by_name };

	while (slv_search(&f))
		slv_search_on(&f,
		    compare_name(m, &m->formats[m->by_name[f.mid]], name) < 0);
	return f.low;
}

struct ulog_format *
ulog_format_find(const struct ulog *m, struct slv_span name)
{
	size_t i = place_of(m, name);

	return i < m->n_by_name
	        && compare_name(m, &m->formats[m->by_name[i]], name) == 0
	    ? &m->formats[m->by_name[i]]
	    : NULL;
}

static enum slv_status
add_text(
    struct slv_scan *s, struct slv_span text, size_t *at, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	uint64_t sum = m->texts.len;

	SLV_TRY(slv_memory_take(s, &sum, text.len, "formats", err));
	*at = m->texts.len;
	slv_buf_add(&m->texts, text.at, text.len);
	return slv_buf_check(&m->texts, err);
}

static uint32_t
hash_of(struct slv_span name)
{
	return (uint32_t)slv_fnv(SLV_FNV, name.at, name.len);
}

/* A format can complete, or correct, the subscriptions of its name. */
static void
resolve_named(struct ulog *m, struct slv_span name)
{
	uint32_t hash = hash_of(name);

	for (size_t i = 0; i < m->n_hashes; i++) {
		struct ulog_sub *sub = &m->subs[i];

		if (m->hashes[i] == hash && (sub->n == 0 || !sub->usable))
			ulog_sub_resolve(m, sub);
	}
}

/* Work out again what waited for the format that was added, and what holds that. */
static void
resolve_waiting(struct ulog *m, struct slv_span name)
{
	uint32_t hash = hash_of(name);

	resolve_named(m, name);
	for (size_t i = 0; i < m->n_formats; i++) {
		struct ulog_format *f = &m->formats[i];

		if (f->state == ULOG_WAITS && f->missing == hash)
			f->state = ULOG_UNMEASURED;
	}
	for (size_t i = 0; i < m->n_formats; i++) {
		struct ulog_format *f = &m->formats[i];

		if (f->missing != hash)
			continue;
		resolve_named(m, ulog_text(m, f->text, f->name_len));
		if (f->state != ULOG_WAITS)
			f->missing = 0;
	}
}

/* A format replaces one that was lent. */
static void
resolve_all(struct ulog *m)
{
	for (size_t i = 0; i < m->n_formats; i++)
		m->formats[i].state = ULOG_UNMEASURED;
	for (size_t i = 0; i < m->n_subs; i++) {
		struct ulog_sub *sub = &m->subs[i];

		if (sub->n == 0 || !sub->usable)
			ulog_sub_resolve(m, sub);
	}
}

/* A format of a new name. */
static enum slv_status
add_format(struct ulog *m, struct slv_span name, struct ulog_format **out,
    struct slv_err *err)
{
	size_t i = place_of(m, name);

	SLV_TRY(SLV_ROOM(m, by_name, 1, err));
	SLV_TRY(SLV_ADD(m, formats, err, (struct ulog_format){ 0 }));
	memmove(m->by_name + i + 1, m->by_name + i,
	    (m->n_by_name++ - i) * sizeof(*m->by_name));
	m->by_name[i] = (uint32_t)m->n_formats - 1;
	*out = &m->formats[m->n_formats - 1];
	return SLV_OK;
}

enum slv_status
ulog_format_add(struct slv_scan *s, struct slv_span text, bool lent,
    bool *added, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct ulog_format *f;
	struct slv_span name, fields;
	size_t at;
	bool new;

	*added = false;
	if (!ulog_format_split(text, &name, &fields))
		return SLV_OK;
	f = ulog_format_find(m, name);
	new = f == NULL;
	if (new ? m->n_formats == ULOG_FORMATS_MAX : !f->lent)
		return SLV_OK;
	SLV_TRY(add_text(s, text, &at, err));
	if (new)
		SLV_TRY(add_format(m, name, &f, err));
	f->text = at;
	f->len = (uint32_t)text.len;
	f->name_len = (uint32_t)name.len;
	f->lent = lent;
	*added = true;
	if (new)
		resolve_waiting(m, ulog_text(m, at, name.len));
	else
		resolve_all(m);
	return SLV_OK;
}

enum slv_status
ulog_sub_get(
    struct slv_scan *s, uint16_t id, struct ulog_sub **out, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	if (m->by_id == NULL)
		SLV_TRY(slv_new(&m->by_id, 65536, sizeof(*m->by_id), err));
	*out = ulog_sub_of(m, id);
	if (*out != NULL)
		return SLV_OK;
	SLV_TRY(SLV_ADD(m, hashes, err, 0));
	SLV_TRY(SLV_ADD(m, subs, err, (struct ulog_sub){ .id = id }));
	m->by_id[id] = (uint32_t)m->n_subs;
	*out = &m->subs[m->n_subs - 1];
	return SLV_OK;
}

enum slv_status
ulog_sub_name(struct slv_scan *s, struct ulog_sub *sub, struct slv_span name,
    struct slv_err *err)
{
	sub->name_len = (uint32_t)name.len;
	return add_text(s, name, &sub->name, err);
}

/* Is it the name of the field with the time, in which one bit may be wrong? */
static bool
is_stamp(struct slv_span name)
{
	static const char want[] = "timestamp";
	int bits = 0;

	if (name.len != sizeof(want) - 1)
		return false;
	for (size_t i = 0; i < name.len; i++)
		bits += __builtin_popcount(name.at[i] ^ (uint8_t)want[i]);
	return bits <= 1;
}

static bool
is_padding(const struct ulog_field *f)
{
	return f->name.len > sizeof(PADDING) - 1
	    && memcmp(f->name.at, PADDING, sizeof(PADDING) - 1) == 0;
}

static enum ulog_known measure(struct ulog *, struct ulog_format *, int depth);

/* Add a field to what is known of the format. */
static enum ulog_known
add_field(struct ulog *m, struct ulog_format *f, const struct ulog_field *field,
    int depth)
{
	uint64_t size = field->element;

	if (field->element == 0) {
		struct ulog_format *inner = ulog_format_find(m, field->type);
		enum ulog_known known = ULOG_WAITS;

		f->missing = hash_of(field->type);
		if (inner != NULL) {
			known = measure(m, inner, depth + 1);
			f->missing = inner->missing;
		}
		if (known != ULOG_MEASURED)
			return known;
		size = inner->size;
		f->height = (uint8_t)slv_max64(f->height, inner->height + 1u);
	}
	if (field->element == 8 && field->count > 0 && is_stamp(field->name))
		f->stamp = f->size + 1;
	size *= field->count;
	if (size > UINT16_MAX - f->size)
		return ULOG_ENDLESS;
	f->padding = is_padding(field) ? f->padding + (uint32_t)size : 0;
	f->size += (uint32_t)size;
	return ULOG_MEASURED;
}

/* Work out what a format amounts to.  ULOG_UNMEASURED: formats are in formats too
 * deeply, from so deep on. */
static enum ulog_known
measure(struct ulog *m, struct ulog_format *f, int depth)
{
	struct slv_span name, rest;
	struct ulog_field field;
	enum ulog_known known = ULOG_MEASURED;

	if (f->state == ULOG_UNMEASURED) {
		f->state = ULOG_ENDLESS; /* if it is in itself */
		f->size = f->padding = f->stamp = 0;
		f->height = 0;
		(void)ulog_format_split(text_of(m, f), &name, &rest);
		while (known == ULOG_MEASURED && depth < DEPTH_MAX
		    && ulog_field_next(&rest, &field))
			known = m->effort++ < EFFORT_MAX
			    ? add_field(m, f, &field, depth)
			    : ULOG_ENDLESS;
		f->state = depth < DEPTH_MAX ? known : ULOG_UNMEASURED;
	}
	return f->state == ULOG_MEASURED && depth + f->height >= DEPTH_MAX
	    ? ULOG_UNMEASURED
	    : f->state;
}

bool
ulog_sub_fits(const struct ulog_sub *sub, uint32_t size)
{
	return sub->sizes[0] > 0
	    && (size == sub->sizes[0] || size == sub->sizes[1]);
}

void
ulog_sub_resolve(struct ulog *m, struct ulog_sub *sub)
{
	struct slv_span name = ulog_text(m, sub->name, sub->name_len);
	struct ulog_format *f = ulog_format_find(m, name);

	m->hashes[m->by_id[sub->id] - 1] = hash_of(name);
	sub->sizes[0] = sub->sizes[1] = 0;
	sub->usable = false;
	if (f == NULL || measure(m, f, 0) != ULOG_MEASURED)
		return;
	sub->sizes[0] = f->size + 2;
	sub->sizes[1] = f->size - f->padding + 2;
	sub->stamp = f->stamp > 0 ? f->stamp + 1 : 0;
	sub->odd = sub->size > 0 && !ulog_sub_fits(sub, sub->size);
	sub->usable = !sub->odd;
}

/* Mark a format and those in it as needed. */
static void
need(struct ulog *m, struct slv_span of, int depth)
{
	struct ulog_format *at = ulog_format_find(m, of);
	struct slv_span name, rest;
	struct ulog_field f;

	if (at == NULL || at->used || depth == DEPTH_MAX)
		return;
	at->used = true;
	(void)ulog_format_split(text_of(m, at), &name, &rest);
	while (ulog_field_next(&rest, &f)) {
		if (f.element == 0)
			need(m, f.type, depth + 1);
	}
}

void
ulog_sub_need(struct ulog *m, const struct ulog_sub *sub)
{
	need(m, ulog_text(m, sub->name, sub->name_len), 0);
}
