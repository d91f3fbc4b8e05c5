/* mcap_record.c - one record of an MCAP file, taken from bytes.
 *
 * The layouts are a table: what each field is, and where its value goes.
 */
#include "formats/mcap/read/mcap_record.h"

#include "base/text/utf8.h"
#include "digest/crc32.h"

#define LAYOUT_MAX 11 /* fields of a record */
/* Bytes of a text that are looked at together: one that is none ends soon, and as
 * many may seem to begin as there are bytes. */
#define PIECE 512

/* How a field is stored. */
enum kind {
	END,
	U8,
	U16,
	U32,
	U64,
	TEXT,    /* u32 length, UTF-8 */
	WORD,    /* the same: the name of a compression */
	BYTES,   /* u32 length, bytes */
	LONG,    /* u64 length, bytes */
	ENTRIES, /* u32 length, of pairs of u64 */
	COUNTS,  /* u32 length, of a u16 and a u64 each */
	PAIRS,   /* u32 length, of two texts each */
	REST,    /* all that is left */
};

static const struct layout {
	uint8_t kind, to;
} layouts[MCAP_OPS][LAYOUT_MAX] = {
	[MCAP_HEADER] = { { TEXT, MCAP_NAME }, { TEXT, MCAP_ENCODING } },
	[MCAP_FOOTER] = { { U64, MCAP_START }, { U64, MCAP_OFFSET },
	    { U32, MCAP_CRC } },
	[MCAP_SCHEMA] = { { U16, MCAP_ID }, { TEXT, MCAP_NAME },
	    { TEXT, MCAP_ENCODING }, { BYTES, MCAP_DATA } },
	[MCAP_CHANNEL] = { { U16, MCAP_ID }, { U16, MCAP_SCHEMA_ID },
	    { TEXT, MCAP_NAME }, { TEXT, MCAP_ENCODING }, { PAIRS, MCAP_MAP } },
	[MCAP_MESSAGE] = { { U16, MCAP_ID }, { U32, MCAP_SEQUENCE },
	    { U64, MCAP_LOG_TIME }, { U64, MCAP_PUBLISH },
	    { REST, MCAP_DATA } },
	[MCAP_CHUNK] = { { U64, MCAP_START }, { U64, MCAP_STOP },
	    { U64, MCAP_SIZE }, { U32, MCAP_CRC }, { WORD, MCAP_ENCODING },
	    { LONG, MCAP_DATA } },
	[MCAP_MESSAGE_INDEX] = { { U16, MCAP_ID }, { ENTRIES, MCAP_DATA } },
	[MCAP_CHUNK_INDEX] = { { U64, MCAP_START }, { U64, MCAP_STOP },
	    { U64, MCAP_OFFSET }, { U64, MCAP_LENGTH }, { COUNTS, MCAP_DATA },
	    { U64, MCAP_MESSAGES }, { WORD, MCAP_ENCODING },
	    { U64, MCAP_STORED }, { U64, MCAP_SIZE } },
	[MCAP_ATTACHMENT] = { { U64, MCAP_LOG_TIME }, { U64, MCAP_PUBLISH },
	    { TEXT, MCAP_NAME }, { TEXT, MCAP_ENCODING }, { LONG, MCAP_DATA },
	    { U32, MCAP_CRC } },
	[MCAP_ATTACHMENT_INDEX] = { { U64, MCAP_OFFSET }, { U64, MCAP_LENGTH },
	    { U64, MCAP_LOG_TIME }, { U64, MCAP_PUBLISH }, { U64, MCAP_SIZE },
	    { TEXT, MCAP_NAME }, { TEXT, MCAP_ENCODING } },
	[MCAP_STATISTICS] = { { U64, MCAP_MESSAGES }, { U16, MCAP_SCHEMAS },
	    { U32, MCAP_CHANNELS }, { U32, MCAP_ATTACHMENTS },
	    { U32, MCAP_METADATAS }, { U32, MCAP_CHUNKS }, { U64, MCAP_START },
	    { U64, MCAP_STOP }, { COUNTS, MCAP_DATA } },
	[MCAP_METADATA] = { { TEXT, MCAP_NAME }, { PAIRS, MCAP_MAP } },
	[MCAP_METADATA_INDEX] = { { U64, MCAP_OFFSET }, { U64, MCAP_LENGTH },
	    { TEXT, MCAP_NAME } },
	[MCAP_SUMMARY_OFFSET] = { { U8, MCAP_ID }, { U64, MCAP_OFFSET },
	    { U64, MCAP_LENGTH } },
	[MCAP_DATA_END_OP] = { { U32, MCAP_CRC } },
};

static const uint8_t widths[] = {
	[U8] = 1,
	[U16] = 2,
	[U32] = 4,
	[U64] = 8,
	[TEXT] = 4,
	[WORD] = 4,
	[BYTES] = 4,
	[LONG] = 8,
	[ENTRIES] = 4,
	[COUNTS] = 4,
	[PAIRS] = 4,
	[REST] = 0,
};

static const struct layout *
layout_of(unsigned op)
{
	static const struct layout other[] = { { REST, MCAP_DATA } };

	return op < MCAP_OPS ? layouts[op] : other;
}

static uint64_t
get(const uint8_t *p, unsigned width)
{
	uint64_t v = 0;

	for (unsigned i = width; i-- > 0;)
		v = v << 8 | p[i];
	return v;
}

/* Whether a field of this kind can have that length. */
static bool
is_list(enum kind kind, uint64_t len)
{
	switch (kind) {
	case ENTRIES: return len % MCAP_ENTRY == 0;
	case COUNTS: return len % MCAP_COUNT == 0;
	case TEXT: return len <= MCAP_STRING_MAX;
	/* The number may be any after a damaged list; no name is longer. */
	case WORD: return len <= MCAP_WORD_MAX;
	default: return true;
	}
}

/* Read the next field of a record that begins at off and has `end` bytes; BAD: the field
 * does not end within the record. */
static enum slv_status
get_field(const struct mcap_bytes *b, uint64_t off, const struct layout *f,
    uint64_t end, struct mcap_record *r, enum mcap_read *read,
    struct slv_err *err)
{
	uint64_t at = r->used, len = 0;
	unsigned width = widths[f->kind];
	const uint8_t *p;

	*read = MCAP_BAD;
	if (width > end - at)
		return SLV_OK;
	if (!slv_range_in(off, at + width, b->end)) {
		*read = MCAP_SHORT;
		return SLV_OK;
	}
	r->at[f->to] = at + (f->kind > U64 ? width : 0);
	SLV_TRY(mcap_view(b, off + at, width, &p, err));
	r->v[f->to] = f->kind == REST ? end - at : get(p, width);
	if (f->kind > U64)
		len = r->v[f->to];
	if (len > end - at - width || !is_list(f->kind, len))
		return SLV_OK;
	r->used = at + width + len;
	*read = MCAP_WHOLE;
	return SLV_OK;
}

enum slv_status
mcap_record_get(const struct mcap_bytes *b, uint64_t off, struct mcap_record *r,
    enum mcap_read *read, struct slv_err *err)
{
	uint64_t there = slv_max64(b->end, off) - off;
	const uint8_t *p;

	*r = (struct mcap_record){ .used = MCAP_HEAD };
	*read = there > 0 ? MCAP_SHORT : MCAP_BAD;
	if (there == 0)
		return SLV_OK;
	SLV_TRY(
	    mcap_view(b, off, (size_t)slv_min64(there, MCAP_HEAD), &p, err));
	r->op = p[0];
	if (r->op == 0) {
		*read = MCAP_BAD;
		return SLV_OK;
	}
	if (there < MCAP_HEAD)
		return SLV_OK;
	r->len = slv_get_le64(p + 1);
	*read = MCAP_WHOLE;
	for (const struct layout *f = layout_of(r->op); *read == MCAP_WHOLE
	     && f < layout_of(r->op) + LAYOUT_MAX && f->kind != END;
	     f += 1) {
		SLV_TRY(get_field(b, off, f, mcap_span(r), r, read, err));
		if (f->kind == REST)
			break;
	}
	if (*read == MCAP_WHOLE && !slv_range_in(off, mcap_span(r), b->end))
		*read = MCAP_SHORT;
	return SLV_OK;
}

/* Whether the n bytes at off are text.  Zeros are legal in it, but a hole is likelier.
 *
 *   plain  without other control characters, too */
static enum slv_status
is_text(const struct mcap_bytes *b, uint64_t off, uint64_t n, bool plain,
    bool *yes, struct slv_err *err)
{
	struct slv_utf8 u = { 0 };

	*yes = n <= MCAP_STRING_MAX;
	while (*yes && n > 0) {
		size_t piece = (size_t)slv_min64(n, PIECE);
		const uint8_t *p;

		SLV_TRY(mcap_view(b, off, piece, &p, err));
		for (size_t i = 0; i < piece && *yes; i++)
			*yes = slv_utf8_add(&u, p[i]) && p[i] != 0
			    && (!plain || mcap_in_text(p[i]));
		off += piece;
		n -= piece;
	}
	*yes &= u.more == 0;
	return SLV_OK;
}

/* Whether [off, off + n) is pairs of texts from end to end. */
static enum slv_status
are_pairs(const struct mcap_bytes *b, uint64_t off, uint64_t n, bool plain,
    bool *yes, struct slv_err *err)
{
	uint64_t at = 0;
	const uint8_t *p;

	*yes = true;
	for (bool key = true; *yes && (at < n || !key); key = !key) {
		uint64_t len;

		*yes = n - at >= 4;
		if (!*yes)
			return SLV_OK;
		SLV_TRY(mcap_view(b, off + at, 4, &p, err));
		len = slv_get_le32(p);
		at += 4;
		*yes = len <= n - at;
		if (*yes)
			SLV_TRY(is_text(b, off + at, len, plain, yes, err));
		at += len;
	}
	return SLV_OK;
}

/* Whether the offsets of a MessageIndex ascend: they do in the order of a chunk. */
static enum slv_status
is_index(const struct mcap_bytes *b, uint64_t off, const struct mcap_record *r,
    bool *yes, struct slv_err *err)
{
	uint64_t n = r->v[MCAP_DATA] / MCAP_ENTRY;
	const uint8_t *p;

	*yes = n > 0;
	off += r->at[MCAP_DATA];
	for (uint64_t i = 0; *yes && i < n; i++) {
		SLV_TRY(
		    mcap_view(b, off + i * MCAP_ENTRY, MCAP_ENTRY, &p, err));
		/* No message reaches beyond what a chunk may hold. */
		*yes = slv_get_le64(p + 8) < (uint64_t)1 << 48;
	}
	return SLV_OK;
}

enum slv_status
mcap_record_is_text(const struct mcap_bytes *b, uint64_t off,
    const struct mcap_record *r, bool plain, bool *yes, struct slv_err *err)
{
	const struct layout *f = layout_of(r->op), *end = f + LAYOUT_MAX;

	for (*yes = true; *yes && f < end && f->kind != END && f->kind != REST;
	     f++) {
		if (f->kind == TEXT || f->kind == WORD)
			SLV_TRY(is_text(b, off + r->at[f->to], r->v[f->to],
			    plain, yes, err));
		if (f->kind == PAIRS)
			SLV_TRY(are_pairs(b, off + r->at[f->to], r->v[f->to],
			    plain, yes, err));
	}
	return SLV_OK;
}

enum slv_status
mcap_record_strict(const struct mcap_bytes *b, uint64_t off,
    const struct mcap_record *r, bool *yes, struct slv_err *err)
{
	*yes = r->op < MCAP_OPS && r->used == mcap_span(r);
	if (r->op == MCAP_FOOTER)
		*yes &= r->v[MCAP_START] <= off && r->v[MCAP_OFFSET] <= off;
	if (r->op == MCAP_SUMMARY_OFFSET)
		*yes &= r->v[MCAP_ID] < MCAP_OPS
		    && (MCAP_BIT(r->v[MCAP_ID])
		           & (MCAP_DERIVED | MCAP_BIT(MCAP_SCHEMA)
		               | MCAP_BIT(MCAP_CHANNEL)))
		        != 0
		    && slv_range_in(
		        r->v[MCAP_OFFSET], r->v[MCAP_LENGTH], b->end);
	if (r->op == MCAP_CHUNK_INDEX || r->op == MCAP_ATTACHMENT_INDEX
	    || r->op == MCAP_METADATA_INDEX)
		*yes &=
		    slv_range_in(r->v[MCAP_OFFSET], r->v[MCAP_LENGTH], b->end);
	if (*yes && r->op == MCAP_MESSAGE_INDEX)
		SLV_TRY(is_index(b, off, r, yes, err));
	return *yes ? mcap_record_is_text(b, off, r, true, yes, err) : SLV_OK;
}

enum slv_status
mcap_crc(const struct mcap_bytes *b, uint64_t off, uint64_t n, uint32_t *crc,
    struct slv_err *err)
{
	while (n > 0) {
		size_t piece = (size_t)slv_min64(n, SLV_WINDOW_STRIDE);
		const uint8_t *p;

		SLV_TRY(mcap_view(b, off, piece, &p, err));
		*crc = slv_crc32(*crc, p, piece);
		off += piece;
		n -= piece;
	}
	return SLV_OK;
}

static const char *const codecs[SLV_CODECS] = {
	[SLV_CODEC_NONE] = "",
	[SLV_CODEC_LZ4] = "lz4",
	[SLV_CODEC_ZSTD] = "zstd",
};

bool
mcap_codec_get(const uint8_t *name, size_t n, enum slv_codec_kind *out)
{
	for (unsigned i = 0; i < SLV_CODECS; i++) {
		if (codecs[i] != NULL && strlen(codecs[i]) == n
		    && memcmp(codecs[i], name, n) == 0) {
			*out = (enum slv_codec_kind)i;
			return true;
		}
	}
	return false;
}

const char *
mcap_codec_name(enum slv_codec_kind codec)
{
	return codecs[codec];
}
