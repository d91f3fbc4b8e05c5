/* restore.c - recover more than a careful reading of the blocks gives. */
#include "job/audit/restore.h"

#include "core/readings/repeats.h"
#include "job/audit/rescan.h"
#include "job/readings/gain.h"

#define ROUNDS 16 /* in which a driver adds corrections */

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

enum slv_status
slv_restore_plan(
    struct slv_audit *a, unsigned effort, bool *possible, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	const struct slv_hasher *hasher = slv_rescan_hasher(a);
	bool found;

	SLV_TRY(s->format->plan(s, &a->plan, possible, err));
	if (!*possible)
		return SLV_OK;
	/* Without a digest to compare with, it can be computed later. */
	slv_plan_close(&a->plan);
	if (s->seal.have == 0)
		return SLV_OK;
	SLV_TRY(slv_plan_seal(&a->plan, hasher, err));
	if (s->format->digests == NULL || s->seal.as_is != SLV_SEAL_OTHER
	    || slv_restore_matches(a))
		return SLV_OK;
	SLV_TRY(s->format->digests->reorder(s, &a->plan, effort, &found, err));
	return found ? slv_plan_seal(&a->plan, hasher, err) : SLV_OK;
}

/* Scan and plan again.
 *
 *   mends  emptied; NULL: the bytes as they are */
static enum slv_status
stand(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *mends, bool *possible, struct slv_err *err)
{
	*possible = false;
	SLV_TRY(slv_rescan(a, &opt->scan, mends, err));
	if (a->scan.format == NULL || !a->scan.supported)
		return SLV_OK;
	return slv_restore_plan(a, opt->effort, possible, err);
}

/* Ask the driver about a candidate. */
static enum slv_status
is_sensible(void *ctx, struct slv_range unit, uint64_t off, uint8_t byte,
    bool *yes, struct slv_err *err)
{
	struct slv_scan *s = ctx;

	*yes = true;
	if (s->format->digests == NULL)
		return SLV_OK;
	return s->format->digests->sensible(
	    s, unit.off, unit.end - unit.off, off, byte, yes, err);
}

/* Try one bit of the unconfirmed bytes against the digest. */
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

	/* The last way may have found no log: bytes can no longer be read. */
	if (a->seal.have == 0 || !a->seal.known || a->scan.format == NULL)
		return SLV_OK;
	SLV_TRY(slv_flip_find(&f, err));
	if (!f.found)
		return SLV_OK;
	p.off = f.off;
	return slv_mends_add(out, f.off, &f.byte, 1, &p, err);
}

/* Return true if something was left out that may be known from elsewhere. */
static bool
is_wanting(const struct slv_scan *s)
{
	return s->format != NULL && s->seal.as_is < SLV_SEAL_FIELD
	    && s->format->patches != NULL && !slv_scan_is_sound(s);
}

/* Layers of corrections over the bytes of the log. */
enum layer {
	LAYER_NONE,
	LAYER_SURE, /* what the bytes themselves show */
	LAYER_BOLD, /* and what the index knows about damaged heads */
	LAYER_FLIP, /* one bit, found by the digest */
	LAYERS
};

/* What the driver and the digest say about the previous scan. */
struct advice {
	struct slv_mends layers[LAYERS];
	struct slv_doubts doubts;
	bool sealed;   /* a digest survived, and does not match */
	bool excludes; /* the bold layer excludes ranges */
	bool whole;    /* the previous scan left out nothing */
	bool present;  /* the audit's scan is still the previous one */
};

/* The readings that restore something, in the order in which they are tried,
 * until one is taken. */
static const struct way {
	const char *name;
	enum layer layer;
	unsigned keep;    /* SLV_KEEP_* */
	unsigned reading; /* SLV_READ_* */
	bool whole;       /* keep what the layer excludes */
	bool proof;       /* it counts only if the digest proves it */
} ways[] = {
	{ "aside", LAYER_SURE, 0, 0, false, true },
	{ "index", LAYER_BOLD, SLV_KEEP_SUSPECT, 0, false, true },
	{ "index-whole", LAYER_BOLD, SLV_KEEP_SUSPECT, 0, true, true },
	{ "doubted", LAYER_NONE, SLV_KEEP_SUSPECT, 0, false, true },
	{ "remade", LAYER_NONE, 0, SLV_READ_REMADE, false, true },
	{ "remade-doubted", LAYER_NONE, SLV_KEEP_SUSPECT, SLV_READ_REMADE,
	    false, true },
	{ "one-bit", LAYER_FLIP, SLV_KEEP_SUSPECT, 0, false, true },
	{ "mended", LAYER_SURE, 0, 0, false, false },
	{ "as-it-is", LAYER_NONE, 0, 0, false, false },
};

/* What the driver corrects and excludes of the present reading. */
static enum slv_status
ask_sure(struct slv_scan *s, slv_mend_fn *mend, struct slv_mends *out,
    struct slv_err *err)
{
	if (mend != NULL)
		SLV_TRY(mend(s, false, out, err));
	return slv_repeats_find(s, out, err);
}

static enum slv_status
ask(struct slv_audit *a, struct advice *say, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	SLV_TRY(ask_sure(
	    s, s->format->patches->mend, &say->layers[LAYER_SURE], err));
	if (!say->sealed || s->format->digests == NULL)
		return SLV_OK;
	SLV_TRY(
	    s->format->patches->mend(s, true, &say->layers[LAYER_BOLD], err));
	say->excludes = say->layers[LAYER_BOLD].n_aside > 0;
	return s->format->digests->doubt(s, &say->doubts, err);
}

static void
advice_free(struct advice *say)
{
	for (int i = 0; i < LAYERS; i++)
		slv_mends_free(&say->layers[i]);
	slv_doubts_free(&say->doubts);
}

/* Return true if this way cannot match the digest: without patches it keeps no
 * more than a previous scan that left out nothing, and it lacks what the index
 * has. */
static bool
is_vain(const struct way *w, const struct advice *say)
{
	if (!w->proof)
		return false;
	if (!say->sealed)
		return true;
	return w->layer == LAYER_NONE
	    && (say->layers[LAYER_BOLD].needed
	        || (say->whole && w->keep & SLV_KEEP_SUSPECT));
}

/* Return true if a way differs from those before it. */
static enum slv_status
applies(struct slv_audit *a, const struct slv_audit_options *opt,
    const struct way *w, struct advice *say, bool *yes, struct slv_err *err)
{
	struct slv_mends *m = &say->layers[w->layer];

	*yes = false;
	if (is_vain(w, say))
		return SLV_OK;
	if (w->layer == LAYER_FLIP)
		SLV_TRY(find_flip(a, opt, &say->doubts, m, err));
	if (w->whole && say->excludes)
		m->n_aside = 0;
	if (w->layer == LAYER_NONE)
		*yes = w->proof || !say->present;
	else if (w->layer == LAYER_SURE)
		*yes = m->n_aside > 0
		    || (!w->proof && (m->n > 0 || m->trusted.n > 0));
	else
		*yes = (m->n > 0 || m->n_aside > 0)
		    && (!w->whole || say->excludes);
	return SLV_OK;
}

/* Corrections and exclusions may change what is expected of the rest: ask
 * again, until there is nothing to add. */
static enum slv_status
settle(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *sure, bool *possible, struct slv_err *err)
{
	enum slv_status st = SLV_OK;

	for (int i = 0; i < ROUNDS && st == SLV_OK && *possible; i++) {
		struct slv_mends more = { 0 };
		bool none;

		st = ask_sure(
		    &a->scan, a->scan.format->patches->more, &more, err);
		none = more.n == 0 && more.n_aside == 0;
		if (st == SLV_OK && !none) {
			slv_rescan_take_back(a, sure);
			st = slv_mends_append(sure, &more, err);
		}
		slv_mends_free(&more);
		if (none)
			break;
		if (st == SLV_OK)
			st = stand(a, opt, sure, possible, err);
	}
	return st;
}

/* Read the log in one way; if it is not taken, its layer is restored. */
static enum slv_status
try_way(struct slv_audit *a, const struct slv_audit_options *opt,
    const struct way *w, struct advice *say, bool *taken, struct slv_err *err)
{
	struct slv_mends *m =
	    w->layer == LAYER_NONE ? NULL : &say->layers[w->layer];
	struct slv_audit_options how = *opt;
	struct slv_gain gain;
	bool possible;

	how.scan.keep |= w->keep;
	how.scan.reading |= w->reading;
	say->present = false;
	SLV_TRY(stand(a, &how, m, &possible, err));
	if (w->layer == LAYER_SURE && !w->proof)
		SLV_TRY(settle(a, &how, m, &possible, err));
	gain = slv_gain_of(&a->scan);
	gain.proven = possible && slv_restore_matches(a);
	*taken = w->proof ? gain.proven : possible;
	if (w->layer != LAYER_NONE || w->proof)
		slv_gain_note(a, w->name, &gain, *taken);
	if (!*taken && m != NULL)
		slv_rescan_take_back(a, m);
	return SLV_OK;
}

static enum slv_status
restore(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	const uint64_t *sums = a->scan.catalog.sums;
	struct advice say = { .present = true };
	enum slv_status st;
	bool taken = false;

	say.sealed = a->scan.seal.as_is == SLV_SEAL_OTHER;
	say.whole = sums[SLV_LOST] == 0 && sums[SLV_FOREIGN] == 0;
	if (!is_wanting(&a->scan) || slv_restore_matches(a))
		return SLV_OK;
	st = ask(a, &say, err);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		bool yes = false;

		if (st == SLV_OK && !taken)
			st = applies(a, opt, &ways[i], &say, &yes, err);
		if (st == SLV_OK && yes)
			st = try_way(a, opt, &ways[i], &say, &taken, err);
	}
	advice_free(&say);
	return st;
}

/* What follows a contradiction was taken for another recording.  If it belongs
 * to this one and the contradiction is damage, then it can be corrected, and
 * the log's digest or its index, which come later, confirm it; *settled: they
 * do. */
static enum slv_status
restore_contested(struct slv_audit *a, const struct slv_audit_options *opt,
    bool *settled, struct slv_err *err)
{
	struct slv_audit_options one = *opt;
	struct slv_seal seal = a->seal;
	size_t tried = a->n_attempts;
	struct slv_gain gain;
	bool possible;

	one.scan.reading |= SLV_READ_ONE_LOG;
	a->seal.known = false;
	SLV_TRY(stand(a, &one, NULL, &possible, err));
	a->seal = a->scan.seal;
	if (possible)
		SLV_TRY(restore(a, &one, err));
	*settled = possible && a->patched != NULL && !a->scan.contested;
	gain = slv_gain_of(&a->scan);
	slv_gain_note(a, "one-log", &gain, *settled);
	if (*settled)
		return SLV_OK;
	for (; tried < a->n_attempts; tried++)
		a->attempts[tried].taken = false;
	a->seal = seal;
	return stand(a, opt, NULL, &possible, err);
}

/* The options, with what the digest has decided already. */
static struct slv_audit_options
as_decided(const struct slv_audit *a, const struct slv_audit_options *opt)
{
	struct slv_audit_options now = *opt;

	now.scan.keep = a->scan.opt.keep;
	now.scan.reading = a->scan.opt.reading & SLV_READ_ONE_LOG;
	return now;
}

enum slv_status
slv_restore(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_audit_options now = as_decided(a, opt);
	bool settled = false;

	if (a->scan.contested && !(now.scan.reading & SLV_READ_ONE_LOG))
		SLV_TRY(restore_contested(a, &now, &settled, err));
	return settled ? SLV_OK : restore(a, &now, err);
}

enum slv_status
slv_restore_careful(struct slv_audit *a, const struct slv_audit_options *opt,
    unsigned care, bool *possible, struct slv_err *err)
{
	/* From speculative to careful; row 0 is the result of slv_restore. */
	static const struct {
		const char *name;
		unsigned reading; /* SLV_READ_* */
		bool mended;      /* apply the certain corrections of the
				   * driver */
	} careful[] = {
		{ "mended", 0, true },
		{ "uncorrected", SLV_READ_UNCORRECTED, true },
		{ "careful", SLV_READ_UNCORRECTED, false },
	};
	struct slv_audit_options now = as_decided(a, opt);
	struct slv_gain gain;

	*possible = care < sizeof(careful) / sizeof(*careful);
	if (!*possible)
		return SLV_OK;
	now.scan.reading |= careful[care].reading;
	SLV_TRY(stand(a, &now, NULL, possible, err));
	if (*possible && careful[care].mended)
		SLV_TRY(restore(a, &now, err));
	gain = slv_gain_of(&a->scan);
	slv_gain_note(a, careful[care].name, &gain, *possible);
	return SLV_OK;
}

/* Find one bit by the digest. */
static enum slv_status
flip_by_digest(struct slv_audit *a, const struct slv_audit_options *opt,
    struct slv_mends *out, struct slv_err *err)
{
	struct slv_doubts doubts = { 0 };
	enum slv_status st;

	if (a->scan.seal.as_is != SLV_SEAL_OTHER)
		return SLV_OK;
	st = a->scan.format->digests->doubt(&a->scan, &doubts, err);
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
	enum slv_status st;

	*possible = false;
	/* A digest that matches shows that it was written like this. */
	if (a->scan.format->digests == NULL
	    || a->scan.seal.as_is >= SLV_SEAL_FIELD)
		return SLV_OK;
	st = flip_by_digest(a, opt, &flip, err);
	if (st == SLV_OK && flip.n == 0 && !a->scan.supported
	    && a->scan.format->patches != NULL)
		st = a->scan.format->patches->mend(&a->scan, false, &flip, err);
	if (st == SLV_OK && flip.n > 0)
		st = stand(a, opt, &flip, possible, err);
	slv_mends_free(&flip);
	return st;
}

/* Return true if a patch is in kept bytes: it has no use elsewhere. */
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
