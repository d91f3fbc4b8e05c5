/* carla_packet.h - packets: what their ids mean, and how long they must be.
 *
 *	u8 id | u32 size | size bytes
 *
 * The version in the header is 1 in every log, whatever program wrote it.
 * What differs is told apart by sizes: vectors of f32 or of f64, and what the
 * ids 21 to 24 stand for.
 */
#ifndef SLV_FORMATS_CARLA_PACKET_H
#define SLV_FORMATS_CARLA_PACKET_H

#include "core/scan/scan.h"

#define CARLA_HEAD      5   /* bytes before the body of a packet */
#define CARLA_KNOWN     25  /* ids from here on are not known */
#define CARLA_USER      101 /* ids from here on are anybody's */
#define CARLA_FRAME_LEN 24  /* bytes in the body of a FrameStart */
#define CARLA_FORMS     4   /* that the body of a packet may have, at most */

enum {
	CARLA_START = 0,
	CARLA_END = 1,
	CARLA_ADD = 2,
	CARLA_DEL = 3,
	CARLA_PARENT = 4,
	CARLA_POSITION = 6,
	CARLA_VISUAL = 20,
	CARLA_VARYING = 21, /* the first id that is not the same in all logs */
};

/* How vectors are written, as bits of a set. */
enum carla_vectors {
	CARLA_F32 = 1 << 0,
	CARLA_F64 = 1 << 1,
	CARLA_MIXED = 1 << 2, /* f64 in Position, f32 elsewhere, where the size
	                       * of a packet counts f64 all the same */
	CARLA_ANY_VECTORS = 7
};

/* What an id of 21 to 24 may stand for, as bits of a set. */
enum carla_variant {
	CARLA_DOOR = 1 << 0,
	CARLA_WHEELS = 1 << 1,
	CARLA_BIKER = 1 << 2,
	CARLA_WEATHER = 1 << 3,
	CARLA_ANY_VARIANT = 15
};

struct carla_packet {
	uint8_t id;
	uint32_t size;    /* as it says */
	uint64_t body;    /* where its body begins in the input */
	uint64_t len;     /* bytes of the body that are there */
	uint8_t variants; /* that it may be */
	uint32_t n;       /* records; 0 where it is no list */
};

/* What 21 to 24 stood for in the versions there were: take what none of those
 * has out of what they may be, by the others; where none fits nothing
 * changes. */
void carla_packet_versions(uint8_t variants[4]);

/* "Position"; for 21 to 24 as the variants have it, which are a set; for an id
 * that is not known "packet". */
const char *carla_packet_name(unsigned id, unsigned variants);

/* Judge the body of a packet, of which id, size and body are given, in the
 * stretch of the input that ends at `end`.
 *
 *   vectors  one of the set
 *   *fits    its size is what its contents need; len, variants and n are filled
 *            in */
enum slv_status carla_packet_fit(const struct slv_scan *, struct carla_packet *,
    enum carla_vectors, uint64_t end, bool *fits, struct slv_err *);

/* The same from what it counts, whatever its size says; then size is what it
 * should be.
 *
 *   form  0 to CARLA_FORMS - 1: one of those that packets of its id have */
enum slv_status carla_packet_measure(const struct slv_scan *,
    struct carla_packet *, enum carla_vectors, unsigned form, uint64_t end,
    bool *fits, struct slv_err *);

/* The same from its size, whatever it counts: n, and with it len, is what fills
 * the size exactly.  *fits = false: nothing does, its records have no one length,
 * or they are none. */
enum slv_status carla_packet_count(const struct slv_scan *,
    struct carla_packet *, enum carla_vectors, uint64_t end, bool *fits,
    struct slv_err *);

#endif
