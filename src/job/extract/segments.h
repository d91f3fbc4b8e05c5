/* segments.h - the logs that an extract is made of: one, or segments of a recording.
 *
 * A segment is a log of its own, read with its own numbers of channels.  In the output
 * channels that several segments have are one, with one number (unify.c).
 */
#ifndef SLV_JOB_SEGMENTS_H
#define SLV_JOB_SEGMENTS_H

#include "core/format/cutting.h"
#include "job/read/filter.h"
#include "job/read/log.h"

#define SLV_NOT_JOINED UINT32_MAX /* the output does not have it */

/* A channel of the output. */
struct slv_joint_channel {
	struct slv_numbers to;
	uint32_t schema; /* its place in ->schemas; SLV_NOT_JOINED: none */
};

/* Where a channel of a segment, or a schema, is in the output. */
struct slv_joint_place {
	uint32_t place;
	bool moved; /* its numbers there are others than in the segment */
	bool bare;  /* the declaration is that of another segment */
};

/* A schema of a segment. */
struct slv_joint_schema {
	uint32_t index;            /* the number that the segment gives it */
	struct slv_joint_place in; /* in ->schemas */
};

struct slv_segment {
	struct slv_log *log;              /* owned */
	struct slv_reader *wanted;        /* owned; NULL: none is open */
	struct slv_filter *filter;        /* of it, settled; borrowed */
	struct slv_joint_place *channels; /* owned; by channel */
	struct slv_joint_schema *schemas; /* owned; sorted */
	size_t n_schemas, cap_schemas;
};

struct slv_segments {
	struct slv_segment *at; /* owned; in the order of the output */
	size_t n;
	struct slv_joint_channel *channels; /* owned */
	size_t n_channels, cap_channels;
	bool any_bare;     /* a segment has a channel without its declaration */
	uint32_t *schemas; /* owned; their numbers in the output */
	size_t n_schemas, cap_schemas;
};

/* Logs of these names, which are not opened yet.  Free them, also after a failure.
 *
 *   options  borrowed until then
 *
 * SLV_E_NOMEM */
enum slv_status slv_segments_new(struct slv_segments *,
    const char *const *files, size_t n, const struct slv_options *);

/* Audit them.
 *
 * SLV_E_USAGE: two of several are one file, or one is standard input or the target */
enum slv_status slv_segments_audit(
    struct slv_segments *, const char *target, struct slv_err *);

/* Put several in the order of their first records; times that count from the first
 * record or from the last one are now those of all.
 *
 * SLV_E_REFUSED: they cannot be joined: the text says why */
enum slv_status slv_segments_join(struct slv_segments *, struct slv_err *);

/* Open a reader of each and settle which records it takes; of several, find out what
 * their channels are in the output.
 *
 * SLV_E_REFUSED: two channels contradict each other, or two segments hold the same
 * records */
enum slv_status slv_segments_choose(struct slv_segments *, struct slv_err *);

/* Close the readers and forget what was found. */
void slv_segments_unchoose(struct slv_segments *);

/* unify.c - find out what the channels are in the output. */
enum slv_status slv_segments_unify(struct slv_segments *, struct slv_err *);

/* Are two channels the same but for their numbers? */
bool slv_channels_equal(const struct slv_log *, uint32_t place,
    const struct slv_log *other, uint32_t place_of_other);

/* The schema of that number; NULL: no channel that is wanted has it. */
const struct slv_joint_schema *slv_segment_schema(
    const struct slv_segment *, uint32_t index);

void slv_segments_free(struct slv_segments *);

#endif
