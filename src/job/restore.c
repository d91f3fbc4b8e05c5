/* restore.c - put back more than a careful reading of the blocks gives. */
#include "job/restore.h"

#define ROUNDS 16 /* in which a driver adds to what it mends */

/* How a scan reads the input. */
struct footing {
	struct slv_mends *mends; /* emptied; NULL: as it is */
	unsigned keep;
	bool distrust;
};

bool
slv_restore_matches(const struct slv_audit *a)
{
	const struct slv_seal *seal = &a->scan.seal;
	enum slv_seal_match plan = SLV_SEAL_NONE;

	if (a->plan.has_digest)
		plan = slv_seal_compare(seal, a->plan.digest);
	else if (slv_plan_prefix(&a->plan) >= seal->off + seal->have)
		plan = seal->as_is; /* it copies all that was digested */
	return plan >= SLV_SEAL_FIELD;
}

const struct slv_hasher *
slv_restore_hasher(const struct slv_audit *a)
{
	return a->patched != NULL && a->mends.n > 0 ? &a->patched_hasher
	                                            : &a->hasher;
}

enum slv_status
slv_restore_plan(
    struct slv_audit *a, unsigned effort, bool *possible, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	const struct slv_hasher *hasher = slv_restore_hasher(a);
	bool found;

	SLV_TRY(s->format->plan(s, &a->plan, possible, err));
	if (!*possible)
		return SLV_OK;
	/* With nothing to compare it with the digest can wait. */
	slv_plan_close(&a->plan);
	if (s->seal.have == 0)
		return SLV_OK;
	SLV_TRY(slv_plan_seal(&a->plan, hasher, err));
	if (s->format->reorder == NULL || s->seal.as_is != SLV_SEAL_OTHER
	    || slv_restore_matches(a))
		return SLV_OK;
	SLV_TRY(s->format->reorder(s, &a->plan, effort, &found, err));
	return found ? slv_plan_seal(&a->plan, hasher, err) : SLV_OK;
}

/* Forget the present scan and what it was made of. */
static void
forget(struct slv_audit *a)
{
	slv_plan_free(&a->plan);
	slv_scan_free(&a->scan);
	slv_hasher_free(&a->patched_hasher);
	slv_source_close(a->patched);
	a->patched = NULL;
	slv_mends_free(&a->mends);
}

/* Lay the patches over the input.  The digest up to the first is known. */
static enum slv_status
lay_patches(struct slv_audit *a, struct slv_mends *mends,
    struct slv_scan_options *how, struct slv_err *err)
{
	a->mends = *mends;
	*mends = (struct slv_mends){ 0 };
	slv_mends_sort(&a->mends);
	how->mends = &a->mends;
	if (a->mends.n > 0) {
		how->known = NULL;
		how->no_digest = false;
		how->from = slv_hasher_before(&a->hasher, a->mends.at[0].off);
	}
	return slv_patched_source(a->read, &a->mends, &a->patched, err);
}

/* Scan again.  The earlier scan goes first, so that two never take memory at
 * once; of what was hashed nothing is hashed again. */
static enum slv_status
scan_again(struct slv_audit *a, const struct slv_scan_options *opt,
    struct slv_mends *mends, struct slv_err *err)
{
	struct slv_scan_options how = *opt;
	struct slv_source *source = a->read;

	/* Unless it is the first to see the end of the log. */
	how.no_digest = a->seal.known || !how.ours;
	how.known = &a->seal;
	how.tee = NULL;
	forget(a);
	if (mends != NULL) {
		SLV_TRY(lay_patches(a, mends, &how, err));
		source = a->patched;
	}
	slv_plan_init(&a->plan, source, SLV_SHA1);
	a->plan.meter = how.meter;
	a->plan.mends = mends != NULL ? &a->mends : NULL;
	SLV_TRY(slv_scan_run(&a->scan, source, a->formats, &how, err));
	a->patched_hasher = a->scan.hasher;
	a->scan.hasher.buf = NULL; /* is the audit's now */
	return SLV_OK;
}

enum slv_status
slv_restore_scan(struct slv_audit *a, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	return scan_again(a, opt, NULL, err);
}

/* Scan and plan on a footing. */
static enum slv_status
stand(struct slv_audit *a, const struct slv_audit_options *opt,
    const struct footing *f, bool *possible, struct slv_err *err)
{
	struct slv_scan_options how = opt->scan;

	*possible = false;
	how.keep |= f->keep;
	how.distrust = f->distrust;
	SLV_TRY(scan_again(a, &how, f->mends, err));
	if (a->scan.format == NULL || !a->scan.supported)
		return SLV_OK;
	return slv_restore_plan(a, opt->effort, possible, err);
}

/* The driver's opinion of a candidate. */
static enum slv_status
is_sensible(void *ctx, struct slv_range unit, uint64_t off, uint8_t byte,
    bool *yes, struct slv_err *err)
{
	struct slv_scan *s = ctx;

	*yes = true;
	if (s->format->sensible == NULL)
		return SLV_OK;
	return s->format->sensible(
	    s, unit.off, unit.end - unit.off, off, byte, yes, err);
}

/* One bit of what nothing else vouches for, tried against the digest. */
static enum slv_status
find_flip(struct slv_audit *a, const struct slv_audit_options *opt,
    const struct slv_doubts *where, struct slv_mends *out, struct slv_err *err)
{
	struct slv_flip f = {
		.source = a->read,
		.seal = &a->seal,
		.where = where,
		.sensible = is_sensible,
		.ctx = &a->scan,
		.effort = opt->effort,
		.cancel = opt->scan.cancel,
		.meter = opt->scan.meter,
	};
	struct slv_problem p = {
		.info = &slv_core_problems[SLV_P_FLIP],
		.len = 1,
	};

	if (a->seal.have == 0 || !a->seal.known)
		return SLV_OK;
	SLV_TRY(slv_flip_find(&f, err));
	if (!f.found)
		return SLV_OK;
	p.off = f.off;
	return slv_mends_add(out, f.off, &f.byte, 1, &p, err);
}

/* Take back what the last reading was made of, to use it once more. */
static void
take_back(struct slv_audit *a, struct slv_mends *mends)
{
	slv_source_close(a->patched);
	a->patched = NULL;
	*mends = a->mends;
	a->mends = (struct slv_mends){ 0 };
}

/* Readings that only the digest can prove, until one is.  *proven = false:
 * the audit then has none of them. */
static enum slv_status
try_bold(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *bold, const struct slv_doubts *doubts, bool *proven,
    struct slv_err *err)
{
	struct slv_mends flip = { 0 };
	const struct {
		struct footing on;
		bool whole; /* nothing of the log is excluded */
	} ways[] = {
		{ { bold, SLV_KEEP_SUSPECT, false }, false },
		{ { bold, SLV_KEEP_SUSPECT, false }, true },
		{ { NULL, SLV_KEEP_SUSPECT, false }, true },
		{ { NULL, 0, true }, true },
		{ { NULL, SLV_KEEP_SUSPECT, true }, true },
		{ { &flip, SLV_KEEP_SUSPECT, false }, true },
	};
	enum slv_status st = SLV_OK;
	bool excludes = bold->n_aside > 0, possible;

	*proven = false;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct slv_mends *mends = ways[i].on.mends;

		if (mends == &flip)
			st = find_flip(a, opt, doubts, &flip, err);
		if (st != SLV_OK || *proven)
			break;
		if (mends == bold && ways[i].whole && excludes)
			bold->n_aside = 0;
		else if (mends == bold && ways[i].whole)
			continue;
		if (mends != NULL && mends->n == 0 && mends->n_aside == 0)
			continue;
		st = stand(a, opt, &ways[i].on, &possible, err);
		if (st != SLV_OK)
			break;
		*proven = possible && slv_restore_matches(a);
		if (!*proven && mends == bold)
			take_back(a, bold);
	}
	slv_mends_free(&flip);
	return st;
}

/* Whether something was left out that may be known from elsewhere. */
static bool
is_wanting(const struct slv_scan *s)
{
	return s->format != NULL && s->seal.as_is < SLV_SEAL_FIELD
	    && s->format->mend != NULL && !slv_scan_is_sound(s);
}

/* What the driver can say of the present scan. */
struct advice {
	struct slv_mends bold, sure;
	struct slv_doubts doubts;
};

static enum slv_status
ask(struct slv_audit *a, struct advice *say, bool sealed, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	*say = (struct advice){ 0 };
	SLV_TRY(s->format->mend(s, false, &say->sure, err));
	if (!sealed)
		return SLV_OK;
	SLV_TRY(s->format->mend(s, true, &say->bold, err));
	return s->format->doubt(s, &say->doubts, err);
}

static void
advice_free(struct advice *say)
{
	slv_mends_free(&say->bold);
	slv_mends_free(&say->sure);
	slv_doubts_free(&say->doubts);
}

/* The careful reading, before any bold one: without what is no part of the
 * log, the rest may be all of it.  Not proven: *sure is as before. */
static enum slv_status
try_aside(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *sure, bool *proven, struct slv_err *err)
{
	const struct footing mended = { .mends = sure };
	bool possible;

	SLV_TRY(stand(a, opt, &mended, &possible, err));
	*proven = possible && slv_restore_matches(a);
	if (!*proven)
		take_back(a, sure);
	return SLV_OK;
}

/* What is mended or left out may change what the driver expects of the rest: ask
 * it again, until it has nothing to add. */
static enum slv_status
settle(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *sure, bool *possible, struct slv_err *err)
{
	const struct footing mended = { .mends = sure };
	enum slv_status st = SLV_OK;

	for (int i = 0; i < ROUNDS && st == SLV_OK && *possible
	     && a->scan.format->mends_again;
	     i++) {
		struct slv_mends more = { 0 };
		bool none;

		st = a->scan.format->mend(&a->scan, false, &more, err);
		none = more.n == 0 && more.n_aside == 0;
		if (st == SLV_OK && !none) {
			take_back(a, sure);
			st = slv_mends_append(sure, &more, err);
		}
		slv_mends_free(&more);
		if (none)
			break;
		if (st == SLV_OK)
			st = stand(a, opt, &mended, possible, err);
	}
	return st;
}

static enum slv_status
follow(struct slv_audit *a, const struct slv_audit_options *opt,
    struct advice *say, bool sealed, struct slv_err *err)
{
	const struct footing plain = { 0 }, mended = { .mends = &say->sure };
	bool better =
	    say->sure.n > 0 || say->sure.trusted.n > 0 || say->sure.n_aside > 0;
	bool possible = true, proven = false;

	if (sealed && say->sure.n_aside > 0)
		SLV_TRY(try_aside(a, opt, &say->sure, &proven, err));
	if (sealed && !proven)
		SLV_TRY(
		    try_bold(a, opt, &say->bold, &say->doubts, &proven, err));
	if (proven)
		return SLV_OK;
	if (better) {
		SLV_TRY(stand(a, opt, &mended, &possible, err));
		SLV_TRY(settle(a, opt, &say->sure, &possible, err));
	}
	if (!possible || (sealed && !better))
		SLV_TRY(stand(a, opt, &plain, &possible, err));
	return SLV_OK;
}

static enum slv_status
restore(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	bool sealed = a->scan.seal.as_is == SLV_SEAL_OTHER;
	struct advice say;
	enum slv_status st;

	if (!is_wanting(&a->scan) || slv_restore_matches(a))
		return SLV_OK;
	st = ask(a, &say, sealed, err);
	if (st == SLV_OK)
		st = follow(a, opt, &say, sealed, err);
	advice_free(&say);
	return st;
}

/* What follows a contradiction was taken for another recording.  If it is
 * ours and the contradiction is damage, then it can be mended, and the log's
 * digest or its index, which come after it, say so; *settled: they do. */
static enum slv_status
restore_contested(struct slv_audit *a, const struct slv_audit_options *opt,
    bool *settled, struct slv_err *err)
{
	const struct footing plain = { 0 };
	struct slv_audit_options ours = *opt;
	struct slv_seal seal = a->seal;
	bool possible;

	ours.scan.ours = true;
	a->seal.known = false;
	SLV_TRY(stand(a, &ours, &plain, &possible, err));
	a->seal = a->scan.seal;
	if (possible)
		SLV_TRY(restore(a, &ours, err));
	*settled = possible && a->patched != NULL && !a->scan.contested;
	if (*settled)
		return SLV_OK;
	a->seal = seal;
	return stand(a, opt, &plain, &possible, err);
}

enum slv_status
slv_restore(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_audit_options now = *opt;
	bool settled = false;

	/* What the digest has decided already stays so. */
	now.scan.keep = a->scan.opt.keep;
	now.scan.ours = a->scan.opt.ours;
	if (a->scan.contested && !now.scan.ours)
		SLV_TRY(restore_contested(a, &now, &settled, err));
	return settled ? SLV_OK : restore(a, &now, err);
}

enum slv_status
slv_restore_careful(struct slv_audit *a, const struct slv_audit_options *opt,
    unsigned care, bool *possible, struct slv_err *err)
{
	/* From bold to careful; row 0 is what slv_restore gives. */
	static const struct {
		bool plain;  /* nothing is corrected */
		bool mended; /* what the driver mends for sure is mended */
	} ways[] = { { false, true }, { true, true }, { true, false } };
	const struct footing input = { 0 };
	struct slv_audit_options now = *opt;

	*possible = care < sizeof(ways) / sizeof(*ways);
	if (!*possible)
		return SLV_OK;
	now.scan.keep = a->scan.opt.keep;
	now.scan.ours = a->scan.opt.ours;
	now.scan.plain = ways[care].plain;
	SLV_TRY(stand(a, &now, &input, possible, err));
	if (*possible && ways[care].mended)
		SLV_TRY(restore(a, &now, err));
	return SLV_OK;
}

/* One bit, and the digest says which. */
static enum slv_status
flip_by_digest(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_doubts doubts = { 0 };
	enum slv_status st;

	if (a->scan.seal.as_is != SLV_SEAL_OTHER)
		return SLV_OK;
	st = a->scan.format->doubt(&a->scan, &doubts, err);
	if (st == SLV_OK)
		st = find_flip(a, opt, &doubts, out, err);
	slv_doubts_free(&doubts);
	return st;
}

enum slv_status
slv_restore_flip(struct slv_audit *a, const struct slv_audit_options *opt,
    bool *possible, struct slv_err *err)
{
	struct slv_mends flip = { 0 };
	const struct footing flipped = { .mends = &flip };
	enum slv_status st;

	*possible = false;
	/* A digest that matches says that it was written like this. */
	if (a->scan.format->doubt == NULL
	    || a->scan.seal.as_is >= SLV_SEAL_FIELD)
		return SLV_OK;
	st = flip_by_digest(a, opt, &flip, err);
	if (st == SLV_OK && flip.n == 0 && !a->scan.supported)
		st = a->scan.format->mend(&a->scan, false, &flip, err);
	if (st == SLV_OK && flip.n > 0)
		st = stand(a, opt, &flipped, possible, err);
	slv_mends_free(&flip);
	return st;
}

/* Whether a patch is in what is kept: it is of no use elsewhere. */
static bool
is_used(const struct slv_audit *a, const struct slv_patch *p)
{
	const struct slv_catalog *c = &a->scan.catalog;

	return c->at[slv_catalog_find(c, p->off)].fate == SLV_KEPT;
}

bool
slv_restore_is_lossy(const struct slv_audit *a)
{
	for (size_t i = 0; a->patched != NULL && i < a->mends.n; i++) {
		const struct slv_patch *p = &a->mends.at[i];

		if (p->problem.info->remedy == SLV_DROP && is_used(a, p))
			return true;
	}
	return false;
}

enum slv_status
slv_restore_report(struct slv_audit *a, struct slv_err *err)
{
	struct slv_catalog *c = &a->scan.catalog;

	for (size_t i = 0; a->patched != NULL && i < a->mends.n; i++) {
		const struct slv_patch *p = &a->mends.at[i];

		if (!is_used(a, p))
			continue;
		SLV_TRY(slv_catalog_queue(c, p->off, p->len, SLV_REBUILT, err));
		SLV_TRY(slv_problems_add(&a->scan.problems, &p->problem, err));
	}
	return slv_catalog_apply(c, err);
}
