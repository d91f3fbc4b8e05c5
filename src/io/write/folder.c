/* folder.c - a folder of files that appears under its name when it is complete.
 *
 * A folder that a killed process left is emptied only if it has the mark, and both belong
 * to the caller: where others can rename folders, any folder of the caller could have the
 * name.
 */
#include "io/write/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fnv.h"
#include "base/list.h"
#include "io/sys.h"
#include "io/write/carry.h"
#include "io/write/sink.h"

#define TRIES 100               /* random names */
#define STEP  ((size_t)1 << 15) /* bytes that are compared at once */
#define MARK  ".salvor-part"

/* Open a folder next to the output; -1: see errno. */
static int
open_folder(const struct slv_folder *f, const char *name)
{
	return slv_sys.open(f->at.dir, name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
}

/* Before the folder was locked, another process removed it as one that a killed process
 * left: another name may work. */
static bool
lose(struct slv_folder *f)
{
	if (errno != ENOENT)
		return false;
	if (f->dir >= 0)
		slv_sys.close(f->dir);
	f->dir = -1;
	f->made = false;
	errno = EEXIST;
	return false;
}

/* Make the folder, open, lock and mark it.  false: if errno is EEXIST, another name may
 * work. */
static bool
create(struct slv_folder *f)
{
	int mark;

	if (slv_sys.mkdir(f->at.dir, f->temp, slv_mode_within(f->from, 0777))
	    < 0)
		return false;
	f->made = true;
	f->dir = open_folder(f, f->temp);
	if (f->dir < 0)
		return lose(f);
	(void)slv_sys.lock(f->dir);
	mark = slv_sys.open(
	    f->dir, MARK, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return mark < 0 ? lose(f) : slv_sys.close(mark) == 0;
}

/* Return true if no process works on a folder of the caller.  Its lock ended with the
 * process. */
static bool
is_idle(int folder)
{
	struct stat st;

	return slv_sys.fstat(folder, &st) == 0 && st.st_uid == geteuid()
	    && slv_sys.lock(folder) == 0;
}

static bool
is_marked(int folder)
{
	struct stat mark;

	return slv_sys.look(folder, MARK, &mark) == 0 && S_ISREG(mark.st_mode)
	    && mark.st_uid == geteuid() && mark.st_size == 0
	    && mark.st_nlink == 1;
}

/* Remove the files in a folder, and the mark last. */
static void
empty(int folder)
{
	int fd = slv_sys.dup(folder);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, MARK) != 0)
			(void)slv_sys.unlink(folder, e->d_name);
	}
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		slv_sys.close(fd);
	(void)slv_sys.unlink(folder, MARK);
}

/* Remove what a killed process left under the name: marked, or empty. */
static bool
clear(struct slv_folder *f)
{
	int fd = open_folder(f, f->temp);
	bool gone = false;

	if (fd < 0)
		return errno == ENOENT;
	if (is_idle(fd)) {
		if (is_marked(fd))
			empty(fd);
		gone = slv_sys.rmdir(f->at.dir, f->temp) == 0;
	}
	slv_sys.close(fd);
	return gone;
}

/* Make the folder under a name that follows from its own, or any. */
static bool
make(struct slv_folder *f)
{
	uint64_t bits = slv_fnv(SLV_FNV, f->at.name, strlen(f->at.name) + 1);

	for (int i = 0; i < SLV_TEMP_SLOTS + TRIES && !f->made; i++) {
		bool slot = i < SLV_TEMP_SLOTS;

		if (!slot
		    && slv_sys.random(&bits, sizeof(bits)) != sizeof(bits))
			return false;
		slv_temp_name(f->temp, slot ? bits + (uint64_t)i : bits);
		if (create(f))
			return true;
		if (f->made || errno != EEXIST)
			return false;
		if (slot && clear(f) && create(f))
			return true;
	}
	return false;
}

enum slv_status
slv_folder_begin(struct slv_folder *f, const char *path,
    const struct stat *from, struct slv_err *err)
{
	*f = (struct slv_folder){ .dir = -1, .from = from };
	SLV_TRY(slv_site_open(&f->at, path, err));
	errno = ENOENT;
	if (f->at.dir < 0 || !make(f))
		return slv_fail_errno(
		    err, "%s: cannot make a folder beside it", path);
	return SLV_OK;
}

enum slv_status
slv_folder_add(struct slv_folder *f, const char *name, struct slv_err *err)
{
	char *copy = slv_strdup(name);
	int fd;

	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (SLV_ADD(f, files, err, copy) != SLV_OK) {
		slv_free(copy);
		return err->code;
	}
	fd = slv_sys.open(f->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
	    slv_mode_within(f->from, 0666));
	if (fd < 0 || slv_sys.close(fd) < 0)
		return slv_fail_errno(
		    err, "%s: cannot make a file for it", f->at.path);
	return SLV_OK;
}

enum slv_status
slv_folder_append(struct slv_folder *f, size_t file, const void *bytes,
    size_t n, struct slv_err *err)
{
	int fd = slv_sys.open(f->dir, f->files[file],
	    O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0);
	enum slv_status st;

	if (fd < 0)
		return slv_fail_errno(
		    err, "%s: cannot open a file of it", f->at.path);
	st = slv_write_all(fd, f->at.path, bytes, n, err);
	if (slv_sys.close(fd) < 0 && st == SLV_OK)
		st = slv_fail_errno(
		    err, "%s: cannot write a file of it", f->at.path);
	return st;
}

/* Read as much as there is, up to n bytes; -1: errno. */
static ssize_t
read_all(int fd, uint8_t *to, size_t n, off_t off)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got =
		    slv_sys.pread(fd, to + have, n - have, off + (off_t)have);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got == 0)
			break;
		have += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)have;
}

/* Return true if two open files have the same bytes. */
static bool
are_same(int a, int b)
{
	uint8_t left[STEP], right[STEP];

	for (off_t off = 0;; off += (off_t)STEP) {
		ssize_t n = read_all(a, left, STEP, off);
		ssize_t m = read_all(b, right, STEP, off);

		if (n < 0 || n != m || memcmp(left, right, (size_t)n) != 0)
			return false;
		if (n < (ssize_t)STEP)
			return true;
	}
}

/* Return true if the other folder has the same file. */
static bool
has_file(const struct slv_folder *f, int other, const char *name)
{
	const int flags =
	    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int a = slv_sys.open(f->dir, name, flags, 0);
	int b = slv_sys.open(other, name, flags, 0);
	bool same = a >= 0 && b >= 0 && are_same(a, b);

	if (a >= 0)
		slv_sys.close(a);
	if (b >= 0)
		slv_sys.close(b);
	return same;
}

/* How many names but the mark are in a folder; takes over the descriptor. */
static bool
count_names(int fd, size_t *n)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *e;

	*n = 0;
	if (dir == NULL) {
		slv_sys.close(fd);
		return false;
	}
	for (errno = 0; (e = readdir(dir)) != NULL;)
		*n += strcmp(e->d_name, ".") != 0
		    && strcmp(e->d_name, "..") != 0
		    && strcmp(e->d_name, MARK) != 0;
	closedir(dir);
	return errno == 0;
}

enum slv_status
slv_folder_compare(
    struct slv_folder *f, bool *there, bool *same, struct slv_err *err)
{
	int fd = open_folder(f, f->at.name), other;
	struct stat st;
	size_t n;

	*same = false;
	*there = fd >= 0 || errno != ENOENT;
	if (fd < 0)
		return SLV_OK;
	other = slv_sys.dup(fd);
	if (other < 0 || !count_names(other, &n)) {
		slv_sys.close(fd);
		return slv_fail_errno(err, "%s: cannot read it", f->at.path);
	}
	*there = n > 0;
	*same = n == f->n_files && slv_sys.fstat(fd, &st) == 0
	    && !slv_site_is_planted(f->at.dir, &st);
	/* Whoever else has put it there can change it at any time. */
	for (size_t i = 0; *same && i < n; i++)
		*same = has_file(f, fd, f->files[i]);
	/* A process was killed when the folder had just got its name. */
	if (*same && is_idle(fd) && is_marked(fd))
		(void)slv_sys.unlink(fd, MARK);
	slv_sys.close(fd);
	return SLV_OK;
}

/* Flush a file to the disk. */
static enum slv_status
sync_file(struct slv_folder *f, const char *name, struct slv_err *err)
{
	int fd =
	    slv_sys.open(f->dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
	enum slv_status st = SLV_OK;

	if (fd < 0 || slv_sys.fsync(fd) < 0)
		st = slv_fail_errno(
		    err, "%s: cannot write a file of it: fsync", f->at.path);
	if (fd >= 0)
		slv_sys.close(fd);
	return st;
}

enum slv_status
slv_folder_commit(struct slv_folder *f, struct slv_err *err)
{
	for (size_t i = 0; i < f->n_files; i++)
		SLV_TRY(sync_file(f, f->files[i], err));
	/* Some file systems cannot sync a directory and return EINVAL. */
	if (slv_sys.fsync(f->dir) < 0 && errno != EINVAL)
		return slv_fail_errno(err, "%s: fsync", f->at.path);
	/* A folder that is not empty is never replaced by the system. */
	if (slv_sys.rename(f->at.dir, f->temp, f->at.name) < 0) {
		bool taken =
		    errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR;

		return taken ? slv_fail(err, SLV_E_EXISTS,
		           "%s: exists and holds something else; "
		           "remove it, or -o writes elsewhere",
		           f->at.path)
		             : slv_fail_errno(err,
		                 "%s: cannot give it its name", f->at.path);
	}
	f->made = false;
	SLV_TRY(slv_site_sync(&f->at, err));
	if (slv_sys.unlink(f->dir, MARK) < 0)
		return slv_fail_errno(err,
		    "%s: is complete; cannot remove " MARK " in it",
		    f->at.path);
	return SLV_OK;
}

void
slv_folder_free(struct slv_folder *f)
{
	for (size_t i = 0; i < f->n_files; i++) {
		if (f->dir >= 0 && f->made)
			(void)slv_sys.unlink(f->dir, f->files[i]);
		slv_free(f->files[i]);
	}
	slv_free(f->files);
	if (f->dir >= 0 && f->made)
		(void)slv_sys.unlink(f->dir, MARK);
	if (f->dir >= 0)
		slv_sys.close(f->dir);
	if (f->made)
		(void)slv_sys.rmdir(f->at.dir, f->temp);
	slv_site_close(&f->at);
}
