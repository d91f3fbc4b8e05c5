/* offer.h - declarations that are lost, and another log of the same robot that has
 * some.
 *
 * Recorders number channels as they come, mostly in the same order.  So the
 * declaration with the same number is taken, if its messages are like those of the lost
 * one, and if this is true of no channel with another name.  If a channel with the same
 * number is not alike, the two logs number differently: then nothing may be taken.
 */
#ifndef SLV_SUPPORT_OFFER_H
#define SLV_SUPPORT_OFFER_H

#include "base/bytes.h"
#include "core/format/facts.h"

/* What the other log declares. */
struct slv_offer {
	uint64_t number;
	struct slv_span name; /* borrowed; of the topic */
	bool readable;        /* its own messages are as it says */
	bool here;            /* this log declares it, too */
};

/* A declaration that is lost. */
struct slv_want {
	uint64_t number;
	size_t own; /* the offer with this number; SIZE_MAX: none */
	size_t n;   /* offers with different names that fit */
	bool fits;  /* the offer with this number fits */
};

/* Whether the messages of what is lost are like those of an offer. */
typedef bool slv_fits_fn(const void *lost, size_t offer);

/* Compare w->number with n offers; `lost` is for fits(). */
void slv_want_weigh(struct slv_want *, const struct slv_offer *, size_t n,
    slv_fits_fn *fits, const void *lost);

/* Return true if the number has another meaning there. */
bool slv_want_is_odd(const struct slv_want *, const struct slv_offer *);

static inline bool
slv_want_is_met(const struct slv_want *w)
{
	return w->fits && w->n == 1;
}

/* How often a channel was used. */
struct slv_use {
	uint64_t n; /* messages */
	struct slv_moment from, to;
};

/* Whether both may be one channel: about as many messages a second. */
bool slv_use_alike(const struct slv_use *, const struct slv_use *);

#endif
