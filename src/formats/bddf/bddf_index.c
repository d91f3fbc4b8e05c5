/* bddf_index.c - does an index block say what the data blocks say?
 *
 * A SeriesBlockIndex may be larger than memory, so it is compared while it is
 * walked.  A FileIndex has an element a series and is looked at in memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/bddf/bddf_entries.h"
#include "formats/bddf/bddf_plain.h"
#include "formats/bddf/bddf_proto.h"
#include "formats/bddf/bddf_state.h"
#include "proto/bddf.pb.h"

#define PIECE                1024 /* bytes compared at once */
#define ENTRY_KEY            (FIELD(SeriesBlockIndex, block_entries) << 3 | 2)
#define ENTRY_MOST           (2 + 127 + BDDF_PLAIN_SLACK) /* bytes of a plain one */
#define FIELD(message, name) bosdyn_api_##message##_##name##_tag

enum slv_status
bddf_same_bytes(struct slv_scan *s, struct bddf_range a, struct bddf_range b,
    bool *same, struct slv_err *err)
{
	uint8_t x[PIECE], y[PIECE];

	*same = a.len == b.len;
	for (uint64_t i = 0; *same && i < a.len; i += PIECE) {
		size_t n = (size_t)slv_min64(a.len - i, PIECE);

		SLV_TRY(slv_source_read(s->source, a.off + i, x, n, err));
		SLV_TRY(slv_source_read(s->source, b.off + i, y, n, err));
		*same = memcmp(x, y, n) == 0;
	}
	return SLV_OK;
}

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

/* Decode an entry as writers write it, all but its additional indexes; returns
 * where those begin, NULL for another one. */
static inline const uint8_t *
plain_entry(
    const uint8_t *p, struct bddf_plain_sec *sec, struct bddf_entry *out)
{
	uint64_t nanos;
	const uint8_t *end;

	if (*p != ENTRY_KEY || p[1] >= 0x80)
		return NULL;
	end = bddf_plain_time(p + 2, 0x0a, sec, &nanos);
	if (end == p + 2 || *end != 0x10 || nanos > INT32_MAX)
		return NULL;
	out->sec = (int64_t)sec->value;
	out->nanos = (uint32_t)nanos;
	return bddf_plain_varint(end + 1, &out->off);
}

/* The same of its additional indexes, which end at stop; *same: they are those
 * of the entry that is wanted, if one is. */
static const uint8_t *
plain_extras(const struct bddf *b, const uint8_t *p, const uint8_t *stop,
    const struct bddf_entry *want, bool *same)
{
	uint64_t have = want != NULL ? bddf_extras(b, want) : 0, n = 0, v = 0;

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

/* The same as compare_entry(), of all entries that are plain. */
static size_t
compare_many(struct bddf_entries *e, const struct bddf_field *f)
{
	struct bddf_check *c = e->ctx;
	const uint8_t *p = f->bytes, *end, *stop;
	size_t before = compared_before(c, f->off);
	struct bddf_plain_sec sec = { 0 };
	struct bddf_piece piece = { 0 };
	struct bddf_entry one;
	bool all_same = true;

	if (before > 0 || p == NULL)
		return before;
	for (stop = p + f->len; stop - p >= ENTRY_MOST; p = end) {
		const struct bddf_entry *want = next_entry(c);
		const uint8_t *behind = p + 2 + p[1];
		bool same = want != NULL;

		if (want == NULL && c->n_more == 0)
			break;
		end = plain_entry(p, &sec, &one);
		if (end == behind)
			same = same && want->extra == 0;
		else if (end != NULL)
			end = plain_extras(c->ref, end, behind, want, &same);
		if (end != behind)
			break;
		all_same &= same && want->sec == one.sec
		    && want->nanos == one.nanos
		    && bddf_out_next(c->ref, &piece, want->off) == one.off;
		c->cursor.i += want != NULL;
	}
	c->same &= all_same;
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
	c.cursor = (struct bddf_cursor){ made, (uint32_t)(arg >> 32) };
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
	const struct bddf_entry *newest = c != NULL ? &c->at[c->n - 1] : NULL;

	return newest != NULL && newest->extra == 0 && newest->sec == one->sec
	    && newest->nanos == one->nanos
	    && bddf_out(b, newest->off) == one->off;
}

enum slv_status
bddf_index_series(struct slv_scan *s, struct bddf_range body, size_t index,
    bool *same, struct slv_err *err)
{
	const struct bddf_last *last = &bddf_of(s)->last;
	const struct bddf *ref = bddf_reference(s);
	const struct bddf_series *series = &bddf_of(s)->series[index];
	struct bddf_compared is = last->compared;
	uint64_t n = ref->series[index].n;
	struct bddf_check c;
	enum bddf_read read;

	if (!is.sure || is.series != index || last->body.off != body.off
	    || last->body.len != body.len || n < is.n || n > is.n + is.more) {
		bddf_check_begin(&c, s);
		bddf_check_with(&c, index);
		SLV_TRY(bddf_entries_read(
		    &s->window, body, &c.entries, &read, err));
		is = bddf_check_end(&c, read == BDDF_WHOLE);
	}
	*same = is.sure && is.same && n == is.n + is.more
	    && (!is.more || is_newest(ref, &ref->series[index], &is.one))
	    && series->declared && is.descriptor == series->block.off
	    && is.total == series->bytes;
	return SLV_OK;
}

/* One element of a FileIndex's three lists. */
struct element {
	struct bddf_range ident;
	struct bddf_range hash_bytes;
	uint64_t offset, hash;
};

struct file_check {
	struct element *at; /* owned */
	size_t n, cap;
	size_t lists[3]; /* how long each list is so far */
	size_t max;
	struct slv_err *err;
	enum slv_status status;
};

static struct element *
element(struct file_check *c, size_t list)
{
	size_t i = c->lists[list];

	if (i >= c->max)
		return NULL;
	c->status = slv_grow(&c->at, &c->cap, i + 1, sizeof(*c->at), c->err);
	if (c->status != SLV_OK)
		return NULL;
	while (c->n <= i)
		c->at[c->n++] = (struct element){ 0 };
	c->lists[list]++;
	return &c->at[i];
}

static bool
visit_file(void *ctx, const struct bddf_field *f)
{
	struct file_check *c = ctx;
	struct element *e;

	if (f->event == BDDF_UNKNOWN || f->event == BDDF_CLOSE
	    || f->in != bosdyn_api_FileIndex_fields)
		return true;
	e = element(c, f->tag - 1);
	if (e == NULL)
		return false;
	switch (f->tag) {
	case FIELD(FileIndex, series_identifiers):
		e->ident = (struct bddf_range){ f->off, f->len };
		break;
	case FIELD(FileIndex, series_block_index_offsets):
		e->offset = f->value;
		break;
	case FIELD(FileIndex, series_identifier_hashes):
		e->hash = f->value;
		e->hash_bytes = (struct bddf_range){ f->off, f->len };
		break;
	}
	return true;
}

/* Where the identifier_hash of a SeriesDescriptor stands. */
static bool
visit_hash(void *ctx, const struct bddf_field *f)
{
	struct bddf_range *at = ctx;

	if (f->event == BDDF_VALUE
	    && f->in == bosdyn_api_SeriesDescriptor_fields
	    && f->tag == FIELD(SeriesDescriptor, identifier_hash))
		*at = (struct bddf_range){ f->off, f->len };
	return true;
}

/* A declaration whose hash and identifier disagree: a FileIndex that agrees
 * with itself and with one of them says which is wrong. */
static enum slv_status
mend(struct slv_scan *s, struct bddf_series *series, const struct element *e,
    bool same_meaning, struct slv_err *err)
{
	struct bddf_range block = series->block, at = { 0 };
	enum bddf_read read;

	if (!same_meaning) {
		if (e->hash == series->hash
		    && e->ident.len == series->ident.len)
			series->mend =
			    (struct bddf_mend){ series->ident, e->ident };
		return SLV_OK;
	}
	SLV_TRY(bddf_walk(&s->window, block.off + BDDF_HEADER_SIZE,
	    block.len - BDDF_HEADER_SIZE, bosdyn_api_DescriptorBlock_fields,
	    visit_hash, &at, &read, err));
	if (at.len > 0 && at.len == e->hash_bytes.len)
		series->mend = (struct bddf_mend){ at, e->hash_bytes };
	return SLV_OK;
}

/* One series against its element.  Whether that says what the scan says goes
 * to *same, which only falls. */
static enum slv_status
check_element(struct slv_scan *s, struct bddf_series *series,
    const struct element *e, bool *same, struct slv_err *err)
{
	uint8_t mine[BDDF_DIGEST_SIZE], theirs[BDDF_DIGEST_SIZE];
	uint64_t my_hash, their_hash;
	bool known, theirs_known, same_meaning;

	SLV_TRY(
	    bddf_ident(s, e->ident, &their_hash, theirs, &theirs_known, err));
	if (!series->declared) {
		*same &= theirs_known && their_hash == e->hash;
		if (*same) {
			series->ident = e->ident;
			series->hash = e->hash;
		}
		return SLV_OK;
	}
	SLV_TRY(
	    bddf_same_bytes(s, series->ident, e->ident, &same_meaning, err));
	if (!same_meaning) {
		SLV_TRY(
		    bddf_ident(s, series->ident, &my_hash, mine, &known, err));
		same_meaning = known && theirs_known
		    && memcmp(mine, theirs, sizeof(mine)) == 0;
	}
	if (series->hash_odd && theirs_known && their_hash == e->hash)
		SLV_TRY(mend(s, series, e, same_meaning, err));
	if (same_meaning)
		series->index_ident = e->ident;
	*same &= (series->index.len == 0 || e->offset == series->index.off)
	    && (series->mend.at.len > 0
	        || (same_meaning && e->hash == series->hash));
	return SLV_OK;
}

enum slv_status
bddf_index_file(
    struct slv_scan *s, struct bddf_range body, bool *same, struct slv_err *err)
{
	struct bddf *b = bddf_of(s);
	struct file_check c = { .err = err };
	enum bddf_read read;
	enum slv_status st;

	c.max = b->n_series + BDDF_GAP_MAX;
	st = bddf_walk(&s->window, body.off, body.len,
	    bosdyn_api_DescriptorBlock_fields, visit_file, &c, &read, err);
	if (st == SLV_OK)
		st = c.status;
	*same = read == BDDF_WHOLE && c.lists[0] == c.n && c.lists[1] == c.n
	    && c.lists[2] == c.n;
	/* Series that only the index still knows were lost with their
	 * declarations; a glance has seen none yet. */
	if (st == SLV_OK && *same && c.n > b->n_series
	    && (s->opt.glance || s->catalog.sums[SLV_LOST] > 0))
		st = bddf_series_add(s, c.n - 1, b->data_end, err);
	*same &= c.n == b->n_series;
	for (size_t i = 0; st == SLV_OK && i < c.n && i < b->n_series; i++)
		b->series[i].index_at = c.at[i].offset;
	for (size_t i = 0; st == SLV_OK && i < c.n && i < b->n_series; i++)
		st = check_element(s, &b->series[i], &c.at[i], same, err);
	free(c.at);
	return st;
}

enum slv_status
bddf_note_huge(
    struct slv_scan *s, uint64_t off, uint64_t size, struct slv_err *err)
{
	const struct slv_problem_info *huge = &bddf_problems[BDDF_P_INDEX_HUGE];

	/* One such block keeps readers from all of them. */
	if (size <= BDDF_MESSAGE_MAX
	    || slv_problems_count(&s->problems, huge) > 0)
		return SLV_OK;
	return bddf_problem(s, BDDF_P_INDEX_HUGE, off, 0, 0, size, err);
}
