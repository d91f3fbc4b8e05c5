/* sidecar.c - the report that stays beside a lossy log. */
#include "job/sidecar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "io/link.h"
#include "io/sink.h"
#include "io/slurp.h"
#include "io/sys.h"

#define SUFFIX   ".salvor.json"
#define READ_MAX ((uint64_t)64 << 20) /* bytes; no report of ours is longer */

char *
slv_sidecar_name(const char *log)
{
	size_t room = strlen(log) + sizeof(SUFFIX);
	char *name = slv_realloc(NULL, room);

	if (name != NULL)
		snprintf(name, room, "%s" SUFFIX, log);
	return name;
}

enum slv_status
slv_sidecar_of(const char *log, char **out, struct slv_err *err)
{
	char *path;

	*out = NULL;
	SLV_TRY(slv_link_follow(log, &path, err));
	*out = slv_sidecar_name(path);
	free(path);
	return *out != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

enum slv_status
slv_sidecar_read(
    const char *path, struct slv_buf *out, bool *exists, struct slv_err *err)
{
	struct slv_source *s = NULL;
	enum slv_status st;
	struct stat as;

	*exists = false;
	if (slv_sys.stat(path, &as) < 0) {
		/* The name of a log can be as long as a name may be. */
		if (errno == ENOENT || errno == ENAMETOOLONG)
			return SLV_OK;
		return slv_fail_errno(err, "%s: cannot look at it", path);
	}
	*exists = true;
	if (!S_ISREG(as.st_mode) || (uint64_t)as.st_size > READ_MAX)
		return SLV_OK;
	SLV_TRY(slv_source_file(path, &s, &as, err));
	st = slv_slurp(s, out, err);
	slv_source_close(s);
	return st;
}

enum slv_status
slv_sidecar_check(struct slv_sidecar *s, struct slv_err *err)
{
	SLV_TRY(slv_sidecar_read(s->path, &s->there, &s->exists, err));
	if (!s->exists
	    || (s->there.len > 0
	        && slv_history_is_ours(
	            (const char *)s->there.at, s->there.len)))
		return SLV_OK;
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: exists and is no report of salvor's; move it away, or "
	    "--no-sidecar writes the log without a report beside it",
	    s->path);
}

bool
slv_sidecar_is_there(const struct slv_sidecar *s)
{
	return slv_history_knows(
	    (const char *)s->there.at, s->there.len, &s->claim);
}

static enum slv_status
write_text(const struct slv_sidecar *s, const struct slv_buf *text,
    bool replace, struct slv_err *err)
{
	struct slv_target target = {
		.path = s->path,
		.replace = replace,
		.like = s->like,
		.original = s->original,
	};
	struct slv_sink *sink = NULL;
	enum slv_status st;

	if (text->failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_sink_atomic(&target, &sink, err));
	st = sink->ops->write(sink, text->at, text->len, err);
	if (st == SLV_OK)
		return sink->ops->commit(sink, err);
	sink->ops->discard(sink);
	return st;
}

enum slv_status
slv_sidecar_publish(const struct slv_sidecar *s, struct slv_err *err)
{
	struct slv_buf text = { 0 };
	enum slv_status st;

	slv_buf_printf(&text, "%s\n", s->line);
	slv_history_others(
	    (const char *)s->there.at, s->there.len, &s->claim, &text);
	st = write_text(s, &text, s->exists, err);
	slv_buf_free(&text);
	return st;
}

void
slv_sidecar_settle(const struct slv_sidecar *s)
{
	struct slv_buf text = { 0 };
	struct slv_err err = { 0 };

	if (s->there.len == 0)
		return;
	/* A failure does no harm: the lines left over are about no log. */
	slv_buf_printf(&text, "%s\n", s->line);
	write_text(s, &text, true, &err);
	slv_buf_free(&text);
}

void
slv_sidecar_unsay(
    const char *path, const struct slv_claim *claim, uint64_t from)
{
	struct slv_sidecar s = { .path = path, .claim = *claim };
	struct slv_buf others = { 0 };
	struct slv_err err = { 0 };

	/* A failure does no harm here either. */
	if (slv_sidecar_check(&s, &err) == SLV_OK && slv_sidecar_is_there(&s)) {
		slv_history_without((const char *)s.there.at, s.there.len,
		    claim, from, &others);
		if (others.len == 0 && !others.failed)
			slv_sys.unlink(path);
		else
			write_text(&s, &others, true, &err);
	}
	slv_buf_free(&others);
	slv_sidecar_free(&s);
}

void
slv_sidecar_free(struct slv_sidecar *s)
{
	slv_buf_free(&s->there);
}
