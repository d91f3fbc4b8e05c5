/* export_sink.c - where an export goes. */
#include "job/export/export_sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/sys.h"
#include "job/output/stream.h"

#define STEP ((size_t)1 << 16) /* bytes that are compared at once */

/* Takes bytes, and is nowhere. */
struct nowhere {
	struct slv_sink base;
};

/* Takes bytes that are in a file. */
struct compare {
	struct slv_sink base;
	struct slv_source *there; /* owned */
	const char *path;         /* borrowed */
	uint8_t step[STEP];
};

static enum slv_status
nowhere_write(
    struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	(void)bytes;
	(void)err;
	s->n += n;
	return SLV_OK;
}

static const struct slv_sink_ops nowhere_ops = {
	.write = nowhere_write,
	.commit = slv_sink_free_commit,
	.discard = slv_sink_free_discard,
};

static enum slv_status
open_nowhere(struct slv_sink **out, struct slv_err *err)
{
	struct nowhere *s = slv_calloc(1, sizeof(*s));

	if (s == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	s->base.ops = &nowhere_ops;
	*out = &s->base;
	return SLV_OK;
}

static enum slv_status
differs(const struct compare *c, struct slv_err *err)
{
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: exists and holds something else; -f replaces it, -o writes "
	    "elsewhere",
	    c->path);
}

static enum slv_status
compare_write(
    struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct compare *c = (struct compare *)s;
	const uint8_t *at = bytes;

	while (n > 0) {
		size_t part = n < STEP ? n : STEP;

		if (part > c->there->size - s->n)
			return differs(c, err);
		SLV_TRY(slv_source_read(c->there, s->n, c->step, part, err));
		if (memcmp(c->step, at, part) != 0)
			return differs(c, err);
		at += part;
		n -= part;
		s->n += part;
	}
	return SLV_OK;
}

static void
compare_discard(struct slv_sink *s)
{
	slv_source_close(((struct compare *)s)->there);
	slv_free(s);
}

static enum slv_status
compare_commit(struct slv_sink *s, struct slv_err *err)
{
	struct compare *c = (struct compare *)s;
	enum slv_status st = s->n == c->there->size ? SLV_OK : differs(c, err);

	compare_discard(s);
	return st;
}

static enum slv_status
compare_reread(struct slv_sink *s, struct slv_source **out, struct slv_err *err)
{
	const struct compare *c = (struct compare *)s;
	struct stat st;

	return s->n == c->there->size ? slv_source_file(c->path, out, &st, err)
	                              : differs(c, err);
}

static const struct slv_sink_ops compare_ops = {
	.reread = compare_reread,
	.write = compare_write,
	.commit = compare_commit,
	.discard = compare_discard,
};

static enum slv_status
open_compare(const char *path, struct slv_sink **out, struct slv_err *err)
{
	struct compare *c = slv_calloc(1, sizeof(*c));
	struct stat st;

	if (c == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	c->base.ops = &compare_ops;
	c->path = path;
	if (slv_source_file(path, &c->there, &st, err) != SLV_OK) {
		slv_free(c);
		return err->code;
	}
	*out = &c->base;
	return SLV_OK;
}

static enum slv_status
open_new(const struct slv_export_target *t, struct slv_sink **out,
    struct slv_err *err)
{
	const struct slv_target target = {
		.path = t->path,
		.from = t->input,
		.replace = t->force,
		.make_dirs = t->make_dirs,
		.at = t->at,
	};

	return t->dry_run ? open_nowhere(out, err)
	                  : slv_sink_atomic(&target, out, err);
}

/* Something has the name already. */
static enum slv_status
open_there(const struct slv_export_target *t, const struct stat *st,
    enum slv_outcome *outcome, struct slv_sink **out, struct slv_err *err)
{
	if (st->st_dev == t->input->st_dev && st->st_ino == t->input->st_ino)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is the input itself; name another output", t->path);
	if (S_ISDIR(st->st_mode))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is a directory; name a file in it", t->path);
	if (!S_ISREG(st->st_mode))
		return t->dry_run
		    ? open_nowhere(out, err)
		    : slv_sink_device(t->path, t->cancel, out, err);
	if (t->force)
		return open_new(t, out, err);
	*outcome = SLV_OUT_ALREADY;
	return open_compare(t->path, out, err);
}

enum slv_status
slv_export_open(const struct slv_export_target *t, enum slv_outcome *outcome,
    struct slv_sink **out, struct slv_err *err)
{
	struct stat st;

	*outcome = t->dry_run ? SLV_OUT_PLANNED : SLV_OUT_WRITTEN;
	if (strcmp(t->path, "-") == 0)
		return t->dry_run ? open_nowhere(out, err)
		                  : slv_stream_open(t->stream, out, err);
	if (slv_sys.stat(t->path, &st) == 0)
		return open_there(t, &st, outcome, out, err);
	if (errno != ENOENT)
		return slv_fail_errno(err, "%s: cannot look at it", t->path);
	return open_new(t, out, err);
}
