/* cyber_header.c - read the header, even if it is damaged, and rebuild it. */
#include <string.h>

#include "formats/cyber/cyber_state.h"

#define AHEAD    12 /* bytes of a field, and more, that may be damaged */
#define BLANK    '0'
#define SANE_MAX ((uint64_t)1 << 60) /* ns, or bytes: no recorder sets more */

/* What the recorder is built with. */
static const uint64_t usual[CYBER_HEAD_FIELDS + 1] = {
	[CYBER_MAJOR] = 1,
	[CYBER_CHUNK_INTERVAL] = UINT64_C(20000000000),
	[CYBER_SEGMENT_INTERVAL] = UINT64_C(60000000000),
	[CYBER_CHUNK_RAW] = 200 << 20,
	[CYBER_SEGMENT_RAW] = UINT64_C(2) << 30,
};

/* What recorders let people set: no version but 1.0, milliseconds, MiB. */
static const struct {
	enum cyber_number tag;
	uint64_t least, most, unit;
} ranges[] = {
	{ CYBER_MAJOR, 1, 1, 1 },
	{ CYBER_MINOR, 0, 0, 1 },
	{ CYBER_COMPRESS, 0, 2, 1 },
	{ CYBER_CHUNK_INTERVAL, 0, SANE_MAX, 1000000 },
	{ CYBER_SEGMENT_INTERVAL, 0, SANE_MAX, 1000000 },
	{ CYBER_CHUNK_RAW, 0, SANE_MAX, 1 << 20 },
	{ CYBER_SEGMENT_RAW, 0, SANE_MAX, 1 << 20 },
};

static void
set(struct cyber_head *h, uint32_t tag, uint64_t v)
{
	h->v[tag] = v;
	h->has |= 1u << tag;
}

static void
unset(struct cyber_head *h, uint32_t tag)
{
	h->v[tag] = usual[tag];
	h->has &= ~(1u << tag);
}

/* Take fields from *at on, as long as their tags ascend; *last is the last
 * one. */
static void
take_fields(struct cyber_head *h, const uint8_t *p, size_t n, size_t *at,
    uint32_t *last)
{
	struct cyber_field f;
	size_t end;

	while (*at < n && cyber_field_get(p + *at, n - *at, &f) == CYBER_WHOLE
	    && f.tag > *last && f.is_span == (f.tag > CYBER_HEAD_FIELDS)
	    && f.len <= n - *at - f.head) {
		end = *at + f.head + (size_t)f.len;
		if (!f.is_span) {
			set(h, f.tag, f.number);
		} else {
			memcpy(h->rest + h->rest_len, p + *at, end - *at);
			h->rest_len += end - *at;
		}
		*last = f.tag;
		*at = end;
	}
}

/* Where fields go on after damage at `at`; n: nowhere. */
static size_t
find_field(const uint8_t *p, size_t n, size_t at, uint32_t last)
{
	for (size_t j = at; j < n && j < at + AHEAD; j++) {
		struct cyber_head probe = { 0 };
		uint32_t tag = last;
		size_t end = j;

		take_fields(&probe, p, n, &end, &tag);
		if (__builtin_popcount(probe.has) >= 2
		    || (probe.has & 1u << CYBER_SEGMENT_RAW) != 0)
			return j;
	}
	return n;
}

size_t
cyber_padding(const uint8_t *p, size_t n)
{
	size_t blanks = 0, at;

	while (blanks < n && p[blanks] == BLANK)
		blanks++;
	at = blanks;
	while (blanks < 2 && at < n && p[at] == 0)
		at++;
	return at;
}

/* Whether two numbers differ in one byte of their varints. */
static bool
is_hit(uint64_t a, uint64_t b)
{
	unsigned n = 0;

	for (; a > 0x7f && b > 0x7f; a >>= 7, b >>= 7)
		n += (a & 0x7f) != (b & 0x7f);
	return a <= 0x7f && b <= 0x7f && n + (a != b) == 1;
}

/* Let numbers that nobody sets, and that are, except for a byte, what recorders are
 * built with, be that again.  Returns whether there were none. */
static bool
settle_numbers(struct cyber_head *h)
{
	bool plain = true;

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		uint32_t tag = ranges[i].tag;
		uint64_t v = h->v[tag];

		if ((v >= ranges[i].least && v <= ranges[i].most
		        && v % ranges[i].unit == 0)
		    || !is_hit(v, usual[tag]))
			continue;
		unset(h, tag);
		plain = false;
	}
	return plain;
}

void
cyber_head_get(const uint8_t *p, size_t n, struct cyber_head *h)
{
	size_t at = CYBER_SECTION, size;
	uint32_t last = 0;

	memset(h, 0, sizeof(*h));
	memcpy(h->v, usual, sizeof(h->v));
	if (n < CYBER_SECTION)
		return;
	take_fields(h, p, n, &at, &last);
	size = (size_t)slv_min64(slv_get_le64(p + 8), CYBER_DATA_START);
	h->whole = slv_get_le32(p) == 0 && size + CYBER_SECTION == at
	    && (h->has & 1u << CYBER_MAJOR) != 0;
	h->padded = h->whole && n == CYBER_DATA_START
	    && cyber_padding(p + at, n - at) == n - at;
	while (!h->whole) {
		size_t next = find_field(p, n, at, last);

		if (next == n)
			break;
		/* What is before the damage may be part of it. */
		if (last <= CYBER_HEAD_FIELDS)
			unset(h, last);
		take_fields(h, p, n, &next, &last);
		at = next;
	}
	h->plain = settle_numbers(h);
	for (uint32_t tag = 1; !h->whole && tag <= CYBER_HEAD_FIELDS; tag++) {
		if (h->v[tag] > SANE_MAX)
			unset(h, tag);
	}
}

void
cyber_put_head(struct slv_buf *b, const struct cyber_head *h)
{
	struct slv_buf body = { 0 };
	uint8_t room[CYBER_DATA_START] = { 0 };

	cyber_put_numbers(&body, h->v, CYBER_HEAD_FIELDS);
	slv_buf_add(&body, h->rest, h->rest_len);
	b->failed |= body.failed;
	if (!body.failed && body.len <= sizeof(room) - CYBER_SECTION) {
		slv_put_le64(room + 8, body.len);
		memcpy(room + CYBER_SECTION, body.at, body.len);
		if (body.len < sizeof(room) - CYBER_SECTION)
			room[CYBER_SECTION + body.len] = BLANK;
		slv_buf_add(b, room, sizeof(room));
	}
	slv_buf_free(&body);
}
