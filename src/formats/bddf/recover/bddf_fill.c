/* bddf_fill.c - blocks of another log for the gaps of this one.
 *
 * Series are the same where their identifiers have the same hash, whatever
 * their numbers; blocks where series and time are.
 */
#include "base/list.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4)
#define NO_SERIES UINT32_MAX

/* A block of the donor that belongs into a gap. */
struct candidate {
	uint64_t at; /* in the log: where it belongs */
	struct bddf_entry entry;
	uint32_t series; /* its number here */
};

/* A series here that blocks can be added to. */
struct named {
	uint64_t hash;
	uint32_t n_names, series;
};

/* A block that is here already. */
struct present {
	uint32_t series;
	int64_t sec;
	uint32_t nanos;
};

struct filling {
	struct slv_scan *here, *donor;
	struct slv_fill *fill;
	struct named *named; /* owned; sorted */
	size_t n_named;
	uint32_t *series; /* owned; of each of the donor's: its number here */
	struct candidate *at; /* owned */
	size_t n, cap;
	struct present *there; /* owned; sorted */
	size_t n_there, cap_there;
	struct slv_err *err;
};

static struct slv_moment
time_of(const struct bddf_entry *e)
{
	return (struct slv_moment){
		.known = e->nanos != BDDF_NO_TIME,
		.sec = e->sec,
		.nanos = e->nanos,
	};
}

/* Whether a moment is in a span that has an end at least. */
static bool
is_in(const struct slv_gap_span *s, struct slv_moment at)
{
	return at.known && (s->has_from || s->has_to)
	    && (!s->has_from || at.sec >= s->from)
	    && (!s->has_to || at.sec < s->to
	        || (at.sec == s->to && at.nanos == 0));
}

/* The gap that a moment falls into, or NULL. */
static const struct slv_fill_gap *
gap_of(const struct filling *f, struct slv_moment at)
{
	for (size_t i = 0; i < f->fill->n; i++) {
		if (is_in(&f->fill->gaps[i].span, at))
			return &f->fill->gaps[i];
	}
	return NULL;
}

SLV_ORDER3(compare_named, struct named, hash, n_names, series)

static bool
can_match(const struct bddf_series *s)
{
	return s->declared && !s->hash_odd;
}

static enum slv_status
list_named(struct filling *f)
{
	const struct bddf *here = bddf_of(f->here);

	SLV_TRY(slv_new(&f->named, here->n_series, sizeof(*f->named), f->err));
	for (size_t i = 0; i < here->n_series; i++) {
		const struct bddf_series *s = &here->series[i];

		if (can_match(s))
			f->named[f->n_named++] =
			    (struct named){ s->hash, s->n_names, (uint32_t)i };
	}
	slv_sort(f->named, f->n_named, sizeof(*f->named), compare_named);
	return SLV_OK;
}

/* Which series here, the first one, is that of the donor. */
static uint32_t
series_of(const struct filling *f, const struct bddf_series *theirs)
{
	const struct named key = { theirs->hash, theirs->n_names, 0 };
	struct slv_search w = { .high = f->n_named };
	const struct named *found;

	while (slv_search(&w))
		slv_search_on(&w, compare_named(&f->named[w.mid], &key) < 0);
	if (!can_match(theirs) || w.low == f->n_named)
		return NO_SERIES;
	found = &f->named[w.low];
	return found->hash == key.hash && found->n_names == key.n_names
	    ? found->series
	    : NO_SERIES;
}

static enum slv_status
match_series(struct filling *f)
{
	const struct bddf *donor = bddf_of(f->donor);

	SLV_TRY(list_named(f));
	SLV_TRY(
	    slv_new(&f->series, donor->n_series, sizeof(*f->series), f->err));
	for (size_t i = 0; i < donor->n_series; i++) {
		f->series[i] = series_of(f, &donor->series[i]);
		f->fill->related |= f->series[i] != NO_SERIES;
	}
	return SLV_OK;
}

SLV_ORDER3(compare_present, struct present, series, sec, nanos)

/* Call fn for every block of a log. */
typedef enum slv_status (*entry_fn)(
    struct filling *, uint32_t series, const struct bddf_entry *);

static enum slv_status
each_entry(struct filling *f, const struct bddf *b, entry_fn fn)
{
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_chunk *c = b->series[i].first;

		for (; c != NULL; c = c->next) {
			for (uint32_t k = 0; k < c->n; k++) {
				struct bddf_entry e = bddf_chunk_get(c, k);

				SLV_TRY(fn(f, (uint32_t)i, &e));
			}
		}
	}
	return SLV_OK;
}

static enum slv_status
note_present(struct filling *f, uint32_t series, const struct bddf_entry *e)
{
	if (gap_of(f, time_of(e)) == NULL)
		return SLV_OK;
	return SLV_ADD(
	    f, there, f->err, (struct present){ series, e->sec, e->nanos });
}

/* Note a block of the donor if it is missing here.  Its place is in the gap, but not before
 * the declaration of its series. */
static enum slv_status
note_candidate(struct filling *f, uint32_t series, const struct bddf_entry *e)
{
	const struct slv_fill_gap *gap = gap_of(f, time_of(e));
	uint32_t mine = f->series[series];
	struct present key = { mine, e->sec, e->nanos };
	const struct bddf_range *block;

	if (gap == NULL)
		return SLV_OK;
	if (mine == NO_SERIES) {
		f->fill->left_out++;
		return SLV_OK;
	}
	if (slv_find_sorted(
	        &key, f->there, f->n_there, sizeof(key), compare_present)
	    != NULL) {
		f->fill->there++;
		return SLV_OK;
	}
	block = &bddf_of(f->here)->series[mine].block;
	return SLV_ADD_AT(f, f->err,
	    (struct candidate){
	        .at = slv_max64(gap->at, block->off + block->len),
	        .entry = *e,
	        .series = mine,
	    });
}

/* By place, then by time, then in the order of the donor. */
static int
compare_candidates(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	int by_time =
	    slv_moment_compare(time_of(&a->entry), time_of(&b->entry));

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	if (by_time != 0)
		return by_time;
	return a->entry.off < b->entry.off ? -1 : a->entry.off > b->entry.off;
}

/* Append one block, with a new head and the donor's payload. */
static enum slv_status
add_block(struct filling *f, const struct candidate *c)
{
	struct slv_joint *j = &f->fill->joint;
	uint64_t off = c->entry.off, before = j->size, payload;
	struct slv_buf head = { 0 };
	struct bddf_head h;
	struct bddf_data d;
	enum slv_status st;
	const uint8_t *p;
	uint32_t size;

	SLV_TRY(slv_window_view(f->donor->window, off, DATA_HEAD, &p, f->err));
	h = bddf_head_get(bddf_of(f->donor)->dialect, p);
	size = slv_get_le32(p + BDDF_HEADER_SIZE);
	SLV_TRY(slv_window_view(
	    f->donor->window, off + DATA_HEAD, size, &p, f->err));
	if (bddf_data_get(p, size, size, &d, NULL, NULL) != BDDF_WHOLE
	    || d.strange) {
		f->fill->left_out++;
		return SLV_OK;
	}
	payload = h.size - size;
	bddf_make_data(bddf_of(f->here)->dialect, bddf_of(f->donor), &c->entry,
	    c->series, payload, &head);
	st = head.failed ? slv_fail(f->err, SLV_E_NOMEM, "out of memory")
	                 : slv_joint_bytes(j, head.at, head.len, f->err);
	slv_buf_free(&head);
	SLV_TRY(st);
	SLV_TRY(slv_joint_add(
	    j, f->donor->source, off + DATA_HEAD + size, payload, f->err));
	f->fill->blocks++;
	f->fill->bytes += j->size - before;
	return SLV_OK;
}

static enum slv_status
lay_in(struct filling *f)
{
	uint64_t end = bddf_of(f->here)->data_end, at = 0;
	struct slv_joint *j = &f->fill->joint;
	struct slv_source *source = f->here->source;

	for (size_t i = 0; i < f->n; i++) {
		uint64_t upto = slv_min64(f->at[i].at, end);

		SLV_TRY(slv_joint_add(j, source, at, upto - at, f->err));
		at = upto;
		SLV_TRY(add_block(f, &f->at[i]));
	}
	return slv_joint_add(j, source, at, end - at, f->err);
}

enum slv_status
bddf_fill(struct slv_scan *s, struct slv_scan *donor, struct slv_fill *fill,
    struct slv_err *err)
{
	struct filling f = {
		.here = s,
		.donor = donor,
		.fill = fill,
		.err = err,
	};
	enum slv_status st = match_series(&f);

	if (st == SLV_OK)
		st = each_entry(&f, bddf_of(s), note_present);
	slv_sort(f.there, f.n_there, sizeof(*f.there), compare_present);
	if (st == SLV_OK)
		st = each_entry(&f, bddf_of(donor), note_candidate);
	slv_sort(f.at, f.n, sizeof(*f.at), compare_candidates);
	if (st == SLV_OK)
		st = lay_in(&f);
	slv_free(f.named);
	slv_free(f.series);
	slv_free(f.at);
	slv_free(f.there);
	return st;
}
