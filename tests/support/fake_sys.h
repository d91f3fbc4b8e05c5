/* fake_sys.h - the system as it is on a bad day.
 *
 * While it is on, every call of slv_sys and every allocation is counted,
 * written down, and made to misbehave where the plan says so.
 */
#ifndef TESTS_SUPPORT_FAKE_SYS_H
#define TESTS_SUPPORT_FAKE_SYS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ranges.h"

enum fake_call {
	FAKE_OPEN,
	FAKE_CLOSE,
	FAKE_DUP,
	FAKE_STAT,
	FAKE_LOOK,
	FAKE_FSTAT,
	FAKE_STATVFS,
	FAKE_READLINK,
	FAKE_REALPATH,
	FAKE_LSEEK,
	FAKE_PREAD,
	FAKE_WAIT,
	FAKE_READ,
	FAKE_WRITE,
	FAKE_PWRITE,
	FAKE_FTRUNCATE,
	FAKE_RESERVE,
	FAKE_LOCK,
	FAKE_CLONE,
	FAKE_FSYNC,
	FAKE_FLUSH,
	FAKE_ONWARD,
	FAKE_FCHMOD,
	FAKE_FCHOWN,
	FAKE_FUTIMENS,
	FAKE_FLISTXATTR,
	FAKE_FGETXATTR,
	FAKE_FSETXATTR,
	FAKE_RENAME,
	FAKE_RENAME_NEW,
	FAKE_LINK,
	FAKE_SYMLINK,
	FAKE_UNLINK,
	FAKE_MKDIR,
	FAKE_RMDIR,
	FAKE_RANDOM,
	FAKE_FCNTL,
	FAKE_ALLOC,
	FAKE_CALLS
};

#define FAKE_BIT(call) (UINT64_C(1) << (call))
#define FAKE_ALL_SYS   (FAKE_BIT(FAKE_ALLOC) - 1)

enum fake_how {
	FAKE_ERRNO, /* the call fails with `os` */
	FAKE_SHORT, /* it does half of what it was asked, at least a byte */
	FAKE_KILL,  /* the process is gone before the call */
	FAKE_WISH,  /* *cancel is set, and the call does its work */
	FAKE_GROW,  /* `grown` gets one byte more, and the call does its work */
	FAKE_ACT,   /* `act` is called, and the call does its work */
	FAKE_SPOIL, /* all but the beginning of `grown` is other bytes,
	             * and the call does its work */
};

struct fake_plan {
	unsigned k;     /* the k-th of the calls that count; 0: none */
	bool onward;    /* and every later one */
	uint64_t calls; /* FAKE_BIT()s of those that count */
	enum fake_how how;
	int os;
	volatile sig_atomic_t *cancel;
	const char *grown; /* a file */
	void (*act)(const void *ctx);
	const void *act_ctx;

	/* Sectors of this file that no pread gets: EIO. */
	const char *bad_file;
	const struct slv_range *bad;
	size_t n_bad;
};

struct fake_result {
	unsigned calls;        /* how many counted */
	unsigned fired;        /* how many misbehaved */
	enum fake_call victim; /* the first that did */
	uint64_t struck;       /* FAKE_BIT()s of all that did */
	char trace[4096];      /* "open fstat pread ...", as far as it fits */
};

const char *fake_name(enum fake_call);

/* Turn it on; plan is borrowed until fake_off(). */
void fake_on(const struct fake_plan *plan);

/* Back to the real system. */
void fake_off(struct fake_result *);

#endif
