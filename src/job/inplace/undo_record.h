/* undo_record.h - the record that undoes a repair in place: FILE.salvor-undo.
 *
 * The record holds the old bytes of everything that a repair changes, and
 * digests of the file before and after: of all of it, or, if it was not read whole, of
 * its end.  It is complete and on the disk
 * before the first byte of the file changes.  Therefore, whatever happened to
 * the file since, the old bytes written over it give the old file, and its
 * SHA-1 proves that. docs/undo-record.md describes every byte.
 *
 * A record is open while the file is being changed, and closed afterwards.
 * Closing and opening it writes one sector.
 */
#ifndef SLV_JOB_UNDO_RECORD_H
#define SLV_JOB_UNDO_RECORD_H

#include "base/ranges.h"
#include "digest/digest.h"
#include "io/read/source.h"
#include "io/write/place.h"

/* What a record says about the file. */
struct slv_undo_facts {
	uint64_t old_size, new_size;
	uint64_t from; /* where the digests begin; all before is as it was */
	uint8_t old_sha1[SLV_SHA1_SIZE], new_sha1[SLV_SHA1_SIZE];
	uint64_t patched; /* bytes that are replaced */
	bool closed;
};

/* A range of old bytes. */
struct slv_undo_piece {
	uint64_t off, len; /* in the file; len > 0 */
	uint64_t at;       /* in the record; 0: they are zeros */
};

struct slv_undo_record {
	struct slv_source *source;  /* owned */
	struct stat as;             /* status of the record file */
	struct slv_undo_facts says; /* checked against the digests in the
				     * record */
	uint8_t seal[SLV_SHA1_SIZE];
	struct slv_undo_piece *at; /* owned; in order, apart */
	size_t n, cap;
};

/* How to make a record. */
struct slv_undo_making {
	struct slv_source *file;          /* the file before the repair */
	const struct slv_ranges *patches; /* the ranges to replace */
	struct slv_undo_facts facts;
	const volatile sig_atomic_t *cancel;

	/* Set by slv_undo_measure. */
	uint64_t size; /* of the record, bytes */
	uint64_t body, pieces;
	uint8_t sha1[SLV_SHA1_SIZE]; /* SHA-1 of the body */
};

/* Compute the size of the record; reads the old bytes. */
enum slv_status slv_undo_measure(struct slv_undo_making *, struct slv_err *);

/* What is at the record's name. */
struct slv_undo_seen {
	bool exists, closed;
	const char *doubt; /* why it is not trusted as a record, for messages;
			    * NULL: it is */
	struct stat as;    /* its status, if it exists */
};

/* Publish the open record.  It gets its name, which must be free, when it is on
 * the disk.
 *
 *   like  gives it mode and owner, because it holds the same secrets; only
 *         the owner may write it
 *
 * SLV_E_ACTIVE: the file has changed since it was measured
 * SLV_E_EXISTS: the name is taken */
enum slv_status slv_undo_write(const struct slv_undo_making *,
    const struct slv_site *, const struct stat *like, struct slv_err *);

/* Read a record and check all of it.  Free it, also after a failure.  The
 * site's path is borrowed.
 *
 *   of      the log, see slv_site_doubt(); NULL: it does not exist
 *   cancel  not 0: stop, because a record can be as long as a disk; NULL: never
 *
 * SLV_E_REFUSED: something is there, but not a record that can be trusted
 * SLV_E_CANCELLED: *cancel is not 0 */
enum slv_status slv_undo_read(struct slv_undo_record *, const struct slv_site *,
    const struct stat *of, const volatile sig_atomic_t *cancel,
    struct slv_undo_seen *, struct slv_err *);

/* Read the state only: a sector or two.
 *
 * SLV_E_REFUSED: as slv_undo_read() */
enum slv_status slv_undo_look(const struct slv_site *, const struct stat *of,
    struct slv_undo_seen *, struct slv_err *);

/* Something is there that is not trusted as a record: SLV_E_REFUSED. */
enum slv_status slv_undo_alien(
    const char *path, const char *doubt, struct slv_err *);

/* Open or close the record that was read; on the disk when this returns.
 *
 * SLV_E_ACTIVE: another file has its name now */
enum slv_status slv_undo_set(const struct slv_undo_record *,
    const struct slv_site *, bool closed, struct slv_err *);

/* The old file as a source: the old bytes laid over the present file.  Both are
 * borrowed while it lives. */
enum slv_status slv_undo_view(const struct slv_undo_record *,
    struct slv_source *file, struct slv_source **out, struct slv_err *);

/* Write the old bytes back and restore the old size; not synced. */
enum slv_status slv_undo_put_back(
    struct slv_undo_record *, struct slv_place *, struct slv_err *);

void slv_undo_free(struct slv_undo_record *);

/* The layout, for undo_record.c and undo_write.c. */
#define SLV_UNDO_SECTOR 512  /* bytes; the head, then the state */
#define SLV_UNDO_BODY   1024 /* start of the pieces */
/* Zeros that are only counted, at most: the digest of so many takes an hour. */
#define SLV_UNDO_ZEROS      ((uint64_t)1 << 40)
#define SLV_UNDO_PIECE      24  /* bytes before each piece */
#define SLV_UNDO_SEAL       492 /* in the head: offset of its SHA-1 */
#define SLV_UNDO_MAGIC      "salvor-undo\n"
#define SLV_UNDO_MAGIC_SIZE 12
#define SLV_UNDO_WHOLE      1 /* versions: the digests are of the whole file, */
#define SLV_UNDO_END        2 /* ... or of its end */

#endif
