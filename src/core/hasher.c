/* hasher.c - the running digest of a source. */
#include "core/hasher.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"

enum slv_status
slv_hasher_init(struct slv_hasher *h, struct slv_source *source,
    enum slv_digest_kind kind, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	*h = (struct slv_hasher){ .source = source, .cancel = cancel };
	slv_digest_init(&h->now.digest, kind);
	h->marks[h->n_marks++] = h->now;
	h->buf = slv_realloc(NULL, SLV_HASHER_STRIDE);
	if (h->buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

void
slv_hasher_resume(struct slv_hasher *h, const struct slv_hash_mark *mark)
{
	h->now = *mark;
	h->marks[h->n_marks++] = *mark;
}

enum slv_status
slv_hasher_to(struct slv_hasher *h, uint64_t off, struct slv_err *err)
{
	while (h->now.off < off) {
		size_t take =
		    (size_t)slv_min64(off - h->now.off, SLV_HASHER_STRIDE);

		if (h->cancel != NULL && *h->cancel)
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(
		    slv_source_read(h->source, h->now.off, h->buf, take, err));
		slv_digest_add(&h->now.digest, h->buf, take);
		if (h->pages != NULL)
			SLV_TRY(slv_pages_add(
			    h->pages, h->now.off, h->buf, take, err));
		h->now.off += take;
		slv_meter_at(h->meter, h->now.off);
	}
	return SLV_OK;
}

enum slv_status
slv_hasher_mark(struct slv_hasher *h, uint64_t off, struct slv_err *err)
{
	if (off < h->now.off)
		return SLV_OK;
	SLV_TRY(slv_hasher_to(h, off, err));
	if (h->n_marks < SLV_HASHER_MARKS)
		h->marks[h->n_marks++] = h->now;
	return SLV_OK;
}

const struct slv_hash_mark *
slv_hasher_before(const struct slv_hasher *h, uint64_t off)
{
	const struct slv_hash_mark *best = &h->marks[0];

	for (size_t i = 1; i < h->n_marks; i++) {
		if (h->marks[i].off <= off && h->marks[i].off > best->off)
			best = &h->marks[i];
	}
	if (h->now.off <= off && h->now.off > best->off)
		best = &h->now;
	return best;
}

void
slv_hasher_free(struct slv_hasher *h)
{
	free(h->buf);
	h->buf = NULL;
}
