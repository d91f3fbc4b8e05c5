/* undo.h - undo a repair in place, or end one that was interrupted. */
#ifndef SLV_JOB_UNDO_H
#define SLV_JOB_UNDO_H

#include "job/inplace/undo_record.h"

/* Paths of a file and its record. */
struct slv_undo_names {
	char *file;   /* owned; the file itself, links resolved */
	char *beside; /* owned; the file's name with ".salvor-undo" */
	char *record; /* owned; path of the record itself */
	bool apart;   /* the record is elsewhere, and `beside` is a link to
		       * it */
	bool given;   /* the user gave ->record */

	/* The same names in their directories, which stay open. */
	struct slv_site file_at, beside_at, record_at;
	struct stat of;   /* the file */
	bool found;       /* it exists */
	bool planted;     /* `beside` is a link that is not trusted */
	struct stat link; /* `beside` when it was followed, a link */
};

/* Find where the record of a file is, or would be.  Free it, also after a
 * failure.
 *
 *   given  path given by the user; NULL: next to the file, or where a link
 *          there points
 *
 * SLV_E_REFUSED: the file is named by a link that another user may have made */
enum slv_status slv_undo_names(struct slv_undo_names *, const char *file,
    const char *given, struct slv_err *);

/* The same for a file that was found in a folder, where it was no link.
 *
 * SLV_E_REFUSED: it is a link now */
enum slv_status slv_undo_names_found(struct slv_undo_names *, const char *file,
    const char *given, struct slv_err *);

void slv_undo_names_free(struct slv_undo_names *);

/* Examine the record, like slv_undo_look().
 *
 * SLV_E_REFUSED: something is there, but not a valid record; also if a link
 *                points to a missing one: its disk is not mounted */
enum slv_status slv_undo_state(
    const struct slv_undo_names *, struct slv_undo_seen *, struct slv_err *);

/* Check that a link to a record was made by the caller or by the owner of the
 * record: other users must not point to a record of the caller.
 *
 *   it  the record
 *
 * SLV_E_REFUSED: it belongs to another user */
enum slv_status slv_undo_check_led(const struct slv_undo_names *,
    const struct stat *it, struct slv_undo_seen *, struct slv_err *);

/* A log in which a repair in place was interrupted cannot be used yet.
 *
 * SLV_E_REFUSED: it is such a log */
enum slv_status slv_undo_check_finished(const char *file, struct slv_err *);

/* Create the link to a record that is elsewhere. */
enum slv_status slv_undo_link(const struct slv_undo_names *, struct slv_err *);

/* Remove the link and the record `it`, in this order. */
enum slv_status slv_undo_remove(
    const struct slv_undo_names *, const struct stat *it, struct slv_err *);

/* Open the file again, and check that it is the one that is being changed. */
enum slv_status slv_undo_reread(const struct slv_undo_names *,
    const struct slv_place *file, struct slv_source **out, struct slv_err *);

/* What to do with a record. */
struct slv_undoing {
	const struct slv_undo_names *names;
	bool force;   /* even if the file is not what it should be */
	bool dry_run; /* only find out if it is possible */
	const volatile sig_atomic_t *cancel; /* only until the first byte
					      * changes */

	/* Results. */
	struct slv_undo_facts facts;
	uint64_t record_size; /* bytes */
	bool discarded; /* slv_undo_recover() has removed a closed record */
	bool unsaid;    /* the report next to the repaired log was removed */
	bool exact;     /* the file is proven to be the old one */
	bool partly;    /* the old file cannot be restored in full; only with
			 * `force` */
	struct slv_ranges missing; /* owned; neither in the record nor in the
				    * file any more: replaced by zeros */
};

/* Restore the old bytes of the file, prove that, and remove the record.  It can
 * be interrupted at any point and repeated.  If it was forced and not
 * everything is restored, the record stays, closed.
 *
 * SLV_E_REFUSED: the file is not what the repair left, or there is no record
 * SLV_E_ACTIVE:  another process writes the file
 *
 * After any other failure the record still exists, unless nothing was
 * changed. */
enum slv_status slv_undo_take_back(struct slv_undoing *, struct slv_err *);

/* Discard the record of a finished repair.
 *
 * SLV_E_REFUSED: it is not finished, or there is no record */
enum slv_status slv_undo_discard(struct slv_undoing *, struct slv_err *);

/* Before a repair in place: roll back an interrupted one, so that the file is
 * what it was before.
 *
 *   discard       remove the record of a finished one
 *   *rolled_back  set if something was rolled back
 *
 * SLV_E_REFUSED: also if only a part could be, by force */
enum slv_status slv_undo_recover(
    struct slv_undoing *, bool discard, bool *rolled_back, struct slv_err *);

#endif
