/* mcap_carried.c - whether records after a gap, or another log, are inside a payload.
 *
 * Recordings of recordings hold whole files in messages and attachments.  If such a
 * record is damaged, the records of the inner file look like those of this one.  But
 * their chain leads to the end of the inner file, after which this file goes on.  Records
 * that are visible in the data of a broken compressed chunk form no chain.
 */
#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "formats/mcap/judge/mcap_judge.h"
#include "formats/mcap/read/mcap_unit.h"

#define MESSAGE_TIME (MCAP_HEAD + 6) /* where a message states it */
#define CRC_SIZE     4  /* bytes of an attachment after its content */
#define NESTED       16 /* magics that are examined */
#define BEFORE       1024 /* bytes before a payload that are searched for its head */
#define PREFIX       16 /* bytes of a payload before the file in it: CDR, lengths */

/* Whether this file goes on after a file that ends at `end`: its own end is elsewhere,
 * or another record is there. */
static enum slv_status
goes_on(const struct slv_scan *s, uint64_t end, bool *yes, struct slv_err *err)
{
	struct mcap_record r;

	SLV_TRY(mcap_is_magic(s, end, yes, err));
	if (*yes) {
		/* Files that were joined. */
		*yes = false;
		return SLV_OK;
	}
	SLV_TRY(mcap_is_magic(s, s->logical_end - MCAP_MAGIC_SIZE, yes, err));
	if (!*yes)
		SLV_TRY(mcap_look_strict(s, end, &r, yes, err));
	if (!*yes)
		SLV_TRY(mcap_look_strict(s, end + CRC_SIZE, &r, yes, err));
	return SLV_OK;
}

/* Whether the magic there ends a file: a footer is before it, or a record, perhaps
 * after the checksum of an attachment, follows it. */
static enum slv_status
is_end(const struct slv_scan *s, uint64_t magic, bool *yes, struct slv_err *err)
{
	uint64_t end = magic + MCAP_MAGIC_SIZE;
	struct mcap_record r;

	SLV_TRY(mcap_is_after_footer(s, magic, yes, err));
	if (!*yes)
		SLV_TRY(mcap_look_strict(s, end, &r, yes, err));
	if (!*yes)
		SLV_TRY(mcap_look_strict(s, end + CRC_SIZE, &r, yes, err));
	return SLV_OK;
}

/* The next magic from `from` on.  No bytes are searched twice. */
static enum slv_status
next_magic(
    struct slv_scan *s, uint64_t from, uint64_t *out, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	if (from < m->quiet_from || from > m->quiet_to) {
		m->quiet_from = from;
		SLV_TRY(mcap_find_magic(
		    s, from, s->logical_end, &m->quiet_to, err));
	}
	*out = m->quiet_to;
	return SLV_OK;
}

/* Whether `mark` is at the start of an inner file or inside one, after which this file goes
 * on.  Only the magics of files are examined, because damage may interrupt the records. */
static enum slv_status
is_enclosed(struct slv_scan *s, uint64_t mark, uint64_t *end, bool *yes,
    struct slv_err *err)
{
	uint64_t at = mark, magic;
	unsigned depth = 0;
	struct mcap_record r;
	bool begins;

	*yes = false;
	for (int i = 0; i < NESTED; i++, at = magic + MCAP_MAGIC_SIZE) {
		SLV_TRY(next_magic(s, at, &magic, err));
		if (magic >= s->logical_end)
			return SLV_OK;
		SLV_TRY(mcap_look_strict(
		    s, magic + MCAP_MAGIC_SIZE, &r, &begins, err));
		begins &= r.op == MCAP_HEADER;
		if (begins && i == 0 && magic != mark)
			return SLV_OK;
		depth = begins ? depth + 1 : depth - (depth > 0);
		*end = magic + MCAP_MAGIC_SIZE;
		if (depth > 0)
			continue;
		if (*end < s->logical_end)
			SLV_TRY(goes_on(s, *end, yes, err));
		/* A magic may be anywhere in a payload. */
		if (*yes && !begins)
			SLV_TRY(is_end(s, magic, yes, err));
		return SLV_OK;
	}
	return SLV_OK;
}

/* Note a record of a chain; if there is no space, keep every second one. */
static void
note(struct mcap_way *way, uint64_t at)
{
	if (way->steps++ % way->each != 0)
		return;
	if (way->n == MCAP_WAY_MARKS) {
		for (way->n = 0; way->n < MCAP_WAY_MARKS / 2; way->n++)
			way->at[way->n] = way->at[2 * way->n];
		way->each *= 2;
	}
	way->at[way->n++] = at;
}

/* Follow records from mark on, until they are those of the known chain; *way is all
 * zeros. */
static enum slv_status
follow(const struct slv_scan *s, const struct mcap_way *known, uint64_t mark,
    struct mcap_way *way, struct slv_err *err)
{
	struct slv_search f = { .high = known != NULL ? known->n : 0 };
	bool on = true;

	way->each = 1;
	way->to.end = mark;
	while (slv_search(&f))
		slv_search_on(&f, known->at[f.mid] < mark);
	for (size_t i = f.low; on;) {
		while (
		    known != NULL && i < known->n && known->at[i] < way->to.end)
			i++;
		if (known != NULL && i < known->n
		    && known->at[i] == way->to.end) {
			way->to = known->to;
			return SLV_OK;
		}
		note(way, way->to.end);
		SLV_TRY(mcap_step(s, &way->to, &on, err));
	}
	return SLV_OK;
}

/* Follow the chain of records from `mark` on.  If there are many gaps, the chains after
 * them join one that was already followed: so the longest one is remembered. */
static enum slv_status
find_chain(struct slv_scan *s, uint64_t mark, struct mcap_chain *out,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_way *way;
	enum slv_status st;

	SLV_TRY(slv_new(&way, 1, sizeof(*way), err));
	st = follow(s, m->way, mark, way, err);
	*out = way->to;
	if (st == SLV_OK && (m->way == NULL || way->to.end > m->way->to.end)) {
		slv_free(m->way);
		m->way = way;
	} else {
		slv_free(way);
	}
	return st;
}

/* Whether the file ends inside the message at `lost`, so that all after its head is in
 * its payload: the length of its chunk, which is stated elsewhere, has room for it. */
static enum slv_status
is_cut_message(const struct slv_scan *s, uint64_t lost,
    const struct slv_unit *u, bool *yes, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_chunk *c = mcap_chunk_of(m, lost);
	const struct slv_catalog *catalog = &s->catalog;
	const uint8_t *p;

	*yes = u->verdict == SLV_UNIT_SHORT && u->tag == MCAP_MESSAGE
	    && catalog->n > 0 && catalog->end == lost
	    && catalog->at[catalog->n - 1].fate == SLV_KEPT && c != NULL
	    && c->headed && !c->damaged && c->claim.stored != MCAP_OPEN
	    && mcap_is_inside(m, lost)
	    && slv_range_in(lost, MCAP_MESSAGE_HEAD, s->logical_end);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, lost, MCAP_MESSAGE_HEAD, &p, err));
	*yes = slv_range_in(lost - c->data + MCAP_HEAD, slv_get_le64(p + 1),
	           c->claim.stored)
	    && mcap_is_ours(
	        m, slv_get_le16(p + MCAP_HEAD), slv_get_le64(p + MESSAGE_TIME));
	return SLV_OK;
}

enum slv_status
mcap_carried(struct slv_scan *s, uint64_t lost, const struct slv_unit *u,
    uint64_t mark, uint64_t *skip, struct slv_err *err)
{
	struct mcap_chain c;
	uint64_t stored;
	bool yes;

	SLV_TRY(is_cut_message(s, lost, u, &yes, err));
	*skip = yes ? s->logical_end : mark;
	if (yes)
		return SLV_OK;
	SLV_TRY(find_chain(s, mark, &c, err));
	if (c.end >= s->logical_end || c.cut)
		return SLV_OK;
	if (c.ends) {
		SLV_TRY(goes_on(s, c.end, &yes, err));
		*skip = yes ? c.end : mark;
		return SLV_OK;
	}
	SLV_TRY(is_enclosed(s, mark, &c.end, &yes, err));
	if (yes) {
		*skip = c.end;
		return SLV_OK;
	}
	if (u->tag != MCAP_TAG_PACKED)
		return SLV_OK;
	stored = slv_min64(mcap_head_of(u).end, s->logical_end);
	if (mark < stored && c.end < stored)
		*skip = mark + 1;
	return SLV_OK;
}

/* Read a string's length at *at of n bytes, and pass the string. */
static bool
pass_string(const uint8_t *p, size_t n, size_t *at)
{
	size_t len;

	if (n - *at < 4)
		return false;
	len = slv_get_le32(p + *at);
	*at += 4;
	if (len > n - *at)
		return false;
	*at += len;
	return true;
}

/* Whether these n bytes are an attachment up to the start of its data, with a length
 * that has room for these. */
static bool
is_attachment_head(const uint8_t *p, size_t n)
{
	size_t at = MCAP_HEAD + 16;
	uint64_t len, data;

	if (n < at || p[0] != MCAP_ATTACHMENT || !pass_string(p, n, &at)
	    || !pass_string(p, n, &at) || n - at != 8)
		return false;
	len = slv_get_le64(p + 1);
	data = slv_get_le64(p + at);
	return data > 0 && data < len && len - data >= n - MCAP_HEAD + CRC_SIZE;
}

/* Whether these n bytes begin a message of this payload, or of more. */
static bool
is_message_head(const uint8_t *p, size_t n, uint64_t payload)
{
	uint64_t len;

	if (n < MCAP_MESSAGE_HEAD || n > MCAP_MESSAGE_HEAD + PREFIX
	    || p[0] != MCAP_MESSAGE)
		return false;
	len = slv_get_le64(p + 1);
	return len <= UINT32_MAX && len >= n - MCAP_HEAD + payload;
}

/* A short message is no evidence: a file that breaks off near the start of one may be
 * followed by another file by chance. */
enum slv_status
mcap_holds(const struct slv_scan *s, uint64_t log, uint64_t end, bool *yes,
    struct slv_err *err)
{
	size_t n = (size_t)slv_min64(BEFORE, log - s->base);
	const uint8_t *p;

	*yes = false;
	if (n == 0)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, log - n, n, &p, err));
	for (size_t i = 0; i < n && !*yes; i++)
		*yes = is_attachment_head(p + i, n - i)
		    || is_message_head(p + i, n - i, end - log);
	return SLV_OK;
}
