/* carla.c - logs of CARLA's recorder: the driver.
 *
 * A log is a header and packets, in frames.  There is no index and no checksum.
 * What can be checked is that every packet is as long as its contents need,
 * that frames are counted, and that each begins where the one before it ends.
 *
 *	carla_packet    a packet: what its id means, how long it must be
 *	carla_list      ... records of a list, each as long as it says
 *	carla_frame     a frame of them
 *	carla_budget    ... how much may be read to correct its packets
 *	carla_start     ... where one begins
 *	carla_header    the map and the date
 *	carla_map       ... a name of the map in which bytes cannot be
 *	carla_begin     is it such a log, and of which dialect
 *	carla_unit      what stands at an offset, and is it whole
 *	carla_accept    remember what it says
 *	carla_event     events of lost frames, for the next one
 *	carla_own       ... and not of another log that a packet carries
 *	carla_merge     ... put into it, or into later ones
 *	carla_born      ... actors whose packet is broken
 *	carla_rows      frames in a row, lost ones among them
 *	carla_order     ... and which are in the way of others
 *	carla_stray     which whole frames are in the wrong place
 *	carla_twice     what is there twice, and so not lost
 *	carla_time      let ids and times lead from frame to frame
 *	carla_finish    do all parts agree
 *	carla_mend      will the frames that are kept be like each other
 *	carla_build     the repaired log as a plan
 *	carla_inherit   what the proof need not read again
 *	carla_describe  for people
 */
#include "formats/carla/carla.h"

#include <stdlib.h>

#include "formats/carla/carla_state.h"

const struct slv_problem_info carla_problems[CARLA_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/carla/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct carla *c = state;

	free(c->items);
	free(c->edits);
	carla_events_free(&c->events);
}

const struct slv_cache_kind carla_cached[] = {
	[CARLA_CACHED_FRAME] = { sizeof(struct carla_frame), 1, NULL },
	[CARLA_CACHED_MENDING] = { sizeof(uint64_t), 1, NULL },
	{ 0 },
};

static const struct slv_setting_row settings[] = {
	{ CARLA_MAP_NAME, SLV_SETTING_TEXT },
	{ CARLA_RENUMBER, SLV_SETTING_FLAG },
	{ NULL, SLV_SETTING_FLAG },
};

static const struct slv_ends ends = { .closed = carla_closed, .trails = true };

static const struct slv_patches patches = { .mend = carla_mend, .again = true };

const struct slv_format slv_format_carla = {
	.name = "carla",
	.title = "CARLA recorder log",
	.terms = { "frame", "packet", "kind", true },
	.problems = carla_problems,
	.n_problems = CARLA_PROBLEMS,
	.kinds = carla_kinds,
	.n_kinds = CARLA_TAGS,
	.state_size = sizeof(struct carla),
	.cached = carla_cached,
	.settings = settings,
	.chain = 1,
	.magic = CARLA_MAGIC,
	.magic_size = CARLA_MAGIC_SIZE,
	.based = true,
	.counted = true,
	.suffix = ".log",
	.begin = carla_begin,
	.inherit = carla_inherit,
	.unit = carla_unit,
	.vouch = carla_vouch,
	.leave = carla_leave,
	.accept = carla_accept,
	.next_mark = carla_next_mark,
	.finish = carla_finish,
	.strays = carla_strays,
	.plan = carla_plan,
	.missing = carla_missing,
	.describe = carla_describe,
	.channel_name = carla_channel_name,
	.release = release,
	.ends = &ends,
	.patches = &patches,
};
