/* mcap_style.c - how the program that wrote a file writes what is derived.
 *
 * A rebuilt summary is then the one that its writer would have made.
 */
#include <string.h>

#include "formats/mcap/summary/mcap_summary.h"

static const uint8_t usual[] = { MCAP_SCHEMA, MCAP_CHANNEL, MCAP_STATISTICS,
	MCAP_CHUNK_INDEX, MCAP_ATTACHMENT_INDEX, MCAP_METADATA_INDEX, 0 };
static const uint8_t typescript[] = { MCAP_SCHEMA, MCAP_CHANNEL,
	MCAP_STATISTICS, MCAP_METADATA_INDEX, MCAP_ATTACHMENT_INDEX,
	MCAP_CHUNK_INDEX, 0 };

/* By the names that libraries give themselves in the header. */
static const struct mcap_style styles[] = {
	{ .library = "libmcap", .groups = usual, .hashed = true },
	{ .library = "mcap-cpp", .groups = usual, .hashed = true },
	{ .library = "mcap-python", .groups = usual, .empty_offsets = true },
	{ .library = "python mcap", .groups = usual, .empty_offsets = true },
	{ .library = "mcap go",
	    .groups = usual,
	    .as_came = true,
	    .data_sum = true },
	{ .library = "mcap-go",
	    .groups = usual,
	    .as_came = true,
	    .data_sum = true },
	{ .library = "@mcap/core", .groups = typescript, .data_sum = true },
	{ .library = "mcap-rs", .groups = usual, .by_id = true },
	{ .library = "", .groups = usual },
};

struct mcap_style
mcap_style_of(const struct mcap *m)
{
	const struct mcap_summary *x = &m->summary;
	const struct mcap_style *style = styles;
	struct mcap_style own;

	while (strlen(style->library) > m->library.len
	    || (style->library[0] != '\0'
	        && memcmp(style->library, m->library.at, strlen(style->library))
	            != 0))
		style++;
	own = *style;
	/* What is left of the summary knows better. */
	own.data_sum =
	    x->data_end != 0 ? x->data_crc != 0 : own.data_sum && m->n_sums > 0;
	own.summary_sum =
	    x->footer != 0 ? x->crc != 0 : m->chunked || !own.hashed;
	return own;
}
