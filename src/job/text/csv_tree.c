/* csv_tree.c - measure payloads, and number the columns. */
#include "job/text/csv_tree.h"

#include <stdlib.h>

#include "base/list.h"
#include "job/text/csv_place.h"

/* A walk over a payload that is measured. */
struct measure {
	struct slv_csv_tree *tree;
	struct slv_csv_place place;
	struct slv_err *err;
};

/* Add a child to a node; 0: it gets none. */
static uint32_t
add(struct measure *m, uint32_t to, const char *name)
{
	struct slv_csv_tree *t = m->tree;
	struct slv_csv_node *parent = &t->nodes[to];
	uint32_t at = (uint32_t)t->n_nodes;

	if (parent->is_list && !slv_csv_is_rows(t, &m->place)
	    && (parent->n == SLV_CSV_LIST || t->n_nodes >= SLV_CSV_NODES)) {
		parent->more = true;
		return 0;
	}
	if (SLV_ADD(t, nodes, m->err, (struct slv_csv_node){ .name = name })
	    != SLV_OK)
		return 0;
	parent = &t->nodes[to];
	if (parent->last != 0)
		t->nodes[parent->last].next = at;
	else
		parent->child = at;
	parent->last = at;
	parent->n++;
	return at;
}

/* The place of what is met; 0: it has none. */
static uint32_t
enter(struct measure *m, const char *name)
{
	struct slv_csv_place *p = &m->place;
	uint32_t in = p->frames[p->n - 1].node, at;

	if (in == 0 || m->err->code != SLV_OK)
		return 0;
	at = slv_csv_next(m->tree, p);
	if (at == 0)
		at = add(m, in, name);
	if (at != 0)
		p->frames[p->n - 1].at = at;
	return at;
}

static void
open_node(void *ctx, const char *name, bool is_list, uint64_t n)
{
	struct measure *m = ctx;
	uint32_t at = enter(m, name);
	struct slv_csv_node *node = &m->tree->nodes[at];

	m->place.frames[m->place.n++] = (struct slv_csv_frame){ .node = at };
	if (at == 0)
		return;
	node->is_list = is_list;
	node->is_struct = !is_list;
	if (m->place.n == 2)
		m->tree->rows = is_list;
	node->least = node->met ? slv_min64(node->least, n) : n;
	node->most = slv_max64(node->most, n);
	node->met = true;
}

static void
close_node(void *ctx, bool is_list)
{
	struct measure *m = ctx;

	(void)is_list;
	m->place.n--;
}

static void
take_value(void *ctx, const char *name, const struct slv_value *v)
{
	(void)v;
	(void)enter(ctx, name);
}

enum slv_status
slv_csv_measure(struct slv_csv_tree *t, const struct slv_layout *layout,
    struct slv_span payload, bool *fits, struct slv_err *err)
{
	static const struct slv_visitor visitor = {
		.open = open_node,
		.close = close_node,
		.value = take_value,
	};
	struct measure m = {
		.tree = t,
		.place = { .frames = { { .node = SLV_CSV_ROOT } }, .n = 1 },
		.err = err,
	};

	/* The first one is no place, the second one what a payload is in. */
	while (t->n_nodes <= SLV_CSV_ROOT)
		SLV_TRY(SLV_ADD(
		    t, nodes, err, (struct slv_csv_node){ .is_struct = true }));
	*fits = slv_layout_walk(layout, payload, &visitor, &m);
	return err->code;
}

/* Number the columns of a node, which is called that. */
static void
number(struct slv_csv_tree *t, uint32_t at, struct slv_buf *path,
    struct slv_buf *names)
{
	struct slv_csv_node *node = &t->nodes[at];
	size_t len = path->len;
	uint64_t i = 0;

	node->column = node->rest = UINT32_MAX;
	if (!node->is_list && !node->is_struct) {
		node->column = t->columns++;
		slv_buf_text(names, ",");
		slv_buf_add(names, path->at, path->len);
	} else if (node->is_list && node->least != node->most) {
		node->column = t->columns++;
		slv_buf_text(names, ",");
		slv_buf_add(names, path->at, path->len);
		slv_buf_text(names, ".length");
	}
	for (uint32_t c = node->child; c != 0; c = t->nodes[c].next, i++) {
		if (node->is_list)
			slv_buf_printf(path, ".%llu", (unsigned long long)i);
		else
			slv_buf_printf(path, ".%s", t->nodes[c].name);
		number(t, c, path, names);
		path->len = len;
	}
	if (!node->more)
		return;
	node->rest = t->columns++;
	slv_buf_text(names, ",");
	slv_buf_add(names, path->at, path->len);
	slv_buf_text(names, ".rest");
}

void
slv_csv_number(struct slv_csv_tree *t, struct slv_buf *names)
{
	struct slv_buf path = { 0 };
	uint32_t top = t->n_nodes > 0 ? t->nodes[SLV_CSV_ROOT].child : 0;

	t->columns = 0;
	if (top == 0)
		return;
	slv_buf_text(&path, "data");
	if (t->rows) {
		t->columns++;
		slv_buf_text(names, ",index");
		t->nodes[top].column = 0;
		top = t->nodes[top].child;
	}
	if (top != 0)
		number(t, top, &path, names);
	names->failed |= path.failed;
	slv_buf_free(&path);
}

void
slv_csv_tree_free(struct slv_csv_tree *t)
{
	slv_free(t->nodes);
}
