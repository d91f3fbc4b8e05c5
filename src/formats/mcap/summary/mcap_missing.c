/* mcap_missing.c - what the summary names or counts, and what is not in the file.
 *
 * Where bytes were cut out and whole records are on both sides, nothing else shows that
 * anything is lost.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "formats/mcap/summary/mcap_summary.h"

/* What the summary and the file say of one chunk alike, wherever it is. */
struct alike {
	uint64_t len, from, to;
};

static int
compare(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return (x->to > y->to) - (x->to < y->to);
}

/* How many chunks the summary names that are neither in their place nor elsewhere. */
static uint64_t
count_missing(const struct mcap *m, const struct alike *there)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->n_placed; i++) {
		const struct mcap_placed *p = &m->placed[i];
		const struct alike key = { p->len, p->from, p->to };

		n += p->op == MCAP_CHUNK_INDEX
		    && mcap_chunk_at(m, p->off) == NULL
		    && slv_find_sorted(
		           &key, there, m->n_chunks, sizeof(key), compare)
		        == NULL;
	}
	return n;
}

/* Chunks that are missing.  Where anything else was lost they may be in it, and where
 * messages are counted those are told of. */
static enum slv_status
find_chunks(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	struct alike *there;
	uint64_t n;

	if (m->n_placed == 0 || m->summary.counted > 0 || s->units_lost > 0
	    || s->catalog.sums[SLV_LOST] > 0)
		return SLV_OK;
	SLV_TRY(slv_new(&there, m->n_chunks, sizeof(*there), err));
	for (size_t i = 0; i < m->n_chunks; i++) {
		const struct mcap_chunk *c = &m->chunks[i];

		there[i] = (struct alike){ mcap_claimed(c), c->claim.start,
			c->claim.stop };
	}
	slv_sort(there, m->n_chunks, sizeof(*there), compare);
	n = count_missing(m, there);
	slv_free(there);
	if (n == 0)
		return SLV_OK;
	s->absent = s->lost_loose = true;
	slv_scan_lose(s, n, NULL);
	return mcap_problem(s, MCAP_P_CHUNKS_GONE,
	    mcap_summary_from(&m->summary), 0, 0, n, err);
}

/* Attachments and metadata that the summary names. */
static uint64_t
count_indexed(const struct mcap *m)
{
	uint64_t n = 0;

	for (size_t i = 0; i < m->n_placed; i++)
		n += m->placed[i].op == MCAP_ATTACHMENT_INDEX
		    || m->placed[i].op == MCAP_METADATA_INDEX;
	return n;
}

/* Messages that the summary counts and that are nowhere: bytes are missing.  Or there
 * are more than it counts. */
static enum slv_status
compare_count(struct slv_scan *s, struct slv_err *err)
{
	const struct mcap *m = mcap_of(s);
	const struct mcap_summary *x = &m->summary;
	uint64_t here = m->messages + s->units_lost;
	/* Those with a wrong checksum have a finding each. */
	uint64_t extras = m->n_extras + m->n_spoilt;
	uint64_t from = x->from != 0 ? x->from : mcap_summary_from(x);

	if (x->counted == 0 || m->unread)
		return SLV_OK;
	s->surplus = m->messages > x->counted;
	/* A number that is damaged agrees with no other. */
	if (x->extras > extras && (x->proven || x->extras == count_indexed(m)))
		s->absent = true;
	if (x->extras > extras)
		SLV_TRY(mcap_problem(s, MCAP_P_EXTRAS_GONE, from, 0, 0,
		    x->extras - extras, err));
	if (x->counted <= m->messages)
		return SLV_OK;
	s->absent = true;
	if (x->counted <= here)
		return SLV_OK;
	slv_scan_lose(s, x->counted - here, NULL);
	return mcap_problem(s, MCAP_P_GONE, from, 0, 0, x->counted - here, err);
}

enum slv_status
mcap_find_missing(struct slv_scan *s, struct slv_err *err)
{
	SLV_TRY(compare_count(s, err));
	return find_chunks(s, err);
}
