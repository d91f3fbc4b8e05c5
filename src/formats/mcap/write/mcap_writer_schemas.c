/* mcap_writer_schemas.c - which channels have the same schema.
 *
 * A log may declare tens of thousands of channels, each with a schema that differs from
 * the others at its end: they are sorted, not compared in pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "core/format/schema_sums.h"
#include "formats/mcap/write/mcap_writer.h"

/* A channel while they are sorted. */
struct sorted {
	const struct slv_channel_info *info;
	const struct slv_schema_sum *sum;
	uint32_t i;
};

static bool
has_schema(const struct slv_channel_info *c)
{
	return c->schema != NULL && *c->schema_encoding != '\0';
}

static int
compare_schemas(const void *p, const void *q)
{
	const struct sorted *a = p, *b = q;
	int order = slv_schema_order(a->sum, b->sum);

	if (order == 0)
		order = strcmp(a->info->type, b->info->type);
	return order != 0
	    ? order
	    : strcmp(a->info->schema_encoding, b->info->schema_encoding);
}

/* Of each channel with a schema the first one that has the same. */
static void
find_first(const struct mcap_writer *w, const struct slv_schema_sum *sums,
    struct sorted *sorted, uint32_t *first)
{
	size_t n = 0, end;

	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (has_schema(&w->channels[i]))
			sorted[n++] =
			    (struct sorted){ &w->channels[i], &sums[i], i };
	}
	slv_sort(sorted, n, sizeof(*sorted), compare_schemas);
	for (size_t i = 0; i < n; i = end) {
		uint32_t least = sorted[i].i;

		for (end = i;
		     end < n && compare_schemas(&sorted[i], &sorted[end]) == 0;
		     end++)
			least = sorted[end].i < least ? sorted[end].i : least;
		while (i < end)
			first[sorted[i++].i] = least;
	}
}

/* Number schemas in the order of the channels. */
static enum slv_status
number_schemas(
    struct mcap_writer *w, const uint32_t *first, struct slv_err *err)
{
	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (!has_schema(&w->channels[i]))
			continue;
		if (first[i] != i) {
			w->at[i].schema = w->at[first[i]].schema;
			continue;
		}
		if (w->n_schemas == UINT16_MAX)
			return slv_fail(err, SLV_E_LIMIT,
			    "MCAP has no room for more than %u schemas",
			    UINT16_MAX);
		w->schemas[w->n_schemas++] = i;
		w->at[i].schema = w->n_schemas;
	}
	return SLV_OK;
}

enum slv_status
mcap_writer_find_schemas(struct mcap_writer *w, struct slv_err *err)
{
	struct slv_schema_sum *sums = NULL;
	struct sorted *sorted = NULL;
	uint32_t *first = NULL;
	enum slv_status st =
	    slv_schema_sums(w->channels, w->n_channels, &sums, err);

	if (st == SLV_OK)
		st = slv_new(&sorted, w->n_channels, sizeof(*sorted), err);
	if (st == SLV_OK)
		st = slv_new(&first, w->n_channels, sizeof(*first), err);
	if (st == SLV_OK) {
		find_first(w, sums, sorted, first);
		st = number_schemas(w, first, err);
	}
	slv_free(sums);
	slv_free(sorted);
	slv_free(first);
	return st;
}
