/* cyber_chain.h - units that follow each other, as a piece of a record has them. */
#ifndef SLV_FORMATS_CYBER_CHAIN_H
#define SLV_FORMATS_CYBER_CHAIN_H

#include "formats/cyber/read/cyber_unit.h"

/* Units in a row. */
struct cyber_chain {
	uint64_t last, end; /* where the last one begins and ends */
	uint64_t messages, raw;
	struct cyber_times times; /* of the messages */
	bool
	    broken; /* something else follows, or the file ends inside a unit */
};

/* cyber_next_mark; what it looked at counts as work, not what it has viewed. */
enum slv_status cyber_chain_mark(const struct slv_scan *s, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *err);

/* Whether a message or a section is at off, and ends in the file. */
enum slv_status cyber_chain_unit(const struct slv_scan *s, uint64_t off,
    uint64_t *len, struct cyber_message *m, bool *message, bool *yes,
    struct slv_err *err);

/* Where the message at off, of which one of the two lengths may be damaged, ends
 * by its head; 0: unknown. */
enum slv_status cyber_chain_stated(
    const struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err);

/* Follow units from off up to `upto`; a message with a damaged head is passed by
 * where its end is known.  A message after which none follows is not taken in. */
enum slv_status cyber_chain_follow(const struct slv_scan *s, uint64_t off,
    uint64_t upto, struct cyber_chain *c, struct slv_err *err);

#endif
