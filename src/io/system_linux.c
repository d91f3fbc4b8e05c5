/* system_linux.c - calls that only Linux has. */
#include "io/system.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <sys/xattr.h>

#include "io/machine.h"

int
slv_system_clone(int to, int from)
{
	return ioctl(to, FICLONE, from);
}

int
slv_system_reserve(int fd, off_t off, off_t len)
{
	return fallocate(fd, FALLOC_FL_KEEP_SIZE, off, len);
}

int
slv_system_flush(int fd, off_t off, off_t len)
{
	return sync_file_range(fd, off, len, SYNC_FILE_RANGE_WRITE);
}

int
slv_system_fsetxattr(int fd, const char *name, const void *value, size_t n)
{
	return fsetxattr(fd, name, value, n, 0);
}

int
slv_system_rename_new(int dir, const char *from, const char *to)
{
	return renameat2(dir, from, dir, to, RENAME_NOREPLACE);
}

ssize_t
slv_system_random(void *buf, size_t n)
{
	return getrandom(buf, n, 0);
}

ssize_t
slv_system_flistxattr(int fd, char *list, size_t n)
{
	return flistxattr(fd, list, n);
}

ssize_t
slv_system_fgetxattr(int fd, const char *name, void *value, size_t n)
{
	return fgetxattr(fd, name, value, n);
}

uint64_t
slv_machine_memory(void)
{
	struct sysinfo info;

	if (sysinfo(&info) != 0)
		return UINT64_MAX;
	return (uint64_t)info.totalram * info.mem_unit;
}
