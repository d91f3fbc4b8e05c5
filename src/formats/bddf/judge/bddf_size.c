/* bddf_size.c - can the size of a block be right?
 *
 * Damage that ends in the first bytes of a header leaves the rest of the head
 * intact: it looks like a data block with another size.  Such a head confirms nothing
 * about the block before it, which is where the damage began.  So the size of
 * a block that confirms another one must be right, too.  It is if the block ends
 * at another block or with the log, and if one of these shows that the damage is
 * elsewhere:
 *
 *	the block before it in its series is as long
 *	most of a head is at its end, or a hole: the next header is damaged
 *	bytes in it or at its end cannot be read
 *	one bit of it, not of its first byte, is wrong
 *	the log ends inside the block, which may be as long: it was cut there
 *	more of its bytes would be wrong than a size near the right one has
 */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4) /* up to the DataDescriptor */
#define HOLE      16   /* equal bytes that are no coincidence */
#define NEAR_HEAD 14   /* bytes of a head that are compared */
#define NEAR_MOST 64   /* bytes of a usual DataDescriptor */
#define LARGE     512  /* bytes a block: 256 more or less are rarely a chance */
#define MUCH_MORE 4    /* times the mean of a series */
#define SMALL     2048 /* bytes: two random ones make a size below it rarely */
#define LOW_BIT   8    /* of a size: damage before it hits the lower ones */
#define SIZE_BITS 56
#define LARGEST   ((uint64_t)64 << 20) /* bytes of a block that was cut */

/* Read the header of the block at off. */
static enum slv_status
span_at(const struct slv_scan *s, uint64_t off, struct bddf_head *head,
    struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, BDDF_HEADER_SIZE, &p, err));
	*head = bddf_head_get(bddf_of(s)->dialect, p);
	return SLV_OK;
}

/* Length of the payload of the data block at off, by its header. */
static enum slv_status
payload_at(const struct slv_scan *s, uint64_t off, uint64_t *payload,
    struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(s->window, off, DATA_HEAD, &p, err));
	*payload = bddf_head_get(bddf_of(s)->dialect, p).size
	    - slv_get_le32(p + BDDF_HEADER_SIZE);
	return SLV_OK;
}

/* Whether the last block of the series has a payload of this length. */
static enum slv_status
is_usual(const struct slv_scan *s, uint32_t series, uint64_t payload, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_chunk *c =
	    series < b->n_series ? b->series[series].last : NULL;
	uint64_t before;

	*yes = false;
	if (c == NULL)
		return SLV_OK;
	SLV_TRY(payload_at(s, bddf_chunk_get(c, c->n - 1).off, &before, err));
	*yes = before == payload;
	return SLV_OK;
}

/* Whether the bytes at off are a hole: all 0x00 or all 0xff. */
static enum slv_status
is_hole(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = false;
	if (s->logical_end - off < HOLE)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, HOLE, &p, err));
	*yes =
	    (p[0] == 0x00 || p[0] == 0xff) && memcmp(p, p + 1, HOLE - 1) == 0;
	return SLV_OK;
}

/* How many of the 11 bytes that hardly vary in data heads have a usual value. */
static unsigned
head_likeness(struct bddf_dialect dialect, const uint8_t *p)
{
	const uint8_t *size = p + (dialect.type_first ? 1 : 0);
	unsigned same =
	    p[dialect.type_first ? 0 : 7] == (dialect.grammar ? 1 : 0);

	for (unsigned i = 3; i < 7; i++)
		same += size[i] == 0;
	for (unsigned i = 9; i < 12; i++)
		same += p[i] == 0;
	same += p[8] > 2 && p[8] <= NEAR_MOST;
	same += p[12] == 0x08 || p[12] == 0x12;
	return same + (p[13] > 0 && p[13] <= NEAR_MOST);
}

/* Whether the outer tag and length of a descriptor are here, after a header with at most
 * one wrong bit. */
static bool
is_near_descriptor(struct bddf_dialect dialect, const uint8_t *p)
{
	uint8_t header[BDDF_HEADER_SIZE];
	uint64_t len = 0;
	unsigned n = 0, bits = 0;

	if ((p[8] & 7) != 2 || p[8] >> 3 == 0 || p[8] >> 3 > BDDF_INDEX)
		return false;
	do {
		len |= (uint64_t)(p[9 + n] & 0x7f) << 7 * n;
	} while (p[9 + n++] >= 0x80 && 9 + n < NEAR_HEAD);
	bddf_head_put(dialect,
	    (struct bddf_head){ .type = BDDF_DESCRIPTOR, .size = 1 + n + len },
	    header);
	for (unsigned i = 0; i < BDDF_HEADER_SIZE; i++)
		bits += (unsigned)__builtin_popcount(header[i] ^ p[i]);
	return bits <= 1;
}

/* Whether a whole DataDescriptor of a declared series follows the header at off.  The
 * header itself may be wrong. */
static enum slv_status
is_described(const struct slv_scan *s, uint64_t off, uint32_t size, bool *yes,
    struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_data d;
	enum bddf_read read;

	*yes = false;
	if (size == 0 || size > NEAR_MOST
	    || !slv_range_in(off + DATA_HEAD, size, s->logical_end))
		return SLV_OK;
	SLV_TRY(bddf_data_at(s, off, size, size, &d, &read, err));
	*yes = read == BDDF_WHOLE && d.has_time && !d.strange
	    && bddf_data_time_ok(&d) && d.series < b->n_series
	    && b->series[d.series].n_names == d.n_extra;
	return SLV_OK;
}

/* Whether most of a head is at off. */
static enum slv_status
is_near_head(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct bddf_dialect dialect = bddf_of(s)->dialect;
	const uint8_t *p;

	*yes = false;
	if (s->logical_end - off < NEAR_HEAD)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, NEAR_HEAD, &p, err));
	*yes =
	    head_likeness(dialect, p) >= 10 || is_near_descriptor(dialect, p);
	if (*yes)
		return SLV_OK;
	return is_described(
	    s, off, slv_get_le32(p + BDDF_HEADER_SIZE), yes, err);
}

/* Whether two blocks in a row begin at off, or one that ends the log. */
static enum slv_status
is_chain(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct slv_unit u = { .verdict = SLV_UNIT_GOOD };

	for (unsigned i = 0; i < 2 && off < s->logical_end && !u.ends; i++) {
		SLV_TRY(bddf_block(s, off, SLV_ASK_SEARCH, &u, err));
		*yes = u.verdict == SLV_UNIT_GOOD;
		if (!*yes)
			return SLV_OK;
		off += u.len;
	}
	*yes = true;
	return SLV_OK;
}

/* Whether one wrong bit explains the size. */
static enum slv_status
is_one_bit(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    const struct bddf_data *d, bool *yes, struct slv_err *err)
{
	*yes = false;
	for (unsigned bit = LOW_BIT; bit < SIZE_BITS && !*yes; bit++) {
		struct bddf_head was = head;

		was.size ^= (uint64_t)1 << bit;
		if (was.size < d->size
		    || !slv_range_in(off, bddf_head_span(was), s->logical_end))
			continue;
		SLV_TRY(is_chain(s, off + bddf_head_span(was), yes, err));
	}
	return SLV_OK;
}

/* Whether anything shows that the size of this data block is right, although no block
 * begins at its end. */
static enum slv_status
is_excused(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    const struct slv_unit *before, bool *yes, struct slv_err *err)
{
	uint64_t span = bddf_head_span(head);
	struct bddf_data d, own;
	enum bddf_read read;
	const uint8_t *p;
	uint32_t size;

	*yes = false;
	SLV_TRY(slv_window_view(s->window, off, DATA_HEAD, &p, err));
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	if (!slv_range_in(off + DATA_HEAD, size, s->logical_end))
		return SLV_OK;
	SLV_TRY(bddf_data_at(s, off, size, size, &d, &read, err));
	memcpy(&own, before->priv, sizeof(own));
	*yes = slv_ranges_hit(&s->source->unreadable, off + DATA_HEAD, span)
	    || slv_ranges_hit(&s->source->unrescued, off + DATA_HEAD, span);
	if (*yes)
		return SLV_OK;
	*yes =
	    own.series == d.series && before->len - own.size == span - d.size;
	if (!*yes)
		SLV_TRY(is_usual(s, d.series, head.size - d.size, yes, err));
	if (!*yes && slv_range_in(off, span, s->logical_end))
		SLV_TRY(is_near_head(s, off + span, yes, err));
	if (!*yes && slv_range_in(off, span, s->logical_end))
		SLV_TRY(is_hole(s, off + span, yes, err));
	if (!*yes)
		SLV_TRY(is_one_bit(s, off, head, &d, yes, err));
	return SLV_OK;
}

/* Whether the last two blocks of the series have payloads of this length. */
static enum slv_status
are_alike(const struct slv_scan *s, uint32_t series, uint64_t payload,
    bool *yes, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf_chunk *c =
	    series < b->n_series ? b->series[series].last : NULL;
	uint64_t before;

	*yes = c != NULL && c->n > 1;
	for (uint32_t i = 1; *yes && i <= 2; i++) {
		SLV_TRY(payload_at(
		    s, bddf_chunk_get(c, c->n - i).off, &before, err));
		*yes = before == payload;
	}
	return SLV_OK;
}

/* Whether the first byte of the size is wrong: the log goes on less than 256 bytes from the
 * stated end of the block, and this is no coincidence. */
static enum slv_status
is_first_byte(const struct slv_scan *s, uint64_t off, uint64_t size, bool *yes,
    struct slv_err *err)
{
	struct bddf_head head;
	uint64_t payload;
	struct slv_unit u;
	const uint8_t *p;

	*yes = s->catalog.end / LARGE >= slv_max64(s->units_kept, 1);
	if (*yes)
		return SLV_OK;
	SLV_TRY(
	    slv_window_view(s->window, off - 1, 1 + BDDF_HEADER_SIZE, &p, err));
	*yes = (p[0] == 0x00 || p[0] == 0xff)
	    && p[1 + bddf_of(s)->dialect.type_first] == p[0];
	if (*yes)
		return SLV_OK;
	head = bddf_head_get(bddf_of(s)->dialect, p + 1);
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	SLV_TRY(payload_at(s, off, &payload, err));
	payload += size - head.size;
	return are_alike(s, u.channel, payload, yes, err);
}

/* Whether a block of the series can be this long; if further blocks after it are lost, it
 * seems longer. */
static bool
is_plausible(const struct bddf *b, uint32_t series, uint64_t size)
{
	const struct bddf_series *x =
	    series < b->n_series ? &b->series[series] : NULL;

	return x == NULL || x->n == 0
	    || size <= MUCH_MORE * (x->bytes / x->n + DATA_HEAD);
}

/* Whether the log goes on where it would if only the first bytes of the size
 * were wrong.  Two wrong ones make a small size of a small one rarely, three a
 * smaller one. */
static enum slv_status
is_refuted(const struct slv_scan *s, uint64_t off, struct bddf_head head,
    uint64_t mark, bool *yes, struct slv_err *err)
{
	uint64_t right = mark - off - DATA_HEAD, wrong = right ^ head.size;
	struct slv_unit u;

	if (wrong >> 8 == 0)
		return is_first_byte(s, off, right, yes, err);
	SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
	*yes = false;
	if (right > head.size && !is_plausible(bddf_of(s), u.channel, right))
		return SLV_OK;
	*yes = wrong >> 16 == 0 ? slv_max64(right, head.size) >= SMALL
	                        : right < head.size;
	return SLV_OK;
}

bool
bddf_size_absurd(const struct slv_scan *s, uint64_t size)
{
	return size > slv_max64(s->source->size, LARGEST);
}

enum slv_status
bddf_size_holds(const struct slv_scan *s, uint64_t off,
    const struct slv_unit *before, bool *yes, struct slv_err *err)
{
	const struct slv_mends *known = s->opt.mends;
	struct bddf_head head;
	uint64_t span, mark;
	bool refuted;

	*yes = true;
	/* In a proof, and for trusted blocks, this was already decided. */
	if (s->reference != NULL
	    || (known != NULL && slv_ranges_hit(&known->trusted, off, 1)))
		return SLV_OK;
	SLV_TRY(span_at(s, off, &head, err));
	span = bddf_head_span(head);
	if (off + span == s->logical_end)
		return SLV_OK;
	if (off + span < s->logical_end)
		SLV_TRY(bddf_begins(s, off + span, yes, err));
	else
		*yes = false;
	if (!*yes)
		SLV_TRY(is_excused(s, off, head, before, yes, err));
	if (*yes)
		return SLV_OK;
	SLV_TRY(bddf_goes_on(s, off, &mark, err));
	refuted = mark < s->logical_end || bddf_size_absurd(s, head.size);
	if (off + span <= s->logical_end)
		SLV_TRY(is_refuted(s, off, head, mark, &refuted, err));
	*yes = !refuted;
	return SLV_OK;
}

enum slv_status
bddf_swallows_footer(const struct slv_scan *s, uint64_t off, uint64_t end,
    bool *yes, struct slv_err *err)
{
	uint64_t foot = s->logical_end - BDDF_END_SIZE, index;
	struct bddf_head head;
	const uint8_t *p;

	*yes = false;
	if (s->logical_end < BDDF_END_SIZE || off >= foot || end <= foot)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, foot, BDDF_END_SIZE, &p, err));
	index = slv_get_le64(p + BDDF_HEADER_SIZE);
	if (!bddf_is_end_header(bddf_of(s)->dialect, p, BDDF_HEADER_SIZE)
	    || memcmp(p + BDDF_END_SIZE - BDDF_MAGIC_SIZE, BDDF_END_MAGIC,
	           BDDF_MAGIC_SIZE)
	        != 0
	    || index <= off || !slv_range_in(index, BDDF_HEADER_SIZE, foot))
		return SLV_OK;
	/* It counts from the beginning of this log, not of one inside. */
	SLV_TRY(span_at(s, index, &head, err));
	*yes = head.type == BDDF_DESCRIPTOR
	    && index + bddf_head_span(head) == foot;
	return SLV_OK;
}
