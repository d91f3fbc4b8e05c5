/* metrics.c - what a run found, as Prometheus reads it. */
#include "batch/metrics/metrics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "batch/journal/tally.h"
#include "report/json/json_object.h"

/* The name of a format as it can be put between quotes; "": it is none.  A log
 * may have taken over the worker that reports it. */
static const char *
name_of(json_t *report)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	const char *name = json_string_value(json_object_get(report, "format"));

	return name != NULL && name[strspn(name, letters)] == '\0'
	        && strlen(name) < sizeof(((struct slv_metrics_row *)0)->format)
	    ? name
	    : "";
}

/* The row of a format; the last one holds what is one too many. */
static struct slv_metrics_row *
row_of(struct slv_metrics *m, const char *format)
{
	struct slv_metrics_row *row;

	for (size_t i = 0; i < m->n; i++) {
		if (strcmp(m->rows[i].format, format) == 0)
			return &m->rows[i];
	}
	if (m->n == SLV_METRICS_FORMATS)
		return &m->rows[m->n - 1];
	row = &m->rows[m->n++];
	snprintf(row->format, sizeof(row->format), "%s", format);
	return row;
}

bool
slv_metrics_add(struct slv_metrics *m, const char *text)
{
	json_t *report = json_loads(text, 0, NULL);
	struct slv_totals one = { .files = 0 };
	enum slv_state state;
	bool good = slv_tally(report, &one, &state);

	if (good)
		slv_totals_join(&row_of(m, name_of(report))->totals, &one);
	json_decref(report);
	return good;
}

/* The lines that come before the values of a metric. */
static void
put_head(struct slv_buf *out, const char *name, const char *help)
{
	slv_buf_printf(out, "# HELP salvor_%s %s\n# TYPE salvor_%s gauge\n",
	    name, help, name);
}

static void
put_states(struct slv_buf *out, const struct slv_metrics_row *row)
{
	for (int i = 0; i < SLV_STATES; i++)
		slv_buf_printf(out,
		    "salvor_logs{format=\"%s\",state=\"%s\"} %" PRIu64 "\n",
		    row->format, slv_state_name((enum slv_state)i),
		    row->totals.states[i]);
}

/* What is summed up for each format. */
static const struct {
	const char *name, *help;
	size_t at; /* in struct slv_totals */
} sums[] = {
	{ "lost_bytes", "Bytes of the logs that cannot be kept.",
	    offsetof(struct slv_totals, bytes[SLV_BYTES_LOST]) },
	{ "read_bytes", "Bytes of the logs.",
	    offsetof(struct slv_totals, size) },
	{ "findings", "What was found to be wrong.",
	    offsetof(struct slv_totals, problems) },
	{ "unsure_records", "Records that were kept and may be wrong.",
	    offsetof(struct slv_totals, unsure) },
	{ "rules_broken", "Logs that break a rule.",
	    offsetof(struct slv_totals, policy_failed) },
};

static uint64_t
sum_of(const struct slv_totals *t, size_t at)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)t + at, sizeof(value));
	return value;
}

char *
slv_metrics_text(const struct slv_metrics *m, uint64_t given, int64_t when)
{
	static const struct slv_metrics none = { .n = 1 };
	const struct slv_metrics *from = m->n > 0 ? m : &none;
	struct slv_buf out = { 0 };
	uint64_t done = 0;

	put_head(&out, "logs", "Logs of the last run, by format and verdict.");
	for (size_t i = 0; i < from->n; i++) {
		put_states(&out, &from->rows[i]);
		done += from->rows[i].totals.files;
	}
	for (size_t k = 0; k < sizeof(sums) / sizeof(*sums); k++) {
		put_head(&out, sums[k].name, sums[k].help);
		for (size_t i = 0; i < from->n; i++)
			slv_buf_printf(&out,
			    "salvor_%s{format=\"%s\"} %" PRIu64 "\n",
			    sums[k].name, from->rows[i].format,
			    sum_of(&from->rows[i].totals, sums[k].at));
	}
	put_head(&out, "undone_logs", "Logs that the last run left undone.");
	slv_buf_printf(&out, "salvor_undone_logs %" PRIu64 "\n",
	    given > done ? given - done : 0);
	put_head(&out, "run_timestamp_seconds",
	    "When the last run ended, in seconds since 1970.");
	slv_buf_printf(
	    &out, "salvor_run_timestamp_seconds %" PRId64 "\n", when);
	return slv_buf_take(&out);
}
