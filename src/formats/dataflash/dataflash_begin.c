/* dataflash_begin.c - is it a flight log, and what is known before it is read: the
 * formats of a donor, and what time it was when the vehicle started.
 */
#include "core/scan/resync.h"
#include "formats/dataflash/dataflash_state.h"
#include "support/seek.h"

/* Bits of evidence. */
#define BID_FIRST   104 /* the FMT of FMT at 0, and a message after it */
#define BID_FORMAT  60  /* a format somewhere, and a message after it */
#define BID_CHAIN   60  /* messages by the donor's formats */

#define CHAIN       4                    /* messages in a row */
#define SEARCH      ((uint64_t)8 << 20)  /* bytes in which there is a format */
#define CLOCK       ((uint64_t)64 << 20) /* bytes in which there is a GPS time */
#define CLOCK_TRIES 4096                 /* GPS messages without a time */
#define NEAR        ((uint64_t)64 << 10) /* bytes in which parameters are declared */
#define FIX_3D      3
#define WEEK_US     UINT64_C(604800000000)
#define GPS_EPOCH   UINT64_C(315964800000000) /* us since 1970 */
#define LEAP_US     UINT64_C(18000000)        /* since 2017 */
#define MARKS_MAX   16 /* heads in bytes that are no log, at most */

/* The next format in [*at, to), at *at; to: there is none. */
static enum slv_status
find_format(const struct slv_scan *s, uint64_t *at, uint64_t to, uint8_t *fmt,
    struct slv_err *err)
{
	size_t n;

	for (; *at < to; ++*at) {
		SLV_TRY(slv_seek(
		    s, *at, to, DATAFLASH_MAGIC, DATAFLASH_HEAD, at, err));
		if (*at >= to)
			break;
		SLV_TRY(dataflash_peek(
		    s, *at, fmt, DATAFLASH_FMT_SIZE + 2, &n, err));
		if (n >= DATAFLASH_FMT_SIZE
		    && dataflash_sense_of(fmt) == DATAFLASH_SOUND
		    && (n == DATAFLASH_FMT_SIZE
		        || dataflash_is_head(fmt + DATAFLASH_FMT_SIZE)))
			return SLV_OK;
	}
	*at = to;
	return SLV_OK;
}

static bool
is_first(const uint8_t *fmt)
{
	return fmt[DATAFLASH_FMT_TYPE] == DATAFLASH_FMT;
}

/* What a GPS message has. */
struct clock {
	uint32_t status, week, ms;
};

static struct clock
clock_of(const uint8_t *fmt)
{
	struct clock c = {
		.status = dataflash_field_at(fmt, "Status", 'B'),
		.week = dataflash_field_at(fmt, "GWk", 'H'),
		.ms = dataflash_field_at(fmt, "GMS", 'I'),
	};

	/* Until 2015. */
	if (c.week == 0)
		c.week = dataflash_field_at(fmt, "Week", 'H');
	if (c.ms == 0)
		c.ms = dataflash_field_at(fmt, "TimeMS", 'I');
	return c;
}

/* Look for a GPS message that states the time of day. */
static enum slv_status
read_clock(struct slv_scan *s, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	uint64_t to = slv_min64(s->logical_end, CLOCK), at = s->base;
	struct dataflash_type gps = { .length = 0 };
	uint8_t p[DATAFLASH_LONGEST + 9], mark[] = { 0xa3, 0x95, 0 };
	struct clock c = { 0 };
	size_t n;

	for (; at < to && c.week == 0; at++) {
		SLV_TRY(find_format(s, &at, to, p, err));
		if (at < to && !is_first(p)
		    && memcmp(p + DATAFLASH_FMT_NAME, "GPS", 4) == 0)
			c = clock_of(p);
	}
	if (c.week == 0 || c.status == 0 || c.ms == 0)
		return SLV_OK;
	dataflash_type_set(&gps, p);
	mark[2] = p[DATAFLASH_FMT_TYPE];
	for (int i = 0; i < CLOCK_TRIES && !m->dated; i++, at++) {
		SLV_TRY(slv_seek(s, at, to, mark, sizeof(mark), &at, err));
		if (at >= to)
			return SLV_OK;
		SLV_TRY(dataflash_peek(s, at, p, sizeof(p), &n, err));
		if (n < gps.length + 2u || !dataflash_is_head(p + gps.length)
		    || p[c.status] < FIX_3D || gps.mask == 0)
			continue;
		m->dated = true;
		m->shift =
		    (int64_t)(GPS_EPOCH + slv_get_le16(p + c.week) * WEEK_US
		        + slv_get_le32(p + c.ms) * UINT64_C(1000) - LEAP_US
		        - dataflash_time(&gps, p));
	}
	return SLV_OK;
}

/* What another log of the firmware declares replaces what is lost here. */
static void
borrow(struct slv_scan *s)
{
	struct dataflash *m = dataflash_edit(s);
	const struct dataflash *d;

	if (s->opt.donor == NULL || s->opt.donor->format != s->format
	    || s->reference != NULL)
		return;
	d = dataflash_of(s->opt.donor);
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		if (!d->types[i].declared || !d->types[i].usable)
			continue;
		dataflash_type_set(&m->types[i], d->types[i].fmt);
		m->types[i].lent = true;
	}
}

/* Are there messages in a row somewhere, by the donor's formats? */
static enum slv_status
find_chain(struct slv_scan *s, uint64_t to, bool *yes, struct slv_err *err)
{
	uint64_t at = 0;
	bool spent;

	*yes = false;
	while (!*yes && at < to) {
		struct slv_unit u = { .verdict = SLV_UNIT_GOOD };
		uint64_t next;
		int n = 0;

		SLV_TRY(
		    slv_resync(s, at, to, SLV_ASK_SEARCH, &at, &spent, err));
		next = at;
		while (n < CHAIN && next < to) {
			SLV_TRY(
			    dataflash_unit(s, next, SLV_ASK_SEARCH, &u, err));
			if (u.verdict != SLV_UNIT_GOOD)
				break;
			next += u.len;
			n++;
		}
		*yes = n == CHAIN;
		at++;
	}
	return SLV_OK;
}

/* Does nothing in [0, to) look like messages? */
static enum slv_status
is_junk(const struct slv_scan *s, uint64_t to, bool *yes, struct slv_err *err)
{
	unsigned n = 0;

	for (uint64_t at = 0; at < to && n <= MARKS_MAX; at++) {
		SLV_TRY(slv_seek(
		    s, at, to, DATAFLASH_MAGIC, DATAFLASH_HEAD - 1, &at, err));
		n += at < to;
	}
	*yes = n <= MARKS_MAX;
	return SLV_OK;
}

/* The file does not begin with a format: the log is after other bytes, or its
 * beginning is lost. */
static enum slv_status
find_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH), at = 0;
	uint8_t fmt[DATAFLASH_FMT_SIZE + 2];
	bool yes = false;

	SLV_TRY(find_format(s, &at, to, fmt, err));
	if (at < to) {
		*bid = BID_FORMAT;
		if (is_first(fmt))
			SLV_TRY(is_junk(s, at, &yes, err));
		if (yes)
			s->base = at;
		return SLV_OK;
	}
	if (s->opt.donor == NULL)
		SLV_TRY(dataflash_assume(s, &yes, err));
	else
		SLV_TRY(find_chain(s, to, &yes, err));
	*bid = yes ? BID_CHAIN : 0;
	return SLV_OK;
}

/* Some formats are there.  Are those that can be assumed lost? */
static enum slv_status
find_usual(struct slv_scan *s, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, NEAR), at = s->base;
	uint8_t fmt[DATAFLASH_FMT_SIZE + 2];
	bool any, has_params = false, has_texts = false;

	for (; at < to && !(has_params && has_texts); at++) {
		SLV_TRY(find_format(s, &at, to, fmt, err));
		if (at >= to)
			break;
		has_params |= memcmp(fmt + DATAFLASH_FMT_NAME, "PARM", 4) == 0;
		has_texts |= memcmp(fmt + DATAFLASH_FMT_NAME, "MSG", 4) == 0;
	}
	return has_params && has_texts ? SLV_OK
	                               : dataflash_assume(s, &any, err);
}

enum slv_status
dataflash_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	uint8_t fmt[DATAFLASH_FMT_SIZE + 2];
	struct dataflash *m = dataflash_edit(s);
	uint64_t at = 0;
	size_t n;

	SLV_TRY(
	    dataflash_peek(s, 0, fmt, sizeof(DATAFLASH_ENCRYPTED), &n, err));
	m->encrypted = n == sizeof(DATAFLASH_ENCRYPTED)
	    && memcmp(fmt, DATAFLASH_ENCRYPTED, n) == 0;
	*bid = m->encrypted ? BID_FIRST : 0;
	if (m->encrypted)
		return SLV_OK;
	borrow(s);
	SLV_TRY(find_format(s, &at, slv_min64(1, s->source->size), fmt, err));
	if (at == 0 && s->source->size > 0 && is_first(fmt))
		*bid = BID_FIRST;
	else
		SLV_TRY(find_begin(s, bid, err));
	if (*bid == 0)
		return SLV_OK;
	if (s->opt.donor == NULL && s->reference == NULL)
		SLV_TRY(find_usual(s, err));
	return read_clock(s, err);
}
