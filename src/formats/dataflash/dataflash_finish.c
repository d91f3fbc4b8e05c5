/* dataflash_finish.c - all is read: what no format explains, what the donor
 * explains, and which declarations nothing needs.
 */
#include "base/list.h"
#include "formats/dataflash/dataflash_state.h"

#define ODD_MAX 20 /* one of so many messages may not fit the donor's format */
#define FEW     8  /* one of so many types of the donor may be another one */

SLV_ORDER2(compare_edits, struct dataflash_edit, off, len)
SLV_ORDER(compare_places, struct dataflash_place, off)

/* Is the donor of another firmware?  A few types are numbered when they are first
 * used, and may differ.  `odd` of those that are needed do not fit. */
static bool
is_odd_donor(const struct dataflash *m, unsigned odd, unsigned needed)
{
	return odd * FEW > needed || m->n_differ * FEW > m->n_agree;
}

/* Does the donor explain the messages that nothing declares here? */
static void
settle_lent(struct slv_scan *s, bool *refused)
{
	struct dataflash *m = dataflash_edit(s);
	unsigned odd = 0, needed = 0;
	bool none;

	*refused = false;

	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		struct dataflash_type *t = &m->types[i];

		if (!t->lent || t->n + t->n_odd == 0)
			continue;
		t->usable = t->n_odd * ODD_MAX <= t->n;
		*refused |= !t->usable;
		odd += !t->usable && !t->assumed;
		needed += !t->assumed;
	}
	none = is_odd_donor(m, odd, needed);
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		struct dataflash_type *t = &m->types[i];

		if (!t->lent)
			continue;
		t->usable &= !none || t->assumed;
		s->taken += t->usable && t->n > 0 && !t->assumed;
		s->refused += !t->usable && t->n + t->n_odd > 0;
	}
	*refused |= odd > 0 || none;
}

/* Leave out [off, off + len), which is kept so far. */
static enum slv_status
leave(struct slv_scan *s, unsigned problem, uint64_t off, uint64_t len,
    unsigned type, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;

	if (c->at[slv_catalog_find(c, off)].fate != SLV_KEPT)
		return SLV_OK;
	SLV_TRY(dataflash_problem(s, problem, off, len, type, 0, err));
	return slv_catalog_queue(&s->catalog, off, len, SLV_LOST, err);
}

/* Of two formats of a type one is wrong. */
static enum slv_status
leave_rivals(struct slv_scan *s, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);

	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		if (m->types[i].rival > 0)
			SLV_TRY(leave(s, DATAFLASH_P_TWO_MEANINGS,
			    m->types[i].rival, DATAFLASH_FMT_SIZE, i, err));
	}
	return SLV_OK;
}

/* Does the FMTU have a unit for each field of the type? */
static enum slv_status
has_units(const struct slv_scan *s, uint64_t off,
    const struct dataflash_type *t, bool *yes, struct slv_err *err)
{
	const struct dataflash *m = dataflash_of(s);
	uint32_t at =
	    dataflash_field_at(m->types[m->units_type].fmt, "UnitIds", 'N');
	uint8_t units[DATAFLASH_LETTERS];
	size_t n;

	SLV_TRY(dataflash_peek(s, off + at, units, sizeof(units), &n, err));
	*yes = at == 0
	    || dataflash_text(units, sizeof(units)).len
	        == dataflash_text(
	            t->fmt + DATAFLASH_FMT_LETTERS, DATAFLASH_LETTERS)
	               .len;
	return SLV_OK;
}

/* The format of FMTU was found late: what precedes it are units, too. */
static enum slv_status
add_late_units(struct slv_scan *s, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	size_t before = m->n_units;

	for (size_t i = 0; i < m->n_odd; i++) {
		struct dataflash_place x = m->odd[i];
		const struct dataflash_type *t = &m->types[x.type];
		uint32_t at;
		size_t n;

		if (t->role != DATAFLASH_UNITS || !t->usable
		    || x.len != t->length)
			continue;
		at = dataflash_field_at(t->fmt, "FmtType", 'B');
		m->units_type = x.type;
		SLV_TRY(dataflash_peek(s, x.off + at, &x.type, 1, &n, err));
		if (at > 0 && n == 1)
			SLV_TRY(SLV_ADD(m, units, err, x));
	}
	if (m->n_units > before)
		slv_sort(
		    m->units, m->n_units, sizeof(*m->units), compare_places);
	return SLV_OK;
}

/* Readers stop at units of a type that they do not know. */
static enum slv_status
settle_units(struct slv_scan *s, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	const struct slv_catalog *c = &s->catalog;
	uint32_t own;

	SLV_TRY(add_late_units(s, err));
	own = m->units_type;
	for (size_t i = 0; i < m->n_units; i++) {
		const struct dataflash_place *x = &m->units[i];
		struct dataflash_type *t = &m->types[x->type];
		bool good;

		if (c->at[slv_catalog_find(c, x->off)].fate != SLV_KEPT)
			continue;
		if (t->usable && t->units_end == 0)
			t->units_end = x->off + x->len;
		good = x->type == DATAFLASH_FMT
		    || (t->declared ? t->late || t->at < x->off : t->usable);
		if (!good && t->declared)
			SLV_TRY(has_units(s, x->off, t, &good, err));
		if (good)
			continue;
		SLV_TRY(
		    leave(s, DATAFLASH_P_UNITS, x->off, x->len, x->type, err));
		m->types[own].n--;
		slv_scan_lose(s, 1, &own);
	}
	return slv_catalog_apply(&s->catalog, err);
}

/* Where the first message is that needs the format of the type; UINT64_MAX: nothing
 * does. */
static uint64_t
needed_at(const struct dataflash_type *t, uint8_t units_length)
{
	uint64_t units =
	    t->units_end > 0 ? t->units_end - units_length : UINT64_MAX;

	return slv_min64(units, t->n > 0 ? t->first_off : UINT64_MAX);
}

static enum slv_status
tell_lent(struct slv_scan *s, const struct dataflash_type *t, uint64_t at,
    struct slv_err *err)
{
	const struct slv_span name = dataflash_name(t->fmt);
	struct slv_problem p = {
		.info =
		    &dataflash_problems[t->assumed ? DATAFLASH_P_FORMAT_ASSUMED
		                                   : DATAFLASH_P_FORMAT_GIVEN],
		.off = at,
		.got = t->n,
	};

	slv_problem_quote(p.name, name.at, name.len);
	return slv_problems_add(&s->problems, &p, err);
}

/* What the output has that the input has elsewhere, or not at all. */
static enum slv_status
plan_edits(struct slv_scan *s, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);

	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		const struct dataflash_type *t = &m->types[i];
		uint64_t at = needed_at(t, m->types[m->units_type].length);

		if (!t->usable || at == UINT64_MAX || (!t->lent && !t->late))
			continue;
		if (t->lent)
			SLV_TRY(tell_lent(s, t, at, err));
		SLV_TRY(SLV_ADD(
		    m, edits, err, (struct dataflash_edit){ at, 0, (int)i }));
		if (t->late)
			SLV_TRY(SLV_ADD(m, edits, err,
			    (struct dataflash_edit){
			        t->at, DATAFLASH_FMT_SIZE, -1 }));
	}
	slv_sort(m->edits, m->n_edits, sizeof(*m->edits), compare_edits);
	return SLV_OK;
}

/* What the repaired log holds: messages, and a sum over their types. */
static void
sum_up(struct dataflash *m)
{
	m->planned = m->planned_sum = 0;
	for (unsigned i = 0; i < DATAFLASH_TYPES; i++) {
		const struct dataflash_type *t = &m->types[i];

		m->planned += t->n;
		m->planned_sum += (i * UINT64_C(0x9e3779b97f4a7c15) ^ t->n)
		    * UINT64_C(0xff51afd7ed558ccd);
	}
}

static enum slv_status
compare_proof(const struct slv_scan *s, struct slv_err *err)
{
	const struct dataflash *first = dataflash_of(s->reference),
	                       *m = dataflash_of(s);

	return slv_scan_compare(
	    (struct slv_held){ first->planned, first->planned_sum },
	    (struct slv_held){ m->planned, m->planned_sum }, err);
}

enum slv_status
dataflash_finish(struct slv_scan *s, struct slv_err *err)
{
	struct dataflash *m = dataflash_edit(s);
	bool refused;

	s->supported = !m->encrypted;
	if (m->encrypted)
		return dataflash_problem(
		    s, DATAFLASH_P_ENCRYPTED, 0, s->source->size, 0, 0, err);
	if (!m->has_first
	    && slv_problems_count(
	           &s->problems, &dataflash_problems[DATAFLASH_P_FIRST])
	        == 0)
		SLV_TRY(dataflash_problem(
		    s, DATAFLASH_P_FIRST, s->base, 0, 0, 0, err));
	settle_lent(s, &refused);
	SLV_TRY(leave_rivals(s, err));
	SLV_TRY(slv_catalog_apply(&s->catalog, err));
	if (m->back || m->n_odd > 0 || refused || !slv_scan_is_sound(s))
		SLV_TRY(dataflash_order(s, err));
	SLV_TRY(settle_units(s, err));
	sum_up(m);
	if (s->reference != NULL)
		return compare_proof(s, err);
	return plan_edits(s, err);
}
