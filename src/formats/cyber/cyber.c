/* cyber.c - records of Apollo Cyber RT: the driver.
 *
 * A record is a header in a room of 2,064 bytes, then sections: declarations of
 * channels, chunks of messages with a header each, and an index.  Header, index
 * and the headers of chunks can be rebuilt from the messages, which frame
 * themselves.  There is no checksum anywhere.
 *
 * docs/architecture/formats.md lists the modules.
 */
#include "formats/cyber/cyber.h"

#include <stdlib.h>

#include "formats/cyber/read/cyber_unit.h"
#include "support/layouts/proto_layout.h"

const struct slv_problem_info cyber_problems[CYBER_PROBLEMS] = {
#define SLV_PROBLEM SLV_PROBLEM_ROW
#include "formats/cyber/problems.def"
#undef SLV_PROBLEM
};

static void
release(void *state)
{
	struct cyber *c = state;

	for (size_t i = 0; i < c->n_channels; i++)
		slv_free(c->channels[i].shown);
	slv_free(c->channels);
	slv_free(c->by_name);
	slv_buf_free(&c->texts);
	slv_buf_free(&c->held);
	slv_free(c->items);
	slv_free(c->runs);
	slv_free(c->entries);
	slv_free(c->pieces);
	slv_free(c->breaks);
}

const struct slv_cache_kind cyber_cached[] = {
	[CYBER_CACHED_CARRIER] = { sizeof(struct cyber_carrier), 1, NULL },
	[CYBER_CACHED_MESSAGE] = { sizeof(struct cyber_message), 2, NULL },
	{ 0 },
};

static const struct slv_setting_row settings[] = {
	{ CYBER_DEEP, SLV_SETTING_FLAG },
	{ CYBER_RECHUNK, SLV_SETTING_FLAG },
	{ NULL, SLV_SETTING_FLAG },
};

static const struct slv_patches patches = { .mend = cyber_mend };

const struct slv_format slv_format_cyber = {
	.name = "cyber",
	.title = "Apollo Cyber record",
	.terms = { "message", "channel", "name", false },
	.problems = cyber_problems,
	.n_problems = CYBER_PROBLEMS,
	.kinds = cyber_kinds,
	.n_kinds = CYBER_TAGS,
	.state_size = sizeof(struct cyber),
	.cached = cyber_cached,
	.settings = settings,
	.chain = 2,
	.takes = true,
	.numbered = 5,
	.magic = "\0\0\0\0",
	.magic_size = 4,
	.based = true,
	.suffix = ".record",
	.begin = cyber_begin,
	.glance = cyber_glance,
	.unit = cyber_unit,
	.vouch = cyber_vouch,
	.accept = cyber_accept,
	.next_mark = cyber_next_mark,
	.next_log = cyber_next_log,
	.carried = cyber_carried,
	.finish = cyber_finish,
	.strays = cyber_strays,
	.plan = cyber_plan,
	.missing = cyber_missing,
	.describe = cyber_describe,
	.channel_name = cyber_channel_name,
	.release = release,
	.patches = &patches,
	.records = &cyber_records,
	.layout = slv_proto_layout,
	.cutting = &cyber_cutting,
};
