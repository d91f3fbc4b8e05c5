/* sys.c - every system call that salvor makes on files, in one table. */
#include "io/sys.h"

#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

static int
sys_open(const char *path, int flags, mode_t mode)
{
	return open(path, flags, mode);
}

static int
sys_stat(const char *path, struct stat *st)
{
	return stat(path, st);
}

static int
sys_fstat(int fd, struct stat *st)
{
	return fstat(fd, st);
}

static int
sys_rename_new(const char *from, const char *to)
{
	return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
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
	.stat = sys_stat,
	.fstat = sys_fstat,
	.lseek = lseek,
	.pread = pread,
	.write = write,
	.fsync = fsync,
	.fchmod = fchmod,
	.fchown = fchown,
	.futimens = futimens,
	.rename = rename,
	.rename_new = sys_rename_new,
	.link = link,
	.unlink = unlink,
	.random = sys_random,
	.fcntl = sys_fcntl,
};
