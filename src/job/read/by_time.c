/* by_time.c - records in the order of their times. */
#include "job/read/by_time.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"

/* By time, and then as in the log; records without a time come first. */
static int
compare(const void *p, const void *q)
{
	const struct slv_timed *a = p, *b = q;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	if (a->spot.off != b->spot.off)
		return a->spot.off < b->spot.off ? -1 : 1;
	return a->spot.inner < b->spot.inner ? -1
	                                     : a->spot.inner > b->spot.inner;
}

static enum slv_status
add(struct slv_by_time *t, const struct slv_cursor *c)
{
	struct slv_log *log = c->log;
	uint64_t most = log->scan->opt.limits.max_memory;

	if ((t->n + 1) * sizeof(*t->at) > most)
		return slv_fail(&log->err, SLV_E_LIMIT,
		    "%s: more than %llu records cannot be sorted by time "
		    "(--max-memory)",
		    log->name, (unsigned long long)t->n);
	SLV_TRY(slv_grow(&t->at, &t->cap, t->n + 1, sizeof(*t->at), &log->err));
	t->at[t->n++] = (struct slv_timed){
		.ns = c->record.log_ns,
		.spot = c->spot,
		.sequence = c->record.sequence,
		.flags = c->record.flags & SLV_RECORD_AFTER_GAP,
	};
	return SLV_OK;
}

enum slv_status
slv_by_time_list(
    struct slv_by_time *t, struct slv_cursor *c, const struct slv_filter *f)
{
	struct slv_log *log = c->log;

	for (;;) {
		SLV_TRY(slv_cursor_next(c));
		if (c->ended)
			break;
		if (slv_filter_takes(f, c->record.channel, c->record.log_ns,
		        slv_cursor_place(c)))
			SLV_TRY(add(t, c));
	}
	c->keeps = true;
	return t->n == 0 ? SLV_OK
	                 : slv_sort_long(t->at, t->n, sizeof(*t->at), compare,
	                     log->opt.cancel, &log->err);
}

enum slv_status
slv_by_time_next(struct slv_by_time *t, struct slv_cursor *c, bool *any)
{
	const struct slv_timed *one;

	*any = t->next < t->n;
	if (!*any)
		return SLV_OK;
	/* Many chunks are kept, so that no window may be filled for long. */
	if (slv_is_cancelled(c->log->opt.cancel))
		return slv_fail(&c->log->err, SLV_E_CANCELLED, "stopped");
	one = &t->at[t->next++];
	SLV_TRY(slv_cursor_find(c, one->spot));
	c->record.flags |= one->flags;
	c->record.sequence = one->sequence;
	return SLV_OK;
}

void
slv_by_time_free(struct slv_by_time *t)
{
	slv_free(t->at);
}
