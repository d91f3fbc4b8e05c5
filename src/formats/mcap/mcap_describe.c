/* mcap_describe.c - what the file says about itself, for people. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/mcap/mcap_state.h"
#include "support/memory.h"

enum slv_status
mcap_repeat(const struct slv_scan *s, uint64_t *sum,
    const struct mcap_decl *schema, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t n = mcap_decl_text(m, schema, MCAP_NAME).len
	    + mcap_decl_text(m, schema, MCAP_ENCODING).len;

	return slv_memory_repeat(s, sum, n, "long names of schemas", err);
}

/* A text of a declaration, owned by the caller. */
static enum slv_status
copy_text(const struct mcap *m, const struct mcap_decl *d,
    enum mcap_field field, char **out, struct slv_err *err)
{
	struct slv_span text = mcap_decl_text(m, d, field);

	return slv_text_copy(text.at, text.len, out, err);
}

static enum slv_status
describe_channel(struct slv_scan *s, const struct mcap_decl *d,
    struct slv_facts *facts, uint64_t *repeated, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct slv_channel *ch;
	size_t schema;

	SLV_TRY(slv_facts_channel(facts, d->id, &ch, err));
	ch->messages = d->n;
	ch->bytes = d->bytes;
	ch->unweighed = (s->glanced || s->skimmed.units > 0) && d->n > 0;
	ch->first = d->from;
	ch->last = d->to;
	if (!d->declared)
		return SLV_OK;
	SLV_TRY(copy_text(m, d, MCAP_NAME, &ch->name, err));
	SLV_TRY(copy_text(m, d, MCAP_ENCODING, &ch->encoding, err));
	SLV_TRY(mcap_notes_of_channel(m, d, ch, err));
	schema = mcap_decl_find(m, MCAP_SCHEMA, d->schema);
	if (d->schema == 0 || schema == MCAP_NONE || !m->decls[schema].declared)
		return SLV_OK;
	SLV_TRY(mcap_repeat(s, repeated, &m->decls[schema], err));
	return copy_text(m, &m->decls[schema], MCAP_NAME, &ch->type, err);
}

static void
describe_chunks(const struct slv_scan *s, struct slv_facts *facts)
{
	static const char *const names[SLV_CODECS] = {
		[SLV_CODEC_NONE] = "none",
		[SLV_CODEC_LZ4] = "lz4",
		[SLV_CODEC_BZ2] = "bz2",
		[SLV_CODEC_ZSTD] = "zstd",
	};
	const struct mcap *m = mcap_of(s);

	facts->packs_pieces = true;
	facts->pieces = m->n_chunks;
	for (size_t i = 0; i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		slv_facts_pack(facts, c->strange ? "unknown" : names[c->codec],
		    c->data_end - c->data, c->size);
	}
}

enum slv_status
mcap_describe(struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	uint64_t repeated = 0;

	snprintf(facts->version, sizeof(facts->version), "0");
	snprintf(facts->dialect, sizeof(facts->dialect), "%.*s",
	    (int)slv_min64(m->profile.len, sizeof(facts->dialect) - 1),
	    m->profile.len > 0 ? (const char *)m->profile.at : "");
	snprintf(facts->digest, sizeof(facts->digest), "none");
	facts->recorded = mcap_summary_from(&m->summary) != 0
	    ? mcap_summary_from(&m->summary)
	    : s->source->size;
	describe_chunks(s, facts);
	/* By number: some summaries are in any order. */
	for (uint32_t id = 0; id <= UINT16_MAX; id++) {
		size_t i = mcap_decl_find(m, MCAP_CHANNEL, (uint16_t)id);

		if (i != MCAP_NONE)
			SLV_TRY(describe_channel(
			    s, &m->decls[i], facts, &repeated, err));
	}
	return mcap_notes(s, facts, err);
}

const char *
mcap_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct mcap *m = mcap_edit(s);
	struct slv_err err = { 0 };
	size_t i = channel > UINT16_MAX
	    ? MCAP_NONE
	    : mcap_decl_find(m, MCAP_CHANNEL, (uint16_t)channel);

	if (i == MCAP_NONE)
		return NULL;
	if (m->decls[i].name == NULL && m->decls[i].declared)
		(void)copy_text(
		    m, &m->decls[i], MCAP_NAME, &m->decls[i].name, &err);
	return m->decls[i].name;
}
