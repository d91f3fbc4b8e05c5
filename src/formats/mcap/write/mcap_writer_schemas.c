/* mcap_writer_schemas.c - which channels have the same schema.
 *
 * A log may declare tens of thousands of channels, each with a schema that differs from
 * the others at its end: they are sorted, not compared in pairs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "formats/mcap/write/mcap_writer.h"

static bool
has_schema(const struct slv_channel_info *c)
{
	return c->schema != NULL && *c->schema_encoding != '\0';
}

/* By schema; channels that share one in memory are not compared byte by byte. */
static int
compare_schemas(const void *p, const void *q)
{
	const struct slv_channel_info *a = *(void *const *)p;
	const struct slv_channel_info *b = *(void *const *)q;
	int order = SLV_ORDER_OF(a->schema_len, b->schema_len);

	if (order == 0)
		order = strcmp(a->type, b->type);
	if (order == 0)
		order = strcmp(a->schema_encoding, b->schema_encoding);
	if (order == 0 && a->schema != b->schema)
		order = memcmp(a->schema, b->schema, a->schema_len);
	return order;
}

/* Of each channel with a schema the first one that has the same. */
static void
find_first(const struct mcap_writer *w, const struct slv_channel_info **sorted,
    uint32_t *first)
{
	size_t n = 0, end;

	for (uint32_t i = 0; i < w->n_channels; i++) {
		if (has_schema(&w->channels[i]))
			sorted[n++] = &w->channels[i];
	}
	slv_sort(sorted, n, sizeof(*sorted), compare_schemas);
	for (size_t i = 0; i < n; i = end) {
		const struct slv_channel_info *least = sorted[i];

		for (end = i;
		     end < n && compare_schemas(&sorted[i], &sorted[end]) == 0;
		     end++)
			least = sorted[end] < least ? sorted[end] : least;
		while (i < end)
			first[sorted[i++] - w->channels] =
			    (uint32_t)(least - w->channels);
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
	const struct slv_channel_info **sorted =
	    slv_calloc(w->n_channels + 1, sizeof(*sorted));
	uint32_t *first = slv_calloc(w->n_channels + 1, sizeof(*first));
	enum slv_status st = SLV_E_NOMEM;

	if (sorted != NULL && first != NULL) {
		find_first(w, sorted, first);
		st = number_schemas(w, first, err);
	}
	slv_free(sorted);
	slv_free(first);
	return st == SLV_E_NOMEM ? slv_fail(err, st, "out of memory") : st;
}
