/* layout.c - put a layout together, and check it. */
#include "core/layout/layout.h"

#include <stdlib.h>

#include "base/list.h"

static bool
is_name(struct slv_span name)
{
	for (size_t i = 0; i < name.len; i++) {
		uint8_t c = name.at[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
		        || (c >= '0' && c <= '9') || c == '_' || c == '-'
		        || c == '/'))
			return false;
	}
	return name.len > 0 && name.len <= SLV_LAYOUT_NAME;
}

enum slv_status
slv_layout_shape(struct slv_layout *l, struct slv_err *err)
{
	return SLV_ADD(l, shapes, err,
	    (struct slv_shape){ .first = (uint32_t)l->n_parts });
}

enum slv_status
slv_layout_add(struct slv_layout *l, struct slv_span name,
    const struct slv_member *part, bool *fits, struct slv_err *err)
{
	*fits = is_name(name) && l->n_parts < SLV_LAYOUT_PARTS
	    && part->count <= SLV_LAYOUT_COUNT;
	if (!*fits)
		return SLV_OK;
	SLV_TRY(SLV_ADD(l, parts, err, *part));
	l->parts[l->n_parts - 1].name = l->names.len;
	l->shapes[l->n_shapes - 1].n++;
	slv_buf_add(&l->names, name.at, name.len);
	slv_buf_add(&l->names, "", 1);
	return slv_buf_check(&l->names, err);
}

/* Find how many structs are in each other; false: there are too many, or there is a
 * loop. */
static bool
measure(struct slv_layout *l, const struct slv_member *p, unsigned above)
{
	struct slv_shape *s;

	if (p->type != SLV_VALUE_STRUCT)
		return true;
	if (p->shape >= l->n_shapes || above == SLV_LAYOUT_DEPTH)
		return false;
	s = &l->shapes[p->shape];
	/* A shape that is known is not entered again, so a loop ends at the
	 * depth above. */
	for (uint32_t i = 0; s->depth == 0 && i < s->n; i++) {
		if (!measure(l, &l->parts[s->first + i], above + 1))
			return false;
	}
	if (s->depth == 0) {
		s->depth = 1;
		for (uint32_t i = 0; i < s->n; i++) {
			const struct slv_member *in = &l->parts[s->first + i];
			uint8_t deep = in->type == SLV_VALUE_STRUCT
			    ? l->shapes[in->shape].depth + 1
			    : 1;

			s->depth = deep > s->depth ? deep : s->depth;
		}
	}
	return above + s->depth <= SLV_LAYOUT_DEPTH;
}

static int
compare_names(const void *p, const void *q)
{
	const char *const *a = p, *const *b = q;

	return strcmp(*a, *b);
}

/* Do the names of its parts differ? */
static enum slv_status
check_names(const struct slv_layout *l, const struct slv_shape *s, bool *good,
    struct slv_err *err)
{
	const char **names;

	SLV_TRY(slv_new(&names, s->n, sizeof(*names), err));
	for (uint32_t i = 0; i < s->n; i++)
		names[i] = slv_member_name(l, &l->parts[s->first + i]);
	slv_sort(names, s->n, sizeof(*names), compare_names);
	for (uint32_t i = 1; i < s->n; i++)
		*good &= strcmp(names[i - 1], names[i]) != 0;
	slv_free(names);
	return SLV_OK;
}

enum slv_status
slv_layout_settle(struct slv_layout *l, bool *good, struct slv_err *err)
{
	*good = measure(l, &l->root, 0);
	for (size_t i = 0; *good && i < l->n_shapes; i++)
		SLV_TRY(check_names(l, &l->shapes[i], good, err));
	return SLV_OK;
}

void
slv_layout_free(struct slv_layout *l)
{
	slv_free(l->parts);
	slv_free(l->shapes);
	slv_buf_free(&l->names);
	*l = (struct slv_layout){ .n_parts = 0 };
}
