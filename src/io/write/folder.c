/* folder.c - a folder of files that appears under its name when it is complete. */
#include "io/write/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "io/sys.h"
#include "io/write/sink.h"

#define TRIES 100               /* random names */
#define STEP  ((size_t)1 << 15) /* bytes that are compared at once */

static bool
choose_name(struct slv_folder *f)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
	uint8_t bits[12];
	char tail[sizeof(bits) + 1] = "";

	if (slv_sys.random(bits, sizeof(bits)) != sizeof(bits))
		return false;
	for (size_t i = 0; i < sizeof(bits); i++)
		tail[i] = letters[bits[i] % 32];
	snprintf(f->temp, sizeof(f->temp), ".salvor-%s", tail);
	return true;
}

/* Make the folder, and open it. */
static bool
make(struct slv_folder *f)
{
	for (int i = 0; i < TRIES; i++) {
		if (!choose_name(f))
			return false;
		if (slv_sys.mkdir(f->at.dir, f->temp, 0777) == 0) {
			f->dir = slv_sys.open(f->at.dir, f->temp,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
			return f->dir >= 0;
		}
		if (errno != EEXIST)
			break;
	}
	f->temp[0] = '\0';
	return false;
}

enum slv_status
slv_folder_begin(struct slv_folder *f, const char *path, struct slv_err *err)
{
	*f = (struct slv_folder){ .dir = -1 };
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
		free(copy);
		return err->code;
	}
	fd = slv_sys.open(
	    f->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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

/* Have two open files the same bytes? */
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

/* Has the other folder this file? */
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

/* How many names are in a folder; takes over the descriptor. */
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
		*n +=
		    strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(dir);
	return errno == 0;
}

enum slv_status
slv_folder_compare(
    struct slv_folder *f, bool *there, bool *same, struct slv_err *err)
{
	int fd = slv_sys.open(f->at.dir, f->at.name,
	    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	size_t n;
	int other;

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
	*same = n == f->n_files;
	for (size_t i = 0; *same && i < n; i++)
		*same = has_file(f, fd, f->files[i]);
	slv_sys.close(fd);
	return SLV_OK;
}

/* Bring a file to the disk. */
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
	f->temp[0] = '\0';
	return slv_site_sync(&f->at, err);
}

void
slv_folder_free(struct slv_folder *f)
{
	for (size_t i = 0; i < f->n_files; i++) {
		if (f->dir >= 0 && f->temp[0] != '\0')
			(void)slv_sys.unlink(f->dir, f->files[i]);
		free(f->files[i]);
	}
	free(f->files);
	if (f->dir >= 0)
		slv_sys.close(f->dir);
	if (f->temp[0] != '\0')
		(void)slv_sys.rmdir(f->at.dir, f->temp);
	slv_site_close(&f->at);
}
