/* page_export.c - what was written in another format. */
#include "report/pages/pages.h"

#include <string.h>

static bool
has_messages(const struct slv_report *r)
{
	bool any = false;

	for (size_t i = 0; i < r->facts.n_channels; i++)
		any |= r->facts.channels[i].messages > 0;
	return any;
}

/* That nothing is missing for a reader of the output. */
static void
put_clear(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_exported *e = &r->exported;

	if (r->job == SLV_JOB_EXPORT && e->channels > 0
	    && e->opaque.channels == 0)
		slv_buf_printf(out, ", %s%s", e->channels > 1 ? "all " : "",
		    strcmp(e->format, "mcap") == 0 ? "described for viewers"
		                                   : "decoded");
}

/* The records are those that are wanted, which may be fewer than are kept. */
static void
put_written(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_exported *e = &r->exported;

	slv_buf_printf(out, "  %s ", slv_page_outcome(r->outcome));
	slv_page_output(out, r);
	slv_buf_printf(out, ", %s: ", slv_words_size(r->output_size).text);
	/* A name that is mistyped should not go unnoticed. */
	if (e->records == 0 && has_messages(r)) {
		slv_buf_text(out,
		    "no record of the log was chosen; names must match as a "
		    "whole, as with .*imu.*");
	} else {
		slv_buf_text(out, slv_words_some(e->records, "record").text);
		slv_buf_printf(
		    out, " of %s", slv_words_some(e->channels, "channel").text);
		put_clear(out, r);
	}
	if (e->files > 1)
		slv_buf_printf(out, ", in %u files, of which this is the last",
		    (unsigned)e->files);
	slv_page_sidecar(out, r);
	slv_buf_text(out, "\n");
}

/* Why payloads are not decoded, if all have one reason. */
static void
put_reason(struct slv_buf *out, const struct slv_opaque_count *n)
{
	if (n->unfit < n->channels && *n->kind == '\0')
		return;
	slv_buf_text(out, " (");
	if (n->unfit == n->channels)
		slv_buf_text(out, "payloads do not match their schema");
	else
		slv_page_escaped(out, n->kind);
	slv_buf_text(out, ")");
}

/* What a reader of the output cannot decode, and what helps: one line. */
static void
put_opaque(struct slv_buf *out, const struct slv_report *r)
{
	const struct slv_exported *e = &r->exported;
	bool mcap = strcmp(e->format, "mcap") == 0;

	if (e->opaque.channels == 0)
		return;
	slv_buf_printf(out, "  %s %u of %s",
	    mcap ? "no schema for" : "base64, not values, for",
	    (unsigned)e->opaque.channels,
	    slv_words_some(e->channels, "channel").text);
	if (!mcap && e->opaque.unnamed == 0)
		put_reason(out, &e->opaque);
	slv_buf_text(out, "; ");
	slv_buf_text(out,
	    e->opaque.unnamed > 0
	        ? "--descriptors FILE gives those of protobuf\n"
	        : mcap ? "a viewer has to know them\n"
	               : "see docs/text-export.md\n");
}

void
slv_page_export(struct slv_buf *out, const struct slv_report *r)
{
	if (r->outcome != SLV_OUT_NONE) {
		put_written(out, r);
		put_opaque(out, r);
	} else if (r->err.code == SLV_OK) {
		/* After a failure the cause says what became of it. */
		slv_buf_text(out, "  nothing written\n");
	}
}
