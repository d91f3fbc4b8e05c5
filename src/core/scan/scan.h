/* scan.h - walk a source once and record the fate of every byte.
 *
 * detect -> walk (unit, vouch, accept; resync after damage) -> finish.
 * Afterwards `catalog` tiles the source, `problems` holds the findings, and the
 * driver's `state` holds what a plan needs.
 *
 * A scan of a plan's source (core/plan/plan.h) proves a repair.  It is given
 * the first scan as `reference`, and the driver compares with it instead of
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
#include "options/limits.h"

enum slv_end {
	SLV_END_UNKNOWN, /* no footer: the end of the recording is unknown */
	SLV_END_KNOWN,   /* there is a footer */
	SLV_END_PROVEN,  /* and the digest in it confirms everything */
};

#define SLV_TIME_WINDOW 86400 /* seconds that time may jump without doubt */

/* How many units of one kind there are. */
struct slv_kind_count {
	const char *kind; /* the format's word; static */
	uint64_t kept, lost;
};

#define SLV_SIBLINGS_MAX 8 /* files around a log that may explain it */

/* Another file of the recording, by its name. */
struct slv_sibling {
	struct slv_scan *scan; /* borrowed; NULL: it does not exist or cannot be
			        * read */
	int step; /* -1: the one before the log, 2: the second one after it */
};

/* Opens the other files of the recording on request. */
struct slv_siblings {
	enum slv_status (*get)(void *ctx, const struct slv_format *, unsigned i,
	    struct slv_sibling *, struct slv_err *);
	void *ctx;
};

/* How strict a reading is, in addition to what it keeps. */
enum {
	SLV_READ_REMADE = 1,      /* rebuild everything that can be derived */
	SLV_READ_UNCORRECTED = 2, /* keep no unit that needs a correction */
	SLV_READ_ONE_LOG = 4,     /* contradictions in the log are damage, not
			       * another log */
};

struct slv_scan_options {
	struct slv_limits limits;           /* all set but max_decoded */
	unsigned keep;                      /* SLV_KEEP_* */
	uint64_t time_window;               /* seconds; 0: SLV_TIME_WINDOW */
	const struct slv_setting *settings; /* borrowed; for the driver; NULL:
	                                     * none were given */
	bool no_digest;                     /* read no payloads */
	unsigned reading;                   /* SLV_READ_* */
	bool glance; /* trust both ends and the index, if they agree */
	bool skim;   /* read no payloads that an index describes; nothing is
		      * hashed */
	bool brief;  /* and do nothing more if they do not: not `glanced` */
	const struct slv_seal *known;     /* an earlier scan has computed it */
	const struct slv_mends *mends;    /* corrections and exclusions; the
					   * source already has the patches */
	const struct slv_hash_mark *from; /* the digest up to there is known */
	struct slv_scan *donor; /* borrowed; another log of the same robot and
	                         * format, or of another format; NULL: none */
	struct slv_siblings *siblings; /* borrowed; other files that may explain
				        * the log; NULL: none */
	struct slv_tee *tee; /* borrowed; opened if the log was never finished,
			      * because a repair will be written; NULL: not
			      * wanted */
	bool
	    hashed; /* if the log was never finished, the digest of all its bytes
		      * will be needed */
	const volatile sig_atomic_t *cancel;
	struct slv_meter *meter; /* borrowed; NULL: none */
	slv_block_fn on_block;
	void *on_block_ctx;
	bool nameless; /* on_block needs no names of channels */
};

/* What was not read, because an index describes it. */
struct slv_skimmed {
	uint64_t bytes, units;
	uint64_t from,
	    upto;     /* the first of these bytes, and the end of the last */
	uint64_t end; /* ... with their index */
};

struct slv_scan {
	struct slv_source *source; /* borrowed */
	struct slv_scan_options opt;
	const struct slv_scan *reference; /* the first scan, in a proof */
	const struct slv_plan *proving;   /* the plan, in a proof */

	const struct slv_format *format;     /* NULL: unrecognised */
	const struct slv_stranger *stranger; /* set if there is no format: what
					      * the file is, or NULL */
	unsigned bid;                        /* bits of evidence for it */
	void *state;                         /* owned; the driver's */
	/* May change while unit() and vouch() are asked: no answer depends on
	 * these.  Owned, except `along`. */
	struct slv_window *window; /* over the source */
	struct slv_cache *cache;
	struct slv_hasher *along; /* ours, to hash bytes that are read anyway;
				   * NULL: hash nothing now */

	struct slv_hasher hasher;
	struct slv_pages pages; /* pages of zeros among what was hashed */
	struct slv_catalog catalog;
	struct slv_gaps gaps;
	struct slv_problems problems;
	struct slv_seal seal;
	enum slv_end end;
	bool supported;   /* the driver can plan a repair of this version */
	bool checksummed; /* checksums confirm everything kept, piece by
			   * piece */

	uint64_t taken;   /* declarations taken from the donor */
	uint64_t refused; /* lost declarations for which the donor's may be
			   * wrong */
	uint64_t lent[SLV_SIBLINGS_MAX]; /* declarations taken from each
					  * sibling */
	bool wants_donor; /* declarations are lost, and there is no donor */
	const struct slv_wanted *wanted; /* missing information without which
					  * there is no plan; NULL: complete */

	struct slv_skimmed skimmed; /* with ->opt.skim */
	bool inherited; /* the proof starts after what the first scan knows */
	bool contested; /* SLV_READ_ONE_LOG would have made a difference */
	bool glanced;   /* only both ends and the index were read */

	/* Start of the log, set by its driver in begin(); the bytes before it
	 * are not part of the log. */
	uint64_t base;

	/* Start of the zeros that reach the end of the file: the file is judged
	 * as if it ended here. */
	uint64_t logical_end;
	struct slv_ranges holes; /* owned; never written, by the file system's
				  * map */

	uint64_t last_unit; /* start of the last kept data unit that was not
			     * accepted in a run */
	uint64_t units_kept, units_lost; /* of the data part */
	bool keeps_others;               /* recorded things that are no units
					  * are kept, such as attachments */
	uint64_t units_suspect;          /* of the lost ones: those that look
					  * whole */
	uint32_t lost_channel;           /* channel of the lost ones, unless
					  * ... */
	bool lost_mixed;       /* ... they have several, or it is unknown */
	bool lost_loose;       /* a lost range may have held more blocks */
	uint64_t units_unsure; /* of the kept ones: the log shows that they may
			        * not be what was recorded */
	uint64_t own_upto;     /* up to here an index that its checksum confirms
			        * has units of this log in their places */
	bool absent; /* some of them are not in the file at all, or not as bytes
		      * of their own */
	bool surplus; /* the log counts fewer than are kept */
	struct slv_kind_count kinds[SLV_KINDS_MAX]; /* in order of appearance */
	size_t n_kinds;
};

/* Replace zeros by the default limits; that of max_decoded depends on the
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
 * first scan kept must be in it, and no other.  Payloads are not read, because
 * the plan knows its digest.
 *
 * SLV_E_BUG: the plan does not hold what the first scan kept */
enum slv_status slv_scan_prove(struct slv_scan *s, struct slv_source *out,
    const struct slv_plan *, const struct slv_scan_options *,
    const struct slv_scan *first, struct slv_err *);

/* Records that a plan keeps, or that are in a log: how many, and a digest of them. */
struct slv_held {
	uint64_t n, sum;
};

/* A proof must find every record that the plan keeps, and no other.
 *
 * SLV_E_BUG: it did not */
enum slv_status slv_scan_compare(
    struct slv_held planned, struct slv_held found, struct slv_err *);

/* For run(): n more units of a tag are kept, which are not in the n that it returns. */
void slv_scan_count(struct slv_scan *, unsigned tag, uint64_t n);

/* For run(), with ->opt.skim: the len bytes of a unit at off are not read; its index ends
 * at `end`. */
void slv_scan_skip(struct slv_scan *, uint64_t off, uint64_t len, uint64_t end);

/* SLV_E_CANCELLED: the caller wants the scan to stop. */
enum slv_status slv_scan_go_on(const struct slv_scan *, struct slv_err *);

/* SLV_E_ACTIVE: what is read now is not what was judged.  A driver that views bytes
 * again must not rely on what they said before: another user may write to the log. */
enum slv_status slv_scan_changed(const struct slv_scan *, struct slv_err *);

/* Count n lost units of the data part, of the channel; NULL: of several
 * channels, or unknown. */
void slv_scan_lose(struct slv_scan *, uint64_t n, const uint32_t *channel);

/* Raise a row about [off, off + len). */
enum slv_status slv_scan_problem(struct slv_scan *,
    const struct slv_problem_info *, uint64_t off, uint64_t len, uint64_t want,
    uint64_t got, struct slv_err *);

/* The same for a row of the core. */
enum slv_status slv_scan_core_problem(struct slv_scan *, enum slv_core_problem,
    uint64_t off, uint64_t len, struct slv_err *);

/* The digest of [0, off) of the source.  *known = false if unreadable bytes
 * prevent it.  A proof takes it from the plan, a repeated scan from the earlier
 * one.  It is hashed again only if the walk has passed it. */
enum slv_status slv_scan_digest(struct slv_scan *, uint64_t off, uint8_t *out,
    bool *known, struct slv_err *);

/* Judge a unit [off, end) by the zeros that reach the end of the file: VOUCHED
 * if none of them is in it.  See docs/formats/bddf.md, "Torn blocks". */
enum slv_vouch slv_scan_zeros(
    const struct slv_scan *, uint64_t off, uint64_t end);

/* Return true if the last unit of this format says that it is the last. */
static inline bool
slv_scan_trails(const struct slv_scan *s)
{
	return s->format->ends != NULL && s->format->ends->trails;
}

/* Return true if the log is whole: no findings but notes. */
bool slv_scan_is_sound(const struct slv_scan *);

/* Read the rest from a source with the same bytes; returns the former
 * source. */
struct slv_source *slv_scan_read_from(struct slv_scan *, struct slv_source *);

/* Keep the state of the digest up to where the output may differ from the
 * input. */
enum slv_status slv_scan_mark(struct slv_scan *, struct slv_err *);

void slv_scan_free(struct slv_scan *);

#endif
