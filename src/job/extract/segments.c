/* segments.c - the logs that an extract is made of. */
#include "job/extract/segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/mem.h"
#include "io/sys.h"

/* Segment i is none of those before it, and not the output. */
static enum slv_status
check_apart(const struct slv_segments *all, size_t i, const char *target,
    struct slv_err *err)
{
	const struct slv_log *log = all->at[i].log;
	struct stat st;

	for (size_t k = 0; k < i; k++) {
		const struct slv_log *other = all->at[k].log;

		if (other->work.st.st_dev == log->work.st.st_dev
		    && other->work.st.st_ino == log->work.st.st_ino)
			return slv_fail(err, SLV_E_USAGE,
			    "%s and %s are one file, not two segments",
			    other->name, log->name);
	}
	if (target == NULL || strcmp(target, "-") == 0
	    || slv_sys.stat(target, &st) < 0 || st.st_dev != log->work.st.st_dev
	    || st.st_ino != log->work.st.st_ino)
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE,
	    "%s: is one of the segments itself; name another output", target);
}

enum slv_status
slv_segments_new(struct slv_segments *all, const char *const *files, size_t n,
    const struct slv_options *opt)
{
	all->at = slv_calloc(n, sizeof(*all->at));
	if (all->at == NULL)
		return SLV_E_NOMEM;
	for (; all->n < n; all->n++) {
		struct slv_log *log = slv_log_new(files[all->n], opt);

		all->at[all->n].log = log;
		if (log == NULL)
			return SLV_E_NOMEM;
		log->work.report->job = SLV_JOB_EXTRACT;
	}
	return SLV_OK;
}

enum slv_status
slv_segments_audit(
    struct slv_segments *all, const char *target, struct slv_err *err)
{
	for (size_t i = 0; i < all->n; i++) {
		struct slv_log *log = all->at[i].log;

		if (all->n > 1 && strcmp(log->name, "-") == 0)
			return slv_fail(err, SLV_E_USAGE,
			    "segments are files; standard input cannot be "
			    "one");
		if (slv_log_audit(log, NULL) != SLV_OK) {
			*err = log->err;
			return err->code;
		}
		if (all->n > 1)
			SLV_TRY(check_apart(all, i, target, err));
	}
	return SLV_OK;
}

/* Why the format of a log, or two of them, cannot be joined. */
static enum slv_status
check_formats(
    const struct slv_log *first, const struct slv_log *log, struct slv_err *err)
{
	const struct slv_format *f = log->scan->format;
	const char *a = first->channels.facts.dialect;
	const char *b = log->channels.facts.dialect;

	if (f != first->scan->format)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s and %s cannot be joined: they are of different formats "
		    "(%s, %s); salvor export writes both as MCAP",
		    first->name, log->name, first->scan->format->title,
		    f->title);
	if (f->cutting == NULL || !f->cutting->joins)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: logs of this format (%s) cannot be joined: each has "
		    "its own start",
		    log->name, f->title);
	if (strcmp(a, b) != 0)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s and %s cannot be joined: one has the profile '%s', and "
		    "the other '%s'",
		    first->name, log->name, a, b);
	return SLV_OK;
}

static bool
is_later(const struct slv_log *a, const struct slv_log *b)
{
	struct slv_moment of_a = a->channels.first, of_b = b->channels.first;

	return of_a.known && of_b.known
	    && slv_moment_ns(of_a) > slv_moment_ns(of_b);
}

/* By their first records; a segment without any stays after the one that was named before
 * it. */
static void
sort(struct slv_segments *all)
{
	for (size_t i = 1; i < all->n; i++) {
		struct slv_segment one = all->at[i];
		size_t k = i;

		for (; k > 0 && is_later(all->at[k - 1].log, one.log); k--)
			all->at[k] = all->at[k - 1];
		all->at[k] = one;
	}
}

enum slv_status
slv_segments_join(struct slv_segments *all, struct slv_err *err)
{
	struct slv_moment first = { 0 }, last = { 0 };

	for (size_t i = 0; i < all->n; i++) {
		struct slv_log *log = all->at[i].log;

		if (log->scan == NULL) {
			(void)slv_log_refuse(log);
			*err = log->err;
			return err->code;
		}
		SLV_TRY(check_formats(all->at[0].log, log, err));
		slv_moment_span(log->channels.first, &first, &last);
		slv_moment_span(log->channels.last, &first, &last);
	}
	sort(all);
	for (size_t i = 0; i < all->n; i++) {
		all->at[i].log->channels.first = first;
		all->at[i].log->channels.last = last;
	}
	return SLV_OK;
}

/* Of the records of a channel that only the last one replaces: the latest so far. */
struct latest {
	size_t segment;
	const struct slv_also *it; /* NULL: there is none */
};

static void
find_latest(const struct slv_segments *all, struct latest *latest)
{
	for (size_t s = 0; s < all->n; s++) {
		const struct slv_segment *seg = &all->at[s];

		for (size_t i = 0; i < seg->filter->n_also; i++) {
			const struct slv_also *it = &seg->filter->also[i];
			uint32_t at = seg->channels[it->channel].place;

			if (it->replaced && at != SLV_NOT_JOINED
			    && (latest[at].it == NULL
			        || it->ns >= latest[at].it->ns))
				latest[at] = (struct latest){ s, it };
		}
	}
}

/* A latched record of a segment is not wanted if a later segment has one. */
static enum slv_status
replace_latched(struct slv_segments *all, struct slv_err *err)
{
	struct latest *latest =
	    slv_calloc(all->n_channels + 1, sizeof(*latest));

	if (latest == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	find_latest(all, latest);
	for (size_t s = 0; s < all->n; s++) {
		const struct slv_segment *seg = &all->at[s];
		struct slv_filter *f = seg->filter;
		size_t n = 0;

		for (size_t i = 0; i < f->n_also; i++) {
			const struct slv_also it = f->also[i];
			uint32_t at = seg->channels[it.channel].place;

			if (!it.replaced || at == SLV_NOT_JOINED
			    || latest[at].segment == s)
				f->also[n++] = it;
		}
		f->n_also = n;
	}
	slv_free(latest);
	return SLV_OK;
}

/* A log alone keeps all of its numbers. */
static enum slv_status
identify(struct slv_segments *all, struct slv_err *err)
{
	struct slv_segment *seg = &all->at[0];

	for (uint32_t i = 0; i < seg->log->channels.n; i++) {
		SLV_TRY(SLV_ADD(all, channels, err,
		    (struct slv_joint_channel){ { i, 0 }, SLV_NOT_JOINED }));
		seg->channels[i].place = i;
	}
	return SLV_OK;
}

static enum slv_status
open_reader(struct slv_segment *seg, struct slv_err *err)
{
	struct slv_log *log = seg->log;

	seg->channels = slv_calloc(log->channels.n + 1, sizeof(*seg->channels));
	if (seg->channels == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < log->channels.n; i++)
		seg->channels[i].place = SLV_NOT_JOINED;
	if (slv_reader_open(log, &seg->wanted) == SLV_OK)
		(void)slv_reader_filter(seg->wanted, &seg->filter);
	if (log->err.code != SLV_OK)
		*err = log->err;
	return err->code;
}

enum slv_status
slv_segments_choose(struct slv_segments *all, struct slv_err *err)
{
	for (size_t i = 0; i < all->n; i++)
		SLV_TRY(open_reader(&all->at[i], err));
	if (all->n == 1)
		return identify(all, err);
	SLV_TRY(slv_segments_unify(all, err));
	return replace_latched(all, err);
}

void
slv_segments_unchoose(struct slv_segments *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct slv_segment *seg = &all->at[i];

		slv_reader_close(seg->wanted);
		slv_free(seg->channels);
		slv_free(seg->schemas);
		*seg = (struct slv_segment){ .log = seg->log };
	}
	slv_free(all->channels);
	slv_free(all->schemas);
	*all = (struct slv_segments){ .at = all->at, .n = all->n };
}

void
slv_segments_free(struct slv_segments *all)
{
	slv_segments_unchoose(all);
	for (size_t i = 0; i < all->n; i++)
		slv_log_close(all->at[i].log);
	slv_free(all->at);
}
