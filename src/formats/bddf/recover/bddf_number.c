/* bddf_number.c - a series that is declared under another number than its own.
 *
 * Recorders number series in the order of their declarations.  Where one has a number that
 * comes later, and no block, and the series of that number is declared in its turn, the
 * first one has a wrong number: the one that was its turn, if one bit makes the
 * difference.  Else the second declaration would seem to begin another recording.
 */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define HEAD 32 /* bytes of the block that have the number */

/* Where the number is in the first bytes of the block; 0: not where writers put it. */
static size_t
number_at(const uint8_t *p, size_t n, uint32_t number)
{
	size_t at = BDDF_HEADER_SIZE, size = bddf_varint_size(number);
	uint8_t want[10];

	/* The member of the DescriptorBlock, and how long it is. */
	if (n < HEAD || p[at] != (2 << 3 | 2))
		return 0;
	for (at++; at < n - 12 && (p[at] & 0x80) != 0;)
		at++;
	/* The first field of a SeriesDescriptor. */
	at++;
	bddf_varint_put(want, number);
	return at + 1 + size <= n && p[at] == 1 << 3
	        && memcmp(p + at + 1, want, size) == 0
	    ? at + 1
	    : 0;
}

enum slv_status
bddf_mend_number(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_series *series;
	uint8_t head[HEAD], right[10];
	uint32_t number = b->clash, turn;
	struct slv_problem p = { .info = &bddf_problems[BDDF_P_NUMBER_BIT] };
	size_t at;

	if (number == 0)
		return SLV_OK;
	series = &b->series[number];
	turn = series->turn;
	if (b->series[turn].declared || series->block.len < HEAD
	    || __builtin_popcount(number ^ turn) != 1
	    || bddf_varint_size(turn) != bddf_varint_size(number))
		return SLV_OK;
	SLV_TRY(slv_source_read(
	    s->source, series->block.off, head, sizeof(head), err));
	at = number_at(head, sizeof(head), number);
	if (at == 0)
		return SLV_OK;
	p.off = series->block.off;
	p.len = series->block.len;
	p.want = turn;
	p.got = number;
	bddf_varint_put(right, turn);
	return slv_mends_add(out, series->block.off + at, right,
	    bddf_varint_size(turn), &p, err);
}
