/* silence.h - how long channels have no blocks.
 *
 * Made from blocks in the order of a listing.  Blocks of a channel may be
 * slightly out of order: SLV_SILENCE_LATE of them are sorted before they are
 * compared.  Time that goes back by more than a minute is a clock that was set
 * back, not a silence.  A late beginning is then measured by the time before
 * that, an early end by the time after it.
 *
 * Bounded: a window for each watched channel.
 */
#ifndef SLV_CORE_SILENCE_H
#define SLV_CORE_SILENCE_H

#include "core/format/facts.h"

#define SLV_SILENCE_LATE  64
#define SLV_SILENCE_NEVER UINT64_MAX /* ns: not watched */

/* A time without blocks. */
struct slv_silence {
	uint64_t ns;
	struct slv_moment from, to;
	uint64_t off; /* offset of the block before it; 0: there is none */
};

struct slv_silence_window;

/* A watch: one channel, or several of one name. */
struct slv_silence_watch {
	uint64_t most; /* ns without a block that are allowed; NEVER: any
		        * number */
	uint64_t n;    /* blocks that have a time */
	uint64_t over; /* silences longer than that */
	struct slv_silence longest;
	struct slv_moment first;  /* first time, before the clock was set
				   * back */
	struct slv_moment before; /* time of the block before the window */
	uint64_t off;             /* offset of that block */
	struct slv_silence_window *window; /* owned */
};

/* The watch of a channel. */
struct slv_silence_member {
	uint32_t channel;
	size_t watch;
};

struct slv_silences {
	struct slv_silence_watch *at; /* owned */
	size_t n;
	struct slv_silence_member *members; /* owned; ascending by channel */
	size_t n_members;
	struct slv_moment first;  /* first time of all, before the clock was set
				   * back */
	struct slv_moment latest; /* latest time of all, since then */
	bool set;                 /* the clock was set back */
	bool failed;              /* no memory for a window */
};

/* Make room for n watches with ->most = SLV_SILENCE_NEVER, and for as many
 * channels; the caller fills in both.  Free it, also after a failure. */
enum slv_status slv_silences_init(struct slv_silences *, size_t n_watches,
    size_t n_members, struct slv_err *);

/* Add a block, kept or not; a slv_block_fn with the silences as context. */
bool slv_silences_block(void *silences, const struct slv_block *);

/* End: add the time before the first block of a channel and after its last one.
 *
 * SLV_E_NOMEM: not all was watched */
enum slv_status slv_silences_end(struct slv_silences *, struct slv_err *);

void slv_silences_free(struct slv_silences *);

#endif
