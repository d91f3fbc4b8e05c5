/* exchange_fit.h - would two places read as whole units if the pieces there
 * were exchanged?
 *
 * Only the bytes around the places are read, so that many exchanges can be
 * tried.  The scan's driver is then asked about bytes that the scan did not
 * read, and may remember some of them.  If `asked` is set, the scan must be
 * done again.
 */
#ifndef SLV_CORE_EXCHANGE_FIT_H
#define SLV_CORE_EXCHANGE_FIT_H

#include "core/readings/exchange.h"

struct slv_exchange_fit {
	const struct slv_scan *scan; /* borrowed; finished */
	uint64_t *starts;            /* owned; of units around what is lost */
	size_t n_starts, cap_starts;
	uint64_t viewed; /* by the scan, before the first try */
	uint64_t work;   /* cost so far in bytes; decoded bytes cost more */
	bool all;        /* all units around what is lost are known */
	bool asked;      /* the driver was asked about exchanged bytes */
	struct slv_source *plain; /* borrowed; the scan's */
	uint64_t held; /* 1 + offset of the unit in it that was last checked; 0:
		        * none */
	bool holds;    /* its checksum matched */
};

/* Find where units begin around what the finished scan has lost. */
enum slv_status slv_exchange_fit_init(
    struct slv_exchange_fit *, const struct slv_scan *, struct slv_err *);

/* Return true if units do not connect through a piece at its present place.
 *
 *   stated  they end at a unit with a checksum that does not match */
enum slv_status slv_exchange_breaks(struct slv_exchange_fit *, uint64_t off,
    uint64_t size, bool *yes, bool *stated, struct slv_err *);

/* Return true if the number of damaged places fits a few pieces in the wrong
 * place.  A log that was cut, or that is damaged everywhere, has fewer or
 * more. */
bool slv_exchanges_likely(const struct slv_catalog *);

/* List the candidates: pieces in which the log breaks.
 *
 *   out  empty; to be freed, also after a failure */
enum slv_status slv_exchanges_find(
    struct slv_exchange_fit *, struct slv_exchanges *out, struct slv_err *);

/* Would units follow each other through both places, and would checksums of
 * units confirm where both pieces begin and end? */
enum slv_status slv_exchange_fits(struct slv_exchange_fit *,
    const struct slv_exchange *, bool *yes, bool *summed, struct slv_err *);

/* Return true if no exchange of larger or smaller pieces at these places fits as
 * well.  Several may fit: nothing shows an edge that is inside a payload. */
enum slv_status slv_exchange_stands_alone(struct slv_exchange_fit *,
    const struct slv_exchange *, bool *yes, struct slv_err *);

void slv_exchange_fit_free(struct slv_exchange_fit *);

#endif
