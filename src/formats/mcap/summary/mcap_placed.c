/* mcap_placed.c - what the summary says is in the file, and where. */
#include "base/list.h"
#include "formats/mcap/summary/mcap_summary.h"

#define PLACING                                                                \
	(MCAP_BIT(MCAP_CHUNK_INDEX) | MCAP_BIT(MCAP_ATTACHMENT_INDEX)          \
	    | MCAP_BIT(MCAP_METADATA_INDEX))

static int
compare(const void *a, const void *b)
{
	const struct mcap_placed *x = a, *y = b;

	return (x->off > y->off) - (x->off < y->off);
}

enum slv_status
mcap_placed_add(struct slv_scan *s, uint64_t at, const struct mcap_record *r,
    struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	if (r->op >= MCAP_OPS || !(PLACING >> r->op & 1))
		return SLV_OK;
	SLV_TRY(mcap_remember(s, sizeof(*m->placed), err));
	SLV_TRY(slv_grow(&m->placed, &m->cap_placed, m->n_placed + 1,
	    sizeof(*m->placed), err));
	m->placed[m->n_placed++] = (struct mcap_placed){
		.op = r->op,
		.at = at,
		.off = r->v[MCAP_OFFSET] + s->base,
		.len = r->v[MCAP_LENGTH],
		.from = r->v[MCAP_START],
		.to = r->v[MCAP_STOP],
	};
	return SLV_OK;
}

/* How much was recorded, if the two ways in which the statistics count agree. */
static enum slv_status
read_statistics(struct slv_scan *s, struct slv_err *err)
{
	struct mcap_summary *x = &mcap_edit(s)->summary;
	uint64_t list, sum = 0;
	struct mcap_record r;
	const uint8_t *p;
	bool yes;

	SLV_TRY(mcap_look_strict(s, x->statistics, &r, &yes, err));
	list = x->statistics + r.at[MCAP_DATA];
	for (uint64_t i = 0; yes && i < r.v[MCAP_DATA]; i += MCAP_COUNT) {
		SLV_TRY(
		    slv_window_view(s->window, list + i, MCAP_COUNT, &p, err));
		sum += slv_get_le64(p + 2);
	}
	if (!yes || sum != r.v[MCAP_MESSAGES])
		return SLV_OK;
	x->counted = sum;
	x->extras = r.v[MCAP_ATTACHMENTS] + r.v[MCAP_METADATAS];
	x->chunks = r.v[MCAP_CHUNKS];
	return SLV_OK;
}

enum slv_status
mcap_placed_settle(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);

	slv_sort(m->placed, m->n_placed, sizeof(*m->placed), compare);
	return m->summary.statistics != 0 ? read_statistics(s, err) : SLV_OK;
}

const struct mcap_placed *
mcap_placed_at(const struct mcap *m, uint64_t off)
{
	const struct mcap_placed key = { .off = off };

	return slv_find_sorted(
	    &key, m->placed, m->n_placed, sizeof(key), compare);
}

bool
mcap_is_placed(const struct mcap *m, uint64_t off)
{
	return mcap_placed_at(m, off) != NULL;
}

bool
mcap_is_in_placed(const struct mcap *m, uint64_t off)
{
	size_t low = 0, high = m->n_placed;

	/* The last one that does not begin after it. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (m->placed[mid].off <= off)
			low = mid + 1;
		else
			high = mid;
	}
	return low > 0 && m->placed[low - 1].op != MCAP_METADATA_INDEX
	    && off - m->placed[low - 1].off < m->placed[low - 1].len;
}

static int
compare_chunks(const void *a, const void *b)
{
	const uint64_t *key = a;
	const struct mcap_chunk *c = b;

	return (*key > c->off) - (*key < c->off);
}

const struct mcap_chunk *
mcap_chunk_at(const struct mcap *m, uint64_t off)
{
	return slv_find_sorted(
	    &off, m->chunks, m->n_chunks, sizeof(*m->chunks), compare_chunks);
}

bool
mcap_is_like(const struct mcap_placed *p, const struct mcap_chunk *c)
{
	return p->op == MCAP_CHUNK_INDEX && p->len == mcap_claimed(c)
	    && p->from == c->claim.start && p->to == c->claim.stop;
}

void
mcap_own_placed(struct slv_scan *s)
{
	const struct mcap *m = mcap_of(s);

	for (size_t i = 0; m->summary.proven && i < m->n_placed; i++) {
		const struct mcap_placed *p = &m->placed[i];
		const struct mcap_chunk *c = mcap_chunk_at(m, p->off);

		if (c != NULL && !c->damaged && c->headed && mcap_is_like(p, c))
			s->own_upto = slv_max64(s->own_upto, c->end);
	}
}

bool
mcap_names_chunks(const struct mcap *m, bool there)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->n_placed; i++) {
		const struct mcap_placed *p = &m->placed[i];
		const struct mcap_chunk *c;

		if (p->op != MCAP_CHUNK_INDEX)
			continue;
		c = there ? mcap_chunk_at(m, p->off) : NULL;
		if (there && (c == NULL || !mcap_is_like(p, c)))
			return false;
		n++;
	}
	return m->summary.counted > 0 && n == m->summary.chunks;
}
