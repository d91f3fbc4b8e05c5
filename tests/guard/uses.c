/* uses.c - what a job is there for, and must be able to do. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guard/attempts.h"
#include "guard/guard.h"
#include "guard/stage.h"
#include "guard/walls.h"
#include "io/sys.h"
#include "options/options.h"

void
use_reading(int to)
{
	struct stat st;
	struct statvfs vfs;
	char text[64];

	tell(to, 0, slv_sys.open(AT_FDCWD, input, O_RDONLY, 0));
	tell(to, 1, slv_sys.open(AT_FDCWD, sidecar, O_RDONLY, 0));
	tell(to, 2, slv_sys.stat(secret, &st));
	tell(to, 3, slv_sys.fcntl(attempt_fd, F_SETSIG, SIGURG));
	tell(to, 4, slv_sys.dup(attempt_fd));
	tell(to, 5, slv_sys.pread(attempt_fd, text, 3, 0) - 3);
	tell(to, 6, slv_guard_refuses(input) ? -1 : 0);
	tell(to, 7, slv_sys.fstat(attempt_fd, &st));
	tell(to, 8, slv_sys.statvfs(folder, &vfs));
	tell(to, 9,
	    slv_sys.readlink(AT_FDCWD, "/proc/self/exe", text, sizeof(text)));
	tell(to, 10, slv_sys.lseek(attempt_fd, 0, SEEK_END) - 3);
	tell(to, 11, slv_sys.wait(attempt_fd, false) - 1);
	tell(to, 12, slv_sys.read(attempt_fd, text, 3));
	tell(to, 13, slv_sys.random(text, 3) - 3);
	tell(to, 14, slv_sys.onward(attempt_fd));
	tell(to, 15, slv_sys.close(attempt_fd));
}

/* Not every file system can; the answer must be its own. */
static long
unless_refused(long got)
{
	return got < 0 && (errno == EPERM || errno == EACCES) ? -1 : 0;
}

/* Whether seccomp refuses it, if there is seccomp. */
static long
refused(long got)
{
	return slv_seccomp_known() && (got >= 0 || errno != EPERM) ? -1 : 0;
}

void
use_writing(int to)
{
	struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	int fd = slv_sys.open(AT_FDCWD, made, O_RDWR | O_CREAT | O_EXCL, 0600);
	char list[256];

	tell(to, 0, fd);
	tell(to, 1, slv_sys.write(fd, "mended", 6) - 6);
	tell(to, 2, slv_sys.fchmod(fd, 0640)); /* of the input */
	tell(to, 3, slv_sys.fchown(fd, getuid(), getgid()));
	tell(to, 4, slv_sys.futimens(fd, times));
	tell(to, 5, slv_sys.flistxattr(fd, list, sizeof(list)));
	tell(to, 6, unless_refused(slv_sys.fgetxattr(fd, "user.x", list, 1)));
	/* As the input has none. */
	tell(to, 7, refused(slv_sys.fsetxattr(fd, "user.x", "x", 1)));
	tell(to, 8, unless_refused(slv_sys.clone(fd, attempt_fd)));
	tell(to, 9,
	    unless_refused(
	        slv_sys.open(AT_FDCWD, folder, O_RDWR | O_TMPFILE, 0600)));
	tell(to, 10, slv_sys.link(AT_FDCWD, made, done));
	tell(to, 11, slv_sys.unlink(AT_FDCWD, done));
	tell(to, 12, slv_sys.rename(AT_FDCWD, made, done));
	tell(to, 13, slv_sys.open(AT_FDCWD, done, O_RDONLY, 0));
	tell(to, 14,
	    slv_sys.fsync(
	        slv_sys.open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY, 0)));
	tell(to, 15, slv_sys.open(AT_FDCWD, input, O_RDONLY, 0));
	tell(to, 16, slv_sys.rename_new(AT_FDCWD, done, made));
	tell(to, 17, unless_refused(slv_sys.flush(fd, 0, 6)));
	tell(to, 18, slv_sys.ftruncate(fd, 3));
	/* As SECURITY.md says of a journal among the outputs. */
	tell(to, 19, slv_sys.open(AT_FDCWD, made, O_WRONLY | O_APPEND, 0));
}

void
use_growing(int to)
{
	tell(to, 0, slv_sys.mkdir(AT_FDCWD, made, 0700));
	tell(to, 1, slv_sys.rmdir(AT_FDCWD, made));
	/* Only the mode is refused here. */
	tell(to, 2, refused(slv_sys.mkdir(AT_FDCWD, made, 02755)));
	tell(to, 3, refused(syscall(SYS_mkdirat, AT_FDCWD, made, 01777)));
	/* The older call, which no library makes. */
#ifdef SYS_mkdir
	tell(to, 4, refused(syscall(SYS_mkdir, made, 04755)));
#else
	tell(to, 4, 0);
#endif
}

void
use_changing(int to)
{
	char text[PATH];
	int fd = slv_sys.open(AT_FDCWD, input, O_RDWR, 0);

	tell(to, 0, fd);
	tell(to, 1, slv_sys.lock(fd));
	tell(to, 2, unless_refused(slv_sys.reserve(fd, 3, 100)));
	tell(to, 3, slv_sys.pwrite(fd, "gol", 3, 3) - 3);
	tell(to, 4, slv_sys.ftruncate(fd, 4));
	tell(to, 5, slv_sys.realpath(folder, text) != NULL ? 0 : -1);
	tell(to, 6, slv_sys.symlink("secret", AT_FDCWD, new));
	tell(to, 7, slv_sys.unlink(AT_FDCWD, new));
}

/* A worker: it confines itself further, and then still reads. */
static void
work(int line)
{
	static char *files[] = { input };
	const struct slv_options opt = { 0 };
	const struct slv_guard_job job = {
		.files = files,
		.n_files = 1,
		.opt = &opt,
	};
	struct rlimit most;
	char byte;
	bool good = prctl(PR_SET_PDEATHSIG, SIGTERM) == 0
	    && getrlimit(RLIMIT_DATA, &most) == 0
	    && setrlimit(RLIMIT_DATA, &most) == 0;

	slv_guard_start(&job);
	good = good && slv_sys.open(AT_FDCWD, input, O_RDONLY, 0) >= 0
	    && (!slv_guard_is_whole() || (fork() < 0 && errno == EPERM));
	byte = good ? 'y' : 'n';
	_exit(write(line, &byte, 1) != 1 || read(line, &byte, 1) != 0);
}

void
use_starting(int to)
{
	char byte = '\0';
	int line[2], status = -1;
	pid_t child;

	tell(to, 0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line));
	child = fork();
	if (child == 0) {
		close(line[0]);
		work(line[1]);
	}
	tell(to, 1, child);
	close(line[1]);
	tell(to, 2, recv(line[0], &byte, 1, 0) - 1);
	tell(to, 3, byte == 'y' ? 0 : -1);
	tell(to, 4, shutdown(line[0], SHUT_WR));
	tell(to, 5, waitpid(child, &status, 0));
	tell(to, 6, status == 0 ? 0 : -1);
	child = fork();
	if (child == 0) {
		for (;;)
			pause();
	}
	tell(to, 7,
	    send(line[0], "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0
	            && errno == EPIPE
	        ? 0
	        : -1);
	tell(to, 8, kill(child, SIGKILL));
	tell(to, 9, waitpid(child, &status, 0));
}
