/* cyber_look.c - what is at an offset of the file. */
#include "formats/cyber/cyber_state.h"

#define CONTENT                                                                \
	((size_t)2 * CYBER_NAME_MAX + 64) /* bytes that tell a section */
#define STRIDE      ((size_t)64 << 10)    /* bytes searched at once */
#define OVERLAP     (CYBER_SECTION + CYBER_HEAD_MAX)
#define CLAIM_MAX   ((size_t)64)        /* bytes of a ChunkHeader, and more */
#define SECTION_MAX ((uint64_t)1 << 40) /* bytes of a section */
#define STRANGERS   16                  /* sections of unknown kinds in a row */

/* The bytes from off on that are there, n at most. */
static enum slv_status
view(const struct slv_scan *s, uint64_t off, size_t want, const uint8_t **p,
    size_t *n, struct slv_err *err)
{
	*n = (size_t)slv_min64(slv_max64(s->source->size, off) - off, want);
	*p = (const uint8_t *)"";
	return *n == 0 ? SLV_OK : slv_window_view(s->window, off, *n, p, err);
}

enum slv_status
cyber_look_message(const struct slv_scan *s, uint64_t off,
    struct cyber_message *m, struct slv_err *err)
{
	const struct cyber_message *known =
	    slv_cache_find(s->cache, CYBER_CACHED_MESSAGE, off);
	const uint8_t *p;
	size_t n;

	if (known != NULL) {
		*m = *known;
		return SLV_OK;
	}
	SLV_TRY(view(s, off, CYBER_HEAD_MAX, &p, &n, err));
	m->read = cyber_message_get(p, n, m);
	return m->read != CYBER_WHOLE
	    ? SLV_OK
	    : slv_cache_copy(s->cache, CYBER_CACHED_MESSAGE, off, m, err);
}

/* What the content at p, of which n bytes are there, looks like. */
static void
recognise(const uint8_t *p, size_t n, struct cyber_section *k)
{
	struct cyber_entry_head entry;
	struct cyber_message m;
	size_t len = k->type == CYBER_CHUNK_HEADER && k->size <= CLAIM_MAX
	    ? (size_t)k->size
	    : 0;
	bool claims = cyber_claim_get(p, n, &len, &k->claim);

	/* Its size may be what is damaged. */
	if (!claims) {
		len = 0;
		claims = cyber_claim_get(p, n, &len, &k->claim);
	}
	k->found = CYBER_TYPES;
	k->len = k->size;
	if (claims) {
		k->found = CYBER_CHUNK_HEADER;
		k->len = len;
	} else if (cyber_entry_get(p, n, &entry) == CYBER_WHOLE) {
		k->found = CYBER_INDEX;
	} else if (cyber_decl_get(p, n, 1, &k->decl, &k->len) == CYBER_WHOLE) {
		k->found = CYBER_CHANNEL;
	} else if (cyber_message_get(p, n, &m) == CYBER_WHOLE) {
		k->found = CYBER_CHUNK_BODY;
		k->len = k->size;
	} else {
		k->len = k->size;
	}
	if (k->size == 0
	    && (k->type == CYBER_INDEX || k->type == CYBER_CHUNK_BODY))
		k->found = (enum cyber_type)k->type;
}

enum slv_status
cyber_look_section(const struct slv_scan *s, uint64_t off,
    struct cyber_section *k, struct slv_err *err)
{
	const uint8_t *p;
	size_t n;

	*k =
	    (struct cyber_section){ .read = CYBER_SHORT, .found = CYBER_TYPES };
	SLV_TRY(view(s, off, CYBER_SECTION + CONTENT, &p, &n, err));
	if (n < CYBER_SECTION)
		return SLV_OK;
	k->read = CYBER_WHOLE;
	k->type = slv_get_le32(p);
	k->size = slv_get_le64(p + 8);
	recognise(p + CYBER_SECTION, n - CYBER_SECTION, k);
	k->agrees = k->found != CYBER_TYPES && k->found == k->type
	    && k->len == k->size && k->size < SECTION_MAX;
	return SLV_OK;
}

/* Whether the head of a record's first section may be at p, of which n bytes
 * are there: it is of version 1. */
static bool
may_be_record(const uint8_t *p, size_t n)
{
	return n > CYBER_SECTION + 2 && slv_get_le32(p) == 0
	    && p[CYBER_SECTION] == 0x08 && p[CYBER_SECTION + 1] == 1
	    && slv_get_le64(p + 8) <= CYBER_DATA_START - CYBER_SECTION;
}

/* Whether it does, with all its room. */
static enum slv_status
is_head(const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_head h;
	const uint8_t *p;
	size_t n;

	*yes = false;
	SLV_TRY(view(s, off, CYBER_SECTION + 3, &p, &n, err));
	if (!may_be_record(p, n)
	    || !slv_range_in(off, CYBER_DATA_START, s->source->size))
		return SLV_OK;
	SLV_TRY(view(s, off, CYBER_DATA_START, &p, &n, err));
	cyber_head_get(p, n, &h);
	*yes = h.whole && h.padded;
	return SLV_OK;
}

enum slv_status
cyber_next_log(struct slv_scan *s, uint64_t from, uint64_t to, uint64_t *out,
    struct slv_err *err)
{
	bool yes = false;

	for (*out = from; *out < to; ++*out) {
		size_t n = 0, at = 0;
		const uint8_t *p;

		SLV_TRY(view(s, *out,
		    (size_t)slv_min64(to - *out, STRIDE) + CYBER_SECTION + 2,
		    &p, &n, err));
		while (at + CYBER_SECTION + 2 < n
		    && !may_be_record(p + at, n - at))
			at++;
		*out += at;
		if (*out < to && at + CYBER_SECTION + 2 < n)
			SLV_TRY(is_head(s, *out, &yes, err));
		if (yes)
			return SLV_OK;
	}
	*out = to;
	return SLV_OK;
}

enum slv_status
cyber_look_record(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	SLV_TRY(is_head(s, off, yes, err));
	return *yes
	    ? cyber_goes_on(s, off + CYBER_DATA_START, CYBER_NEXT_ANY, yes, err)
	    : SLV_OK;
}

bool
cyber_section_is_strange(
    const struct slv_scan *s, uint64_t off, const struct cyber_section *k)
{
	return k->read == CYBER_WHOLE && k->type >= CYBER_TYPES
	    && k->type <= UINT8_MAX && k->size > 0
	    && k->size <= s->source->size - off - CYBER_SECTION;
}

/* Whether a message, a section or another record begins at off, as it should; the
 * end of the file will do, and so will a section of a kind that we do not know, if what
 * follows it does. */
static enum slv_status
is_boundary(const struct slv_scan *s, uint64_t off, enum cyber_next next,
    bool *yes, struct slv_err *err)
{
	struct cyber_section k;
	struct cyber_message m;

	for (unsigned i = 0; i < STRANGERS; i++) {
		*yes = off == s->source->size;
		if (*yes || off > s->source->size)
			return SLV_OK;
		SLV_TRY(cyber_look_message(s, off, &m, err));
		*yes = m.read != CYBER_BAD && next != CYBER_NEXT_SECTION;
		if (*yes || next == CYBER_NEXT_MESSAGE)
			return SLV_OK;
		SLV_TRY(cyber_look_section(s, off, &k, err));
		*yes = k.agrees;
		if (!*yes && k.type == CYBER_HEADER)
			SLV_TRY(is_head(s, off, yes, err));
		if (*yes || !cyber_section_is_strange(s, off, &k))
			return SLV_OK;
		off += CYBER_SECTION + k.size;
	}
	/* As many in a row, each where the one before it ends. */
	*yes = true;
	return SLV_OK;
}

/* How many of the bytes that are zero in the head of any section are. */
static unsigned
blank_bytes(const uint8_t *p)
{
	static const uint8_t at[] = { 1, 2, 3, 12, 13, 14, 15 };
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(at); i++)
		n += p[at[i]] == 0;
	return n;
}

/* Whether the content of a section that starts at off shows what it is, whatever
 * its head says: that of a chunk's header is followed by a body, that of a
 * channel by any section or message. */
static enum slv_status
is_known_by_content(const struct slv_scan *s, uint64_t off,
    const struct cyber_section *k, bool *yes, struct slv_err *err)
{
	uint64_t end = off + CYBER_SECTION + k->len;
	struct cyber_section next;

	*yes = false;
	if (k->found == CYBER_CHUNK_HEADER) {
		SLV_TRY(cyber_look_section(s, end, &next, err));
		*yes = next.agrees && next.type == CYBER_CHUNK_BODY;
	} else if (k->found == CYBER_CHANNEL) {
		SLV_TRY(is_boundary(s, end, CYBER_NEXT_ANY, yes, err));
	}
	return SLV_OK;
}

/* Whether the head of a section was at off, before it was damaged. */
static enum slv_status
was_section(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_section k;
	const uint8_t *p;
	size_t n;

	SLV_TRY(cyber_look_section(s, off, &k, err));
	SLV_TRY(view(s, off, CYBER_SECTION, &p, &n, err));
	if (k.read == CYBER_SHORT) {
		*yes = n > 0 && p[0] > 0 && p[0] < CYBER_TYPES
		    && (n < 4 || slv_get_le32(p) == p[0]);
		return SLV_OK;
	}
	/* All but a byte of it may be there, or of its first sector all. */
	*yes = k.agrees
	    || (k.found != CYBER_TYPES
	        && (k.type == k.found || blank_bytes(p) >= 4))
	    || (k.type > 0 && k.type < CYBER_TYPES && blank_bytes(p) >= 6);
	if (!*yes)
		SLV_TRY(is_known_by_content(s, off, &k, yes, err));
	if (*yes || k.type == 0 || k.type >= CYBER_TYPES || k.size == 0)
		return SLV_OK;
	if (k.size > s->source->size - off - CYBER_SECTION) {
		*yes = k.size < SECTION_MAX;
		return SLV_OK;
	}
	/* Its content is damaged: where it ends something must begin. */
	return is_boundary(
	    s, off + CYBER_SECTION + k.size, CYBER_NEXT_ANY, yes, err);
}

/* Whether a message was. */
static enum slv_status
was_message(
    const struct slv_scan *s, uint64_t off, bool *yes, struct slv_err *err)
{
	struct cyber_message m;
	const uint8_t *p;
	size_t n, lead;
	uint32_t channel;
	uint64_t len;

	SLV_TRY(view(s, off, CYBER_HEAD_MAX, &p, &n, err));
	*yes = cyber_message_guess(p, n, &m)
	    && cyber_channel_known(
	        cyber_of(s), p + m.name, m.name_len, &channel);
	/* Else its key and its length must be there: a content may end in a
	 * byte that tells how long the message after it is. */
	if (*yes || n < 8 || p[0] != 0x0a
	    || cyber_varint_get(p + 1, n - 1, &len, &lead) != CYBER_WHOLE
	    || len < CYBER_INNER_MIN || len > s->source->size - off - 1 - lead)
		return SLV_OK;
	return is_boundary(s, off + 1 + lead + len, CYBER_NEXT_ANY, yes, err);
}

enum slv_status
cyber_goes_on(const struct slv_scan *s, uint64_t off, enum cyber_next next,
    bool *yes, struct slv_err *err)
{
	SLV_TRY(is_boundary(s, off, next, yes, err));
	if (!*yes && off < s->source->size && next != CYBER_NEXT_MESSAGE)
		SLV_TRY(was_section(s, off, yes, err));
	if (!*yes && off < s->source->size && next != CYBER_NEXT_SECTION)
		SLV_TRY(was_message(s, off, yes, err));
	return SLV_OK;
}

/* Whether the head of a section may be at p, of which n bytes are there. */
static bool
may_be_section(const uint8_t *p, size_t n)
{
	if (n <= CYBER_SECTION || slv_get_le32(p) != p[0])
		return false;
	if (slv_get_le64(p + 8) == 0 || slv_get_le64(p + 8) >= SECTION_MAX)
		return false;
	return p[CYBER_SECTION] == (p[0] == CYBER_CHUNK_HEADER ? 0x08 : 0x0a);
}

enum slv_status
cyber_next_mark(const struct slv_scan *s, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *err)
{
	while (from < to) {
		uint64_t upto = slv_min64(to, from + STRIDE);
		const uint8_t *p;
		size_t n;

		SLV_TRY(view(
		    s, from, (size_t)(upto - from) + OVERLAP, &p, &n, err));
		for (size_t i = 0; i < upto - from; i++) {
			struct cyber_message m;
			bool hit = false;

			if (p[i] == 0x0a)
				hit = cyber_message_get(p + i, n - i, &m)
				    == CYBER_WHOLE;
			else if (p[i] == CYBER_HEADER)
				hit = may_be_record(p + i, n - i);
			else if (p[i] < CYBER_TYPES)
				hit = may_be_section(p + i, n - i);
			if (hit) {
				*out = from + i;
				return SLV_OK;
			}
		}
		from = upto;
	}
	*out = to;
	return SLV_OK;
}
