/* dataflash_records.c - messages, for readers of records.
 *
 * A payload is the fields of a message, packed.  The schema of a type is its FMT, as
 * text: "ATT:QccccCCCC:TimeUS,DesRoll,...".
 */
#include "core/format/records.h"

#include "formats/dataflash/dataflash_state.h"

static enum slv_status
describe(const struct dataflash_type *t, struct slv_channel_about *out,
    struct slv_err *err)
{
	const struct slv_span parts[] = {
		dataflash_name(t->fmt),
		dataflash_text(
		    t->fmt + DATAFLASH_FMT_LETTERS, DATAFLASH_LETTERS),
		dataflash_text(t->fmt + DATAFLASH_FMT_COLUMNS,
		    DATAFLASH_FMT_SIZE - DATAFLASH_FMT_COLUMNS),
	};
	uint8_t text[DATAFLASH_FMT_SIZE];
	size_t n = 0;

	for (int i = 0; i < 3; i++) {
		if (i > 0)
			text[n++] = ':';
		memcpy(text + n, parts[i].at, parts[i].len);
		n += parts[i].len;
	}
	SLV_TRY(
	    slv_channel_text(&out->encoding, slv_span_of("dataflash"), err));
	SLV_TRY(slv_channel_text(
	    &out->schema_encoding, slv_span_of("dataflash"), err));
	return slv_channel_schema(out, (struct slv_span){ text, n }, err);
}

static enum slv_status
list_channels(
    struct slv_scan *s, struct slv_channel_list *list, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	struct slv_channel_about *out;

	if (m->encrypted)
		return slv_fail(err, SLV_E_REFUSED, "%s: the log is encrypted",
		    s->source->name);
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		if (!m->types[i].usable || m->types[i].n == 0
		    || m->types[i].role == DATAFLASH_UNITS)
			continue;
		SLV_TRY(slv_channel_list_add(list, i, &out, err));
		SLV_TRY(describe(&m->types[i], out, err));
	}
	return SLV_OK;
}

/* A type is declared by its FMT, and by its units if they follow directly. */
static enum slv_status
declaration(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	const struct dataflash_type *units = &m->types[m->units_type];
	uint32_t about = dataflash_field_at(units->fmt, "FmtType", 'B');
	uint8_t p[DATAFLASH_FMT_SIZE + DATAFLASH_LONGEST];
	const uint8_t *next = p + DATAFLASH_FMT_SIZE;
	size_t n;

	SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
	out->len = DATAFLASH_FMT_SIZE;
	out->channel = p[DATAFLASH_FMT_TYPE];
	out->kind = out->channel == DATAFLASH_FMT
	        || m->types[out->channel].role == DATAFLASH_UNITS
	    ? SLV_ITEM_OTHER
	    : SLV_ITEM_DECLARE;
	if (about > 0 && dataflash_is_head(next) && next[2] == m->units_type
	    && next[about] == out->channel)
		out->len += units->length;
	return SLV_OK;
}

static enum slv_status
item(
    struct slv_scan *s, uint64_t off, struct slv_item *out, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	const struct dataflash_type *t;
	uint8_t p[DATAFLASH_LONGEST + 9];
	size_t n;

	SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
	t = &m->types[p[2]];
	out->len = p[2] == DATAFLASH_FMT ? DATAFLASH_FMT_SIZE : t->length;
	if (!dataflash_is_head(p) || out->len == 0 || out->len > n)
		return slv_fail(err, SLV_E_BUG, "%s: no message at %llu",
		    s->source->name, (unsigned long long)off);
	if (p[2] == DATAFLASH_FMT)
		return declaration(s, off, out, err);
	if (t->role == DATAFLASH_UNITS) {
		/* The declared type may be gone; only FMT is always there. */
		out->kind = p[dataflash_field_at(t->fmt, "FmtType", 'B')]
		        == DATAFLASH_FMT
		    ? SLV_ITEM_OTHER
		    : SLV_ITEM_DERIVED;
		return SLV_OK;
	}
	out->kind = SLV_ITEM_RECORD;
	out->channel = p[2];
	out->data = DATAFLASH_HEAD;
	out->data_len = out->len - DATAFLASH_HEAD;
	out->log_ns = t->mask == 0
	    ? SLV_NO_TIME
	    : slv_moment_ns(dataflash_moment(m, dataflash_time(t, p)));
	out->publish_ns = out->log_ns;
	return SLV_OK;
}

const struct slv_records dataflash_records = {
	.channels = list_channels,
	.item = item,
};
