/* format.h - what a format driver is: one constant of this type.
 *
 * The driver knows what a unit (a block, a record, a packet) looks like; the
 * core walks, resynchronises, keeps the accounts and writes.  All functions get
 * the scan, with a `state` that the core has zeroed and a `window` to read
 * through.  They return SLV_OK whatever the log looks like; another status
 * means that salvor itself could not work.
 *
 * Members that every driver has come first in struct slv_format.  Those that
 * only some formats have follow: functions and small structs
 * (core/format/capability.h) that are NULL elsewhere.
 */
#ifndef SLV_CORE_FORMAT_H
#define SLV_CORE_FORMAT_H

#include "core/catalog/catalog.h"
#include "core/findings/problem.h"
#include "core/format/capability.h"
#include "core/format/facts.h"
#include "io/read/window.h"

struct slv_cache_kind;
struct slv_channel_info;
struct slv_fill;
struct slv_gap_list;
struct slv_layout;
struct slv_plan;
struct slv_records;
struct slv_scan;
struct slv_setting_row;
struct slv_strays;
struct slv_writing;

#define SLV_KINDS_MAX 24 /* kinds of units a driver may have */

/* What starts at an offset. */
enum slv_verdict {
	SLV_UNIT_GOOD,  /* whole and valid */
	SLV_UNIT_SHORT, /* runs past the end of the file */
	SLV_UNIT_BAD,   /* no unit */
};

/* Why a driver is asked, and what it may assume. */
enum slv_asking {
	SLV_ASK_NEXT,     /* the place follows from what was read */
	SLV_ASK_SEARCH,   /* the place is a guess: be strict */
	SLV_ASK_STRANGER, /* would it be a unit of any such log? */
};

/* Which part of a log a unit belongs to. */
enum slv_part {
	SLV_PART_DATA,  /* recorded: data and what explains them */
	SLV_PART_INDEX, /* derived: can be rebuilt from the rest */
	SLV_PART_FRAME, /* constant, such as a magic; not a block */
	SLV_PART_PACK,  /* recorded, but not one block: the driver counts its
			 * content itself, in units_kept and the gaps */
};

struct slv_unit {
	enum slv_verdict verdict;
	enum slv_fate fate; /* of a good unit: KEPT, or dropped as FILLER ...;
			     * LOST: the place is known; in a PACK the number of
			     * units is unknown */
	enum slv_part part;
	uint64_t len;       /* header included; of a bad unit as far as it is
			     * credible, 0 = unknown */
	unsigned tag;       /* kind of unit: a row of the driver's kinds */
	unsigned problem;   /* the driver's row; its count = none */
	uint64_t want, got; /* the row's numbers */
	bool ends;          /* the log ends after this unit */
	bool sure;          /* its own checksum confirms it: no other unit need
			     * follow in a search */
	bool whole_log;     /* a FOREIGN unit is a whole log, as far as its
			     * units connect */
	bool has_channel;
	uint32_t channel;
	struct slv_moment time;
	bool weak;        /* set by vouch(), for accept(): the confirmation is
			   * itself in doubt */
	bool unsure;      /* set by the scan: vouch() did not confirm it */
	uint64_t priv[8]; /* passed from the driver's unit() to its accept() */
};

/* Units in a row that were accepted. */
struct slv_run {
	unsigned tag; /* common to all of them */
	uint64_t n;   /* 0: the driver has counted them itself */
	uint64_t end; /* end of the last one */
};

/* What the bytes after a unit say about it.  If padding follows a partially
 * written unit, it completes the unit to its stated size.  So "it parses" is
 * not enough: something must confirm its end. */
enum slv_vouch { SLV_VOUCHED, SLV_UNSURE, SLV_SUSPECT };

/* What a repair needs from the user, because neither this log nor another one
 * states it any more.  Static. */
struct slv_wanted {
	const char *option;  /* option that supplies it: "--name TEXT" */
	const char *verdict; /* replaces "DAMAGED, not repairable" */
	const char *advice;  /* a sentence: what is there, what to do */
	const char *note;    /* after the command: what TEXT is */
};

/* The functions of a driver, which struct slv_format explains.  A driver declares its
 * own by these types: `slv_unit_fn bddf_unit;`. */
typedef enum slv_status slv_begin_fn(
    struct slv_scan *, unsigned *bid, struct slv_err *);
typedef enum slv_status slv_unit_fn(const struct slv_scan *, uint64_t off,
    enum slv_asking, struct slv_unit *, struct slv_err *);
typedef enum slv_status slv_vouch_fn(const struct slv_scan *, uint64_t off,
    struct slv_unit *, enum slv_vouch *, struct slv_err *);
typedef enum slv_status slv_accept_fn(
    struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);
typedef enum slv_status slv_next_mark_fn(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);
typedef enum slv_status slv_finish_fn(struct slv_scan *, struct slv_err *);
typedef enum slv_status slv_plan_fn(
    struct slv_scan *, struct slv_plan *, bool *possible, struct slv_err *);
typedef enum slv_status slv_describe_fn(
    struct slv_scan *, struct slv_facts *, struct slv_err *);
typedef const char *slv_channel_name_fn(struct slv_scan *, uint32_t channel);
typedef void slv_release_fn(void *state);
typedef enum slv_status slv_glance_fn(
    struct slv_scan *, bool *yes, struct slv_err *);
typedef enum slv_status slv_inherit_fn(
    struct slv_scan *, uint64_t upto, uint64_t *end, struct slv_err *);
typedef enum slv_status slv_leave_fn(
    struct slv_scan *, uint64_t off, const struct slv_unit *, struct slv_err *);
typedef enum slv_status slv_run_fn(struct slv_scan *, uint64_t off,
    uint64_t upto, struct slv_run *, struct slv_err *);
typedef enum slv_status slv_next_log_fn(struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);
typedef enum slv_status slv_carried_fn(struct slv_scan *, uint64_t lost,
    const struct slv_unit *, uint64_t mark, uint64_t *skip, struct slv_err *);
typedef enum slv_status slv_holds_fn(const struct slv_scan *, uint64_t log,
    uint64_t end, bool *yes, struct slv_err *);
typedef enum slv_status slv_strays_fn(
    struct slv_scan *, struct slv_strays *, struct slv_err *);
typedef enum slv_status slv_missing_fn(
    struct slv_scan *, struct slv_gap_list *, struct slv_err *);
typedef enum slv_status slv_layout_fn(const struct slv_channel_info *,
    struct slv_layout *, bool *known, struct slv_err *);
typedef enum slv_status slv_fill_fn(struct slv_scan *, struct slv_scan *donor,
    struct slv_fill *, struct slv_err *);

struct slv_format {
	const char *name;   /* "bddf" */
	const char *title;  /* "BDDF" */
	const char *suffix; /* of file names: ".bddf" */
	struct slv_terms terms;
	const struct slv_problem_info *problems;
	size_t n_problems;

	/* What users call units, by tag; row 0 is for bytes that are not a unit
	 * yet.  Several tags may share one word: drivers distinguish by tag,
	 * users by word. */
	const char *const *kinds;
	size_t n_kinds; /* SLV_KINDS_MAX at most */

	size_t state_size;
	const struct slv_cache_kind *cached;    /* kinds of cached values; NULL:
					      * none */
	const struct slv_setting_row *settings; /* NULL: none */

	/* The first magic_size bytes of a log.  A driver that finds its magic
	 * is asked first; if it is certain, no other driver is asked. */
	const char *magic;
	size_t magic_size;

	unsigned chain; /* good units in a row that confirm a guess */
	bool based;     /* it can begin after other bytes, at the scan's base */
	bool counted;   /* each data unit has a number, so that a missing one
		       * shows */
	bool skims;     /* with the scan's ->opt.skim, run() accepts units by
		       * their heads and indexes, without their content, and
		       * counts them as `skimmed`; inherit() knows them */
	bool takes;     /* finish() takes lost declarations from the scan's
		       * ->opt.donor, if there is one */

	/* The recorder splits a recording into files with names that end in a
	 * dot and so many digits; 0: it does not. */
	unsigned numbered;

	/* Examine the log as a whole: how many bits of it match this format?
	 * The highest bid wins; 0 = not this format.  Learns the dialect into
	 * the state.  Sets the scan's `base` if other bytes precede the log. */
	slv_begin_fn *begin;

	/* What starts at off?  The answer depends on the input and on what was
	 * accepted, and never on an earlier question: it is also asked about
	 * guesses, in any order.  Expensive results go into the cache. */
	slv_unit_fn *unit;

	/* What do the bytes after this good unit at off say?  Sets the unit's
	 * problem unless VOUCHED. */
	slv_vouch_fn *vouch;

	/* The unit at off belongs to the log: remember what it says.  May
	 * change its fate and set its problem. */
	slv_accept_fn *accept;

	/* The first place in [from, to) that may be the start of a unit; to if
	 * there is none. */
	slv_next_mark_fn *next_mark;

	/* Everything is read: compare the parts with each other. */
	slv_finish_fn *finish;

	/* The repaired log as segments.  *possible = false if there is none,
	 * with a problem of remedy REFUSE or RESEAL raised, or with the scan's
	 * `wanted` set. */
	slv_plan_fn *plan;

	/* What the log says about itself. */
	slv_describe_fn *describe;

	/* The name of a channel, for listings, or NULL; borrowed until the
	 * state is released. */
	slv_channel_name_fn *channel_name;

	/* Free what the state points to. */
	slv_release_fn *release;

	/*
	 * Optional.  NULL: the format does not have it.
	 */

	const struct slv_ends *ends;         /* it states where it ends */
	const struct slv_patches *patches;   /* it stores data in two places */
	const struct slv_digests *digests;   /* it may hold a digest of all
					      * bytes */
	const struct slv_packs *packs;       /* units may hold others */
	const struct slv_noting *noting;     /* it has a place for notes */
	const struct slv_leavings *leavings; /* other tools change logs */
	const struct slv_records *records;   /* a reader can have its
					      * records */
	const struct slv_cutting *cutting;   /* some of its records can be
					        * taken out */
	const struct slv_exporting *exporting; /* its records need to be
					        * described elsewhere */
	const struct slv_writing *writing;     /* records of other formats can
					      * be written in it */

	/* How are the payloads of the channel laid out?  The layout is empty at
	 * first; *known = false: free it, and take them as bytes.  NULL: it is
	 * never known. */
	slv_layout_fn *layout;

	/* Learn what both ends and the index say, for describe(), and read
	 * nothing else.  *yes = false if they do not agree; the scan then
	 * starts over.  NULL: the format has no such shortcut. */
	slv_glance_fn *glance;

	/* In a proof: the first `upto` bytes of the output are bytes of the
	 * input.  Learn from the first scan what a walk over them would find,
	 * or over [0, *end) of them: only good units.  *end = 0: walk.  NULL:
	 * always walk. */
	slv_inherit_fn *inherit;

	/* The unit at off, which is broken or doubtful, is left out, and the
	 * log continues after it or ends: remember what it says.  NULL: it
	 * teaches nothing. */
	slv_leave_fn *leave;

	/* Accept data units from off on, and note them in the scan's gaps, as
	 * long as one quick test shows what unit(), vouch() and accept() would
	 * say: good, kept, no problem.  Units that begin at or after `upto` are
	 * left for the next call.  So is every unit that needs more tests, and
	 * every corrected one (slv_mends_ahead).  Called while everything is
	 * good and there is no listener.  NULL: always test fully. */
	slv_run_fn *run;

	/* The first place in [from, to) where a log may begin; `to` if there is
	 * none.  Of the scan only the source and the window may be used: its state
	 * has not been made.  NULL: search for the magic. */
	slv_next_log_fn *next_log;

	/* The log was lost at `lost`, where this unit was left out, and seems
	 * to continue at `mark`: is that inside a payload?  Called for one gap
	 * after the other, so it may remember.
	 *
	 *   *skip  where to search next; mark: the log continues there
	 *
	 * NULL: payloads of this format carry no logs. */
	slv_carried_fn *carried;

	/* Another log is in [log, end): is that the payload of a unit of this log,
	 * with its head just before it?  Neither that unit nor any other need
	 * be whole.  NULL: payloads of this format carry no logs, or nothing
	 * shows where they begin. */
	slv_holds_fn *holds;

	/* Which whole units are in a place that contradicts the rest of the
	 * log?  Each proposal would make everything agree.  NULL: nothing in
	 * the format says where units were recorded. */
	slv_strays_fn *strays;

	/* State for each listed gap what was in it (slv_gap_told), if the log
	 * says so elsewhere, and what else it says was there (slv_gap_absent).
	 * NULL: it never does. */
	slv_missing_fn *missing;

	/* Put blocks of another log of this format into the gaps of this log.  This
	 * log must be sound.  NULL: not supported. */
	slv_fill_fn *fill;
};

#endif
