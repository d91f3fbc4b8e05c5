/* reading_ways.h - how readings are made; a part of job/readings/reading.c. */
#ifndef SLV_JOB_READING_WAYS_H
#define SLV_JOB_READING_WAYS_H

#include "core/readings/begun.h"
#include "core/readings/exchange.h"
#include "core/readings/stray.h"
#include "core/seams/seam.h"
#include "job/readings/gain.h"

#define SLV_COPIES 8 /* copies in a file, at most; each is scanned */
#define SLV_TURNS  3 /* starts of a log that its end may precede; scanned, too */

/* What a scan without the duplicate range at a seam showed. */
enum slv_seam_try {
	SLV_SEAM_UNTRIED,
	SLV_SEAM_WRONG,
	SLV_SEAM_FITS, /* by its structure */
	SLV_SEAM_PROVEN
};

/* The state of the search; the audit has the best reading so far. */
struct slv_way_input {
	struct slv_audit *audit;
	const struct slv_audit_options *opt;
	struct slv_begun begun; /* beginnings in that reading, if `sought` */
	bool sought;
	struct slv_seams seams;  /* seams in that reading */
	struct slv_seams picked; /* a choice of these, one per damage; in
				  * order */
	enum slv_seam_try tries[SLV_SEAMS]; /* of `seams` */
	uint64_t front;            /* start of the log, by slv_way_front */
	uint64_t kept_upto;        /* end of the last unit that is kept without
			        * it */
	bool timed[SLV_SEAMS];     /* which of `picked` repeat a record */
	uint64_t turns[SLV_TURNS]; /* starts, by slv_way_turned */
	size_t n_turns;
	uint64_t seam; /* where the end of the log was put, */
	bool spanned;  /* whether a unit is on both sides of that, */
	struct slv_moment until, from; /* and the times of those around it */
	bool mixed; /* that reading takes a beginning of the log for part of a
		     * unit */
	bool unplaced;   /* some units of the joined copies have no place */
	bool other_log;  /* the proposal is another log than that reading's:
			  * gains do not compare */
	unsigned taken;  /* how many readings were better so far */
	unsigned hunted; /* 1 + taken: that reading was searched for other logs,
			  * and has none */
	struct slv_exchange fits[SLV_EXCHANGES]; /* the likeliest first */
	bool alone[SLV_EXCHANGES]; /* no other exchange fits as well */
	size_t n_fits;
	struct slv_exchange tried[SLV_EXCHANGES]; /* a choice of these, at
						   * once */
	size_t n_tried;
	bool settled;             /* all of these are alone */
	struct slv_strays strays; /* which unit is surplus is not certain */
	bool sealed;              /* the log has a digest */
	bool spoilt; /* the driver may remember bytes of another reading */
};

/* What the best reading is like when a way is tried. */
enum slv_way_for {
	SLV_FOR_LOSS, /* something that was recorded is left out or missing */
	SLV_FOR_TEAR, /* or only what is rebuilt shows that something may be */
	SLV_FOR_ALL   /* it is not sound */
};

struct slv_reading_way {
	const char *name;

	/* Set the pieces of a view, which is empty, to the i-th proposal, with
	 * the reasons.  For i = 0 the audit's scan is of the best reading.
	 * *any = false: there is no further proposal. */
	enum slv_status (*make)(struct slv_way_input *, unsigned i,
	    struct slv_view *, bool *any, struct slv_err *);

	enum slv_way_for use;

	/* Return true if the proposal holds; the audit has it, scanned.  NULL:
	 * it is enough that it is better. */
	bool (*holds)(struct slv_way_input *);

	/* Called for each unit during the scan; the context is a struct
	 * slv_way_input.  NULL: not called. */
	slv_block_fn hear;
};

/* reading_turned.c - no log begins at the start of the reading, and what is there
 * continues a log that begins later.  Holds if a unit spans both pieces, nothing is
 * wrong any more, and the end of the log or the times show that both are of one
 * recording. */
enum slv_status slv_way_turned(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_turned_holds(struct slv_way_input *);
bool slv_way_turned_hear(void *, const struct slv_block *);

/* No log begins at the start of the reading, but one does before everything
 * that is kept, and no unit precedes it.  Holds if everything is kept that was:
 * a log inside a payload has a beginning too. */
enum slv_status slv_way_front(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_front_holds(struct slv_way_input *);

/* The log begins several times, and everything before its last beginning is
 * repeated after it. */
enum slv_status slv_way_last_beginning(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* Without duplicate ranges that a copy resumed at the wrong offset left.  Holds
 * if nothing is left out around the range any more, and if a digest, an index,
 * a checksum or a whole repeated record proves it: a hole can look the same if
 * records differ in few bytes. */
enum slv_status slv_way_seams(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* The same, but a copy of a range may be damaged: the other one is taken there. */
enum slv_status slv_way_torn_seams(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* Without duplicate ranges of whole records, in a log that has more records than it states:
 * no damage shows where they are. */
enum slv_status slv_way_hidden_seam(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

bool slv_way_seams_hold(struct slv_way_input *);
bool slv_way_seams_hear(void *, const struct slv_block *);

/* reading_whole.c - the log begins several times.  One of these copies is
 * whole, and the others have nothing that it lacks. */
enum slv_status slv_way_whole_copy(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_whole_copy_holds(struct slv_way_input *);

/* reading_copies.c - the log begins several times, and each copy has what
 * others lack.  Holds if every unit has its place, or if no other unit is
 * missing. */
enum slv_status slv_way_copies(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_copies_hold(struct slv_way_input *);

/* reading_exchange.c - pieces that changed places are put back.  Holds if
 * nothing is left out around them any more, and if the digest proves it, or if units
 * connect at all their ends, which no other exchange achieves. */
enum slv_status slv_way_exchange(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_exchange_holds(struct slv_way_input *);

/* reading_strays.c - units in the wrong place are left out, or put back.  Holds
 * if nothing is wrong with the records then. */
enum slv_status slv_way_strays(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_strays_hold(struct slv_way_input *);

/* Find where the log begins, unless that is known for the best reading. */
enum slv_status slv_way_seek(struct slv_way_input *, struct slv_err *);
/* within.c - other recordings are in the file: the main log alone.  The main
 * log is the one at the start of the file.  If none is there, or if none of its
 * records is left, it is the one that the file's name suggests, else the one
 * with most left.
 *
 * The first function considers logs of other formats, and logs before the main
 * one.  A log of the same format after it may be a copy of it. */
enum slv_status slv_way_no_strangers(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
enum slv_status slv_way_alone(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* Return true if the present reading keeps bytes across a later beginning. */
bool slv_way_mixes(const struct slv_scan *, const struct slv_begun *);

#endif
