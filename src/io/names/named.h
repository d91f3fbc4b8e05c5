/* named.h - open files that a user named and that are not logs, without
 * blocking.
 *
 * A name on the command line can be anything.  Opening a FIFO can block for
 * ever, and a device can have no end.  So all such files are opened here, and
 * their type is checked before they are used.
 */
#ifndef SLV_IO_NAMED_H
#define SLV_IO_NAMED_H

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/status.h"

/* What is expected under a name. */
struct slv_named {
	const char *what; /* for messages: "a journal" */
	bool stream;      /* accept what can be read only once: a pipe, a
			   * terminal; "-" is then standard input */
	int flags;        /* of open(2): mode, and O_CREAT */
};

/* Open it: *out is owned by the caller.  Calls on it do not block, except on
 * standard input; see slv_await().
 *
 * SLV_E_IO:    the system refused
 * SLV_E_USAGE: it is something else */
enum slv_status slv_named_open(
    const char *path, const struct slv_named *, int *out, struct slv_err *);

/* A file cannot be opened, by errno: SLV_E_IO.  The message says so if it is a
 * symbolic link to nothing. */
enum slv_status slv_named_fail(const char *path, struct slv_err *);

/* The name of a file type other than a regular file or a block device: "a
 * FIFO"; NULL: it is one of these.
 *
 *   fd  the file; -1: it cannot be opened */
const char *slv_named_kind(const struct stat *, int fd);

enum slv_await { SLV_AWAIT_INPUT, SLV_AWAIT_ROOM };

/* Wait until a descriptor can be read from, or written to; for -1 only a
 * moment.
 *
 *   cancel  NULL: cannot be cancelled
 *
 * SLV_E_CANCELLED: *cancel is not 0 */
enum slv_status slv_await(int fd, enum slv_await,
    const volatile sig_atomic_t *cancel, const char *name, struct slv_err *);

#endif
