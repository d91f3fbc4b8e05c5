/* carla_packet.h - packets: what their ids mean, and how long they must be.
 *
 *	u8 id | u32 size | size bytes
 *
 * The version in the header is 1 in every log, whatever program wrote it.
 * Sizes show the differences: vectors of f32 or of f64, and the meaning of the
 * ids 21 to 24.
 */
#ifndef SLV_FORMATS_CARLA_PACKET_H
#define SLV_FORMATS_CARLA_PACKET_H

#include "core/scan/scan.h"

#define CARLA_HEAD      5   /* bytes before the body of a packet */
#define CARLA_KNOWN     25  /* ids from here on are unknown */
#define CARLA_USER      101 /* ids from here on belong to users */
#define CARLA_FRAME_LEN 24  /* bytes in the body of a FrameStart */
#define CARLA_FORMS     4   /* forms of the body of a packet, at most */

enum {
	CARLA_START = 0,
	CARLA_END = 1,
	CARLA_ADD = 2,
	CARLA_DEL = 3,
	CARLA_PARENT = 4,
	CARLA_POSITION = 6,
	CARLA_VISUAL = 20,
	CARLA_VARYING = 21, /* the first id with a meaning that varies */
};

/* How vectors are written, as bits of a set. */
enum carla_vectors {
	CARLA_F32 = 1 << 0,
	CARLA_F64 = 1 << 1,
	CARLA_MIXED = 1 << 2, /* f64 in Position, f32 elsewhere, although the
			       * size of a packet counts f64 */
	CARLA_ANY_VECTORS = 7
};

/* Meanings of an id of 21 to 24, as bits of a set. */
enum carla_variant {
	CARLA_DOOR = 1 << 0,
	CARLA_WHEELS = 1 << 1,
	CARLA_BIKER = 1 << 2,
	CARLA_WEATHER = 1 << 3,
	CARLA_ANY_VARIANT = 15
};

struct carla_packet {
	uint8_t id;
	uint32_t size;    /* as stated */
	uint64_t body;    /* offset of its body in the input */
	uint64_t len;     /* bytes of the body that exist */
	uint8_t variants; /* possible meanings */
	uint32_t n;       /* records; 0 if it is not a list */
};

/* Reduce the possible meanings of 21 to 24 to combinations of existing
 * versions.  If none fits, nothing changes. */
void carla_packet_versions(uint8_t variants[4]);

/* "Position"; for 21 to 24 by the set of variants; for an unknown id
 * "packet". */
const char *carla_packet_name(unsigned id, unsigned variants);

/* Judge the body of a packet with the given id, size and body, in the range of
 * the input that ends at `end`.
 *
 *   vectors  one of the set
 *   *fits    its size is what its contents need; len, variants and n are set */
enum slv_status carla_packet_fit(const struct slv_scan *, struct carla_packet *,
    enum carla_vectors, uint64_t end, bool *fits, struct slv_err *);

/* The same by its count, whatever its size says; size is then set to what it
 * should be.
 *
 *   form  0 to CARLA_FORMS - 1: one of the forms of packets with its id */
enum slv_status carla_packet_measure(const struct slv_scan *,
    struct carla_packet *, enum carla_vectors, unsigned form, uint64_t end,
    bool *fits, struct slv_err *);

/* The same by its size, whatever its count says: n, and with it len, is set to
 * what fills the size exactly.  *fits = false: nothing does, or its records
 * vary in length, or it has no records. */
enum slv_status carla_packet_count(const struct slv_scan *,
    struct carla_packet *, enum carla_vectors, uint64_t end, bool *fits,
    struct slv_err *);

#endif
