/* reading_whole.c - one of several copies of the log in the file is whole: it
 * is the log, and the others have nothing that it lacks. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "core/copies/copy.h"
#include "core/traced.h"
#include "io/read/part.h"
#include "job/readings/reading_ways.h"

#define TORN 4 /* one part of a copy in so many may be damaged */

/* The copies, each up to the beginning of the next one. */
struct copies {
	struct slv_way_input *in;
	size_t whole;   /* which one is whole */
	bool proven;    /* a digest or checksums confirm it */
	uint64_t *keys; /* owned; of its units, sorted */
	size_t n;
};

static int
compare_keys(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static struct slv_range
range_of(const struct copies *c, size_t i)
{
	const struct slv_begun *found = &c->in->begun;
	struct slv_range r = { .off = found->at[i] };

	r.end = i + 1 < found->n ? found->at[i + 1] : c->in->audit->read->size;
	return r;
}

/* Scan copy i; both are to be freed and closed, also after a failure. */
static enum slv_status
scan(const struct copies *c, size_t i, struct slv_copy *copy,
    struct slv_source **part, struct slv_err *err)
{
	struct slv_audit *a = c->in->audit;
	struct slv_scan_options how = c->in->opt->scan;
	struct slv_range r = range_of(c, i);

	how.tee = NULL;
	SLV_TRY(slv_source_part(a->read, r.off, r.end - r.off, part, err));
	return slv_copy_scan(copy, *part, a->formats, &how, err);
}

/* Return true if copy i is whole and states its end; takes its units. */
static enum slv_status
is_whole(struct copies *c, size_t i, bool *yes, struct slv_err *err)
{
	struct slv_copy copy = { .n = 0 };
	struct slv_source *part = NULL;
	enum slv_status st = scan(c, i, &copy, &part, err);

	*yes = st == SLV_OK && copy.scan.format == c->in->audit->scan.format
	    && slv_scan_is_sound(&copy.scan)
	    && copy.scan.end != SLV_END_UNKNOWN;
	if (*yes) {
		c->whole = i;
		c->proven = copy.scan.checksummed
		    || copy.scan.seal.as_is == SLV_SEAL_EQUAL;
		c->keys = slv_calloc(copy.n + 1, sizeof(*c->keys));
		if (c->keys == NULL)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
		for (; st == SLV_OK && c->n < copy.n; c->n++)
			c->keys[c->n] = copy.units[c->n].key;
		if (st == SLV_OK)
			st = slv_sort_long(c->keys, c->n, sizeof(*c->keys),
			    compare_keys, c->in->opt->scan.cancel, err);
	}
	slv_copy_free(&copy);
	slv_source_close(part);
	return st;
}

/* Return true if the whole copy has every unit of copy i; its other `rest`
 * bytes are of lost units. */
static enum slv_status
has_units(const struct copies *c, size_t i, uint64_t rest, bool *yes,
    struct slv_err *err)
{
	struct slv_copy copy = { .n = 0 };
	struct slv_source *part = NULL;
	enum slv_status st = scan(c, i, &copy, &part, err);

	*yes = st == SLV_OK && copy.scan.catalog.sums[SLV_FOREIGN] == 0
	    && rest <= copy.scan.catalog.sums[SLV_LOST];
	for (size_t u = 0; *yes && u < copy.n; u++) {
		const struct slv_noted *it = &copy.units[u];

		*yes = !it->whole
		    || slv_find_sorted(&it->key, c->keys, c->n,
		           sizeof(*c->keys), compare_keys)
		        != NULL;
	}
	slv_copy_free(&copy);
	slv_source_close(part);
	return st;
}

/* Return true if copy i has nothing that the whole one lacks.  If nothing
 * confirms the whole one, a different byte may be wrong in either. */
static enum slv_status
adds_nothing(const struct copies *c, size_t i, bool *yes, struct slv_err *err)
{
	struct slv_range r = range_of(c, i);
	uint64_t rest;

	SLV_TRY(slv_traced(
	    &c->in->audit->scan, r, range_of(c, c->whole), &rest, err));
	*yes = rest == 0 || (c->proven && rest < (r.end - r.off) / TORN);
	return *yes && rest > 0 ? has_units(c, i, rest, yes, err) : SLV_OK;
}

/* Which copy is whole, the last one first: downloads are started again until
 * one succeeds. */
static enum slv_status
find(struct copies *c, bool *any, struct slv_err *err)
{
	*any = false;
	for (size_t i = c->in->begun.n; !*any && i-- > 0;)
		SLV_TRY(is_whole(c, i, any, err));
	for (size_t i = 0; *any && i < c->in->begun.n; i++) {
		if (i != c->whole)
			SLV_TRY(adds_nothing(c, i, any, err));
	}
	return SLV_OK;
}

/* Give the reason for what is left out, and take the whole copy. */
static enum slv_status
take(const struct copies *c, struct slv_view *view, struct slv_err *err)
{
	const struct slv_problem_info *rows = slv_core_problems;
	struct slv_range r = range_of(c, c->whole);
	uint64_t front = c->in->begun.at[0], size = c->in->audit->read->size;

	if (front > 0)
		SLV_TRY(slv_view_why(
		    view, &rows[SLV_P_JUNK_BEFORE], 0, front, err));
	if (r.off > front)
		SLV_TRY(slv_view_why(
		    view, &rows[SLV_P_COPY], front, r.off - front, err));
	if (r.end < size)
		SLV_TRY(slv_view_why(
		    view, &rows[SLV_P_COPY], r.end, size - r.end, err));
	return slv_view_without(view, c->in->audit->read, err);
}

enum slv_status
slv_way_whole_copy(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	const struct slv_audit *a = in->audit;
	struct copies c = { .in = in };
	enum slv_status st;

	*any = false;
	if (i > 0 || !a->scan.format->based || a->read->unreadable.n > 0)
		return SLV_OK;
	SLV_TRY(slv_way_seek(in, err));
	if (in->begun.n < 2 || in->begun.n > SLV_COPIES)
		return SLV_OK;
	st = find(&c, any, err);
	slv_free(c.keys);
	/* What exceeds a limit for a copy does not matter. */
	if (st == SLV_E_LIMIT) {
		*err = (struct slv_err){ 0 };
		*any = false;
		st = SLV_OK;
	}
	SLV_TRY(st);
	in->mixed = slv_way_mixes(&a->scan, &in->begun);
	return *any ? take(&c, view, err) : SLV_OK;
}

bool
slv_way_whole_copy_holds(struct slv_way_input *in)
{
	return slv_scan_is_sound(&in->audit->scan);
}
