/* layout_fields.c - a message of protobuf.
 *
 * Fields may come in any order, and values of a list apart from one another.  The parts
 * are visited in the order of their numbers, without a list of the fields: the message is
 * read again for each part, within a budget that counts packed numbers, too.
 *
 * If the description lacks a field, the walk over the payload fails: otherwise a visitor
 * would miss that field without notice.
 */
#include "base/fields.h"
#include "base/search.h"
#include "core/layout/layout_walk.h"

#define STEPS_EACH  64 /* fields that are read for a byte of the payload */
#define STEPS_FIRST ((uint64_t)1 << 16) /* ... and so many */
#define PACKED_STEP 16 /* bytes of packed numbers that count as a field */

struct walk {
	struct slv_walk *all;
	const struct slv_layout *layout;
	uint64_t steps; /* that are left */
};

/* The values of a part in a message. */
struct values {
	const struct slv_member *part; /* NULL: there are none */
	uint64_t n;
};

/* The kind of field that holds a single value of a part. */
static enum slv_field_kind
kind_of(const struct slv_member *p)
{
	if (p->type == SLV_VALUE_STRUCT || p->type == SLV_VALUE_TEXT32
	    || p->type == SLV_VALUE_BYTE)
		return SLV_FIELD_BYTES;
	if (p->coding != SLV_CODED_FIXED)
		return SLV_FIELD_VARINT;
	return slv_value_sizes[p->type] == 8 ? SLV_FIELD_64 : SLV_FIELD_32;
}

/* Are several values of the part in the field? */
static bool
is_packed(const struct slv_member *p, const struct slv_field *f)
{
	return p->many != SLV_MANY_ONE && f->kind == SLV_FIELD_BYTES
	    && kind_of(p) != SLV_FIELD_BYTES;
}

/* The part of a message with that number; NULL: there is none. */
static const struct slv_member *
find(const struct slv_layout *l, const struct slv_shape *s, uint64_t number)
{
	struct slv_search f = { .low = s->first, .high = s->first + s->n };

	while (slv_search(&f))
		slv_search_on(&f, l->parts[f.mid].number < number);
	return f.low < s->first + s->n && l->parts[f.low].number == number
	    ? &l->parts[f.low]
	    : NULL;
}

/* Count the values of the part in the field; false: the field cannot be of this part, or
 * the budget is spent. */
static bool
count_in(struct walk *w, const struct slv_member *p, const struct slv_field *f,
    uint64_t *n)
{
	size_t size = slv_value_sizes[p->type];

	*n = 1;
	if (!is_packed(p, f))
		return f->kind == kind_of(p);
	*n = 0;
	if (p->coding == SLV_CODED_FIXED) {
		*n = f->content.len / size;
		return f->content.len % size == 0;
	}
	if (f->content.len / PACKED_STEP > w->steps)
		return false;
	w->steps -= f->content.len / PACKED_STEP;
	for (size_t i = 0; i < f->content.len; i++)
		*n += f->content.at[i] < 0x80;
	return f->content.len == 0 || f->content.at[f->content.len - 1] < 0x80;
}

/* Take the next field of a message. */
static bool
step(struct walk *w, struct slv_span *s, struct slv_field *f)
{
	if (w->steps == 0)
		return false;
	w->steps--;
	return slv_field_take(s, f);
}

/* Find the part with the lowest number after `after`, and count its values. */
static bool
next_part(struct walk *w, const struct slv_shape *shape, struct slv_span s,
    uint64_t after, struct values *out)
{
	struct slv_field f;
	uint64_t n;

	*out = (struct values){ NULL, 0 };
	while (s.len > 0) {
		const struct slv_member *p;

		if (!step(w, &s, &f))
			return false;
		p = find(w->layout, shape, f.number);
		if (p == NULL)
			return false;
		if (p->number <= after
		    || (out->part != NULL && p->number > out->part->number))
			continue;
		/* Each field is counted when its part is the lowest. */
		if (!count_in(w, p, &f, &n))
			return false;
		if (p != out->part)
			*out = (struct values){ p, 0 };
		out->n += n;
	}
	return true;
}

/* A varint can hold 64 bits; false: the value is too large for its type. */
static bool
fits(enum slv_value_type type, uint64_t v)
{
	if (type == SLV_VALUE_U32)
		return v <= UINT32_MAX;
	if (type == SLV_VALUE_I32)
		return (int64_t)v >= INT32_MIN && (int64_t)v <= INT32_MAX;
	return true;
}

/* Visit a number that is written as a varint. */
static bool
visit_varint(
    struct walk *w, const struct slv_member *p, const char *name, uint64_t v)
{
	struct slv_value value;

	if (p->coding == SLV_CODED_ZIGZAG)
		v = v >> 1 ^ -(v & 1);
	if (!fits(p->type, v) || !slv_walk_spend(w->all, name))
		return false;
	value = slv_walk_number(p->type, v);
	w->all->visitor->value(w->all->ctx, name, &value);
	return true;
}

static bool
visit_fixed(struct walk *w, const struct slv_member *p, const char *name,
    const uint8_t *at)
{
	struct slv_value value;

	if (!slv_walk_spend(w->all, name))
		return false;
	value = slv_walk_number(p->type,
	    slv_value_sizes[p->type] == 8 ? slv_get_le64(at)
	                                  : slv_get_le32(at));
	w->all->visitor->value(w->all->ctx, name, &value);
	return true;
}

static bool walk_message(
    struct walk *, const struct slv_shape *, struct slv_span, const char *name);

static bool
walk_value(struct walk *w, const struct slv_member *p, const char *name,
    const struct slv_field *f)
{
	if (f->kind == SLV_FIELD_VARINT)
		return visit_varint(w, p, name, f->value);
	if (f->kind != SLV_FIELD_BYTES)
		return visit_fixed(w, p, name, f->content.at);
	if (p->type == SLV_VALUE_STRUCT)
		return walk_message(
		    w, &w->layout->shapes[p->shape], f->content, name);
	if (!slv_walk_spend(w->all, name))
		return false;
	slv_walk_visit(w->all, name, p->type, f->content);
	return true;
}

static bool
walk_packed(struct walk *w, const struct slv_member *p, struct slv_span content)
{
	size_t size = slv_value_sizes[p->type];
	uint64_t v;

	while (content.len > 0) {
		if (p->coding != SLV_CODED_FIXED) {
			if (!slv_varint_take(&content, &v)
			    || !visit_varint(w, p, NULL, v))
				return false;
			continue;
		}
		if (!visit_fixed(w, p, NULL, content.at))
			return false;
		content.at += size;
		content.len -= size;
	}
	return true;
}

/* All values of a part that the message has. */
static bool
walk_part(struct walk *w, const struct values *v, struct slv_span s)
{
	const char *name = slv_member_name(w->layout, v->part);
	bool list = v->part->many != SLV_MANY_ONE;
	struct slv_field f;

	/* A part that is no list has one value: of two, one would be lost. */
	if (!list && v->n != 1)
		return false;
	if (list) {
		if (!slv_walk_spend(w->all, name))
			return false;
		w->all->visitor->open(w->all->ctx, name, true, v->n);
	}
	while (s.len > 0) {
		if (!step(w, &s, &f))
			return false;
		if (f.number != v->part->number)
			continue;
		if (!(is_packed(v->part, &f)
		            ? walk_packed(w, v->part, f.content)
		            : walk_value(w, v->part, list ? NULL : name, &f)))
			return false;
	}
	if (list)
		w->all->visitor->close(w->all->ctx, true);
	return true;
}

static bool
walk_message(struct walk *w, const struct slv_shape *shape, struct slv_span s,
    const char *name)
{
	struct values next = { NULL, 0 };
	uint64_t after = 0;

	if (!slv_walk_spend(w->all, name))
		return false;
	w->all->visitor->open(w->all->ctx, name, false, shape->n);
	for (;; after = next.part->number) {
		if (!next_part(w, shape, s, after, &next))
			return false;
		if (next.part == NULL)
			break;
		if (!walk_part(w, &next, s))
			return false;
	}
	w->all->visitor->close(w->all->ctx, false);
	return true;
}

bool
slv_walk_fields(
    struct slv_walk *all, const struct slv_layout *l, struct slv_span payload)
{
	struct walk w = {
		.all = all,
		.layout = l,
		.steps = STEPS_FIRST + STEPS_EACH * (uint64_t)payload.len,
	};

	return walk_message(&w, &l->shapes[l->root.shape], payload, NULL);
}
