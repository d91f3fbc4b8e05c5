/* sink_atomic.c - a file that appears under its name complete, or never.
 *
 *	open the directory, and a temporary in it, locked -> write...
 *	-> mode, owner, times -> fsync -> close
 *	-> rename over the name (or only if the name is free)
 *	-> fsync of the directory
 *
 * The data must be on the disk before the name points at it, hence the first
 * fsync; the name must be on the disk before success is reported, hence the
 * second.
 */
#include "io/write/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/names/directory.h"
#include "io/sys.h"
#include "io/write/carry.h"
#include "io/write/temp.h"

#define TRIES 100 /* to open a file in a directory that others remove */

struct atomic_sink {
	struct slv_sink base;
	struct slv_target target;
	struct slv_site site; /* of the target */
	bool borrowed;        /* ... which is the caller's */
	char *dir;            /* owned; its directory */
	struct slv_temp temp;
	int lock;            /* also the temporary, until it has its name */
	uint64_t on_the_way; /* bytes on the way to the disk */
	bool exists;         /* the temporary exists and must be removed */
	unsigned made;       /* new directories, the last ones of ->dir */
	bool done;           /* the output has its name */
};

static void
release(struct atomic_sink *a)
{
	/* While it is still locked. */
	if (a->exists)
		(void)slv_temp_remove(&a->temp);
	if (a->temp.fd >= 0)
		slv_sys.close(a->temp.fd);
	if (a->lock >= 0)
		slv_sys.close(a->lock);
	if (!a->borrowed)
		slv_site_close(&a->site);
	if (!a->done)
		slv_directory_remove(a->dir, a->made);
	slv_free(a->dir);
	slv_free(a);
}

static enum slv_status
atomic_write(
    struct slv_sink *s, const void *bytes, size_t n, struct slv_err *err)
{
	struct atomic_sink *a = (struct atomic_sink *)s;

	SLV_TRY(slv_write_all(a->temp.fd, a->target.path, bytes, n, err));
	s->n += n;
	if (s->n - a->on_the_way >= SLV_FLUSH) {
		/* Only for speed. */
		(void)slv_sys.flush(a->temp.fd, (off_t)a->on_the_way,
		    (off_t)(s->n - a->on_the_way));
		a->on_the_way = s->n;
	}
	return SLV_OK;
}

static enum slv_status
carry_over(struct atomic_sink *a, struct slv_err *err)
{
	const struct slv_source *original = a->target.original;

	if (a->target.like == NULL)
		return SLV_OK;
	return slv_carry_over(a->temp.fd, a->target.path, a->target.like,
	    original != NULL ? slv_source_fd(original) : -1, err);
}

/* Take the name with an empty file, which no other process can do then, and
 * rename over it. */
static int
publish_over_placeholder(struct atomic_sink *a)
{
	const char *name = a->site.name;
	int os,
	    fd = slv_sys.open(a->site.dir, name,
	        O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return -1;
	slv_sys.close(fd);
	if (slv_sys.rename(a->site.dir, a->temp.name, name) == 0) {
		a->exists = false;
		return 0;
	}
	os = errno;
	slv_sys.unlink(a->site.dir, name);
	errno = os;
	return -1;
}

/* Give the temporary its name, refusing to replace anything. */
static int
publish_new(struct atomic_sink *a)
{
	int dir = a->site.dir;

	if (slv_sys.rename_new(dir, a->temp.name, a->site.name) == 0) {
		a->exists = false;
		return 0;
	}
	if (errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
		return -1;
	/* NFS does not support flags of rename; a hard link refuses alike. */
	if (slv_sys.link(dir, a->temp.name, a->site.name) == 0)
		return 0;
	if (errno != EPERM && errno != ENOSYS && errno != ENOTSUP)
		return -1;
	/* FAT does not support hard links either. */
	return publish_over_placeholder(a);
}

static enum slv_status
publish(struct atomic_sink *a, struct slv_err *err)
{
	if (!slv_temp_is_named(&a->temp))
		return slv_fail(err, SLV_E_IO,
		    "%s: its temporary file, %s, was removed or replaced by "
		    "another process; nothing was written",
		    a->target.path, a->temp.name);
	if (a->target.replace) {
		if (slv_sys.rename(a->site.dir, a->temp.name, a->site.name) < 0)
			return slv_fail_errno(
			    err, "%s: cannot rename to it", a->target.path);
		a->exists = false;
		return SLV_OK;
	}
	if (publish_new(a) == 0)
		return SLV_OK;
	if (errno == EEXIST)
		return slv_fail(err, SLV_E_EXISTS,
		    "%s: exists and holds something else; -f replaces it, -o "
		    "writes elsewhere",
		    a->target.path);
	return slv_fail_errno(err, "%s: cannot create it", a->target.path);
}

/* The directory of the target, and the new directories above it. */
static enum slv_status
sync_around(struct atomic_sink *a, struct slv_err *err)
{
	char *above;
	enum slv_status st;

	SLV_TRY(slv_site_sync(&a->site, err));
	if (a->made == 0)
		return SLV_OK;
	above = slv_temp_directory(a->dir);
	if (above == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = slv_directory_sync_made(above, a->made - 1, err);
	slv_free(above);
	return st;
}

static enum slv_status
atomic_commit(struct slv_sink *s, struct slv_err *err)
{
	struct atomic_sink *a = (struct atomic_sink *)s;
	enum slv_status st = carry_over(a, err);
	int fd = a->temp.fd;

	if (st == SLV_OK && slv_sys.fsync(fd) < 0)
		st = slv_fail_errno(err, "%s: fsync", a->target.path);
	a->lock = slv_sys.dup(fd);
	a->temp.fd = -1;
	if (slv_sys.close(fd) < 0 && st == SLV_OK)
		st = slv_fail_errno(
		    err, "%s: cannot finish writing", a->target.path);
	if (st == SLV_OK)
		st = publish(a, err);
	if (st == SLV_OK && a->exists && slv_temp_remove(&a->temp))
		a->exists = false;
	a->done = st == SLV_OK;
	if (st == SLV_OK)
		st = sync_around(a, err);
	release(a);
	return st;
}

static void
atomic_discard(struct slv_sink *s)
{
	release((struct atomic_sink *)s);
}

static enum slv_status
atomic_reread(struct slv_sink *s, struct slv_source **out, struct slv_err *err)
{
	struct atomic_sink *a = (struct atomic_sink *)s;
	struct stat st;
	int fd;

	/* To the disk first, so that what is reread comes from there. */
	if (slv_sys.fsync(a->temp.fd) < 0)
		return slv_fail_errno(err, "%s: fsync", a->target.path);
	fd = slv_sys.dup(a->temp.fd);
	if (fd < 0)
		return slv_fail_errno(
		    err, "%s: cannot read it back", a->target.path);
	return slv_source_fd_open(fd, a->target.path, out, &st, err);
}

static enum slv_status
atomic_cut(struct slv_sink *s, uint64_t n, struct slv_err *err)
{
	struct atomic_sink *a = (struct atomic_sink *)s;

	if (slv_sys.ftruncate(a->temp.fd, (off_t)n) < 0
	    || slv_sys.lseek(a->temp.fd, (off_t)n, SEEK_SET) < 0)
		return slv_fail_errno(
		    err, "%s: cannot shorten it", a->target.path);
	s->n = n;
	a->on_the_way = slv_min64(a->on_the_way, n);
	return SLV_OK;
}

/* Some file systems let two files share their blocks until one is written. */
static bool
atomic_clone(struct slv_sink *s, const struct slv_source *from)
{
	struct atomic_sink *a = (struct atomic_sink *)s;
	int fd = slv_source_fd(from);

	return fd >= 0 && slv_sys.clone(a->temp.fd, fd) == 0;
}

static const struct slv_sink_ops atomic_ops = {
	.write = atomic_write,
	.commit = atomic_commit,
	.discard = atomic_discard,
	.reread = atomic_reread,
	.cut = atomic_cut,
	.clone = atomic_clone,
};

static enum slv_status
open_folder(struct atomic_sink *a, struct slv_err *err)
{
	const struct slv_site *at = a->target.at;

	a->borrowed = at != NULL && at->path != NULL && at->dir >= 0;
	if (!a->borrowed)
		return slv_site_open(&a->site, a->target.path, err);
	a->site = slv_site_beside(at, a->target.path);
	return SLV_OK;
}

/* Open the directory, and the temporary in it.  A process that made a directory
 * may remove it while it is empty. */
static enum slv_status
open_temporary(struct atomic_sink *a, struct slv_err *err)
{
	/* Less the umask. */
	mode_t mode = a->target.like != NULL
	    ? 0600
	    : slv_mode_within(a->target.from, 0666);

	for (int i = 0; i < TRIES; i++) {
		SLV_TRY(open_folder(a, err));
		if (slv_temp_create(&a->site, mode, &a->temp, err) == SLV_OK
		    || err->os != ENOENT || !a->target.make_dirs || a->borrowed)
			break;
		slv_site_close(&a->site);
		*err = (struct slv_err){ 0 };
		SLV_TRY(slv_directory_make(a->dir, &a->made, err));
	}
	return err->code;
}

enum slv_status
slv_sink_atomic(
    const struct slv_target *target, struct slv_sink **out, struct slv_err *err)
{
	struct atomic_sink *a = slv_calloc(1, sizeof(*a));

	if (a == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	a->base.ops = &atomic_ops;
	a->target = *target;
	a->temp.fd = a->lock = -1;
	a->dir = slv_temp_directory(target->path);
	if (a->dir == NULL)
		slv_fail(err, SLV_E_NOMEM, "out of memory");
	else
		open_temporary(a, err);
	if (a->temp.fd < 0) {
		release(a);
		return err->code;
	}
	a->exists = true;
	*out = &a->base;
	return SLV_OK;
}
