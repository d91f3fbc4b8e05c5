/* gap_records.c - what was lost, as records of a channel of its own.
 *
 * Viewers show a record of JSON without being taught: a field of type "time" is an
 * object of seconds and nanoseconds.
 */
#include "job/export/gap_records.h"

#include "core/format/records.h"

#define TIME                                                                   \
	"{\"type\":\"object\",\"title\":\"time\",\"properties\":{"             \
	"\"sec\":{\"type\":\"integer\"},\"nsec\":{\"type\":\"integer\"}}}"

static const char schema[] =
    "{\"type\":\"object\",\"title\":\"salvor.Gap\",\"properties\":{"
    "\"from\":" TIME ",\"to\":" TIME ","
    "\"offset\":{\"type\":\"integer\"},\"bytes\":{\"type\":\"integer\"},"
    "\"earlier\":{\"type\":\"boolean\"}}}";

const struct slv_channel_info slv_gap_channel = {
	.size_of = sizeof(slv_gap_channel),
	.name = "/salvor/gaps",
	.type = "salvor.Gap",
	.encoding = "json",
	.schema_encoding = "jsonschema",
	.schema = schema,
	.schema_len = sizeof(schema) - 1,
};

static void
put_time(const char *name, struct slv_moment at, struct slv_buf *text)
{
	if (at.known)
		slv_buf_printf(text, "\"%s\":{\"sec\":%lld,\"nsec\":%u},", name,
		    (long long)at.sec, at.nanos);
}

int64_t
slv_gap_record(const struct slv_gap *g, struct slv_buf *text)
{
	int64_t from = slv_moment_ns(g->before);

	text->len = 0;
	slv_buf_text(text, "{");
	put_time("from", g->before, text);
	put_time("to", g->after, text);
	slv_buf_printf(text, "\"offset\":%llu,\"bytes\":%llu%s}",
	    (unsigned long long)g->off, (unsigned long long)g->bytes,
	    g->earlier ? ",\"earlier\":true" : "");
	return from != SLV_NO_TIME ? from : slv_moment_ns(g->after);
}
