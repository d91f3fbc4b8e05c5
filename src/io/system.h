/* system.h - the calls of slv_sys that only Linux has.
 *
 * configure chooses system_linux.c or system_other.c.
 */
#ifndef SLV_IO_SYSTEM_H
#define SLV_IO_SYSTEM_H

#include <sys/types.h>

int slv_system_clone(int to, int from);
int slv_system_reserve(int fd, off_t off, off_t len);
int slv_system_flush(int fd, off_t off, off_t len);
ssize_t slv_system_flistxattr(int fd, char *list, size_t n);
ssize_t slv_system_fgetxattr(int fd, const char *name, void *value, size_t n);
int slv_system_fsetxattr(int fd, const char *name, const void *value, size_t n);
int slv_system_rename_new(int dir, const char *from, const char *to);
ssize_t slv_system_random(void *buf, size_t n);

#endif
