/* undo.h - take a repair in place back, or end one that was interrupted. */
#ifndef SLV_JOB_UNDO_H
#define SLV_JOB_UNDO_H

#include "job/inplace/undo_record.h"

/* Where things are. */
struct slv_undo_names {
	char *file;   /* owned; the file itself, no link to it */
	char *beside; /* owned; the same and ".salvor-undo" */
	char *record; /* owned; the record itself */
	bool apart;   /* it is elsewhere, and `beside` is a link to it */
	bool given;   /* ->record is what the user said */

	/* The same in their folders, which stay open. */
	struct slv_site file_at, beside_at, record_at;
	struct stat of;   /* the file */
	bool found;       /* which is there */
	bool planted;     /* `beside` is a link that is not followed */
	struct stat link; /* the link that `beside` was when it was followed */
};

/* Where the record of a file is, or would be.  Must be freed, also after a
 * failure.
 *
 *   given  where the user wants it; NULL: beside the file, or where a link
 *          there points
 *
 * SLV_E_REFUSED: the file is named by a link that somebody else may have put
 *                there */
enum slv_status slv_undo_names(struct slv_undo_names *, const char *file,
    const char *given, struct slv_err *);

void slv_undo_names_free(struct slv_undo_names *);

/* What there is of a record, as slv_undo_look().
 *
 * SLV_E_REFUSED: there is something, but no record that tells; also where a
 *                link points to one that is not there: its disk is away */
enum slv_status slv_undo_state(
    const struct slv_undo_names *, struct slv_undo_seen *, struct slv_err *);

/* Whoever made the link to a record has made the record as well, if it was not
 * the caller: others may not lead to a record of the caller's.
 *
 *   it  the record
 *
 * SLV_E_REFUSED: it is of somebody else */
enum slv_status slv_undo_check_led(const struct slv_undo_names *,
    const struct stat *it, struct slv_undo_seen *, struct slv_err *);

/* A log in which a repair in place was interrupted is none as yet.
 *
 * SLV_E_REFUSED: it is such a one */
enum slv_status slv_undo_check_finished(const char *file, struct slv_err *);

/* Leave the link to a record that is apart. */
enum slv_status slv_undo_link(const struct slv_undo_names *, struct slv_err *);

/* Remove the link and the record `it`, in this order. */
enum slv_status slv_undo_remove(
    const struct slv_undo_names *, const struct stat *it, struct slv_err *);

/* Open the file again, which is still the one that is being changed. */
enum slv_status slv_undo_reread(const struct slv_undo_names *,
    const struct slv_place *file, struct slv_source **out, struct slv_err *);

/* What is to be done with a record. */
struct slv_undoing {
	const struct slv_undo_names *names;
	bool force;   /* also where the file is not what it should be */
	bool dry_run; /* only say whether it can be done */
	const volatile sig_atomic_t *cancel; /* until the first byte changes */

	/* Filled in. */
	struct slv_undo_facts facts;
	uint64_t record_size; /* bytes */
	bool discarded; /* slv_undo_recover() has removed a closed record */
	bool exact;     /* the file is proven to be the old one */
	bool partly;    /* the old file is not to be had, or was not; only where
	              * it is forced */
	struct slv_ranges missing; /* owned; what neither the record had nor
	                            * the file any more: zeros in its place */
};

/* Give the file its old bytes back, prove that, and remove the record.  It
 * can be interrupted anywhere and begun again.  Where it is forced and not all
 * is back, the record stays, closed.
 *
 * SLV_E_REFUSED: the file is not what the repair left, or there is no record
 * SLV_E_ACTIVE:  somebody writes the file
 * After any other failure the record is still there, unless nothing was
 * changed. */
enum slv_status slv_undo_take_back(struct slv_undoing *, struct slv_err *);

/* Forget how to take a finished repair back.
 *
 * SLV_E_REFUSED: it is not finished, or there is no record */
enum slv_status slv_undo_discard(struct slv_undoing *, struct slv_err *);

/* Before a repair in place: roll back one that was interrupted, so that the
 * file is what it was before that.
 *
 *   discard  remove the record of a finished one
 *   *rolled_back is set where something was
 *
 * SLV_E_REFUSED: also where only a part of it could be, by force */
enum slv_status slv_undo_recover(
    struct slv_undoing *, bool discard, bool *rolled_back, struct slv_err *);

#endif
