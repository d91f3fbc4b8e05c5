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

static enum slv_status
spent_of(
    const struct slv_scan *s, struct rosbag_spent **out, struct slv_err *err)
{
	void *value;

	SLV_TRY(slv_cache_only(s->cache, ROSBAG_CACHED_SPENT, &value, err));
	*out = value;
	return SLV_OK;
}

/* Bytes that all compressed chunks may hold.  Holes of the file do not count:
 * they need no room on a disk.  A proof reads what was counted before. */
static uint64_t
most(const struct slv_scan *s, struct rosbag_spent *spent)
{
	uint64_t written = s->source->size;

	if (s->proving != NULL)
		return UINT64_MAX;
	if (s->opt.limits.max_decoded > 0)
		return s->opt.limits.max_decoded;
	if (spent->most == 0) {
		written -= slv_ranges_sum(&s->holes);
		spent->most = written > (UINT64_MAX - BASE) / PER_BYTE
		    ? UINT64_MAX
		    : BASE + written * PER_BYTE;
	}
	return spent->most;
}

enum slv_status
rosbag_stream_max(const struct slv_scan *s, size_t *out, struct slv_err *err)
{
	struct rosbag_spent *spent;
	uint64_t all;

	SLV_TRY(spent_of(s, &spent, err));
	all = most(s, spent);
	*out = (size_t)slv_min64(rosbag_chunk_max(s),
	    spent->decoded < all ? all - spent->decoded : 1);
	return SLV_OK;
}

enum slv_status
rosbag_spend(const struct slv_scan *s, const struct slv_decode *d, uint64_t off,
    struct slv_err *err)
{
	bool over = d->how == SLV_DECODED_OVER;
	struct rosbag_spent *spent;

	SLV_TRY(spent_of(s, &spent, err));
	spent->decoded += d->out.len;
	if (over && d->out.len >= rosbag_chunk_max(s))
		return slv_fail(err, SLV_E_LIMIT,
		    "%s: the compressed data at %llu hold more than %zu bytes, "
		    "which is the limit for a chunk (--max-chunk)",
		    s->source->name, (unsigned long long)off,
		    rosbag_chunk_max(s));
	if (!over && spent->decoded <= most(s, spent))
		return SLV_OK;
	return slv_fail(err, SLV_E_LIMIT,
	    "%s: the compressed chunks up to the one at %llu hold more than "
	    "%llu bytes, which is the limit for all chunks of this file "
	    "(--max-decoded)",
	    s->source->name, (unsigned long long)off,
	    (unsigned long long)most(s, spent));
}

enum slv_status
rosbag_waste(
    const struct slv_scan *s, const struct slv_decode *d, struct slv_err *err)
{
	struct rosbag_spent *spent;

	SLV_TRY(spent_of(s, &spent, err));
	spent->wasted += d->out.len;
	return SLV_OK;
}

enum slv_status
rosbag_may_waste(const struct slv_scan *s, bool *yes, struct slv_err *err)
{
	struct rosbag_spent *spent;

	SLV_TRY(spent_of(s, &spent, err));
	*yes = spent->wasted <= most(s, spent);
	return SLV_OK;
}
