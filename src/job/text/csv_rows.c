/* csv_rows.c - write payloads as rows; csv_tree.c has found their columns. */
#include "base/text/number.h"
#include "job/text/csv_cell.h"
#include "job/text/csv_place.h"
#include "job/text/csv_tree.h"
#include "job/text/ndjson.h"

/* Rows while they are written. */
struct rows {
	const struct slv_csv_tree *tree;
	struct slv_csv_place place;
	const struct slv_buf *head;
	const char *tail;
	struct slv_buf *out;
	bool begun;       /* a row has begun */
	uint32_t column;  /* the next one */
	uint64_t n;       /* rows */
	unsigned in_rest; /* the frame of the list that is JSON; 0: none is */
	struct slv_buf json; /* owned */
};

static void
begin_row(struct rows *r)
{
	if (r->begun)
		return;
	r->begun = true;
	r->column = 0;
	slv_buf_add(r->out, r->head->at, r->head->len);
}

/* Go to a column. */
static void
go_to(struct rows *r, uint32_t column)
{
	begin_row(r);
	for (; r->column < column; r->column++)
		slv_buf_add(r->out, ",", 1);
}

/* Begin a cell. */
static void
begin_cell(struct rows *r, uint32_t column)
{
	go_to(r, column + 1);
}

static void
end_row(struct rows *r)
{
	go_to(r, r->tree->columns);
	slv_buf_text(r->out, r->tail);
	slv_buf_text(r->out, "\n");
	r->begun = false;
	r->n++;
}

/* Go to the node of the tree for the next part of the payload; 0: the tree has none, so
 * the part is written as JSON. */
static uint32_t
enter(struct rows *r)
{
	struct slv_csv_place *p = &r->place;
	uint32_t at;

	if (r->in_rest > 0)
		return 0;
	at = slv_csv_next(r->tree, p);
	if (at != 0) {
		p->frames[p->n - 1].at = at;
		if (slv_csv_is_rows(r->tree, p)) {
			begin_cell(r, 0);
			slv_number_u64(r->out, r->n);
		}
		return at;
	}
	r->in_rest = p->n;
	r->json.len = 0;
	slv_buf_text(&r->json, "[");
	return 0;
}

/* After a part of the payload: end its row, if it has one. */
static void
leave(struct rows *r)
{
	if (slv_csv_is_rows(r->tree, &r->place))
		end_row(r);
}

static void
open_node(void *ctx, const char *name, bool is_list, uint64_t n)
{
	struct rows *r = ctx;
	uint32_t at = enter(r);
	const struct slv_csv_node *node = &r->tree->nodes[at];

	r->place.frames[r->place.n++] = (struct slv_csv_frame){ .node = at };
	if (at == 0) {
		slv_ndjson_visitor.open(&r->json, name, is_list, n);
		return;
	}
	if (is_list && node->column != UINT32_MAX
	    && !slv_csv_is_rows(r->tree, &r->place)) {
		begin_cell(r, node->column);
		slv_number_u64(r->out, n);
	}
}

static void
close_node(void *ctx, bool is_list)
{
	struct rows *r = ctx;
	const struct slv_csv_node *node =
	    &r->tree->nodes[r->place.frames[r->place.n - 1].node];

	if (r->in_rest == r->place.n) {
		slv_buf_text(&r->json, "]");
		begin_cell(r, node->rest);
		slv_csv_text(
		    r->out, (struct slv_span){ r->json.at, r->json.len });
		r->in_rest = 0;
	} else if (r->in_rest > 0) {
		slv_ndjson_visitor.close(&r->json, is_list);
	}
	r->place.n--;
	if (r->in_rest == 0)
		leave(r);
}

static void
put_value(void *ctx, const char *name, const struct slv_value *v)
{
	struct rows *r = ctx;
	uint32_t at = enter(r);

	if (at == 0) {
		slv_ndjson_visitor.value(&r->json, name, v);
		return;
	}
	begin_cell(r, r->tree->nodes[at].column);
	slv_csv_value(r->out, v);
	leave(r);
}

bool
slv_csv_rows(const struct slv_csv_tree *t, const struct slv_layout *layout,
    struct slv_span payload, const struct slv_buf *head, const char *tail,
    struct slv_buf *out)
{
	static const struct slv_visitor visitor = {
		.open = open_node,
		.close = close_node,
		.value = put_value,
	};
	struct rows r = {
		.tree = t,
		.place = { .frames = { { .node = SLV_CSV_ROOT } }, .n = 1 },
		.head = head,
		.tail = tail,
		.out = out,
	};
	size_t begun = out->len;
	bool good = slv_layout_walk(layout, payload, &visitor, &r);

	/* A payload without values has a row without values. */
	if (good && (!t->rows || r.n == 0))
		end_row(&r);
	if (!good)
		out->len = begun;
	out->failed |= r.json.failed;
	slv_buf_free(&r.json);
	return good;
}
