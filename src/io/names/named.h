/* named.h - open what somebody named besides logs, without waiting.
 *
 * A name on the command line may be that of anything.  To open a FIFO can take
 * for ever, and a device can have no end; so all such files are opened here,
 * and what they are is looked at before anything is done with them.
 */
#ifndef SLV_IO_NAMED_H
#define SLV_IO_NAMED_H

#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/status.h"

/* What is wanted under a name. */
struct slv_named {
	const char *what; /* for messages: "a journal" */
	bool stream;      /* what can be read only once will do: a pipe, a
	                   * terminal; "-" is then standard input */
	int flags;        /* of open(2): how, and O_CREAT */
};

/* Open it: *out is the caller's.  No call on it waits, but where it is standard
 * input; see slv_await().
 *
 * SLV_E_IO:    the system refused
 * SLV_E_USAGE: it is something else */
enum slv_status slv_named_open(
    const char *path, const struct slv_named *, int *out, struct slv_err *);

/* A file cannot be opened, by errno: SLV_E_IO, and of a symbolic link to
 * nothing that it is one. */
enum slv_status slv_named_fail(const char *path, struct slv_err *);

/* What a file is called that is neither a regular one nor a block device: "a
 * FIFO"; NULL: it is one of these.
 *
 *   fd  of it; -1: it cannot be opened */
const char *slv_named_kind(const struct stat *, int fd);

enum slv_await { SLV_AWAIT_INPUT, SLV_AWAIT_ROOM };

/* Wait until a descriptor can be read from, or written to; of -1 only a
 * moment.
 *
 *   cancel  NULL: nobody stops it
 *
 * SLV_E_CANCELLED: *cancel is not 0 */
enum slv_status slv_await(int fd, enum slv_await,
    const volatile sig_atomic_t *cancel, const char *name, struct slv_err *);

#endif
