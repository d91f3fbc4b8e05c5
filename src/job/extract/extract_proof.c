/* extract_proof.c - repair what was put together, and compare every record. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/sys.h"
#include "job/extract/extract.h"

#define UNKNOWN UINT32_MAX /* in ->into */

/* Index, statistics and digest are made of what was put together. */
static enum slv_status
repair(struct slv_extract *x, struct slv_source *source)
{
	const char *name = x->from.at[0].log->name;
	/* It was judged in its own log: nothing of it is doubted once more,
	 * because other records are gone. */
	const struct slv_options how = {
		.limits = x->opt->limits,
		.keep = SLV_KEEP_SUSPECT,
		.time_window = UINT64_MAX / 4,
		.map_name = x->opt->map_name,
		.no_annotate = true,
		.no_effort = true,
		.cancel = x->opt->cancel,
		.on_progress = x->opt->on_progress,
		.on_progress_ctx = x->opt->on_progress_ctx,
	};

	x->made = slv_log_new(name, &how);
	if (x->made == NULL) {
		slv_source_close(source);
		return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	}
	/* Its output is written, not only read. */
	x->made->work.reads = false;
	/* A long one is a temporary file, which no one else changes. */
	if (slv_source_fd(source) >= 0
	    && slv_sys.fstat(slv_source_fd(source), &x->made->work.st) < 0) {
		slv_source_close(source);
		return slv_fail_errno(
		    &x->err, "a temporary file: cannot look at it");
	}
	if (slv_log_audit(x->made, source) != SLV_OK) {
		x->err = x->made->err;
		return x->err.code;
	}
	return x->made->scan != NULL
	    ? SLV_OK
	    : slv_fail(&x->err, SLV_E_REFUSED,
	        "%s: there is nothing to extract: no record is wanted", name);
}

/* Is the channel of the record the one that it was in its segment? */
static bool
is_channel(struct slv_extract *x, const struct slv_segment *seg,
    const struct slv_record *a, const struct slv_record *b)
{
	uint32_t place = seg->channels[a->channel].place;
	uint32_t *into;

	if (place == SLV_NOT_JOINED)
		return false;
	into = &x->into[place];
	if (*into == UNKNOWN
	    && slv_channels_equal(seg->log, a->channel, x->made, b->channel))
		*into = b->channel;
	return *into == b->channel;
}

static bool
is_same(struct slv_extract *x, const struct slv_segment *seg,
    const struct slv_record *a, const struct slv_record *b)
{
	const struct slv_cutting *how = seg->log->scan->format->cutting;
	bool timed = how->dated_by_record
	    || (a->log_ns == b->log_ns && a->publish_ns == b->publish_ns);

	return is_channel(x, seg, a, b) && timed
	    && (a->flags & SLV_RECORD_NUMBERED)
	    == (b->flags & SLV_RECORD_NUMBERED)
	    && (!(a->flags & SLV_RECORD_NUMBERED) || a->sequence == b->sequence)
	    && a->len == b->len
	    && (memcmp(a->data, b->data, a->len) == 0
	        || (how->ends_in != NULL
	            && how->ends_in(a->data, b->data, a->len)));
}

static enum slv_status
differs(struct slv_extract *x, const struct slv_log *log)
{
	return slv_fail(&x->err, SLV_E_REFUSED,
	    "%s: a sound log cannot have the records that are wanted from "
	    "number %llu on, because they are in this log twice, or of a "
	    "channel that it does not declare; nothing was published; salvor "
	    "export can write them",
	    log->name, (unsigned long long)x->what.records);
}

/* Compare what was wanted of a segment with what comes next. */
static enum slv_status
compare(struct slv_extract *x, const struct slv_segment *seg,
    struct slv_reader *got)
{
	const struct slv_record *a, *b;

	while ((a = slv_reader_next(seg->wanted)) != NULL) {
		b = slv_reader_next(got);
		if (b == NULL)
			break;
		if (!is_same(x, seg, a, b))
			return differs(x, seg->log);
		x->what.channels +=
		    x->seen[seg->channels[a->channel].place]++ == 0;
		x->what.records++;
	}
	x->err = seg->log->err.code != SLV_OK ? seg->log->err : x->made->err;
	SLV_TRY(x->err.code);
	return a == NULL ? SLV_OK : differs(x, seg->log);
}

static enum slv_status
compare_all(struct slv_extract *x, struct slv_reader *got)
{
	for (size_t i = 0; i < x->from.n; i++)
		SLV_TRY(compare(x, &x->from.at[i], got));
	if (slv_reader_next(got) != NULL)
		return differs(x, x->from.at[0].log);
	x->err = x->made->err;
	return x->err.code;
}

/* Room to count the channels of the output, once for all files. */
static enum slv_status
make_room(struct slv_extract *x)
{
	size_t n = x->from.n_channels + 1;

	if (x->seen == NULL)
		x->seen = slv_calloc(n, sizeof(*x->seen));
	if (x->into == NULL)
		x->into = slv_calloc(n, sizeof(*x->into));
	if (x->seen == NULL || x->into == NULL)
		return slv_fail(&x->err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < n; i++)
		x->into[i] = UNKNOWN;
	return SLV_OK;
}

enum slv_status
slv_extract_prove(struct slv_extract *x, struct slv_source *source)
{
	struct slv_reader *got = NULL;

	SLV_TRY(repair(x, source));
	SLV_TRY(make_room(x));
	if (slv_reader_open(x->made, &got) != SLV_OK)
		x->err = x->made->err;
	else
		(void)compare_all(x, got);
	slv_reader_close(got);
	x->what.format = x->made->scan->format->name;
	return x->err.code;
}
