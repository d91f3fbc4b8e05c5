/* policy_json.c - does a log keep the caller's rules, as JSON. */
#include "report/json/policy_json.h"

#include <stdlib.h>

#include "report/pages/pages.h"

static json_t *
sentence_of(const struct slv_report *r, const struct slv_violation *v)
{
	struct slv_buf out = { 0 };
	json_t *json;
	char *text;

	slv_page_violation(&out, r, v);
	text = slv_buf_take(&out);
	json = text != NULL ? slv_json_text(text) : NULL;
	slv_free(text);
	return json;
}

static const char *
unit_of(enum slv_measure measure)
{
	switch (measure) {
	case SLV_IN_SECONDS: return "s";
	case SLV_IN_HERTZ: return "Hz";
	case SLV_IN_MESSAGES: return "messages";
	case SLV_IN_BYTES: return "bytes";
	case SLV_IN_PERCENT: return "%";
	}
	return "?";
}

static json_t *
violations_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_violations; i++) {
		const struct slv_violation *v = &r->violations[i];
		struct slv_object o = slv_object();

		slv_put(&o, "id", json_string(v->info->id));
		slv_put(&o, "rule", slv_json_text(v->rule));
		slv_put(&o, "channel", slv_json_text(v->channel));
		slv_put(&o, "asked", json_real(v->asked));
		slv_put(
		    &o, "found", v->blind ? json_null() : json_real(v->found));
		slv_put(&o, "unit", json_string(unit_of(v->measure)));
		slv_put(&o, "times", slv_json_number(v->n));
		slv_put(&o, "offset",
		    v->has_off ? slv_json_number(v->off) : json_null());
		slv_put_moment(&o, "from", v->from);
		slv_put_moment(&o, "to", v->to);
		slv_put(&o, "text", sentence_of(r, v));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

void
slv_put_policy(struct slv_object *o, const struct slv_report *r)
{
	slv_put(o, "policy",
	    r->policy == SLV_POLICY_NONE
	        ? json_null()
	        : json_string(r->policy == SLV_POLICY_PASS ? "pass" : "fail"));
	slv_put(o, "violations", violations_of(r));
}
