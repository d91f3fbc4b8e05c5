/* fake_sys.c - the system as it is on a bad day. */
#include "support/fake_sys.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "io/sys.h"
#include "support/blob.h"

static const char *const names[FAKE_CALLS] = {
	[FAKE_OPEN] = "open",
	[FAKE_CLOSE] = "close",
	[FAKE_DUP] = "dup",
	[FAKE_STAT] = "stat",
	[FAKE_LOOK] = "look",
	[FAKE_FSTAT] = "fstat",
	[FAKE_STATVFS] = "statvfs",
	[FAKE_READLINK] = "readlink",
	[FAKE_REALPATH] = "realpath",
	[FAKE_LSEEK] = "lseek",
	[FAKE_PREAD] = "pread",
	[FAKE_WAIT] = "wait",
	[FAKE_READ] = "read",
	[FAKE_WRITE] = "write",
	[FAKE_PWRITE] = "pwrite",
	[FAKE_FTRUNCATE] = "ftruncate",
	[FAKE_RESERVE] = "reserve",
	[FAKE_LOCK] = "lock",
	[FAKE_CLONE] = "clone",
	[FAKE_FSYNC] = "fsync",
	[FAKE_FLUSH] = "flush",
	[FAKE_ONWARD] = "onward",
	[FAKE_FCHMOD] = "fchmod",
	[FAKE_FCHOWN] = "fchown",
	[FAKE_FUTIMENS] = "futimens",
	[FAKE_FLISTXATTR] = "flistxattr",
	[FAKE_FGETXATTR] = "fgetxattr",
	[FAKE_FSETXATTR] = "fsetxattr",
	[FAKE_RENAME] = "rename",
	[FAKE_RENAME_NEW] = "rename_new",
	[FAKE_LINK] = "link",
	[FAKE_SYMLINK] = "symlink",
	[FAKE_UNLINK] = "unlink",
	[FAKE_MKDIR] = "mkdir",
	[FAKE_RMDIR] = "rmdir",
	[FAKE_RANDOM] = "random",
	[FAKE_FCNTL] = "fcntl",
	[FAKE_ALLOC] = "alloc",
};

static struct slv_sys real;
static const struct fake_plan *plan;
static struct fake_result result;
static size_t trace_len;
static int bad_fd = -1;

const char *
fake_name(enum fake_call call)
{
	return names[call];
}

static void
write_down(enum fake_call call)
{
	size_t n = strlen(names[call]);

	if (call == FAKE_ALLOC || trace_len + n + 2 > sizeof(result.trace))
		return;
	if (trace_len > 0)
		result.trace[trace_len++] = ' ';
	memcpy(result.trace + trace_len, names[call], n + 1);
	trace_len += n;
}

/* Somebody else writes a byte more to the file. */
static void
grow(const char *path)
{
	int fd = open(path, O_WRONLY | O_APPEND);

	if (fd < 0 || write(fd, "", 1) != 1)
		_exit(99);
	close(fd);
}

/* Somebody else writes other bytes over all but the beginning of a file. */
static void
spoil(const char *path)
{
	struct blob file = { 0 };
	int fd = open(path, O_WRONLY);
	size_t from;

	if (fd < 0 || !blob_read(&file, path))
		_exit(99);
	from = file.n / 8;
	for (size_t i = from; i < file.n; i++)
		file.at[i] ^= 0xa5;
	if (pwrite(fd, file.at + from, file.n - from, (off_t)from)
	    != (ssize_t)(file.n - from))
		_exit(99);
	close(fd);
	blob_free(&file);
}

/* Whether this call is to misbehave; errno is set then. */
static bool
strike(enum fake_call call)
{
	write_down(call);
	if (!(plan->calls & FAKE_BIT(call)))
		return false;
	result.calls++;
	if (plan->k == 0 || result.calls < plan->k
	    || (result.calls > plan->k && !plan->onward))
		return false;
	/* A signal interrupts a call now and then, never for good. */
	if (plan->how == FAKE_ERRNO && plan->os == EINTR
	    && (result.calls - plan->k) % 2 == 1)
		return false;
	if (result.fired++ == 0)
		result.victim = call;
	result.struck |= FAKE_BIT(call);
	if (plan->how == FAKE_KILL)
		raise(SIGKILL);
	if (plan->how == FAKE_WISH)
		*plan->cancel = 1;
	if (plan->how == FAKE_GROW)
		grow(plan->grown);
	if (plan->how == FAKE_SPOIL)
		spoil(plan->grown);
	if (plan->how == FAKE_ACT)
		plan->act(plan->act_ctx);
	errno = plan->os;
	return true;
}

/* Whether it fails, as opposed to doing less. */
static bool
refuse(enum fake_call call)
{
	return strike(call) && plan->how == FAKE_ERRNO;
}

/* Bytes that a read or write may move; 0: it fails. */
static size_t
allowance(enum fake_call call, size_t n)
{
	if (!strike(call))
		return n;
	if (plan->how == FAKE_ERRNO)
		return 0;
	return n > 1 && plan->how == FAKE_SHORT ? n / 2 : n;
}

static int
fake_open(int dir, const char *path, int flags, mode_t mode)
{
	struct stat bad, now;
	int fd;

	if (refuse(FAKE_OPEN))
		return -1;
	fd = real.open(dir, path, flags, mode);
	/* Nothing is read by an O_PATH descriptor. */
	if (plan->bad_file != NULL && fd >= 0 && (flags & O_PATH) == 0
	    && stat(plan->bad_file, &bad) == 0 && fstat(fd, &now) == 0
	    && bad.st_ino == now.st_ino && bad.st_dev == now.st_dev)
		bad_fd = fd;
	return fd;
}

/* Whatever close says, the descriptor is gone. */
static int
fake_close(int fd)
{
	bool refused = refuse(FAKE_CLOSE);
	int os = errno, r = real.close(fd);

	if (fd == bad_fd)
		bad_fd = -1;
	errno = os;
	return refused ? -1 : r;
}

static int
fake_dup(int fd)
{
	return refuse(FAKE_DUP) ? -1 : real.dup(fd);
}

static int
fake_stat(const char *path, struct stat *st)
{
	return refuse(FAKE_STAT) ? -1 : real.stat(path, st);
}

static int
fake_look(int dir, const char *name, struct stat *st)
{
	return refuse(FAKE_LOOK) ? -1 : real.look(dir, name, st);
}

static int
fake_fstat(int fd, struct stat *st)
{
	return refuse(FAKE_FSTAT) ? -1 : real.fstat(fd, st);
}

static int
fake_statvfs(const char *path, struct statvfs *st)
{
	return refuse(FAKE_STATVFS) ? -1 : real.statvfs(path, st);
}

static ssize_t
fake_readlink(int dir, const char *path, char *buf, size_t n)
{
	return refuse(FAKE_READLINK) ? -1 : real.readlink(dir, path, buf, n);
}

static char *
fake_realpath(const char *path, char *buf)
{
	return refuse(FAKE_REALPATH) ? NULL : real.realpath(path, buf);
}

static off_t
fake_lseek(int fd, off_t off, int whence)
{
	return refuse(FAKE_LSEEK) ? -1 : real.lseek(fd, off, whence);
}

/* As a disk has it: what lies before a bad sector is read, then no more. */
static ssize_t
fake_pread(int fd, void *buf, size_t n, off_t off)
{
	uint64_t at = (uint64_t)off;
	size_t may = allowance(FAKE_PREAD, n);

	if (may == 0 && n > 0)
		return -1;
	for (size_t i = 0; fd == bad_fd && i < plan->n_bad; i++) {
		const struct slv_range *r = &plan->bad[i];

		if (r->off <= at && at < r->end) {
			errno = EIO;
			return -1;
		}
		if (r->off > at && r->off < at + may)
			may = (size_t)(r->off - at);
	}
	return real.pread(fd, buf, may, off);
}

static int
fake_wait(int fd, bool out)
{
	return refuse(FAKE_WAIT) ? -1 : real.wait(fd, out);
}

static ssize_t
fake_read(int fd, void *buf, size_t n)
{
	size_t may = allowance(FAKE_READ, n);

	return may == 0 && n > 0 ? -1 : real.read(fd, buf, may);
}

static ssize_t
fake_write(int fd, const void *buf, size_t n)
{
	size_t may = allowance(FAKE_WRITE, n);

	return may == 0 && n > 0 ? -1 : real.write(fd, buf, may);
}

static ssize_t
fake_pwrite(int fd, const void *buf, size_t n, off_t off)
{
	size_t may = allowance(FAKE_PWRITE, n);

	return may == 0 && n > 0 ? -1 : real.pwrite(fd, buf, may, off);
}

static int
fake_ftruncate(int fd, off_t size)
{
	return refuse(FAKE_FTRUNCATE) ? -1 : real.ftruncate(fd, size);
}

static int
fake_reserve(int fd, off_t off, off_t len)
{
	return refuse(FAKE_RESERVE) ? -1 : real.reserve(fd, off, len);
}

static int
fake_lock(int fd)
{
	return refuse(FAKE_LOCK) ? -1 : real.lock(fd);
}

static int
fake_clone(int to, int from)
{
	return refuse(FAKE_CLONE) ? -1 : real.clone(to, from);
}

static int
fake_fsync(int fd)
{
	return refuse(FAKE_FSYNC) ? -1 : real.fsync(fd);
}

static int
fake_flush(int fd, off_t off, off_t len)
{
	return refuse(FAKE_FLUSH) ? -1 : real.flush(fd, off, len);
}

static int
fake_onward(int fd)
{
	return refuse(FAKE_ONWARD) ? -1 : real.onward(fd);
}

static int
fake_fchmod(int fd, mode_t mode)
{
	return refuse(FAKE_FCHMOD) ? -1 : real.fchmod(fd, mode);
}

static int
fake_fchown(int fd, uid_t uid, gid_t gid)
{
	return refuse(FAKE_FCHOWN) ? -1 : real.fchown(fd, uid, gid);
}

static int
fake_futimens(int fd, const struct timespec times[2])
{
	return refuse(FAKE_FUTIMENS) ? -1 : real.futimens(fd, times);
}

static ssize_t
fake_flistxattr(int fd, char *list, size_t n)
{
	return refuse(FAKE_FLISTXATTR) ? -1 : real.flistxattr(fd, list, n);
}

static ssize_t
fake_fgetxattr(int fd, const char *name, void *value, size_t n)
{
	return refuse(FAKE_FGETXATTR) ? -1 : real.fgetxattr(fd, name, value, n);
}

static int
fake_fsetxattr(int fd, const char *name, const void *value, size_t n)
{
	return refuse(FAKE_FSETXATTR) ? -1 : real.fsetxattr(fd, name, value, n);
}

static int
fake_rename(int dir, const char *from, const char *to)
{
	return refuse(FAKE_RENAME) ? -1 : real.rename(dir, from, to);
}

static int
fake_rename_new(int dir, const char *from, const char *to)
{
	return refuse(FAKE_RENAME_NEW) ? -1 : real.rename_new(dir, from, to);
}

static int
fake_link(int dir, const char *from, const char *to)
{
	return refuse(FAKE_LINK) ? -1 : real.link(dir, from, to);
}

static int
fake_symlink(const char *to, int dir, const char *name)
{
	return refuse(FAKE_SYMLINK) ? -1 : real.symlink(to, dir, name);
}

static int
fake_unlink(int dir, const char *name)
{
	return refuse(FAKE_UNLINK) ? -1 : real.unlink(dir, name);
}

static int
fake_mkdir(int dir, const char *path, mode_t mode)
{
	return refuse(FAKE_MKDIR) ? -1 : real.mkdir(dir, path, mode);
}

static int
fake_rmdir(int dir, const char *path)
{
	return refuse(FAKE_RMDIR) ? -1 : real.rmdir(dir, path);
}

static ssize_t
fake_random(void *buf, size_t n)
{
	size_t may = allowance(FAKE_RANDOM, n);

	return may == 0 && n > 0 ? -1 : real.random(buf, may);
}

static int
fake_fcntl(int fd, int cmd, int arg)
{
	return refuse(FAKE_FCNTL) ? -1 : real.fcntl(fd, cmd, arg);
}

static bool
fake_alloc(size_t size)
{
	(void)size;
	return !refuse(FAKE_ALLOC);
}

void
fake_on(const struct fake_plan *p)
{
	plan = p;
	result = (struct fake_result){ 0 };
	trace_len = 0;
	bad_fd = -1;
	real = slv_sys;
	slv_sys = (struct slv_sys){
		.open = fake_open,
		.close = fake_close,
		.dup = fake_dup,
		.stat = fake_stat,
		.look = fake_look,
		.fstat = fake_fstat,
		.statvfs = fake_statvfs,
		.readlink = fake_readlink,
		.realpath = fake_realpath,
		.lseek = fake_lseek,
		.pread = fake_pread,
		.wait = fake_wait,
		.read = fake_read,
		.write = fake_write,
		.pwrite = fake_pwrite,
		.ftruncate = fake_ftruncate,
		.reserve = fake_reserve,
		.lock = fake_lock,
		.clone = fake_clone,
		.fsync = fake_fsync,
		.flush = fake_flush,
		.onward = fake_onward,
		.fchmod = fake_fchmod,
		.fchown = fake_fchown,
		.futimens = fake_futimens,
		.flistxattr = fake_flistxattr,
		.fgetxattr = fake_fgetxattr,
		.fsetxattr = fake_fsetxattr,
		.rename = fake_rename,
		.rename_new = fake_rename_new,
		.link = fake_link,
		.symlink = fake_symlink,
		.unlink = fake_unlink,
		.mkdir = fake_mkdir,
		.rmdir = fake_rmdir,
		.random = fake_random,
		.fcntl = fake_fcntl,
	};
	slv_mem_hook = fake_alloc;
}

void
fake_off(struct fake_result *out)
{
	slv_sys = real;
	slv_mem_hook = NULL;
	if (out != NULL)
		*out = result;
}
