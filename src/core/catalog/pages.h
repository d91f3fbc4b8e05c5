/* pages.h - pages of zeros, found while a source is read from its beginning.
 *
 * A page that never reached the disk reads as zeros, and so does one that was
 * recorded so.  One look a page tells almost all others apart.
 */
#ifndef SLV_CORE_PAGES_H
#define SLV_CORE_PAGES_H

#include "base/bytes.h"
#include "base/ranges.h"

#define SLV_PAGE       4096 /* bytes; what a file system writes at once */
#define SLV_PAGES_RUNS 4096 /* runs that are noted, the first ones */

struct slv_pages {
	bool zero;              /* so far the page that is being read */
	struct slv_ranges runs; /* owned; whole pages of zeros */
};

/* The n bytes at off, which follow those of the call before. */
enum slv_status slv_pages_add(struct slv_pages *, uint64_t off,
    const uint8_t *bytes, size_t n, struct slv_err *);

/* The same of [off, end), both at the beginning of a page, in a hole. */
enum slv_status slv_pages_hole(
    struct slv_pages *, uint64_t off, uint64_t end, struct slv_err *);

/* The same in a few instructions, of 8 bytes or more of one page; false: it
 * takes more than that, and nothing was done.  Nobody asks where p is NULL. */
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
