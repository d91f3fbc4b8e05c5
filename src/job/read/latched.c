/* latched.c - records that hold until others replace them.
 *
 * ROS 1 calls a channel latched, ROS 2 transient local: whoever subscribes gets the last
 * message, however old it is.  A series of BDDF can be metadata of others.
 */
#include "job/read/latched.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "job/read/cursor.h"

enum lasting { NOT, LAST, ALL };

/* What a channel says about itself. */
static const struct {
	const char *key, *value;
	bool within; /* the value may have more in it */
	enum lasting lasting;
} signs[] = {
	{ "latching", "1", false, LAST },
	{ "offered_qos_profiles", "durability: 1", true, LAST },
	{ "offered_qos_profiles", "durability: transient_local", true, LAST },
	{ "is_metadata", "1", false, ALL },
};

static enum lasting
lasting_of(const struct slv_channel_info *c)
{
	for (size_t i = 0; i < c->n_meta; i++) {
		for (size_t k = 0; k < sizeof(signs) / sizeof(*signs); k++) {
			const char *value = c->meta[i].value;

			if (strcmp(c->meta[i].key, signs[k].key) == 0
			    && (signs[k].within
			            ? strstr(value, signs[k].value) != NULL
			            : strcmp(value, signs[k].value) == 0))
				return signs[k].lasting;
		}
	}
	return NOT;
}

/* For this filter: its patterns name others. */
static enum lasting
lasting_in(const struct slv_filter *f, const struct slv_channel_info *c)
{
	enum lasting lasting = lasting_of(c);

	return lasting == NOT && slv_filter_latches(f, c->name) ? LAST
	                                                        : lasting;
}

static int
compare(const void *p, const void *q)
{
	const struct slv_record_place a = ((const struct slv_also *)p)->at;
	const struct slv_record_place b = ((const struct slv_also *)q)->at;

	if (a.off != b.off)
		return a.off < b.off ? -1 : 1;
	return a.inner < b.inner ? -1 : a.inner > b.inner;
}

/* The last record of a channel before the span. */
struct last {
	enum lasting lasting;
	bool any;
	struct slv_also it;
};

static enum slv_status
look(struct slv_filter *f, struct last *last, const struct slv_cursor *c)
{
	int64_t ns = c->record.log_ns;
	const struct slv_also it = { slv_cursor_place(c), c->record.channel,
		last->lasting == LAST, ns };

	if (last->lasting == NOT || slv_filter_in_time(f, ns))
		return SLV_OK;
	if (last->lasting == ALL)
		return slv_filter_also(f, &it, &c->log->err);
	if (ns != SLV_NO_TIME && ns < f->from
	    && (!last->any || ns >= last->it.ns))
		*last = (struct last){ LAST, true, it };
	return SLV_OK;
}

static enum slv_status
find(struct slv_log *log, struct slv_filter *f, struct last *last)
{
	struct slv_cursor c;
	enum slv_status st;

	SLV_TRY(slv_cursor_begin(&c, log));
	do {
		st = slv_cursor_next(&c);
		if (st == SLV_OK && !c.ended)
			st = look(f, &last[c.record.channel], &c);
	} while (st == SLV_OK && !c.ended);
	slv_cursor_free(&c);
	for (size_t i = 0; st == SLV_OK && i < log->channels.n; i++) {
		if (last[i].any)
			st = slv_filter_also(f, &last[i].it, &log->err);
	}
	if (st == SLV_OK && f->n_also > 0)
		slv_sort(f->also, f->n_also, sizeof(*f->also), compare);
	return st;
}

enum slv_status
slv_latched_find(struct slv_log *log, struct slv_filter *f)
{
	struct last *last = slv_calloc(log->channels.n + 1, sizeof(*last));
	enum slv_status st = SLV_OK;
	bool any = false;

	if (last == NULL)
		return slv_fail(&log->err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < log->channels.n; i++) {
		if (f->wanted[i])
			last[i].lasting = lasting_in(f, &log->channels.at[i]);
		any |= last[i].lasting != NOT;
	}
	if (any)
		st = find(log, f, last);
	slv_free(last);
	return st;
}
