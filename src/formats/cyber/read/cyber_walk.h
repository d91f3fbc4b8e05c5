/* cyber_walk.h - walk a record from its first section on, by the heads of
 * sections and the headers of chunks: does anything contradict them?
 */
#ifndef SLV_FORMATS_CYBER_WALK_H
#define SLV_FORMATS_CYBER_WALK_H

#include "formats/cyber/cyber_state.h"

/* A chunk: what it says, and what follows its heads. */
struct cyber_walked {
	uint64_t off;    /* offset of its header */
	uint64_t data;   /* offset of its first message */
	uint64_t end;    /* end of its last message */
	uint64_t size;   /* bytes of messages, by the head of the body */
	uint64_t passed; /* bytes of a section between them */
	uint64_t messages, raw;
	uint64_t last; /* time of the last message */
	struct cyber_claim claim;
};

/* The record from its first section on. */
struct cyber_walk {
	struct slv_scan *scan;
	struct cyber_walked now;
	bool in_chunk;
	uint64_t *sections; /* owned; offsets, except of `amid` */
	size_t n_sections, cap_sections;
	struct slv_range amid;      /* a section in the body of a chunk */
	uint64_t outer;             /* ... the offset of that body */
	struct cyber_section inner; /* ... what that section says */
	size_t n_kind[CYBER_TYPES]; /* sections of each kind */
	struct slv_range loose;     /* messages outside bodies */
	uint64_t n_loose;
	bool headed; /* ... they are between the two heads of a chunk */
	struct cyber_walked more,
	    less; /* the chunks that hold too much or too little */
	unsigned n_amid, n_runs, n_more, n_less;
	uint64_t messages;
	bool tidy; /* there is nothing else */
};

/* Walk as long as at most one chunk holds too much, and one too little; ->tidy:
 * up to the index, or the end.  Free it, also after a failure. */
enum slv_status cyber_walk(struct cyber_walk *, struct slv_err *);
void cyber_walk_free(struct cyber_walk *);

#endif
