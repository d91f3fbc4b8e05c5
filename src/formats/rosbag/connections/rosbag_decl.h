/* rosbag_decl.h - declarations of connections, of which two may say of one that
 * it is this and that.
 */
#ifndef SLV_FORMATS_ROSBAG_DECL_H
#define SLV_FORMATS_ROSBAG_DECL_H

#include "formats/rosbag/rosbag_state.h"

/* What speaks for the bytes of a declaration. */
enum rosbag_trust {
	ROSBAG_UNSURE,  /* they were decoded where nothing vouches for that */
	ROSBAG_AS_IS,   /* they stand in the file as they are */
	ROSBAG_DECODED, /* ... or in front of where a chunk is damaged */
	ROSBAG_PROVEN   /* the checksum of their chunk covers them */
};

/* Which number has the message that follows a declaration? */
enum rosbag_use {
	ROSBAG_USE_UNKNOWN, /* none follows that can be read */
	ROSBAG_USED,        /* the one that is declared */
	ROSBAG_UNUSED,      /* another */
};

/* A declaration that was met, and can be read. */
struct rosbag_decl {
	uint64_t off, len;   /* in the input */
	uint64_t hash;       /* of what it says, in any order */
	uint64_t type;       /* ... of its type and sum alone */
	uint64_t package;    /* ... of the package of its type */
	uint64_t topic, sum; /* ... of its topic, of its sum */
	size_t text;         /* in `texts`, where it is or says the same */
	uint32_t conn;
	uint32_t best; /* that holds against it; ROSBAG_NONE: none does */
	enum rosbag_trust trust;
	bool in_tail, packed;
	bool agrees;    /* its header and its data name one topic */
	bool confirmed; /* ... and both do name it */
	enum rosbag_use use;
	bool fits;      /* its sum is that of its definition */
	bool legal;     /* its names are as ROS allows names */
	bool undecided; /* nothing shows that `best` is better */
};

/* Whether it is a declaration against which another one holds. */
static inline bool
rosbag_entry_is_out(const struct rosbag *b, const struct rosbag_entry *e)
{
	return e->is_conn && e->next != ROSBAG_NONE
	    && b->decls[e->next].best != ROSBAG_NONE;
}

/* Whether they declare two connections, and damage does not explain it. */
bool rosbag_decl_differs(
    const struct rosbag_decl *, const struct rosbag_decl *);

/* Take a declaration, of which the caller knows the place, the trust and the
 * use: *conn is its connection, *full that there are too many of them. */
enum slv_status rosbag_decl_add(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, struct rosbag_decl, uint32_t *conn,
    bool *full, struct slv_err *);
/* When all are taken: find the one that is right of each connection that is
 * declared in several ways, and raise the others; and set those aside that are
 * in the file as they are. */
enum slv_status rosbag_decl_settle(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_choose(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
