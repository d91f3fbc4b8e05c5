/* begin.c - read the input from where the log begins, and see whether its digest
 * confirms what was doubted. */
#include "job/begin.h"

#include "core/begun.h"
#include "core/tee.h"
#include "job/restore.h"

/* Scan the input, reading all of it; what the payloads were hashed to is the
 * audit's. */
static enum slv_status
read_all(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	struct slv_scan *s = &a->scan;

	SLV_TRY(slv_scan_run(s, a->input, a->formats, how, err));
	a->hasher = s->hasher;
	a->seal = s->seal;
	a->hasher.pages = NULL;
	a->pages = s->pages;
	s->hasher.buf = NULL; /* is the audit's now, as the pages are */
	s->pages = (struct slv_pages){ .zero = false };
	return SLV_OK;
}

static enum slv_status
read_again(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	slv_scan_free(&a->scan);
	slv_hasher_free(&a->hasher);
	slv_pages_free(&a->pages);
	return read_all(a, how, err);
}

/* What a reading comes to. */
struct outcome {
	uint64_t kept; /* units */
	uint64_t out;  /* bytes that may have been recorded and are left out */
};

static struct outcome
outcome(const struct slv_scan *s)
{
	return (struct outcome){
		.kept = s->units_kept,
		.out = s->catalog.sums[SLV_LOST] + s->catalog.sums[SLV_FOREIGN],
	};
}

/* One that mixes a log with its beginning keeps some units twice: what is left out
 * counts first. */
static bool
is_better(struct outcome a, struct outcome b)
{
	return a.out != b.out ? a.out < b.out : a.kept > b.kept;
}

/* Where the log begins several times, all that precedes the last beginning is in
 * what follows it: read on from there. */
static enum slv_status
begin_last(
    struct slv_audit *a, struct slv_scan_options *how, struct slv_err *err)
{
	struct slv_scan *s = &a->scan;
	const struct outcome first = outcome(s);
	uint64_t begun = s->base, start;

	if (s->format == NULL || !s->format->based
	    || (first.out == 0 && !s->absent))
		return SLV_OK;
	SLV_TRY(slv_begun_find(s, &start, err));
	if (start == begun)
		return SLV_OK;
	how->begun = begun;
	how->start = start;
	if (how->tee != NULL)
		slv_tee_free(how->tee);
	how->tee = NULL;
	SLV_TRY(read_again(a, how, err));
	if (s->format != NULL && is_better(outcome(s), first))
		return SLV_OK;
	how->begun = how->start = 0;
	return read_again(a, how, err);
}

/* What follows a contradiction, or a block that is doubted, seems to be another
 * recording: with the end of it, does the digest there cover all of it?  Or,
 * where that log has none, does its index say what every block of it says?
 * Then it is this one. */
static enum slv_status
trust_contested(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	const struct slv_scan *s = &a->scan;
	struct slv_scan_options again = *how;
	bool doubted = s->units_suspect > 0 && s->catalog.sums[SLV_FOREIGN] > 0;

	if (a->seal.have > 0 || !(s->contested || doubted))
		return SLV_OK;
	again.ours = true;
	again.keep |= doubted ? SLV_KEEP_SUSPECT : 0;
	SLV_TRY(slv_restore_scan(a, &again, err));
	if (s->seal.as_is < SLV_SEAL_FIELD && !slv_scan_is_sound(s))
		return slv_restore_scan(a, how, err);
	a->seal = s->seal;
	return SLV_OK;
}

/* A block that looks whole is whole where the digest covers the bytes as they
 * are: then nothing is suspect, and the scan is done again and keeps it. */
static enum slv_status
trust_digest(struct slv_audit *a, const struct slv_scan_options *how,
    struct slv_err *err)
{
	struct slv_scan_options again = *how;

	SLV_TRY(trust_contested(a, how, err));
	if (a->seal.as_is < SLV_SEAL_FIELD || a->scan.units_suspect == 0
	    || a->scan.opt.keep & SLV_KEEP_SUSPECT)
		return SLV_OK;
	again.ours = a->scan.opt.ours;
	again.keep |= SLV_KEEP_SUSPECT;
	SLV_TRY(slv_restore_scan(a, &again, err));
	if (!a->scan.contested || again.ours)
		return SLV_OK;
	/* Nor does another recording begin in what it covers. */
	again.ours = true;
	return slv_restore_scan(a, &again, err);
}

enum slv_status
slv_begin(
    struct slv_audit *a, struct slv_scan_options *how, struct slv_err *err)
{
	SLV_TRY(read_all(a, how, err));
	SLV_TRY(begin_last(a, how, err));
	return trust_digest(a, how, err);
}
