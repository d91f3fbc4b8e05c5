/* mcap_look.c - records of the file. */
#include <string.h>

#include "base/find.h"
#include "formats/mcap/mcap_state.h"

#define FIRST ((size_t)512) /* bytes searched at once, ... */
#define STRIDE                                                                 \
	((size_t)64 << 10) /* ... and twice as many each time up to this */
#define AHEAD MCAP_HEAD    /* bytes that show what may be a record */
#define DAY   ((uint64_t)86400 * 1000000000)

static const uint8_t lz4_magic[] = { 0x04, 0x22, 0x4d, 0x18 };
static const uint8_t zstd_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };

static size_t
longer(size_t step)
{
	return step < STRIDE ? 2 * step : STRIDE;
}

enum slv_status
mcap_look(const struct slv_scan *s, uint64_t off, struct mcap_record *r,
    enum mcap_read *read, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);

	return mcap_record_get(&b, off, r, read, err);
}

enum slv_status
mcap_look_again(const struct slv_scan *s, uint64_t off, uint64_t end,
    struct mcap_record *r, struct slv_err *err)
{
	enum mcap_read read;

	SLV_TRY(mcap_look(s, off, r, &read, err));
	return read == MCAP_WHOLE && mcap_span(r) <= end - off
	    ? SLV_OK
	    : slv_scan_changed(s, err);
}

static bool
is_near(uint64_t at, uint64_t from, uint64_t to)
{
	return at >= from - slv_min64(from, DAY)
	    && at - slv_min64(at, DAY) <= to;
}

bool
mcap_continues(const struct mcap *m, uint64_t at)
{
	return (m->messages > 0 && is_near(at, m->from, m->to))
	    || (m->told && is_near(at, m->told_from, m->told_to));
}

bool
mcap_is_ours(const struct mcap *m, uint16_t id, uint64_t at)
{
	/* Chunks bound what a jump of the clock can cost. */
	if (!m->chunked && !m->told
	    && mcap_decl_find(m, MCAP_CHANNEL, id) != MCAP_NONE)
		return true;
	return (m->messages == 0 && !m->told) || mcap_continues(m, at)
	    || (m->told && is_near(at, m->told_from, m->told_to));
}

bool
mcap_is_message(const struct mcap *m, const struct mcap_record *r)
{
	return mcap_is_ours(m, (uint16_t)r->v[MCAP_ID], r->v[MCAP_LOG_TIME]);
}

enum slv_status
mcap_look_strict(const struct slv_scan *s, uint64_t off, struct mcap_record *r,
    bool *yes, struct slv_err *err)
{
	const struct mcap_bytes b = mcap_bytes_of(s);
	enum mcap_read read;

	SLV_TRY(mcap_record_get(&b, off, r, &read, err));
	*yes = read == MCAP_WHOLE;
	if (*yes)
		SLV_TRY(mcap_record_strict(&b, off, r, yes, err));
	if (*yes && r->op == MCAP_MESSAGE)
		*yes = mcap_is_message(mcap_of(s), r);
	return SLV_OK;
}

/* Where in n bytes at p, before `upto`, the head of a record with an opcode of
 * `ops` may be, whose length has less than 48 bits or was never set. */
static size_t
find_head(const uint8_t *p, size_t n, size_t upto, unsigned ops)
{
	for (size_t i = 0; i < upto && i + MCAP_HEAD <= n; i++) {
		if (p[i] >= MCAP_OPS || !(ops >> p[i] & 1))
			continue;
		if ((p[i + 7] == 0 && p[i + 8] == 0)
		    || slv_get_le64(p + i + 1) == MCAP_OPEN)
			return i;
	}
	return upto;
}

enum slv_status
mcap_find(const struct slv_scan *s, uint64_t from, uint64_t to, unsigned ops,
    uint64_t *out, struct slv_err *err)
{
	uint64_t end = slv_min64(to, s->logical_end);
	size_t step = FIRST;

	for (*out = to; from < end;) {
		size_t upto = (size_t)slv_min64(end - from, step);
		size_t n =
		    (size_t)slv_min64(s->source->size - from, upto + AHEAD);
		struct mcap_record r;
		const uint8_t *p;
		size_t at;
		bool yes;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		at = find_head(p, n, upto, ops);
		from += at;
		step = at == upto ? longer(step) : FIRST;
		if (at == upto)
			continue;
		SLV_TRY(mcap_look_strict(s, from, &r, &yes, err));
		if (yes) {
			*out = from;
			return SLV_OK;
		}
		from++;
	}
	return SLV_OK;
}

enum slv_status
mcap_find_frame(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, enum slv_codec_kind *codec, struct slv_err *err)
{
	size_t step = FIRST;

	for (*out = to; from < to; from += step, step = longer(step)) {
		size_t n = (size_t)slv_min64(s->logical_end - from,
		    slv_min64(to - from, step) + sizeof(lz4_magic) - 1);
		const uint8_t *p, *a, *b;
		uint64_t at;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		a = slv_find_bytes(p, n, lz4_magic, sizeof(lz4_magic));
		b = slv_find_bytes(p, n, zstd_magic, sizeof(zstd_magic));
		if (a == NULL && b == NULL)
			continue;
		*codec = a != NULL && (b == NULL || a < b) ? SLV_CODEC_LZ4
		                                           : SLV_CODEC_ZSTD;
		at = from + (uint64_t)((*codec == SLV_CODEC_LZ4 ? a : b) - p);
		*out = slv_min64(at, to);
		return SLV_OK;
	}
	return SLV_OK;
}

/* Whether a record that the file ends in begins at off. */
static bool
is_begun(const struct mcap *m, const struct mcap_record *r)
{
	bool possible = r->len < (uint64_t)1 << 40 || r->len == MCAP_OPEN;

	if (r->op >= MCAP_OPS)
		return false;
	if (r->op == MCAP_MESSAGE && r->at[MCAP_LOG_TIME] > 0)
		return mcap_is_message(m, r)
		    && (possible || mcap_continues(m, r->v[MCAP_LOG_TIME]));
	return possible;
}

/* Whether a record with a damaged opcode is at off: its length leads to another
 * one. */
static enum slv_status
leads_on(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct mcap_record r;
	const uint8_t *p;
	uint64_t len;

	*yes = false;
	if (!slv_range_in(off, MCAP_HEAD, s->logical_end))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, MCAP_HEAD, &p, err));
	len = slv_get_le64(p + 1);
	if (len == 0 || !slv_range_in(off + MCAP_HEAD, len, s->logical_end))
		return SLV_OK;
	return mcap_look_strict(s, off + MCAP_HEAD + len, &r, yes, err);
}

enum slv_status
mcap_is_misread(const struct slv_scan *s, uint64_t off, uint64_t end, bool *yes,
    struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk *c = mcap_chunk_of(m, off);
	uint64_t limit = s->logical_end;
	struct mcap_record r;

	if (mcap_is_inside(m, off) && c->claim.stored != MCAP_OPEN)
		limit = c->data + c->claim.stored;
	*yes = end > limit;
	for (uint64_t at = off + 1; at < off + MCAP_HEAD && !*yes; at++) {
		SLV_TRY(mcap_look_strict(s, at, &r, yes, err));
		if (*yes && at + mcap_span(&r) < limit)
			SLV_TRY(mcap_look_strict(
			    s, at + mcap_span(&r), &r, yes, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_goes_on(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct mcap_bytes b = { s->window, NULL, s->logical_end };
	struct mcap_record r, next;
	enum mcap_read read;

	*yes = off >= s->logical_end;
	if (*yes)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(s, off, &r, yes, err));
	*yes |= r.op == MCAP_MESSAGE && r.len < s->logical_end - off
	    && mcap_decl_find(mcap_of(s), MCAP_CHANNEL, (uint16_t)r.v[MCAP_ID])
	        != MCAP_NONE;
	if (*yes)
		return SLV_OK;
	SLV_TRY(mcap_is_magic(s, off, yes, err));
	if (*yes)
		return SLV_OK;
	/* Zeros up to the end of the file may be what was never written. */
	SLV_TRY(mcap_record_get(&b, off, &r, &read, err));
	if (read == MCAP_SHORT) {
		*yes = is_begun(mcap_of(s), &r);
		return SLV_OK;
	}
	if (r.op == MCAP_CHUNK && r.len == MCAP_OPEN) {
		*yes = true;
		return SLV_OK;
	}
	/* A newer writer adds fields, an application opcodes: another record
	 * must follow. */
	if (read != MCAP_WHOLE || r.len == 0)
		return leads_on(s, off, yes, err);
	SLV_TRY(mcap_look(s, off + mcap_span(&r), &next, &read, err));
	*yes = read == MCAP_WHOLE && next.op < MCAP_OPS;
	if (!*yes || r.op < MCAP_PRIVATE)
		return SLV_OK;
	SLV_TRY(mcap_is_misread(s, off, off + mcap_span(&r), yes, err));
	*yes = !*yes;
	return SLV_OK;
}

/* The first place in [from, to) where the magic is; to: none. */
enum slv_status
mcap_find_magic(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	size_t step = FIRST;

	for (*out = to; from < to; from += step, step = longer(step)) {
		size_t n = (size_t)slv_min64(s->logical_end - from,
		    slv_min64(to - from, step) + MCAP_MAGIC_SIZE - 1);
		const uint8_t *p, *hit;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		hit = slv_find_bytes(p, n, MCAP_MAGIC, MCAP_MAGIC_SIZE);
		if (hit == NULL)
			continue;
		*out = slv_min64(from + (uint64_t)(hit - p), to);
		return SLV_OK;
	}
	return SLV_OK;
}
