/* sys.c - every system call that salvor makes on files, in one table. */
#include "io/sys.h"

#include <linux/fs.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PATIENCE 250 /* ms between checks of slv_options.cancel */

static int
sys_open(int dir, const char *path, int flags, mode_t mode)
{
	return openat(dir, path, flags, mode);
}

static int
sys_dup(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 3);
}

static int
sys_stat(const char *path, struct stat *st)
{
	return stat(path, st);
}

static int
sys_look(int dir, const char *name, struct stat *st)
{
	return fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW);
}

static int
sys_fstat(int fd, struct stat *st)
{
	return fstat(fd, st);
}

static int
sys_wait(int fd, bool out)
{
	struct pollfd p = { .fd = fd, .events = out ? POLLOUT : POLLIN };

	return poll(&p, 1, PATIENCE);
}

static int
sys_clone(int to, int from)
{
	return ioctl(to, FICLONE, from);
}

static int
sys_reserve(int fd, off_t off, off_t len)
{
	return fallocate(fd, FALLOC_FL_KEEP_SIZE, off, len);
}

static int
sys_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB);
}

static int
sys_flush(int fd, off_t off, off_t len)
{
	return sync_file_range(fd, off, len, SYNC_FILE_RANGE_WRITE);
}

static int
sys_onward(int fd)
{
	/* Kernels before 6.3 do not distinguish by the second one. */
	int bad = posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);

	return bad != 0 ? bad : posix_fadvise(fd, 0, 0, POSIX_FADV_NOREUSE);
}

static int
sys_fsetxattr(int fd, const char *name, const void *value, size_t n)
{
	return fsetxattr(fd, name, value, n, 0);
}

static int
sys_rename(int dir, const char *from, const char *to)
{
	return renameat(dir, from, dir, to);
}

static int
sys_rename_new(int dir, const char *from, const char *to)
{
	return renameat2(dir, from, dir, to, RENAME_NOREPLACE);
}

static int
sys_link(int dir, const char *from, const char *to)
{
	return linkat(dir, from, dir, to, 0);
}

static int
sys_unlink(int dir, const char *name)
{
	return unlinkat(dir, name, 0);
}

static int
sys_rmdir(int dir, const char *path)
{
	return unlinkat(dir, path, AT_REMOVEDIR);
}

static ssize_t
sys_random(void *buf, size_t n)
{
	return getrandom(buf, n, 0);
}

static int
sys_fcntl(int fd, int cmd, int arg)
{
	return fcntl(fd, cmd, arg);
}

struct slv_sys slv_sys = {
	.open = sys_open,
	.close = close,
	.dup = sys_dup,
	.stat = sys_stat,
	.look = sys_look,
	.fstat = sys_fstat,
	.statvfs = statvfs,
	.readlink = readlinkat,
	.realpath = realpath,
	.lseek = lseek,
	.pread = pread,
	.wait = sys_wait,
	.read = read,
	.write = write,
	.pwrite = pwrite,
	.ftruncate = ftruncate,
	.reserve = sys_reserve,
	.lock = sys_lock,
	.clone = sys_clone,
	.fsync = fsync,
	.flush = sys_flush,
	.onward = sys_onward,
	.fchmod = fchmod,
	.fchown = fchown,
	.futimens = futimens,
	.flistxattr = flistxattr,
	.fgetxattr = fgetxattr,
	.fsetxattr = sys_fsetxattr,
	.rename = sys_rename,
	.rename_new = sys_rename_new,
	.link = sys_link,
	.symlink = symlinkat,
	.unlink = sys_unlink,
	.mkdir = mkdirat,
	.rmdir = sys_rmdir,
	.random = sys_random,
	.fcntl = sys_fcntl,
};
