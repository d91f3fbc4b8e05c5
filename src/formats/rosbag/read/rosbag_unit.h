/* rosbag_unit.h - the kinds of units in a bag, and what a unit passes from
 * unit() to accept().
 */
#ifndef SLV_FORMATS_ROSBAG_UNIT_H
#define SLV_FORMATS_ROSBAG_UNIT_H

#include <string.h>

#include "formats/rosbag/rosbag_state.h"

/* What a unit is.  An ordinary record has its op as its tag. */
enum rosbag_tag {
	ROSBAG_TAG_RECORD, /* one of unknown op */
	ROSBAG_TAG_MAGIC = ROSBAG_OPS,
	ROSBAG_TAG_PACKED, /* a whole compressed chunk */
	ROSBAG_TAG_REST,   /* a later part of a damaged one */
	ROSBAG_TAG_PROVEN, /* in a proof: a chunk copied as it was */
	ROSBAG_TAG_CIPHER, /* an encrypted chunk */
	ROSBAG_TAG_SPOILT, /* a damaged connection */
	ROSBAG_TAG_SECRET, /* an encrypted connection at the end */
	ROSBAG_TAGS
};
extern const char *const rosbag_kinds[ROSBAG_TAGS];

/* A compressed chunk. */
struct rosbag_packed {
	uint64_t data;
	struct rosbag_claim claim;
	enum slv_codec_kind codec;
	bool headed;
};
_Static_assert(
    sizeof(struct rosbag_packed) <= sizeof(((struct slv_unit *)0)->priv),
    "a unit's private part holds ours");

static inline struct rosbag_packed
rosbag_packed_get(const struct slv_unit *u)
{
	struct rosbag_packed k;

	memcpy(&k, u->priv, sizeof(k));
	return k;
}

/* rosbag_packed.c - the unit of a compressed chunk; its header may be lost. */
enum slv_status rosbag_packed_unit(const struct slv_scan *, uint64_t off,
    const struct rosbag_packed *, struct slv_unit *, struct slv_err *);

/* rosbag_cipher.c - in an encrypted bag: the unit at off, with a record (NULL:
 * none) that is not part of its indexes; and where to search for one. */
enum slv_status rosbag_cipher_unit(const struct slv_scan *, uint64_t off,
    const struct rosbag_record *, struct slv_unit *, struct slv_err *);
enum slv_status rosbag_cipher_mark(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);
enum slv_status rosbag_cipher_chunk(
    struct slv_scan *, uint64_t off, struct slv_err *);
enum slv_status rosbag_secret_accept(
    struct slv_scan *, uint64_t off, uint64_t len, struct slv_err *);
/* Add what an index of the open chunk, len bytes, names; *same = false: it
 * cannot be true.  *full: too many connections. */
enum slv_status rosbag_cipher_index(struct slv_scan *, uint64_t off,
    uint64_t len, const struct rosbag_record *, bool *same, bool *full,
    struct slv_err *);

/* rosbag_lost.c - may something broken at off have held a message? */
enum slv_status rosbag_lost_unit(
    const struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

/* rosbag_proof.c - count for each chunk what it declares without a message,
 * before there is a plan. */
void rosbag_count_lent(struct rosbag *);
/* The unit at off of a plan that copies a whole chunk there; *yes = false: it
 * does not. */
enum slv_status rosbag_proven_unit(const struct slv_scan *, uint64_t off,
    struct slv_unit *, bool *yes, struct slv_err *);
enum slv_status rosbag_adopt(
    struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

#endif
