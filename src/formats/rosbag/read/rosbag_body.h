/* rosbag_body.h - what a chunk holds: its records, and, if it is compressed,
 * what can be recovered of them.
 *
 * A damaged stream leaves pieces.  The records in a piece, and the index after
 * the chunk, show whether it is right.
 */
#ifndef SLV_FORMATS_ROSBAG_BODY_H
#define SLV_FORMATS_ROSBAG_BODY_H

#include "core/scan/scan.h"
#include "formats/rosbag/read/rosbag_record.h"
#include "support/streams.h"

struct rosbag;

#define ROSBAG_NONE UINT32_MAX

/* A record in the data of a chunk: a message, or a connection, with time 0. */
struct rosbag_entry {
	uint64_t at; /* offset in the input; in a compressed chunk, in its
		      * content */
	uint32_t len;
	uint32_t conn; /* index of the connection */
	struct rosbag_time time;
	uint32_t next; /* next one of the same connection in the chunk;
		        * ROSBAG_NONE.  Of a connection its index among
		        * declarations */
	bool is_conn;
};

struct rosbag_entries {
	struct rosbag_entry *at; /* owned */
	size_t n, cap;
};

/* What compressed data hold, as far as it is known. */
struct rosbag_part {
	uint64_t in, in_end; /* in the input */
	size_t from, upto;   /* entries */
	uint64_t messages;   /* messages among these */
	bool torn;           /* something is missing after them */
	bool sure;           /* they are kept, whatever the caller asks for */
	bool unsure;         /* a byte of them may be wrong: their compressed
			      * data contradict themselves */
};

/* What the index after them names. */
struct rosbag_names {
	struct rosbag_named *at; /* owned; by offset */
	size_t n, cap;
	uint32_t *conns; /* owned; the connections in it, sorted */
	size_t n_conns, cap_conns;
};

/* What the header of a chunk says about its data. */
struct rosbag_claim {
	uint32_t len;  /* bytes in the file */
	uint32_t size; /* ... not compressed */
};

struct rosbag_body {
	uint64_t off; /* offset of the compressed data in the input */
	enum slv_codec_kind codec;
	uint32_t expect; /* expected bytes; 0: not known */
	uint64_t limit;  /* end of the compressed bytes that were read */
	bool claimed;    /* set if a header states: */
	struct rosbag_claim claim;
	struct slv_decode decode;
	struct rosbag_entries entries;
	struct rosbag_part *parts; /* owned */
	size_t n_parts, cap_parts;
	struct rosbag_entries sorted; /* decoded before anything unconfirmed */
	struct rosbag_names names;    /* for damaged ones */
	bool whole;        /* complete, and records from end to end */
	size_t unsure;     /* messages that the index contradicts */
	bool doubtful;     /* it and its index contradict each other, and either
			 * may be wrong */
	bool corrected;    /* some decoded bytes were corrected */
	uint64_t messages; /* messages among the entries */
	uint64_t unverified; /* left out: one of their bytes is wrong, position
			      * unknown */
};

/* rosbag_cached.c - the content of the compressed data at off; borrowed until
 * the next call. */
enum slv_status rosbag_body_at(const struct slv_scan *, uint64_t off,
    const struct rosbag_claim *, enum slv_codec_kind,
    const struct rosbag_body **, struct slv_err *);
/* Decode it again, in the same way: everything that [off, limit) holds. */
enum slv_status rosbag_body_again(const struct slv_scan *, uint64_t off,
    uint64_t limit, uint32_t size, enum slv_codec_kind,
    const struct rosbag_body **, struct slv_err *);
/* Make this body, which came from one of them, the state's `torn`: the damaged
 * stream whose parts follow. */
enum slv_status rosbag_body_tear(
    struct slv_scan *, const struct rosbag_body *, struct slv_err *);
/* The part of that stream that begins at off, NULL: none; and the next part in
 * [from, to) other than the stream's first, to: none. */
const struct rosbag_part *rosbag_part_at(const struct rosbag *, uint64_t off);
uint64_t rosbag_part_next(const struct rosbag *, uint64_t from, uint64_t to);

/* rosbag_body.c - decode the stream and read it.  The body is empty. */
enum slv_status rosbag_body_decode(const struct slv_scan *,
    struct rosbag_body *, const struct slv_stored *, struct slv_err *);
/* The n bytes at `at` of its content, where an earlier reading found them.
 *
 * SLV_E_ACTIVE: it holds less now */
enum slv_status rosbag_body_bytes(const struct slv_scan *,
    const struct rosbag_body *, uint64_t at, uint64_t n, const uint8_t **,
    struct slv_err *);
/* Return true if the part is unconfirmed and follows other parts. */
bool rosbag_part_tells(const struct rosbag_body *, const struct rosbag_part *);
/* The finding to raise for such a part. */
unsigned rosbag_part_problem(const struct rosbag_body *);
void rosbag_body_free(struct rosbag_body *);
/* Add a decoded record, unless it is one of the sorted ones. */
enum slv_status rosbag_body_add(struct rosbag_body *, uint64_t at,
    const struct rosbag_record *, struct slv_err *);

/* rosbag_again.c - sort the records before the unconfirmed parts; and return true if the
 * decoded message at a place is one of them. */
enum slv_status rosbag_body_sort(
    const struct slv_scan *, struct rosbag_body *, struct slv_err *);
bool rosbag_body_has(
    const struct rosbag_body *, uint64_t at, const struct rosbag_record *);

/* rosbag_named.c - read the records of an index from off on, unless they name
 * more than max messages. */
enum slv_status rosbag_names_read(const struct slv_scan *, uint64_t off,
    size_t max, struct rosbag_names *, struct slv_err *);
void rosbag_names_free(struct rosbag_names *);
/* Return true if the index names a message of the connection. */
bool rosbag_names_tell(const struct rosbag_names *, uint32_t conn);
/* What the index says about a message at an offset. */
enum rosbag_opinion { ROSBAG_NAMED, ROSBAG_NAMED_OTHERWISE, ROSBAG_NOT_NAMED };
enum rosbag_opinion rosbag_names_opinion(
    const struct rosbag_names *, uint64_t offset, const struct rosbag_record *);
/* Return true if the index is of this piece of a body.  And add the messages that it names
 * in the piece, from a place in the decoded bytes on; *end: after the last one. */
bool rosbag_names_hold(struct rosbag_body *, const struct slv_decoded_piece *);
enum slv_status rosbag_names_follow(struct rosbag_body *,
    const struct slv_decoded_piece *, size_t from, size_t *end,
    struct slv_err *);

/* rosbag_unsummed.c - compare a whole body that no checksum confirms with the
 * index that follows it, and correct times and connections in the body. */
enum slv_status rosbag_body_compare(
    const struct slv_scan *, struct rosbag_body *, struct slv_err *);

#endif
