/* carla_frame.h - a frame: the packets from a FrameStart to its FrameEnd. */
#ifndef SLV_FORMATS_CARLA_FRAME_H
#define SLV_FORMATS_CARLA_FRAME_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_FIXES   4  /* numbers in a frame that may be wrong */
#define CARLA_PACKETS 32 /* of a frame that are remembered: usually all */

#define CARLA_STRANGE (UINT32_C(1) << 31)

/* What a frame says about itself. */
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

/* Which number of a packet is wrong. */
enum carla_fixed {
	CARLA_FIX_TYPE,  /* its id */
	CARLA_FIX_SIZE,  /* its size */
	CARLA_FIX_COUNT, /* its number of records */
};

/* A number that the contents show to be wrong. */
struct carla_fix {
	uint64_t packet; /* offset of the packet in the input */
	enum carla_fixed what;
	uint32_t had, should;
};

struct carla_frame {
	enum carla_read read;
	struct carla_start start;
	uint64_t len;
	uint32_t seen;       /* bits 1 << id of its packets; or CARLA_STRANGE:
			      * of unknown types */
	uint8_t variants[4]; /* possible meanings of 21 to 24; 0: not in it */
	enum carla_vectors vectors;
	uint64_t other;   /* offset of a packet of unknown id; 0: none */
	uint8_t other_id; /* of the last one */
	bool unused;      /* a packet has a type that no program uses */
	struct carla_fix fixes[CARLA_FIXES];
	size_t n_fixes, n_packets;                  /* all of them */
	struct carla_packet packets[CARLA_PACKETS]; /* the first of them; the
						     * rest is not set */
};

/* What frames of this log have in common, as far as it is known. */
struct carla_dialect {
	unsigned vectors;    /* set of enum carla_vectors */
	uint8_t variants[4]; /* sets of enum carla_variant, for 21 to 24 */
	uint32_t usual;      /* bit 1 << id: in most frames */
	uint32_t always;     /* ... and in all of them */
	bool strict;         /* accept no packet that needs a correction */
	bool extended;       /* most frames have types that no program has */
};

/* Called for each packet of a whole frame, in order. */
typedef enum slv_status (*carla_packet_fn)(
    void *ctx, const struct carla_packet *, struct slv_err *);

/* carla_start.c - return true if the values of a FrameStart are possible. */
bool carla_start_sane(const struct carla_start *);

/* Whether the 8 bytes can be the duration of a frame: an f64 that was converted from an
 * f32, or -1 in the last frame. */
bool carla_is_duration(const uint8_t *);

/* Read the FrameStart at off; *yes: one is there, and its values are possible. */
enum slv_status carla_frame_start(const struct slv_scan *, uint64_t off,
    struct carla_start *, bool *yes, struct slv_err *);

/* Read the frame at off.  If more than one kind of vectors is possible the
 * first that fits is taken.  A frame that is whole and complete is accepted
 * unchanged; in others numbers are corrected. */
enum slv_status carla_frame_read(const struct slv_scan *, uint64_t off,
    const struct carla_dialect *, struct carla_frame *, struct slv_err *);

/* Report the packets of a whole frame. */
enum slv_status carla_frame_packets(struct slv_scan *, uint64_t off,
    const struct carla_frame *, carla_packet_fn, void *ctx, struct slv_err *);

/* Return true if the content of the packet is possible, if it holds events. */
enum slv_status carla_frame_plain(const struct slv_scan *,
    const struct carla_packet *, enum carla_vectors, bool *yes,
    struct slv_err *);

/* carla_start.c - the next possible FrameStart in [from, to); to: none. */
enum slv_status carla_frame_find(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* Return true if b continues where a ends, to the last bit. */
static inline bool
carla_chained(const struct carla_start *a, const struct carla_start *b)
{
	double end = a->elapsed + a->duration;

	return a->duration >= 0 && end >= b->elapsed && end <= b->elapsed;
}

#endif
