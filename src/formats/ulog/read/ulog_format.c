/* ulog_format.c - formats and subscriptions: found by name and number, and how
 * long messages are by them.
 *
 * A format may hold others, which may be declared after it.
 */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"
#include "support/memory.h"

#define DEPTH_MAX  16                  /* formats in formats */
#define EFFORT_MAX ((uint64_t)1 << 26) /* names compared for sizes */
#define PADDING    "_padding"

static struct slv_span
text_of(const struct ulog *m, const struct ulog_format *f)
{
	return ulog_text(m, f->text, f->len);
}

struct ulog_format *
ulog_format_find(const struct ulog *m, struct slv_span name)
{
	for (size_t i = 0; i < m->n_formats; i++) {
		struct ulog_format *f = &m->formats[i];

		if (f->name_len == name.len
		    && memcmp(m->texts.at + f->text, name.at, name.len) == 0)
			return f;
	}
	return NULL;
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

/* A new format can complete the subscriptions of unknown size, and
 * replaces what was lent. */
static void
resolve_all(struct ulog *m)
{
	for (size_t i = 0; i < m->n_subs; i++) {
		struct ulog_sub *sub = &m->subs[i];

		if (sub->n == 0 || !sub->usable)
			ulog_sub_resolve(m, sub);
	}
}

enum slv_status
ulog_format_add(struct slv_scan *s, struct slv_span text, bool lent,
    bool *added, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	struct ulog_format *f;
	struct slv_span name, fields;

	*added = false;
	if (!ulog_format_split(text, &name, &fields))
		return SLV_OK;
	f = ulog_format_find(m, name);
	if ((f != NULL && !f->lent)
	    || (f == NULL && m->n_formats == ULOG_FORMATS_MAX))
		return SLV_OK;
	if (f == NULL) {
		SLV_TRY(SLV_ADD(m, formats, err, (struct ulog_format){ 0 }));
		f = &m->formats[m->n_formats - 1];
	}
	SLV_TRY(add_text(s, text, &f->text, err));
	f->len = (uint32_t)text.len;
	f->name_len = (uint32_t)name.len;
	f->lent = lent;
	*added = true;
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

/* What a format amounts to. */
struct extent {
	uint64_t size;
	uint64_t padding;   /* bytes of padding at its end */
	uint64_t stamp;     /* offset of the field that is looked for, + 1 */
	const char *wanted; /* its name */
};

static bool
is_field(const struct ulog_field *f, const char *name)
{
	return f->name.len == strlen(name)
	    && memcmp(f->name.at, name, f->name.len) == 0;
}

/* False: a format in it is unknown, or there is no end. */
static bool
measure(struct ulog *m, struct slv_span text, int depth, struct extent *out)
{
	struct slv_span name, rest;
	struct ulog_field f;

	if (depth == DEPTH_MAX || !ulog_format_split(text, &name, &rest))
		return false;
	while (ulog_field_next(&rest, &f)) {
		struct extent in = { .size = f.element };
		bool padding = f.name.len > sizeof(PADDING) - 1
		    && memcmp(f.name.at, PADDING, sizeof(PADDING) - 1) == 0;

		m->effort += 1 + (f.element == 0 ? m->n_formats : 0);
		if (m->effort > EFFORT_MAX)
			return false;
		if (f.element == 0) {
			const struct ulog_format *inner =
			    ulog_format_find(m, f.type);

			if (inner == NULL
			    || !measure(m, text_of(m, inner), depth + 1, &in))
				return false;
		}
		if (out->wanted != NULL && f.element == 8
		    && is_field(&f, out->wanted))
			out->stamp = out->size + 1;
		in.size *= f.count;
		out->size += in.size;
		out->padding = padding ? out->padding + in.size : 0;
		if (out->size > UINT16_MAX)
			return false;
	}
	return true;
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
	struct extent x = { .wanted = "timestamp" };
	const struct ulog_format *f =
	    ulog_format_find(m, ulog_text(m, sub->name, sub->name_len));

	sub->sizes[0] = sub->sizes[1] = 0;
	sub->usable = false;
	m->effort += m->n_formats;
	if (f == NULL || !measure(m, text_of(m, f), 0, &x))
		return;
	sub->sizes[0] = (uint32_t)x.size + 2;
	sub->sizes[1] = (uint32_t)(x.size - x.padding) + 2;
	sub->stamp = x.stamp > 0 ? (uint32_t)x.stamp + 1 : 0;
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

uint32_t
ulog_field_at(struct ulog *m, struct slv_span format, const char *field)
{
	struct extent x = { .wanted = field };
	const struct ulog_format *f = ulog_format_find(m, format);

	return f != NULL && measure(m, text_of(m, f), 0, &x) ? (uint32_t)x.stamp
	                                                     : 0;
}
