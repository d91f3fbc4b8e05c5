/* stray_names.h - find the unit in the wrong place by an index that names
 * places.
 *
 * Before an inserted unit, the others are where the index has them; after it,
 * they are later by its length.  After a place where a unit was removed they
 * are earlier by its length.
 */
#ifndef SLV_CORE_STRAY_NAMES_H
#define SLV_CORE_STRAY_NAMES_H

#include "core/readings/stray.h"

struct slv_placed {
	uint64_t off, end; /* in the source */
	bool named;        /* the index names units of this kind */
	uint64_t key[2];   /* ... and what else it says about one */
};

struct slv_name {
	uint64_t at; /* in the source, if nothing were in the wrong place */
	uint64_t key[2];
};

struct slv_naming {
	struct slv_placed *units; /* owned; all units, in order and without
				   * gaps */
	size_t n, cap;
	struct slv_name *names; /* owned; in any order */
	size_t n_names, cap_names;

	/* Set by the functions below. */
	size_t *first; /* owned; named units before each one */
	size_t head;   /* leading units that are where the index names them */
	size_t tail;   /* the first unit from which on all are shifted */
};

enum slv_status slv_naming_unit(
    struct slv_naming *, const struct slv_placed *, struct slv_err *);
enum slv_status slv_naming_name(
    struct slv_naming *, const struct slv_name *, struct slv_err *);
void slv_naming_free(struct slv_naming *);

/* Propose units in a row of `more` bytes without which the others are where
 * they are named.  They belong at `to`, UINT64_MAX: nowhere. */
enum slv_status slv_naming_surplus(struct slv_naming *, uint64_t more,
    uint64_t to, struct slv_strays *, struct slv_err *);

/* Find where `less` bytes of units are missing. */
enum slv_status slv_naming_gap(struct slv_naming *, uint64_t less, uint64_t *to,
    bool *found, struct slv_err *);

/* Propose a unit that belongs in another place among the same units. */
enum slv_status slv_naming_turned(
    struct slv_naming *, struct slv_strays *, struct slv_err *);

#endif
