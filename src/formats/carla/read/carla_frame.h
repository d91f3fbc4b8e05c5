/* carla_frame.h - a frame: the packets from a FrameStart to its FrameEnd. */
#ifndef SLV_FORMATS_CARLA_FRAME_H
#define SLV_FORMATS_CARLA_FRAME_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_FIXES   4  /* numbers in a frame that may be wrong */
#define CARLA_PACKETS 32 /* of a frame that are remembered: as a rule, all */

#define CARLA_STRANGE (UINT32_C(1) << 31)

/* What a frame says of itself. */
struct carla_start {
	uint64_t id;
	double duration; /* s; -1 until the next frame begins */
	double elapsed;  /* s, since the first one began */
};

enum carla_read {
	CARLA_WHOLE,
	CARLA_CUT,    /* the file ends in it */
	CARLA_BROKEN, /* it contradicts itself */
};

/* What number of a packet is wrong. */
enum carla_fixed {
	CARLA_FIX_TYPE,  /* its id */
	CARLA_FIX_SIZE,  /* how long it is */
	CARLA_FIX_COUNT, /* how many records it has */
};

/* A number that the contents show to be wrong. */
struct carla_fix {
	uint64_t packet; /* where it begins in the input */
	enum carla_fixed what;
	uint32_t had, should;
};

struct carla_frame {
	enum carla_read read;
	struct carla_start start;
	uint64_t len;
	uint32_t seen;       /* bit 1 << id: packets that are in it; or
	                      * CARLA_STRANGE: of unknown types */
	uint8_t variants[4]; /* that 21 to 24 may be; 0: not in it */
	enum carla_vectors vectors;
	uint64_t other;   /* offset of a packet of unknown id; 0: none */
	uint8_t other_id; /* of the last such */
	bool unused;      /* one is of a type that nobody has */
	struct carla_fix fixes[CARLA_FIXES];
	size_t n_fixes, n_packets;                  /* all of them */
	struct carla_packet packets[CARLA_PACKETS]; /* the first of them; the
	                                             * rest is not set */
};

/* What frames of this log are like, as far as that is known. */
struct carla_dialect {
	unsigned vectors;    /* set of enum carla_vectors */
	uint8_t variants[4]; /* sets of enum carla_variant, for 21 to 24 */
	uint32_t usual;      /* bit 1 << id: in most frames */
	uint32_t always;     /* ... and in all of them */
	bool strict;         /* take no packet that needs to be mended */
	bool extended;       /* most frames have types that no program has */
};

/* Called for each packet of a frame that is whole, in order. */
typedef enum slv_status (*carla_packet_fn)(
    void *ctx, const struct carla_packet *, struct slv_err *);

/* carla_start.c - whether what a FrameStart says can be. */
bool carla_start_sane(const struct carla_start *);

/* The FrameStart at off, if one stands there that can be. */
enum slv_status carla_frame_start(const struct slv_scan *, uint64_t off,
    struct carla_start *, bool *yes, struct slv_err *);

/* Read the frame at off.  Where more than one kind of vectors is possible the
 * first that fits is taken.  A frame that is whole as it is and lacks nothing is
 * taken so: numbers of others are mended. */
enum slv_status carla_frame_read(const struct slv_scan *, uint64_t off,
    const struct carla_dialect *, struct carla_frame *, struct slv_err *);

/* Hand out the packets of a whole frame. */
enum slv_status carla_frame_packets(struct slv_scan *, uint64_t off,
    const struct carla_frame *, carla_packet_fn, void *ctx, struct slv_err *);

/* Whether everything can be that the packet says, if it is of events. */
enum slv_status carla_frame_plain(const struct slv_scan *,
    const struct carla_packet *, enum carla_vectors, bool *yes,
    struct slv_err *);

/* carla_start.c - where the next FrameStart that can be stands in [from, to); to:
 * nowhere. */
enum slv_status carla_frame_find(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* Whether b goes on where a ends, to the last bit. */
static inline bool
carla_chained(const struct carla_start *a, const struct carla_start *b)
{
	double end = a->elapsed + a->duration;

	return a->duration >= 0 && end >= b->elapsed && end <= b->elapsed;
}

#endif
