/* bddf_compare.c - does a SeriesBlockIndex say what the data blocks say?
 *
 * It may be larger than memory, so it is compared while it is walked.
 */
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/index/bddf_entries.h"
#include "formats/bddf/read/bddf_plain.h"
#include "proto/bddf.pb.h"

#define ENTRY_KEY  (bosdyn_api_SeriesBlockIndex_block_entries_tag << 3 | 2)
#define ENTRY_MOST (2 + 127 + BDDF_PLAIN_SLACK) /* bytes of a plain one */

void
bddf_check_with(struct bddf_check *c, uint64_t index)
{
	c->begun = true;
	c->index = index;
	if (index >= c->ref->n_series)
		return;
	c->cursor.chunk = c->ref->series[index].first;
	c->known = c->ref->series[index].n;
}

static const struct bddf_entry *
next_entry(struct bddf_check *c)
{
	if (!c->begun)
		bddf_check_with(c, c->entries.index);
	return bddf_cursor_at(&c->cursor);
}

static void
compare_extra(struct bddf_entries *e, uint64_t value)
{
	struct bddf_check *c = e->ctx;
	const struct bddf_entry *want = next_entry(c);

	if (want == NULL) /* compare_entry() will see */
		return;
	if (e->n_extra >= bddf_extras(c->ref, want)
	    || bddf_pool_at(&c->ref->extras, want->extra + e->n_extra)
	        != (int64_t)value)
		c->same = false;
}

static void
compare_entry(struct bddf_entries *e)
{
	struct bddf_check *c = e->ctx;
	const struct bddf_entry *want = next_entry(c);

	if (want == NULL) {
		if (c->n_more++ == 0)
			c->one = e->entry;
		c->unsure |= e->n_extra > 0;
		c->same &= c->n_more == 1;
		return;
	}
	c->same &= e->entry.off == bddf_out(c->ref, want->off)
	    && e->entry.sec == want->sec && e->entry.nanos == want->nanos
	    && e->n_extra == bddf_extras(c->ref, want);
	c->cursor.i++;
}

/* How the entry before was written. */
struct form {
	struct bddf_plain_time time;
	struct bddf_plain_width off;
};

/* Decode an entry as writers write it, all but its additional indexes; returns
 * where those begin, NULL for another one. */
static inline const uint8_t *
plain_entry(const uint8_t *p, struct form *form, struct bddf_entry *out)
{
	uint64_t nanos;
	const uint8_t *end;

	if ((slv_get_le16(p) & 0x80ff) != ENTRY_KEY)
		return NULL;
	end = bddf_plain_time(p + 2, 0x0a, &form->time, &nanos);
	if (end == p + 2 || *end != 0x10 || nanos > INT32_MAX)
		return NULL;
	out->sec = (int64_t)form->time.sec.value;
	out->nanos = (uint32_t)nanos;
	return bddf_plain_again(end + 1, &form->off, &out->off);
}

/* The same of its additional indexes, up to stop; *same only falls: they are
 * those of the entry that is wanted, if one is. */
static const uint8_t *
plain_extras(const struct bddf *b, const uint8_t *p, const uint8_t *stop,
    const struct bddf_entry *want, bool *same)
{
	uint64_t have = want != NULL ? bddf_extras(b, want) : 0, n = 0, v = 0;

	*same &= p != stop || have == 0;
	if (p == stop)
		return p;
	if (!bddf_plain_list(p, stop))
		return NULL;
	for (p += 2; p != NULL && p < stop; n++) {
		p = bddf_plain_varint(p, &v);
		*same &= n < have
		    && (uint64_t)bddf_pool_at(&b->extras, want->extra + n) == v;
	}
	*same &= n == have;
	return p;
}

/* In a proof: how many bytes were made of the next entries, and checked when
 * the plan was sealed. */
static size_t
compared_before(struct bddf_check *c, uint64_t off)
{
	const struct slv_seg *seg;

	if (c->plan == NULL || !c->plan->known)
		return 0;
	seg = &c->plan->at[slv_plan_find(c->plan, off)];
	if (seg->check != bddf_index_made || seg->out != off
	    || next_entry(c) == NULL || seg->ctx != c->cursor.chunk
	    || seg->arg >> 32 != c->cursor.i)
		return 0;
	c->cursor.i = (uint32_t)seg->arg;
	return (size_t)seg->len;
}

/* The same as compare_entry(), of plain entries as far as the cursor's chunk has
 * them; returns where they end. */
static const uint8_t *
compare_chunk(struct bddf_check *c, const uint8_t *p, const uint8_t *stop)
{
	const struct bddf_chunk *chunk = c->cursor.chunk;
	uint32_t i = c->cursor.i;
	struct form form = { .off.n = 0 };
	struct bddf_piece piece = { 0 };
	struct bddf_entry one;
	uint64_t differ = 0;

	for (; i < chunk->n && stop - p >= ENTRY_MOST; i++) {
		const struct bddf_entry want = bddf_chunk_get(chunk, i);
		const uint8_t *behind = p + 2 + p[1];
		const uint8_t *end = plain_entry(p, &form, &one);
		bool same = true;

		if (end != NULL && (end != behind || want.extra != 0))
			end = plain_extras(c->ref, end, behind, &want, &same);
		if (end != behind)
			break;
		differ |= (uint64_t)(want.sec ^ one.sec)
		    | (want.nanos ^ one.nanos) | !same
		    | (bddf_out_next(c->ref, &piece, want.off)
		        ^ (one.off + c->entries.base));
		p = behind;
		/* As many bytes as two entries have, about. */
		if (c->hasher != NULL && i % 2 == 0)
			slv_hasher_along(c->hasher);
	}
	c->cursor.i = i;
	c->same &= differ == 0;
	return p;
}

/* The same after the one that it may have more: they are not looked at. */
static const uint8_t *
pass_more(struct bddf_check *c, const uint8_t *p, const uint8_t *stop)
{
	struct form form = { .off.n = 0 };
	struct bddf_entry one;
	bool same = true;

	while (stop - p >= ENTRY_MOST) {
		const uint8_t *behind = p + 2 + p[1];
		const uint8_t *end = plain_entry(p, &form, &one);

		if (end != NULL && end != behind)
			end = plain_extras(c->ref, end, behind, NULL, &same);
		if (end != behind)
			break;
		c->same = false;
		p = behind;
	}
	return p;
}

/* The same of all of them. */
static size_t
compare_many(struct bddf_entries *e, const struct bddf_field *f)
{
	struct bddf_check *c = e->ctx;
	const uint8_t *p = f->bytes, *stop, *from;
	size_t before = compared_before(c, f->off);

	if (before > 0 || p == NULL)
		return before;
	stop = p + f->len;
	if (c->hasher != NULL)
		slv_hasher_leave(c->hasher, f->off + f->len);
	do {
		from = p;
		if (stop - p < ENTRY_MOST)
			break;
		if (next_entry(c) != NULL)
			p = compare_chunk(c, p, stop);
		else if (c->n_more > 0)
			p = pass_more(c, p, stop);
	} while (p > from);
	return (size_t)(p - f->bytes);
}

static void
begin(struct bddf_check *c, const struct bddf *ref)
{
	*c = (struct bddf_check){
		.entries = {
			.ctx = c,
			.extra = compare_extra,
			.many = compare_many,
			.done = compare_entry,
		},
		.ref = ref,
		.same = true,
	};
}

void
bddf_check_begin(struct bddf_check *c, const struct slv_scan *s)
{
	begin(c, bddf_reference(s));
	c->entries.base = s->base;
	c->plan = s->proving;
}

enum slv_status
bddf_index_made(const void *chunk, uint64_t arg, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	const struct bddf_chunk *made = chunk;
	struct bddf_check c;
	enum bddf_read read;

	begin(&c, made->owner);
	c.begun = true;
	c.cursor = (struct bddf_cursor){
		.chunk = made,
		.i = (uint32_t)(arg >> 32),
	};
	SLV_TRY(bddf_entries_memory(bytes, n, &c.entries, &read, err));
	if (read == BDDF_WHOLE && c.same && c.cursor.chunk == made
	    && c.cursor.i == (uint32_t)arg)
		return SLV_OK;
	return slv_fail(err, SLV_E_BUG,
	    "the planned index does not say what was scanned; please report "
	    "this");
}

struct bddf_compared
bddf_check_end(struct bddf_check *c, bool well)
{
	const struct bddf_entries *e = &c->entries;
	bool less = next_entry(c) != NULL;

	return (struct bddf_compared){
		.sure = well && !c->unsure && e->index == c->index,
		.series = c->index,
		.n = c->known,
		.same = c->same && !less,
		.more = c->n_more > 0,
		.one = c->one,
		.descriptor = e->descriptor,
		.total = e->total,
	};
}

/* Whether the newest entry of a series is what an index had more. */
static bool
is_newest(const struct bddf *b, const struct bddf_series *series,
    const struct bddf_entry *one)
{
	const struct bddf_chunk *c = series->last;
	struct bddf_entry newest;

	if (c == NULL)
		return false;
	newest = bddf_chunk_get(c, c->n - 1);
	return newest.extra == 0 && newest.sec == one->sec
	    && newest.nanos == one->nanos
	    && bddf_out(b, newest.off) == one->off;
}

enum slv_status
bddf_index_series(struct slv_scan *s, struct bddf_range body, size_t index,
    bool *same, struct slv_err *err)
{
	const struct bddf_last *last =
	    slv_cache_find(s->cache, BDDF_CACHED_DESC, body.off);
	const struct bddf *ref = bddf_reference(s);
	const struct bddf_series *series = &bddf_of(s)->series[index];
	struct bddf_compared is = { 0 };
	uint64_t n = ref->series[index].n;
	struct bddf_check c;
	enum bddf_read read;

	if (last != NULL && last->body.len == body.len)
		is = last->compared;
	if (!is.sure || is.series != index || n < is.n || n > is.n + is.more) {
		bddf_check_begin(&c, s);
		bddf_check_with(&c, index);
		SLV_TRY(
		    bddf_entries_read(s->window, body, &c.entries, &read, err));
		is = bddf_check_end(&c, read == BDDF_WHOLE);
	}
	*same = is.sure && is.same && n == is.n + is.more
	    && (!is.more || is_newest(ref, &ref->series[index], &is.one))
	    && series->declared && is.descriptor == series->block.off
	    && is.total == series->bytes;
	return SLV_OK;
}
