/* channels.h - the channels of a log, as readers see them. */
#ifndef SLV_JOB_CHANNELS_H
#define SLV_JOB_CHANNELS_H

#include "core/format/records.h"
#include "core/format/schema_sums.h"
#include "core/scan/scan.h"

/* The number that the log gives a channel, and its position in the list. */
struct slv_channel_place {
	uint32_t index, place;
};

struct slv_channels {
	struct slv_channel_info *at; /* owned; in the order of declarations */
	size_t n;
	struct slv_schema_sum *sums;        /* owned; of each */
	struct slv_channel_list list;       /* what they point to */
	struct slv_facts facts;             /* ... */
	const struct slv_channel **said;    /* owned; of each, what is in the
	                                     * facts; NULL: nothing */
	struct slv_pair *pairs;             /* owned; ... */
	struct slv_channel_place *by_index; /* owned; sorted */
	struct slv_moment first, last;      /* of all records */
};

/* List the channels of a sound log; free them, also after a failure. */
enum slv_status slv_channels_list(
    struct slv_channels *, struct slv_scan *, struct slv_err *);

/* The position of the channel with that number; UINT32_MAX: there is none. */
uint32_t slv_channels_find(const struct slv_channels *, uint32_t index);

void slv_channels_free(struct slv_channels *);

#endif
