/* sidecar.c - the report next to a lossy log. */
#include "job/output/sidecar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/names/link.h"
#include "io/names/site.h"
#include "io/read/slurp.h"
#include "io/sys.h"
#include "io/write/sink.h"

#define SUFFIX ".salvor.json"

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
	slv_free(path);
	return *out != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

static enum slv_status
read_site(const struct slv_site *at, const struct stat *of, struct slv_buf *out,
    struct slv_sidecar_seen *seen, struct slv_err *err)
{
	struct slv_source *s = NULL;
	enum slv_status st;
	int fd;

	if (slv_site_look(at, &seen->as) < 0) {
		/* The name of a log can have the maximum length. */
		if (errno == ENOENT || errno == ENAMETOOLONG)
			return SLV_OK;
		return slv_fail_errno(err, "%s: cannot look at it", at->path);
	}
	seen->exists = true;
	SLV_TRY(slv_site_trusted(at, of, &fd, &seen->as, &seen->doubt, err));
	if (seen->doubt != NULL)
		return SLV_OK;
	if ((uint64_t)seen->as.st_size > SLV_SIDECAR_MAX) {
		seen->doubt = "is over 1 MiB";
		slv_sys.close(fd);
		return SLV_OK;
	}
	SLV_TRY(slv_source_fd_open(fd, at->path, &s, &seen->as, err));
	st = slv_slurp(s, out, err);
	slv_source_close(s);
	return st;
}

static enum slv_status
read_it(const struct slv_site *at, const struct stat *of, struct slv_buf *out,
    struct slv_sidecar_seen *seen, struct slv_err *err)
{
	enum slv_status st;

	*seen = (struct slv_sidecar_seen){ .exists = false };
	st = read_site(at, of, out, seen, err);
	if (st == SLV_OK && seen->exists && seen->doubt == NULL
	    && !slv_history_is_ours((const char *)out->at, out->len))
		seen->doubt = "is no salvor report, or a damaged one";
	return st;
}

enum slv_status
slv_sidecar_read(const char *path, const struct stat *of, struct slv_buf *out,
    struct slv_sidecar_seen *seen, struct slv_err *err)
{
	struct slv_site at;
	enum slv_status st;

	SLV_TRY(slv_site_open(&at, path, err));
	st = read_it(&at, of, out, seen, err);
	slv_site_close(&at);
	return st;
}

/* Its place: in the directory of the log, if that is open. */
static enum slv_status
open_site(const struct slv_sidecar *s, struct slv_site *at, struct slv_err *err)
{
	if (s->log_at == NULL || s->log_at->path == NULL || s->log_at->dir < 0)
		return slv_site_open(at, s->path, err);
	*at = slv_site_beside(s->log_at, s->path);
	at->dir = slv_sys.dup(at->dir);
	return at->dir >= 0
	    ? SLV_OK
	    : slv_fail_errno(err, "%s: cannot open its directory", s->path);
}

/* Which report may be replaced: that of the owner of the log, which exists or
 * will be made like another file.  Its lines are not trusted here. */
static enum slv_status
owner_of_log(const struct slv_sidecar *s, const struct slv_site *at,
    struct stat *of, struct slv_err *err)
{
	char *log = slv_strdup(s->path);
	struct slv_site log_at;

	if (log == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	log[strlen(log) - strlen(SUFFIX)] = '\0';
	*of = (struct stat){ .st_uid = geteuid() };
	if (s->like != NULL)
		*of = *s->like;
	log_at = slv_site_beside(at, log);
	(void)slv_site_look(&log_at, of);
	of->st_mode = S_IFREG | 0666;
	slv_free(log);
	return SLV_OK;
}

enum slv_status
slv_sidecar_check(struct slv_sidecar *s, struct slv_err *err)
{
	struct slv_sidecar_seen seen = { .exists = false };
	struct slv_site at;
	enum slv_status st;
	struct stat of;

	SLV_TRY(open_site(s, &at, err));
	st = owner_of_log(s, &at, &of, err);
	if (st == SLV_OK)
		st = read_it(&at, &of, &s->there, &seen, err);
	slv_site_close(&at);
	s->exists = seen.exists;
	s->as = seen.as;
	if (st != SLV_OK || !s->exists
	    || (seen.doubt == NULL && s->there.len > 0))
		return st;
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: exists and %s; move it away, or --no-sidecar writes the log "
	    "without a report beside it",
	    s->path, seen.doubt != NULL ? seen.doubt : "is empty");
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
		.at = s->log_at,
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
	slv_history_others((const char *)s->there.at, s->there.len, &s->claim,
	    SLV_SIDECAR_LINE, &text);
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
	/* A failure does no harm: the remaining lines are about no log. */
	slv_buf_printf(&text, "%s\n", s->line);
	write_text(s, &text, true, &err);
	slv_buf_free(&text);
}

static bool
remove_it(const struct slv_sidecar *s)
{
	struct slv_err err = { 0 };
	struct slv_site at;
	bool removed;

	if (open_site(s, &at, &err) != SLV_OK)
		return false;
	removed = slv_site_remove(&at, &s->as, &err) == SLV_OK;
	slv_site_close(&at);
	return removed;
}

bool
slv_sidecar_unsay(const char *path, const struct slv_site *log_at,
    const struct slv_claim *claim, uint64_t from)
{
	struct slv_sidecar s = {
		.path = path,
		.log_at = log_at,
		.claim = *claim,
	};
	struct slv_buf others = { 0 };
	struct slv_err err = { 0 };
	bool removed = false;

	/* A failure does no harm here either. */
	if (slv_sidecar_check(&s, &err) == SLV_OK && slv_sidecar_is_there(&s)) {
		slv_history_without((const char *)s.there.at, s.there.len,
		    claim, from, &others);
		/* It stays whose it is: another's would not be believed. */
		s.like = &s.as;
		if (others.len == 0 && !others.failed)
			removed = remove_it(&s);
		else
			write_text(&s, &others, true, &err);
	}
	slv_buf_free(&others);
	slv_sidecar_free(&s);
	return removed;
}

void
slv_sidecar_free(struct slv_sidecar *s)
{
	slv_buf_free(&s->there);
}
