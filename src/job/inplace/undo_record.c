/* undo_record.c - read the record of what a repair in place has changed. */
#include "job/inplace/undo_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/search.h"
#include "core/plan/plan.h"
#include "io/sys.h"

#define CHUNK  ((size_t)64 << 10) /* bytes moved at once */
#define PIECES 1024       /* that are read between two looks at a signal */
#define CLOSED "closed\n" /* with its NUL, what the state sector begins with */

static enum slv_status
broken(const struct slv_source *s, struct slv_err *err)
{
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: is no undo record of salvor's, or a damaged one; nothing was "
	    "changed; move it away when the repair need not be undone",
	    s->name);
}

static void
seal_of(const uint8_t *head, uint8_t *out)
{
	struct slv_digest digest;

	slv_digest_init(&digest, SLV_SHA1);
	slv_digest_add(&digest, head, SLV_UNDO_SEAL);
	slv_digest_get(&digest, out);
}

/* The state sector of a closed record: it cannot be that of another record, and
 * a part of it is invalid. */
static void
make_closed(const uint8_t *seal, uint8_t *sector)
{
	struct slv_digest digest;

	memset(sector, 0, SLV_UNDO_SECTOR);
	memcpy(sector, CLOSED, sizeof(CLOSED));
	slv_digest_init(&digest, SLV_SHA1);
	slv_digest_add(&digest, seal, SLV_SHA1_SIZE);
	slv_digest_add(&digest, CLOSED, sizeof(CLOSED));
	slv_digest_get(&digest, sector + sizeof(CLOSED));
}

/* The first two sectors of a record. */
static enum slv_status
read_head(struct slv_undo_record *r, uint64_t *body, uint64_t *pieces,
    uint8_t *sha1, struct slv_err *err)
{
	uint8_t head[SLV_UNDO_BODY], closed[SLV_UNDO_SECTOR];
	struct slv_undo_facts *f = &r->says;
	uint32_t version;

	if (r->source->size < sizeof(head))
		return broken(r->source, err);
	SLV_TRY(slv_source_read(r->source, 0, head, sizeof(head), err));
	seal_of(head, r->seal);
	version = slv_get_le32(head + SLV_UNDO_MAGIC_SIZE);
	f->from = slv_get_le64(head + 116);
	if (memcmp(head, SLV_UNDO_MAGIC, SLV_UNDO_MAGIC_SIZE) != 0
	    || memcmp(head + SLV_UNDO_SEAL, r->seal, sizeof(r->seal)) != 0
	    || version != (f->from > 0 ? SLV_UNDO_END : SLV_UNDO_WHOLE))
		return broken(r->source, err);
	make_closed(r->seal, closed);
	f->closed = memcmp(head + SLV_UNDO_SECTOR, closed, sizeof(closed)) == 0;
	f->old_size = slv_get_le64(head + 16);
	f->new_size = slv_get_le64(head + 24);
	if (!slv_plan_is_end(f->from, slv_min64(f->old_size, f->new_size)))
		return broken(r->source, err);
	*body = slv_get_le64(head + 32);
	*pieces = slv_get_le64(head + 40);
	f->patched = slv_get_le64(head + 48);
	memcpy(f->old_sha1, head + 56, SLV_SHA1_SIZE);
	memcpy(f->new_sha1, head + 76, SLV_SHA1_SIZE);
	memcpy(sha1, head + 96, SLV_SHA1_SIZE);
	return SLV_OK;
}

static enum slv_status
look(const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	return slv_is_cancelled(cancel)
	    ? slv_fail(err, SLV_E_CANCELLED, "stopped")
	    : SLV_OK;
}

/* The whole body is as it was written; what is in it, see read_pieces. */
static enum slv_status
check_body(struct slv_undo_record *r, const uint8_t *sha1,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	struct slv_digest digest;
	uint8_t *buf = slv_realloc(NULL, CHUNK), found[SLV_SHA1_SIZE];
	enum slv_status st = SLV_OK;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_digest_init(&digest, SLV_SHA1);
	for (uint64_t at = SLV_UNDO_BODY;
	     st == SLV_OK && at < r->source->size;) {
		size_t n = (size_t)slv_min64(r->source->size - at, CHUNK);

		st = look(cancel, err);
		if (st == SLV_OK)
			st = slv_source_read(r->source, at, buf, n, err);
		if (st != SLV_OK)
			break;
		slv_digest_add(&digest, buf, n);
		at += n;
	}
	slv_free(buf);
	slv_digest_get(&digest, found);
	if (st == SLV_OK && memcmp(found, sha1, sizeof(found)) != 0)
		st = broken(r->source, err);
	return st;
}

/* Does the record have all that was cut off, and no more zeros than can be digested in an
 * hour?  Its sender may state any size. */
static bool
adds_up(const struct slv_undo_record *r)
{
	uint64_t from = slv_min64(r->says.new_size, r->says.old_size);
	uint64_t cut = r->says.old_size - from, zeros = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct slv_undo_piece *p = &r->at[i];
		uint64_t end = p->off + p->len;

		zeros += p->at == 0 ? p->len : 0;
		cut -= end > from ? end - slv_max64(p->off, from) : 0;
	}
	return cut == 0 && zeros <= SLV_UNDO_ZEROS;
}

static enum slv_status
read_pieces(struct slv_undo_record *r, uint64_t pieces,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	uint64_t at = SLV_UNDO_BODY, after = r->says.from;

	/* Some bytes of the file itself confirm that the record is of it. */
	after += after > 0 ? SLV_PLAN_TAIL : 0;
	for (; pieces > 0; pieces--) {
		uint8_t head[SLV_UNDO_PIECE];
		struct slv_undo_piece p;
		uint64_t zeros;

		if (!slv_range_in(at, sizeof(head), r->source->size))
			return broken(r->source, err);
		if (r->n % PIECES == 0)
			SLV_TRY(look(cancel, err));
		SLV_TRY(
		    slv_source_read(r->source, at, head, sizeof(head), err));
		at += sizeof(head);
		p.off = slv_get_le64(head);
		p.len = slv_get_le64(head + 8);
		zeros = slv_get_le64(head + 16);
		p.at = zeros ? 0 : at;
		if (zeros > 1 || p.len == 0 || p.off < after
		    || !slv_range_in(p.off, p.len, r->says.old_size)
		    || (!zeros && !slv_range_in(at, p.len, r->source->size)))
			return broken(r->source, err);
		after = p.off + p.len;
		at += zeros ? 0 : p.len;
		SLV_TRY(
		    slv_grow(&r->at, &r->cap, r->n + 1, sizeof(*r->at), err));
		r->at[r->n++] = p;
	}
	return at == r->source->size && adds_up(r) ? SLV_OK
	                                           : broken(r->source, err);
}

enum slv_status
slv_undo_alien(const char *path, const char *doubt, struct slv_err *err)
{
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: %s, and is not believed as an undo record; nothing was "
	    "changed; check it, then give --undo-file a copy that only you can "
	    "write, or move it away",
	    path, doubt);
}

static enum slv_status
open_record(struct slv_undo_record *r, const struct slv_site *at,
    const struct stat *of, struct slv_undo_seen *seen, struct slv_err *err)
{
	int fd;

	*seen = (struct slv_undo_seen){ .exists = false };
	if (slv_site_look(at, &seen->as) < 0) {
		/* The name of a log can have the maximum length. */
		if (errno == ENOENT || errno == ENAMETOOLONG)
			return SLV_OK;
		return slv_fail_errno(err, "%s: cannot look at it", at->path);
	}
	seen->exists = true;
	SLV_TRY(slv_site_trusted(at, of, &fd, &seen->as, &seen->doubt, err));
	if (seen->doubt != NULL)
		return slv_undo_alien(at->path, seen->doubt, err);
	r->as = seen->as;
	return slv_source_fd_open(fd, at->path, &r->source, &seen->as, err);
}

enum slv_status
slv_undo_read(struct slv_undo_record *r, const struct slv_site *at,
    const struct stat *of, const volatile sig_atomic_t *cancel,
    struct slv_undo_seen *seen, struct slv_err *err)
{
	uint64_t body, pieces;
	uint8_t sha1[SLV_SHA1_SIZE];

	*r = (struct slv_undo_record){ .source = NULL };
	SLV_TRY(open_record(r, at, of, seen, err));
	if (!seen->exists)
		return SLV_OK;
	SLV_TRY(read_head(r, &body, &pieces, sha1, err));
	seen->closed = r->says.closed;
	if (body != r->source->size - SLV_UNDO_BODY)
		return broken(r->source, err);
	SLV_TRY(check_body(r, sha1, cancel, err));
	SLV_TRY(read_pieces(r, pieces, cancel, err));
	if (r->source->unreadable.n > 0)
		return broken(r->source, err);
	return SLV_OK;
}

enum slv_status
slv_undo_look(const struct slv_site *at, const struct stat *of,
    struct slv_undo_seen *seen, struct slv_err *err)
{
	struct slv_undo_record r = { .source = NULL };
	uint64_t body, pieces;
	uint8_t sha1[SLV_SHA1_SIZE];
	enum slv_status st;

	st = open_record(&r, at, of, seen, err);
	if (st == SLV_OK && seen->exists)
		st = read_head(&r, &body, &pieces, sha1, err);
	seen->closed = r.says.closed;
	slv_undo_free(&r);
	return st;
}

enum slv_status
slv_undo_set(const struct slv_undo_record *r, const struct slv_site *at,
    bool closed, struct slv_err *err)
{
	uint8_t sector[SLV_UNDO_SECTOR] = { 0 };
	struct slv_place p;
	enum slv_status st = SLV_OK;

	if (closed)
		make_closed(r->seal, sector);
	SLV_TRY(slv_place_open(&p, at, err));
	if (!slv_site_same(&p.st, &r->as))
		st = slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced by another file", at->path);
	if (st == SLV_OK)
		st = slv_place_write(
		    &p, SLV_UNDO_SECTOR, sector, sizeof(sector), err);
	if (st == SLV_OK)
		st = slv_place_sync(&p, err);
	slv_place_close(&p);
	return st;
}

struct view {
	struct slv_source base;
	const struct slv_undo_record *record;
	struct slv_source *file;
};

/* Index of the first piece that ends after off. */
static size_t
piece_from(const struct slv_undo_record *r, uint64_t off)
{
	struct slv_search f = { .high = r->n };

	while (slv_search(&f))
		slv_search_on(&f, r->at[f.mid].off + r->at[f.mid].len <= off);
	return f.low;
}

/* n bytes of a piece, from `from` bytes into it. */
static enum slv_status
read_piece(const struct slv_undo_record *r, const struct slv_undo_piece *p,
    uint64_t from, uint8_t *buf, size_t n, struct slv_err *err)
{
	if (p->at != 0)
		return slv_source_read(r->source, p->at + from, buf, n, err);
	memset(buf, 0, n);
	return SLV_OK;
}

/* The file's bytes of [off, off + n); zeros if it has become shorter, so that
 * the digest fails. */
static enum slv_status
read_file(struct slv_source *file, uint64_t off, uint8_t *buf, size_t n,
    struct slv_err *err)
{
	size_t have = 0;

	if (off < file->size)
		have = (size_t)slv_min64(n, file->size - off);
	memset(buf + have, 0, n - have);
	return have > 0 ? slv_source_read(file, off, buf, have, err) : SLV_OK;
}

static enum slv_status
view_read(struct slv_source *s, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct view *v = (struct view *)s;
	uint8_t *to = buf;

	while (n > 0) {
		size_t i = piece_from(v->record, off), take = n;
		const struct slv_undo_piece *p =
		    i < v->record->n ? &v->record->at[i] : NULL;

		if (p != NULL && p->off <= off) {
			take = (size_t)slv_min64(n, p->len - (off - p->off));
			SLV_TRY(read_piece(
			    v->record, p, off - p->off, to, take, err));
		} else {
			if (p != NULL)
				take = (size_t)slv_min64(n, p->off - off);
			SLV_TRY(read_file(v->file, off, to, take, err));
		}
		off += take;
		to += take;
		n -= take;
	}
	return SLV_OK;
}

static void
view_close(struct slv_source *s)
{
	slv_free(s);
}

static const struct slv_source_ops view_ops = {
	.read = view_read,
	.close = view_close,
};

enum slv_status
slv_undo_view(const struct slv_undo_record *r, struct slv_source *file,
    struct slv_source **out, struct slv_err *err)
{
	struct view *v = slv_calloc(1, sizeof(*v));

	if (v == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	v->base.ops = &view_ops;
	v->base.name = file->name;
	v->base.size = r->says.old_size;
	v->record = r;
	v->file = file;
	*out = &v->base;
	return SLV_OK;
}

static enum slv_status
put_back_piece(struct slv_undo_record *r, const struct slv_undo_piece *p,
    uint64_t end, struct slv_place *file, uint8_t *buf, struct slv_err *err)
{
	/* Zeros after the end of the file come with its old size. */
	uint64_t len = p->at != 0 ? p->len
	    : p->off < end        ? slv_min64(p->len, end - p->off)
	                          : 0;

	for (uint64_t done = 0; done < len;) {
		size_t n = (size_t)slv_min64(len - done, CHUNK);

		SLV_TRY(read_piece(r, p, done, buf, n, err));
		SLV_TRY(slv_place_write(file, p->off + done, buf, n, err));
		done += n;
	}
	return SLV_OK;
}

enum slv_status
slv_undo_put_back(
    struct slv_undo_record *r, struct slv_place *file, struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, CHUNK);
	enum slv_status st = SLV_OK;
	struct stat now;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_sys.fstat(file->fd, &now) < 0)
		st = slv_fail_errno(err, "%s: cannot look at it", file->name);
	for (size_t i = 0; st == SLV_OK && i < r->n; i++)
		st = put_back_piece(
		    r, &r->at[i], (uint64_t)now.st_size, file, buf, err);
	if (st == SLV_OK)
		st = slv_place_resize(file, r->says.old_size, err);
	slv_free(buf);
	return st;
}

void
slv_undo_free(struct slv_undo_record *r)
{
	slv_source_close(r->source);
	slv_free(r->at);
	*r = (struct slv_undo_record){ .source = NULL };
}
