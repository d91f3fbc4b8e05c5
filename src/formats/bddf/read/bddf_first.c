/* bddf_first.c - a first block of which one bit is wrong, and no digest to
 * tell which.
 *
 * Of the versions and checksums that the first block can state, one version
 * and two checksums exist.  Where it states another, or is no such block, everything
 * after it is as in the one that exists, and one bit makes the difference, it is that
 * bit.
 */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define FIRST_MAX 4096 /* bytes of a first block that is looked at */
#define UNITS_MIN 3    /* others that say that it is such a log */

struct flipping {
	struct bddf_dialect dialect;
	uint8_t bytes[FIRST_MAX]; /* the block */
	size_t n;
	size_t found; /* ways to put it right */
	size_t at;    /* the byte of the best */
	uint8_t byte; /* and what it must be */
	bool none;    /* the footer has none: it was one without */
};

/* What the block says as it is. */
static enum slv_status
parse(struct flipping *f, struct bddf_desc *d, bool *good, struct slv_err *err)
{
	const struct bddf_head head = bddf_head_get(f->dialect, f->bytes);
	struct bddf_file file;
	enum bddf_read read;

	*good = false;
	if (head.type != BDDF_DESCRIPTOR || bddf_head_span(head) != f->n)
		return SLV_OK;
	SLV_TRY(bddf_desc_memory(f->bytes + BDDF_HEADER_SIZE,
	    f->n - BDDF_HEADER_SIZE, d, &read, err));
	if (read != BDDF_WHOLE || d->member != BDDF_FILE || d->strange)
		return SLV_OK;
	memcpy(file.version, d->version, sizeof(file.version));
	file.checksum = d->checksum;
	file.checksum_bytes = d->checksum_bytes;
	*good = bddf_file_supported(&file) && d->version[1] == 0
	    && d->version[2] == 0;
	return SLV_OK;
}

/* Try all bits of one byte.  Of two ways that one is better which the footer
 * confirms; where there is none, writers choose a checksum. */
static enum slv_status
try_byte(struct flipping *f, size_t at, struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	struct bddf_desc d;
	bool good;

	for (unsigned bit = 0; st == SLV_OK && bit < 8; bit++) {
		f->bytes[at] ^= (uint8_t)(1u << bit);
		st = parse(f, &d, &good, err);
		if (st == SLV_OK && good) {
			if (f->found == 0 || f->none == (d.checksum != 2)) {
				f->at = at;
				f->byte = f->bytes[at];
			}
			f->found++;
		}
		f->bytes[at] ^= (uint8_t)(1u << bit);
	}
	return st;
}

/* The first block, or, where none parses, what is in its place: up to where its header
 * says it ends, or up to the first block that is kept. */
static enum slv_status
find_first(
    const struct slv_scan *s, struct bddf_range *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct slv_catalog *c = &s->catalog;
	uint64_t off = s->base + BDDF_MAGIC_SIZE;
	uint8_t bytes[BDDF_HEADER_SIZE];
	size_t i;

	*out = b->first;
	if (out->len > 0 || !slv_range_in(off, sizeof(bytes), c->end))
		return SLV_OK;
	i = slv_catalog_find(c, off);
	if (c->at[i].fate == SLV_KEPT) {
		SLV_TRY(
		    slv_source_read(s->source, off, bytes, sizeof(bytes), err));
		out->off = off;
		out->len = bddf_head_span(bddf_head_get(b->dialect, bytes));
		return SLV_OK;
	}
	while (i < c->n && c->at[i].fate != SLV_KEPT)
		i++;
	if (i < c->n)
		*out = (struct bddf_range){ off, c->at[i].off - off };
	return SLV_OK;
}

enum slv_status
bddf_mend_first(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct bddf_range first;
	struct slv_problem p = {
		.info = &bddf_problems[BDDF_P_FIRST_BIT],
		.len = 1,
	};
	struct flipping f = { .dialect = b->dialect };

	SLV_TRY(find_first(s, &first, err));
	if (first.len <= BDDF_HEADER_SIZE || first.len > FIRST_MAX
	    || !slv_range_in(first.off, first.len, s->source->size)
	    || s->units_kept < UNITS_MIN || b->n_declared == 0)
		return SLV_OK;
	f.n = (size_t)first.len;
	SLV_TRY(slv_source_read(s->source, first.off, f.bytes, f.n, err));
	f.none = s->seal.have == BDDF_DIGEST_SIZE
	    && memcmp(s->seal.stored, (uint8_t[BDDF_DIGEST_SIZE]){ 0 },
	           BDDF_DIGEST_SIZE)
	        == 0;
	for (size_t i = 0; i < f.n; i++)
		SLV_TRY(try_byte(&f, i, err));
	if (f.found == 0)
		return SLV_OK;
	p.off = first.off + f.at;
	return slv_mends_add(out, p.off, &f.byte, 1, &p, err);
}
