/* disk_sys.c - the calls of slv_sys, on a disk in memory. */
#include "crash/disk.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/sys.h"

#define FDS   16
#define FIRST 1000 /* the lowest descriptor: none of the system's */

struct open_file {
	int file;             /* -1: free; -2: a directory; -3: a link */
	char path[DISK_PATH]; /* of a directory or a link */
	size_t at;
};

static struct slv_sys real;
static struct disk *disk;
static struct disk_log *taken;
static struct open_file fds[FDS];
static unsigned chance;

/* Do an atom, and take it down. */
static void
change(struct atom a)
{
	disk_do(disk, &a);
	if (a.kind != ATOM_NAME)
		disk->files[a.file].changes++;
	if (taken == NULL)
		return;
	if (taken->n == taken->cap) {
		taken->cap = taken->cap * 2 + 64;
		taken->at = realloc(taken->at, taken->cap * sizeof(*taken->at));
		if (taken->at == NULL)
			abort();
	}
	a.step = taken->steps;
	a.safe = UINT_MAX;
	taken->at[taken->n++] = a;
}

static void
step(void)
{
	if (taken != NULL)
		taken->steps++;
}

static void
name(const char *path, int file, const char *from, const char *link)
{
	struct atom a = { .kind = ATOM_NAME, .file = file };

	snprintf(a.path, sizeof(a.path), "%s", path);
	snprintf(a.from, sizeof(a.from), "%s", from);
	snprintf(a.link, sizeof(a.link), "%s", link);
	change(a);
}

static struct open_file *
of(int fd)
{
	if (fd < FIRST || fd >= FIRST + FDS || fds[fd - FIRST].file == -1)
		abort();
	return &fds[fd - FIRST];
}

static struct blob *
bytes_of(int fd)
{
	return &disk->files[of(fd)->file].bytes;
}

static int
open_as(int file, const char *path)
{
	for (int i = 0; i < FDS; i++) {
		if (fds[i].file == -1) {
			fds[i] = (struct open_file){ .file = file };
			snprintf(fds[i].path, sizeof(fds[i].path), "%s", path);
			return FIRST + i;
		}
	}
	abort();
}

static int
refuse(int os)
{
	errno = os;
	return -1;
}

/* The path of a name in a directory. */
static const char *
path_in(int dir, const char *name)
{
	static char paths[2][DISK_PATH];
	static int turn;
	char *path = paths[turn = !turn];

	if (dir == AT_FDCWD || *name == '/')
		return name;
	if (strcmp(name, ".") == 0 || *name == '\0')
		return of(dir)->path;
	snprintf(path, DISK_PATH, "%.30s/%.30s", of(dir)->path, name);
	return path;
}

static bool
is_link(const char *path)
{
	const struct disk_name *at = disk_find(disk, path);

	return at != NULL && disk->files[at->file].link[0] != '\0';
}

static int
disk_open(int dir, const char *name_in, int flags, mode_t mode)
{
	const char *path = path_in(dir, name_in);
	int file = disk_follow(disk, path);

	(void)mode;
	if (flags & O_DIRECTORY)
		return open_as(-2, path);
	if ((flags & O_NOFOLLOW) && is_link(path))
		return flags & O_PATH ? open_as(-3, path) : refuse(ELOOP);
	if (flags & O_CREAT) {
		if (disk_find(disk, path) != NULL)
			return refuse(EEXIST);
		step();
		file = disk_add(disk, disk->n_files);
		name(path, file, "", "");
	}
	return file >= 0 ? open_as(file, "") : refuse(ENOENT);
}

static int
disk_close(int fd)
{
	of(fd)->file = -1;
	return 0;
}

static int
disk_dup(int fd)
{
	return open_as(of(fd)->file, of(fd)->path);
}

static int
describe(int file, struct stat *st)
{
	memset(st, 0, sizeof(*st));
	if (file == -1)
		return refuse(ENOENT);
	st->st_dev = 1;
	st->st_ino = (ino_t)file + 1;
	st->st_nlink = 1;
	st->st_mode = S_IFREG | 0644;
	st->st_size = (off_t)disk->files[file].bytes.n;
	st->st_mtim.tv_sec = (time_t)disk->files[file].changes;
	return 0;
}

static int
disk_stat(const char *path, struct stat *st)
{
	return describe(disk_follow(disk, path), st);
}

static int
disk_look(int dir, const char *name_in, struct stat *st)
{
	const char *path = path_in(dir, name_in);
	const struct disk_name *at = disk_find(disk, path);
	int bad = describe(at != NULL ? at->file : -1, st);

	if (is_link(path))
		st->st_mode = S_IFLNK | 0777;
	return bad;
}

static int
disk_fstat(int fd, struct stat *st)
{
	int file = of(fd)->file;

	if (file == -3)
		return disk_look(AT_FDCWD, of(fd)->path, st);
	if (file != -2)
		return describe(file, st);
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFDIR | 0755;
	return 0;
}

static int
disk_statvfs(const char *path, struct statvfs *st)
{
	(void)path;
	(void)st;
	return refuse(ENOSYS);
}

static ssize_t
disk_readlink(int dir, const char *name_in, char *buf, size_t n)
{
	const struct disk_name *at = disk_find(disk, path_in(dir, name_in));
	const char *link = at != NULL ? disk->files[at->file].link : "";
	size_t len = strlen(link);

	if (len == 0)
		return refuse(at != NULL ? EINVAL : ENOENT);
	len = len < n ? len : n;
	memcpy(buf, link, len);
	return (ssize_t)len;
}

static char *
disk_realpath(const char *path, char *buf)
{
	return strcpy(buf, path);
}

static off_t
disk_lseek(int fd, off_t off, int whence)
{
	(void)fd;
	(void)off;
	(void)whence;
	return refuse(EINVAL);
}

static ssize_t
disk_pread(int fd, void *buf, size_t n, off_t off)
{
	const struct blob *b = bytes_of(fd);
	size_t at = (size_t)off;

	if (at >= b->n)
		return 0;
	n = n < b->n - at ? n : b->n - at;
	memcpy(buf, b->at + at, n);
	return (ssize_t)n;
}

static ssize_t
disk_pwrite(int fd, const void *buf, size_t n, off_t off)
{
	const uint8_t *from = buf;
	size_t at = (size_t)off, end = at + n;

	step();
	if (end > bytes_of(fd)->n)
		change((struct atom){
		    .kind = ATOM_GROW, .file = of(fd)->file, .n = end });
	while (at < end) {
		struct atom a = {
			.kind = ATOM_BYTES,
			.file = of(fd)->file,
			.off = at,
			.n = 512 - at % 512,
		};

		a.n = a.n < end - at ? a.n : end - at;
		memcpy(a.sector, from, a.n);
		change(a);
		from += a.n;
		at += a.n;
	}
	return (ssize_t)n;
}

static ssize_t
disk_write(int fd, const void *buf, size_t n)
{
	ssize_t put = disk_pwrite(fd, buf, n, (off_t)of(fd)->at);

	of(fd)->at += n;
	return put;
}

static int
disk_ftruncate(int fd, off_t size)
{
	size_t n = (size_t)size;

	step();
	change((struct atom){
	    .kind = n > bytes_of(fd)->n ? ATOM_GROW : ATOM_CUT,
	    .file = of(fd)->file,
	    .n = n,
	});
	return 0;
}

static int
disk_reserve(int fd, off_t off, off_t len)
{
	(void)fd;
	(void)off;
	(void)len;
	return 0;
}

static int
disk_lock(int fd)
{
	(void)fd;
	return 0;
}

/* Whether a path is in a directory. */
static bool
is_in(const char *path, const char *dir)
{
	const char *slash = strrchr(path, '/');
	size_t n = strlen(dir);

	return slash != NULL && (size_t)(slash - path) == n
	    && memcmp(path, dir, n) == 0;
}

static int
disk_fsync(int fd)
{
	const struct open_file *o = of(fd);

	step();
	for (size_t i = 0; taken != NULL && i < taken->n; i++) {
		struct atom *a = &taken->at[i];
		bool safe = o->file >= 0
		    ? a->kind != ATOM_NAME && a->file == o->file
		    : a->kind == ATOM_NAME && is_in(a->path, o->path);

		if (safe && a->safe == UINT_MAX)
			a->safe = taken->steps;
	}
	return 0;
}

static int
disk_fchmod(int fd, mode_t mode)
{
	(void)fd;
	(void)mode;
	return 0;
}

static int
disk_fchown(int fd, uid_t uid, gid_t gid)
{
	(void)fd;
	(void)uid;
	(void)gid;
	return 0;
}

static int
disk_futimens(int fd, const struct timespec times[2])
{
	(void)fd;
	(void)times;
	return 0;
}

static ssize_t
disk_flistxattr(int fd, char *list, size_t n)
{
	(void)fd;
	(void)list;
	(void)n;
	return refuse(ENOTSUP);
}

static int
disk_rename(int dir, const char *from, const char *to)
{
	const char *old = path_in(dir, from);

	step();
	name(path_in(dir, to), disk_find(disk, old)->file, old, "");
	return 0;
}

static int
disk_rename_new(int dir, const char *from, const char *to)
{
	return disk_find(disk, path_in(dir, to)) != NULL
	    ? refuse(EEXIST)
	    : disk_rename(dir, from, to);
}

static int
disk_symlink(const char *to, int dir, const char *name_in)
{
	const char *path = path_in(dir, name_in);

	if (disk_find(disk, path) != NULL)
		return refuse(EEXIST);
	step();
	name(path, disk_add(disk, disk->n_files), "", to);
	return 0;
}

static int
disk_unlink(int dir, const char *name_in)
{
	const char *path = path_in(dir, name_in);

	if (disk_find(disk, path) == NULL)
		return refuse(ENOENT);
	step();
	name(path, -1, "", "");
	return 0;
}

static ssize_t
disk_random(void *buf, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)buf)[i] = (uint8_t)(chance++ * 37);
	return (ssize_t)n;
}

/* Nobody else has anything open. */
static int
disk_fcntl(int fd, int cmd, int arg)
{
	(void)fd;
	(void)cmd;
	(void)arg;
	return 0;
}

void
disk_on(struct disk *d, struct disk_log *l)
{
	disk = d;
	taken = l;
	chance = 0;
	for (int i = 0; i < FDS; i++)
		fds[i].file = -1;
	real = slv_sys;
	/* What is left out is not to be called. */
	slv_sys = (struct slv_sys){
		.open = disk_open,
		.close = disk_close,
		.dup = disk_dup,
		.stat = disk_stat,
		.look = disk_look,
		.fstat = disk_fstat,
		.statvfs = disk_statvfs,
		.readlink = disk_readlink,
		.realpath = disk_realpath,
		.lseek = disk_lseek,
		.pread = disk_pread,
		.write = disk_write,
		.pwrite = disk_pwrite,
		.ftruncate = disk_ftruncate,
		.reserve = disk_reserve,
		.lock = disk_lock,
		.fsync = disk_fsync,
		.fchmod = disk_fchmod,
		.fchown = disk_fchown,
		.futimens = disk_futimens,
		.flistxattr = disk_flistxattr,
		.rename = disk_rename,
		.rename_new = disk_rename_new,
		.symlink = disk_symlink,
		.unlink = disk_unlink,
		.random = disk_random,
		.fcntl = disk_fcntl,
	};
}

void
disk_off(void)
{
	slv_sys = real;
}
