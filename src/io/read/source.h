/* source.h - bytes in, at random.
 *
 * The size is fixed when a source is opened.  Reads are exact: asking for
 * bytes outside [0, size) is the caller's bug, because "past the end" is a
 * fact about the file that parsers discover by comparing.
 *
 * Bytes that the system cannot read are damage, not failure: they are
 * retried sector by sector, put down in `unreadable` and served as zeros.
 */
#ifndef SLV_IO_SOURCE_H
#define SLV_IO_SOURCE_H

#include "base/buf.h"
#include "base/ranges.h"
#include "base/status.h"

#define SLV_SECTOR 512 /* bytes; what a disk loses or tears at once */

struct slv_source;
struct stat;

struct slv_source_ops {
	/* Read exactly n bytes at off, which lie inside the source. */
	enum slv_status (*read)(struct slv_source *, uint64_t off, void *buf,
	    size_t n, struct slv_err *);

	/* Add to *out what of [off, off + len) was never written, as far as
	 * the file system tells; NULL = it never tells. */
	enum slv_status (*unwritten)(struct slv_source *, uint64_t off,
	    uint64_t len, struct slv_ranges *out, struct slv_err *);

	/* Whether somebody has it open for writing; NULL = it never tells. */
	bool (*has_writer)(struct slv_source *);

	/* Free what the source owns, itself included. */
	void (*close)(struct slv_source *);
};

struct slv_source {
	const struct slv_source_ops *ops;
	uint64_t size;                /* bytes */
	const char *name;             /* for messages; borrowed */
	struct slv_ranges unreadable; /* grows while reading */
	struct slv_ranges unrescued;  /* those of them that somebody told of
	                               * before anything was read */
	bool is_joined; /* it is made of copies, and what was told of is where
	                 * nobody knows whose bytes are right */
	bool is_view; /* it is made of pieces of a file, and is not that file */
};

/* Open the file at path for reading; the name is borrowed while the source
 * lives.  *st receives what it is.  Nothing blocks.
 *
 * SLV_E_REFUSED: a directory, FIFO, socket or terminal
 * SLV_E_IO:      the system refused */
enum slv_status slv_source_file(const char *path, struct slv_source **out,
    struct stat *st, struct slv_err *);

/* The same for an open descriptor, which the source closes; from its first
 * byte on, wherever it stands. */
enum slv_status slv_source_fd_open(int fd, const char *name,
    struct slv_source **out, struct stat *st, struct slv_err *err);

/* All of it will be read, from the front to the back: a hint. */
void slv_source_onward(struct slv_source *);

/* The descriptor of a file; -1: it has none. */
int slv_source_fd(const struct slv_source *);

/* Serve n bytes of memory, borrowed while the source lives. */
enum slv_status slv_source_memory(
    const void *bytes, size_t n, struct slv_source **out, struct slv_err *);

/* The same of a buffer, which is empty afterwards, also after a failure. */
enum slv_status slv_source_buffer(struct slv_buf *, const char *name,
    struct slv_source **out, struct slv_err *);

/* Read exactly n bytes at off into buf.
 *
 * SLV_E_IO      the system refused for another reason than a bad sector
 * SLV_E_ACTIVE  the file has become shorter */
enum slv_status slv_source_read(
    struct slv_source *, uint64_t off, void *buf, size_t n, struct slv_err *);

/* As slv_source_ops.unwritten. */
enum slv_status slv_source_unwritten(struct slv_source *, uint64_t off,
    uint64_t len, struct slv_ranges *out, struct slv_err *);

/* Whether somebody has the source open for writing right now, as far as the
 * system tells: of other people's files it does not, nor on every file
 * system. */
bool slv_source_has_writer(struct slv_source *);

/* NULL is allowed. */
void slv_source_close(struct slv_source *);

#endif
