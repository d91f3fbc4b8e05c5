/* bddf_edges.c - where do the bytes of a head differ from what they must be, and
 * does the damage end inside it?
 */
#include "formats/bddf/recover/bddf_edges.h"

#define EDGE 2 /* right bytes that are no chance */

/* How far a run of byte c reaches from p[i], downwards. */
static size_t
run_down(const uint8_t *p, size_t i, uint8_t c)
{
	while (i > 0 && p[i - 1] == c)
		i--;
	return i;
}

/* Whether all of p[from, to] is one byte that holes are made of. */
static bool
is_hole(const uint8_t *p, size_t from, size_t to)
{
	if (p[from] != 0x00 && p[from] != 0xff)
		return false;
	for (size_t i = from; i <= to; i++) {
		if (p[i] != p[from])
			return false;
	}
	return true;
}

/* Find the edges of the damage.  `there` holds the n bytes of the head with
 * the byte before it and, if any, the one after it. */
static void
find_edges(struct bddf_edges *d, const uint8_t *there, size_t n, bool more)
{
	const uint8_t *head = there + 1;
	size_t end = d->last;

	if (is_hole(head, d->first, d->last)) {
		uint8_t c = head[d->first];

		d->left = run_down(there, 1 + d->first, c) > 0;
		while (end < n && head[end] == c)
			end++;
		d->right = end < n || !more || head[n] != c;
	} else if (d->one_bit) {
		d->left = d->right = true;
	} else {
		d->left = d->first >= EDGE;
		d->right = n - 1 - d->last >= EDGE;
	}
}

enum slv_status
bddf_edges(struct slv_scan *s, uint64_t off, const struct slv_buf *head,
    struct bddf_edges *d, struct slv_err *err)
{
	bool more = off + head->len < s->source->size;
	unsigned bits = 0;
	const uint8_t *p;

	*d = (struct bddf_edges){ .left = true, .right = true };
	SLV_TRY(slv_buf_check(head, err));
	d->known =
	    head->len > 0 && slv_range_in(off, head->len, s->source->size);
	if (!d->known)
		return SLV_OK;
	SLV_TRY(
	    slv_window_view(s->window, off - 1, 1 + head->len + more, &p, err));
	for (size_t i = 0; i < head->len; i++) {
		uint8_t wrong = p[1 + i] ^ head->at[i];

		if (wrong == 0)
			continue;
		if (!d->any)
			d->first = i;
		d->any = true;
		d->last = i;
		for (; wrong != 0; wrong &= (uint8_t)(wrong - 1))
			bits++;
	}
	d->one_bit = bits == 1;
	if (d->any)
		find_edges(d, p, head->len, more);
	return SLV_OK;
}
