/* yaml.h - a YAML text as a tree, and a tree as a text.
 *
 * libyaml reads; what is written has the form of yaml-cpp, which ROS 2 writes
 * with.  A tree is bounded in size and depth whatever the text says, and has no
 * aliases, tags or directives: ROS 2 writes none.
 */
#ifndef SLV_BATCH_YAML_H
#define SLV_BATCH_YAML_H

#include <signal.h>

#include "base/buf.h"

#define SLV_YAML_MOST  ((size_t)16 << 20) /* bytes of a text */
#define SLV_YAML_NODES ((size_t)1 << 18)
#define SLV_YAML_KEYS  1024 /* of a map: they are searched one by one */
#define SLV_YAML_DEPTH 16
#define SLV_YAML_NONE  SIZE_MAX

enum slv_yaml_kind {
	SLV_YAML_SCALAR,
	SLV_YAML_LIST,
	SLV_YAML_MAP,
};

struct slv_yaml_node {
	enum slv_yaml_kind kind;
	bool plain;               /* a scalar without quotes */
	char *key;                /* owned; of an entry of a map; else NULL */
	char *text;               /* owned; of a scalar; else NULL */
	size_t first, last, next; /* positions of nodes; SLV_YAML_NONE */
};

/* Starts as { 0 }, or with ->cancel alone.  Node 0, if there is one, is the root. */
struct slv_yaml {
	struct slv_yaml_node *at; /* owned */
	size_t n, cap;

	/* Why the text is not one such document; "": it is.  The tree has what
	 * precedes the damage. */
	char why[96];
	uint64_t line; /* ... and where, from 1 on */

	const volatile sig_atomic_t *cancel; /* borrowed; NULL: cannot be
	                                      * cancelled */
};

/* Read a text.  SLV_E_NOMEM, SLV_E_CANCELLED; damage is no failure. */
enum slv_status slv_yaml_read(
    struct slv_yaml *, const void *text, size_t len, struct slv_err *);

/* The entry of a map; SLV_YAML_NONE: there is none, or `of` is none. */
size_t slv_yaml_get(const struct slv_yaml *, size_t of, const char *key);

/* The first entry or item; the others follow by ->next. */
size_t slv_yaml_first(const struct slv_yaml *, size_t of);

/* How many entries or items it has; of a scalar or none 0. */
size_t slv_yaml_count(const struct slv_yaml *, size_t of);

/* What a scalar says, borrowed from the tree; NULL: it is none, or null. */
const char *slv_yaml_text(const struct slv_yaml *, size_t node);

/* Return true if it is a decimal number. */
bool slv_yaml_number(const struct slv_yaml *, size_t node, uint64_t *out);

/* Return true if it is `~`, or another plain word for null. */
bool slv_yaml_is_null(const struct slv_yaml *, size_t node);

/* Return true if both say the same, whatever the order of entries in maps. */
bool slv_yaml_equal(const struct slv_yaml *, size_t node,
    const struct slv_yaml *other, size_t other_node);

/* Append a node to a map, or with key NULL to a list or as the root.
 *
 *   into  position of the map or list; SLV_YAML_NONE: the root
 *   text  of a scalar; NULL with SLV_YAML_SCALAR: null
 *   *out  its position; may be NULL */
enum slv_status slv_yaml_add(struct slv_yaml *, size_t into, const char *key,
    enum slv_yaml_kind, const char *text, size_t *out, struct slv_err *);
enum slv_status slv_yaml_add_number(struct slv_yaml *, size_t into,
    const char *key, uint64_t, struct slv_err *);

/* Append a copy of a node of another tree and of all below it. */
enum slv_status slv_yaml_copy(struct slv_yaml *, size_t into, const char *key,
    const struct slv_yaml *from, size_t node, struct slv_err *);

/* yaml_write.c - append the tree as yaml-cpp writes it. */
void slv_yaml_write(const struct slv_yaml *, struct slv_buf *);

void slv_yaml_free(struct slv_yaml *);

#endif
