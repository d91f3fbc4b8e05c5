/* stray_names.h - units against an index that names them by place: which unit is in
 * the wrong place?
 *
 * Up to a unit that was put in, the others are where the index has them, and from
 * there on later by its length.  Where one was taken out the rest is earlier by that.
 */
#ifndef SLV_CORE_STRAY_NAMES_H
#define SLV_CORE_STRAY_NAMES_H

#include "core/readings/stray.h"

struct slv_placed {
	uint64_t off, end; /* in the source */
	bool named;        /* the index names units of its kind */
	uint64_t key[2];   /* ... and by what else */
};

struct slv_name {
	uint64_t at; /* in the source, if nothing were in the wrong place */
	uint64_t key[2];
};

struct slv_naming {
	struct slv_placed *units; /* owned; all there are, in order and in a
	                           * row */
	size_t n, cap;
	struct slv_name *names; /* owned; in any order */
	size_t n_names, cap_names;

	/* Theirs. */
	size_t *first; /* owned; named units before each one */
	size_t
	    head; /* from the first one on, so many are where they are named */
	size_t tail; /* the first from which on they are, shifted */
};

enum slv_status slv_naming_unit(
    struct slv_naming *, const struct slv_placed *, struct slv_err *);
enum slv_status slv_naming_name(
    struct slv_naming *, const struct slv_name *, struct slv_err *);
void slv_naming_free(struct slv_naming *);

/* Propose units in a row of `more` bytes without which the others are where they are
 * named; they belong at `to`, UINT64_MAX: nowhere. */
enum slv_status slv_naming_surplus(struct slv_naming *, uint64_t more,
    uint64_t to, struct slv_strays *, struct slv_err *);

/* Where `less` bytes of units are missing. */
enum slv_status slv_naming_gap(struct slv_naming *, uint64_t less, uint64_t *to,
    bool *found, struct slv_err *);

/* Propose a unit that is in another place among the same units. */
enum slv_status slv_naming_turned(
    struct slv_naming *, struct slv_strays *, struct slv_err *);

#endif
