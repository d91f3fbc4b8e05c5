/* bddf_first.c - a first block of which one bit is wrong, and no digest to
 * tell which.
 *
 * Of the versions and checksums that the first block can state, one version
 * and two checksums exist.  Where it states another, everything after it is
 * as in the one that exists, and one bit makes the difference, it is that bit.
 */
#include <string.h>

#include "formats/bddf/bddf_state.h"

#define FIRST_MAX 4096 /* bytes of a first block that is looked at */
#define UNITS_MIN 3    /* others that say that it is such a log */

struct flipping {
	uint8_t bytes[FIRST_MAX]; /* the block's body */
	size_t n;
	size_t found; /* ways to put it right */
	size_t at;    /* the byte of the best */
	uint8_t byte; /* and what it must be */
	bool none;    /* the footer has none: it was one without */
};

/* What the body says as it is. */
static enum slv_status
parse(struct flipping *f, struct bddf_desc *d, bool *good, struct slv_err *err)
{
	struct bddf_file file;
	enum bddf_read read;

	*good = false;
	SLV_TRY(bddf_desc_memory(f->bytes, f->n, d, &read, err));
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

enum slv_status
bddf_mend_first(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	uint64_t body = b->first.off + BDDF_HEADER_SIZE;
	struct slv_problem p = {
		.info = &bddf_problems[BDDF_P_FIRST_BIT],
		.len = 1,
	};
	struct flipping f = { 0 };

	if (b->first.len <= BDDF_HEADER_SIZE
	    || b->first.len - BDDF_HEADER_SIZE > FIRST_MAX
	    || s->units_kept < UNITS_MIN || b->n_declared == 0)
		return SLV_OK;
	f.n = (size_t)(b->first.len - BDDF_HEADER_SIZE);
	SLV_TRY(slv_source_read(s->source, body, f.bytes, f.n, err));
	f.none = s->seal.have == BDDF_DIGEST_SIZE
	    && memcmp(s->seal.stored, (uint8_t[BDDF_DIGEST_SIZE]){ 0 },
	           BDDF_DIGEST_SIZE)
	        == 0;
	for (size_t i = 0; i < f.n; i++)
		SLV_TRY(try_byte(&f, i, err));
	if (f.found == 0)
		return SLV_OK;
	p.off = body + f.at;
	return slv_mends_add(out, p.off, &f.byte, 1, &p, err);
}
