/* dataflash_describe.c - what the log says about itself, for people. */
#include <stdio.h>

#include "formats/dataflash/dataflash_state.h"

/* "ArduCopter V4.5.1 (abcdef12)": the vehicle, and the whole text. */
static enum slv_status
describe_firmware(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	uint8_t p[64];
	char text[sizeof(p) + 1] = "", *space;
	struct slv_span span;
	size_t n;

	if (m->firmware == 0)
		return SLV_OK;
	SLV_TRY(dataflash_peek(s, m->firmware, p, sizeof(p), &n, err));
	span = dataflash_text(p, sizeof(p));
	memcpy(text, span.at, span.len);
	SLV_TRY(slv_facts_text(facts, "firmware", text, err));
	space = strchr(text, ' ');
	if (space == NULL)
		return SLV_OK;
	*space = '\0';
	return slv_facts_text(facts, "vehicle", text, err);
}

static enum slv_status
describe_type(struct slv_scan *s, unsigned type, struct slv_facts *facts,
    struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	const struct dataflash_type *t = &m->types[type];
	const struct slv_span name = dataflash_name(t->fmt),
	                      letters =
	                          dataflash_text(t->fmt + DATAFLASH_FMT_LETTERS,
	                              DATAFLASH_LETTERS);
	struct slv_channel *ch;

	SLV_TRY(slv_facts_channel(facts, type, &ch, err));
	SLV_TRY(slv_text_copy(name.at, name.len, &ch->name, err));
	SLV_TRY(slv_text_copy(letters.at, letters.len, &ch->type, err));
	ch->messages = t->n;
	ch->bytes = t->n * (uint64_t)(t->length - DATAFLASH_HEAD);
	if (t->n == 0 || t->mask == 0)
		return SLV_OK;
	ch->first = dataflash_moment(m, t->first);
	ch->last = dataflash_moment(m, t->last);
	return SLV_OK;
}

/* When the vehicle was started: times of the log count from there. */
static enum slv_status
describe_boot(
    const struct dataflash *m, struct slv_facts *facts, struct slv_err *err)
{
	char text[32];

	if (!m->dated)
		return SLV_OK;
	snprintf(text, sizeof(text), "%lld.%06d",
	    (long long)(m->shift / 1000000), (int)(m->shift % 1000000));
	return slv_facts_text(facts, "boot_utc", text, err);
}

enum slv_status
dataflash_describe(
    struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);

	snprintf(facts->digest, sizeof(facts->digest), "none");
	if (m->encrypted) {
		snprintf(facts->dialect, sizeof(facts->dialect), "encrypted");
		return SLV_OK;
	}
	facts->undated = !m->dated;
	SLV_TRY(describe_firmware(s, facts, err));
	SLV_TRY(describe_boot(m, facts, err));
	SLV_TRY(slv_facts_number(facts, "parameters", m->n_params, err));
	SLV_TRY(slv_facts_number(facts, "parameters_changed", m->changed, err));
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		const struct dataflash_type *t = &m->types[i];

		if (t->usable && t->n > 0 && t->role != DATAFLASH_UNITS)
			SLV_TRY(describe_type(s, i, facts, err));
	}
	return SLV_OK;
}

const char *
dataflash_channel_name(struct slv_scan *s, uint32_t channel)
{
	struct dataflash_type *t = channel < DATAFLASH_TYPES
	    ? &dataflash_edit(s)->types[channel]
	    : NULL;
	struct slv_span name;

	if (t == NULL || t->length == 0)
		return NULL;
	name = dataflash_name(t->fmt);
	memcpy(t->name, name.at, name.len);
	t->name[name.len] = '\0';
	return t->name;
}
