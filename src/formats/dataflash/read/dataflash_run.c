/* dataflash_run.c - ordinary messages in a row, at full speed.
 *
 * A message is taken if its type was read before, the time does not go back, and
 * another message follows.
 */
#include "formats/dataflash/dataflash_state.h"

#define STEP_MAX UINT64_C(600000000)               /* us without a message */
#define ROOM     ((uint64_t)DATAFLASH_LONGEST + 9) /* a message, and more */

/* Take messages up to `upto` of the n bytes at p; returns where the next one
 * starts.
 *
 * Where the next head is follows from this one alone, so that a processor need not
 * wait for what else is looked up. */
static size_t
take(struct dataflash *m, const uint8_t *p, size_t n, size_t upto)
{
	uint64_t latest = m->latest;
	size_t at = 0;

	while (at < upto && n - at >= 2 * ROOM) {
		uint8_t type = p[at + 2], length = m->quick[type];
		struct dataflash_type *t = &m->types[type];
		uint64_t us = dataflash_time(t, p + at);

		if (length == 0 || !dataflash_is_head(p + at + length)
		    || us < t->last)
			break;
		if (t->mask != 0 && us - latest > STEP_MAX)
			break;
		latest = t->mask != 0 ? us : latest;
		if (m->run_n[type]++ == 0)
			t->run_first = us;
		t->last = us;
		at += length;
	}
	m->latest = latest;
	return at;
}

/* Tell the gaps, and count. */
static enum slv_status
tell(struct slv_scan *s, struct slv_run *r, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);

	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		struct dataflash_type *t = &m->types[i];

		if (m->run_n[i] == 0)
			continue;
		if (t->mask != 0)
			SLV_TRY(slv_gaps_blocks(&s->gaps,
			    &(struct slv_gap_blocks){ i, m->run_n[i],
			        dataflash_moment(m, t->run_first),
			        dataflash_moment(m, t->last), t->length },
			    err));
		t->n += m->run_n[i];
		r->n += m->run_n[i];
		m->run_n[i] = 0;
	}
	if (r->n > 0)
		slv_gaps_times(&s->gaps, dataflash_moment(m, m->latest), 0);
	return SLV_OK;
}

enum slv_status
dataflash_run(struct slv_scan *s, uint64_t off, uint64_t upto,
    struct slv_run *r, struct slv_err *err)
{
	uint64_t end = slv_min64(upto + 2 * ROOM, s->logical_end);
	const uint8_t *p;
	size_t n;

	*r = (struct slv_run){ .tag = DATAFLASH_TAG_DATA, .end = off };
	if (!slv_gaps_quiet(&s->gaps) || end < off || end - off < 2 * ROOM
	    || !s->gaps.latest.known)
		return SLV_OK;
	n = (size_t)slv_min64(SLV_WINDOW_MAX, end - off);
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	if (!dataflash_is_head(p))
		return SLV_OK;
	r->end = off
	    + take(dataflash_edit(s), p, n, (size_t)slv_min64(n, upto - off));
	return tell(s, r, err);
}
