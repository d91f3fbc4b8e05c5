/* timeline.h - how the blocks of a log lie in time and in the file: counts of
 * each channel in equal steps of time, and the times and channels of equal
 * parts of the file.
 *
 * Made from blocks in the order of a listing, which is file order.  Bounded: a
 * fixed number of steps, channels and parts, whatever the log holds.
 */
#ifndef SLV_CORE_TIMELINE_H
#define SLV_CORE_TIMELINE_H

#include "core/format/facts.h"

#define SLV_TIMELINE_STEPS    240
#define SLV_TIMELINE_CHANNELS 128 /* the channels with most messages */
#define SLV_TIMELINE_PARTS    256

/* A part of the file. */
struct slv_timeline_part {
	bool timed;          /* a block in it has a time, and `first` and `last`
			      * are set */
	int64_t first, last; /* us since `from`: earliest and latest */
	uint64_t bytes[SLV_TIMELINE_CHANNELS]; /* by index in `channels` */
};

struct slv_timeline {
	struct slv_moment from; /* not known: there is no timeline */
	uint64_t step;          /* ns; >= 1 */
	uint64_t size;          /* size of the file, bytes */
	size_t n_parts;
	size_t n_channels, n_left_out;
	uint32_t channels[SLV_TIMELINE_CHANNELS]; /* ascending */
	uint32_t counts[SLV_TIMELINE_CHANNELS][SLV_TIMELINE_STEPS];
	struct slv_timeline_part parts[SLV_TIMELINE_PARTS];
	uint64_t off, end; /* of the last block that no other one contains */
};

/* Begin a timeline of a log of that size with blocks in [first, last]; the
 * channels are copied.  A zeroed timeline stays zeroed if no time is known or
 * if the span is not plausible (over 63 years). */
enum slv_status slv_timeline_begin(struct slv_timeline *, uint64_t size,
    struct slv_moment first, struct slv_moment last, const struct slv_facts *,
    struct slv_err *);

/* Count a block, kept or not; a slv_block_fn with the timeline as context. */
bool slv_timeline_block(void *timeline, const struct slv_block *);

#endif
