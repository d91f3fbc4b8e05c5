/* sink.h - bytes out, all or nothing.
 *
 * Write, then call exactly one of commit and discard; both free the sink.
 * Until commit has returned SLV_OK, an output file of a sink is not visible;
 * afterwards it is complete and on the disk.
 */
#ifndef SLV_IO_SINK_H
#define SLV_IO_SINK_H

#include <signal.h>

#include "base/buf.h"
#include "io/names/site.h"
#include "io/read/source.h"

struct slv_sink;

struct slv_sink_ops {
	enum slv_status (*write)(
	    struct slv_sink *, const void *bytes, size_t n, struct slv_err *);
	enum slv_status (*commit)(struct slv_sink *, struct slv_err *);
	void (*discard)(struct slv_sink *);

	/* Open what was written for reading; NULL = cannot be reread. */
	enum slv_status (*reread)(
	    struct slv_sink *, struct slv_source **out, struct slv_err *);

	/* Remove what was written after the first n bytes, and continue from
	 * there.  NULL = not possible. */
	enum slv_status (*cut)(struct slv_sink *, uint64_t n, struct slv_err *);

	/* Before the first write: become the source, byte for byte, sharing its
	 * blocks; false = not possible here.  NULL = never. */
	bool (*clone)(struct slv_sink *, const struct slv_source *);
};

struct slv_sink {
	const struct slv_sink_ops *ops;
	uint64_t n; /* bytes in it */
};

/* The commit and the discard of a sink that owns nothing but itself. */
enum slv_status slv_sink_free_commit(struct slv_sink *, struct slv_err *);
void slv_sink_free_discard(struct slv_sink *);

/* How to make an output file; everything is borrowed while the sink lives. */
struct slv_target {
	const char *path;
	bool replace;            /* an existing file may be replaced */
	const struct stat *like; /* carry over mode, owner, times; or NULL */
	const struct slv_source *original; /* and its attributes; or NULL */
	/* Without `like`: the file that the bytes come from.  Only users who have
	 * access to it get access; or NULL. */
	const struct stat *from;
	bool make_dirs;            /* make its missing parent directories */
	const struct slv_site *at; /* its directory, if it is open already; or
				    * NULL */
};

/* A file that appears under its name at commit.  Until then it is a temporary
 * in the same directory with a name of .salvor- and random letters, accessible
 * to its owner alone (without `like`, by the umask).  Commit does fsync,
 * rename, fsync of the directory.  Discard removes directories that were made
 * for it and are empty.
 *
 * commit: SLV_E_EXISTS if the name is taken and replace is false; the check is
 * part of the rename, so no race can lose a file. */
enum slv_status slv_sink_atomic(
    const struct slv_target *, struct slv_sink **out, struct slv_err *);

/* An open descriptor such as standard output, borrowed and not closed.  What
 * was written cannot be removed. */
enum slv_status slv_sink_fd(
    int fd, const char *name, struct slv_sink **out, struct slv_err *);

/* A device, FIFO or similar, opened and written directly.  A FIFO waits for its
 * reader to open it and to read.
 *
 *   cancel  NULL: cannot be cancelled
 *
 * SLV_E_REFUSED: a terminal, or a path that slv_link_open() refuses
 * SLV_E_USAGE:   a socket
 * SLV_E_CANCELLED, here and from write: *cancel is not 0 while there is no
 *                reader */
enum slv_status slv_sink_device(const char *path,
    const volatile sig_atomic_t *cancel, struct slv_sink **out,
    struct slv_err *err);

/* Hand all bytes to a function of the caller, in order; it cannot give them back. */
enum slv_status slv_sink_call(
    const struct slv_outlet *, struct slv_sink **out, struct slv_err *);

/* Append to a buffer, borrowed while the sink lives. */
enum slv_status slv_sink_memory(
    struct slv_buf *, struct slv_sink **out, struct slv_err *);

/* Write all n bytes to a descriptor, in as many calls as the system needs. */
enum slv_status slv_write_all(
    int fd, const char *name, const void *bytes, size_t n, struct slv_err *);

#endif
