/* bddf_finish.c - all is read: do the parts agree with each other?
 *
 * In order: the beginning, the series, the index, the end, the digest.  What
 * is derived and wrong becomes "rebuilt" in the catalog.
 */
#include <string.h>

#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/judge/bddf_odd.h"
#include "formats/bddf/recover/bddf_known.h"

/* An index block that survived is used only where it says the same. */
static enum slv_status
set_rebuilt(struct slv_scan *s, struct bddf_range r, struct slv_err *err)
{
	return slv_catalog_set(&s->catalog, r.off, r.len, SLV_REBUILT, err);
}

bool
bddf_file_supported(const struct bddf_file *file)
{
	return file->version[0] == 1
	    && (file->checksum == 1 || file->checksum == 2)
	    && file->checksum_bytes == BDDF_DIGEST_SIZE;
}

/* Whether the digest field is as a log without a checksum has it. */
static bool
is_zeroed(const struct slv_seal *seal)
{
	static const uint8_t zeros[BDDF_DIGEST_SIZE];

	return memcmp(seal->stored, zeros, seal->have) == 0;
}

enum slv_status
bddf_finish_first(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	const uint32_t *v = b->file.version;

	if (b->first.len == 0) {
		b->file = (struct bddf_file){
			.version = { 1, 0, 0 },
			.checksum = 2,
			.checksum_bytes = BDDF_DIGEST_SIZE,
		};
		s->supported = true;
		/* The lost block stated whether there is a digest. */
		if (is_zeroed(&s->seal))
			s->seal.have = 0;
		return bddf_problem(s, BDDF_P_FIRST_LOST,
		    s->base + BDDF_MAGIC_SIZE, 0, 0, 0, err);
	}
	s->supported = bddf_file_supported(&b->file);
	if (!s->supported)
		return bddf_problem(s, BDDF_P_UNSUPPORTED, b->first.off,
		    b->first.len, v[0], b->file.checksum, err);
	if (v[1] != 0 || v[2] != 0)
		SLV_TRY(bddf_problem(s, BDDF_P_VERSION, b->first.off,
		    b->first.len, v[1], v[2], err));
	if (b->file.checksum == 1)
		SLV_TRY(bddf_problem(s, BDDF_P_NO_CHECKSUM, b->first.off,
		    b->first.len, 0, 0, err));
	return SLV_OK;
}

/* Compare a FileIndex that precedes declarations with them: this was not done yet. */
static enum slv_status
check_file_index(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_range body = { b->file_index.off + BDDF_HEADER_SIZE,
		b->file_index.len - BDDF_HEADER_SIZE };

	if (!b->index_first || !b->index_same || b->empty_index)
		return SLV_OK;
	SLV_TRY(bddf_index_file(s, body, &b->index_same, err));
	return b->index_same
	    ? SLV_OK
	    : bddf_problem(s, BDDF_P_INDEX_FILE, b->file_index.off,
	        b->file_index.len, 0, 0, err);
}

static enum slv_status
finish_series(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_series *series = &b->series[i];
		struct bddf_range mend = series->mend.at;

		if (!series->declared) {
			SLV_TRY(bddf_problem(s, BDDF_P_SERIES_LOST,
			    series->need_off, 0, i, series->n, err));
		} else if (mend.len > 0) {
			SLV_TRY(bddf_problem(s, BDDF_P_HASH, series->block.off,
			    series->block.len, 0, 0, err));
			SLV_TRY(slv_catalog_queue(
			    &s->catalog, mend.off, mend.len, SLV_REBUILT, err));
		} else if (series->hash_odd) {
			SLV_TRY(bddf_problem(s, BDDF_P_HASH_ODD,
			    series->block.off, series->block.len, 0, 0, err));
		}
	}
	return slv_catalog_apply(&s->catalog, err);
}

bool
bddf_stays(const struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);

	if (b->first.len == 0 || b->first_late)
		return false;
	for (size_t i = 0; i < b->n_series; i++) {
		if (!b->series[i].declared || b->series[i].early)
			return false;
	}
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->off >= b->data_end)
			break;
		/* An index inside the data is moved to the end. */
		if (x->part == SLV_PART_INDEX
		    || (x->fate != SLV_KEPT && x->fate != SLV_REBUILT))
			return false;
	}
	return true;
}

static bool
index_stood_at(struct slv_scan *s, uint64_t off)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_series; i++) {
		if (b->series[i].index_at + s->base == off)
			return true;
	}
	return false;
}

/* A lost stretch among index blocks held no records: the writer puts nothing
 * else between them.  Before the first one, the file index must say that an
 * index block began there. */
static enum slv_status
excuse_index(struct slv_scan *s, struct slv_err *err)
{
	struct slv_catalog *c = &s->catalog;
	bool behind = false;

	for (size_t i = 0; i + 1 < c->n; i++) {
		const struct slv_extent x = c->at[i];

		if (x.fate != SLV_LOST || c->at[i + 1].part != SLV_PART_INDEX
		    || (!behind && !index_stood_at(s, x.off))) {
			behind = x.part == SLV_PART_INDEX;
			continue;
		}
		SLV_TRY(slv_catalog_queue(c, x.off, x.len, SLV_REBUILT, err));
	}
	return slv_catalog_apply(c, err);
}

/* A FileIndex that is before the blocks it points at was not held against
 * them yet. */
static enum slv_status
check_offsets(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	for (size_t i = 0; b->index_same && i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i];

		if (series->index.len == 0
		    || series->index_at + s->base == series->index.off)
			continue;
		b->index_same = false;
		SLV_TRY(bddf_problem(s, BDDF_P_INDEX_FILE, b->file_index.off,
		    b->file_index.len, 0, 0, err));
	}
	return SLV_OK;
}

static enum slv_status
finish_index(struct slv_scan *s, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	bool stays = bddf_stays(s);
	uint64_t missing = 0;

	for (size_t i = 0; i < b->n_series; i++) {
		struct bddf_series *series = &b->series[i];

		missing += series->index.len == 0;
		if (series->index_same && series->index_n != series->n)
			SLV_TRY(bddf_problem(s, BDDF_P_INDEX_SERIES,
			    series->index.off, series->index.len, i, 0, err));
		if (series->index_n != series->n || !stays
		    || s->opt.reading & SLV_READ_REMADE)
			series->index_same = false;
	}
	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_range at = b->series[i].index;

		if (!b->series[i].index_same)
			SLV_TRY(slv_catalog_queue(
			    &s->catalog, at.off, at.len, SLV_REBUILT, err));
	}
	SLV_TRY(slv_catalog_apply(&s->catalog, err));
	missing += b->file_index.len == 0;
	SLV_TRY(check_offsets(s, err));
	if ((b->empty_index && b->n_series > 0)
	    || s->opt.reading & SLV_READ_REMADE)
		b->index_same = false;
	if (!b->index_same)
		SLV_TRY(set_rebuilt(s, b->file_index, err));
	SLV_TRY(excuse_index(s, err));
	if (s->opt.reading & SLV_READ_REMADE)
		SLV_TRY(bddf_problem(
		    s, BDDF_P_INDEX_ODD, b->data_end, 0, 0, 0, err));
	if (missing > 0)
		SLV_TRY(bddf_problem(s, BDDF_P_INDEX_MISSING, b->data_end, 0,
		    b->n_series + 1, missing, err));
	return SLV_OK;
}

static enum slv_status
finish_end(struct slv_scan *s, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	if (slv_problems_count(&s->problems, &bddf_problems[BDDF_P_END_CUT]) > 0
	    && b->end.len == 0)
		return SLV_OK;
	if (b->end.len == 0)
		return bddf_problem(
		    s, BDDF_P_END_MISSING, s->catalog.end, 0, 0, 0, err);
	s->end = SLV_END_KNOWN;
	if (b->end_whole && b->end_index == 0)
		SLV_TRY(bddf_problem(s, BDDF_P_INDEX_NOWHERE, b->end.off,
		    b->end.len, 0, 0, err));
	else if (b->end_whole && b->file_index.len > 0
	    && b->end_index + s->base != b->file_index.off)
		SLV_TRY(bddf_problem(s, BDDF_P_END_OFFSET, b->end.off,
		    b->end.len, b->file_index.off, b->end_index, err));
	if (!b->end_whole || b->file_index.len == 0
	    || b->end_index != b->file_index.off)
		SLV_TRY(set_rebuilt(s, b->end, err));
	return SLV_OK;
}

static enum slv_status
check_zero_digest(struct slv_scan *s, struct slv_err *err)
{
	static const uint8_t zeros[BDDF_DIGEST_SIZE];
	const struct bddf *b = bddf_of(s);
	uint8_t stored[BDDF_DIGEST_SIZE];
	uint64_t off = b->end.off + BDDF_DIGEST_AT;

	if (b->end.len < BDDF_END_SIZE)
		return SLV_OK;
	SLV_TRY(slv_source_read(s->source, off, stored, sizeof(stored), err));
	if (memcmp(stored, zeros, sizeof(zeros)) == 0)
		return SLV_OK;
	SLV_TRY(bddf_problem(
	    s, BDDF_P_DIGEST_NONE, off, BDDF_DIGEST_SIZE, 0, 0, err));
	return set_rebuilt(s, b->end, err);
}

/* Whether nothing was found that a repair would change, ignoring bytes after the end
 * of the log. */
static bool
structure_sound(const struct slv_scan *s)
{
	static const enum slv_core_problem behind[] = { SLV_P_JUNK, SLV_P_ZEROS,
		SLV_P_FOREIGN };
	uint64_t n = slv_problems_damage(&s->problems);

	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++)
		n -= slv_problems_count(
		    &s->problems, &slv_core_problems[behind[i]]);
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		n += x->fate != SLV_KEPT && x->off < bddf_of(s)->end.off;
	}
	return n == 0;
}

/* A declaration that is missing explains a digest that contradicts. */
static void
explain_digest(struct slv_scan *s)
{
	const struct bddf *b = bddf_of(s);

	for (size_t i = 0; i < b->n_series; i++)
		s->absent |= !b->series[i].declared;
}

/* Compare the stored digest with the bytes as they are.  If the structure was
 * corrected, only the corrected bytes can match it. */
static enum slv_status
finish_digest(struct slv_scan *s, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);

	if (b->file.checksum == 1)
		return check_zero_digest(s, err);
	if (s->seal.have == 0)
		return SLV_OK;
	SLV_TRY(slv_scan_digest(
	    s, s->seal.off, s->seal.computed, &s->seal.known, err));
	if (!s->seal.known)
		return SLV_OK;
	s->seal.as_is = slv_seal_compare(&s->seal, s->seal.computed);
	if (s->seal.as_is == SLV_SEAL_OTHER)
		explain_digest(s);
	if (s->seal.as_is == SLV_SEAL_OTHER && structure_sound(s))
		return bddf_problem(
		    s, BDDF_P_DIGEST, s->seal.off, s->seal.have, 0, 0, err);
	if (s->seal.as_is != SLV_SEAL_FIELD || s->seal.have < BDDF_DIGEST_SIZE)
		return SLV_OK;
	SLV_TRY(bddf_problem(
	    s, BDDF_P_DIGEST_FIELD, s->seal.off, BDDF_DIGEST_SIZE, 0, 0, err));
	return set_rebuilt(s, b->end, err);
}

bool
bddf_has_content(const struct bddf *b)
{
	uint64_t data = 0;

	for (size_t i = 0; i < b->n_series; i++)
		data += b->series[i].n;
	return b->first.len > 0 || data > 0;
}

enum slv_status
bddf_finish(struct slv_scan *s, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	const struct bddf *ref = bddf_reference(s);

	if (!bddf_has_content(b)) {
		s->supported = true;
		SLV_TRY(bddf_problem(
		    s, BDDF_P_NOTHING, 0, s->source->size, 0, 0, err));
		return finish_digest(s, err);
	}
	SLV_TRY(bddf_finish_first(s, err));
	SLV_TRY(check_file_index(s, err));
	SLV_TRY(finish_series(s, err));
	SLV_TRY(bddf_clock_steps(s, err));
	SLV_TRY(finish_index(s, err));
	SLV_TRY(finish_end(s, err));
	SLV_TRY(finish_digest(s, err));
	if (s->reference == NULL) {
		bddf_doubt_hashes(s);
		bddf_doubt_strange(s);
		SLV_TRY(bddf_places_sort(s, err));
		return bddf_contested(s, err);
	}
	for (size_t i = 0; i < ref->n_series; i++) {
		if (i >= b->n_series || b->series[i].n != ref->series[i].n)
			return slv_fail(err, SLV_E_BUG,
			    "the plan lacks blocks of series %zu", i);
	}
	return SLV_OK;
}
