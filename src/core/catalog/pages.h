/* pages.h - pages of zeros, found while a source is read from its beginning.
 *
 * A page that never reached the disk reads as zeros, and so does a page of
 * recorded zeros.  One test per page excludes almost all others.
 */
#ifndef SLV_CORE_PAGES_H
#define SLV_CORE_PAGES_H

#include "base/bytes.h"
#include "base/ranges.h"

#define SLV_PAGE       4096 /* bytes; what a file system writes at once */
#define SLV_PAGES_RUNS 4096 /* runs that are noted; later ones are not */

struct slv_pages {
	bool zero;              /* the page is all zeros so far */
	struct slv_ranges runs; /* owned; whole pages of zeros */
};

/* Note the n bytes at off, which follow those of the call before. */
enum slv_status slv_pages_add(struct slv_pages *, uint64_t off,
    const uint8_t *bytes, size_t n, struct slv_err *);

/* The same for [off, end), both on a page boundary, in a hole. */
enum slv_status slv_pages_hole(
    struct slv_pages *, uint64_t off, uint64_t end, struct slv_err *);

/* The same in a few instructions, for 8 bytes or more of one page; false: more
 * work is needed, and nothing was done.  May be skipped if p is NULL. */
static inline bool
slv_pages_pass(
    struct slv_pages *p, uint64_t off, const uint8_t *bytes, size_t n)
{
	size_t in = (size_t)(off % SLV_PAGE);

	if (p == NULL || (in > 0 && !p->zero && in + n <= SLV_PAGE))
		return true;
	if (in > 0 || slv_get_le64(bytes) == 0)
		return false;
	p->zero = false;
	return true;
}

void slv_pages_free(struct slv_pages *);

#endif
