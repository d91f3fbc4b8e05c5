/* baseline_json.c - is a file what it was on an earlier day, as JSON. */
#include "report/json/baseline_json.h"

#include <stdlib.h>

#include "base/text/base64.h"
#include "core/digest/pieces.h"
#include "report/pages/pages.h"

static json_t *
sentence_of(const struct slv_report *r)
{
	struct slv_buf out = { 0 };
	json_t *json;
	char *text;

	if (slv_page_baseline_row(r) == NULL)
		return json_null();
	slv_page_against(&out, r);
	text = slv_buf_take(&out);
	json = text != NULL ? slv_json_text(text) : NULL;
	slv_free(text);
	return json;
}

void
slv_put_baseline(struct slv_object *o, const struct slv_report *r)
{
	const struct slv_problem_info *row = slv_page_baseline_row(r);
	struct slv_object b = slv_object();

	slv_put(
	    &b, "state", json_string(slv_baseline_name(r->against.verdict)));
	slv_put_moment(&b, "since", r->against.since);
	slv_put(&b, "id", row != NULL ? json_string(row->id) : json_null());
	slv_put(&b, "text", sentence_of(r));
	slv_put(&b, "ranges", slv_json_set(&r->against.ranges));
	slv_put(o, "baseline", slv_object_done(&b));
}

char *
slv_report_digests(const struct slv_report *r)
{
	struct slv_object o = slv_object();
	struct slv_buf text = { 0 };
	char *values;

	if (r->sums.len == 0) {
		json_decref(slv_object_done(&o));
		slv_buf_text(&text, "null");
		return slv_buf_take(&text);
	}
	slv_base64(&text, r->sums.at, r->sums.len);
	values = slv_buf_take(&text);
	slv_put(&o, "algorithm", json_string(SLV_PIECE_KIND));
	slv_put(&o, "piece", slv_json_number(SLV_PIECE));
	slv_put(&o, "values", values != NULL ? json_string(values) : NULL);
	slv_free(values);
	return slv_object_dump(&o);
}
