/* cyber_compare.c - two descriptions of a channel: where do they differ? */
#include "formats/cyber/cyber_state.h"

#define ZEROS 4 /* bytes: as many are no flipped bit */

static void
compare(struct slv_span a, struct slv_span b, struct cyber_difference *d)
{
	size_t to = a.len < b.len ? a.len : b.len, from = 0;

	while (from < to && a.at[from] == b.at[from])
		from++;
	d->from = from;
	if (a.len != b.len)
		return;
	while (to > from && a.at[to - 1] == b.at[to - 1])
		to--;
	d->zeros[0] = d->zeros[1] = to - from >= ZEROS;
	for (; from < to; from++) {
		d->zeros[0] &= a.at[from] == 0;
		d->zeros[1] &= b.at[from] == 0;
	}
}

enum slv_status
cyber_desc_compare(struct slv_scan *s, const struct cyber_spec *a,
    const struct cyber_spec *b, struct cyber_difference *d, struct slv_err *err)
{
	struct slv_buf x = { 0 }, y = { 0 };
	enum slv_status st = cyber_desc_load(s, a, &x, err);

	*d = (struct cyber_difference){ 0 };
	if (st == SLV_OK)
		st = cyber_desc_load(s, b, &y, err);
	if (st == SLV_OK)
		compare((struct slv_span){ x.at, x.len },
		    (struct slv_span){ y.at, y.len }, d);
	slv_buf_free(&x);
	slv_buf_free(&y);
	return st;
}
