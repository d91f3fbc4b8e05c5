/* cyber_walk.h - a record from its first section on, by what the heads of sections
 * and the headers of chunks say: does anything contradict that?
 */
#ifndef SLV_FORMATS_CYBER_WALK_H
#define SLV_FORMATS_CYBER_WALK_H

#include "formats/cyber/cyber_state.h"

/* A chunk: what it says, and what follows its heads. */
struct cyber_walked {
	uint64_t off;    /* of its header */
	uint64_t data;   /* of its first message */
	uint64_t end;    /* where something else follows the last one */
	uint64_t size;   /* bytes of messages, as the head of the body says */
	uint64_t passed; /* bytes of a section that is amid them */
	uint64_t messages, raw;
	uint64_t last; /* time of the last message */
	struct cyber_claim claim;
};

/* The record from its first section on. */
struct cyber_walk {
	struct slv_scan *scan;
	struct cyber_walked now;
	bool in_chunk;
	uint64_t *sections; /* owned; where they begin, but for the one amid */
	size_t n_sections, cap_sections;
	struct slv_range amid;      /* a section in the body of a chunk */
	uint64_t outer;             /* ... where that one begins */
	struct cyber_section inner; /* ... what that section says */
	size_t n_kind[CYBER_TYPES]; /* sections of each kind */
	struct slv_range loose;     /* messages outside of bodies */
	uint64_t n_loose;
	bool headed; /* ... they are between the two heads of a chunk */
	struct cyber_walked more,
	    less; /* the chunks that hold too much, too little */
	unsigned n_amid, n_runs, n_more, n_less;
	uint64_t messages;
	bool tidy; /* there is nothing else */
};

/* Walk, as long as at most one chunk holds too much, and one too little; ->tidy: up
 * to the index, or the end.  Free it, also after a failure. */
enum slv_status cyber_walk(struct cyber_walk *, struct slv_err *);
void cyber_walk_free(struct cyber_walk *);

#endif
