/* cyber_deep.c - does what messages hold fit the descriptions of their
 * channels?
 *
 * No checksum covers a content, so that a flipped bit in it is seen by nobody.
 * But where it hits the key or the length of a field, or a field of another
 * type seems to be there, the content is none of its channel's any more.
 * Values are not looked at, nor are fields that the description does not know.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "formats/cyber/channels/cyber_schema.h"
#include "formats/cyber/cyber_state.h"

#define DEPTH 100 /* messages in messages, as protobuf has */

/* How the types of fields are encoded, by their numbers in descriptors. */
static const uint8_t wires[CYBER_TYPES_MAX + 1] = {
	[1] = CYBER_FIXED64,
	[2] = CYBER_FIXED32,
	[3] = CYBER_VARINT,
	[4] = CYBER_VARINT,
	[5] = CYBER_VARINT,
	[6] = CYBER_FIXED64,
	[7] = CYBER_FIXED32,
	[8] = CYBER_VARINT,
	[9] = CYBER_SPAN,
	[CYBER_T_MESSAGE] = CYBER_SPAN,
	[12] = CYBER_SPAN,
	[13] = CYBER_VARINT,
	[14] = CYBER_VARINT,
	[15] = CYBER_FIXED32,
	[16] = CYBER_FIXED64,
	[17] = CYBER_VARINT,
	[18] = CYBER_VARINT,
};

/* What a message is checked by; and where it went wrong. */
struct deep {
	struct slv_scan *scan;
	const struct cyber_schema *schema;
	uint64_t odd; /* 0: nowhere */
};

/* Numbers of one type in a row, without keys. */
static enum slv_status
check_packed(struct deep *x, const struct cyber_any *f, unsigned type,
    struct slv_err *err)
{
	uint64_t at = f->off, end = f->off + f->len, v;
	const uint8_t *p;
	size_t n;

	if (wires[type] == CYBER_FIXED32 || wires[type] == CYBER_FIXED64) {
		if (f->len % (wires[type] == CYBER_FIXED32 ? 4 : 8) != 0)
			x->odd = f->off;
		return SLV_OK;
	}
	for (; at < end; at += n) {
		size_t have = (size_t)slv_min64(end - at, 10);

		SLV_TRY(slv_window_view(x->scan->window, at, have, &p, err));
		if (cyber_varint_get(p, have, &v, &n) != CYBER_WHOLE) {
			x->odd = at;
			return SLV_OK;
		}
	}
	return SLV_OK;
}

static enum slv_status check(struct deep *, uint64_t off, uint64_t end,
    size_t message, unsigned depth, struct slv_err *);

/* A field that the description knows. */
static enum slv_status
check_field(struct deep *x, uint64_t off, const struct cyber_any *f,
    const struct cyber_schema_field *field, unsigned depth, struct slv_err *err)
{
	if (f->wire == wires[field->type])
		return field->message == SIZE_MAX || depth == 0
		    ? SLV_OK
		    : check(x, f->off, f->off + f->len, field->message,
		        depth - 1, err);
	if (f->wire == CYBER_SPAN)
		return check_packed(x, f, field->type, err);
	x->odd = off;
	return SLV_OK;
}

/* A message in [off, end), and those in it. */
static enum slv_status
check(struct deep *x, uint64_t off, uint64_t end, size_t message,
    unsigned depth, struct slv_err *err)
{
	while (off < end && x->odd == 0) {
		const struct cyber_schema_field *field;
		struct cyber_any f;
		bool good;

		SLV_TRY(cyber_any_get(x->scan, off, end, &f, &good, err));
		if (!good) {
			x->odd = off;
			return SLV_OK;
		}
		field = cyber_schema_find(x->schema, message, f.tag);
		if (field != NULL && field->type != CYBER_T_GROUP)
			SLV_TRY(check_field(x, off, &f, field, depth, err));
		off = f.off + f.len;
	}
	return SLV_OK;
}

/* Read what describes a channel; *good: it is known. */
static enum slv_status
read_schema(struct slv_scan *s, const struct cyber_channel *ch,
    struct cyber_schema *out, bool *good, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const struct cyber_spec *spec;
	enum cyber_fit fit;

	*good = false;
	if (ch->item == SIZE_MAX)
		return SLV_OK;
	spec = &c->items[ch->item].spec;
	if (spec->desc_len > CYBER_DESC_MAX)
		return SLV_OK;
	SLV_TRY(cyber_desc_load(s, spec, &out->desc, err));
	SLV_TRY(cyber_schema_read(out,
	    (struct slv_span){ c->texts.at + spec->type, spec->type_len }, &fit,
	    err));
	*good = fit >= CYBER_FIT_ODD;
	return SLV_OK;
}

/* The schemas of all channels; those of which nothing is known have no root. */
static enum slv_status
read_all(struct slv_scan *s, struct cyber_schema *all, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];
		bool good;

		all[i].root = SIZE_MAX;
		if (ch->messages == 0)
			continue;
		SLV_TRY(read_schema(s, ch, &all[i], &good, err));
		if (good)
			continue;
		cyber_schema_free(&all[i]);
		SLV_TRY(cyber_problem(s, CYBER_P_UNCHECKED, ch->need_off, 0, i,
		    ch->messages, err));
	}
	return SLV_OK;
}

/* The message at off. */
static enum slv_status
check_message(struct slv_scan *s, const struct cyber_schema *all, uint64_t off,
    uint64_t *len, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);
	struct deep x = { .scan = s };
	struct cyber_message m;
	const uint8_t *p;
	uint32_t channel;

	SLV_TRY(slv_scan_go_on(s, err));
	SLV_TRY(cyber_look_message(s, off, &m, err));
	if (m.read != CYBER_WHOLE)
		return slv_fail(err, SLV_E_BUG,
		    "no message is at %llu any more", (unsigned long long)off);
	*len = cyber_message_span(&m);
	SLV_TRY(slv_window_view(s->window, off, m.head, &p, err));
	if (!cyber_channel_known(c, p + m.name, m.name_len, &channel)
	    || all[channel].root == SIZE_MAX)
		return SLV_OK;
	x.schema = &all[channel];
	SLV_TRY(
	    check(&x, off + m.head, off + *len, x.schema->root, DEPTH, err));
	return x.odd == 0
	    ? SLV_OK
	    : cyber_problem(s, CYBER_P_PAYLOAD, off, *len, channel, x.odd, err);
}

static enum slv_status
check_all(
    struct slv_scan *s, const struct cyber_schema *all, struct slv_err *err)
{
	const struct cyber *c = cyber_of(s);

	for (size_t i = 0; i < c->n_runs; i++) {
		struct cyber_run r = c->runs[i];
		uint64_t len = 0;

		for (; r.len > 0; r.off += len, r.len -= len)
			SLV_TRY(check_message(s, all, r.off, &len, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_deep(struct slv_scan *s, struct slv_err *err)
{
	size_t n = cyber_of(s)->n_channels;
	struct cyber_schema *all;
	enum slv_status st;

	if (slv_scan_setting(s, CYBER_DEEP) == NULL || n == 0)
		return SLV_OK;
	SLV_TRY(slv_new(&all, n, sizeof(*all), err));
	st = read_all(s, all, err);
	if (st == SLV_OK)
		st = check_all(s, all, err);
	for (size_t i = 0; i < n; i++)
		cyber_schema_free(&all[i]);
	slv_free(all);
	return st;
}
