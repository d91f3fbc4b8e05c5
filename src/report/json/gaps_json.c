/* gaps_json.c - what was lost, gap by gap, as JSON. */
#include "report/json/gaps_json.h"

#include "report/text/words.h"

/* A whole second that a calendar has; a JSON number holds it then. */
static json_t *
second(bool known, int64_t sec)
{
	struct slv_moment m = { .known = known, .sec = sec };

	return slv_words_can_date(m) ? json_integer((json_int_t)sec)
	                             : json_null();
}

static json_t *
name_of(const struct slv_facts *f, uint32_t channel)
{
	for (size_t i = 0; i < f->n_channels; i++) {
		if (f->channels[i].index == channel)
			return slv_json_text(f->channels[i].name);
	}
	return json_null();
}

static json_t *
losses_of(const struct slv_report *r, const struct slv_gap *gap)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < gap->n_losses; i++) {
		const struct slv_gap_loss *l = &r->gaps.losses[gap->loss + i];
		struct slv_object o = slv_object();

		slv_put(&o, "index", slv_json_number(l->channel));
		slv_put(&o, "name", name_of(&r->facts, l->channel));
		if (r->terms.mixed)
			slv_put(&o, "unit", json_string(r->terms.unit));
		slv_put(&o, "missing",
		    l->known ? slv_json_number(l->missing) : json_null());
		slv_put(&o, "exact", json_boolean(l->exact));
		slv_put(&o, "at_least", slv_json_number(l->at_least));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
gaps_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->gaps.n; i++) {
		const struct slv_gap *gap = &r->gaps.at[i];
		struct slv_gap_span span = slv_gap_span(gap);
		struct slv_object o = slv_object();

		slv_put(&o, "offset", slv_json_number(gap->off));
		slv_put(&o, "length", slv_json_number(gap->len));
		slv_put(&o, "lost", slv_json_number(gap->bytes));
		slv_put_moment(&o, "before", gap->before);
		slv_put_moment(&o, "after", gap->after);
		slv_put(&o, "from", second(span.has_from, span.from));
		slv_put(&o, "to", second(span.has_to, span.to));
		slv_put(&o, "channels", losses_of(r, gap));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
open_end_of(const struct slv_report *r)
{
	const struct slv_moment latest = r->gaps.latest;
	struct slv_object o;

	if (!slv_report_open_end(r))
		return json_null();
	o = slv_object();
	slv_put_moment(&o, "after", latest);
	slv_put(
	    &o, "from", second(latest.known, slv_gap_list_open_from(&r->gaps)));
	return slv_object_done(&o);
}

void
slv_put_gaps(struct slv_object *o, const struct slv_report *r)
{
	slv_put(o, "gaps", gaps_of(r));
	slv_put(o, "gaps_total", slv_json_number(r->gaps.total));
	slv_put(o, "open_end", open_end_of(r));
}
