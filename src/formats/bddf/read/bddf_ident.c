/* bddf_ident.c - what a SeriesIdentifier means, whatever the order of its
 * keys.
 *
 * identifier_hash is the first 8 bytes, big-endian, of the SHA-1 of the
 * series type, then each key and value, keys in order of their bytes.
 */
#include "formats/bddf/read/bddf_ident.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define IDENT_MAX ((uint64_t)1 << 20)  /* bytes; a real one has about 100 */
#define TEXT_MAX  ((uint64_t)64 << 10) /* bytes of one text that are shown */

struct pair {
	struct slv_span key, value;
	size_t order; /* of appearance: a repeated key's last value wins */
};

struct ident {
	const uint8_t *bytes; /* the identifier, in memory */
	uint8_t *own;         /* owned; NULL: the bytes are borrowed */
	uint64_t off;         /* where it is in the source */
	struct slv_span type;
	struct pair *pairs; /* owned */
	size_t n, cap;
	struct slv_err *err;
	enum slv_status status;
};

static struct slv_span
span_of(const struct ident *id, const struct bddf_field *f)
{
	return (
	    struct slv_span){ id->bytes + (f->off - id->off), (size_t)f->len };
}

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct ident *id = ctx;
	struct pair *last = id->n > 0 ? &id->pairs[id->n - 1] : NULL;

	if (f->event == BDDF_OPEN) {
		id->status = slv_grow(&id->pairs, &id->cap, id->n + 1,
		    sizeof(*id->pairs), id->err);
		if (id->status != SLV_OK)
			return false;
		id->pairs[id->n] = (struct pair){ .order = id->n };
		id->n++;
	} else if (f->event == BDDF_STRING && f->depth == 0) {
		id->type = span_of(id, f);
	} else if (f->event == BDDF_STRING && last != NULL) {
		if (f->tag == bosdyn_api_SeriesIdentifier_SpecEntry_key_tag)
			last->key = span_of(id, f);
		else
			last->value = span_of(id, f);
	}
	return true;
}

static int
compare_keys(const struct pair *a, const struct pair *b)
{
	size_t n = a->key.len < b->key.len ? a->key.len : b->key.len;
	int c = n > 0 ? memcmp(a->key.at, b->key.at, n) : 0;

	if (c != 0)
		return c;
	return a->key.len < b->key.len ? -1 : a->key.len > b->key.len;
}

static int
compare(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	int c = compare_keys(a, b);

	if (c != 0)
		return c;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Add text to both digests; to the second with its length in front, so that
 * no two meanings give the same bytes. */
static void
add(struct slv_digest *hash, struct slv_digest *meaning, struct slv_span text)
{
	uint8_t len[8];

	slv_put_le64(len, text.len);
	slv_digest_add(meaning, len, sizeof(len));
	slv_digest_add(hash, text.at, text.len);
	slv_digest_add(meaning, text.at, text.len);
}

/* Of a key that is there several times the last value counts. */
static bool
is_replaced(const struct ident *id, size_t i)
{
	return i + 1 < id->n
	    && compare_keys(&id->pairs[i], &id->pairs[i + 1]) == 0;
}

static void
digest(struct ident *id, uint64_t *hash, uint8_t *meaning)
{
	struct slv_digest h, m;
	uint8_t bytes[SLV_DIGEST_MAX];

	slv_digest_init(&h, SLV_SHA1);
	slv_digest_init(&m, SLV_SHA1);
	add(&h, &m, id->type);
	for (size_t i = 0; i < id->n; i++) {
		if (is_replaced(id, i))
			continue;
		add(&h, &m, id->pairs[i].key);
		add(&h, &m, id->pairs[i].value);
	}
	slv_digest_get(&h, bytes);
	*hash = 0;
	for (int i = 0; i < 8; i++)
		*hash = *hash << 8 | bytes[i];
	slv_digest_get(&m, meaning);
}

/* Read the identifier at at.off in the window's source, which is in memory, and sort
 * its keys. */
static enum slv_status
read_ident(struct ident *id, struct slv_window *window, struct bddf_range at,
    bool *known)
{
	enum bddf_read read;

	SLV_TRY(bddf_walk(window, at.off, at.len,
	    bosdyn_api_SeriesIdentifier_fields, visit, id, &read, id->err));
	SLV_TRY(id->status);
	*known = read == BDDF_WHOLE;
	slv_sort(id->pairs, id->n, sizeof(*id->pairs), compare);
	return SLV_OK;
}

static void
free_ident(struct ident *id)
{
	slv_free(id->pairs);
	slv_free(id->own);
}

/* The same in the log.  *known = false: it does not parse, or is too large. */
static enum slv_status
load_ident(struct ident *id, const struct slv_scan *s, struct bddf_range at,
    bool *known)
{
	const uint8_t *p;

	*known = at.len <= IDENT_MAX;
	if (!*known)
		return SLV_OK;
	id->off = at.off;
	id->bytes = id->own = slv_realloc(NULL, (size_t)at.len + 1);
	if (id->own == NULL)
		return slv_fail(id->err, SLV_E_NOMEM, "out of memory");
	/* What the window holds is not read once more, when it may be another
	 * one. */
	if (at.len > 0) {
		SLV_TRY(slv_window_view(
		    s->window, at.off, (size_t)at.len, &p, id->err));
		memcpy(id->own, p, (size_t)at.len);
	}
	return read_ident(id, s->window, at, known);
}

enum slv_status
bddf_ident(const struct slv_scan *s, struct bddf_range at, uint64_t *hash,
    uint8_t meaning[BDDF_DIGEST_SIZE], bool *known, struct slv_err *err)
{
	struct ident id = { .err = err };
	enum slv_status st = load_ident(&id, s, at, known);

	if (st == SLV_OK && *known)
		digest(&id, hash, meaning);
	free_ident(&id);
	return st;
}

/* Append a text as far as it is shown. */
static void
put_text(struct slv_buf *out, struct slv_span text)
{
	size_t n = (size_t)slv_min64(text.len, TEXT_MAX);

	if (n > 0)
		slv_buf_add(out, text.at, strnlen((const char *)text.at, n));
}

enum slv_status
bddf_ident_name(const struct slv_scan *s, struct bddf_range at,
    struct slv_buf *name, struct slv_err *err)
{
	struct ident id = { .err = err };
	bool known;
	enum slv_status st = load_ident(&id, s, at, &known);

	for (size_t i = 0; st == SLV_OK && i < id.n; i++) {
		if (is_replaced(&id, i))
			continue;
		slv_buf_text(name, name->len > 0 ? "," : "");
		put_text(name, id.pairs[i].value);
	}
	if (st == SLV_OK && name->len == 0 && id.type.len > 0)
		put_text(name, id.type);
	free_ident(&id);
	return st == SLV_OK ? slv_buf_check(name, err) : st;
}

enum slv_status
bddf_ident_memory(const uint8_t *bytes, size_t n, uint64_t *hash, bool *known,
    struct slv_err *err)
{
	struct ident id = { .bytes = bytes, .err = err };
	uint8_t meaning[BDDF_DIGEST_SIZE];
	struct slv_source *source = NULL;
	struct slv_window window;
	enum slv_status st;

	SLV_TRY(slv_source_memory(bytes, n, &source, err));
	slv_window_init(&window, source, NULL);
	st = read_ident(&id, &window, (struct bddf_range){ 0, n }, known);
	if (st == SLV_OK)
		digest(&id, hash, meaning);
	slv_window_free(&window);
	slv_source_close(source);
	free_ident(&id);
	return st;
}
