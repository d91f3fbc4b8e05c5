/* rosbag_body.h - what a chunk holds: the records in it, and where it is
 * compressed what can be had of them.
 *
 * Of a damaged stream pieces are left.  Whether a piece is right the records in
 * it tell, and what the index behind the chunk names.
 */
#ifndef SLV_FORMATS_ROSBAG_BODY_H
#define SLV_FORMATS_ROSBAG_BODY_H

#include "core/scan/scan.h"
#include "formats/rosbag/read/rosbag_record.h"
#include "support/streams.h"

struct rosbag;

#define ROSBAG_NONE UINT32_MAX

/* A record in the data of a chunk: a message, or a connection, whose time is
 * 0. */
struct rosbag_entry {
	uint64_t at; /* in the input; of a compressed chunk in what it holds */
	uint32_t len;
	uint32_t conn; /* position in the list of connections */
	struct rosbag_time time;
	uint32_t next; /* of the same connection in the chunk; ROSBAG_NONE.  Of
	                * a connection its place in the list of declarations */
	bool is_conn;
};

struct rosbag_entries {
	struct rosbag_entry *at; /* owned */
	size_t n, cap;
};

/* What compressed data hold, as far as can be told. */
struct rosbag_part {
	uint64_t in, in_end; /* in the input */
	size_t from, upto;   /* entries */
	uint64_t messages;   /* among these */
	bool torn;           /* something is missing behind them */
	bool sure;           /* they are kept, whatever the caller wants */
	bool unsure;         /* a byte of them may be wrong: what they were
	                      * decoded from contradicts itself */
};

/* What the index behind them names. */
struct rosbag_names {
	struct rosbag_named *at; /* owned; by offset */
	size_t n, cap;
	uint32_t *conns; /* owned; of which it tells, sorted */
	size_t n_conns, cap_conns;
};

/* What the header of a chunk says of its data. */
struct rosbag_claim {
	uint32_t len;  /* bytes in the file */
	uint32_t size; /* ... not compressed */
};

struct rosbag_body {
	uint64_t off; /* where the compressed data begin in the input */
	enum slv_codec_kind codec;
	uint32_t expect; /* bytes that it should hold; 0: not known */
	uint64_t limit;  /* and how far they were read */
	bool claimed;    /* as this header says: */
	struct rosbag_claim claim;
	struct slv_decode decode;
	struct rosbag_entries entries;
	struct rosbag_part *parts; /* owned */
	size_t n_parts, cap_parts;
	struct rosbag_entries sorted; /* what was decoded before anything that
	                               * nothing vouches for */
	struct rosbag_names names;    /* of damaged ones */
	bool whole;     /* all of it, and records from end to end */
	size_t unsure;  /* messages that the index contradicts */
	bool doubtful;  /* its index contradicts it, and either may be wrong */
	bool corrected; /* what was decoded is not all as it is stored */
	uint64_t messages;   /* among the entries */
	uint64_t unverified; /* left out: a byte of them is wrong somewhere */
};

/* rosbag_cached.c - what the compressed data at off hold; borrowed until the
 * next call. */
enum slv_status rosbag_body_at(const struct slv_scan *, uint64_t off,
    const struct rosbag_claim *, enum slv_codec_kind,
    const struct rosbag_body **, struct slv_err *);
/* Decode it again, as it was: all that [off, limit) holds. */
enum slv_status rosbag_body_again(const struct slv_scan *, uint64_t off,
    uint64_t limit, uint32_t size, enum slv_codec_kind,
    const struct rosbag_body **, struct slv_err *);
/* This body, which one of them gave, is the damaged one of which parts follow:
 * it is the state's `torn` now. */
enum slv_status rosbag_body_tear(
    struct slv_scan *, const struct rosbag_body *, struct slv_err *);
/* The part of that stream that begins at off, NULL: none; and where the next one
 * begins in [from, to) that is not where the stream itself does, to: none. */
const struct rosbag_part *rosbag_part_at(const struct rosbag *, uint64_t off);
uint64_t rosbag_part_next(const struct rosbag *, uint64_t from, uint64_t to);

/* rosbag_body.c - decode the stream and read it.  The body is empty. */
enum slv_status rosbag_body_decode(const struct slv_scan *,
    struct rosbag_body *, const struct slv_stored *, struct slv_err *);
/* The n bytes at `at` of what it holds, where an earlier reading found them.
 *
 * SLV_E_ACTIVE: it holds less now */
enum slv_status rosbag_body_bytes(const struct slv_scan *,
    const struct rosbag_body *, uint64_t at, uint64_t n, const uint8_t **,
    struct slv_err *);
/* Whether it is one that nothing vouches for, behind others. */
bool rosbag_part_tells(const struct rosbag_body *, const struct rosbag_part *);
/* The row about such a part. */
unsigned rosbag_part_problem(const struct rosbag_body *);
void rosbag_body_free(struct rosbag_body *);
/* Put a record down that was decoded, unless it is one of those sorted. */
enum slv_status rosbag_body_add(struct rosbag_body *, uint64_t at,
    const struct rosbag_record *, struct slv_err *);

/* rosbag_again.c - before what nothing vouches for: sort what was put down; and
 * whether the message at a place of what was decoded is among that. */
enum slv_status rosbag_body_sort(struct rosbag_body *, struct slv_err *);
bool rosbag_body_has(
    const struct rosbag_body *, uint64_t at, const struct rosbag_record *);

/* rosbag_named.c - read the records of an index from off on, unless they name
 * more than max messages. */
enum slv_status rosbag_names_read(const struct slv_scan *, uint64_t off,
    size_t max, struct rosbag_names *, struct slv_err *);
void rosbag_names_free(struct rosbag_names *);
/* Whether they name a message of the connection. */
bool rosbag_names_tell(const struct rosbag_names *, uint32_t conn);
/* What they say of a message at an offset. */
enum rosbag_opinion { ROSBAG_NAMED, ROSBAG_NAMED_OTHERWISE, ROSBAG_NOT_NAMED };
enum rosbag_opinion rosbag_names_opinion(
    const struct rosbag_names *, uint64_t offset, const struct rosbag_record *);
/* Whether they are about this piece of a body; put the messages down that they
 * name in it, from a place of what was decoded on.  *end: behind the last. */
bool rosbag_names_hold(struct rosbag_body *, const struct slv_piece *);
enum slv_status rosbag_names_follow(struct rosbag_body *,
    const struct slv_piece *, size_t from, size_t *end, struct slv_err *);

/* rosbag_unsummed.c - compare a whole body that no checksum confirms with the
 * index that follows it, and correct the times and connections that are wrong
 * in the body. */
enum slv_status rosbag_body_compare(
    const struct slv_scan *, struct rosbag_body *, struct slv_err *);

#endif
