/* seccomp.c - the system calls that a process may make; all others fail.
 *
 * The lists are tables, from which a program for the kernel's packet filter is
 * made.  Nothing kills: a refused call fails with EPERM, and calls that the C
 * library may try before an older one fail with ENOSYS, so that it does
 * without.  Landlock decides which files may be opened and made.
 */
#include <errno.h>
#include <stdint.h>
#include <unistd.h>

#include "guard/walls.h"
#include "io/sys.h"

/* If you add a call, check that it is on the lists below, and try it in
 * tests/guard/guard.c. */
_Static_assert(sizeof(struct slv_sys) == 37 * sizeof(void (*)(void)),
    "a call was added to the table");

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

/* A condition for one argument.  The kernel reads numbers as 32 bits, so their
 * low half is enough; a pointer needs both halves. */
enum test {
	ALWAYS,
	IS,    /* the number is the value */
	HAS,   /* it has one of these bits */
	LACKS, /* it has none of these bits */
	NONE,  /* the pointer is NULL */
	US,    /* our own process */
};

struct rule {
	int call;
	enum test test;
	unsigned arg; /* which argument */
	uint32_t value;
};

/* For two arguments. */
struct pair {
	int call;
	struct {
		enum test test;
		unsigned arg;
		uint32_t value;
	} both[2];
};

#define TO_WRITE (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)
#define RIGHTS   07000      /* of a mode: set-user-ID, set-group-ID, sticky */
#define TCGETS_2 0x802c542a /* what a newer C library requests of terminals */

/* The calls of every job. */
static const struct rule reading[] = {
	/* Open descriptors. */
	{ SYS_pread64, ALWAYS, 0, 0 },
	{ SYS_write, ALWAYS, 0, 0 },
	{ SYS_read, ALWAYS, 0, 0 },
	{ SYS_readv, ALWAYS, 0, 0 },
	{ SYS_preadv, ALWAYS, 0, 0 },
	{ SYS_pwrite64, ALWAYS, 0, 0 },
	{ SYS_writev, ALWAYS, 0, 0 },
	{ SYS_lseek, ALWAYS, 0, 0 },
	{ SYS_close, ALWAYS, 0, 0 },
	{ SYS_dup, ALWAYS, 0, 0 },
	{ SYS_fstat, ALWAYS, 0, 0 },
	{ SYS_fstatfs, ALWAYS, 0, 0 },
	{ SYS_fsync, ALWAYS, 0, 0 },
	{ SYS_fdatasync, ALWAYS, 0, 0 },
	{ SYS_fadvise64, ALWAYS, 0, 0 },
	{ SYS_fgetxattr, ALWAYS, 0, 0 },
	{ SYS_flistxattr, ALWAYS, 0, 0 },
	{ SYS_fcntl, IS, 1, F_GETFD },
	{ SYS_fcntl, IS, 1, F_SETFD },
	{ SYS_fcntl, IS, 1, F_GETFL },
	{ SYS_fcntl, IS, 1, F_SETFL },
	{ SYS_fcntl, IS, 1, F_DUPFD },
	{ SYS_fcntl, IS, 1, F_DUPFD_CLOEXEC },
	{ SYS_fcntl, IS, 1, F_SETSIG },
	{ SYS_fcntl, IS, 1, F_GETLEASE },
	{ SYS_fcntl, IS, 1, F_SETLEASE },
	{ SYS_ioctl, IS, 1, TCGETS }, /* is it a terminal? */
	{ SYS_ioctl, IS, 1, TCGETS_2 },
	{ SYS_ioctl, IS, 1, TIOCGWINSZ },
#ifdef SYS_poll
	{ SYS_poll, ALWAYS, 0, 0 },
#endif
	{ SYS_ppoll, ALWAYS, 0, 0 },
	{ SYS_pselect6, ALWAYS, 0, 0 },

	/* Names. */
	{ SYS_openat, LACKS, 2, TO_WRITE },
	{ SYS_newfstatat, ALWAYS, 0, 0 },
	{ SYS_statx, ALWAYS, 0, 0 },
	{ SYS_statfs, ALWAYS, 0, 0 },
	{ SYS_readlinkat, ALWAYS, 0, 0 },
	{ SYS_faccessat, ALWAYS, 0, 0 },
	{ SYS_getdents64, ALWAYS, 0, 0 },
	{ SYS_getcwd, ALWAYS, 0, 0 },
#ifdef SYS_open
	{ SYS_open, LACKS, 1, TO_WRITE },
	{ SYS_stat, ALWAYS, 0, 0 },
	{ SYS_lstat, ALWAYS, 0, 0 },
	{ SYS_readlink, ALWAYS, 0, 0 },
	{ SYS_access, ALWAYS, 0, 0 },
#endif

	/* Memory, none of which may become a program; and reading_pairs. */
	{ SYS_brk, ALWAYS, 0, 0 },
	{ SYS_mprotect, LACKS, 2, PROT_EXEC },
	{ SYS_munmap, ALWAYS, 0, 0 },
	{ SYS_mremap, ALWAYS, 0, 0 },
	{ SYS_madvise, ALWAYS, 0, 0 },

	/* Signals: handling them, and sending them to this process. */
	{ SYS_rt_sigaction, ALWAYS, 0, 0 },
	{ SYS_rt_sigprocmask, ALWAYS, 0, 0 },
	{ SYS_rt_sigreturn, ALWAYS, 0, 0 },
	{ SYS_restart_syscall, ALWAYS, 0, 0 },
	{ SYS_sigaltstack, ALWAYS, 0, 0 },
	{ SYS_tgkill, US, 0, 0 },

	/* Time. */
	{ SYS_clock_gettime, ALWAYS, 0, 0 },
	{ SYS_clock_getres, ALWAYS, 0, 0 },
	{ SYS_clock_nanosleep, ALWAYS, 0, 0 },
	{ SYS_nanosleep, ALWAYS, 0, 0 },
	{ SYS_gettimeofday, ALWAYS, 0, 0 },
	{ SYS_setitimer, ALWAYS, 0, 0 },
#ifdef SYS_time
	{ SYS_time, ALWAYS, 0, 0 },
	{ SYS_alarm, ALWAYS, 0, 0 },
#endif

	/* Threads of this process. */
	{ SYS_futex, ALWAYS, 0, 0 },
	{ SYS_clone, HAS, 0, CLONE_THREAD },
	{ SYS_set_robust_list, ALWAYS, 0, 0 },
#ifdef SYS_rseq
	{ SYS_rseq, ALWAYS, 0, 0 },
#endif
	{ SYS_membarrier, ALWAYS, 0, 0 },
	{ SYS_sched_yield, ALWAYS, 0, 0 },
	{ SYS_sched_getaffinity, ALWAYS, 0, 0 },
	{ SYS_exit, ALWAYS, 0, 0 },
	{ SYS_exit_group, ALWAYS, 0, 0 },

	/* Properties of the process and of the machine. */
	{ SYS_getpid, ALWAYS, 0, 0 },
	{ SYS_gettid, ALWAYS, 0, 0 },
	{ SYS_getppid, ALWAYS, 0, 0 },
	{ SYS_getuid, ALWAYS, 0, 0 },
	{ SYS_geteuid, ALWAYS, 0, 0 },
	{ SYS_getgid, ALWAYS, 0, 0 },
	{ SYS_getegid, ALWAYS, 0, 0 },
	{ SYS_getrandom, ALWAYS, 0, 0 },
	{ SYS_getrusage, ALWAYS, 0, 0 },
	{ SYS_sysinfo, ALWAYS, 0, 0 },
	{ SYS_uname, ALWAYS, 0, 0 },
};

/* RLIMIT_DATA does not count memory that is shared or grows like a stack. */
static const struct pair reading_pairs[] = {
	{ SYS_mmap,
	    { { LACKS, 2, PROT_EXEC },
	        { LACKS, 3, MAP_SHARED | MAP_GROWSDOWN } } },
};

/* And those of a job that makes files. */
static const struct rule writing[] = {
	{ SYS_openat, LACKS, 3, RIGHTS }, { SYS_renameat2, ALWAYS, 0, 0 },
	{ SYS_linkat, ALWAYS, 0, 0 }, { SYS_unlinkat, ALWAYS, 0, 0 },
#ifdef SYS_renameat
	{ SYS_renameat, ALWAYS, 0, 0 },
#endif
#ifdef SYS_open
	{ SYS_open, LACKS, 2, RIGHTS }, { SYS_rename, ALWAYS, 0, 0 },
	{ SYS_link, ALWAYS, 0, 0 }, { SYS_unlink, ALWAYS, 0, 0 },
#endif
	{ SYS_flock, ALWAYS, 0, 0 }, { SYS_ftruncate, ALWAYS, 0, 0 },
	{ SYS_fallocate, ALWAYS, 0, 0 }, { SYS_sync_file_range, ALWAYS, 0, 0 },
	{ SYS_copy_file_range, ALWAYS, 0, 0 }, { SYS_ioctl, IS, 1, FICLONE },
	{ SYS_utimensat, NONE, 1, 0 }, /* futimens(3) has no name */
};

/* And those of a job with attributes on an input, which its output gets. */
static const struct rule describing[] = {
	{ SYS_fsetxattr, ALWAYS, 0, 0 },
};

/* And those of a job that makes directories for its outputs. */
static const struct rule growing[] = {
	{ SYS_mkdirat, LACKS, 2, RIGHTS },
#ifdef SYS_open
	{ SYS_mkdir, LACKS, 1, RIGHTS },
	{ SYS_rmdir, ALWAYS, 0, 0 },
#endif
};

/* And those of a job that changes a file in place. */
static const struct rule changing[] = {
	{ SYS_symlinkat, ALWAYS, 0, 0 },
#ifdef SYS_open
	{ SYS_symlink, ALWAYS, 0, 0 },
#endif
};

/* Headers may be older than the kernel. */
enum {
	LANDLOCK_CREATE_RULESET = 444,
	LANDLOCK_ADD_RULE,
	LANDLOCK_RESTRICT_SELF,
};

/* As fork(3) calls it, in glibc and musl. */
#define FORK (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD)

/* And those of a process that starts workers, which confine themselves. */
static const struct rule starting[] = {
	{ SYS_clone, IS, 0, FORK },
	{ SYS_clone, IS, 0, SIGCHLD },
#ifdef SYS_fork
	{ SYS_fork, ALWAYS, 0, 0 },
#endif
	{ SYS_set_tid_address, ALWAYS, 0, 0 },
	{ SYS_wait4, ALWAYS, 0, 0 },
	{ SYS_tgkill, ALWAYS, 0, 0 }, /* a worker, to itself */

	/* The sockets to them. */
	{ SYS_sendto, NONE, 4, 0 },
	{ SYS_recvfrom, NONE, 4, 0 },
	{ SYS_shutdown, ALWAYS, 0, 0 },

	/* What they give up. */
	{ SLV_CLOSE_RANGE, ALWAYS, 0, 0 },
	{ SYS_seccomp, ALWAYS, 0, 0 },
	{ LANDLOCK_CREATE_RULESET, ALWAYS, 0, 0 },
	{ LANDLOCK_ADD_RULE, ALWAYS, 0, 0 },
	{ LANDLOCK_RESTRICT_SELF, ALWAYS, 0, 0 },
	{ SYS_capget, ALWAYS, 0, 0 },
	{ SYS_capset, ALWAYS, 0, 0 },
	{ SYS_prlimit64, IS, 0, 0 },
	{ SYS_prctl, IS, 0, PR_SET_PDEATHSIG },
	{ SYS_prctl, IS, 0, PR_SET_NO_NEW_PRIVS },
};

/* No signal goes to a process group, no socket is made except to a worker, and
 * what is shared with workers does not grow. */
static const struct pair starting_pairs[] = {
	{ SYS_kill, { { LACKS, 0, 0x80000000 }, { IS, 1, SIGTERM } } },
	{ SYS_kill, { { LACKS, 0, 0x80000000 }, { IS, 1, SIGKILL } } },
	{ SYS_socketpair,
	    { { IS, 0, AF_UNIX }, { IS, 1, SOCK_STREAM | SOCK_CLOEXEC } } },
	{ SYS_mmap, { { LACKS, 2, PROT_EXEC }, { LACKS, 3, MAP_GROWSDOWN } } },
};

#define COUNT(rules) (sizeof(rules) / sizeof(*(rules)))
#define HEAD         3              /* instructions before the rules */
#define TEST         4              /* for each test of an argument */
#define EACH         (2 + TEST + 1) /* for each rule */
#define PAIR         (EACH + TEST)  /* for each pair */
#define TAIL         4              /* after them */
#define RULES                                                                  \
	(COUNT(reading) + COUNT(writing) + COUNT(describing) + COUNT(growing)  \
	    + COUNT(changing) + COUNT(starting) + 1)
#define PAIRS      (COUNT(reading_pairs) + COUNT(starting_pairs) + 2 * SLV_OWNERS)
#define ROOM       (HEAD + RULES * EACH + PAIRS * PAIR + TAIL)
#define AT(member) ((uint32_t)offsetof(struct seccomp_data, member))

/* Calls from here on have one number on all machines, and came when the C
 * library already had to work without them. */
#define NEWER 424

/* Both machines are little-endian: the low half of an argument comes first. */
#define LOW(arg)        (AT(args) + 8 * (uint32_t)(arg))
#define HIGH(arg)       (LOW(arg) + 4)

#define LOAD(at)        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define ANSWER(what)    BPF_STMT(BPF_RET | BPF_K, (uint32_t)(what))
#define IF_IS(k, t, f)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), (t), (f))
#define IF_MIN(k, t, f) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (k), (t), (f))
#define IF_BIT(k, t, f) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (k), (t), (f))
#define DENY(os)        (SECCOMP_RET_ERRNO | (uint32_t)(os))

/* Test the low half; if it fails, skip so many instructions. */
static struct sock_filter
low_test(enum test test, uint32_t value, uint8_t skip)
{
	switch (test) {
	case ALWAYS: break;
	case IS: return (struct sock_filter)IF_IS(value, 0, skip);
	case HAS: return (struct sock_filter)IF_BIT(value, 0, skip);
	case LACKS: return (struct sock_filter)IF_BIT(value, skip, 0);
	case NONE: return (struct sock_filter)IF_IS(0, 0, skip);
	case US: return (struct sock_filter)IF_IS((uint32_t)getpid(), 0, skip);
	}
	return (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0);
}

/* And the high half. */
static struct sock_filter
high_test(enum test test, uint8_t skip)
{
	if (test == NONE)
		return (struct sock_filter)IF_IS(0, 0, skip);
	return (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0);
}

static struct sock_filter *
put(struct sock_filter *to, const struct sock_filter *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*to++ = from[i];
	return to;
}

/* Both halves of an argument, with so many instructions of the rule after
 * them. */
static struct sock_filter *
put_test(struct sock_filter *to, enum test test, unsigned arg, uint32_t value,
    uint8_t left)
{
	const struct sock_filter each[TEST] = {
		LOAD(LOW(arg)),
		low_test(test, value, (uint8_t)(left + 2)),
		LOAD(HIGH(arg)),
		high_test(test, left),
	};

	return put(to, each, TEST);
}

/* The number of the call, with so many instructions of the rule after it. */
static struct sock_filter *
put_call(struct sock_filter *to, int call, uint8_t left)
{
	const struct sock_filter each[2] = {
		LOAD(AT(nr)),
		IF_IS((uint32_t)call, 0, left),
	};

	return put(to, each, 2);
}

static struct sock_filter *
put_yes(struct sock_filter *to)
{
	*to = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
	return to + 1;
}

/* The number of the call, then the argument, then the answer; if a test fails,
 * on to the next rule. */
static struct sock_filter *
put_rules(struct sock_filter *to, const struct rule *rules, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct rule *r = &rules[i];

		to = put_call(to, r->call, TEST + 1);
		to = put_test(to, r->test, r->arg, r->value, 1);
		to = put_yes(to);
	}
	return to;
}

static struct sock_filter *
put_pairs(struct sock_filter *to, const struct pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct pair *p = &pairs[i];

		to = put_call(to, p->call, 2 * TEST + 1);
		for (int k = 0; k < 2; k++)
			to = put_test(to, p->both[k].test, p->both[k].arg,
			    p->both[k].value, k == 0 ? TEST + 1 : 1);
		to = put_yes(to);
	}
	return to;
}

/* What an output takes over from an input.  Descriptors cannot be distinguished
 * here: so no file gets a mode or an owner that no input has. */
static struct sock_filter *
put_carries(struct sock_filter *to, const struct slv_carries *c)
{
	const struct rule modes = { SYS_fchmod, LACKS, 1, ~(uint32_t)c->modes };

	to = put_rules(to, &modes, 1);
	for (size_t i = 0; i < c->n_owners; i++) {
		const uint32_t uid = (uint32_t)c->owners[i].uid;
		const uint32_t gid = (uint32_t)c->owners[i].gid;
		const struct pair both[2] = {
			{ SYS_fchown, { { IS, 1, uid }, { IS, 2, gid } } },
			{ SYS_fchown,
			    { { IS, 1, UINT32_MAX }, { IS, 2, gid } } },
		};

		to = put_pairs(to, both, 2);
	}
	if (c->attributes)
		to = put_rules(to, describing, COUNT(describing));
	return to;
}

bool
slv_seccomp_known(void)
{
	uint32_t action = SECCOMP_RET_ERRNO;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool
slv_seccomp_up(const struct slv_calls *calls)
{
	/* Calls of another architecture (32-bit) have other numbers: all are
	 * refused. */
	static const struct sock_filter head[HEAD] = {
		LOAD(AT(arch)),
		IF_IS(OUR_ARCH, 1, 0),
		ANSWER(DENY(EPERM)),
	};
	static const struct sock_filter tail[TAIL] = {
		LOAD(AT(nr)),
		IF_MIN(NEWER, 0, 1),
		ANSWER(DENY(ENOSYS)),
		ANSWER(DENY(EPERM)),
	};
	struct sock_filter code[ROOM], *to = put(code, head, HEAD);
	struct sock_fprog program = { .filter = code };

	to = put_rules(to, reading, COUNT(reading));
	to = put_pairs(to, reading_pairs, COUNT(reading_pairs));
	if (calls->most > SLV_MAY_LOOK) {
		to = put_rules(to, writing, COUNT(writing));
		to = put_carries(to, &calls->carries);
	}
	if (calls->most >= SLV_MAY_GROW)
		to = put_rules(to, growing, COUNT(growing));
	if (calls->most == SLV_MAY_CHANGE)
		to = put_rules(to, changing, COUNT(changing));
	if (calls->starts) {
		to = put_rules(to, starting, COUNT(starting));
		to = put_pairs(to, starting_pairs, COUNT(starting_pairs));
	}
	to = put(to, tail, TAIL);
	program.len = (unsigned short)(to - code);
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

#else

bool
slv_seccomp_known(void)
{
	return false;
}

bool
slv_seccomp_up(const struct slv_calls *calls)
{
	(void)calls;
	errno = ENOSYS;
	return false;
}

#endif
