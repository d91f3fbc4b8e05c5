/* earlier.c - what an earlier repair of the log lost, as gaps of an export. */
#include "job/export/earlier.h"

#include "base/mem.h"
#include "job/read/filter.h"
#include "report/history.h"

static struct slv_moment
moment_of(const char *text)
{
	const int64_t second = 1000000000;
	int64_t ns, nanos;

	if (!slv_filter_date(text, &ns))
		return (struct slv_moment){ .known = false };
	nanos = ns % second + (ns % second < 0 ? second : 0);
	return (struct slv_moment){ .sec = (ns - nanos) / second,
		.nanos = (uint32_t)nanos,
		.known = true };
}

enum slv_status
slv_earlier_find(
    struct slv_earlier *e, const struct slv_report *r, struct slv_err *err)
{
	struct slv_history_gap *told;
	size_t n;
	enum slv_status st;

	SLV_TRY(slv_history_gaps(&r->history, &told, &n, err));
	st = slv_new(&e->at, n, sizeof(*e->at), err);
	for (; st == SLV_OK && e->n < n; e->n++)
		e->at[e->n] = (struct slv_gap){
			.off = told[e->n].off,
			.bytes = told[e->n].bytes,
			.before = moment_of(told[e->n].before),
			.after = moment_of(told[e->n].after),
			.earlier = true,
		};
	slv_free(told);
	return st;
}

void
slv_earlier_free(struct slv_earlier *e)
{
	slv_free(e->at);
}
