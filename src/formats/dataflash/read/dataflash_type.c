/* dataflash_type.c - a type of messages: how long they are, and where their time is.
 */
#include "formats/dataflash/dataflash_state.h"

/* Where generations of loggers put the time: since the boot, and not the time of
 * the week, which some call alike. */
static const struct {
	const char *name;
	uint8_t letter;
	bool first; /* only as the first field */
	uint64_t mask;
	uint32_t scale;
} stamps[] = {
	{ "TimeUS", 'Q', true, UINT64_MAX, 1 },
	{ "TimeMS", 'I', true, UINT32_MAX, 1000 },
	{ "StartTime", 'Q', true, UINT64_MAX, 1 },
	{ "T", 'I', false, UINT32_MAX, 1000 },
};

static const struct {
	const char *name;
	enum dataflash_role role;
} roles[] = {
	{ "FMTU", DATAFLASH_UNITS },
	{ "PARM", DATAFLASH_PARAMETER },
	{ "MSG", DATAFLASH_MESSAGE },
};

void
dataflash_type_set(struct dataflash_type *t, const uint8_t *fmt)
{
	const struct slv_span name = dataflash_name(fmt);

	memcpy(t->fmt, fmt, DATAFLASH_FMT_SIZE);
	t->length = fmt[DATAFLASH_FMT_LENGTH];
	t->usable = true;
	t->stamp = 0;
	t->mask = t->scale = 0;
	for (size_t i = 0; i < sizeof(stamps) / sizeof(*stamps); i++) {
		uint32_t at =
		    dataflash_field_at(fmt, stamps[i].name, stamps[i].letter);

		if (at == 0 || (stamps[i].first && at != DATAFLASH_HEAD)
		    || t->mask != 0)
			continue;
		t->stamp = (uint8_t)at;
		t->mask = stamps[i].mask;
		t->scale = stamps[i].scale;
	}
	t->role = DATAFLASH_DATA;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (name.len == strlen(roles[i].name)
		    && memcmp(name.at, roles[i].name, name.len) == 0)
			t->role = roles[i].role;
	}
}

enum slv_status
dataflash_peek(const struct slv_scan *s, uint64_t off, uint8_t *out,
    size_t size, size_t *n, struct slv_err *err)
{
	const uint8_t *p;

	memset(out, 0, size);
	*n = off >= s->source->size
	    ? 0
	    : (size_t)slv_min64(size, s->source->size - off);
	if (*n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, *n, &p, err));
	memcpy(out, p, *n);
	return SLV_OK;
}
