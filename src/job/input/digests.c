/* digests.c - digests of whole files.
 *
 * SHA-256 is a pass of its own.  The pass of the scan keeps running states to
 * return to; doing that for a second digest would cost more code than the pass
 * costs time.
 */
#include "job/input/digests.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "job/audit/annotate.h"
#include "job/audit/rescan.h"
#include "job/output/sidecar.h"

const char *
slv_sha1_name(void)
{
	return slv_digest_here(SLV_SHA1)->name;
}

enum slv_status
slv_digest_of(struct slv_source *source, enum slv_digest_kind kind,
    const struct slv_hash_mark *from, const volatile sig_atomic_t *cancel,
    uint8_t *out, struct slv_err *err)
{
	struct slv_hasher h = { 0 };
	enum slv_status st = slv_hasher_init(&h, source, kind, cancel, err);

	if (from != NULL)
		h.now = *from;
	if (st == SLV_OK)
		st = slv_hasher_to(&h, source->size, err);
	if (st == SLV_OK)
		slv_digest_get(&h.now.digest, out);
	slv_hasher_free(&h);
	return st;
}

enum slv_status
slv_digest_end(struct slv_source *source, uint64_t from,
    const volatile sig_atomic_t *cancel, uint8_t *out, struct slv_err *err)
{
	struct slv_hash_mark mark = { .off = from };

	slv_digest_init(&mark.digest, SLV_SHA1);
	return slv_digest_of(source, SLV_SHA1, &mark, cancel, out, err);
}

enum slv_status
slv_digest_input(struct slv_report *r, struct slv_source *source,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	SLV_TRY(
	    slv_digest_of(source, SLV_SHA256, NULL, cancel, r->sha256, err));
	r->has_sha256 = source->unreadable.n == 0;
	return SLV_OK;
}

enum slv_status
slv_digest_output(struct slv_report *r, const struct slv_plan *plan,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	struct slv_source *out = NULL;
	enum slv_status st;

	if (r->has_sha256 && slv_plan_is_identity(plan)) {
		memcpy(r->output_sha256, r->sha256, sizeof(r->sha256));
		r->has_output_sha256 = true;
		return SLV_OK;
	}
	SLV_TRY(slv_plan_source(plan, &out, err));
	st =
	    slv_digest_of(out, SLV_SHA256, NULL, cancel, r->output_sha256, err);
	r->has_output_sha256 = st == SLV_OK;
	slv_source_close(out);
	return st;
}

enum slv_status
slv_digest_sha1(const struct slv_audit *a, uint8_t *out, struct slv_err *err)
{
	struct slv_source *source = a->input;

	return slv_digest_of(source, SLV_SHA1,
	    a->read == source ? slv_hasher_before(&a->hasher, source->size)
	                      : NULL,
	    a->hasher.cancel, out, err);
}

/* Is it about a log of this size?  A job that only describes the log does not
 * wait for its digest. */
static enum slv_status
find_likely(struct slv_report *r, const struct slv_audit *a,
    const struct slv_buf *text, struct slv_err *err)
{
	const char *lines = (const char *)text->at;
	uint64_t from;

	return slv_history_mentions(lines, text->len, a->input->size, &from)
	    ? slv_history_of_other(lines, text->len, &r->history, err)
	    : SLV_OK;
}

/* Is the report about these bytes?  The digest that it states may be one of their
 * end. */
static enum slv_status
find(struct slv_report *r, const struct slv_audit *a,
    const struct slv_buf *text, struct slv_err *err)
{
	const char *lines = (const char *)text->at;
	struct slv_claim claim = { .size = a->input->size };

	if (!slv_history_mentions(lines, text->len, claim.size, &claim.from))
		return SLV_OK;
	if (claim.from > 0) {
		SLV_TRY(slv_digest_end(
		    a->input, claim.from, a->hasher.cancel, claim.sha1, err));
		SLV_TRY(slv_history_find(
		    lines, text->len, &claim, &r->history, err));
		claim.from = 0;
	}
	if (r->history.line != NULL)
		return SLV_OK;
	SLV_TRY(slv_digest_sha1(a, claim.sha1, err));
	return slv_history_find(lines, text->len, &claim, &r->history, err);
}

/* The digest of the result of the repair. */
static enum slv_status
digest_plan(const struct slv_audit *a, uint8_t *out, struct slv_err *err)
{
	struct slv_plan plan = a->plan;

	SLV_TRY(slv_plan_know(&plan, slv_rescan_hasher(a), NULL, NULL, err));
	memcpy(out, plan.whole, SLV_SHA1_SIZE);
	return SLV_OK;
}

/* For a damaged log: is it about the result of the repair?  If not, it may be
 * about what this log was, unless the writer's digest proves it whole. */
static enum slv_status
find_damaged(struct slv_report *r, const struct slv_audit *a,
    const struct slv_buf *text, struct slv_err *err)
{
	const char *lines = (const char *)text->at;
	struct slv_claim claim = { .size = a->plan.size };
	uint64_t from;

	/* Only a digest of the whole result can be computed here. */
	if (a->plan.closed
	    && slv_history_mentions(lines, text->len, claim.size, &from)
	    && from == a->plan.whole_from) {
		claim.from = from;
		SLV_TRY(digest_plan(a, claim.sha1, err));
		SLV_TRY(slv_history_find(
		    lines, text->len, &claim, &r->history, err));
	}
	if (r->history.line != NULL || a->proven)
		return SLV_OK;
	return slv_history_of_other(lines, text->len, &r->history, err);
}

enum slv_status
slv_digest_history(struct slv_report *r, const struct slv_audit *a,
    const char *name, const struct stat *of, struct slv_err *err)
{
	struct slv_sidecar_seen seen;
	struct slv_buf text = { 0 };
	enum slv_status st;

	bool sound = slv_audit_is_sound(a);
	bool damaged = a->state == SLV_STATE_REPAIRED
	    || a->state == SLV_STATE_LOSSY || a->state == SLV_STATE_DAMAGED;
	bool alone = strcmp(name, "-") == 0 || r->served;

	/* What one of several copies lacks the others may have. */
	damaged &= r->job != SLV_JOB_MERGE;
	/* Standard input has no files next to it. */
	if (sound && alone)
		slv_annotate_recall(&r->facts, &r->history);
	if (!(sound || damaged) || alone || r->history.line != NULL)
		return SLV_OK;
	slv_free(r->history_path);
	r->history_path = NULL;
	SLV_TRY(slv_sidecar_of(name, &r->history_path, err));
	st = slv_sidecar_read(r->history_path, of, &text, &seen, err);
	if (st == SLV_OK && (r->job == SLV_JOB_INFO || r->job == SLV_JOB_LIST))
		st = find_likely(r, a, &text, err);
	else if (st == SLV_OK)
		st = find(r, a, &text, err);
	if (st == SLV_OK && damaged && r->history.line == NULL)
		st = find_damaged(r, a, &text, err);
	/* A log without a report may have annotations. */
	if (st == SLV_OK && sound && r->history.line == NULL)
		slv_annotate_recall(&r->facts, &r->history);
	slv_buf_free(&text);
	return st;
}
