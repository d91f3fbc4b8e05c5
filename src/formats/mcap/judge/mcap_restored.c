/* mcap_restored.c - what other parts of the file say of a chunk that its checksum
 * contradicts.
 *
 * The MessageIndexes repeat the channel, the time and the place of each message, and the
 * summary or another chunk repeats schemas and channels.  With all of that in place the
 * checksum is tried once more: if it matches now, the chunk is as it was recorded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "digest/crc32.h"
#include "formats/mcap/judge/mcap_judge.h"

#define TRY_COST                                                               \
	64 /* of a look at a record or a declaration, besides its bytes */

/* The records of a chunk while they are corrected. */
struct restoring {
	const struct mcap *mcap;
	const struct mcap_names *names;
	uint8_t *bytes;
	uint64_t n;
	const struct mcap_decl *before; /* what was declared last */
	bool lengths; /* those that messages state are right, if they can be */
	uint64_t budget; /* of comparisons */
	const volatile sig_atomic_t *cancel;
};

/* Whether as much may still be spent on comparisons. */
static bool
spend(struct restoring *x, uint64_t n)
{
	if (n > x->budget || slv_is_cancelled(x->cancel))
		x->budget = 0;
	else
		x->budget -= n;
	return x->budget > 0;
}

/* The next place after `at` that an index names; the end of the chunk: none. */
static uint64_t
next_named(const struct restoring *x, uint64_t at)
{
	struct slv_search f = { .high = x->names->n };

	while (slv_search(&f))
		slv_search_on(&f, x->names->at[f.mid].offset <= at);
	return f.low < x->names->n ? slv_min64(x->names->at[f.low].offset, x->n)
	                           : x->n;
}

/* Whether a record that a chunk may hold is at this place, and ends by `limit`; its
 * length. */
static bool
is_record(const struct restoring *x, uint64_t at, uint64_t limit, uint64_t *len)
{
	const struct mcap_bytes b = { NULL, x->bytes, limit };
	struct mcap_record r;
	enum mcap_read read;

	/* Bytes in memory can always be read. */
	(void)mcap_record_get(&b, at, &r, &read, NULL);
	*len = mcap_span(&r);
	return read == MCAP_WHOLE && mcap_is_inner(&r);
}

/* Whether what begins at this place is a record, or would be with what an index says of
 * it; or nothing does. */
static bool
begins(const struct restoring *x, uint64_t at)
{
	uint64_t len;

	return at == x->n || mcap_names_place(x->names, at) != NULL
	    || is_record(x, at, next_named(x, at), &len);
}

/* Whether whole records fill [at, limit). */
static bool
are_records(struct restoring *x, uint64_t at, uint64_t limit)
{
	uint64_t len;

	while (
	    at < limit && spend(x, TRY_COST) && is_record(x, at, limit, &len))
		at += len;
	return at == limit;
}

/* Where a message with a wrong length ends: where schemas and channels begin that
 * fill the rest up to the next message, or there. */
static uint64_t
find_end(struct restoring *x, uint64_t at, uint64_t limit)
{
	for (uint64_t end = at; end + MCAP_HEAD < limit && spend(x, 1); end++) {
		if ((x->bytes[end] == MCAP_SCHEMA
		        || x->bytes[end] == MCAP_CHANNEL)
		    && are_records(x, end, limit))
			return end;
	}
	return limit;
}

/* The message at this place is what its index says.  Returns its length. */
static uint64_t
put_message(struct restoring *x, const struct mcap_named *named)
{
	uint64_t at = named->offset, limit = next_named(x, at), len;
	uint8_t *p = x->bytes + at;

	if (limit - at < MCAP_MESSAGE_HEAD)
		return 0;
	p[0] = MCAP_MESSAGE;
	slv_put_le16(p + MCAP_HEAD, named->id);
	slv_put_le64(p + MCAP_HEAD + 6, named->time);
	if (is_record(x, at, limit, &len)
	    && (x->lengths || begins(x, at + len)))
		return len;
	len = find_end(x, at + MCAP_MESSAGE_HEAD, limit) - at;
	slv_put_le64(p + 1, len - MCAP_HEAD);
	return len;
}

/* What a checksum confirms of this number; NULL: nothing. */
static const struct mcap_decl *
declared(const struct mcap *m, unsigned op, uint16_t id)
{
	size_t i = mcap_decl_find(m, op, id);

	return i != MCAP_NONE && m->decls[i].declared && m->decls[i].proven
	    ? &m->decls[i]
	    : NULL;
}

/* The declaration that has most bytes in common with what is at a place, and leads to
 * a record: if possible one that is nowhere else in the data, and has messages.
 * NULL: none has any. */
static const struct mcap_decl *
most_like(struct restoring *x, uint64_t at, uint64_t limit)
{
	const struct mcap *m = x->mcap;
	const struct mcap_decl *best = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];
		const uint8_t *text;
		uint64_t same = 0;

		if (!spend(x, TRY_COST))
			return NULL;
		if (declared(m, d->op, d->id) == NULL || d == x->before
		    || d->len > limit - at || !begins(x, at + d->len))
			continue;
		if (!spend(x, d->len))
			return NULL;
		text = m->texts.at + d->text;
		for (uint64_t k = 0; k < d->len; k++)
			same += x->bytes[at + k] == text[k];
		if (same > 0 && !d->recorded)
			same += d->n > 0 ? 2 * d->len : d->len;
		if (same > most) {
			most = same;
			best = d;
		}
	}
	return best;
}

/* The schema or channel at this place is what another copy says.  Returns its length; 0:
 * none is known. */
static uint64_t
put_declaration(struct restoring *x, uint64_t at)
{
	uint64_t limit = next_named(x, at), len;
	bool whole = is_record(x, at, limit, &len);
	const uint8_t *p = x->bytes + at;
	const struct mcap_decl *d = NULL;

	if (whole && (p[0] == MCAP_SCHEMA || p[0] == MCAP_CHANNEL))
		d = declared(x->mcap, p[0], slv_get_le16(p + MCAP_HEAD));
	if (d == NULL || d->len != len) {
		d = most_like(x, at, limit);
		/* Nothing else repeats what is whole and nowhere else. */
		if (whole && d != NULL && d->recorded)
			d = NULL;
	}
	if (d == NULL || (whole && (p[0] == MCAP_MESSAGE || d->len != len)))
		return whole ? len : 0;
	memcpy(x->bytes + at, x->mcap->texts.at + d->text, (size_t)d->len);
	x->before = d;
	return d->len;
}

/* Put all that is known in place; true: the checksum matches then. */
static bool
restore(struct restoring *x, const uint8_t *there, uint32_t crc)
{
	x->before = NULL;
	memcpy(x->bytes, there, (size_t)x->n);
	for (uint64_t at = 0, len; at < x->n; at += len) {
		const struct mcap_named *named = mcap_names_place(x->names, at);

		len = named != NULL ? put_message(x, named)
		                    : put_declaration(x, at);
		if (len == 0 || len > x->n - at || slv_is_cancelled(x->cancel))
			return false;
	}
	return slv_crc32(0, x->bytes, (size_t)x->n) == crc;
}

/* Patches for all bytes that differ from those that are there. */
static enum slv_status
add_patches(const struct mcap_chunk *c, const struct restoring *x,
    const uint8_t *there, struct slv_mends *out, struct slv_err *err)
{
	for (uint64_t at = 0, end; at < x->n; at = end) {
		struct slv_problem problem = {
			.info = &mcap_problems[MCAP_P_RESTORED],
		};

		end = at + 1;
		if (there[at] == x->bytes[at])
			continue;
		while (end < x->n && there[end] != x->bytes[end])
			end++;
		problem.off = c->data + at;
		problem.len = end - at;
		SLV_TRY(slv_mends_add(out, problem.off, x->bytes + at,
		    (size_t)problem.len, &problem, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_restore_chunk(struct slv_scan *s, const struct mcap_chunk *c,
    const uint8_t *there, uint64_t *budget, struct slv_mends *out,
    struct slv_err *err)
{
	uint64_t n = c->claim.stored;
	uint64_t most = slv_min64(MCAP_TRIES_MAX(n), *budget);
	struct mcap_names names = { 0 };
	struct restoring x = {
		.mcap = mcap_of(s),
		.names = &names,
		.n = n,
		.lengths = true,
		.budget = most,
		.cancel = s->opt.cancel,
	};
	bool found;
	enum slv_status st = mcap_names_read(
	    s, c->data + n, (size_t)(n / MCAP_MESSAGE_HEAD) + 1, &names, err);

	if (st == SLV_OK)
		st = slv_new(&x.bytes, (size_t)n, 1, err);
	if (st == SLV_OK) {
		found = restore(&x, there, c->claim.crc);
		x.lengths = false;
		if (found || restore(&x, there, c->claim.crc))
			st = add_patches(c, &x, there, out, err);
		else
			st = slv_scan_go_on(s, err);
	}
	*budget -= most - x.budget;
	slv_free(x.bytes);
	slv_free(names.at);
	return st;
}
