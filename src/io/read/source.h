/* source.h - bytes in, at random.
 *
 * The size is fixed when a source is opened.  Reads are exact.  Asking for
 * bytes outside [0, size) is a bug of the caller, because parsers find "past
 * the end" by comparing with the size.
 *
 * Bytes that the system cannot read are damage, not failure.  They are retried
 * sector by sector, recorded in `unreadable` and served as zeros.
 */
#ifndef SLV_IO_SOURCE_H
#define SLV_IO_SOURCE_H

#include "base/buf.h"
#include "base/ranges.h"
#include "base/status.h"

#define SLV_SECTOR 512 /* bytes that a disk loses or writes at once */

struct slv_source;
struct stat;

struct slv_source_ops {
	/* Read exactly n bytes at off, which lie inside the source. */
	enum slv_status (*read)(struct slv_source *, uint64_t off, void *buf,
	    size_t n, struct slv_err *);

	/* Add to *out the ranges of [off, off + len) that were never written,
	 * by the file system; NULL = it cannot say. */
	enum slv_status (*unwritten)(struct slv_source *, uint64_t off,
	    uint64_t len, struct slv_ranges *out, struct slv_err *);

	/* Is it open for writing in another process?  NULL = it cannot say. */
	bool (*has_writer)(struct slv_source *);

	/* Free what the source owns, itself included. */
	void (*close)(struct slv_source *);
};

/* Damage of the file that a source was decompressed from.  What is missing in
 * between is in its `unrescued`. */
struct slv_packing {
	uint64_t at; /* in the compressed file, where it was noticed first */
	bool loose;  /* there may be more or less in between */
	bool cut;    /* the end is missing */
	bool
	    wrong; /* bytes may be wrong: a checksum or a size does not match */
};

struct slv_source {
	const struct slv_source_ops *ops;
	uint64_t size;                /* bytes */
	const char *name;             /* for messages; borrowed */
	struct slv_ranges unreadable; /* grows while reading */
	struct slv_ranges unrescued;  /* those of them that were known before
				       * anything was read */
	const struct slv_packing *packing; /* borrowed; NULL: no damage */
	bool is_joined; /* it is made of copies; `unrescued` is where the right
			 * bytes are unknown */
	bool is_view;   /* it is made of pieces of a file, and is not the file
		       * itself */
};

/* Open the file at path for reading; the name is borrowed while the source
 * lives.  *st receives its status.  Does not block.
 *
 * SLV_E_REFUSED: a directory, FIFO, socket or terminal
 * SLV_E_IO:      the system refused */
enum slv_status slv_source_file(const char *path, struct slv_source **out,
    struct stat *st, struct slv_err *);

/* The same of a file that was found in a folder: it is not a link.
 *
 * SLV_E_REFUSED: it is one now */
enum slv_status slv_source_found(const char *path, struct slv_source **out,
    struct stat *st, struct slv_err *);

/* Refuse such a link. */
enum slv_status slv_source_became_link(const char *path, struct slv_err *);

/* The same for an open descriptor, which the source closes; from its first byte
 * on, whatever its position. */
enum slv_status slv_source_fd_open(int fd, const char *name,
    struct slv_source **out, struct stat *st, struct slv_err *err);

/* Hint that all of it will be read, from front to back. */
void slv_source_onward(struct slv_source *);

/* The descriptor of a file; -1: it has none. */
int slv_source_fd(const struct slv_source *);

/* The same, if all of [off, end) can be taken from it, as far as is known: no damage is
 * there that the source knows. */
int slv_source_plain(const struct slv_source *, uint64_t off, uint64_t end);

/* Read exactly n bytes of a descriptor, in any thread; false if not all of them can be
 * read, whatever the reason. */
bool slv_source_read_fd(int fd, uint64_t off, uint8_t *buf, size_t n);

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

/* Return true if the source is open for writing in another process right now,
 * as far as the system reports it: not for files of other users, and not on
 * every file system. */
bool slv_source_has_writer(struct slv_source *);

/* NULL is allowed. */
void slv_source_close(struct slv_source *);

#endif
