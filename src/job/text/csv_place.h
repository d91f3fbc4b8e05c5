/* csv_place.h - follow a walk over a payload through the tree of its columns. */
#ifndef SLV_JOB_CSV_PLACE_H
#define SLV_JOB_CSV_PLACE_H

#include "job/text/csv_tree.h"

#define SLV_CSV_ROOT  1                          /* what a payload is in */
#define SLV_CSV_DEPTH (3 * SLV_LAYOUT_DEPTH + 8) /* structs and lists */

/* A struct or a list that the walk is in. */
struct slv_csv_frame {
	uint32_t node; /* 0: it has no place */
	uint32_t at;   /* the last child that was met; 0: none */
};

struct slv_csv_place {
	struct slv_csv_frame frames[SLV_CSV_DEPTH];
	unsigned n; /* frames */
};

/* The list of all values, each with a row of its own? */
static inline bool
slv_csv_is_rows(const struct slv_csv_tree *t, const struct slv_csv_place *p)
{
	return t->rows && p->n == 2;
}

/* The place of the next thing in the frame, if the tree has one; 0: it has not. */
static inline uint32_t
slv_csv_next(const struct slv_csv_tree *t, const struct slv_csv_place *p)
{
	const struct slv_csv_frame *f = &p->frames[p->n - 1];

	if (f->at == 0 || slv_csv_is_rows(t, p))
		return t->nodes[f->node].child;
	return t->nodes[f->at].next;
}

#endif
