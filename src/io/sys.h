/* sys.h - every system call that salvor makes on files, in one table.
 *
 * The table is the seam where tests make the k-th call fail, kill the
 * process, or write down the order of calls.  Only tests change it.
 */
#ifndef SLV_IO_SYS_H
#define SLV_IO_SYS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

/* Not every C library has names for them; a system that does not know them
 * answers EINVAL. */
#ifndef SEEK_DATA
#define SEEK_DATA 3
#define SEEK_HOLE 4
#endif

#define SLV_FLUSH ((uint64_t)8 << 20) /* bytes that may wait for an fsync */

struct slv_sys {
	int (*open)(int dir, const char *path, int flags, mode_t mode);
	int (*close)(int fd);
	int (*dup)(int fd);
	int (*stat)(const char *path, struct stat *);
	int (*look)(int dir, const char *name, struct stat *);
	int (*fstat)(int fd, struct stat *);
	int (*statvfs)(const char *path, struct statvfs *);
	ssize_t (*readlink)(int dir, const char *path, char *buf, size_t n);
	char *(*realpath)(const char *path, char *buf);
	off_t (*lseek)(int fd, off_t off, int whence);
	ssize_t (*pread)(int fd, void *buf, size_t n, off_t off);
	int (*wait)(int fd, bool out);
	ssize_t (*read)(int fd, void *buf, size_t n);
	ssize_t (*write)(int fd, const void *buf, size_t n);
	ssize_t (*pwrite)(int fd, const void *buf, size_t n, off_t off);
	int (*ftruncate)(int fd, off_t size);
	int (*reserve)(int fd, off_t off, off_t len);
	int (*lock)(int fd);
	int (*clone)(int to, int from);
	int (*fsync)(int fd);
	int (*flush)(int fd, off_t off, off_t len);
	int (*onward)(int fd);
	int (*fchmod)(int fd, mode_t mode);
	int (*fchown)(int fd, uid_t uid, gid_t gid);
	int (*futimens)(int fd, const struct timespec times[2]);
	ssize_t (*flistxattr)(int fd, char *list, size_t n);
	ssize_t (*fgetxattr)(int fd, const char *name, void *value, size_t n);
	int (*fsetxattr)(int fd, const char *name, const void *value, size_t n);
	int (*rename)(int dir, const char *from, const char *to);
	int (*rename_new)(int dir, const char *from, const char *to);
	int (*link)(int dir, const char *from, const char *to);
	int (*symlink)(const char *to, int dir, const char *name);
	int (*unlink)(int dir, const char *name);
	int (*mkdir)(int dir, const char *path, mode_t mode);
	int (*rmdir)(int dir, const char *path);
	ssize_t (*random)(void *buf, size_t n);
	int (*fcntl)(int fd, int cmd, int arg);
};

/* With a `dir`, names are looked up in that open directory, like openat(2)
 * does; AT_FDCWD: in the current one.
 *
 * Calls with other names than the system's: look is fstatat(2) with
 * AT_SYMLINK_NOFOLLOW; wait is poll(2) until there is something to read, or
 * space for output, but not for ever: 0 is "not yet"; dup is fcntl(2) with
 * F_DUPFD_CLOEXEC; clone is ioctl(2) with FICLONE; reserve is fallocate(2) with
 * FALLOC_FL_KEEP_SIZE; lock is flock(2) with LOCK_EX and LOCK_NB; flush begins
 * to write to the disk, sync_file_range(2) with SYNC_FILE_RANGE_WRITE; onward
 * is posix_fadvise(2) with POSIX_FADV_SEQUENTIAL and POSIX_FADV_NOREUSE;
 * rename_new is renameat2(2) with RENAME_NOREPLACE; rmdir is unlinkat(2) with
 * AT_REMOVEDIR; random is getrandom(2). */
extern struct slv_sys slv_sys;

#endif
