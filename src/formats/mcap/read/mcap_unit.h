/* mcap_unit.h - units that are chunks. */
#ifndef SLV_FORMATS_MCAP_UNIT_H
#define SLV_FORMATS_MCAP_UNIT_H

#include "formats/mcap/read/mcap_head.h"

/* A unit carries the head of its chunk from unit() to accept(). */
_Static_assert(
    sizeof(struct mcap_head) <= sizeof(((struct slv_unit *)NULL)->priv),
    "a head fits into a unit");

static inline void
mcap_head_put(struct slv_unit *u, const struct mcap_head *h)
{
	memcpy(u->priv, h, sizeof(*h));
}

static inline struct mcap_head
mcap_head_of(const struct slv_unit *u)
{
	struct mcap_head h;

	memcpy(&h, u->priv, sizeof(h));
	return h;
}

/* mcap_packed.c - a compressed chunk as a unit; and its content. */
enum slv_status mcap_packed_unit(const struct slv_scan *, uint64_t off,
    const struct mcap_head *, struct slv_unit *, struct slv_err *);
enum slv_status mcap_packed_body(const struct slv_scan *,
    const struct mcap_head *, const struct mcap_body **, struct slv_err *);

/* mcap_magic.c - the unit at off, if it is a magic; else *u stays as it is. */
enum slv_status mcap_magic_unit(
    const struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

/* mcap_spoilt.c - judge a record of these kinds, which otherwise is whole. */
enum slv_status mcap_spoilt_unit(const struct slv_scan *, uint64_t off,
    const struct mcap_record *, struct slv_unit *, struct slv_err *);

/* mcap_packs.c */
extern const struct slv_packs mcap_packs;

/* mcap_skim.c - accept the chunk at off by its head and its indexes alone, and end the run
 * after them; if they do not suffice, do nothing. */
enum slv_status mcap_skim(
    struct slv_scan *, uint64_t off, struct slv_run *, struct slv_err *);
/* mcap_accept.c - accept the declaration in the record at `at` of these bytes.  One that
 * readers refuse is accepted only if a checksum confirms it. */
enum slv_status mcap_accept_declaration(struct slv_scan *,
    const struct mcap_bytes *, uint64_t at, uint64_t place, bool proven,
    struct slv_err *);
/* A chunk begins. */
enum slv_status mcap_accept_chunk(struct slv_scan *, uint64_t off,
    const struct mcap_head *, bool headed, struct slv_err *);

#endif
