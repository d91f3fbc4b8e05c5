/* exchange.c - which two pieces of a damaged log may have changed places? */
#include "core/readings/exchange_fit.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "core/scan/resync.h"

#define FEWEST 2     /* stretches that two pieces in the wrong place tear */
#define MOST   64    /* and that so many more pieces do */
#define EDGES  4096  /* that are looked at */
#define NEAR   1024  /* of them at either end of a lost stretch */
#define HALF   1000u /* rank of a piece of which one edge is known */
#define CLOSE  4     /* rank of that edge, at most */
#define PIECES 1024  /* of one size */
#define PAIRS  ((size_t)1 << 16)    /* in all */
#define MARKS  8192                 /* of units, in what is lost */
#define SIGMAS 4u                   /* of zeros, more than random bytes have */
#define LOOKS  ((uint64_t)64 << 20) /* bytes searched for these */

/* Sizes of pieces: those of pages and sectors are the likeliest. */
static const uint64_t sizes[] = { 4096, 512, 8192, 1024, 2048, 16384, 32768 };

#define SIZES (sizeof(sizes) / sizeof(*sizes))

/* Where a piece may begin or end, and how many such places are between that and
 * an end of what is lost there. */
struct edge {
	uint64_t at;
	unsigned rank;
};

/* A piece, with the sum of its edges' ranks. */
struct piece {
	uint64_t at;
	unsigned rank;
	bool part; /* something in it may be of a log */
};

struct places {
	struct edge edges[EDGES]; /* in order */
	size_t n;
	struct piece pieces[SIZES][PIECES]; /* the likeliest first */
	size_t n_pieces[SIZES];
	uint64_t marks[MARKS]; /* in order; something of a log begins there */
	size_t n_marks;
	uint8_t buf[SLV_EXCHANGE_MOST];
	struct slv_exchange_fit *fit; /* borrowed */
	bool all;                     /* there was room for everything */
};

/* Whether what is lost there may be in the wrong place. */
static bool
is_hit(const struct slv_extent *x)
{
	return x->fate == SLV_LOST || x->fate == SLV_FOREIGN;
}

/* Whether the log may break at an edge of a piece in there. */
static bool
may_break(const struct slv_extent *x)
{
	return is_hit(x) || x->fate == SLV_REBUILT;
}

static void
add_mark(struct places *p, uint64_t at)
{
	if (p->n_marks < MARKS)
		p->marks[p->n_marks++] = at;
	else
		p->all = false;
}

/* Find what may be of a log in what is lost: where something overwrote it nothing
 * is. */
static enum slv_status
find_marks(struct places *p, struct slv_err *err)
{
	const struct slv_scan *s = p->fit->scan;
	const struct slv_catalog *c = &s->catalog;
	uint64_t looked = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		uint64_t end = slv_min64(x->off + x->len, s->logical_end);
		uint64_t at = x->off;

		if (!is_hit(x) || looked > LOOKS) {
			p->all = p->all && looked <= LOOKS;
			add_mark(p, at);
			continue;
		}
		looked += x->len;
		for (; at < end; at++) {
			SLV_TRY(slv_next_mark(s, at, end, &at, err));
			if (at < end)
				add_mark(p, at);
		}
	}
	return SLV_OK;
}

/* Whether something of a log begins in a piece. */
static bool
is_marked(const struct places *p, uint64_t at, uint64_t size)
{
	struct slv_search f = { .high = p->n_marks };

	while (slv_search(&f))
		slv_search_on(&f, p->marks[f.mid] < at);
	return f.low < p->n_marks && p->marks[f.low] < at + size;
}

/* The edges in a stretch; of a long one those at its ends. */
static void
add_edges(struct places *p, uint64_t off, uint64_t end)
{
	const uint64_t step = SLV_EXCHANGE_LEAST;
	uint64_t from = (off + step - 1) / step * step;
	uint64_t upto = end / step * step;

	for (uint64_t at = from; at <= upto; at += step) {
		if (at - from >= NEAR * step && upto - at > NEAR * step) {
			at = upto - NEAR * step;
			p->all = false;
		}
		if (p->n > 0 && p->edges[p->n - 1].at >= at)
			continue;
		if (p->n == EDGES) {
			p->all = false;
			break;
		}
		p->edges[p->n++] = (struct edge){
			.at = at,
			.rank =
			    (unsigned)(slv_min64(at - from, upto - at) / step),
		};
	}
}

static const struct edge *
find_edge(const struct places *p, uint64_t at)
{
	struct slv_search f = { .high = p->n };

	while (slv_search(&f))
		slv_search_on(&f, p->edges[f.mid].at < at);
	return f.low < p->n && p->edges[f.low].at == at ? &p->edges[f.low]
	                                                : NULL;
}

static int
compare_pieces(const void *x, const void *y)
{
	const struct piece *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Whether the bytes are neither random nor all the same: numbers of a log have more
 * zeros than chance gives. */
static enum slv_status
is_ordered(struct places *p, uint64_t at, uint64_t size, bool *yes,
    struct slv_err *err)
{
	uint64_t mean = size / 256, zeros = 0, excess;

	SLV_TRY(slv_source_read(
	    p->fit->scan->source, at, p->buf, (size_t)size, err));
	for (uint64_t i = 0; i < size; i++)
		zeros += p->buf[i] == 0;
	excess = zeros > mean ? zeros - mean : 0;
	*yes = excess * excess > SIGMAS * SIGMAS * mean
	    && zeros < size - size / 16;
	return SLV_OK;
}

/* Where the log does not break as it is, nothing would show that it was another
 * piece's place. */
static enum slv_status
add_piece(
    struct places *p, size_t k, uint64_t at, unsigned rank, struct slv_err *err)
{
	size_t *n = &p->n_pieces[k];
	bool broken = false, stated = false, part;

	if (*n < PIECES && p->fit->work < LOOKS)
		SLV_TRY(slv_exchange_breaks(
		    p->fit, at, sizes[k], &broken, &stated, err));
	else
		p->all = false;
	if (!broken)
		return SLV_OK;
	part = stated || is_marked(p, at, sizes[k]);
	if (!part)
		SLV_TRY(is_ordered(p, at, sizes[k], &part, err));
	p->pieces[k][(*n)++] = (struct piece){ at, rank, part };
	return SLV_OK;
}

static enum slv_status
find_pieces(struct places *p, size_t k, uint64_t end, struct slv_err *err)
{
	uint64_t size = sizes[k];

	for (size_t i = 0; i < p->n; i++) {
		const struct edge *one = &p->edges[i], *two;

		two = one->at % size == 0 ? find_edge(p, one->at + size) : NULL;
		if (two != NULL)
			SLV_TRY(add_piece(
			    p, k, one->at, one->rank + two->rank, err));
	}
	/* A unit that ends by chance where another begins hides an edge. */
	for (size_t i = 0; i < p->n; i++) {
		uint64_t at = p->edges[i].at;
		unsigned rank = HALF + p->edges[i].rank;

		if (at % size != 0 || p->edges[i].rank > CLOSE)
			continue;
		if (at + size <= end && find_edge(p, at + size) == NULL)
			SLV_TRY(add_piece(p, k, at, rank, err));
		if (at >= size && find_edge(p, at - size) == NULL)
			SLV_TRY(add_piece(p, k, at - size, rank, err));
	}
	slv_sort(
	    p->pieces[k], p->n_pieces[k], sizeof(struct piece), compare_pieces);
	return SLV_OK;
}

static enum slv_status
add_pair(struct slv_exchanges *x, uint64_t a, uint64_t b, uint64_t size,
    struct slv_err *err)
{
	uint64_t one = slv_min64(a, b), two = slv_max64(a, b);

	if (one + size > two)
		return SLV_OK;
	if (x->n >= PAIRS) {
		x->all = false;
		return SLV_OK;
	}
	SLV_TRY(slv_grow(&x->at, &x->cap, x->n + 1, sizeof(*x->at), err));
	x->at[x->n++] =
	    (struct slv_exchange){ .one = one, .two = two, .size = size };
	return SLV_OK;
}

/* The pieces of all sizes, the likeliest pairs first. */
static enum slv_status
add_pairs(struct slv_exchanges *x, const struct places *p, struct slv_err *err)
{
	for (size_t i = 1; i < PIECES && x->n < PAIRS; i++) {
		for (size_t k = 0; k < SIZES; k++) {
			const struct piece *at = p->pieces[k];

			for (size_t j = 0;
			     j < i && i < p->n_pieces[k] && at[j].rank < HALF;
			     j++) {
				if (at[j].part || at[i].part)
					SLV_TRY(add_pair(x, at[j].at, at[i].at,
					    sizes[k], err));
			}
		}
	}
	return SLV_OK;
}

static enum slv_status
add_first_with(
    struct slv_exchanges *x, uint64_t two, uint64_t size, struct slv_err *err)
{
	size_t n = x->n;

	SLV_TRY(add_pair(x, 0, two, size, err));
	if (x->n > n)
		x->at[n].begins = true;
	return SLV_OK;
}

/* The beginning of the file, with wherever a log begins. */
static enum slv_status
add_first(struct slv_exchanges *x, const struct slv_catalog *c, uint64_t start,
    struct slv_err *err)
{
	for (size_t k = 0; k < SIZES; k++) {
		if (start > 0 && start % sizes[k] == 0
		    && start + sizes[k] <= c->end)
			SLV_TRY(add_first_with(x, start, sizes[k], err));
		for (size_t i = 1; i < c->n && start == 0; i++) {
			uint64_t off = c->at[i].off;

			if (c->at[i].fate == SLV_FOREIGN && off % sizes[k] == 0
			    && off + sizes[k] <= c->end)
				SLV_TRY(add_first_with(x, off, sizes[k], err));
		}
	}
	return SLV_OK;
}

static enum slv_status
find(struct places *p, struct slv_exchanges *out, struct slv_err *err)
{
	const struct slv_scan *s = p->fit->scan;
	const struct slv_catalog *c = &s->catalog;

	p->all = true;
	for (size_t i = 0; i < c->n; i++) {
		if (may_break(&c->at[i]))
			add_edges(p, c->at[i].off, c->at[i].off + c->at[i].len);
	}
	SLV_TRY(find_marks(p, err));
	for (size_t k = 0; k < SIZES; k++)
		SLV_TRY(find_pieces(p, k, c->end, err));
	out->all = p->all;
	SLV_TRY(add_first(out, c, s->base, err));
	return add_pairs(out, p, err);
}

bool
slv_exchanges_likely(const struct slv_catalog *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		n += is_hit(&c->at[i]) && (i == 0 || !is_hit(&c->at[i - 1]));
	return n >= FEWEST && n <= MOST;
}

enum slv_status
slv_exchanges_find(struct slv_exchange_fit *fit, struct slv_exchanges *out,
    struct slv_err *err)
{
	struct places *p = slv_calloc(1, sizeof(*p));
	enum slv_status st;

	if (p == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	p->fit = fit;
	st = find(p, out, err);
	slv_free(p);
	return st;
}

/* Whether a byte of [off, end) is lost. */
static bool
is_lost(const struct slv_catalog *c, uint64_t off, uint64_t end)
{
	for (size_t i = slv_catalog_find(c, off);
	     i < c->n && c->at[i].off < end; i++) {
		if (is_hit(&c->at[i]))
			return true;
	}
	return false;
}

bool
slv_exchange_is_hit(const struct slv_exchange *x, const struct slv_catalog *c)
{
	uint64_t before = x->one > 0 ? x->one - 1 : 0;

	return is_lost(c, before, slv_min64(x->one + x->size + 1, c->end))
	    || is_lost(c, x->two - 1, slv_min64(x->two + x->size + 1, c->end));
}

/* What is read at a place. */
struct move {
	uint64_t to, from, size;
};

/* Keep the moves in order of where they lead. */
static void
add_move(struct move *all, size_t *n, struct move m)
{
	size_t i = (*n)++;

	for (; i > 0 && all[i - 1].to > m.to; i--)
		all[i] = all[i - 1];
	all[i] = m;
}

enum slv_status
slv_exchange_join(const struct slv_exchange *x, size_t n, struct slv_source *s,
    struct slv_joint *out, struct slv_err *err)
{
	struct move moves[2 * SLV_EXCHANGES];
	size_t n_moves = 0;
	uint64_t at = 0;

	for (size_t i = 0; i < n; i++) {
		add_move(moves, &n_moves,
		    (struct move){ x[i].one, x[i].two, x[i].size });
		add_move(moves, &n_moves,
		    (struct move){ x[i].two, x[i].one, x[i].size });
	}
	for (size_t i = 0; i < n_moves; i++) {
		const struct move *m = &moves[i];

		SLV_TRY(slv_joint_add(out, s, at, m->to - at, err));
		SLV_TRY(slv_joint_add(out, s, m->from, m->size, err));
		at = m->to + m->size;
	}
	return slv_joint_add(out, s, at, s->size - at, err);
}

void
slv_exchanges_free(struct slv_exchanges *x)
{
	slv_free(x->at);
	*x = (struct slv_exchanges){ 0 };
}
