/* bddf_accept.c - a block belongs to the log: remember what it says. */
#include "base/list.h"
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/judge/bddf_clock.h"
#include "formats/bddf/judge/bddf_odd.h"
#include "formats/bddf/judge/bddf_twice.h"
#include "formats/bddf/read/bddf_ident.h"

/* A block that contradicts an earlier one begins another recording, unless
 * the caller knows better. */
static void
contradict(struct slv_scan *s, struct slv_unit *u)
{
	s->contested = true;
	if (s->opt.reading & SLV_READ_ONE_LOG) {
		u->fate = SLV_LOST;
		u->problem = BDDF_P_BAD_BLOCK;
		return;
	}
	bddf_edit(s)->foreign = true;
	u->fate = SLV_FOREIGN;
}

static enum slv_status
accept_file(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct bddf_desc *d)
{
	struct bddf *b = bddf_edit(s);

	if (b->first.len > 0) {
		/* No writer puts two into one log. */
		contradict(s, u);
		return SLV_OK;
	}
	b->first = (struct bddf_range){ off, u->len };
	b->first_late = b->data_end > 0;
	if (b->first_late) {
		/* It is moved to where readers want it. */
		u->fate = SLV_REBUILT;
		u->problem = BDDF_P_FIRST_LATE;
	}
	memcpy(b->file.version, d->version, sizeof(b->file.version));
	b->file.checksum = d->checksum;
	b->file.checksum_bytes = d->checksum_bytes;
	return SLV_OK;
}

/* The series is declared already: a copy, or the first sign of another
 * recording. */
static enum slv_status
accept_again(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct bddf_desc *d, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	bool same;

	SLV_TRY(bddf_same_bytes(s, b->series[d->series].block,
	    (struct bddf_range){ off, u->len }, &same, err));
	if (same) {
		u->fate = SLV_FILLER;
		u->problem = BDDF_P_SERIES_AGAIN;
		u->want = d->series;
		return SLV_OK;
	}
	if (!b->foreign && b->clash_block.len == 0) {
		bddf_edit(s)->clash = d->series;
		bddf_edit(s)->clash_block = (struct bddf_range){ off, u->len };
	}
	contradict(s, u);
	return SLV_OK;
}

/* Series with higher numbers are declared before this one.  Where something was
 * lost, or its own data are before it, it is moved: a reader of one block after
 * the other wants declarations in order, and before their data.  It has not
 * judged those yet. */
static enum slv_status
accept_late(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct bddf_desc *d, struct slv_err *err)
{
	struct bddf_series *series = &bddf_of(s)->series[d->series];

	series->early |= s->catalog.sums[SLV_LOST] > 0;
	SLV_TRY(bddf_problem(
	    s, BDDF_P_SERIES_LATE, off, u->len, d->series, 0, err));
	if (!series->early)
		return SLV_OK;
	u->fate = SLV_REBUILT;
	if (series->n_names == d->n_names || series->first == NULL)
		return SLV_OK;
	return bddf_problem(s, BDDF_P_EXTRAS, series->first->off, 0, d->n_names,
	    series->n_names, err);
}

static enum slv_status
accept_series(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct bddf_desc *d, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	uint8_t meaning[BDDF_DIGEST_SIZE];
	struct bddf_series *series;
	uint64_t hash;
	bool known;

	if (d->series < b->n_series && b->series[d->series].declared)
		return accept_again(s, off, u, d, err);
	if (d->series < b->n_series)
		SLV_TRY(accept_late(s, off, u, d, err));
	else
		SLV_TRY(bddf_series_add(s, d->series, off, err));
	series = &b->series[d->series];
	series->turn = b->n_declared;
	if (d->series >= b->n_declared)
		b->n_declared = d->series + 1;
	series->declared = true;
	b->index_first |= b->file_index.len > 0;
	series->block = (struct bddf_range){ off, u->len };
	series->ident = (struct bddf_range){ d->ident_off, d->ident_len };
	series->hash = d->hash;
	series->n_names = d->n_names;
	series->strange = d->strange;
	SLV_TRY(bddf_ident(s, series->ident, &hash, meaning, &known, err));
	series->hash_odd = known && hash != d->hash;
	return SLV_OK;
}

/* Whether data of this log follow an index block that was met: then a
 * later one is the log's own, and this one of an older log. */
static bool
is_early(const struct bddf *b, struct bddf_range index)
{
	return index.len > 0 && index.off < b->data_end;
}

/* Remember the first index of each series, and of those that are not known
 * (yet) the ones in order, as the writer has them. */
static enum slv_status
note_index(struct bddf *b, struct bddf_range block, uint32_t series,
    struct slv_err *err)
{
	bool known = series < b->n_series;

	if (b->n_found > 0 && is_early(b, b->found[0].block))
		b->n_found = 0;
	else if (known
	        ? b->series[series].index.len > 0
	        : b->n_found > 0 && b->found[b->n_found - 1].series >= series)
		return SLV_OK;
	return SLV_ADD(
	    b, found, err, (struct bddf_found_index){ series, block });
}

/* The index block agrees with the data blocks so far, or it is rebuilt. */
static enum slv_status
accept_series_index(struct slv_scan *s, uint64_t off, struct slv_unit *u,
    const struct bddf_desc *d, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_range body = { off + BDDF_HEADER_SIZE,
		u->len - BDDF_HEADER_SIZE };
	struct bddf_series *series;
	bool same = false;

	if (s->reference == NULL)
		SLV_TRY(note_index(
		    b, (struct bddf_range){ off, u->len }, d->series, err));
	if (d->series < b->n_series) {
		series = &b->series[d->series];
		if (series->index.len == 0 || is_early(b, series->index)) {
			SLV_TRY(slv_catalog_set(&s->catalog, series->index.off,
			    series->index.len, SLV_REBUILT, err));
			SLV_TRY(
			    bddf_index_series(s, body, d->series, &same, err));
			series->index = (struct bddf_range){ off, u->len };
			series->index_same = same;
			series->index_n = series->n;
		}
	}
	if (!same) {
		u->fate = SLV_REBUILT;
		u->problem = BDDF_P_INDEX_SERIES;
		u->want = d->series;
	}
	return SLV_OK;
}

static enum slv_status
accept_file_index(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_range body = { off + BDDF_HEADER_SIZE,
		u->len - BDDF_HEADER_SIZE };

	if (b->file_index.len > 0 && !is_early(b, b->file_index)) {
		u->fate = SLV_REBUILT;
		u->problem = BDDF_P_INDEX_FILE;
		return SLV_OK;
	}
	SLV_TRY(slv_catalog_set(&s->catalog, b->file_index.off,
	    b->file_index.len, SLV_REBUILT, err));
	b->file_index = (struct bddf_range){ off, u->len };
	b->empty_index = u->tag == BDDF_TAG_EMPTY_INDEX;
	if (b->empty_index)
		b->index_same = true;
	else
		SLV_TRY(bddf_index_file(s, body, &b->index_same, err));
	if (!b->index_same) {
		u->fate = SLV_REBUILT;
		u->problem = BDDF_P_INDEX_FILE;
	}
	return SLV_OK;
}

/* Read what there is of the end block.  The digest counts as far as it is
 * there, for a cut one can still prove what was cut off. */
static enum slv_status
accept_end(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	uint8_t bytes[BDDF_END_SIZE] = { 0 };
	uint64_t n = u->len;

	SLV_TRY(slv_source_read(s->source, off, bytes, (size_t)n, err));
	b->has_end = n >= BDDF_DIGEST_AT;
	b->end = (struct bddf_range){ off, n };
	b->end_index = slv_get_le64(bytes + BDDF_HEADER_SIZE);
	b->end_whole = u->fate == SLV_KEPT;
	if (b->has_end && b->file.checksum != 1) {
		s->seal.off = off + BDDF_DIGEST_AT;
		s->seal.have =
		    (size_t)slv_min64(n - BDDF_DIGEST_AT, BDDF_DIGEST_SIZE);
		s->seal.framed = n == BDDF_END_SIZE && b->end_whole;
		s->seal.kind = SLV_SHA1;
		memcpy(s->seal.stored, bytes + BDDF_DIGEST_AT, s->seal.have);
	}
	return SLV_OK;
}

/* In a proof nothing is stored: the block must be the next one of its series
 * in the first scan. */
static enum slv_status
prove_entry(struct slv_scan *s, uint32_t index, const struct bddf_entry *e,
    const struct bddf_data *d, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	const struct bddf *ref = s->reference->state;
	struct bddf_series *mine = &b->series[index];
	struct bddf_entry want;
	bool same;

	if (mine->next_chunk == NULL && mine->n == 0 && index < ref->n_series)
		mine->next_chunk = ref->series[index].first;
	if (mine->next_chunk != NULL && mine->next_at == mine->next_chunk->n) {
		mine->next_chunk = mine->next_chunk->next;
		mine->next_at = 0;
	}
	if (mine->next_chunk == NULL)
		return slv_fail(err, SLV_E_BUG,
		    "the plan holds a block of series %u that the scan has "
		    "not",
		    index);
	want = bddf_chunk_get(mine->next_chunk, mine->next_at++);
	same = bddf_out(ref, want.off) == e->off && want.sec == e->sec
	    && want.nanos == e->nanos && (want.extra == 0) == (d->n_extra == 0);
	if (same && want.extra != 0)
		same = bddf_pool_at(&ref->extras, want.extra - 1)
		    == (int64_t)d->n_extra;
	if (!same)
		return slv_fail(err, SLV_E_BUG,
		    "the plan's block at %llu is not the one scanned",
		    (unsigned long long)e->off);
	return SLV_OK;
}

static enum slv_status
store_entry(struct slv_scan *s, struct bddf_series *series,
    struct bddf_entry *e, const struct bddf_data *d, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_data again;
	const uint8_t *p;

	SLV_TRY(bddf_twice_note(s, series, e, err));
	if (d->n_extra > 0) {
		if (b->extras.n >= UINT32_MAX - d->n_extra)
			return slv_fail(err, SLV_E_LIMIT,
			    "%s: more than 4 billion additional indexes",
			    s->source->name);
		e->extra = (uint32_t)b->extras.n + 1;
		b->memory += 8 * ((uint64_t)d->n_extra + 1);
		bddf_pool_push(&b->extras, d->n_extra);
		SLV_TRY(slv_window_view(s->window,
		    e->off + BDDF_HEADER_SIZE + 4, d->size, &p, err));
		bddf_data_get(
		    p, d->size, d->size, &again, bddf_pool_take, &b->extras);
		if (b->extras.failed)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	return bddf_entry_add(s, series, e, err);
}

enum slv_status
bddf_take(struct slv_scan *s, uint64_t off, uint64_t len,
    const struct bddf_data *d, struct slv_moment at, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct bddf_entry e = {
		.off = off,
		.sec = d->sec,
		.nanos = d->has_time ? (uint32_t)d->nanos : BDDF_NO_TIME,
	};
	struct bddf_series *series;

	if (d->series >= b->n_series)
		SLV_TRY(bddf_series_add(s, d->series, off, err));
	series = &b->series[d->series];
	series->early |= d->series >= b->n_declared;
	if (s->reference != NULL)
		SLV_TRY(prove_entry(s, d->series, &e, d, err));
	else
		SLV_TRY(store_entry(s, series, &e, d, err));
	/* What its lost declaration named, a placeholder must name too. */
	if (!series->declared && series->n == 0)
		series->n_names = d->n_extra;
	series->n++;
	series->bytes += len - BDDF_HEADER_SIZE - 4 - d->size;
	slv_moment_span(at, &series->from, &series->to);
	return bddf_clock_note(s, off, len, at, err);
}

/* Note a block that a head confirms of which the size does not hold. */
static enum slv_status
note_weak(struct slv_scan *s, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	return SLV_ADD(b, weak, err, (struct bddf_range){ off, len });
}

/* Note a descriptor block of which version 1.0 knows no member. */
static enum slv_status
note_unnamed(
    struct slv_scan *s, uint64_t off, uint64_t len, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	return SLV_ADD(b, unnamed, err, (struct bddf_range){ off, len });
}

static enum slv_status
accept_data(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	const struct bddf_series *series;
	struct bddf_data d;

	memcpy(&d, u->priv, sizeof(d));
	SLV_TRY(bddf_take(s, off, u->len, &d, u->time, err));
	SLV_TRY(bddf_odd_note(s, off, u->len, &d, err));
	if (u->weak)
		SLV_TRY(note_weak(s, off, u->len, err));
	series = &bddf_of(s)->series[d.series];
	if (u->problem != BDDF_PROBLEMS)
		return SLV_OK;
	if (d.strange) {
		u->problem = BDDF_P_STRANGE;
	} else if (!d.has_time) {
		u->problem = BDDF_P_TIME;
	} else if (d.n_extra != series->n_names) {
		u->problem = BDDF_P_EXTRAS;
		u->want = series->n_names;
		u->got = d.n_extra;
	}
	return SLV_OK;
}

/* What every block does to the course of the log. */
static enum slv_status
note_part(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);

	if (u->part == SLV_PART_INDEX) {
		/* A repair may begin here: keep the digest up to here. */
		if (!b->in_index && !s->opt.no_digest)
			SLV_TRY(slv_hasher_mark(&s->hasher, off, err));
		b->in_index = true;
	} else if (u->part == SLV_PART_DATA && u->fate == SLV_KEPT) {
		b->in_index = false;
		b->data_end = off + u->len;
	}
	return SLV_OK;
}

enum slv_status
bddf_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	enum slv_status st = SLV_OK;
	struct bddf_desc d;

	if (u->fate == SLV_FOREIGN)
		return SLV_OK;
	if (bddf_is_data(u)) {
		SLV_TRY(accept_data(s, off, u, err));
		return note_part(s, off, u, err);
	}
	memcpy(&d, u->priv, sizeof(d));
	if (u->ends)
		st = accept_end(s, off, u, err);
	else if (u->tag == BDDF_TAG_EMPTY_INDEX)
		st = accept_file_index(s, off, u, err);
	else if (d.member == BDDF_FILE)
		st = accept_file(s, off, u, &d);
	else if (d.member == BDDF_SERIES)
		st = accept_series(s, off, u, &d, err);
	else if (d.member == BDDF_SERIES_INDEX)
		st = accept_series_index(s, off, u, &d, err);
	else if (d.member == BDDF_INDEX)
		st = accept_file_index(s, off, u, err);
	else
		st = note_unnamed(s, off, u->len, err);
	if (st == SLV_OK && u->part == SLV_PART_INDEX)
		st = bddf_note_huge(s, off, u->len - BDDF_HEADER_SIZE, err);
	return st == SLV_OK ? note_part(s, off, u, err) : st;
}
