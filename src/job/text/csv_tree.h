/* csv_tree.h - the columns of a file of comma-separated values.
 *
 * Payloads of a channel have lists of different lengths.  So all of them are measured
 * before the first one is written: the tree has a place for every value that was met,
 * but only for the first SLV_CSV_LIST ones of a list.  The others of a list are JSON in
 * one cell.
 */
#ifndef SLV_JOB_CSV_TREE_H
#define SLV_JOB_CSV_TREE_H

#include "core/layout/layout.h"

#define SLV_CSV_LIST  64   /* columns of a list */
#define SLV_CSV_NODES 1024 /* places; from there on no list becomes longer */

/* A value, a struct or a list.  Positions are in the tree; 0: none. */
struct slv_csv_node {
	const char *name; /* borrowed from the layout; NULL: in a list */
	uint32_t child, last, next, n;
	bool is_list, is_struct;
	bool met;             /* a list: its lengths are set */
	bool more;            /* a list: it has more than n values somewhere */
	uint64_t least, most; /* a list: its lengths */
	uint32_t column;      /* of a value; of the length of a list */
	uint32_t rest;        /* column of what else is in a list */
};

struct slv_csv_tree {
	struct slv_csv_node *nodes; /* owned */
	size_t n_nodes, cap_nodes;
	uint32_t columns; /* once it is numbered */
	bool rows;        /* a payload is a list, with a row for each value */
};

/* Add the places of a payload; *fits = false: it is not laid out like that. */
enum slv_status slv_csv_measure(struct slv_csv_tree *,
    const struct slv_layout *, struct slv_span payload, bool *fits,
    struct slv_err *);

/* Number the columns, and append their names with a comma before each. */
void slv_csv_number(struct slv_csv_tree *, struct slv_buf *names);

/* Append the rows of a payload that was measured: what a row begins with, its
 * columns, and what it ends with.  false: the payload does not fit the layout, and
 * nothing was appended. */
bool slv_csv_rows(const struct slv_csv_tree *, const struct slv_layout *,
    struct slv_span payload, const struct slv_buf *head, const char *tail,
    struct slv_buf *);

void slv_csv_tree_free(struct slv_csv_tree *);

#endif
