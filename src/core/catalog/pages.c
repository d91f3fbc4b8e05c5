/* pages.c - pages of zeros. */
#include "core/catalog/pages.h"

#include <string.h>

static bool
is_zero(const uint8_t *p, size_t n)
{
	/* All are equal to the first, and that is 0. */
	return p[0] == 0 && p[n / 2] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

enum slv_status
slv_pages_hole(
    struct slv_pages *p, uint64_t off, uint64_t end, struct slv_err *err)
{
	const struct slv_ranges *runs = &p->runs;

	if (runs->n == SLV_PAGES_RUNS && runs->at[runs->n - 1].end < off)
		return SLV_OK;
	return slv_ranges_add(&p->runs, off, end - off, err);
}

enum slv_status
slv_pages_add(struct slv_pages *p, uint64_t off, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	while (n > 0) {
		size_t in = (size_t)(off % SLV_PAGE);
		size_t take = (size_t)slv_min64(n, SLV_PAGE - in);

		p->zero = (in == 0 || p->zero) && is_zero(bytes, take);
		off += take;
		bytes += take;
		n -= take;
		if (p->zero && off % SLV_PAGE == 0)
			SLV_TRY(slv_pages_hole(p, off - SLV_PAGE, off, err));
	}
	return SLV_OK;
}

void
slv_pages_free(struct slv_pages *p)
{
	slv_ranges_free(&p->runs);
}
