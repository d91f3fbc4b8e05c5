/* reader.c - a pass over the records of a log. */
#include <stdlib.h>

#include "base/mem.h"
#include "job/input/input.h"
#include "job/read/by_time.h"
#include "job/read/cursor.h"
#include "job/read/filter.h"
#include "job/read/latched.h"

struct slv_reader {
	struct slv_cursor cursor;
	struct slv_filter filter;
	struct slv_by_time sorted; /* in the order of times */
	bool ended;
};

enum slv_status
slv_reader_open(struct slv_log *log, struct slv_reader **out)
{
	*out = NULL;
	/* A request that makes no sense is no failure of the log. */
	if (log->err.code == SLV_E_USAGE)
		log->err = (struct slv_err){ 0 };
	SLV_TRY(log->err.code);
	if (log->scan == NULL)
		return slv_log_refuse(log);
	*out = slv_calloc(1, sizeof(**out));
	if (*out == NULL)
		return slv_fail(&log->err, SLV_E_NOMEM, "out of memory");
	if (slv_cursor_begin(&(*out)->cursor, log) == SLV_OK
	    && slv_filter_choose(&(*out)->filter, &log->opt.choice, &log->err)
	        == SLV_OK)
		return SLV_OK;
	slv_reader_close(*out);
	*out = NULL;
	return log->err.code;
}

struct slv_log *
slv_reader_log(const struct slv_reader *r)
{
	return r->cursor.log;
}

enum slv_status
slv_reader_set(struct slv_reader *r, const char *name, const char *value)
{
	struct slv_err *err = &r->cursor.log->err;

	if (r->filter.settled)
		return slv_fail(err, SLV_E_USAGE,
		    "\"%s\": records were read already", name);
	return slv_filter_set(&r->filter, name, value, err);
}

static enum slv_status
settle(struct slv_reader *r)
{
	struct slv_log *log = r->cursor.log;

	if (r->filter.settled)
		return SLV_OK;
	SLV_TRY(slv_filter_settle(&r->filter, &log->channels, &log->err));
	if (r->filter.latched && r->filter.timed)
		SLV_TRY(slv_latched_find(log, &r->filter));
	return r->filter.by_time
	    ? slv_by_time_list(&r->sorted, &r->cursor, &r->filter)
	    : SLV_OK;
}

enum slv_status
slv_reader_wants(struct slv_reader *r, uint32_t channel, bool *yes)
{
	SLV_TRY(settle(r));
	*yes = r->filter.wanted[channel];
	return SLV_OK;
}

enum slv_status
slv_reader_filter(struct slv_reader *r, struct slv_filter **out)
{
	*out = &r->filter;
	return settle(r);
}

const struct slv_by_time *
slv_reader_sorted(const struct slv_reader *r)
{
	return &r->sorted;
}

/* Find the next record that is wanted. */
static enum slv_status
find_next(struct slv_reader *r)
{
	struct slv_cursor *c = &r->cursor;
	bool any;

	SLV_TRY(settle(r));
	if (r->filter.by_time) {
		SLV_TRY(slv_by_time_next(&r->sorted, c, &any));
		r->ended = !any;
		return SLV_OK;
	}
	do {
		SLV_TRY(slv_cursor_next(c));
		r->ended = c->ended;
	} while (!r->ended
	    && !slv_filter_takes(&r->filter, c->record.channel,
	        c->record.log_ns, slv_cursor_place(c)));
	return SLV_OK;
}

const struct slv_record *
slv_reader_next(struct slv_reader *r)
{
	struct slv_cursor *c = &r->cursor;
	struct slv_log *log = c->log;

	if (r->ended || log->err.code != SLV_OK)
		return NULL;
	/* What was read may have changed since it was audited. */
	if (find_next(r) == SLV_OK && r->ended)
		(void)slv_work_unchanged(
		    &log->work, slv_active_change, &log->err);
	if (log->err.code == SLV_OK && !r->ended
	    && slv_cursor_load(c) == SLV_OK)
		return &c->record;
	slv_work_blame(&log->work, &log->err);
	return NULL;
}

void
slv_reader_close(struct slv_reader *r)
{
	if (r == NULL)
		return;
	slv_by_time_free(&r->sorted);
	slv_filter_free(&r->filter);
	slv_cursor_free(&r->cursor);
	slv_free(r);
}
