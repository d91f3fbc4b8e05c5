/* ulog_begin.c - is it a flight log, and what is known before it is read: what a
 * donor declares, and what time it was when the vehicle started.
 */
#include "core/scan/resync.h"
#include "formats/ulog/ulog_state.h"
#include "support/seek.h"

/* Bits of evidence. */
#define BID_MAGIC   104 /* the magic and a message after it */
#define BID_HEAD    60  /* the magic alone, or after other bytes */
#define BID_CHAIN   60  /* messages, somewhere */

#define SEARCH      ((uint64_t)8 << 20)  /* bytes in which there is a log */
#define CLOCK       ((uint64_t)64 << 20) /* bytes in which there is a GPS time */
#define CLOCK_TRIES 4096                 /* GPS messages without a time */

/* Times that a GPS receiver may state, and no time since boot: us since 1970. */
#define UTC_MIN UINT64_C(1262304000000000)
#define UTC_MAX UINT64_C(4102444800000000)

static bool
is_utc(uint64_t us)
{
	return us >= UTC_MIN && us < UTC_MAX;
}

/* The offset of a field of 8 bytes in a D body; 0: there is none. */
static uint32_t
field_at(struct slv_span text, const char *name)
{
	struct slv_span own, rest;
	struct ulog_field f = { .element = 1 };
	uint32_t at = 2;

	if (!ulog_format_split(text, &own, &rest))
		return 0;
	for (; ulog_field_next(&rest, &f) && f.element > 0 && at < UINT16_MAX;
	     at += f.element * f.count) {
		if (f.element == 8 && f.name.len == strlen(name)
		    && memcmp(f.name.at, name, f.name.len) == 0)
			return at;
	}
	return 0;
}

/* The message that has the text so many bytes after its start. */
static enum slv_status
find_text(const struct slv_scan *s, uint64_t *from, const char *text,
    size_t before, uint8_t type, struct ulog_message *out, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, CLOCK), at = *from;
	bool whole = false;

	for (*from = to; at < to; at++) {
		SLV_TRY(slv_seek(s, at, to, text, strlen(text), &at, err));
		if (at == to || at < before)
			continue;
		SLV_TRY(ulog_look(s, at - before, out, &whole, err));
		if (!whole || out->type != type || !ulog_is_sound(out))
			continue;
		*from = at;
		return SLV_OK;
	}
	return SLV_OK;
}

/* Look for a GPS message of the topic that states the time of day. */
static enum slv_status
read_clock(struct slv_scan *s, const char *format, struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	uint64_t to = slv_min64(s->logical_end, CLOCK), at = s->base;
	struct ulog_message msg;
	uint32_t utc, stamp;
	uint8_t head[5] = { 0, 0, 'D' };
	size_t topic = strlen(format) - 1; /* without the colon */
	char name[32] = { 0 };
	bool whole;

	memcpy(name, format, topic);
	SLV_TRY(find_text(s, &at, format, ULOG_HEAD, 'F', &msg, err));
	if (at == to)
		return SLV_OK;
	utc =
	    field_at((struct slv_span){ msg.body, msg.size }, "time_utc_usec");
	stamp = field_at((struct slv_span){ msg.body, msg.size }, "timestamp");
	do {
		at++;
		SLV_TRY(find_text(s, &at, name, ULOG_HEAD + 3, 'A', &msg, err));
	} while (at < to && msg.size != topic + 3);
	if (at == to || utc == 0 || stamp == 0)
		return SLV_OK;
	memcpy(head + 3, msg.body + 1, 2);
	for (int i = 0; i < CLOCK_TRIES && !m->dated; i++, at++) {
		SLV_TRY(slv_seek(s, at, to, head + 2, 3, &at, err));
		if (at >= to)
			return SLV_OK;
		SLV_TRY(ulog_look(s, at - 2, &msg, &whole, err));
		if (!whole || msg.size < slv_max64(utc, stamp) + 8
		    || !is_utc(slv_get_le64(msg.body + utc)))
			continue;
		m->dated = true;
		m->shift = (int64_t)(slv_get_le64(msg.body + utc)
		    - slv_get_le64(msg.body + stamp));
	}
	return SLV_OK;
}

/* What another log of the vehicle declares replaces what is lost here. */
static enum slv_status
borrow(struct slv_scan *s, struct slv_err *err)
{
	const struct ulog *d;
	struct ulog *m = ulog_edit(s);
	struct ulog_sub *sub;
	bool added;

	if (s->opt.donor == NULL || s->opt.donor->format != s->format
	    || s->reference != NULL)
		return SLV_OK;
	d = ulog_of(s->opt.donor);
	for (size_t i = 0; i < d->n_formats; i++)
		SLV_TRY(ulog_format_add(s,
		    ulog_text(&*d, d->formats[i].text, d->formats[i].len), true,
		    &added, err));
	for (size_t i = 0; i < d->n_subs; i++) {
		const struct ulog_sub *theirs = &d->subs[i];

		if (!theirs->declared || !theirs->usable)
			continue;
		SLV_TRY(ulog_sub_get(s, theirs->id, &sub, err));
		SLV_TRY(ulog_sub_name(
		    s, sub, ulog_text(d, theirs->name, theirs->name_len), err));
		sub->lent = true;
		sub->multi = theirs->multi;
		ulog_sub_resolve(m, sub);
	}
	return SLV_OK;
}

/* The bytes do not begin with a header: it is after other bytes, or lost. */
static enum slv_status
find_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH), at, first;
	struct ulog_message msg;
	bool whole, spent;

	SLV_TRY(slv_seek(s, 0, to, ULOG_MAGIC, ULOG_MAGIC_SIZE, &at, err));
	if (at < to) {
		SLV_TRY(ulog_look(s, at + ULOG_HEADER, &msg, &whole, err));
		*bid = whole && ulog_is_sound(&msg) ? BID_HEAD : 0;
	}
	SLV_TRY(slv_resync(s, 0, to, SLV_ASK_SEARCH, &first, &spent, err));
	if (first < to)
		*bid = BID_CHAIN;
	if (*bid > 0 && at < to && at <= first)
		s->base = at;
	return SLV_OK;
}

enum slv_status
ulog_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	static const char *const clocks[] = { "vehicle_gps_position:",
		"sensor_gps:" };
	struct ulog *m = ulog_edit(s);
	struct ulog_message msg;
	const uint8_t *p;
	bool whole;

	*bid = 0;
	if (!slv_range_in(0, ULOG_HEADER, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, 0, ULOG_HEADER, &p, err));
	m->encrypted = memcmp(p, ULOG_ENCRYPTED, ULOG_MAGIC_SIZE) == 0;
	if (m->encrypted) {
		*bid = BID_MAGIC;
		return SLV_OK;
	}
	m->has_header = memcmp(p, ULOG_MAGIC, ULOG_MAGIC_SIZE) == 0;
	m->version = 1;
	m->dated = is_utc(slv_get_le64(p + 8)) && m->has_header;
	SLV_TRY(borrow(s, err));
	if (m->has_header) {
		SLV_TRY(ulog_look(s, ULOG_HEADER, &msg, &whole, err));
		*bid = whole && ulog_is_sound(&msg) ? BID_MAGIC : BID_HEAD;
	} else {
		SLV_TRY(find_begin(s, bid, err));
	}
	for (size_t i = 0; i < 2 && *bid > 0 && !m->dated; i++)
		SLV_TRY(read_clock(s, clocks[i], err));
	return SLV_OK;
}
