/* dataflash_order.c - after damage: what contradicts the times around it is left
 * out, and so is what no format explains.
 */
#include "base/list.h"
#include "formats/dataflash/dataflash_state.h"
#include "support/sequence/sequence.h"

/* us that a message may be late.  One thread writes the log, but several fill the
 * buffer. */
#define SLACK 1000000
#define TURNS 4

static enum slv_status
read_kept(const struct slv_scan *s, uint64_t off, struct slv_message *k,
    struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	uint8_t p[DATAFLASH_LONGEST + 9];
	const struct dataflash_place *odd;
	const struct dataflash_type *t;
	size_t n;

	SLV_TRY(dataflash_peek(s, off, p, sizeof(p), &n, err));
	t = &m->types[p[2]];
	k->declares = p[2] == DATAFLASH_FMT;
	k->len = k->declares ? DATAFLASH_FMT_SIZE : t->length;
	odd = SLV_FIND(struct dataflash_place, off, m->odd, m->n_odd, off);
	if (odd != NULL)
		k->len = odd->len;
	if (!dataflash_is_head(p) || k->len < DATAFLASH_HEAD || k->len > n)
		return slv_scan_changed(s, err);
	if (k->declares)
		return SLV_OK;
	k->stream = p[2];
	k->unexplained = !t->usable || k->len != t->length;
	k->timed = t->mask != 0 && !k->unexplained;
	k->time = dataflash_time(t, p);
	return SLV_OK;
}

static const struct slv_sequence_rules rules = {
	.stale = &dataflash_problems[DATAFLASH_P_STALE],
	.alone = &dataflash_problems[DATAFLASH_P_ALONE],
	.time = &dataflash_problems[DATAFLASH_P_TIME],
	.slack = SLACK,
	.read = read_kept,
};

/* Messages of the type that no reader understands. */
static enum slv_status
tell_unexplained(struct slv_scan *s, const struct slv_sequence_stream *of,
    struct slv_err *err)
{
	const struct dataflash_type *t = &dataflash_of(s)->types[of->channel];

	if (of->unexplained == 0)
		return SLV_OK;
	s->wants_donor |= s->opt.donor == NULL && of->unexplained > 1;
	return dataflash_problem(s,
	    t->declared || t->lent ? DATAFLASH_P_FORMAT_WRONG
	                           : DATAFLASH_P_FORMAT_LOST,
	    of->unexplained_off, 0, of->channel, of->unexplained, err);
}

static enum slv_status
judge(struct slv_scan *s, struct slv_sequence_stream *streams, bool seamless,
    struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	const struct slv_sequence of = { &rules, streams, DATAFLASH_TYPES, 0,
		seamless };

	for (unsigned i = 0; i < DATAFLASH_TYPES; i++)
		streams[i] = (struct slv_sequence_stream){ .channel = i };
	SLV_TRY(slv_sequence_judge(s, &of, err));
	s->units_kept = 0;
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		SLV_TRY(tell_unexplained(s, &streams[i], err));
		m->types[i].n = streams[i].n;
		m->types[i].first_off = streams[i].first_off;
		m->types[i].first = streams[i].first;
		m->types[i].last = streams[i].last;
		if (m->types[i].role != DATAFLASH_UNITS)
			s->units_kept += streams[i].n;
	}
	return SLV_OK;
}

enum slv_status
dataflash_order(struct slv_scan *s, struct slv_err *err)
{
	struct slv_sequence_stream *streams;
	uint64_t kept = 0;
	enum slv_status st;

	SLV_TRY(slv_new(&streams, DATAFLASH_TYPES, sizeof(*streams), err));
	st = judge(s, streams, s->reference != NULL, err);
	/* What is left must look sound to those who do not see the losses. */
	for (int i = 0; st == SLV_OK && i < TURNS && kept != s->units_kept;
	     i++) {
		kept = s->units_kept;
		st = judge(s, streams, true, err);
	}
	slv_free(streams);
	return st;
}
