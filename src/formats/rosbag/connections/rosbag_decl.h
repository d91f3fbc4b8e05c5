/* rosbag_decl.h - declarations of connections, two of which may conflict. */
#ifndef SLV_FORMATS_ROSBAG_DECL_H
#define SLV_FORMATS_ROSBAG_DECL_H

#include "formats/rosbag/rosbag_state.h"

/* Evidence for the bytes of a declaration. */
enum rosbag_trust {
	ROSBAG_UNSURE,  /* they were decoded, without any confirmation */
	ROSBAG_AS_IS,   /* they are in the file uncompressed */
	ROSBAG_DECODED, /* ... or before the damage in a chunk */
	ROSBAG_PROVEN   /* the checksum of their chunk covers them */
};

/* Does the message after a declaration have its number? */
enum rosbag_use {
	ROSBAG_USE_UNKNOWN, /* no readable message follows */
	ROSBAG_USED,        /* it has */
	ROSBAG_UNUSED,      /* it has another one */
};

/* A readable declaration. */
struct rosbag_decl {
	uint64_t off, len;   /* in the input */
	uint64_t hash;       /* of its fields, in any order */
	uint64_t type;       /* ... of its type and sum alone */
	uint64_t package;    /* ... of the package of its type */
	uint64_t topic, sum; /* ... of its topic, of its sum */
	size_t text;         /* in `texts`, for itself or for an equal one */
	uint32_t conn;
	uint32_t best; /* the better declaration; ROSBAG_NONE: none */
	enum rosbag_trust trust;
	bool in_tail, packed;
	bool agrees;    /* its header and its data have the same topic */
	bool confirmed; /* ... and both state it */
	enum rosbag_use use;
	bool fits;      /* its sum matches its definition */
	bool legal;     /* its names are valid in ROS */
	bool undecided; /* nothing shows that `best` is better */
};

/* Return true if another declaration is better than this one. */
static inline bool
rosbag_entry_is_out(const struct rosbag *b, const struct rosbag_entry *e)
{
	return e->is_conn && e->next != ROSBAG_NONE
	    && b->decls[e->next].best != ROSBAG_NONE;
}

/* Return true if they declare two connections, and damage does not explain
 * that. */
bool rosbag_decl_differs(
    const struct rosbag_decl *, const struct rosbag_decl *);

/* Add a declaration; the caller knows its place, trust and use.  *conn is its
 * connection, *full: there are too many. */
enum slv_status rosbag_decl_add(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, struct rosbag_decl, uint32_t *conn,
    bool *full, struct slv_err *);
/* After the last one: find the right declaration of each connection that has
 * several, raise the others, and exclude those that are in the file
 * uncompressed.  What is left out for another reason counts no more, so that other
 * ones can be right after that. */
enum slv_status rosbag_decl_settle(struct slv_scan *, struct slv_err *);
/* Count as unsure the messages of connections that nothing decides about. */
enum slv_status rosbag_decl_doubt(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_choose(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

#endif
