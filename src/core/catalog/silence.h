/* silence.h - how long channels say nothing.
 *
 * Made of blocks as a listing hands them out.  Blocks of a channel may stand out
 * of order a little: SLV_SILENCE_LATE of them are put in order before they are
 * compared.  Time that goes back by more than a minute is a clock that was set
 * back, and no silence: what begins late is then told by the time before that,
 * what ends early by the time behind it.
 *
 * Bounded: a window for each channel that is watched.
 */
#ifndef SLV_CORE_SILENCE_H
#define SLV_CORE_SILENCE_H

#include "core/format/facts.h"

#define SLV_SILENCE_LATE  64
#define SLV_SILENCE_NEVER UINT64_MAX /* ns: nobody watches */

/* A time at which nothing came. */
struct slv_silence {
	uint64_t ns;
	struct slv_moment from, to;
	uint64_t off; /* of the block before it; 0: there is none */
};

struct slv_silence_window;

/* What is watched: one channel, or several of one name. */
struct slv_silence_watch {
	uint64_t most; /* ns that may pass without a block; NEVER: any */
	uint64_t n;    /* blocks that have a time */
	uint64_t over; /* silences that are longer than that */
	struct slv_silence longest;
	struct slv_moment first;  /* before the clock was set back */
	struct slv_moment before; /* of the block in front of the window */
	uint64_t off;             /* of that block */
	struct slv_silence_window *window; /* owned */
};

/* Which watch a channel belongs to. */
struct slv_silence_member {
	uint32_t channel;
	size_t watch;
};

struct slv_silences {
	struct slv_silence_watch *at; /* owned */
	size_t n;
	struct slv_silence_member *members; /* owned; ascending by channel */
	size_t n_members;
	struct slv_moment first;  /* of all, before the clock was set back */
	struct slv_moment latest; /* of all, since then */
	bool set;                 /* it was */
	bool failed;              /* no memory for a window */
};

/* Room for n watches, whose ->most are SLV_SILENCE_NEVER, and for as many
 * channels; the caller fills in both.  Freed by _free, also after a failure. */
enum slv_status slv_silences_init(struct slv_silences *, size_t n_watches,
    size_t n_members, struct slv_err *);

/* Take in a block, kept or not; as slv_block_fn, of the silences. */
bool slv_silences_block(void *silences, const struct slv_block *);

/* There are no more: with what passed before the first block of a channel and
 * behind its last one.
 *
 * SLV_E_NOMEM: not all was watched */
enum slv_status slv_silences_end(struct slv_silences *, struct slv_err *);

void slv_silences_free(struct slv_silences *);

#endif
