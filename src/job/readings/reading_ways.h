/* reading_ways.h - how readings are made; a part of job/readings/reading.c. */
#ifndef SLV_JOB_READING_WAYS_H
#define SLV_JOB_READING_WAYS_H

#include "core/readings/begun.h"
#include "core/readings/exchange.h"
#include "core/readings/seam.h"
#include "job/readings/gain.h"

#define SLV_COPIES 8 /* of the log in a file, at most; each is scanned */

/* What ways go by: the audit has the best reading so far. */
struct slv_way_input {
	struct slv_audit *audit;
	const struct slv_audit_options *opt;
	struct slv_begun begun; /* of that reading, once it was sought */
	bool sought;
	struct slv_seams seams;  /* of that reading */
	struct slv_seams picked; /* of them, one about a place; in order */
	bool held[SLV_SEAMS];    /* which of the first ones hold */
	uint64_t front;          /* where the log begins, says slv_way_front */
	uint64_t kept_upto;    /* where the last unit ends that is kept without
	                     * that */
	bool timed[SLV_SEAMS]; /* which of the second ones repeat a record */
	bool mixed; /* that reading takes a beginning of the log for a part
	                * of a unit */
	bool
	    unplaced; /* of the copies laid together some units found no place */
	bool other_log;  /* what is proposed is another log than that reading
	                 * is of: their gains cannot be compared */
	unsigned taken;  /* how many readings were better so far */
	unsigned hunted; /* 1 + taken: that reading was searched for other
	                  * logs, and there are none */
	struct slv_exchange fits[SLV_EXCHANGES]; /* the likeliest first */
	bool alone[SLV_EXCHANGES]; /* no others fit as well as this one */
	size_t n_fits;
	struct slv_exchange tried[SLV_EXCHANGES]; /* of them, at once */
	size_t n_tried;
	bool settled; /* all of those are alone */
	bool sealed;  /* the log has a digest */
	bool spoilt;  /* the driver may remember other bytes than those of the
	               * best reading */
};

struct slv_reading_way {
	const char *name;

	/* Let the pieces of a view, which is empty, be the i-th one that is
	 * proposed, with why; for i = 0 the audit's scan is of the best reading.
	 * *any = false: there is none. */
	enum slv_status (*make)(struct slv_way_input *, unsigned i,
	    struct slv_view *, bool *any, struct slv_err *);

	/* Tried wherever the best reading is not sound, also where it leaves
	 * out nothing that was recorded. */
	bool junk_too;

	/* Whether it is what it was proposed as; the audit has it, scanned.
	 * NULL: that it is better says so. */
	bool (*holds)(struct slv_way_input *);

	/* Hears of each unit while it is scanned; the context is a struct
	 * slv_way_input.  NULL: none. */
	slv_block_fn hear;
};

/* No log begins at the start of the reading, but one does before all that is kept,
 * and no unit is before that.
 * It holds where all is kept that was: what a payload carries has a beginning,
 * too. */
enum slv_status slv_way_front(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_front_holds(struct slv_way_input *);

/* The log begins several times, and all that precedes its last beginning is in
 * what follows that. */
enum slv_status slv_way_last_beginning(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* Without duplicate ranges that a copy resumed at the wrong offset left.  It holds
 * where nothing is left out around the range any more, and a digest, an index, a
 * checksum or a whole repeated record proves it: a hole can look the same where
 * records differ in few bytes. */
enum slv_status slv_way_seams(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_seams_hold(struct slv_way_input *);
bool slv_way_seams_hear(void *, const struct slv_block *);

/* reading_whole.c - the log begins several times, and one of these copies is whole and
 * the others have nothing that it lacks. */
enum slv_status slv_way_whole_copy(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_whole_copy_holds(struct slv_way_input *);

/* reading_copies.c - the log begins several times, and each beginning has what
 * others lack.  It holds where every unit has its place, or no other is missing. */
enum slv_status slv_way_copies(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_copies_hold(struct slv_way_input *);

/* reading_exchange.c - pieces that changed places are exchanged back.  It holds
 * where nothing is left out around them any more and the digest proves it, or units
 * fit through all places as with no other exchange. */
enum slv_status slv_way_exchange(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_exchange_holds(struct slv_way_input *);

/* reading_strays.c - units that are in the wrong place left out, or put back.  It
 * holds where nothing is wrong with the records then. */
enum slv_status slv_way_strays(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
bool slv_way_strays_hold(struct slv_way_input *);

/* See where the log begins, unless that is known of the best reading. */
enum slv_status slv_way_seek(struct slv_way_input *, struct slv_err *);
/* within.c - other recordings are in the file: the main log alone.  That is the one
 * at the start of the file; where none is there, or not one record of it is left,
 * the one that the file's name speaks for, else the one of which most is left.
 *
 * The first one looks for those of other formats and those before the log only, as
 * what follows it and is of its format may be a copy of it. */
enum slv_status slv_way_no_strangers(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);
enum slv_status slv_way_alone(struct slv_way_input *, unsigned i,
    struct slv_view *, bool *any, struct slv_err *);

/* Whether the present reading keeps bytes across a later beginning. */
bool slv_way_mixes(const struct slv_scan *, const struct slv_begun *);

#endif
