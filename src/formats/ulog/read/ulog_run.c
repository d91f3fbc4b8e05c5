/* ulog_run.c - ordinary messages of data in a row, at full speed.
 *
 * A message is taken if its subscription is known, its size is the usual one, its
 * time does not go back, and the same is true of the head of the next one.
 */
#include "base/list.h"
#include "formats/ulog/ulog_state.h"

#define LATE_MAX UINT64_C(60000000) /* us: more is a clock that was set back */
#define STEP_MAX UINT64_C(3600000000) /* us between messages of a topic */
#define LONGEST  (ULOG_HEAD + (uint64_t)UINT16_MAX)
#define AHEAD    8    /* bytes of a head that are read */
#define MOST     4096 /* bytes of an ordinary message */

/* Times of the messages taken, of all topics, in us. */
struct times {
	uint64_t latest, late;
};

/* What follows is not ordinary data: a message that a crash has cut, and the end
 * of the log. */
static uint64_t
limit_of(const struct slv_scan *s, uint64_t off)
{
	const struct ulog *m = ulog_of(s);
	uint64_t end = s->logical_end;

	for (int i = 0; i < ULOG_OFFSETS; i++) {
		if (m->offsets[i] > off)
			end = slv_min64(
			    end, slv_max64(m->offsets[i], LONGEST) - LONGEST);
	}
	return end;
}

/* Take messages up to `upto` of the n bytes at p; returns where the next one
 * starts.  The last one is given back, because its follower was not seen.
 *
 * Where the next head is follows from this one alone, so that a processor need not
 * wait for what is looked up. */
static size_t
take(struct ulog *m, const uint8_t *p, size_t n, size_t upto, struct times *t)
{
	struct ulog_sub *sub = NULL;
	size_t at = 0, last_at = 0;
	uint64_t last = 0;

	while (at < upto && n - at >= AHEAD) {
		uint64_t head = slv_get_le64(p + at), us;
		uint32_t i = m->by_id[head >> 24 & 0xffff];
		struct ulog_sub *now = &m->subs[i > 0 ? i - 1 : 0];

		if (i == 0 || now->quick == 0
		    || (head & 0xffffff) != (now->quick | (uint32_t)'D' << 16)
		    || n - at < ULOG_HEAD + (size_t)now->quick)
			break;
		us = slv_get_le64(p + at + ULOG_HEAD + now->stamp);
		if (us < now->last || us - now->last > STEP_MAX || us == 0)
			break;
		sub = now;
		last = now->last;
		last_at = at;
		if (now->run_n++ == 0) {
			now->run_first = us;
			m->ran[m->n_ran++] = i - 1;
		}
		now->last = us;
		if (us >= t->latest || t->latest - us > LATE_MAX)
			t->latest = us;
		else if (t->latest - us > t->late)
			t->late = t->latest - us;
		at += ULOG_HEAD + (head & 0xffff);
	}
	if (sub == NULL)
		return 0;
	sub->last = last;
	sub->run_n--;
	return last_at;
}

/* The last one first. */
static int
compare_places(const void *p, const void *q)
{
	const uint32_t *a = p, *b = q;

	return (*a < *b) - (*a > *b);
}

/* Tell the gaps, and count. */
static enum slv_status
tell(struct slv_scan *s, const struct times *t, struct slv_run *r,
    struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);

	slv_sort(m->ran, m->n_ran, sizeof(*m->ran), compare_places);
	for (; m->n_ran > 0; m->n_ran--) {
		struct ulog_sub *sub = &m->subs[m->ran[m->n_ran - 1]];

		if (sub->run_n == 0)
			continue;
		SLV_TRY(slv_gaps_blocks(&s->gaps,
		    &(struct slv_gap_blocks){ sub->id, sub->run_n,
		        ulog_moment(m, sub->run_first),
		        ulog_moment(m, sub->last), ULOG_HEAD + sub->quick },
		    err));
		sub->n += sub->run_n;
		r->n += sub->run_n;
		sub->run_n = 0;
	}
	if (r->n > 0)
		slv_gaps_times(&s->gaps, ulog_moment(m, t->latest),
		    t->late == 0 ? 0 : (uint32_t)(t->late / 1000) + 1);
	return SLV_OK;
}

enum slv_status
ulog_run(struct slv_scan *s, uint64_t off, uint64_t upto, struct slv_run *r,
    struct slv_err *err)
{
	struct ulog *m = ulog_edit(s);
	uint64_t end = slv_min64(upto + MOST, limit_of(s, off));
	struct times t = { 0 };
	const uint8_t *p;
	size_t n;

	*r = (struct slv_run){ .tag = ULOG_TAG_DATA, .end = off };
	if (m->by_id == NULL || !slv_gaps_quiet(&s->gaps) || end < off
	    || end - off < AHEAD || !s->gaps.latest.known)
		return SLV_OK;
	n = (size_t)slv_min64(SLV_WINDOW_MAX, end - off);
	SLV_TRY(slv_window_view(s->window, off, n, &p, err));
	SLV_TRY(SLV_ROOM(m, ran, m->n_subs, err));
	t.latest = ulog_us(m, s->gaps.latest);
	r->end = off + take(m, p, n, (size_t)slv_min64(n, upto - off), &t);
	return tell(s, &t, r, err);
}
