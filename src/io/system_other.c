/* system_other.c - what another system than Linux answers.
 *
 * Callers do without what is not supported.
 */
#include "io/system.h"

#include <errno.h>
#include <unistd.h>

#include "io/machine.h"

static int
unsupported(void)
{
	errno = ENOTSUP;
	return -1;
}

int
slv_system_clone(int to, int from)
{
	(void)to, (void)from;
	return unsupported();
}

int
slv_system_reserve(int fd, off_t off, off_t len)
{
	(void)fd, (void)off, (void)len;
	return unsupported();
}

int
slv_system_flush(int fd, off_t off, off_t len)
{
	(void)fd, (void)off, (void)len;
	return unsupported();
}

ssize_t
slv_system_flistxattr(int fd, char *list, size_t n)
{
	(void)fd, (void)list, (void)n;
	return unsupported();
}

ssize_t
slv_system_fgetxattr(int fd, const char *name, void *value, size_t n)
{
	(void)fd, (void)name, (void)value, (void)n;
	return unsupported();
}

int
slv_system_fsetxattr(int fd, const char *name, const void *value, size_t n)
{
	(void)fd, (void)name, (void)value, (void)n;
	return unsupported();
}

int
slv_system_rename_new(int dir, const char *from, const char *to)
{
	(void)dir, (void)from, (void)to;
	return unsupported();
}

ssize_t
slv_system_random(void *buf, size_t n)
{
	return getentropy(buf, n) == 0 ? (ssize_t)n : -1;
}

uint64_t
slv_machine_memory(void)
{
	return SIZE_MAX;
}
