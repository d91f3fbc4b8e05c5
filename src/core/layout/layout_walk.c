/* layout_walk.c - read a payload by its layout. */
#include "core/layout/layout_walk.h"

#include <string.h>

#define TEXT_EACH  64 /* bytes of text for a byte that is read */
#define TEXT_FIRST ((uint64_t)1 << 13) /* ... and so many */
#define TEXT_LEAST 8                   /* of a value, a struct or a list */
#define CDR_HEAD   4
#define CDR_PAD    3 /* zeros that writers may append */

/* A walk over values that follow one another. */
struct walk {
	struct slv_walk all;
	const struct slv_layout *layout;
	struct slv_span left; /* of the payload */
	const uint8_t *start; /* values are aligned from here on; NULL: they
			       * are not */
	size_t most;          /* bytes; larger values are aligned like that */
	bool big;             /* numbers are big-endian */
	bool headed; /* lists of structs and texts say how long they are */
};

const uint8_t slv_value_sizes[SLV_VALUE_TYPES] = {
	[SLV_VALUE_BOOL] = 1,
	[SLV_VALUE_U8] = 1,
	[SLV_VALUE_U16] = 2,
	[SLV_VALUE_U32] = 4,
	[SLV_VALUE_U64] = 8,
	[SLV_VALUE_I8] = 1,
	[SLV_VALUE_I16] = 2,
	[SLV_VALUE_I32] = 4,
	[SLV_VALUE_I64] = 8,
	[SLV_VALUE_F32] = 4,
	[SLV_VALUE_F64] = 8,
	[SLV_VALUE_CHAR] = 1,
	[SLV_VALUE_BYTE] = 1,
};

/* The next n bytes; false: there are not so many. */
static bool
take(struct walk *w, uint64_t n, struct slv_span *out)
{
	if (n > w->left.len)
		return false;
	*out = (struct slv_span){ w->left.at, (size_t)n };
	w->left.at += n;
	w->left.len -= (size_t)n;
	return true;
}

/* Pass over what aligns a value of that size. */
static bool
align(struct walk *w, size_t size)
{
	struct slv_span pad;

	return w->start == NULL
	    || take(w,
	        -(size_t)(w->left.at - w->start)
	            % (size < w->most ? size : w->most),
	        &pad);
}

bool
slv_walk_spend(struct slv_walk *w, const char *name)
{
	uint64_t n = TEXT_LEAST + (name != NULL ? strlen(name) : 0);

	if (n > w->budget)
		return false;
	w->budget -= n;
	return true;
}

static uint64_t
bits_of(const struct walk *w, const uint8_t *p, size_t size)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < size; i++)
		bits |= (uint64_t)p[w->big ? size - 1 - i : i] << 8 * i;
	return bits;
}

/* A length of 2 or 4 bytes. */
static bool
take_length(struct walk *w, size_t size, uint64_t *n)
{
	struct slv_span s;

	if (!align(w, size) || !take(w, size, &s))
		return false;
	*n = bits_of(w, s.at, size);
	return true;
}

struct slv_value
slv_walk_number(enum slv_value_type type, uint64_t bits)
{
	struct slv_value v = { .type = SLV_VALUE_U64, .u = bits };
	uint32_t half;

	switch (type) {
	case SLV_VALUE_BOOL:
		/* Nothing is altered: 2 is neither. */
		v.type = v.u <= 1 ? SLV_VALUE_BOOL : SLV_VALUE_U64;
		break;
	case SLV_VALUE_I8:
		v = (struct slv_value){ SLV_VALUE_I64, .i = (int8_t)v.u };
		break;
	case SLV_VALUE_I16:
		v = (struct slv_value){ SLV_VALUE_I64, .i = (int16_t)v.u };
		break;
	case SLV_VALUE_I32:
		v = (struct slv_value){ SLV_VALUE_I64, .i = (int32_t)v.u };
		break;
	case SLV_VALUE_I64: v.type = SLV_VALUE_I64; break;
	case SLV_VALUE_F32:
		v.type = SLV_VALUE_F32;
		half = (uint32_t)v.u;
		memcpy(&v.f32, &half, sizeof(half));
		break;
	case SLV_VALUE_F64: v.type = SLV_VALUE_F64; break;
	default: break;
	}
	return v;
}

void
slv_walk_visit(struct slv_walk *w, const char *name, enum slv_value_type type,
    struct slv_span s)
{
	struct slv_value v = { .type = type, .bytes = s };
	const uint8_t *nul;

	if (type == SLV_VALUE_CHAR) {
		nul = s.len > 0 ? memchr(s.at, '\0', s.len) : NULL;
		v.bytes.len = nul != NULL ? (size_t)(nul - s.at) : s.len;
		v.type = SLV_VALUE_TEXT32;
	}
	w->visitor->value(w->ctx, name, &v);
}

static bool walk_part(
    struct walk *, const struct slv_member *, const char *name);

static bool
walk_struct(struct walk *w, const struct slv_shape *s, const char *name)
{
	const struct slv_layout *l = w->layout;

	w->all.visitor->open(w->all.ctx, name, false, s->n);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct slv_member *p = &l->parts[s->first + i];

		if (!walk_part(w, p, slv_member_name(l, p)))
			return false;
	}
	w->all.visitor->close(w->all.ctx, false);
	return true;
}

/* Some writers count nothing for an empty text. */
static bool
cut_nul(struct slv_span *s)
{
	if (s->len == 0)
		return true;
	s->len--;
	return s->at[s->len] == '\0';
}

static bool
walk_one(struct walk *w, const struct slv_member *p, const char *name)
{
	struct slv_span s;
	struct slv_value v;
	uint64_t n;

	if (!slv_walk_spend(&w->all, name))
		return false;
	if (p->type == SLV_VALUE_STRUCT)
		return walk_struct(w, &w->layout->shapes[p->shape], name);
	if (slv_value_sizes[p->type] == 0) {
		if (!take_length(w, p->type == SLV_VALUE_TEXT16 ? 2 : 4, &n)
		    || !take(w, n, &s)
		    || (p->type == SLV_VALUE_TEXT0 && !cut_nul(&s)))
			return false;
		slv_walk_visit(&w->all, name, SLV_VALUE_TEXT32, s);
		return true;
	}
	if (!align(w, slv_value_sizes[p->type])
	    || !take(w, slv_value_sizes[p->type], &s))
		return false;
	if (p->type == SLV_VALUE_CHAR || p->type == SLV_VALUE_BYTE) {
		slv_walk_visit(&w->all, name, p->type, s);
		return true;
	}
	v = slv_walk_number(
	    p->type, bits_of(w, s.at, slv_value_sizes[p->type]));
	w->all.visitor->value(w->all.ctx, name, &v);
	return true;
}

static bool
walk_list(
    struct walk *w, const struct slv_member *p, const char *name, uint64_t n)
{
	/* Most of them are longer than a byte, and none is shorter than a bit of
	 * the budget. */
	if (!slv_walk_spend(&w->all, name) || n > SLV_LAYOUT_COUNT
	    || (slv_value_sizes[p->type] > 0
	        && n > w->left.len / slv_value_sizes[p->type]))
		return false;
	w->all.visitor->open(w->all.ctx, name, true, n);
	for (uint64_t i = 0; i < n; i++) {
		if (!walk_one(w, p, NULL))
			return false;
	}
	w->all.visitor->close(w->all.ctx, true);
	return true;
}

/* All that is left: values, or lists of so many. */
static bool
walk_rest(struct walk *w, const struct slv_member *p, const char *name)
{
	size_t each = slv_value_sizes[p->type] * (p->count > 1 ? p->count : 1);
	uint64_t n;

	if (each == 0 || w->left.len % each != 0)
		return false;
	n = w->left.len / each;
	if (p->count <= 1)
		return walk_list(w, p, name, n);
	if (!slv_walk_spend(&w->all, name))
		return false;
	w->all.visitor->open(w->all.ctx, name, true, n);
	for (uint64_t i = 0; i < n; i++) {
		if (!walk_list(w, p, NULL, p->count))
			return false;
	}
	w->all.visitor->close(w->all.ctx, true);
	return true;
}

/* How many values a part has, other than all that is left. */
static bool
take_count(struct walk *w, const struct slv_member *p, uint64_t *n)
{
	*n = p->count;
	if (p->many == SLV_MANY_FIXED)
		return true;
	return take_length(w, p->many == SLV_MANY_COUNTED16 ? 2 : 4, n);
}

/* A list after the number of its bytes, which must be right. */
static bool
walk_headed(struct walk *w, const struct slv_member *p, const char *name)
{
	size_t after;
	uint64_t n;

	if (!take_length(w, 4, &n) || n > w->left.len)
		return false;
	after = w->left.len - (size_t)n;
	return take_count(w, p, &n) && walk_list(w, p, name, n)
	    && w->left.len == after;
}

static bool
walk_part(struct walk *w, const struct slv_member *p, const char *name)
{
	struct slv_span s;
	uint64_t n;

	/* It takes time, too: a log may describe as much padding as it likes. */
	if (p->hidden)
		return slv_walk_spend(&w->all, NULL)
		    && (w->left.len == 0
		        || take(w,
		            (uint64_t)slv_value_sizes[p->type]
		                * (p->many == SLV_MANY_ONE ? 1 : p->count),
		            &s));
	if (p->many == SLV_MANY_ONE)
		return walk_one(w, p, name);
	if (p->many == SLV_MANY_REST)
		return walk_rest(w, p, name);
	if (w->headed && slv_value_sizes[p->type] == 0)
		return walk_headed(w, p, name);
	if (!take_count(w, p, &n))
		return false;
	if (p->type != SLV_VALUE_CHAR && p->type != SLV_VALUE_BYTE)
		return walk_list(w, p, name, n);
	if (!slv_walk_spend(&w->all, name) || !take(w, n, &s))
		return false;
	slv_walk_visit(&w->all, name, p->type, s);
	return true;
}

/* CDR, which ROS 2 writes, and XCDR2, both in either order of bytes.  XCDR2 has other
 * kinds, for types that may grow: what a definition of ROS says is not enough there. */
static bool
begin_cdr(struct walk *w)
{
	enum { CDR_BIG, CDR_LITTLE, XCDR2_BIG = 6, XCDR2_LITTLE };
	struct slv_span head;
	uint8_t kind;

	if (!take(w, CDR_HEAD, &head) || head.at[0] != 0)
		return false;
	kind = head.at[1];
	w->big = kind == CDR_BIG || kind == XCDR2_BIG;
	w->headed = kind == XCDR2_BIG || kind == XCDR2_LITTLE;
	w->most = w->headed ? 4 : 8;
	w->start = w->left.at;
	return w->big || w->headed || kind == CDR_LITTLE;
}

static bool
is_padding(struct slv_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] != 0)
			return false;
	}
	return s.len <= CDR_PAD;
}

bool
slv_layout_walk(const struct slv_layout *l, struct slv_span payload,
    const struct slv_visitor *visitor, void *ctx)
{
	struct walk w = {
		.all = {
			.budget = TEXT_FIRST + TEXT_EACH * (uint64_t)payload.len,
			.visitor = visitor,
			.ctx = ctx,
		},
		.layout = l,
		.left = payload,
	};

	if (l->wire == SLV_WIRE_PROTOBUF)
		return slv_walk_fields(&w.all, l, payload);
	if (l->wire == SLV_WIRE_CDR && !begin_cdr(&w))
		return false;
	return walk_part(&w, &l->root, NULL)
	    && (l->wire == SLV_WIRE_CDR ? is_padding(w.left) : w.left.len == 0);
}
