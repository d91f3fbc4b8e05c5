/* view.h - the input without some of its bytes, or in another order.
 *
 * A download that was resumed at the wrong offset, or started again, leaves a
 * file that has every byte of the log, some of them in the wrong place.  A view
 * lists the pieces of the file that are the log.  It is scanned, planned and
 * proven like a file; findings are then reported at offsets of the input.
 * Bytes of the input that are in no piece are padding (SLV_FILLER), because the
 * view has them too, or because they are junk.  Bytes of another recording are
 * SLV_FOREIGN.
 */
#ifndef SLV_CORE_VIEW_H
#define SLV_CORE_VIEW_H

#include "core/catalog/catalog.h"
#include "core/copies/joined.h"
#include "core/findings/problem.h"

/* A view that was tried, and the result of its scan. */
struct slv_attempt {
	const char *reading; /* the kind of reading; static */
	uint64_t kept;       /* units */
	uint64_t out;        /* bytes that it leaves out as lost or foreign */
	bool proven; /* the log's digest confirms the bytes as they are */
	bool taken;  /* it was better than those before it */
};

#define SLV_ATTEMPTS 24

struct slv_view {
	struct slv_source *source; /* owned; NULL: the input, as it is */
	struct slv_joint *joint;   /* owned; pieces of the input; the source
	                             * reads them */
	struct slv_problem *why;   /* owned; what it leaves out or doubts, with
				    * the reason; offsets in the input */
	size_t n_why, cap_why;
};

/* Initialise an empty view; free it, also after a failure. */
enum slv_status slv_view_init(struct slv_view *, struct slv_err *);

/* Add a reason for the view: a range of the input.  slv_view_without leaves
 * these ranges out, so they are added in order and do not overlap. */
enum slv_status slv_view_why(struct slv_view *, const struct slv_problem_info *,
    uint64_t off, uint64_t len, struct slv_err *);

/* The same, with all that its row quotes. */
enum slv_status slv_view_note(
    struct slv_view *, const struct slv_problem *, struct slv_err *);

/* Take as pieces the input, borrowed, without the ranges of the reasons. */
enum slv_status slv_view_without(
    struct slv_view *, struct slv_source *input, struct slv_err *);

/* Serve the pieces.
 *
 *   below  the view they are pieces of: they become pieces of its input, and
 *          its reasons are added */
enum slv_status slv_view_open(struct slv_view *, struct slv_source *input,
    const struct slv_view *below, struct slv_err *);

/* The offset in the input of byte `off` of the view.  For the size of the view
 * it is the end of its last piece; for a view without a source it is off
 * itself. */
uint64_t slv_view_at(const struct slv_view *, uint64_t off);

/* How many bytes from `off` on are contiguous in the input, too. */
uint64_t slv_view_run(const struct slv_view *, uint64_t off);

/* Convert [*off, *off + *len) of the view to a range of the input.  If its
 * pieces are in another order there, to the range of its first piece. */
void slv_view_range(const struct slv_view *, uint64_t *off, uint64_t *len);

/* The first piece with different offsets in the view and in the input; NULL:
 * there is none, and the view is the beginning of the input. */
const struct slv_piece *slv_view_moved(const struct slv_view *);

/* The fate of the bytes that a reason leaves out.  Most are elsewhere in the
 * input too; if data is at risk they belong to another recording. */
enum slv_fate slv_view_fate(const struct slv_problem *why);

/* How many bytes of other recordings it leaves out. */
uint64_t slv_view_foreign(const struct slv_view *);

/* Convert a catalog of the view to a catalog of the input of `size` bytes.
 *
 *   out  empty; to be freed, also after a failure */
enum slv_status slv_view_catalog(const struct slv_view *,
    const struct slv_catalog *, uint64_t size, struct slv_catalog *out,
    struct slv_err *);

void slv_view_free(struct slv_view *);

#endif
