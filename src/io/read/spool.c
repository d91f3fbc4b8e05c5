/* spool.c - bytes that come one after the other as a source. */
#include "io/read/spool.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "io/names/named.h"
#include "io/sys.h"
#include "io/write/sink.h"
#include "io/write/space.h"
#include "io/write/temp.h"

#define CHUNK     ((size_t)1 << 20)    /* bytes a read */
#define LOOK_EACH ((uint64_t)64 << 20) /* bytes between checks, at most */

/* Check that `more` bytes to come, and the copies of everything, will fit. */
static enum slv_status
check_space(struct slv_spooling *s, uint64_t more, struct slv_err *err)
{
	uint64_t written = s->to < 0 ? 0 : s->n;
	struct slv_space space = {
		.need = s->how->copies * (s->n + more) - written,
	};

	space.more = !s->sized;
	slv_space_look(s->how->dir, &space);
	/* With less space left, check more often. */
	s->look_at = s->n + LOOK_EACH;
	if (space.known && space.free / 16 < LOOK_EACH)
		s->look_at = s->n + space.free / 16;
	return slv_space_check(
	    &space, s->name, s->how->dir, s->how->other, err);
}

/* Move to a temporary: what is held, and `more` bytes to come. */
static enum slv_status
begin_file(struct slv_spooling *s, uint64_t more, struct slv_err *err)
{
	if (s->n > 0 || more > 0)
		SLV_TRY(check_space(s, more, err));
	SLV_TRY(slv_temp_nameless(s->how->dir, &s->to, err));
	SLV_TRY(
	    slv_write_all(s->to, s->how->dir, s->held.at, s->held.len, err));
	slv_buf_free(&s->held);
	return SLV_OK;
}

void
slv_spooling_begin(
    struct slv_spooling *s, const struct slv_spool *how, const char *name)
{
	*s = (struct slv_spooling){ .how = how, .name = name, .to = -1 };
}

enum slv_status
slv_spooling_put(
    struct slv_spooling *s, const uint8_t *bytes, size_t n, struct slv_err *err)
{
	if (s->to < 0 && n <= s->how->hold - s->held.len) {
		slv_buf_add(&s->held, bytes, n);
		s->n += n;
		return s->held.failed
		    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
		    : SLV_OK;
	}
	if (s->to < 0)
		SLV_TRY(begin_file(s, n, err));
	else if (s->n >= s->look_at)
		SLV_TRY(check_space(s, n, err));
	SLV_TRY(slv_write_all(s->to, s->how->dir, bytes, n, err));
	s->n += n;
	return SLV_OK;
}

void
slv_spooling_drop(struct slv_spooling *s)
{
	slv_buf_free(&s->held);
	if (s->to >= 0)
		slv_sys.close(s->to);
	s->to = -1;
}

enum slv_status
slv_spooling_end(struct slv_spooling *s, struct slv_source **out, bool *spooled,
    struct slv_err *err)
{
	struct stat temp;
	int fd = s->to;

	*spooled = fd >= 0;
	if (fd < 0)
		return slv_source_buffer(&s->held, s->name, out, err);
	slv_buf_free(&s->held);
	s->to = -1;
	return slv_source_fd_open(fd, s->name, out, &temp, err);
}

/* *n = 0 at the end. */
static enum slv_status
read_some(const struct slv_spooling *s, int fd, uint8_t *buf, size_t *n,
    struct slv_err *err)
{
	ssize_t got;

	/* read(2) alone would continue after a signal. */
	SLV_TRY(slv_await(fd, SLV_AWAIT_INPUT, s->how->cancel, s->name, err));
	do
		got = slv_sys.read(fd, buf, CHUNK);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return slv_fail_errno(err, "%s: cannot read", s->name);
	*n = (size_t)got;
	return SLV_OK;
}

static enum slv_status
copy_all(struct slv_spooling *s, int fd, struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, CHUNK);
	enum slv_status st =
	    buf != NULL ? SLV_OK : slv_fail(err, SLV_E_NOMEM, "out of memory");
	size_t n = 1;

	while (st == SLV_OK && n > 0) {
		st = read_some(s, fd, buf, &n, err);
		if (st == SLV_OK && n > 0)
			st = slv_spooling_put(s, buf, n, err);
	}
	slv_free(buf);
	return st;
}

/* Return true if the descriptor allows random access, and gives everything. */
static bool
is_whole_file(int fd, const struct stat *st)
{
	return (S_ISREG(st->st_mode) || S_ISBLK(st->st_mode))
	    && slv_sys.lseek(fd, 0, SEEK_CUR) == 0;
}

/* Read the descriptor itself, through a number that a source may close. */
static enum slv_status
serve_itself(int fd, const char *name, struct slv_source **out, struct stat *st,
    struct slv_err *err)
{
	int own = slv_sys.dup(fd);

	if (own < 0)
		return slv_fail_errno(err, "%s: cannot read", name);
	return slv_source_fd_open(own, name, out, st, err);
}

static enum slv_status
refuse_endless(
    int fd, const char *name, const struct stat *st, struct slv_err *err)
{
	if (!S_ISDIR(st->st_mode) && !S_ISCHR(st->st_mode))
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is %s, not a file or a pipe; name the log itself", name,
	    slv_named_kind(st, fd));
}

enum slv_status
slv_spool(int fd, const char *name, const struct slv_spool *how,
    struct slv_source **out, struct stat *st, bool *spooled,
    struct slv_err *err)
{
	struct slv_spooling s;
	enum slv_status status = SLV_OK;

	slv_spooling_begin(&s, how, name);
	*spooled = false;
	if (slv_sys.fstat(fd, st) < 0)
		return slv_fail_errno(err, "%s: cannot look at it", name);
	SLV_TRY(refuse_endless(fd, name, st, err));
	if (is_whole_file(fd, st))
		return serve_itself(fd, name, out, st, err);
	/* For a file it is known now whether it fits. */
	s.sized = S_ISREG(st->st_mode);
	if (s.sized && (uint64_t)st->st_size > how->hold)
		status = begin_file(&s, (uint64_t)st->st_size, err);
	else if (how->hold == 0)
		status = begin_file(&s, 0, err);
	if (status == SLV_OK)
		status = copy_all(&s, fd, err);
	if (status == SLV_OK)
		return slv_spooling_end(&s, out, spooled, err);
	slv_spooling_drop(&s);
	return status;
}
