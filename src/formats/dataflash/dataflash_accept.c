/* dataflash_accept.c - a unit belongs to the log: remember what it says. */
#include "base/list.h"
#include "formats/dataflash/dataflash_state.h"
#include "support/memory.h"

#define PARAMS 8192 /* places for what is known of parameters; a power of 2 */
#define FNV    UINT64_C(0x100000001b3)

static enum slv_status
add_place(struct slv_scan *s, struct dataflash_place **list, size_t *n,
    size_t *cap, struct dataflash_place place, struct slv_err *err)
{
	uint64_t memory = *n * sizeof(place);

	SLV_TRY(slv_memory_take(s, &memory, sizeof(place), "messages", err));
	SLV_TRY(slv_grow(list, cap, *n + 1, sizeof(place), err));
	(*list)[(*n)++] = place;
	return SLV_OK;
}

/* Leave a format out. */
static enum slv_status
leave_out(struct slv_unit *u, enum slv_fate fate, unsigned problem)
{
	u->fate = fate;
	u->problem = problem;
	return SLV_OK;
}

/* The type has a format already. */
static enum slv_status
accept_second(struct dataflash_type *t, uint64_t off, const uint8_t *fmt,
    struct slv_unit *u)
{
	if (memcmp(t->fmt, fmt, DATAFLASH_FMT_SIZE) == 0)
		return leave_out(u, SLV_FILLER, DATAFLASH_P_REPEATED);
	/* Its messages will show which one is right. */
	if (t->n + t->n_odd + t->rival > 0
	    || dataflash_sense_of(fmt) != DATAFLASH_SOUND)
		return leave_out(u, SLV_LOST, DATAFLASH_P_TWO_MEANINGS);
	t->rival = off;
	t->rival_length = fmt[DATAFLASH_FMT_LENGTH];
	return SLV_OK;
}

static enum slv_status
accept_format(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	struct dataflash_type *t;
	uint8_t fmt[DATAFLASH_FMT_SIZE];
	enum dataflash_sense sense;
	size_t n;

	SLV_TRY(dataflash_peek(s, off, fmt, sizeof(fmt), &n, err));
	sense = dataflash_sense_of(fmt);
	t = &m->types[fmt[DATAFLASH_FMT_TYPE]];
	s->keeps_others = true;
	u->want = fmt[DATAFLASH_FMT_TYPE];
	if (sense == DATAFLASH_ODD)
		return leave_out(u, SLV_LOST, DATAFLASH_P_FORMAT);
	if (t == &m->types[DATAFLASH_FMT]) {
		m->has_first = true;
		return SLV_OK;
	}
	if (t->declared)
		return accept_second(t, off, fmt, u);
	/* What was lent fits, and is what the log itself says. */
	if (t->lent && t->n > 0 && memcmp(t->fmt, fmt, DATAFLASH_FMT_SIZE) != 0)
		return leave_out(u, SLV_LOST, DATAFLASH_P_TWO_MEANINGS);
	if (t->lent && !t->assumed) {
		bool same = memcmp(t->fmt, fmt, DATAFLASH_FMT_SIZE) == 0;

		m->n_agree += same;
		m->n_differ += !same;
	}
	t->late = t->n + t->n_odd > 0;
	dataflash_type_set(t, fmt);
	t->usable = sense == DATAFLASH_SOUND;
	t->declared = true;
	t->lent = t->assumed = false;
	t->at = off;
	if (t->late)
		u->problem = DATAFLASH_P_FORMAT_LATE;
	return SLV_OK;
}

/* A parameter that has another value than before is changed. */
static enum slv_status
accept_parameter(struct dataflash *m, const struct dataflash_type *t,
    const uint8_t *p, struct slv_err *err)
{
	uint32_t name = dataflash_field_at(t->fmt, "Name", 'N');
	uint32_t value = dataflash_field_at(t->fmt, "Value", 'f');
	uint64_t key = 1;
	size_t i;

	if (name == 0 || value == 0)
		return SLV_OK;
	if (m->params == NULL)
		SLV_TRY(slv_new(
		    &m->params, 2 * (size_t)PARAMS, sizeof(*m->params), err));
	for (i = 0; i < 16 && p[name + i] != 0; i++)
		key = (key ^ p[name + i]) * FNV;
	for (i = key % PARAMS; m->params[2 * i] != 0; i = (i + 1) % PARAMS) {
		if (m->params[2 * i] != key)
			continue;
		m->changed += m->params[2 * i + 1] != slv_get_le32(p + value);
		m->params[2 * i + 1] = slv_get_le32(p + value);
		return SLV_OK;
	}
	if (m->n_params >= PARAMS / 2)
		return SLV_OK;
	m->n_params++;
	m->params[2 * i] = key;
	m->params[2 * i + 1] = slv_get_le32(p + value);
	return SLV_OK;
}

/* "ArduCopter V4.5.1 (abcdef12)", "APM:Copter V3.3" */
static bool
is_firmware(struct slv_span text)
{
	const uint8_t *v = memchr(text.at, 'V', text.len);

	while (v != NULL && (v == text.at || v[-1] != ' '))
		v = memchr(v + 1, 'V', text.len - (size_t)(v + 1 - text.at));
	return v != NULL && v + 1 < text.at + text.len && v[1] >= '0'
	    && v[1] <= '9';
}

static enum slv_status
accept_role(struct slv_scan *s, uint64_t off, const struct dataflash_type *t,
    const uint8_t *p, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	uint32_t at;

	switch (t->role) {
	case DATAFLASH_PARAMETER: return accept_parameter(m, t, p, err);
	case DATAFLASH_UNITS:
		m->units_type = (uint8_t)(t - m->types);
		at = dataflash_field_at(t->fmt, "FmtType", 'B');
		return at == 0
		    ? SLV_OK
		    : add_place(s, &m->units, &m->n_units, &m->cap_units,
		        (struct dataflash_place){ off, p[at], t->length }, err);
	case DATAFLASH_MESSAGE:
		at = dataflash_field_at(t->fmt, "Message", 'Z');
		if (at > 0 && m->firmware == 0
		    && is_firmware(dataflash_text(p + at, 64)))
			m->firmware = off + at;
		return SLV_OK;
	default: return SLV_OK;
	}
}

/* Messages show that the second format of their type is the right one. */
static enum slv_status
take_rival(struct slv_scan *s, struct dataflash_type *t, struct slv_err *err)
{
	uint64_t first = t->at;
	uint8_t fmt[DATAFLASH_FMT_SIZE];
	size_t n;

	SLV_TRY(dataflash_peek(s, t->rival, fmt, sizeof(fmt), &n, err));
	if (n < sizeof(fmt) || dataflash_sense_of(fmt) != DATAFLASH_SOUND)
		return slv_scan_changed(s, err);
	dataflash_type_set(t, fmt);
	t->at = t->rival;
	t->rival = first;
	return SLV_OK;
}

static enum slv_status
accept_data(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	struct dataflash_type *t = &m->types[u->channel];
	uint8_t p[DATAFLASH_LONGEST + 9];
	uint64_t us;
	size_t n;

	if (u->tag == DATAFLASH_TAG_UNKNOWN) {
		t->n_odd++;
		return add_place(s, &m->odd, &m->n_odd, &m->cap_odd,
		    (struct dataflash_place){
		        off, (uint8_t)u->channel, (uint8_t)u->len },
		    err);
	}
	if (u->len != t->length)
		SLV_TRY(take_rival(s, t, err));
	SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
	us = dataflash_time(t, p);
	if (t->n++ == 0) {
		t->first_off = off;
		t->first = us;
	}
	if (t->mask != 0) {
		m->back |= us < t->last || us < m->latest;
		m->latest = us;
		t->last = us;
	}
	m->quick[u->channel] =
	    t->role == DATAFLASH_DATA && !t->late ? t->length : 0;
	return accept_role(s, off, t, p, err);
}

enum slv_status
dataflash_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	switch (u->tag) {
	case DATAFLASH_TAG_FORMAT:
		return u->fate == SLV_KEPT ? accept_format(s, off, u, err)
		                           : SLV_OK;
	case DATAFLASH_TAG_DATA:
	case DATAFLASH_TAG_UNKNOWN: return accept_data(s, off, u, err);
	default: return SLV_OK;
	}
}
