/* carla_finish.c - do all parts agree? */
#include "formats/carla/carla_state.h"

static const struct slv_wanted map_name = {
	.option = "--map-name NAME",
	.verdict = "DAMAGED, repairable with --map-name",
	.advice = "\"repair --map-name NAME\" writes the frames; NAME is the "
	          "map, such as Town03.",
	.note = "NAME: its map, such as Town03",
};

/* What the repaired log holds. */
static void
sum_up(struct carla *c)
{
	c->planned = c->planned_sum = 0;
	for (size_t i = 0; i < c->n_items; i++) {
		const struct carla_item *item = &c->items[i];

		if (!item->is_frame)
			continue;
		c->planned++;
		c->planned_sum +=
		    carla_sum(&item->start, item->len + item->grown);
	}
}

static enum slv_status
compare_proof(struct slv_scan *s, struct slv_err *err)
{
	const struct carla *first = carla_of(s->reference);
	const struct carla *c = carla_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ c->n_frames, c->sum }, err);
}

/* The last frame that is kept, where no byte after it is lost; NULL: there is
 * none, or one is. */
static const struct carla_item *
last_frame(const struct slv_scan *s)
{
	const struct carla *c = carla_of(s);
	const struct slv_catalog *all = &s->catalog;
	size_t i = c->n_items;

	while (i > 0 && !c->items[i - 1].is_frame)
		i--;
	if (i == 0)
		return NULL;
	for (size_t k = all->n; k-- > 0
	     && all->at[k].off >= c->items[i - 1].off + c->items[i - 1].len;) {
		if (all->at[k].fate == SLV_LOST)
			return NULL;
	}
	return &c->items[i - 1];
}

/* The recorder writes how long a frame lasts when the next one has begun.  Where
 * the last frame has a duration and nothing after it is lost, the next one is
 * not in the file. */
static void
judge_end(struct slv_scan *s, const struct carla_item *last)
{
	const uint32_t channel = CARLA_START;

	if (last == NULL)
		return;
	if (last->own_end) {
		s->end = SLV_END_KNOWN;
	} else if (last->start.duration >= 0) {
		slv_scan_lose(s, 1, &channel);
		s->absent = s->lost_loose = true;
	}
}

bool
carla_is_writable(const struct slv_scan *s)
{
	const struct carla *c = carla_of(s);

	return c->header.named
	    || (c->n_frames > 0 && slv_scan_setting(s, CARLA_MAP_NAME) != NULL);
}

/* The header names no map: of frames a log can be made all the same. */
static enum slv_status
judge_header(struct slv_scan *s, struct slv_err *err)
{
	const struct carla *c = carla_of(s);

	s->absent = true;
	SLV_TRY(
	    carla_problem(s, CARLA_P_HEADER_LOST, 0, c->header.len, 0, 0, err));
	if (c->n_frames == 0)
		return carla_problem(
		    s, CARLA_P_NOTHING, 0, s->source->size, 0, 0, err);
	if (slv_scan_setting(s, CARLA_MAP_NAME) == NULL)
		s->wanted = &map_name;
	return SLV_OK;
}

enum slv_status
carla_finish(struct slv_scan *s, struct slv_err *err)
{
	struct carla *c = carla_edit(s);
	const struct carla_item *last;

	s->supported = true;
	SLV_TRY(carla_twice(s, err));
	last = last_frame(s);
	if (!c->header.named)
		SLV_TRY(judge_header(s, err));
	else
		SLV_TRY(carla_map_report(s, err));
	/* What is written says so, too. */
	if (c->header.date == 0 && carla_is_writable(s))
		SLV_TRY(carla_problem(s, CARLA_P_DATE,
		    s->base + (c->header.named ? CARLA_DATE : 0),
		    c->header.named ? 8 : 0, 0, 0, err));
	judge_end(s, last);
	SLV_TRY(carla_settle(s, err));
	SLV_TRY(carla_event_carry(s, err));
	sum_up(c);
	return s->reference != NULL ? compare_proof(s, err) : SLV_OK;
}
