/* page_sure.c - the verdict, and how sure it is.
 *
 * Nothing is called intact that only looks so: the verdict says what confirms
 * it.
 */
#include "report/pages/pages.h"

#include <stdio.h>
#include <string.h>

#include "base/text/wrap.h"
#include "core/format/notes.h"

const char *
slv_page_digest(const struct slv_report *r)
{
	if (strcmp(r->facts.digest, "sha1") == 0)
		return "SHA-1";
	if (strcmp(r->facts.digest, "sha256") == 0)
		return "SHA-256";
	return "digest";
}

bool
slv_page_is_sound(const struct slv_report *r)
{
	return r->state == SLV_STATE_INTACT || r->state == SLV_STATE_INDEXED;
}

/* Whether the log says that it was written without a digest. */
static bool
has_none(const struct slv_report *r)
{
	return strcmp(r->facts.digest, "none") == 0;
}

/* Whether some of it is not compressed, in a format that has checksums over
 * what is. */
static bool
has_unpacked(const struct slv_report *r)
{
	for (size_t i = 0; i < r->facts.n_packs; i++) {
		if (strcmp(r->facts.packs[i].kind, "none") == 0)
			return true;
	}
	return false;
}

/* Whether the job only describes: nothing was planned, so it is unknown
 * whether a repair is possible. */
static bool
is_description(const struct slv_report *r)
{
	return r->job == SLV_JOB_INFO || r->job == SLV_JOB_LIST;
}

/* Whether this log is for sure the one that an earlier repair made. */
static bool
is_ours(const struct slv_report *r)
{
	return slv_report_has_history(r) && !r->history.changed;
}

static const char *
verdict_ours(const struct slv_history *h)
{
	static const char *const verdicts[2][3] = {
		{ "repaired, lossy", "repaired, end unknown",
		    "repaired, unconfirmed" },
		{ "exported, lossy", "exported, end unknown",
		    "exported, unconfirmed" },
	};

	return verdicts[h->exported][h->lossy ? 0 : h->open_end ? 1 : 2];
}

static const char *
verdict_intact(const struct slv_report *r)
{
	if (is_ours(r))
		return verdict_ours(&r->history);
	switch (r->assurance) {
	case SLV_BY_NOTHING: return "sound as far as it was read";
	case SLV_BY_STRUCTURE: return "sound in structure";
	case SLV_BY_CHECKSUM: return "intact, by its checksums";
	case SLV_BY_DIGEST: return "intact";
	}
	return "?";
}

/* A log of which something was written, although it is damaged. */
static const char *
verdict_written(const struct slv_report *r)
{
	static const char *const verdicts[3][2][2] = {
		{ { "REPAIRED", "REPAIRED WITH LOSSES" },
		    { "REPAIRABLE", "REPAIRABLE WITH LOSSES" } },
		{ { "EXPORTED", "EXPORTED WITH LOSSES" },
		    { "EXPORTABLE", "EXPORTABLE WITH LOSSES" } },
		{ { "EXTRACTED", "EXTRACTED WITH LOSSES" },
		    { "EXTRACTABLE", "EXTRACTABLE WITH LOSSES" } },
	};
	bool planned = r->outcome == SLV_OUT_PLANNED;
	unsigned job = r->job == SLV_JOB_EXPORT ? 1
	    : r->job == SLV_JOB_EXTRACT         ? 2
	                                        : 0;

	return verdicts[job][planned][r->state == SLV_STATE_LOSSY];
}

static const char *
verdict(const struct slv_report *r)
{
	if (r->unfinished)
		return r->undo_trouble == NULL ? "UNFINISHED REPAIR"
		                               : "PERHAPS UNFINISHED REPAIR";
	switch (r->state) {
	case SLV_STATE_INTACT:
	case SLV_STATE_INDEXED: return verdict_intact(r);
	case SLV_STATE_REPAIRED:
	case SLV_STATE_LOSSY: return verdict_written(r);
	case SLV_STATE_DAMAGED:
		if (r->wanted != NULL)
			return r->wanted->verdict;
		if (slv_report_writes(r))
			return "DAMAGED, left as it is";
		if (is_description(r))
			return "DAMAGED";
		return r->repairable ? "DAMAGED, repairable"
		    : slv_report_needs_reseal(r)
		    ? "DAMAGED, repairable with --reseal"
		    : "DAMAGED, not repairable";
	case SLV_STATE_UNRECOVERABLE: return "UNRECOVERABLE";
	case SLV_STATE_UNRECOGNISED: return "UNRECOGNISED";
	case SLV_STATE_UNSUPPORTED: return "UNSUPPORTED";
	case SLV_STATE_ACTIVE: return "ACTIVE";
	case SLV_STATE_CANCELLED: return "CANCELLED";
	case SLV_STATE_FAILED: return "FAILED";
	}
	return "?";
}

struct slv_words
slv_page_verdict(const struct slv_report *r)
{
	struct slv_words w;
	bool unread = r->state == SLV_STATE_INDEXED && !is_ours(r);

	if (unread)
		snprintf(w.text, sizeof(w.text), "indexed, %ss not read",
		    slv_page_unit(r));
	else
		snprintf(w.text, sizeof(w.text), "%s%s", verdict(r),
		    slv_report_open_end(r) && !slv_page_is_sound(r)
		        ? ", end unknown"
		        : "");
	return w;
}

/* Whether annotations say that salvor repaired the log: it wrote them, and then the
 * digest. */
static bool
is_annotated(const struct slv_report *r)
{
	for (size_t i = 0; i < r->facts.n_annotations; i++) {
		if (strcmp(r->facts.annotations[i].key, SLV_NOTE_STATE) == 0)
			return true;
	}
	return false;
}

/* Whether salvor made the digest, over bytes that no digest of the writer
 * confirmed.  Where a repair lost nothing, and left neither a report nor
 * annotations, it is unknown. */
static bool
only_ours(const struct slv_report *r)
{
	const struct slv_history *h = &r->history;

	if (!is_ours(r))
		return is_annotated(r);
	return !h->confirmed || h->contradicted || h->unsure_units > 0;
}

void
slv_page_assurance(struct slv_buf *out, const struct slv_report *r)
{
	if (r->assurance == SLV_BY_DIGEST)
		slv_buf_printf(out, "%s %s confirms every byte",
		    only_ours(r) ? "only salvor's own" : "its",
		    slv_page_digest(r));
	else if (r->skimmed > 0)
		slv_buf_printf(out, "the data of %s were not read",
		    slv_words_some(r->skimmed, "chunk").text);
	else if (r->glanced)
		slv_buf_text(out, "only the index was checked");
	else if (r->assurance == SLV_BY_CHECKSUM)
		slv_buf_text(out, "every chunk matches its checksum");
	else if (has_unpacked(r))
		slv_buf_text(out, "uncompressed payloads carry no checksum");
	else if (has_none(r))
		slv_buf_text(out, "it carries no digest to confirm its bytes");
	else
		slv_buf_printf(
		    out, "its %s could not be checked", slv_page_digest(r));
}

void
slv_page_proof(struct slv_buf *out, const struct slv_report *r)
{
	const char *digest = slv_page_digest(r);

	slv_buf_text(out, "  proof: " SLV_HANG);
	if (r->proven)
		slv_buf_printf(out,
		    "all that is kept and rebuilt matches the %s that %s left",
		    digest, is_ours(r) ? "salvor" : "the writer");
	else if (r->assurance == SLV_BY_CHECKSUM)
		slv_buf_text(out,
		    "every chunk kept matches its checksum; unknown whether "
		    "all are there");
	else if (r->skimmed > 0)
		slv_buf_printf(out,
		    "structure only; the data of %s of %llu were not read",
		    slv_words_some(r->skimmed, "chunk").text,
		    (unsigned long long)r->facts.pieces);
	else if (has_unpacked(r))
		slv_buf_text(out,
		    "structure only; uncompressed payloads carry no checksum");
	else if (r->facts.n_packs > 0)
		slv_buf_text(out,
		    "structure only; a chunk, or what is left of it, has no "
		    "checksum");
	else if (has_none(r))
		slv_buf_text(out, "structure only; the log carries no digest");
	else if (r->contradicted)
		slv_buf_printf(out,
		    "none; the writer's %s does not match what is kept and "
		    "rebuilt",
		    digest);
	else if (r->assurance == SLV_BY_DIGEST)
		slv_page_assurance(out, r);
	else
		slv_buf_text(
		    out, "structure only; no digest confirms the bytes kept");
	slv_buf_text(out, "\n");
}

void
slv_page_attempts(struct slv_buf *out, const struct slv_report *r)
{
	for (size_t i = 0; i < r->n_attempts; i++) {
		const struct slv_attempt *a = &r->attempts[i];

		slv_buf_printf(out,
		    "  other reading, %s: %s kept, %s left out; %s\n",
		    a->reading, slv_page_units(r, a->kept).text,
		    slv_words_some(a->out, "byte").text,
		    a->taken ? "taken, as it is better than the file as it is"
		             : "not taken: not better, or not proven");
	}
}
