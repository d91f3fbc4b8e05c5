/* exchange.h - which two pieces of a damaged log may have changed places.
 *
 * File systems and disks exchange whole sectors, pages and clusters.  If a
 * piece is in the wrong place the log breaks at both of its edges, unless a
 * unit begins at one.  So salvor looks for edges in what is lost; two pieces of
 * one size with edges there are a candidate.
 */
#ifndef SLV_CORE_EXCHANGE_H
#define SLV_CORE_EXCHANGE_H

#include "core/copies/joined.h"
#include "core/scan/scan.h"

#define SLV_EXCHANGE_LEAST ((uint64_t)512)      /* bytes, and alignment */
#define SLV_EXCHANGE_MOST  ((uint64_t)32 << 10) /* bytes of a piece */

/* Two pieces of one size, apart. */
struct slv_exchange {
	uint64_t one, two; /* their offsets; one < two */
	uint64_t size;
	bool begins; /* a log begins at two */
};

struct slv_exchanges {
	struct slv_exchange *at; /* owned; the likeliest first */
	size_t n, cap;
	bool all; /* the list is complete */
};

/* Return true if a byte of one of the pieces, or one next to them, is lost. */
bool slv_exchange_is_hit(
    const struct slv_exchange *, const struct slv_catalog *);

#define SLV_EXCHANGES 8 /* exchanges at once */

/* Fill the joint, which is empty, with the source after n exchanges, no two of
 * which overlap. */
enum slv_status slv_exchange_join(const struct slv_exchange *, size_t n,
    struct slv_source *, struct slv_joint *, struct slv_err *);

void slv_exchanges_free(struct slv_exchanges *);

#endif
