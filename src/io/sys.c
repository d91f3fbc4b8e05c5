/* sys.c - every system call that salvor makes on files, in one table. */
#include "io/sys.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include "io/system.h"

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
sys_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB);
}

static int
sys_onward(int fd)
{
	/* Kernels before 6.3 do not distinguish by the second one. */
	int bad = posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);

	return bad != 0 ? bad : posix_fadvise(fd, 0, 0, POSIX_FADV_NOREUSE);
}

static int
sys_rename(int dir, const char *from, const char *to)
{
	return renameat(dir, from, dir, to);
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
	.reserve = slv_system_reserve,
	.lock = sys_lock,
	.clone = slv_system_clone,
	.fsync = fsync,
	.flush = slv_system_flush,
	.onward = sys_onward,
	.fchmod = fchmod,
	.fchown = fchown,
	.futimens = futimens,
	.flistxattr = slv_system_flistxattr,
	.fgetxattr = slv_system_fgetxattr,
	.fsetxattr = slv_system_fsetxattr,
	.rename = sys_rename,
	.rename_new = slv_system_rename_new,
	.link = sys_link,
	.symlink = symlinkat,
	.unlink = sys_unlink,
	.mkdir = mkdirat,
	.rmdir = sys_rmdir,
	.random = slv_system_random,
	.fcntl = sys_fcntl,
};
