/* format.h - what a format driver is: one constant of this type.
 *
 * The driver knows what a unit (a block, a record, a packet) looks like; the
 * core walks, resynchronises, keeps the books and writes.  All functions get
 * the scan, whose `state` the core has zeroed and whose `window` they read
 * through.  They return SLV_OK whatever the log looks like; another status
 * means that *we* could not work.
 *
 * What every driver has comes first in struct slv_format.  What only some formats
 * have follows: functions and small structs (core/format/capability.h) that are NULL
 * elsewhere.
 */
#ifndef SLV_CORE_FORMAT_H
#define SLV_CORE_FORMAT_H

#include "core/catalog/catalog.h"
#include "core/findings/problem.h"
#include "core/format/capability.h"
#include "core/format/facts.h"
#include "io/read/window.h"

struct slv_cache_kind;
struct slv_fill;
struct slv_gap_list;
struct slv_plan;
struct slv_scan;
struct slv_setting_row;
struct slv_strays;

#define SLV_KINDS_MAX 16 /* kinds of units a driver may have */

/* What starts at an offset. */
enum slv_verdict {
	SLV_UNIT_GOOD,  /* whole and valid */
	SLV_UNIT_SHORT, /* runs past the end of the file */
	SLV_UNIT_BAD,   /* no unit */
};

/* Why a driver is asked: how much it may take for granted. */
enum slv_asking {
	SLV_ASK_NEXT,     /* the place follows from what was read */
	SLV_ASK_SEARCH,   /* the place is a guess: be strict */
	SLV_ASK_STRANGER, /* would it be a unit of any such log? */
};

/* Which part of a log a unit belongs to. */
enum slv_part {
	SLV_PART_DATA,  /* recorded: data and what explains them */
	SLV_PART_INDEX, /* derived: can be made anew from the rest */
	SLV_PART_FRAME, /* constant, such as a magic; no block of its own */
	SLV_PART_PACK,  /* recorded, but not one block: those in it, if any, the
	                 * driver counts itself, in units_kept and the gaps */
};

struct slv_unit {
	enum slv_verdict verdict;
	enum slv_fate fate; /* of a good one: KEPT, or dropped as FILLER ...;
	                     * LOST: its place is known; of a PACK it is not
	                     * known how many units it held */
	enum slv_part part;
	uint64_t len;       /* header included; of a bad one as far as it can be
	               * believed, 0 = not at all */
	unsigned tag;       /* what it is: a row of the driver's kinds */
	unsigned problem;   /* the driver's row; its count = none */
	uint64_t want, got; /* the row's numbers */
	bool ends;          /* the log ends behind this unit */
	bool sure;          /* a checksum of its own confirms it: no other unit
	                     * need follow where one is searched for */
	bool whole_log;     /* a FOREIGN one is all of a log, as far as its
	                     * units hang together */
	bool has_channel;
	uint32_t channel;
	struct slv_moment time;
	bool weak;        /* set by vouch(), for accept(): what confirms it is
	                   * in doubt itself */
	bool unsure;      /* set by the scan: vouch() did not confirm it */
	uint64_t priv[8]; /* from the driver's unit() to its accept() */
};

/* Units in a row that were accepted. */
struct slv_run {
	unsigned tag; /* of all of them */
	uint64_t n;
	uint64_t end; /* where the last one ends */
};

/* What the bytes behind a unit say about it.  Where filler follows a torn
 * unit it completes the unit to its stated size, so "it parses" is not
 * enough: something must vouch for its end. */
enum slv_vouch { SLV_VOUCHED, SLV_UNSURE, SLV_SUSPECT };

/* What a repair needs to be told, as the log does not say it any more and no
 * other log does.  Static. */
struct slv_wanted {
	const char *option;  /* that tells it, and what for: "--name TEXT" */
	const char *verdict; /* in place of "DAMAGED, not repairable" */
	const char *advice;  /* a sentence: what is there, what to do */
	const char *note;    /* behind the command: what TEXT is */
};

struct slv_format {
	const char *name;   /* "bddf" */
	const char *title;  /* "BDDF" */
	const char *suffix; /* of the names of files: ".bddf" */
	struct slv_terms terms;
	const struct slv_problem_info *problems;
	size_t n_problems;

	/* What users call units, by tag; row 0 is for bytes that are no unit
	 * yet.  Several tags may have one word: a driver tells units apart by
	 * the tag, users need no more than the word. */
	const char *const *kinds;
	size_t n_kinds; /* SLV_KINDS_MAX at most */

	size_t state_size;
	const struct slv_cache_kind *cached; /* what it caches; NULL: nothing */
	const struct slv_setting_row *settings; /* NULL: none */

	/* What a log begins with, magic_size bytes: whoever finds his own there
	 * is asked first, and if he is sure, no other is. */
	const char *magic;
	size_t magic_size;

	unsigned chain; /* good units in a row that confirm a guess */
	bool based;     /* it can begin after other bytes, at the scan's base */
	bool counted; /* each unit of data says its number, so that none can be
	                 * missing between two without showing */
	bool takes;   /* finish() takes what explains the data and is lost
	                 * from the scan's ->opt.donor, where there is one */

	/* The recorder cuts a recording into files, and a dot and so many digits
	 * end their names; 0: it does not. */
	unsigned numbered;

	/* Look at the log as a whole: how many bits of it are as this format
	 * has them?  The highest bid wins; 0 = not mine.  Learns the dialect
	 * into the state.  Sets the scan's `base` where other bytes precede the
	 * log. */
	enum slv_status (*begin)(
	    struct slv_scan *, unsigned *bid, struct slv_err *);

	/* What starts at off?  The answer depends on the input and on what was
	 * accepted, and on no question before: it is asked about guesses, too,
	 * in any order.  What costs much to work out goes into the cache. */
	enum slv_status (*unit)(const struct slv_scan *, uint64_t off,
	    enum slv_asking, struct slv_unit *, struct slv_err *);

	/* What do the bytes after this good unit at off say?  Sets the
	 * unit's problem unless VOUCHED. */
	enum slv_status (*vouch)(const struct slv_scan *, uint64_t off,
	    struct slv_unit *, enum slv_vouch *, struct slv_err *);

	/* The unit at off belongs to the log: remember what it says.  May
	 * change its fate and set its problem. */
	enum slv_status (*accept)(struct slv_scan *, uint64_t off,
	    struct slv_unit *, struct slv_err *);

	/* The first place in [from, to) that may be the start of a unit; to
	 * when there is none. */
	enum slv_status (*next_mark)(const struct slv_scan *, uint64_t from,
	    uint64_t to, uint64_t *out, struct slv_err *);

	/* All is read: compare the parts with each other. */
	enum slv_status (*finish)(struct slv_scan *, struct slv_err *);

	/* The repaired log as segments.  *possible = false, with a problem of
	 * remedy REFUSE or RESEAL raised or the scan's `wanted` set, where
	 * there is none. */
	enum slv_status (*plan)(struct slv_scan *, struct slv_plan *,
	    bool *possible, struct slv_err *);

	/* What the log says about itself. */
	enum slv_status (*describe)(
	    struct slv_scan *, struct slv_facts *, struct slv_err *);

	/* The name of a channel, for listings, or NULL; borrowed until the
	 * state is released. */
	const char *(*channel_name)(struct slv_scan *, uint32_t channel);

	/* Free what the state points to. */
	void (*release)(void *state);

	/*
	 * What only some formats have.  NULL: this one has not.
	 */

	const struct slv_ends *ends;         /* it says where it ends */
	const struct slv_patches *patches;   /* it says things twice */
	const struct slv_digests *digests;   /* it may hold one of all bytes */
	const struct slv_packs *packs;       /* units may hold others */
	const struct slv_noting *noting;     /* it has a place for notes */
	const struct slv_leavings *leavings; /* other tools change logs */

	/* Learn what both ends and the index say, for describe(), reading
	 * nothing else.  *yes = false where they do not fit together; the
	 * scan then begins anew.  NULL: the format has no such shortcut. */
	enum slv_status (*glance)(
	    struct slv_scan *, bool *yes, struct slv_err *);

	/* In a proof: the first `upto` bytes of the output are those of the
	 * input.  Learn from the first scan what a walk over them, or over as
	 * many of them as goes into *end, would find: only good units.  *end =
	 * 0: walk.  NULL: always walk. */
	enum slv_status (*inherit)(
	    struct slv_scan *, uint64_t upto, uint64_t *end, struct slv_err *);

	/* The unit at off, which is broken or not to be trusted, is left out, and
	 * the log goes on after it or does not: remember what it says.  NULL:
	 * nothing is to be learnt from it. */
	enum slv_status (*leave)(struct slv_scan *, uint64_t off,
	    const struct slv_unit *, struct slv_err *);

	/* Accept units of data from off on, and note them in the scan's gaps,
	 * as long as one look shows what unit(), vouch() and accept() would
	 * say of each: good, kept, no problem.  Those that begin at or behind
	 * `upto` are left for the next call, and so is any that needs a closer
	 * look, what is mended (slv_mends_ahead) in any case.  Asked where all
	 * is well so far and nobody listens.  NULL: always look closely. */
	enum slv_status (*run)(struct slv_scan *, uint64_t off, uint64_t upto,
	    struct slv_run *, struct slv_err *);

	/* The first place in [from, to) where a log may begin; to when there is
	 * none.  The scan has a source and a window, and no state.  NULL: the
	 * magic is enough to go by. */
	enum slv_status (*next_log)(struct slv_scan *, uint64_t from,
	    uint64_t to, uint64_t *out, struct slv_err *);

	/* The log was lost at `lost`, where this unit was left out, and seems
	 * to go on at `mark`: is that inside a payload?  Asked about one gap after
	 * the other, so that it may remember.
	 *
	 *   *skip  where to look on; mark: it is the log that goes on
	 *
	 * NULL: payloads of this format carry none. */
	enum slv_status (*carried)(struct slv_scan *, uint64_t lost,
	    const struct slv_unit *, uint64_t mark, uint64_t *skip,
	    struct slv_err *);

	/* Which whole units are in a place where nothing else in the log has
	 * them?  Each proposal would make everything agree.  NULL: nothing says
	 * where units were recorded. */
	enum slv_status (*strays)(
	    struct slv_scan *, struct slv_strays *, struct slv_err *);

	/* Tell of each listed gap what was in it (slv_gap_told), where the log
	 * itself says so elsewhere, and of what else it says was there
	 * (slv_gap_absent).  NULL: it never does. */
	enum slv_status (*missing)(
	    struct slv_scan *, struct slv_gap_list *, struct slv_err *);

	/* Lay blocks of another log of this format into gaps of this one, which
	 * is sound.  NULL: the format cannot. */
	enum slv_status (*fill)(struct slv_scan *, struct slv_scan *donor,
	    struct slv_fill *, struct slv_err *);
};

#endif
