/* bddf_index.c - does the FileIndex say what the scan says?  It has an element a
 * series and is looked at in memory. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/compare.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_ident.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define FIELD(message, name) bosdyn_api_##message##_##name##_tag

enum slv_status
bddf_same_bytes(struct slv_scan *s, struct bddf_range a, struct bddf_range b,
    bool *same, struct slv_err *err)
{
	uint64_t n = 0;

	*same = a.len == b.len;
	if (*same)
		SLV_TRY(slv_compare(s, a.off, b.off, a.len, &n, err));
	*same = *same && n == a.len;
	return SLV_OK;
}

/* One element of a FileIndex's three lists. */
struct element {
	struct bddf_range ident;
	struct bddf_range hash_bytes;
	uint64_t offset, hash;
};

struct file_check {
	struct element *at; /* owned */
	size_t n, cap;
	size_t lists[3]; /* how long each list is so far */
	size_t max;
	struct slv_err *err;
	enum slv_status status;
};

static struct element *
element(struct file_check *c, size_t list)
{
	size_t i = c->lists[list];

	if (i >= c->max)
		return NULL;
	c->status = slv_grow(&c->at, &c->cap, i + 1, sizeof(*c->at), c->err);
	if (c->status != SLV_OK)
		return NULL;
	while (c->n <= i)
		c->at[c->n++] = (struct element){ 0 };
	c->lists[list]++;
	return &c->at[i];
}

static bool
visit_file(void *ctx, const struct bddf_field *f)
{
	struct file_check *c = ctx;
	struct element *e;

	if (f->event == BDDF_UNKNOWN || f->event == BDDF_CLOSE
	    || f->in != bosdyn_api_FileIndex_fields)
		return true;
	e = element(c, f->tag - 1);
	if (e == NULL)
		return false;
	switch (f->tag) {
	case FIELD(FileIndex, series_identifiers):
		e->ident = (struct bddf_range){ f->off, f->len };
		break;
	case FIELD(FileIndex, series_block_index_offsets):
		e->offset = f->value;
		break;
	case FIELD(FileIndex, series_identifier_hashes):
		e->hash = f->value;
		e->hash_bytes = (struct bddf_range){ f->off, f->len };
		break;
	}
	return true;
}

/* Find the bytes of the identifier_hash of a SeriesDescriptor. */
static bool
visit_hash(void *ctx, const struct bddf_field *f)
{
	struct bddf_range *at = ctx;

	if (f->event == BDDF_VALUE
	    && f->in == bosdyn_api_SeriesDescriptor_fields
	    && f->tag == FIELD(SeriesDescriptor, identifier_hash))
		*at = (struct bddf_range){ f->off, f->len };
	return true;
}

enum slv_status
bddf_hash_bytes(struct slv_scan *s, struct bddf_range block,
    struct bddf_range *out, struct slv_err *err)
{
	enum bddf_read read;

	*out = (struct bddf_range){ 0 };
	return bddf_walk(s->window, block.off + BDDF_HEADER_SIZE,
	    block.len - BDDF_HEADER_SIZE, bosdyn_api_DescriptorBlock_fields,
	    visit_hash, out, &read, err);
}

/* The hash and the identifier of a declaration disagree.  If those in the FileIndex agree,
 * and one equals that of the declaration, the other one of the declaration is wrong. */
static enum slv_status
mend(struct slv_scan *s, struct bddf_series *series, const struct element *e,
    bool same_meaning, struct slv_err *err)
{
	struct bddf_range at;

	if (!same_meaning) {
		if (e->hash == series->hash
		    && e->ident.len == series->ident.len)
			series->mend =
			    (struct bddf_mend){ series->ident, e->ident };
		return SLV_OK;
	}
	SLV_TRY(bddf_hash_bytes(s, series->block, &at, err));
	if (at.len > 0 && at.len == e->hash_bytes.len)
		series->mend = (struct bddf_mend){ at, e->hash_bytes };
	return SLV_OK;
}

/* Compare a declared series with its element of the FileIndex.  *same becomes false if the
 * element differs from the scan, *meant if it is of another series. */
static enum slv_status
check_element(struct slv_scan *s, struct bddf_series *series,
    const struct element *e, bool *same, bool *meant, struct slv_err *err)
{
	uint8_t mine[BDDF_DIGEST_SIZE], theirs[BDDF_DIGEST_SIZE];
	uint64_t my_hash, their_hash;
	bool known, theirs_known, same_meaning;

	SLV_TRY(
	    bddf_ident(s, e->ident, &their_hash, theirs, &theirs_known, err));
	SLV_TRY(
	    bddf_same_bytes(s, series->ident, e->ident, &same_meaning, err));
	if (!same_meaning) {
		SLV_TRY(
		    bddf_ident(s, series->ident, &my_hash, mine, &known, err));
		same_meaning = known && theirs_known
		    && memcmp(mine, theirs, sizeof(mine)) == 0;
	}
	if (series->hash_odd && theirs_known && their_hash == e->hash)
		SLV_TRY(mend(s, series, e, same_meaning, err));
	if (same_meaning) {
		series->index_ident = e->ident;
		series->hash_again = e->hash == series->hash;
	}
	*meant &= same_meaning || series->mend.at.len > 0;
	*same &=
	    (series->index.len == 0 || e->offset + s->base == series->index.off)
	    && (series->mend.at.len > 0
	        || (same_meaning && e->hash == series->hash));
	return SLV_OK;
}

/* A series without a declaration gets the identifier of its element, if the hash of the
 * element is right and the other elements are of the series of this log. */
static enum slv_status
take_element(struct slv_scan *s, struct bddf_series *series,
    const struct element *e, bool *same, bool meant, struct slv_err *err)
{
	uint8_t theirs[BDDF_DIGEST_SIZE];
	uint64_t hash;
	bool known;

	SLV_TRY(bddf_ident(s, e->ident, &hash, theirs, &known, err));
	known &= hash == e->hash;
	*same &= known;
	if (known && meant) {
		series->ident = e->ident;
		series->hash = e->hash;
	}
	return SLV_OK;
}

/* Compare all series with their elements. */
static enum slv_status
check_elements(struct slv_scan *s, const struct file_check *c, bool *same,
    struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	size_t n = c->n < b->n_series ? c->n : b->n_series;
	bool meant = true;

	for (size_t i = 0; i < n; i++)
		b->series[i].index_at = c->at[i].offset;
	for (size_t i = 0; i < n; i++) {
		if (b->series[i].declared)
			SLV_TRY(check_element(
			    s, &b->series[i], &c->at[i], same, &meant, err));
	}
	for (size_t i = 0; i < n; i++) {
		if (!b->series[i].declared)
			SLV_TRY(take_element(
			    s, &b->series[i], &c->at[i], same, meant, err));
	}
	return SLV_OK;
}

enum slv_status
bddf_index_file(
    struct slv_scan *s, struct bddf_range body, bool *same, struct slv_err *err)
{
	struct bddf *b = bddf_edit(s);
	struct file_check c = { .err = err };
	enum bddf_read read;
	enum slv_status st;

	c.max = b->n_series + BDDF_GAP_MAX;
	st = bddf_walk(s->window, body.off, body.len,
	    bosdyn_api_DescriptorBlock_fields, visit_file, &c, &read, err);
	if (st == SLV_OK)
		st = c.status;
	*same = read == BDDF_WHOLE && c.lists[0] == c.n && c.lists[1] == c.n
	    && c.lists[2] == c.n;
	/* Series that are only in the index were lost with their declarations,
	 * or cut out.  An index-only read has seen no series yet. */
	if (st == SLV_OK && *same && c.n > b->n_series
	    && (s->opt.glance || s->catalog.sums[SLV_LOST] > 0
	        || (b->n_found > 0
	            && b->found[b->n_found - 1].series >= b->n_series)))
		st = bddf_series_add(s, c.n - 1, b->data_end, err);
	*same &= c.n == b->n_series;
	if (st == SLV_OK)
		st = check_elements(s, &c, same, err);
	slv_free(c.at);
	return st;
}

enum slv_status
bddf_index_at(const struct slv_scan *s, struct bddf_range block,
    uint32_t series, uint64_t *out, struct slv_err *err)
{
	struct file_check c = {
		.max = bddf_of(s)->n_series + BDDF_GAP_MAX,
		.err = err,
	};
	enum bddf_read read;
	enum slv_status st;

	st = bddf_walk(s->window, block.off + BDDF_HEADER_SIZE,
	    block.len - BDDF_HEADER_SIZE, bosdyn_api_DescriptorBlock_fields,
	    visit_file, &c, &read, err);
	if (st == SLV_OK)
		st = c.status;
	*out = st == SLV_OK && c.lists[1] > series ? c.at[series].offset : 0;
	slv_free(c.at);
	return st;
}

enum slv_status
bddf_note_huge(
    struct slv_scan *s, uint64_t off, uint64_t size, struct slv_err *err)
{
	const struct slv_problem_info *huge = &bddf_problems[BDDF_P_INDEX_HUGE];

	/* One such block makes readers fail for the whole log: report it once. */
	if (size <= BDDF_MESSAGE_MAX
	    || slv_problems_count(&s->problems, huge) > 0)
		return SLV_OK;
	return bddf_problem(s, BDDF_P_INDEX_HUGE, off, 0, 0, size, err);
}
