/* mcap.c - MCAP, what ROS 2 and Foxglove record: the driver.
 *
 * A file is a header, chunks of messages, each with an index for every channel, and a
 * summary: all schemas and channels, statistics, and where every chunk is.  Messages
 * may also come without chunks.  A chunk, the data as a whole and the summary may have
 * a CRC-32.  Everything but messages, schemas, channels, attachments and metadata can
 * be made anew.
 *
 *	read/      what is at an offset: records, chunks, and what they hold
 *	judge/     what a checksum shows
 *	summary/   the end of a file: compared, and made as its writer makes it
 *	build/     the repaired file as a plan
 *	mcap_accept, mcap_decl, mcap_chunk, mcap_index   remember what a unit says
 *	mcap_finish      do all parts agree
 *	mcap_describe    for people
 */
#include "formats/mcap/mcap.h"

#include <stdlib.h>

#include "formats/mcap/mcap_state.h"
#include "formats/mcap/read/mcap_unit.h"
#include "support/layouts/message_layout.h"

const struct slv_problem_info mcap_problems[MCAP_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/mcap/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct mcap *m = state;

	for (size_t i = 0; i < m->n_decls; i++)
		slv_free(m->decls[i].name);
	slv_free(m->decls);
	slv_free(m->by_id[0]);
	slv_free(m->by_id[1]);
	slv_buf_free(&m->profile);
	slv_buf_free(&m->library);
	slv_buf_free(&m->texts);
	slv_free(m->items);
	slv_free(m->chunks);
	slv_free(m->counts);
	slv_free(m->out_counts);
	slv_free(m->extras);
	slv_free(m->kept.at);
	slv_free(m->entries.at);
	slv_free(m->here);
	slv_free(m->made);
	slv_free(m->rivals);
	slv_free(m->spoilt);
	slv_free(m->placed);
	slv_free(m->way);
}

static const struct slv_ends ends = { .closed = mcap_closed };

static const struct slv_patches patches = { .mend = mcap_mend };

const struct slv_format slv_format_mcap = {
	.name = "mcap",
	.title = "MCAP",
	.suffix = ".mcap",
	.terms = { "message", "channel", "topic", false },
	.problems = mcap_problems,
	.n_problems = MCAP_PROBLEMS,
	.kinds = mcap_kinds,
	.n_kinds = MCAP_TAGS,
	.state_size = sizeof(struct mcap),
	.cached = mcap_cached,
	/* The magic alone is at the end of a file, too. */
	.magic = MCAP_BEGINNING,
	.magic_size = sizeof(MCAP_BEGINNING) - 1,
	.chain = 2,
	.based = true,
	.begin = mcap_begin,
	.glance = mcap_glance,
	.inherit = mcap_inherit,
	.unit = mcap_unit,
	.vouch = mcap_vouch,
	.accept = mcap_accept,
	.next_mark = mcap_next_mark,
	.run = mcap_run,
	.skims = true,
	.takes = true,
	.finish = mcap_finish,
	.plan = mcap_plan,
	.describe = mcap_describe,
	.channel_name = mcap_channel_name,
	.release = release,
	.ends = &ends,
	.patches = &patches,
	.packs = &mcap_packs,
	.records = &mcap_records,
	.layout = slv_message_layout,
	.cutting = &mcap_cutting,
	.writing = &mcap_writing,
	.carried = mcap_carried,
	.holds = mcap_holds,
};
