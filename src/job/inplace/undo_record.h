/* undo_record.h - what takes a repair in place back: FILE.salvor-undo.
 *
 * The record holds the old bytes of everything that a repair changes, and
 * digests of the whole file before and after.  It is complete and on the disk
 * before the first byte of the file changes; hence whatever has become of the
 * file since, the old bytes written over it give the old file, and its SHA-1
 * proves that.  docs/undo-record.md describes every byte.
 *
 * A record is open while the file is being changed and closed when that is
 * done.  Closing and opening it is a write of one sector.
 */
#ifndef SLV_JOB_UNDO_RECORD_H
#define SLV_JOB_UNDO_RECORD_H

#include "base/ranges.h"
#include "digest/digest.h"
#include "io/read/source.h"
#include "io/write/place.h"

/* What a record says of the file. */
struct slv_undo_facts {
	uint64_t old_size, new_size;
	uint8_t old_sha1[SLV_SHA1_SIZE], new_sha1[SLV_SHA1_SIZE];
	uint64_t patched; /* bytes that were replaced by as many */
	bool closed;
};

/* A stretch of old bytes. */
struct slv_undo_piece {
	uint64_t off, len; /* in the file; len > 0 */
	uint64_t at;       /* in the record; 0: they are zeros */
};

struct slv_undo_record {
	struct slv_source *source;  /* owned */
	struct stat as;             /* what it is */
	struct slv_undo_facts says; /* checked against the digests in it */
	uint8_t seal[SLV_SHA1_SIZE];
	struct slv_undo_piece *at; /* owned; in order, apart */
	size_t n, cap;
};

/* How a record is made. */
struct slv_undo_making {
	struct slv_source *file;          /* as it is before the repair */
	const struct slv_ranges *patches; /* what will be replaced */
	struct slv_undo_facts facts;
	const volatile sig_atomic_t *cancel;

	/* Filled in by slv_undo_measure. */
	uint64_t size; /* of the record, bytes */
	uint64_t body, pieces;
	uint8_t sha1[SLV_SHA1_SIZE]; /* of the body */
};

/* How large the record will be; the old bytes are read. */
enum slv_status slv_undo_measure(struct slv_undo_making *, struct slv_err *);

/* What there is under a record's name. */
struct slv_undo_seen {
	bool exists, closed;
	const char *doubt; /* why it is not believed to be a record, for
	                    * messages; NULL: it is */
	struct stat as;    /* where it exists: what it is */
};

/* Publish the open record: it gets its name, which must be free, when it is
 * on the disk.
 *
 *   like  whose mode and owner it gets, as it holds the same secrets; only its
 *         owner may write it
 *
 * SLV_E_ACTIVE: the file has changed since it was measured
 * SLV_E_EXISTS: the name is taken */
enum slv_status slv_undo_write(const struct slv_undo_making *,
    const struct slv_site *, const struct stat *like, struct slv_err *);

/* Read a record and check all of it.  It must be freed, also after a failure.
 * The site's path is borrowed.
 *
 *   of  the log, see slv_site_doubt(); NULL: it is not there
 *
 * SLV_E_REFUSED: there is something, but no record that can be trusted */
enum slv_status slv_undo_read(struct slv_undo_record *, const struct slv_site *,
    const struct stat *of, struct slv_undo_seen *, struct slv_err *);

/* Look at the state only: a sector or two.
 *
 * SLV_E_REFUSED: as slv_undo_read() */
enum slv_status slv_undo_look(const struct slv_site *, const struct stat *of,
    struct slv_undo_seen *, struct slv_err *);

/* Something is there that is not believed to be a record: SLV_E_REFUSED. */
enum slv_status slv_undo_alien(
    const char *path, const char *doubt, struct slv_err *);

/* Open or close the record that was read; on the disk when this returns.
 *
 * SLV_E_ACTIVE: another file has its name by now */
enum slv_status slv_undo_set(const struct slv_undo_record *,
    const struct slv_site *, bool closed, struct slv_err *);

/* The file as it was: the old bytes laid over what it is now.  Both are
 * borrowed while it lives. */
enum slv_status slv_undo_view(const struct slv_undo_record *,
    struct slv_source *file, struct slv_source **out, struct slv_err *);

/* Write the old bytes back and give the file its old size; not synced. */
enum slv_status slv_undo_put_back(
    struct slv_undo_record *, struct slv_place *, struct slv_err *);

void slv_undo_free(struct slv_undo_record *);

/* The layout, for undo_record.c and undo_write.c. */
#define SLV_UNDO_SECTOR     512  /* bytes; the head, then the state */
#define SLV_UNDO_BODY       1024 /* where the pieces begin */
#define SLV_UNDO_PIECE      24   /* bytes in front of each */
#define SLV_UNDO_SEAL       492  /* in the head: its SHA-1 */
#define SLV_UNDO_MAGIC      "salvor-undo\n\1\0\0\0" /* and the version */
#define SLV_UNDO_MAGIC_SIZE 16

#endif
