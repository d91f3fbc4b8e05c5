/* traced.c - how much of a byte range is found in another byte range. */
#include "core/traced.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/find.h"
#include "base/mem.h"
#include "core/compare.h"

#define AWAY     ((uint64_t)1 << 20) /* distance of a piece, at most */
#define MARK     32                  /* bytes that identify a piece */
#define SEARCHES 64                  /* for pieces, at most */

struct trace {
	struct slv_scan *scan;
	struct slv_range in;
	uint8_t *buf; /* owned; 2 * AWAY and two MARKs */
	struct slv_err *err;
};

/* How many bytes from x->off on are the same; fewer than MARK count as none. */
static enum slv_status
count_run(const struct trace *t, struct slv_range x, uint64_t *run)
{
	size_t n = (size_t)slv_min64(x.end - x.off, AWAY), i = 0;

	SLV_TRY(slv_source_read(t->scan->source, x.off, t->buf, n, t->err));
	while (i < n && t->buf[i] == t->buf[0])
		i++;
	*run = i < MARK ? 0 : i;
	return SLV_OK;
}

/* Find the MARK bytes at off in the other range, at most AWAY from *at, and set *at to
 * their place.  *any = false: they are not there. */
static enum slv_status
find_piece(const struct trace *t, uint64_t off, uint64_t *at, bool *any)
{
	struct slv_source *source = t->scan->source;
	uint64_t from = slv_max64(t->in.off, *at - slv_min64(*at, AWAY));
	uint64_t upto = slv_min64(t->in.end, *at + AWAY + MARK);
	uint8_t *mark = t->buf + 2 * AWAY + MARK;
	const uint8_t *hit = NULL;

	*any = false;
	SLV_TRY(slv_source_read(source, off, mark, MARK, t->err));
	if (from >= upto)
		return SLV_OK;
	SLV_TRY(slv_source_read(
	    source, from, t->buf, (size_t)(upto - from), t->err));
	hit = slv_find_bytes(t->buf, (size_t)(upto - from), mark, MARK);
	*any = hit != NULL;
	if (*any)
		*at = from + (uint64_t)(hit - t->buf);
	return SLV_OK;
}

static enum slv_status
follow(const struct trace *t, struct slv_range x, uint64_t *rest)
{
	uint64_t at = t->in.off, same, run;
	bool any;

	*rest = 0;
	for (int searches = 0; x.off < x.end; searches++) {
		uint64_t n = slv_min64(x.end - x.off, t->in.end - at);

		SLV_TRY(slv_compare(t->scan, x.off, at, n, &same, t->err));
		x.off += same;
		at += same;
		if (x.end - x.off < MARK || searches == SEARCHES)
			break;
		/* One repeated byte shows nothing, and is anywhere. */
		SLV_TRY(count_run(t, x, &run));
		x.off += run;
		if (x.end - x.off < MARK)
			break;
		SLV_TRY(find_piece(t, x.off, &at, &any));
		if (any)
			continue;
		*rest += MARK;
		x.off += MARK;
		at = slv_min64(at + MARK, t->in.end);
	}
	*rest += x.end - x.off;
	return SLV_OK;
}

enum slv_status
slv_traced(struct slv_scan *s, struct slv_range stretch, struct slv_range in,
    uint64_t *rest, struct slv_err *err)
{
	struct trace t = { .scan = s, .in = in, .err = err };
	enum slv_status st;

	t.buf = slv_realloc(NULL, 2 * AWAY + 2 * MARK);
	if (t.buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	st = follow(&t, stretch, rest);
	slv_free(t.buf);
	return st;
}
