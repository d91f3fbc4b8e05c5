/* cyber_donor.c - take lost declarations from another record.
 *
 * A channel is known by its name, everywhere on a robot, and each segment of a
 * recording declares all channels again.  So the declarations of another record of
 * the robot are right, unless a channel that both records declare has another type.
 */
#include <string.h>

#include "formats/cyber/cyber_state.h"

static const struct cyber_spec *
spec_of(const struct cyber *c, const struct cyber_channel *ch)
{
	return ch->item == SIZE_MAX ? NULL : &c->items[ch->item].spec;
}

/* What the donor declares under a name; NULL: nothing. */
static const struct cyber_spec *
find(const struct cyber *d, const uint8_t *name, size_t len)
{
	uint32_t i;

	return cyber_channel_known(d, name, len, &i)
	    ? spec_of(d, &d->channels[i])
	    : NULL;
}

/* Whether a channel that both records declare has another type in the donor.  Channels that
 * are undecided here do not count. */
static bool
is_odd(const struct cyber *c, const struct cyber *d, bool settled)
{
	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];
		const struct cyber_spec *ours = spec_of(c, ch), *theirs;

		if (ours == NULL || (settled ? ch->contested : ch->doubted))
			continue;
		theirs = find(d, c->texts.at + ch->name, ch->name_len);
		if (theirs != NULL
		    && (theirs->type_len != ours->type_len
		        || memcmp(d->texts.at + theirs->type,
		               c->texts.at + ours->type, ours->type_len)
		            != 0))
			return true;
	}
	return false;
}

enum slv_status
cyber_desc_hold(struct cyber *c, struct slv_scan *from, struct cyber_spec *spec,
    struct slv_err *err)
{
	size_t at = c->held.len;

	if (spec->held && cyber_of(from) == c)
		return SLV_OK;
	SLV_TRY(cyber_desc_load(from, spec, &c->held, err));
	spec->desc = at;
	spec->held = true;
	return SLV_OK;
}

/* Declare channel i as a donor does, before everything. */
static enum slv_status
take(struct slv_scan *s, size_t i, struct slv_scan *donor,
    const struct cyber_spec *theirs, struct slv_err *err)
{
	const struct cyber *d = cyber_of(donor);
	struct cyber *c = cyber_edit(s);
	struct cyber_spec spec = *theirs;

	spec.name = c->channels[i].name;
	spec.type = c->texts.len;
	slv_buf_add(&c->texts, d->texts.at + theirs->type, theirs->type_len);
	SLV_TRY(slv_buf_check(&c->texts, err));
	SLV_TRY(cyber_desc_hold(c, donor, &spec, err));
	SLV_TRY(cyber_declare_at(s, s->base + CYBER_DATA_START, &spec, err));
	return cyber_problem(s, CYBER_P_CHANNEL_GIVEN, c->channels[i].need_off,
	    0, 0, c->channels[i].messages, err);
}

/* Take the donor's declarations of channels that this record uses and does not declare. */
static enum slv_status
take_all(struct slv_scan *s, struct slv_scan *donor, uint64_t *taken,
    uint64_t *left, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	const struct cyber *d = cyber_of(donor);
	bool odd = is_odd(c, d, true);

	*left = 0;
	for (size_t i = 0; i < c->n_channels; i++) {
		const struct cyber_channel *ch = &c->channels[i];
		const struct cyber_spec *theirs;

		if (ch->item != SIZE_MAX || ch->messages == 0)
			continue;
		theirs = find(d, c->texts.at + ch->name, ch->name_len);
		if (odd || theirs == NULL) {
			++*left;
			continue;
		}
		SLV_TRY(take(s, i, donor, theirs, err));
		++*taken;
	}
	return SLV_OK;
}

static bool
is_wanting(const struct cyber *c)
{
	for (size_t i = 0; i < c->n_channels; i++) {
		if (c->channels[i].item == SIZE_MAX
		    && c->channels[i].messages > 0)
			return true;
	}
	return false;
}

/* Whether the times of another segment, `step` numbers away, fit that distance.  Those of
 * an older recording with the same name do not. */
static bool
is_near(const struct cyber *c, const struct cyber *d, int step)
{
	const struct cyber *low = step < 0 ? d : c, *high = step < 0 ? c : d;
	uint64_t interval =
	    slv_max64(c->head.v[CYBER_SEGMENT_INTERVAL], UINT64_C(60000000000));
	uint64_t from = low->times.to, to = high->times.from;

	return low->times.to != 0 && high->times.to != 0
	    && low->times.from <= to && from <= high->times.to
	    && (to <= from
	        || (to - from) / interval
	            < (uint64_t)(step < 0 ? -step : step));
}

/* Whether a donor (step 0) or another segment can decide about channels that are undecided.
 * Asked for each channel, it compares all channels only once. */
static bool
is_believed(struct cyber *c, unsigned i, const struct slv_sibling *one)
{
	const struct cyber *d = cyber_of(one->scan);

	if (one->step != 0 && !is_near(c, d, one->step))
		return false;
	if (!c->kin[i].known) {
		c->kin[i].odd = is_odd(c, d, false);
		c->kin[i].known = true;
	}
	return !c->kin[i].odd;
}

enum slv_status
cyber_kin_next(struct slv_scan *s, struct cyber_kin *kin, struct slv_err *err)
{
	struct cyber *c = cyber_edit(s);
	struct slv_scan *donor = s->opt.donor;
	struct slv_siblings *p = s->opt.siblings;

	if (donor != NULL && donor->format != s->format)
		donor = NULL;
	for (; kin->next <= SLV_SIBLINGS_MAX; kin->next++) {
		struct slv_sibling one = { .scan = donor };

		if (kin->next > 0 && p == NULL)
			break;
		if (kin->next > 0)
			SLV_TRY(p->get(
			    p->ctx, s->format, kin->next - 1, &one, err));
		if (one.scan == NULL)
			continue;
		kin->spec = is_believed(c, kin->next, &one)
		    ? find(cyber_of(one.scan), kin->name.at, kin->name.len)
		    : NULL;
		if (kin->spec == NULL)
			continue;
		kin->scan = one.scan;
		kin->next++;
		return SLV_OK;
	}
	kin->scan = NULL;
	return SLV_OK;
}

void
cyber_kin_used(struct slv_scan *s, const struct cyber_kin *kin)
{
	if (kin->next == 1)
		s->taken++;
	else
		s->lent[kin->next - 2]++;
}

/* Ask the other pieces of the recording, nearest first. */
static enum slv_status
take_from_siblings(struct slv_scan *s, struct slv_err *err)
{
	struct slv_siblings *p = s->opt.siblings;
	struct slv_sibling one;
	uint64_t left;

	for (unsigned i = 0; i < SLV_SIBLINGS_MAX && is_wanting(cyber_of(s));
	     i++) {
		SLV_TRY(p->get(p->ctx, s->format, i, &one, err));
		if (one.scan != NULL
		    && is_near(cyber_of(s), cyber_of(one.scan), one.step))
			SLV_TRY(take_all(s, one.scan, &s->lent[i], &left, err));
	}
	return SLV_OK;
}

enum slv_status
cyber_take(struct slv_scan *s, struct slv_err *err)
{
	struct slv_scan *donor = s->opt.donor;

	s->refused = 0;
	if (s->reference != NULL)
		return SLV_OK;
	if (donor != NULL && donor->format == s->format)
		SLV_TRY(take_all(s, donor, &s->taken, &s->refused, err));
	if (donor != NULL && donor->format == s->format && s->refused > 0
	    && is_odd(cyber_of(s), cyber_of(donor), true))
		SLV_TRY(cyber_problem(
		    s, CYBER_P_DONOR_ODD, 0, 0, 0, s->refused, err));
	return s->opt.siblings != NULL ? take_from_siblings(s, err) : SLV_OK;
}
