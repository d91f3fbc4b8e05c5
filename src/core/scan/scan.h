/* scan.h - walk a source once and write down what every byte is.
 *
 * detect -> walk (unit, vouch, accept; resync after damage) -> finish.
 * Afterwards `catalog` tiles the source, `problems` holds the findings and
 * the driver's `state` what a plan needs.
 *
 * A scan of a plan's source (core/plan/plan.h) proves a repair: it is given the
 * first scan as `reference`, and the driver compares with it instead of
 * storing anything.
 */
#ifndef SLV_CORE_SCAN_H
#define SLV_CORE_SCAN_H

#include "core/catalog/gaps.h"
#include "core/digest/hasher.h"
#include "core/digest/seal.h"
#include "core/format/format.h"
#include "core/format/setting.h"
#include "core/plan/patch.h"
#include "core/scan/cache.h"
#include "core/scan/stranger.h"

enum slv_end {
	SLV_END_UNKNOWN, /* no footer: where recording ended is not known */
	SLV_END_KNOWN,   /* a footer stands there */
	SLV_END_PROVEN,  /* and the digest in it confirms everything */
};

#define SLV_TIME_WINDOW 86400 /* seconds that time may leap without doubt */

/* How many units of one kind there are. */
struct slv_kind_count {
	const char *kind; /* the format's word; static */
	uint64_t kept, lost;
};

#define SLV_SIBLINGS_MAX 8 /* around a log that may explain it */

/* Another file of the recording, as far as its name tells. */
struct slv_sibling {
	struct slv_scan *scan; /* borrowed; NULL: it is not there, or none that
	                        * can be read */
	int step; /* -1: the one before the log, 2: the second one behind it */
};

/* Who has them, and opens what is asked for. */
struct slv_siblings {
	enum slv_status (*get)(void *ctx, const struct slv_format *, unsigned i,
	    struct slv_sibling *, struct slv_err *);
	void *ctx;
};

/* How strict a reading is, besides what it keeps. */
enum {
	SLV_READ_REMADE = 1,      /* make everything anew that can be derived */
	SLV_READ_UNCORRECTED = 2, /* keep no unit of which anything has to be
	                           * corrected */
	SLV_READ_ONE_LOG = 4, /* what contradicts the log is damage, not another
	                       * log */
};

struct slv_scan_options {
	struct slv_limits limits;           /* all set but max_decoded */
	unsigned keep;                      /* SLV_KEEP_* */
	uint64_t time_window;               /* seconds; 0: SLV_TIME_WINDOW */
	const struct slv_setting *settings; /* borrowed; for the driver; NULL:
	                                     * none were given */
	bool no_digest;                     /* read no payloads */
	unsigned reading;                   /* SLV_READ_* */
	bool glance; /* believe both ends and the index, if they agree */
	bool brief;  /* and do no more where they do not: not `glanced` */
	const struct slv_seal *known;     /* an earlier scan has computed it */
	const struct slv_mends *mends;    /* what a driver knows better; the
	                                * source has its patches already */
	const struct slv_hash_mark *from; /* the digest up to there is known */
	struct slv_scan *donor; /* borrowed; another log of the same robot and
	                         * format, or of another format; NULL: none */
	struct slv_siblings *siblings; /* borrowed; what else may explain it;
	                            * NULL: nothing */
	struct slv_tee *tee; /* borrowed; opened where the log was never
	                      * finished, so that a repair will be written;
	                      * NULL: none is wanted */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */
	slv_block_fn on_block;
	void *on_block_ctx;
	bool nameless; /* it asks for no names of channels */
};

struct slv_scan {
	struct slv_source *source; /* borrowed */
	struct slv_scan_options opt;
	const struct slv_scan *reference; /* the first scan, in a proof */
	const struct slv_plan *proving;   /* the plan, in a proof */

	const struct slv_format *format;     /* NULL: unrecognised */
	const struct slv_stranger *stranger; /* then: what it is, or NULL */
	unsigned bid;                        /* bits of evidence for it */
	void *state;                         /* owned; the driver's */
	/* What may change while unit() and vouch() are asked: no answer depends
	 * on it.  Owned, but for `along`. */
	struct slv_window *window; /* over the source */
	struct slv_cache *cache;
	struct slv_hasher *along; /* ours, to hash what is read anyway; NULL:
	                           * hash nothing now */

	struct slv_hasher hasher;
	struct slv_pages pages; /* of zeros, among what was hashed */
	struct slv_catalog catalog;
	struct slv_gaps gaps;
	struct slv_problems problems;
	struct slv_seal seal;
	enum slv_end end;
	bool supported;   /* the driver can plan a repair of this version */
	bool checksummed; /* checksums confirm all that is kept, piece by
	                   * piece */

	uint64_t taken;   /* declarations that are the donor's */
	uint64_t refused; /* that are lost, and the donor's may be others */
	uint64_t lent[SLV_SIBLINGS_MAX]; /* that are of another piece */
	bool wants_donor; /* declarations are lost, and there is none */
	const struct slv_wanted *wanted; /* nobody told it, and without it there
	                                  * is no plan; NULL: all is there */

	bool contested; /* `ours` would have made a difference */
	bool glanced;   /* only both ends and the index were read */

	/* Where the log begins, as its driver says in begin(); the bytes before
	 * are no part of it. */
	uint64_t base;

	/* Where the zeros that reach the end of the file begin: the file is
	 * judged as if it ended here. */
	uint64_t logical_end;
	struct slv_ranges holes; /* owned; never written, as far as known */

	uint64_t last_unit; /* of data, of those that are kept: where the last
	                     * one that was not taken in a run begins */
	uint64_t units_kept, units_lost; /* of the data part */
	uint64_t units_suspect;          /* of the lost ones: look whole */
	uint32_t lost_channel;           /* whose they are, unless ... */
	bool lost_mixed;       /* ... of several, or nobody can tell */
	bool lost_loose;       /* a lost stretch may have held more blocks */
	uint64_t units_unsure; /* of the kept ones: they may not be what was
	                        * recorded, and the log shows it */
	bool absent; /* some of them are not in the file at all, or not as
	              * bytes of their own */
	struct slv_kind_count kinds[SLV_KINDS_MAX]; /* as they appeared */
	size_t n_kinds;
};

/* The default ceilings put in for zeros; that of max_decoded depends on the
 * file. */
struct slv_limits slv_limits_fill(struct slv_limits);

/* Scan the source; s is overwritten and must be freed, also after a failure.
 *
 *   formats  the drivers to choose from, ending with NULL
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_LIMIT, SLV_E_CANCELLED: as everywhere
 * SLV_E_BUG: a driver broke its contract */
enum slv_status slv_scan_run(struct slv_scan *s, struct slv_source *,
    const struct slv_format *const *formats, const struct slv_scan_options *,
    struct slv_err *);

/* Scan a sealed plan, opened as a source, to prove it: every unit that the
 * first scan kept must be in it, and no other.  Payloads are not read, the
 * plan knows its digest.
 *
 * SLV_E_BUG: the plan does not hold what the first scan kept */
enum slv_status slv_scan_prove(struct slv_scan *s, struct slv_source *out,
    const struct slv_plan *, const struct slv_scan_options *,
    const struct slv_scan *first, struct slv_err *);

/* n more units of the data part are lost, of the channel; NULL: of several, or
 * nobody can tell. */
void slv_scan_lose(struct slv_scan *, uint64_t n, const uint32_t *channel);

/* Raise a row about [off, off + len). */
enum slv_status slv_scan_problem(struct slv_scan *,
    const struct slv_problem_info *, uint64_t off, uint64_t len, uint64_t want,
    uint64_t got, struct slv_err *);

/* The same for a row of the core's. */
enum slv_status slv_scan_core_problem(struct slv_scan *, enum slv_core_problem,
    uint64_t off, uint64_t len, struct slv_err *);

/* The digest of [0, off) of the source.  *known = false where unreadable bytes
 * stand in the way.  In a proof the plan says it, in a repeated scan the
 * earlier one; it is hashed again only where the walk has passed by it. */
enum slv_status slv_scan_digest(struct slv_scan *, uint64_t off, uint8_t *out,
    bool *known, struct slv_err *);

/* Judge a unit [off, end) by the zeros that reach the end of the file:
 * VOUCHED where none of them is in it.  See docs/formats/bddf.md, "Torn
 * blocks". */
enum slv_vouch slv_scan_zeros(
    const struct slv_scan *, uint64_t off, uint64_t end);

/* Whether its last unit says that it is the last. */
static inline bool
slv_scan_trails(const struct slv_scan *s)
{
	return s->format->ends != NULL && s->format->ends->trails;
}

/* Whether the log is whole: nothing found but notes. */
bool slv_scan_is_sound(const struct slv_scan *);

/* Let what is still to be read come from a source with the same bytes; returned
 * is the one it came from. */
struct slv_source *slv_scan_read_from(struct slv_scan *, struct slv_source *);

/* Keep the state of the digest up to where the output may no longer be the
 * input. */
enum slv_status slv_scan_mark(struct slv_scan *, struct slv_err *);

void slv_scan_free(struct slv_scan *);

#endif
