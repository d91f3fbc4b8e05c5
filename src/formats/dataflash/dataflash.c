/* dataflash.c - flight logs of ArduPilot: the driver.
 *
 * A log is messages, and describes itself: an FMT states the length and the fields
 * of each type of them.  There is no index, no end and no checksum, and no message
 * states its length.  What can be checked: where a message ends the next one begins,
 * and time never goes back.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/dataflash/dataflash.h"

#include <stdlib.h>

#include "core/format/cutting.h"
#include "formats/dataflash/dataflash_state.h"

const struct slv_problem_info dataflash_problems[DATAFLASH_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/dataflash/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct dataflash *m = state;

	slv_free(m->odd);
	slv_free(m->units);
	slv_free(m->edits);
	slv_free(m->params);
}

/* Messages need no other; one of the GPS says when the vehicle was started. */
static const struct slv_cutting cutting = {
	.dated_by_record = true,
};

const struct slv_format slv_format_dataflash = {
	.name = "dataflash",
	.title = "ArduPilot DataFlash log",
	.suffix = ".bin",
	.terms = { "message", "message type", "name", false },
	.problems = dataflash_problems,
	.n_problems = DATAFLASH_PROBLEMS,
	.kinds = dataflash_kinds,
	.n_kinds = DATAFLASH_TAGS,
	.state_size = sizeof(struct dataflash),
	.chain = 1, /* unit() looks at what follows */
	.based = true,
	.takes = true,
	.magic = DATAFLASH_MAGIC,
	.magic_size = DATAFLASH_HEAD,
	.begin = dataflash_begin,
	.unit = dataflash_unit,
	.vouch = dataflash_vouch,
	.run = dataflash_run,
	.accept = dataflash_accept,
	.next_mark = dataflash_next_mark,
	.finish = dataflash_finish,
	.plan = dataflash_plan,
	.describe = dataflash_describe,
	.channel_name = dataflash_channel_name,
	.release = release,
	.records = &dataflash_records,
	.cutting = &cutting,
	.layout = dataflash_layout,
};
