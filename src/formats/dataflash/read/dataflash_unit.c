/* dataflash_unit.c - what is at an offset, is it whole, and where else may a message
 * start?
 *
 * Measured on real logs: A3 95, a known type, and A3 95 after its length never occur
 * by chance.  A message states no length, so that one that was cut always looks
 * whole; what follows decides.
 */
#include "formats/dataflash/dataflash_state.h"

#define STRIDE    ((uint64_t)64 << 10) /* bytes searched at once */
#define CLUSTER   4096 /* bytes; where a file system puts other files' bytes */
#define ZEROS     16   /* bytes that are no head of a message, but a hole */
#define NEAR      UINT64_C(60000000)  /* us that messages are apart at most */
#define WRONG_MAX 8                   /* bytes of the first message */
#define TIME_MAX  (UINT64_C(1) << 52) /* us: 142 years */
#define ROOM      (DATAFLASH_LONGEST + 9) /* a message, and more */

/* Is the time of the message soon after the latest one? */
static bool
is_near(
    const struct dataflash *m, const struct dataflash_type *t, const uint8_t *p)
{
	return t->mask == UINT64_MAX && m->latest > 0
	    && dataflash_time(t, p) - m->latest < NEAR;
}

/* May the vehicle have run for so long?  Bytes inside a message that look like one may
 * have any time, and would be later than all of the log. */
static bool
is_possible(const struct dataflash_type *t, const uint8_t *p)
{
	return t->mask == 0 || dataflash_time(t, p) < TIME_MAX;
}

/* Does a message, or the end, follow the first `len` of the n bytes at p? */
static bool
is_followed(const uint8_t *p, size_t len, size_t n)
{
	return len == n || (n - len == 1 && p[len] == 0xa3)
	    || (n - len > 1 && dataflash_is_head(p + len));
}

/* A message of a type without a format ends where the next one begins. */
static size_t
find_end(const uint8_t *p, size_t n)
{
	for (size_t i = DATAFLASH_HEAD; i <= DATAFLASH_LONGEST && i < n; i++) {
		if (is_followed(p, i, n))
			return i;
	}
	return n <= DATAFLASH_LONGEST ? n : 0;
}

/* The length of the message of a known type of the n bytes at p, by the format
 * that what follows confirms; 0: none does. */
static uint32_t
length_of(const struct dataflash_type *t, const uint8_t *p, size_t n)
{
	if (!t->usable)
		return 0;
	if (t->rival > 0 && t->n == 0 && t->rival_length <= n
	    && (t->length > n || !is_followed(p, t->length, n))
	    && is_followed(p, t->rival_length, n))
		return t->rival_length;
	if (t->lent && t->length <= n && !is_followed(p, t->length, n))
		return 0;
	return t->length;
}

static void
set_format(const struct slv_scan *s, uint64_t off, const uint8_t *p, size_t n,
    enum slv_asking asking, struct slv_unit *u)
{
	enum dataflash_sense sense;

	if (n < DATAFLASH_FMT_SIZE)
		return;
	sense = dataflash_sense_of(p);
	if (sense == DATAFLASH_NO_FMT
	    || (sense == DATAFLASH_ODD && asking != SLV_ASK_NEXT))
		return;
	u->verdict = SLV_UNIT_GOOD;
	u->part = SLV_PART_PACK;
	u->tag = DATAFLASH_TAG_FORMAT;
	u->problem = DATAFLASH_PROBLEMS;
	u->len = DATAFLASH_FMT_SIZE;
	if (p[DATAFLASH_FMT_TYPE] != DATAFLASH_FMT || sense == DATAFLASH_ODD
	    || off == s->base)
		return;
	/* The beginning of another log.  In a cluster of its own it is of an
	 * older file, and this log goes on after it. */
	u->tag = DATAFLASH_TAG_LOG;
	u->part = SLV_PART_FRAME;
	u->fate = SLV_FOREIGN;
	u->whole_log = off % CLUSTER != 0;
	if (u->whole_log)
		u->len = s->logical_end - off;
}

/* The first message, damaged: it is the same in all logs. */
static bool
is_first(const uint8_t *p, size_t n)
{
	unsigned wrong = 0;

	for (int i = 0; i < DATAFLASH_FMT_COLUMNS; i++)
		wrong += p[i] != dataflash_first[i];
	return wrong <= WRONG_MAX && n > DATAFLASH_FMT_SIZE + 2
	    && dataflash_is_head(p + DATAFLASH_FMT_SIZE);
}

/* Fill in what the message of data says. */
static void
set_data(const struct dataflash *m, const uint8_t *p, struct slv_unit *u)
{
	const struct dataflash_type *t = &m->types[p[2]];

	u->verdict = SLV_UNIT_GOOD;
	u->tag = DATAFLASH_TAG_DATA;
	u->problem = DATAFLASH_PROBLEMS;
	if (t->role == DATAFLASH_UNITS)
		u->part = SLV_PART_PACK;
	u->has_channel = true;
	u->channel = p[2];
	if (t->mask == 0 || u->len != t->length)
		return;
	u->priv[0] = dataflash_time(t, p);
	u->time = dataflash_moment(m, u->priv[0]);
}

/* Do n bytes FF end the file? */
static enum slv_status
is_padding(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	uint64_t n = s->logical_end - off;
	const uint8_t *p;

	*yes = off < s->logical_end && n <= STRIDE;
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, (size_t)n, &p, err));
	for (uint64_t i = 0; i < n && *yes; i++)
		*yes = p[i] == UINT8_MAX;
	return SLV_OK;
}

enum slv_status
dataflash_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	const struct dataflash_type *t;
	uint8_t p[ROOM];
	bool padding;
	size_t n;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.part = SLV_PART_DATA,
		.problem = asking == SLV_ASK_NEXT ? DATAFLASH_P_MESSAGE
		                                  : DATAFLASH_PROBLEMS,
	};
	if (m->encrypted) {
		u->verdict = SLV_UNIT_GOOD;
		u->part = SLV_PART_FRAME;
		u->tag = DATAFLASH_TAG_LOG;
		u->problem = DATAFLASH_PROBLEMS;
		u->len = s->source->size - off;
		return SLV_OK;
	}
	SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
	if (n > 0 && p[0] == UINT8_MAX && asking == SLV_ASK_NEXT) {
		SLV_TRY(is_padding(s, off, &padding, err));
		if (padding) {
			u->verdict = SLV_UNIT_GOOD;
			u->fate = SLV_FILLER;
			u->tag = DATAFLASH_TAG_PADDING;
			u->problem = DATAFLASH_P_PADDING;
			u->len = s->logical_end - off;
			return SLV_OK;
		}
	}
	if (off == s->base && is_first(p, n)
	    && dataflash_sense_of(p) != DATAFLASH_SOUND) {
		u->verdict = SLV_UNIT_GOOD;
		u->part = SLV_PART_FRAME;
		u->fate = SLV_REBUILT;
		u->tag = DATAFLASH_TAG_FORMAT;
		u->problem = DATAFLASH_P_FIRST;
		u->len = DATAFLASH_FMT_SIZE;
		return SLV_OK;
	}
	if (n < 2 ? n == 0 || p[0] != 0xa3 : !dataflash_is_head(p))
		return SLV_OK;
	t = &m->types[p[2]];
	u->len = n < DATAFLASH_HEAD ? DATAFLASH_HEAD
	    : p[2] == DATAFLASH_FMT ? DATAFLASH_FMT_SIZE
	                            : length_of(t, p, n);
	if (u->len > n) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = DATAFLASH_P_CUT;
		u->len = n;
		return SLV_OK;
	}
	if (p[2] == DATAFLASH_FMT) {
		set_format(s, off, p, n, asking, u);
		return SLV_OK;
	}
	if (u->len > 0) {
		if (is_possible(t, p)
		    && (asking == SLV_ASK_NEXT || is_followed(p, u->len, n)
		        || is_near(m, t, p)))
			set_data(m, p, u);
		return SLV_OK;
	}
	u->len = find_end(p, n);
	if (u->len > 0 && asking == SLV_ASK_NEXT) {
		set_data(m, p, u);
		u->tag = DATAFLASH_TAG_UNKNOWN;
	}
	return SLV_OK;
}

/* A place among the first `upto` of the n bytes at p where a message of a known
 * type may start; upto: there is none. */
static size_t
find_mark(const struct dataflash *m, const uint8_t *p, size_t n, size_t upto)
{
	for (size_t i = 0; i < upto; i++) {
		const uint8_t *at = memchr(p + i, 0xa3, upto - i);

		if (at == NULL)
			return upto;
		i = (size_t)(at - p);
		if (n - i >= DATAFLASH_HEAD && dataflash_is_head(at)
		    && (at[2] == DATAFLASH_FMT || m->types[at[2]].usable))
			return i;
	}
	return upto;
}

enum slv_status
dataflash_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	for (; from < to; from += STRIDE) {
		size_t upto = (size_t)slv_min64(to - from, STRIDE);
		size_t n = (size_t)slv_min64(
		    s->source->size - from, upto + DATAFLASH_HEAD);
		const uint8_t *p;
		size_t at;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		at = find_mark(dataflash_of(s), p, n, upto);
		if (at < upto) {
			*out = from + at;
			return SLV_OK;
		}
	}
	*out = to;
	return SLV_OK;
}

/* One bit is wrong. */
static bool
is_flip(uint8_t a, uint8_t b)
{
	return __builtin_popcount(a ^ b) == 1;
}

/* No message begins at p, after the unit of `len` bytes at `own`.  Is it one of which
 * only the head was hit, in n bytes?  Then the unit is whole, as it is if a hole
 * follows and it does not end like one. */
static bool
is_follower(const struct dataflash *m, const uint8_t *own, size_t len, size_t n)
{
	const uint8_t *p = own + len;
	bool declares =
	    own[2] == DATAFLASH_FMT && own[DATAFLASH_FMT_TYPE] == p[2];
	size_t same = 0,
	       size = declares      ? own[DATAFLASH_FMT_LENGTH]
	    : p[2] == DATAFLASH_FMT ? DATAFLASH_FMT_SIZE
	                            : m->types[p[2]].length;

	while (same < ZEROS && p[same] == p[0])
		same++;
	if (same == ZEROS && (p[0] == 0 || p[0] == UINT8_MAX))
		return p[-1] != p[0];
	return size >= DATAFLASH_HEAD && size + 2 <= n
	    && dataflash_is_head(p + size)
	    && ((is_flip(p[0], 0xa3) && p[1] == 0x95)
	        || (p[0] == 0xa3 && is_flip(p[1], 0x95)));
}

enum slv_status
dataflash_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t end = off + u->len;
	uint8_t p[2 * ROOM];
	size_t n;

	*out = SLV_VOUCHED;
	if (u->tag > DATAFLASH_TAG_DATA || u->fate != SLV_KEPT
	    || end == s->logical_end || end == s->source->size)
		return SLV_OK;
	if (end > s->logical_end) {
		*out = slv_scan_zeros(s, off, end);
	} else {
		SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
		if (is_followed(p, (size_t)u->len, n))
			return SLV_OK;
		if (!is_follower(
		        dataflash_of(s), p, (size_t)u->len, n - (size_t)u->len))
			*out = SLV_SUSPECT;
	}
	if (*out == SLV_UNSURE)
		*out = SLV_SUSPECT;
	if (*out != SLV_VOUCHED)
		u->problem = DATAFLASH_P_SUSPECT;
	return SLV_OK;
}
