/* view.h - the input without some of its bytes, or in another order.
 *
 * A download that broke off and was resumed at the wrong place, or begun anew,
 * leaves a file in which every byte of the log is there and some stand where
 * they do not belong.  A view says which bytes are the log, piece by piece; it
 * is scanned, planned and proven like a file.  What is found is then said of
 * the input, whose other bytes are filler: they stand elsewhere in it, too.
 */
#ifndef SLV_CORE_VIEW_H
#define SLV_CORE_VIEW_H

#include "core/catalog.h"
#include "core/joined.h"
#include "core/problem.h"

/* A view that was tried, and what a scan of it came to. */
struct slv_attempt {
	const char *reading; /* the way it was made; static */
	uint64_t kept;       /* units */
	uint64_t out;        /* bytes that it leaves out as lost or foreign */
	bool proven; /* the log's digest confirms the bytes as they are */
	bool taken;  /* it was better than those before it */
};

#define SLV_ATTEMPTS 8

struct slv_view {
	struct slv_source *source; /* owned; NULL: the input, as it is */
	struct slv_joint *joint;   /* owned; pieces of the input; the source
	                             * reads them */
	struct slv_problem *why;   /* owned; what it leaves out, or doubts, and
	                             * for which reason; in the input */
	size_t n_why, cap_why;
};

/* An empty view, to be freed, also after a failure. */
enum slv_status slv_view_init(struct slv_view *, struct slv_err *);

/* Note a reason for the view.  One with a `len` stands for bytes of the input
 * that slv_view_without leaves out; in order, and apart. */
enum slv_status slv_view_why(struct slv_view *, const struct slv_problem_info *,
    uint64_t off, uint64_t len, struct slv_err *);

/* Let the pieces be the input, borrowed, without what the reasons name. */
enum slv_status slv_view_without(
    struct slv_view *, struct slv_source *input, struct slv_err *);

/* Serve the pieces.
 *
 *   below  the view whose source they are pieces of: they become pieces of its
 *          input, and its reasons are added */
enum slv_status slv_view_open(struct slv_view *, struct slv_source *input,
    const struct slv_view *below, struct slv_err *);

/* Where byte `off` of the view stands in the input; for its size the end of the
 * last piece, and for a view without a source off itself. */
uint64_t slv_view_at(const struct slv_view *, uint64_t off);

/* How many bytes from `off` on stand one behind the other in the input, too. */
uint64_t slv_view_run(const struct slv_view *, uint64_t off);

/* The range of the input that [*off, *off + *len) of the view stands in, or of
 * several that its beginning stands in. */
void slv_view_range(const struct slv_view *, uint64_t *off, uint64_t *len);

/* The first piece that is not where the input has it; NULL: all are, and the view
 * is the beginning of the input. */
const struct slv_piece *slv_view_moved(const struct slv_view *);

/* What became of every byte of the input, `size` bytes, as a catalog of the
 * view says it.
 *
 *   out  empty; to be freed, also after a failure */
enum slv_status slv_view_catalog(const struct slv_view *,
    const struct slv_catalog *, uint64_t size, struct slv_catalog *out,
    struct slv_err *);

void slv_view_free(struct slv_view *);

#endif
