/* ulog_unit.c - what is at an offset, is it whole, and where else may a message
 * start?
 *
 * Measured on real logs: a message of data with a declared number and exactly
 * the size of its format never occurs by chance.  One such message therefore
 * confirms itself, all others need a second one.
 */
#include "core/scan/resync.h"
#include "formats/ulog/ulog_state.h"

#define STRIDE  ((uint64_t)64 << 10) /* bytes searched at once */
#define CLUSTER 4096 /* bytes; where a file system puts other files' bytes */
#define AHEAD   8    /* messages of unknown size that may follow another */
#define ZEROS   16   /* bytes that are no field of a message, but a hole */
#define LONGEST (ULOG_HEAD + (uint64_t)UINT16_MAX)

enum slv_status
ulog_look(const struct slv_scan *s, uint64_t off, struct ulog_message *out,
    bool *whole, struct slv_err *err)
{
	const uint8_t *p;

	*whole = false;
	*out = (struct ulog_message){ 0 };
	if (!slv_range_in(off, ULOG_HEAD, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, ULOG_HEAD, &p, err));
	out->size = slv_get_le16(p);
	out->type = p[2];
	if (!slv_range_in(off + ULOG_HEAD, out->size, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(
	    s->window, off, ULOG_HEAD + (size_t)out->size, &p, err));
	out->body = p + ULOG_HEAD;
	*whole = true;
	return SLV_OK;
}

enum slv_status
ulog_look_again(const struct slv_scan *s, uint64_t off, unsigned tag,
    struct ulog_message *out, struct slv_err *err)
{
	bool whole;

	SLV_TRY(ulog_look(s, off, out, &whole, err));
	if (whole
	    && (tag == ULOG_TAG_OTHER
	            ? ulog_tag_of(out->type) == ULOG_TAG_NONE
	            : ulog_tag_of(out->type) == tag && ulog_is_sound(out)))
		return SLV_OK;
	return slv_scan_changed(s, err);
}

/* Is the size what the subscription demands?  Unknown: any is. */
static bool
fits(const struct ulog_sub *sub, uint32_t size)
{
	if (sub == NULL || (sub->size == 0 && sub->sizes[0] == 0))
		return false;
	return sub->size > 0 ? size == sub->size
	                     : size == sub->sizes[0] || size == sub->sizes[1];
}

/* Is the message sound, of a known type, and of a known size? */
static bool
is_strict(const struct ulog *m, const struct ulog_message *msg)
{
	return ulog_is_sound(msg) && msg->type != 'B'
	    && (msg->type != 'D'
	        || fits(ulog_sub_of(m, ulog_id(msg)), msg->size));
}

/* May the message, not strict, be one of a lost declaration, or one of a
 * type that later versions have? */
static bool
is_possible(const struct ulog *m, const struct ulog_message *msg)
{
	struct ulog_message other = *msg;
	const struct ulog_sub *sub;

	if (msg->size == 0 || msg->type == 'B')
		return false;
	if (msg->type == 'D') {
		sub = msg->size < 3 ? NULL : ulog_sub_of(m, ulog_id(msg));
		return msg->size >= 3 && (sub == NULL || sub->n == 0);
	}
	if (ulog_tag_of(msg->type) != ULOG_TAG_NONE || msg->type < 'A'
	    || msg->type > 'z')
		return false;
	/* One flipped bit makes another letter.  No logger writes R. */
	for (unsigned bit = 1; bit < 128; bit <<= 1) {
		other.type = msg->type ^ (uint8_t)bit;
		if (other.type != 'R' && is_strict(m, &other))
			return false;
	}
	return true;
}

/* Do the n bytes at p begin like a message? */
static bool
is_head(const struct ulog *m, const uint8_t *p, size_t n)
{
	if (n < ULOG_MARK)
		return false;
	return p[2] == 'D'
	    ? fits(ulog_sub_of(m, slv_get_le16(p + ULOG_HEAD)), slv_get_le16(p))
	    : ulog_is_mark(p);
}

/* Do messages lead from off to one that is strict, or to the end, or on and on?
 */
static enum slv_status
leads_on(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);

	int i;

	*yes = false;
	for (i = 0; i < AHEAD && off != s->logical_end; i++) {
		struct ulog_message msg;
		bool whole;

		SLV_TRY(ulog_look(s, off, &msg, &whole, err));
		*yes = whole ? is_strict(m, &msg)
		             : ulog_tag_of(msg.type) != ULOG_TAG_NONE;
		if (*yes || !whole || !is_possible(m, &msg))
			return SLV_OK;
		off += ULOG_HEAD + msg.size;
	}
	*yes = i == AHEAD || off == s->logical_end;
	return SLV_OK;
}

/* Do messages go on after this one, and is none in it?  A wrong size leads to
 * another message every fiftieth time. */
static enum slv_status
is_alone(const struct slv_scan *s, uint64_t off, uint64_t len, bool *yes,
    struct slv_err *err)
{
	uint64_t mark;
	bool spent;

	SLV_TRY(leads_on(s, off + len, yes, err));
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_resync(
	    s, off + 1, off + len, SLV_ASK_SEARCH, &mark, &spent, err));
	*yes = mark == off + len && !spent;
	return SLV_OK;
}

static enum slv_status
is_magic(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	const uint8_t *p;

	*yes = slv_range_in(off, ULOG_HEADER, s->source->size);
	if (!*yes)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, ULOG_MAGIC_SIZE, &p, err));
	*yes = memcmp(p, ULOG_MAGIC, ULOG_MAGIC_SIZE) == 0;
	return SLV_OK;
}

/* The header of this log; or one that is damaged, in front of messages. */
static enum slv_status
own_header(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    struct slv_err *err)
{
	struct ulog_message msg;
	bool magic, whole;

	SLV_TRY(is_magic(s, off, &magic, err));
	SLV_TRY(ulog_look(s, off + ULOG_HEADER, &msg, &whole, err));
	if (!magic
	    && (!whole || !ulog_is_sound(&msg)
	        || msg.type == 'D')) /* of these nothing is known yet */
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->part = SLV_PART_FRAME;
	u->tag = ULOG_TAG_HEADER;
	u->len = ULOG_HEADER;
	u->problem = magic ? ULOG_PROBLEMS : ULOG_P_HEADER;
	u->fate = magic ? SLV_KEPT : SLV_REBUILT;
	return SLV_OK;
}

/* The header of another log.  In a cluster of its own it is of an older file,
 * and this log goes on after it. */
static void
other_header(const struct slv_scan *s, uint64_t off, struct slv_unit *u)
{
	u->verdict = SLV_UNIT_GOOD;
	u->part = SLV_PART_FRAME;
	u->tag = ULOG_TAG_LOG;
	u->problem = ULOG_PROBLEMS;
	u->fate = SLV_FOREIGN;
	u->whole_log = off % CLUSTER != 0;
	u->len = u->whole_log ? s->logical_end - off : ULOG_HEADER;
}

/* The place inside [off, off + len) at which the log was continued after a
 * crash, if a message is there; 0: there is none. */
static enum slv_status
continued(const struct slv_scan *s, uint64_t off, uint64_t len, uint64_t *out,
    struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);

	*out = 0;
	for (int i = 0; i < ULOG_OFFSETS; i++) {
		uint64_t at = m->offsets[i];
		size_t n = (size_t)slv_min64(at - off, ULOG_MARK);
		struct ulog_message msg;
		const uint8_t *p;
		bool whole;

		if (at <= off || at - off >= len)
			continue;
		SLV_TRY(slv_window_view(s->window, off, n, &p, err));
		if (n == ULOG_MARK && !is_head(m, p, n))
			continue;
		SLV_TRY(ulog_look(s, at, &msg, &whole, err));
		if (!whole || !is_strict(m, &msg))
			continue;
		*out = at;
		return SLV_OK;
	}
	return SLV_OK;
}

static void
set_data(
    const struct ulog *m, const struct ulog_message *msg, struct slv_unit *u)
{
	const struct ulog_sub *sub = ulog_sub_of(m, ulog_id(msg));
	uint32_t stamp = sub != NULL ? sub->stamp : 0;

	u->part = SLV_PART_DATA;
	u->has_channel = true;
	u->channel = ulog_id(msg);
	u->sure = sub != NULL && sub->usable;
	if (stamp > 0 && slv_range_in(stamp, 8, msg->size)) {
		u->priv[0] = slv_get_le64(msg->body + stamp);
		u->priv[1] = true;
		u->time = ulog_moment(m, u->priv[0]);
	}
}

enum slv_status
ulog_unit(const struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, struct slv_err *err)
{
	const struct ulog *m = ulog_of(s);
	struct ulog_message msg;
	uint64_t at = 0;
	bool whole, good;

	*u = (struct slv_unit){
		.verdict = SLV_UNIT_BAD,
		.part = SLV_PART_DATA,
		.problem =
		    asking == SLV_ASK_NEXT ? ULOG_P_MESSAGE : ULOG_PROBLEMS,
	};
	if (m->encrypted) {
		other_header(s, off, u);
		u->fate = SLV_KEPT;
		u->whole_log = false;
		u->len = s->source->size - off;
		return SLV_OK;
	}
	if (off == s->base)
		SLV_TRY(own_header(s, off, u, err));
	if (u->verdict == SLV_UNIT_GOOD)
		return SLV_OK;
	SLV_TRY(is_magic(s, off, &good, err));
	if (good && off > s->base) {
		other_header(s, off, u);
		return SLV_OK;
	}
	SLV_TRY(ulog_look(s, off, &msg, &whole, err));
	/* After damage anything may look like the head of a long one. */
	if (asking == SLV_ASK_NEXT)
		SLV_TRY(continued(s, off, ULOG_HEAD + msg.size, &at, err));
	if (at == 0 && m->flags[ULOG_INCOMPAT] & ULOG_HAS_APPENDED)
		SLV_TRY(ulog_look(s, off, &msg, &whole, err));
	if (at > 0) {
		u->verdict = SLV_UNIT_GOOD;
		u->part = SLV_PART_FRAME;
		u->tag = ULOG_TAG_CUT;
		u->problem = ULOG_PROBLEMS;
		u->len = at - off;
		return SLV_OK;
	}
	u->tag = ulog_tag_of(msg.type);
	if (!whole) {
		u->verdict = SLV_UNIT_SHORT;
		u->problem = ULOG_P_CUT;
		u->len = s->source->size - off;
		return SLV_OK;
	}
	good = is_strict(m, &msg)
	    || (msg.type == 'B' && off == s->base + ULOG_HEADER
	        && ulog_is_sound(&msg));
	if (!good && asking == SLV_ASK_NEXT && is_possible(m, &msg)) {
		u->tag = msg.type == 'D' ? ULOG_TAG_DATA : ULOG_TAG_OTHER;
		SLV_TRY(is_alone(s, off, ULOG_HEAD + msg.size, &good, err));
		SLV_TRY(ulog_look(s, off, &msg, &whole, err));
	}
	if (!good)
		return SLV_OK;
	u->verdict = SLV_UNIT_GOOD;
	u->part = msg.type == 'B' ? SLV_PART_FRAME : SLV_PART_PACK;
	u->problem = ULOG_PROBLEMS;
	u->len = ULOG_HEAD + msg.size;
	u->sure = u->tag == ULOG_TAG_INFO || u->tag == ULOG_TAG_PARAMETER
	    || u->tag == ULOG_TAG_SUB || msg.type == 'S';
	if (msg.type == 'D')
		set_data(m, &msg, u);
	return SLV_OK;
}

/* A place in the n bytes at p where a search may start, among the first `upto`;
 * upto: there is none. */
static size_t
find_mark(const struct ulog *m, const uint8_t *p, size_t n, size_t upto)
{
	for (size_t i = 0; i < upto; i++) {
		if (is_head(m, p + i, n - i)
		    || (p[i] == 'U' && n - i >= ULOG_MAGIC_SIZE
		        && memcmp(p + i, ULOG_MAGIC, ULOG_MAGIC_SIZE) == 0))
			return i;
	}
	return upto;
}

enum slv_status
ulog_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	for (; from < to; from += STRIDE) {
		size_t upto = (size_t)slv_min64(to - from, STRIDE);
		size_t n =
		    (size_t)slv_min64(s->source->size - from, upto + ULOG_MARK);
		const uint8_t *p;
		size_t at;

		SLV_TRY(slv_window_view(s->window, from, n, &p, err));
		at = find_mark(ulog_of(s), p, n, upto);
		if (at < upto) {
			*out = from + at;
			return SLV_OK;
		}
	}
	*out = to;
	return SLV_OK;
}

/* The n bytes at off are no message, and the log goes on after them.  Are they
 * one of which only the head was hit?  Then the message in front of it is whole,
 * as it is if they begin with a hole: it does not end in zeros. */
static enum slv_status
is_follower(const struct slv_scan *s, uint64_t off, uint64_t n, bool *yes,
    struct slv_err *err)
{
	const uint8_t *p;
	struct ulog_message other;
	size_t zeros = 0, there;

	*yes = false;
	there =
	    (size_t)slv_min64(slv_max64(n, ULOG_MARK), s->source->size - off);
	if (there < ULOG_MARK)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off - 1, there + 1, &p, err));
	while (zeros < there && p[1 + zeros] == 0)
		zeros++;
	if (zeros >= ZEROS || zeros == there) {
		*yes = p[0] != 0;
		return SLV_OK;
	}
	*yes = is_head(ulog_of(s), p + 1, there);
	/* What was laid over it may begin earlier. */
	if (*yes || n <= ULOG_HEAD + 2 || n > LONGEST
	    || (p[0] == p[1] && (p[0] == 0 || p[0] == UINT8_MAX)))
		return SLV_OK;
	other = (struct ulog_message){ p[3], (uint32_t)n - ULOG_HEAD,
		p + 1 + ULOG_HEAD };
	/* A wrong type, or one wrong bit of the size. */
	*yes = other.size == slv_get_le16(p + 1)
	    || (__builtin_popcount(other.size ^ slv_get_le16(p + 1)) == 1
	        && is_strict(ulog_of(s), &other));
	return SLV_OK;
}

/* Is it a subscription with the name of a format, or a format up to its last
 * semicolon?  Then all of it is there: no other bytes complete it. */
static enum slv_status
is_complete(const struct slv_scan *s, uint64_t off, unsigned tag, bool *yes,
    struct slv_err *err)
{
	struct ulog_message msg;

	SLV_TRY(ulog_look_again(s, off, tag, &msg, err));
	if (tag == ULOG_TAG_SUB)
		*yes = ulog_format_find(ulog_of(s),
		           (struct slv_span){ msg.body + 3, msg.size - 3 })
		    != NULL;
	else
		*yes = msg.body[msg.size - 1] == ';';
	return SLV_OK;
}

enum slv_status
ulog_vouch(const struct slv_scan *s, uint64_t off, struct slv_unit *u,
    enum slv_vouch *out, struct slv_err *err)
{
	uint64_t end = off + u->len, mark, upto;
	struct slv_unit next;
	bool yes = false, spent;

	*out = SLV_VOUCHED;
	if ((u->part == SLV_PART_FRAME && u->tag != ULOG_TAG_FLAGS)
	    || end == s->logical_end || end == s->source->size)
		return SLV_OK;
	if (end > s->logical_end) {
		*out = slv_scan_zeros(s, off, end);
	} else {
		SLV_TRY(ulog_unit(s, end, SLV_ASK_NEXT, &next, err));
		if (next.verdict != SLV_UNIT_GOOD
		    && (u->tag == ULOG_TAG_SUB || u->tag == ULOG_TAG_FORMAT))
			SLV_TRY(is_complete(s, off, u->tag, &yes, err));
		if (yes || next.verdict == SLV_UNIT_GOOD
		    || s->logical_end - end < ULOG_HEAD)
			return SLV_OK;
		upto = slv_min64(s->logical_end, end + LONGEST + 1);
		SLV_TRY(slv_resync(
		    s, end + 1, upto, SLV_ASK_SEARCH, &mark, &spent, err));
		SLV_TRY(is_follower(s, end, mark - end, &yes, err));
		if (mark == s->logical_end)
			yes |= next.verdict == SLV_UNIT_SHORT
			    && next.tag != ULOG_TAG_NONE;
		*out = yes ? SLV_VOUCHED : SLV_SUSPECT;
	}
	if (*out == SLV_UNSURE)
		*out = SLV_SUSPECT;
	if (*out != SLV_VOUCHED)
		u->problem = ULOG_P_SUSPECT;
	return SLV_OK;
}
