/* offer.c - which declarations of another log can replace lost ones. */
#include "support/offer.h"

#define RATE  4.0 /* a channel with so many times the rate is another one */
#define OFTEN 64  /* messages; a channel with fewer than FEW is another one */
#define FEW   8

void
slv_want_weigh(struct slv_want *w, const struct slv_offer *offers, size_t n,
    slv_fits_fn *fits, const void *lost)
{
	w->own = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (offers[i].number == w->number)
			w->own = i;
	}
	w->fits =
	    w->own != SIZE_MAX && !offers[w->own].here && fits(lost, w->own);
	w->n = w->fits;
	for (size_t i = 0; i < n; i++) {
		/* An offer of the same topic is no other choice. */
		if (i == w->own || offers[i].here || !fits(lost, i)
		    || (w->fits
		        && slv_span_same(offers[i].name, offers[w->own].name)))
			continue;
		w->n++;
	}
}

bool
slv_want_is_odd(const struct slv_want *w, const struct slv_offer *offers)
{
	return w->own != SIZE_MAX && !w->fits && offers[w->own].readable;
}

bool
slv_use_alike(const struct slv_use *x, const struct slv_use *y)
{
	double long_x, long_y, rate;

	if (x->n < FEW || y->n < FEW)
		return x->n < OFTEN && y->n < OFTEN;
	long_x = slv_moment_seconds(x->from, x->to);
	long_y = slv_moment_seconds(y->from, y->to);
	if (long_x <= 0 || long_y <= 0)
		return true;
	rate = ((double)x->n / long_x) / ((double)y->n / long_y);
	return rate < RATE && rate > 1 / RATE;
}
