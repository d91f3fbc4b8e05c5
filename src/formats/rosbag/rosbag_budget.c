/* rosbag_budget.c - how much may come out of the compressed chunks of a bag.
 *
 * 40 bytes of bzip2 can hold 46 MB.  --max-chunk bounds one chunk; the sum over
 * all chunks has a bound, too, which grows with the bytes of the file.  Each
 * stream is decoded a few times at most, so time and memory have it as well.
 */
#include "base/bytes.h"
#include "formats/rosbag/rosbag_state.h"

#define BASE     ((uint64_t)64 << 20) /* bytes that any bag may hold */
#define PER_BYTE 256 /* and so many for each byte; LZ4 makes 255 at most */

/* Bytes that all compressed chunks may hold.  Holes of the file do not count:
 * they need no room on a disk.  A proof reads what was counted before. */
static uint64_t
most(struct slv_scan *s)
{
	struct rosbag *b = rosbag_of(s);
	uint64_t written = s->source->size;

	if (s->proving != NULL)
		return UINT64_MAX;
	if (s->opt.limits.max_decoded > 0)
		return s->opt.limits.max_decoded;
	if (b->decoded_max == 0) {
		written -= slv_ranges_sum(&s->holes);
		b->decoded_max = written > (UINT64_MAX - BASE) / PER_BYTE
		    ? UINT64_MAX
		    : BASE + written * PER_BYTE;
	}
	return b->decoded_max;
}

size_t
rosbag_stream_max(struct slv_scan *s)
{
	uint64_t all = most(s), used = rosbag_of(s)->decoded;
	uint64_t left = used < all ? all - used : 1;

	return (size_t)slv_min64(rosbag_chunk_max(s), left);
}

enum slv_status
rosbag_spend(struct slv_scan *s, const struct slv_decode *d, uint64_t off,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_of(s);
	bool over = d->how == SLV_DECODED_OVER;

	b->decoded += d->out.len;
	if (over && d->out.len >= rosbag_chunk_max(s))
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: the compressed data at %llu hold more than %zu bytes, "
		    "which is the limit for a chunk (--max-chunk)",
		    s->source->name, (unsigned long long)off,
		    rosbag_chunk_max(s));
	if (!over && b->decoded <= most(s))
		return SLV_OK;
	return slv_fail(err, SLV_E_LIMIT,
	    "%s: the compressed chunks up to the one at %llu hold more than "
	    "%llu bytes, which is the limit for all chunks of this file "
	    "(--max-decoded)",
	    s->source->name, (unsigned long long)off,
	    (unsigned long long)most(s));
}

void
rosbag_waste(struct slv_scan *s, const struct slv_decode *d)
{
	rosbag_of(s)->ahead.wasted += d->out.len;
}

bool
rosbag_may_waste(struct slv_scan *s)
{
	return rosbag_of(s)->ahead.wasted <= most(s);
}
