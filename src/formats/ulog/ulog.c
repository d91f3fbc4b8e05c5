/* ulog.c - flight logs of PX4: the driver.
 *
 * A log is a header and messages: definitions, then data.  There is no index, no
 * end and no checksum.  What can be checked: each message of data is as long as
 * the format of its topic demands, and the times of a topic never go back.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/ulog/ulog.h"

#include <stdlib.h>

#include "core/format/cutting.h"
#include "formats/ulog/ulog_state.h"

const struct slv_problem_info ulog_problems[ULOG_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/ulog/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct ulog *m = state;

	for (size_t i = 0; i < m->n_subs; i++)
		slv_free(m->subs[i].shown);
	slv_free(m->subs);
	slv_free(m->hashes);
	slv_free(m->ran);
	slv_free(m->by_id);
	slv_free(m->by_name);
	slv_free(m->formats);
	slv_buf_free(&m->texts);
	slv_free(m->orphans);
	slv_free(m->edits);
}

/* Messages need no other; one of the GPS says when the vehicle was started. */
static const struct slv_cutting cutting = {
	.dated_by_record = true,
};

const struct slv_format slv_format_ulog = {
	.name = "ulog",
	.title = "PX4 ULog",
	.suffix = ".ulg",
	.terms = { "message", "topic", "name", false },
	.problems = ulog_problems,
	.n_problems = ULOG_PROBLEMS,
	.kinds = ulog_kinds,
	.n_kinds = ULOG_TAGS,
	.state_size = sizeof(struct ulog),
	.chain = 2,
	.based = true,
	.takes = true,
	.magic = ULOG_MAGIC,
	.magic_size = ULOG_MAGIC_SIZE,
	.begin = ulog_begin,
	.unit = ulog_unit,
	.vouch = ulog_vouch,
	.run = ulog_run,
	.accept = ulog_accept,
	.next_mark = ulog_next_mark,
	.finish = ulog_finish,
	.plan = ulog_plan,
	.describe = ulog_describe,
	.channel_name = ulog_channel_name,
	.release = release,
	.records = &ulog_records,
	.cutting = &cutting,
	.layout = ulog_layout,
};
