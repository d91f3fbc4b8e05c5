/* attempts.c - what somebody would try who has taken over the reader. */
#include "guard/attempts.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

const char *attempt_input, *attempt_secret, *attempt_new, *attempt_made;
int attempt_fd;

static long
open_other(void)
{
	return open(attempt_secret, O_RDONLY);
}

/* A way that a list of calls may have forgotten. */
static long
open_otherwise(void)
{
	uint64_t how[3] = { O_RDONLY, 0, 0 };

	return syscall(SYS_openat2, AT_FDCWD, attempt_secret, how, sizeof(how));
}

static long
open_folder(void)
{
	return open("/", O_RDONLY | O_DIRECTORY);
}

static long
open_to_write(void)
{
	return open(attempt_input, O_WRONLY);
}

static long
open_through_proc(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", attempt_fd);
	return open(path, O_RDWR);
}

static long
create_file(void)
{
	return open(attempt_new, O_WRONLY | O_CREAT, 0600);
}

static long
create_output(void)
{
	return open(attempt_made, O_WRONLY | O_CREAT, 0600);
}

static long
make_folder(void)
{
	return mkdir(attempt_new, 0700);
}

static long
make_symlink(void)
{
	return symlink(attempt_secret, attempt_new);
}

static long
remove_input(void)
{
	return unlink(attempt_input);
}

static long
rename_input(void)
{
	return rename(attempt_input, attempt_new);
}

static long
truncate_input(void)
{
	return truncate(attempt_input, 0);
}

static long
chmod_input(void)
{
	return fchmod(attempt_fd, 0777);
}

static long
give_input(void)
{
	return fchown(attempt_fd, 12345, 12345);
}

static long
give_input_to_group(void)
{
	return fchown(attempt_fd, (uid_t)-1, 12345);
}

/* An access control list is one. */
static long
give_input_attribute(void)
{
	return fsetxattr(attempt_fd, "user.x", "x", 1, 0);
}

static long
set_user_id(void)
{
	return fchmod(attempt_fd, 04755);
}

static long
create_with_rights(void)
{
	return open(attempt_made, O_WRONLY | O_CREAT, 02755);
}

/* The older call, which the C library makes no longer. */
static long
create_with_rights_otherwise(void)
{
#ifdef SYS_open
	return syscall(SYS_open, attempt_made, O_WRONLY | O_CREAT, 04755);
#else
	return create_with_rights();
#endif
}

/* A name at an address with a low half of zero: for a filter that tests only
 * this half, no name at all. */
static long
set_times_by_name(void)
{
	struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	char *name = mmap((void *)(uintptr_t)(UINT64_C(1) << 32), 4096,
	    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (name == MAP_FAILED)
		return 0;
	snprintf(name, 4096, "%s", attempt_secret);
	return syscall(SYS_utimensat, AT_FDCWD, name, times, 0);
}

static long
chmod_other(void)
{
	return chmod(attempt_secret, 0777);
}

static long
give_other_attribute(void)
{
	return setxattr(attempt_secret, "user.x", "x", 1, 0);
}

static long
type_for_user(void)
{
	return ioctl(0, TIOCSTI, "x");
}

static long
change_folder(void)
{
	return chdir(".");
}

static long
socket_internet(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

static long
socket_local(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0);
}

static long
socket_packet(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0);
}

static long
socket_pair(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

/* One that could be sent to any other. */
static long
socket_pair_of_packets(void)
{
	int ends[2];

	return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
}

static long
send_somewhere(void)
{
	struct sockaddr to = { .sa_family = AF_UNIX };

	return sendto(attempt_fd, "x", 1, 0, &to, sizeof(to));
}

static long
connect_somewhere(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	return fd < 0 ? fd : connect(fd, (struct sockaddr *)&to, sizeof(to));
}

static long
run_program(void)
{
	char name[] = "true";
	char *argv[] = { name, NULL };

	return execve("/bin/true", argv, NULL);
}

static long
fork_child(void)
{
	long pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static long
trace_us(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static long
trace_parent(void)
{
	return ptrace(PTRACE_SEIZE, getppid(), NULL, NULL);
}

static long
read_parent(void)
{
	static char here[8];
	struct iovec to = { here, sizeof(here) }, from = { here, 8 };

	return process_vm_readv(getppid(), &to, 1, &from, 1, 0);
}

static long
signal_parent(void)
{
	return kill(getppid(), 0);
}

static long
signal_group(void)
{
	return kill(-getpgrp(), SIGTERM);
}

static long
signal_otherwise(void)
{
	return kill(getpid(), SIGUSR1);
}

static long
fork_otherwise(void)
{
	return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
}

static long
be_dumped(void)
{
	return syscall(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
}

static long
limit_parent(void)
{
	struct rlimit most;

	return syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, &most);
}

static long
map_program(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? -1 : 0;
}

static long
turn_into_program(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? 0 : mprotect(at, 4096, PROT_EXEC);
}

static long
ring(void)
{
	uint64_t params[32] = { 0 };

	return syscall(SYS_io_uring_setup, 1, params);
}

static long
new_namespace(void)
{
	return syscall(SYS_unshare, 0);
}

static long
new_memory_file(void)
{
	return syscall(SYS_memfd_create, "x", 0);
}

static long
rename_process(void)
{
	return prctl(PR_SET_NAME, "init", 0, 0, 0);
}

#define FILES (SECCOMP | LANDLOCK_1)

/* name, function, who refuses it while a job reads, while one writes, whether
 * anybody may, and which of those do not where workers are started */
const struct attempt attempts[] = {
	{ "open another file", open_other, LANDLOCK_1, LANDLOCK_1, true, 0, 0 },
	{ "open it with openat2", open_otherwise, FILES, FILES, false, 0, 0 },
	{ "open a folder", open_folder, LANDLOCK_1, LANDLOCK_1, true, 0, 0 },
	{ "open the input to write", open_to_write, FILES, LANDLOCK_1, true, 0,
	    0 },
	{ "open a descriptor again, to write", open_through_proc, FILES,
	    LANDLOCK_1, true, 0, 0 },
	{ "create a file", create_file, FILES, LANDLOCK_1, true, 0, 0 },
	{ "create an output", create_output, FILES, 0, true, 0, 0 },
	{ "make a folder", make_folder, FILES, FILES, false, 0, 0 },
	{ "make a symbolic link", make_symlink, FILES, FILES, false, 0, 0 },
	{ "remove the input", remove_input, FILES, LANDLOCK_1, false, 0, 0 },
	{ "rename the input", rename_input, FILES, LANDLOCK_1, false, 0, 0 },
	{ "truncate the input", truncate_input, SECCOMP | LANDLOCK_3,
	    SECCOMP | LANDLOCK_3, true, 0, 0 },
	{ "change the input's mode", chmod_input, SECCOMP, SECCOMP, true, 0,
	    0 },
	{ "give the input away", give_input, SECCOMP, SECCOMP, false, 0, 0 },
	{ "give the input to a group", give_input_to_group, SECCOMP, SECCOMP,
	    false, 0, 0 },
	{ "give the input an attribute", give_input_attribute, SECCOMP, SECCOMP,
	    false, 0, 0 },
	{ "set the user ID on the input", set_user_id, SECCOMP, SECCOMP, true,
	    0, 0 },
	{ "create an output with a group's rights", create_with_rights, FILES,
	    SECCOMP, true, 0, 0 },
	{ "create an output with a user's rights", create_with_rights_otherwise,
	    FILES, SECCOMP, true, 0, 0 },
	{ "change another file's times", set_times_by_name, SECCOMP, SECCOMP,
	    true, 0, 0 },
	{ "change another file's mode", chmod_other, SECCOMP, SECCOMP, true, 0,
	    0 },
	{ "give another file an attribute", give_other_attribute, SECCOMP,
	    SECCOMP, false, 0, 0 },
	{ "change the folder", change_folder, SECCOMP, SECCOMP, true, 0, 0 },
	{ "TCP socket", socket_internet, SECCOMP, SECCOMP, true, 0, 0 },
	{ "UDP socket", socket_packet, SECCOMP, SECCOMP, true, 0, 0 },
	{ "local socket", socket_local, SECCOMP, SECCOMP, true, 0, 0 },
	{ "pair of sockets", socket_pair, SECCOMP, SECCOMP, true, SECCOMP, 0 },
	{ "pair of sockets for packets", socket_pair_of_packets, SECCOMP,
	    SECCOMP, true, 0, 0 },
	{ "send somewhere", send_somewhere, SECCOMP, SECCOMP, false, 0, 0 },
	{ "connect", connect_somewhere, SECCOMP | LANDLOCK_4,
	    SECCOMP | LANDLOCK_4, false, 0, 0 },
	{ "run a program", run_program, FILES, FILES, false, 0, 0 },
	{ "fork", fork_child, SECCOMP, SECCOMP, true, SECCOMP, 0 },
	{ "fork into a namespace", fork_otherwise, SECCOMP, SECCOMP, false, 0,
	    0 },
	{ "be traced", trace_us, SECCOMP, SECCOMP, false, 0, 0 },
	{ "trace another process", trace_parent, FILES, FILES, false, 0, 0 },
	{ "read another process", read_parent, FILES, FILES, false, 0, 0 },
	{ "signal another process", signal_parent, SECCOMP | LANDLOCK_6,
	    SECCOMP | LANDLOCK_6, true, 0, 0 },
	{ "signal a group", signal_group, SECCOMP, SECCOMP, false, 0, 0 },
	{ "another signal", signal_otherwise, SECCOMP, SECCOMP, false, 0, 0 },
	{ "see another process's limits", limit_parent, SECCOMP, SECCOMP, true,
	    0, 0 },
	{ "type for the user", type_for_user, SECCOMP, SECCOMP, false, 0, 0 },
	{ "map code", map_program, SECCOMP, SECCOMP, true, 0, 0 },
	{ "make data code", turn_into_program, SECCOMP, SECCOMP, true, 0, 0 },
	{ "io_uring", ring, SECCOMP, SECCOMP, false, 0, 0 },
	{ "namespace", new_namespace, SECCOMP, SECCOMP, false, 0, 0 },
	{ "file in memory", new_memory_file, SECCOMP, SECCOMP, true, 0, 0 },
	{ "prctl", rename_process, SECCOMP, SECCOMP, true, 0, 0 },
	{ "be dumped", be_dumped, SECCOMP, SECCOMP, true, 0, 0 },
};
const size_t n_attempts = sizeof(attempts) / sizeof(*attempts);

size_t
attempts_all(void)
{
	return n_attempts + n_process_attempts;
}

const struct attempt *
attempt_at(size_t i)
{
	return i < n_attempts ? &attempts[i]
	                      : &process_attempts[i - n_attempts];
}

long
attempt_run(const struct attempt *a)
{
	return a->run != NULL ? a->run()
	                      : syscall(a->call, -1L, -1L, -1L, -1L, -1L, -1L);
}
