/* attempts_process.c - the same, against other processes, for more memory, and with
 * every family of system calls that no job needs. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "guard/attempts.h"

static long
open_to_overwrite(void)
{
	return open(attempt_secret, O_WRONLY);
}

static long
link_other(void)
{
	return link(attempt_secret, attempt_made);
}

static long
rename_over(void)
{
	return rename(attempt_secret, attempt_input);
}

static long
take_other(void)
{
	return rename(attempt_secret, attempt_made);
}

static long
label_input(void)
{
	return fsetxattr(attempt_fd, "security.capability", "x", 1, 0);
}

static long
open_memory(int pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	return open(path, O_RDWR);
}

static long
open_parents_memory(void)
{
	return open_memory(getppid());
}

static long
open_own_memory(void)
{
	return open_memory(getpid());
}

static long
open_parents_descriptor(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", getppid(), attempt_fd);
	return open(path, O_RDONLY);
}

static long
write_parent(void)
{
	static char here[8];
	struct iovec from = { here, sizeof(here) }, to = { here, 8 };

	return process_vm_writev(getppid(), &from, 1, &to, 1, 0);
}

static long
lift_own_limit(void)
{
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };

	return syscall(SYS_prlimit64, 0, RLIMIT_DATA, &most, NULL);
}

static long
map_with(int flags)
{
	void *at = mmap(
	    NULL, 4096, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	return at == MAP_FAILED ? -1 : 0;
}

/* RLIMIT_DATA does not count it. */
static long
map_shared(void)
{
	return map_with(MAP_SHARED);
}

static long
map_stack(void)
{
	return map_with(MAP_PRIVATE | MAP_GROWSDOWN);
}

static long
map_input(void)
{
	void *at = mmap(NULL, 3, PROT_READ, MAP_SHARED, attempt_fd, 0);

	return at == MAP_FAILED ? -1 : 0;
}

#define FILES (SECCOMP | LANDLOCK_1)
/* By its number; where it passes, its arguments, all of them -1, are wrong. */
#define CALL(name)                                                             \
	{                                                                      \
#name, NULL, SECCOMP, SECCOMP, false, 0, SYS_##name            \
	}

const struct attempt process_attempts[] = {
	{ "open another file to write", open_to_overwrite, FILES, LANDLOCK_1,
	    true, 0, 0 },
	{ "link another file", link_other, FILES, LANDLOCK_1, false, 0, 0 },
	{ "rename over the input", rename_over, FILES, LANDLOCK_1, false, 0,
	    0 },
	{ "take another file", take_other, FILES, LANDLOCK_1, false, 0, 0 },
	{ "label the input", label_input, SECCOMP, SECCOMP, false, 0, 0 },
	{ "open the parent's memory", open_parents_memory, FILES, LANDLOCK_1,
	    false, 0, 0 },
	{ "open its own memory", open_own_memory, FILES, LANDLOCK_1, true, 0,
	    0 },
	{ "open a parent's descriptor", open_parents_descriptor, LANDLOCK_1,
	    LANDLOCK_1, false, 0, 0 },
	{ "write another process", write_parent, FILES, FILES, false, 0, 0 },
	{ "lift its own limit", lift_own_limit, SECCOMP, SECCOMP, false,
	    SECCOMP, 0 },
	{ "map shared memory", map_shared, SECCOMP, SECCOMP, true, SECCOMP, 0 },
	{ "map a stack", map_stack, SECCOMP, SECCOMP, true, 0, 0 },
	{ "map the input", map_input, SECCOMP, SECCOMP, true, SECCOMP, 0 },

	/* Programs and processes. */
	CALL(execveat),
	CALL(ptrace),
	CALL(tkill),
	CALL(rt_sigqueueinfo),
	CALL(rt_tgsigqueueinfo),
	CALL(waitid),
	CALL(setpgid),
	CALL(setpriority),
	CALL(sched_setaffinity),
	CALL(sched_setscheduler),
	CALL(ioprio_set),
	CALL(kcmp),
	CALL(get_robust_list),
	CALL(setuid),
	CALL(setgid),
	CALL(setresuid),
	CALL(setresgid),
	CALL(setgroups),
	CALL(setfsuid),
	CALL(personality),

	/* The machine. */
	CALL(mount),
	CALL(umount2),
	CALL(pivot_root),
	CALL(chroot),
	CALL(setns),
	CALL(unshare),
	CALL(swapon),
	CALL(reboot),
	CALL(kexec_load),
	CALL(init_module),
	CALL(finit_module),
	CALL(delete_module),
	CALL(bpf),
	CALL(perf_event_open),
	CALL(userfaultfd),
	CALL(add_key),
	CALL(request_key),
	CALL(keyctl),
	CALL(syslog),
	CALL(quotactl),
	CALL(acct),
	CALL(settimeofday),
	CALL(clock_settime),
	CALL(sethostname),
	CALL(timer_create),

	/* Files by other ways, and descriptors that bring more. */
	CALL(mknodat),
	CALL(fchmodat),
	CALL(fchownat),
	CALL(setxattr),
	CALL(lsetxattr),
	CALL(removexattr),
	CALL(fremovexattr),
	CALL(name_to_handle_at),
	CALL(open_by_handle_at),
	CALL(inotify_add_watch),
	CALL(fanotify_init),
	CALL(fanotify_mark),
	CALL(memfd_create),
	CALL(eventfd2),
	CALL(signalfd4),
	CALL(timerfd_create),
	CALL(epoll_create1),
	CALL(pipe2),
	CALL(vmsplice),
	CALL(splice),
	CALL(sendfile),
	CALL(shmget),
	CALL(shmat),
	CALL(msgget),
	CALL(semget),
	CALL(mq_open),
	CALL(socket),
	CALL(bind),
	CALL(connect),
	CALL(listen),
	CALL(accept4),
	CALL(sendmsg),
	CALL(recvmsg),
	CALL(setsockopt),

	/* Memory. */
	CALL(remap_file_pages),
	CALL(pkey_mprotect),
	CALL(mlock),
	CALL(mlockall),
	CALL(migrate_pages),
	CALL(process_vm_writev),

	/* Headers of the C library may be older: they have one number
	 * everywhere. */
	{ "pidfd_send_signal", NULL, SECCOMP, SECCOMP, false, 0, 424 },
	{ "io_uring_enter", NULL, SECCOMP, SECCOMP, false, 0, 426 },
	{ "io_uring_register", NULL, SECCOMP, SECCOMP, false, 0, 427 },
	{ "open_tree", NULL, SECCOMP, SECCOMP, false, 0, 428 },
	{ "move_mount", NULL, SECCOMP, SECCOMP, false, 0, 429 },
	{ "fsopen", NULL, SECCOMP, SECCOMP, false, 0, 430 },
	{ "fsmount", NULL, SECCOMP, SECCOMP, false, 0, 432 },
	{ "pidfd_open", NULL, SECCOMP, SECCOMP, false, 0, 434 },
	{ "clone3", NULL, SECCOMP, SECCOMP, false, 0, 435 },
	{ "pidfd_getfd", NULL, SECCOMP, SECCOMP, false, 0, 438 },
	{ "faccessat2", NULL, SECCOMP, SECCOMP, false, 0, 439 },
	{ "process_madvise", NULL, SECCOMP, SECCOMP, false, 0, 440 },
	{ "mount_setattr", NULL, SECCOMP, SECCOMP, false, 0, 442 },
	{ "memfd_secret", NULL, SECCOMP, SECCOMP, false, 0, 447 },
	{ "fchmodat2", NULL, SECCOMP, SECCOMP, false, 0, 452 },
};
const size_t n_process_attempts =
    sizeof(process_attempts) / sizeof(*process_attempts);
