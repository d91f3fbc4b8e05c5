/* undo_write.c - make the record of what a repair in place will change. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/write/sink.h"
#include "job/inplace/undo_record.h"

#define CHUNK ((size_t)64 << 10) /* bytes read at once, and of a piece */
#define RUN   4096               /* zeros that make a piece of their own */

/* The body in progress: its sums and, if there is a sink, the output. */
struct body {
	struct slv_undo_making *how;
	struct slv_sink *sink; /* NULL: only measured */
	struct slv_digest digest;
	uint64_t size, pieces;
	uint64_t zeros_off, zeros; /* not written yet: they may continue */
	uint64_t all_zeros;        /* that were written */
};

static enum slv_status
put(struct body *b, const void *bytes, size_t n, struct slv_err *err)
{
	slv_digest_add(&b->digest, bytes, n);
	b->size += n;
	return b->sink != NULL ? b->sink->ops->write(b->sink, bytes, n, err)
	                       : SLV_OK;
}

static enum slv_status
put_piece(struct body *b, uint64_t off, uint64_t len, const uint8_t *bytes,
    struct slv_err *err)
{
	uint8_t head[SLV_UNDO_PIECE];

	slv_put_le64(head, off);
	slv_put_le64(head + 8, len);
	slv_put_le64(head + 16, bytes == NULL);
	b->pieces++;
	SLV_TRY(put(b, head, sizeof(head), err));
	return bytes != NULL ? put(b, bytes, (size_t)len, err) : SLV_OK;
}

static enum slv_status
put_zeros(struct body *b, struct slv_err *err)
{
	uint64_t len = b->zeros;

	b->zeros = 0;
	b->all_zeros += len;
	return len > 0 ? put_piece(b, b->zeros_off, len, NULL, err) : SLV_OK;
}

/* How many zeros are at the beginning of the n bytes. */
static size_t
zeros(const uint8_t *bytes, size_t n)
{
	size_t i = 0;

	while (i < n && bytes[i] == 0)
		i++;
	return i;
}

/* A chunk of old bytes, cut where a long run of zeros begins, or to its end:
 * they may continue in the next one. */
static enum slv_status
put_chunk(struct body *b, uint64_t off, const uint8_t *bytes, size_t n,
    struct slv_err *err)
{
	size_t at = 0, i = 0;

	while (i < n) {
		size_t run = zeros(bytes + i, n - i);
		bool goes_on =
		    i == 0 && b->zeros > 0 && b->zeros_off + b->zeros == off;

		if (run < RUN && !(goes_on && run > 0)) {
			i += run > 0 ? run : 1;
			continue;
		}
		if (i > at) {
			SLV_TRY(put_zeros(b, err));
			SLV_TRY(
			    put_piece(b, off + at, i - at, bytes + at, err));
		}
		if (!goes_on) {
			SLV_TRY(put_zeros(b, err));
			b->zeros_off = off + i;
		}
		b->zeros += run;
		i += run;
		at = i;
	}
	if (at == n)
		return SLV_OK;
	SLV_TRY(put_zeros(b, err));
	return put_piece(b, off + at, n - at, bytes + at, err);
}

static enum slv_status
put_range(struct body *b, uint8_t *buf, uint64_t off, uint64_t end,
    struct slv_err *err)
{
	const struct slv_undo_making *how = b->how;

	while (off < end) {
		size_t n = (size_t)slv_min64(end - off, CHUNK);

		if (slv_is_cancelled(how->cancel))
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(slv_source_read(how->file, off, buf, n, err));
		if (slv_ranges_hit(&how->file->unreadable, off, n))
			return slv_fail(err, SLV_E_REFUSED,
			    "%s: sectors that cannot be read would change, and "
			    "what they hold could not be given back; nothing "
			    "was changed; image the disk first",
			    how->file->name);
		SLV_TRY(put_chunk(b, off, buf, n, err));
		off += n;
	}
	return put_zeros(b, err);
}

/* Everything that changes: the patches, then what is cut off. */
static enum slv_status
put_body(struct body *b, struct slv_err *err)
{
	const struct slv_undo_making *how = b->how;
	const struct slv_undo_facts *f = &how->facts;
	uint8_t *buf = slv_realloc(NULL, CHUNK);
	enum slv_status st = SLV_OK;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_digest_init(&b->digest, SLV_SHA1);
	for (size_t i = 0; st == SLV_OK && i < how->patches->n; i++)
		st = put_range(b, buf, how->patches->at[i].off,
		    how->patches->at[i].end, err);
	if (st == SLV_OK && f->old_size > f->new_size)
		st = put_range(b, buf, f->new_size, f->old_size, err);
	slv_free(buf);
	return st;
}

enum slv_status
slv_undo_measure(struct slv_undo_making *how, struct slv_err *err)
{
	struct body b = { .how = how };

	how->facts.patched = 0;
	for (size_t i = 0; i < how->patches->n; i++)
		how->facts.patched +=
		    how->patches->at[i].end - how->patches->at[i].off;
	SLV_TRY(put_body(&b, err));
	if (b.all_zeros > SLV_UNDO_ZEROS)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: more zeros would be cut off than an undo record may "
		    "count; nothing was changed; repair to another file, with "
		    "-o or -d",
		    how->file->name);
	slv_digest_get(&b.digest, how->sha1);
	how->body = b.size;
	how->pieces = b.pieces;
	how->size = SLV_UNDO_BODY + b.size;
	return SLV_OK;
}

static void
make_head(const struct slv_undo_making *how, uint8_t *head)
{
	const struct slv_undo_facts *f = &how->facts;
	struct slv_digest digest;

	memset(head, 0, SLV_UNDO_BODY);
	memcpy(head, SLV_UNDO_MAGIC, SLV_UNDO_MAGIC_SIZE);
	slv_put_le32(head + SLV_UNDO_MAGIC_SIZE,
	    f->from > 0 ? SLV_UNDO_END : SLV_UNDO_WHOLE);
	slv_put_le64(head + 16, f->old_size);
	slv_put_le64(head + 24, f->new_size);
	slv_put_le64(head + 32, how->body);
	slv_put_le64(head + 40, how->pieces);
	slv_put_le64(head + 48, f->patched);
	memcpy(head + 56, f->old_sha1, SLV_SHA1_SIZE);
	memcpy(head + 76, f->new_sha1, SLV_SHA1_SIZE);
	memcpy(head + 96, how->sha1, SLV_SHA1_SIZE);
	slv_put_le64(head + 116, f->from);
	slv_digest_init(&digest, SLV_SHA1);
	slv_digest_add(&digest, head, SLV_UNDO_SEAL);
	slv_digest_get(&digest, head + SLV_UNDO_SEAL);
}

static enum slv_status
write_all(const struct slv_undo_making *how, struct slv_sink *sink,
    struct slv_err *err)
{
	struct slv_undo_making again = *how;
	struct body b = { .how = &again, .sink = sink };
	uint8_t head[SLV_UNDO_BODY], sha1[SLV_SHA1_SIZE];

	make_head(how, head);
	SLV_TRY(sink->ops->write(sink, head, sizeof(head), err));
	SLV_TRY(put_body(&b, err));
	slv_digest_get(&b.digest, sha1);
	if (memcmp(sha1, how->sha1, sizeof(sha1)) == 0)
		return SLV_OK;
	return slv_fail(err, SLV_E_ACTIVE,
	    "%s: changed while it was read; nothing was changed by salvor",
	    how->file->name);
}

enum slv_status
slv_undo_write(const struct slv_undo_making *how, const struct slv_site *at,
    const struct stat *like, struct slv_err *err)
{
	struct slv_target target = { .path = at->path, .at = at };
	struct slv_sink *sink = NULL;
	struct stat own;
	enum slv_status st;

	/* A record that others could write would not be trusted. */
	if (like != NULL) {
		own = *like;
		own.st_mode &= ~(mode_t)(S_IWGRP | S_IWOTH);
		target.like = &own;
	}
	SLV_TRY(slv_sink_atomic(&target, &sink, err));
	st = write_all(how, sink, err);
	if (st == SLV_OK)
		return sink->ops->commit(sink, err);
	sink->ops->discard(sink);
	return st;
}
