/* ulog_describe.c - what the log says about itself, for people. */
#include <stdio.h>

#include "formats/ulog/ulog_state.h"

/* An information of the log: a text, or the number of a release, "1.13.2". */
static enum slv_status
add_info(
    struct slv_scan *s, int i, struct slv_facts *facts, struct slv_err *err)
{
	uint64_t off = ulog_of(s)->infos[i];
	struct slv_span key, value;
	struct ulog_message msg;
	char text[128];

	if (off == 0)
		return SLV_OK;
	SLV_TRY(ulog_look_again(s, off, ULOG_TAG_INFO, &msg, err));
	ulog_pair(&msg, &key, &value);
	if (memcmp(key.at, "char[", 5) == 0)
		snprintf(text, sizeof(text), "%.*s", (int)value.len,
		    (const char *)value.at);
	else if (value.len == 4)
		snprintf(text, sizeof(text), "%u.%u.%u", value.at[3],
		    value.at[2], value.at[1]);
	else
		return SLV_OK;
	return slv_facts_text(facts, ulog_infos[i], text, err);
}

static enum slv_status
describe_sub(struct slv_scan *s, struct ulog_sub *sub, struct slv_facts *facts,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	const char *name = ulog_channel_name(s, sub->id);
	struct slv_channel *ch;

	SLV_TRY(slv_facts_channel(facts, sub->id, &ch, err));
	SLV_TRY(slv_text_copy(name, strlen(name), &ch->name, err));
	SLV_TRY(slv_text_copy(
	    m->texts.at + sub->name, sub->name_len, &ch->type, err));
	ch->messages = sub->n;
	ch->bytes = sub->n * (uint64_t)(sub->size > 2 ? sub->size - 2 : 0);
	if (sub->n == 0 || sub->stamp == 0)
		return SLV_OK;
	ch->first = ulog_moment(m, sub->first);
	ch->last = ulog_moment(m, sub->last);
	return SLV_OK;
}

/* When the vehicle was started: times of the log count from there. */
static enum slv_status
describe_boot(
    const struct ulog *m, struct slv_facts *facts, struct slv_err *err)
{
	char text[32];

	if (!m->dated || m->shift == 0)
		return SLV_OK;
	snprintf(text, sizeof(text), "%lld.%06d",
	    (long long)(m->shift / 1000000), (int)(m->shift % 1000000));
	return slv_facts_text(facts, "boot_utc", text, err);
}

enum slv_status
ulog_describe(struct slv_scan *s, struct slv_facts *facts, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	snprintf(facts->digest, sizeof(facts->digest), "none");
	if (m->encrypted) {
		snprintf(facts->dialect, sizeof(facts->dialect), "encrypted");
		return SLV_OK;
	}
	snprintf(facts->version, sizeof(facts->version), "%u", m->version);
	facts->undated = !m->dated;
	for (int i = 0; i < ULOG_INFOS; i++)
		SLV_TRY(add_info(s, i, facts, err));
	SLV_TRY(describe_boot(m, facts, err));
	SLV_TRY(slv_facts_number(facts, "dropouts", m->dropouts, err));
	SLV_TRY(slv_facts_number(facts, "dropout_ms", m->dropout_ms, err));
	SLV_TRY(slv_facts_number(facts, "parameters_changed", m->changed, err));
	for (size_t i = 0; i < m->n_subs; i++) {
		if (m->subs[i].usable
		    && (m->subs[i].declared || m->subs[i].n > 0))
			SLV_TRY(describe_sub(s, &m->subs[i], facts, err));
	}
	return SLV_OK;
}

const char *
ulog_channel_name(struct slv_scan *s, uint32_t channel)
{
	const struct ulog *m = ulog_of(s);
	struct ulog_sub *sub =
	    channel > UINT16_MAX ? NULL : ulog_sub_of(m, (uint16_t)channel);
	struct slv_buf buf = { 0 };

	if (sub == NULL || sub->name_len == 0)
		return NULL;
	if (sub->shown != NULL)
		return sub->shown;
	slv_buf_add(&buf, m->texts.at + sub->name, sub->name_len);
	if (sub->multi > 0)
		slv_buf_printf(&buf, "/%u", sub->multi);
	sub->shown = slv_buf_take(&buf);
	return sub->shown != NULL ? sub->shown : "";
}
