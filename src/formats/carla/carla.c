/* carla.c - logs of CARLA's recorder: the driver.
 *
 * A log is a header and packets, in frames.  There is no index and no checksum.
 * What can be checked: every packet is as long as its contents need, frames are
 * numbered, and each frame begins when the one before it ends.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/carla/carla.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/cutting.h"
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

	slv_free(c->items);
	slv_free(c->edits);
	carla_events_free(&c->events);
}

const struct slv_cache_kind carla_cached[] = {
	[CARLA_CACHED_FRAME] = { sizeof(struct carla_frame), 1, NULL },
	[CARLA_CACHED_MENDING] = { sizeof(uint64_t), 1, NULL },
	[CARLA_CACHED_JUMPS] = { sizeof(uint64_t), 1, NULL },
	{ 0 },
};

static const struct slv_setting_row settings[] = {
	{ CARLA_MAP_NAME, SLV_SETTING_TEXT },
	{ CARLA_RENUMBER, SLV_SETTING_FLAG },
	{ NULL, SLV_SETTING_FLAG },
};

static const struct slv_ends ends = { .closed = carla_closed, .trails = true };

static const struct slv_patches patches = { .mend = carla_mend,
	.more = carla_mend };

/* The recorder fills in how long a frame lasts when the next one begins: a FrameStart
 * is its number, that, and the time. */
static bool
ends_in(const uint8_t *was, const uint8_t *is, size_t len)
{
	static const uint8_t unknown[8] = { 0, 0, 0, 0, 0, 0, 0xf0, 0xbf };

	return len == CARLA_FRAME_LEN && memcmp(was, is, 8) == 0
	    && memcmp(is + 8, unknown, 8) == 0
	    && memcmp(was + 16, is + 16, 8) == 0;
}

/* All packets of a frame are needed to replay it. */
static const struct slv_cutting cutting = {
	.whole = true,
	.ends_in = ends_in,
};

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
	.records = &carla_records,
	.cutting = &cutting,
	.exporting = &carla_exporting,
	.layout = carla_layout,
};
