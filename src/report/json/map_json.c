/* map_json.c - what is where in the file, and when, as JSON. */
#include "report/json/map_json.h"

#define NAMED 3 /* named channels of a part, those with most bytes */

static json_t *
ranges_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->tiles.n; i++) {
		const struct slv_tile *t = &r->tiles.at[i];
		enum slv_fate fate = slv_tile_fate(t);
		struct slv_object o = slv_object();

		slv_put(&o, "offset", slv_json_number(t->off));
		slv_put(&o, "length", slv_json_number(t->len));
		slv_put(&o, "fate",
		    json_string(
		        fate == SLV_FATES ? "mixed" : slv_fate_name(fate)));
		for (int k = 0; k < SLV_FATES && fate == SLV_FATES; k++)
			slv_put(&o, slv_fate_name((enum slv_fate)k),
			    slv_json_number(t->bytes[k]));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
attempts_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_attempts; i++) {
		const struct slv_attempt *a = &r->attempts[i];
		struct slv_object o = slv_object();

		slv_put(&o, "reading", json_string(a->reading));
		slv_put(&o, "kept", slv_json_number(a->kept));
		slv_put(&o, "left_out", slv_json_number(a->out));
		slv_put(&o, "proven", json_boolean(a->proven));
		slv_put(&o, "taken", json_boolean(a->taken));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

/* The logs of other recordings in the file. */
static json_t *
others_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_others; i++) {
		const struct slv_other_line *other = &r->others[i];
		struct slv_object o = slv_object();

		slv_put(&o, "offset", slv_json_number(other->off));
		slv_put(&o, "length", slv_json_number(other->len));
		slv_put(&o, "format", json_string(other->format));
		slv_put(&o, "records", slv_json_number(other->records));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

void
slv_put_ranges(struct slv_object *o, const struct slv_report *r)
{
	slv_put(o, "ranges", ranges_of(r));
	if (r->n_others > 0)
		slv_put(o, "others", others_of(r));
	if (r->n_attempts > 0)
		slv_put(o, "attempts", attempts_of(r));
}

/* Return true if any block of channel i was counted. */
static bool
is_counted(const struct slv_timeline *t, size_t i)
{
	size_t k = 0;

	while (k < SLV_TIMELINE_STEPS && t->counts[i][k] == 0)
		k++;
	return k < SLV_TIMELINE_STEPS;
}

static json_t *
steps_of(const uint32_t *counts)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < SLV_TIMELINE_STEPS; i++) {
		if (json_array_append_new(array, slv_json_number(counts[i]))
		    != 0)
			failed = true;
	}
	return slv_array_done(array, failed);
}

static json_t *
counts_of(const struct slv_timeline *t)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < t->n_channels; i++) {
		struct slv_object o;

		if (!is_counted(t, i))
			continue;
		o = slv_object();
		slv_put(&o, "index", slv_json_number(t->channels[i]));
		slv_put(&o, "counts", steps_of(t->counts[i]));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

/* The next channel of a part: with as many bytes as `most`, or fewer, and not
 * before `from` if equal; n_channels: none is left. */
static size_t
next_channel(const struct slv_timeline *t, const struct slv_timeline_part *p,
    uint64_t most, size_t from)
{
	size_t best = t->n_channels;

	for (size_t i = 0; i < t->n_channels; i++) {
		uint64_t n = p->bytes[i];

		if (n == 0 || n > most || (n == most && i < from))
			continue;
		if (best == t->n_channels || n > p->bytes[best])
			best = i;
	}
	return best;
}

static json_t *
channels_in(const struct slv_timeline *t, const struct slv_timeline_part *p)
{
	json_t *array = json_array();
	uint64_t most = UINT64_MAX;
	bool failed = false;
	size_t from = 0;

	for (size_t n = 0; n < NAMED && !failed; n++) {
		size_t i = next_channel(t, p, most, from);

		if (i == t->n_channels)
			break;
		most = p->bytes[i];
		from = i + 1;
		failed = json_array_append_new(
		             array, slv_json_number(t->channels[i]))
		    != 0;
	}
	return slv_array_done(array, failed);
}

static json_t *
parts_of(const struct slv_timeline *t)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < t->n_parts; i++) {
		const struct slv_timeline_part *p = &t->parts[i];
		struct slv_object o = slv_object();

		slv_put(&o, "earliest",
		    p->timed ? json_integer(p->first) : json_null());
		slv_put(&o, "latest",
		    p->timed ? json_integer(p->last) : json_null());
		slv_put(&o, "channels", channels_in(t, p));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

json_t *
slv_json_timeline(const struct slv_timeline *t)
{
	struct slv_object o;

	if (!t->from.known)
		return json_null();
	o = slv_object();
	slv_put_moment(&o, "from", t->from);
	slv_put(&o, "step", slv_json_number(t->step));
	slv_put(&o, "channels", counts_of(t));
	slv_put(&o, "channels_left_out", slv_json_number(t->n_left_out));
	slv_put(&o, "parts", parts_of(t));
	return slv_object_done(&o);
}
