/* line_json.c - other JSON objects: a block, a row of the problem catalogue, an
 * error, the totals.  Described in docs/json.md. */
#include "report/json/json_object.h"
#include "report/report.h"
#include "salvor_many.h"

static const char *
error_name(enum slv_status code)
{
	switch (code) {
	case SLV_OK: return "ok";
	case SLV_E_IO: return "io";
	case SLV_E_NOMEM: return "memory";
	case SLV_E_LIMIT: return "limit";
	case SLV_E_CANCELLED: return "cancelled";
	case SLV_E_EXISTS: return "exists";
	case SLV_E_REFUSED: return "refused";
	case SLV_E_ACTIVE: return "active";
	case SLV_E_BUG: return "bug";
	case SLV_E_UNRELATED: return "unrelated";
	case SLV_E_USAGE: return "usage";
	}
	return "?";
}

void
slv_put_error(struct slv_object *o, const struct slv_err *err)
{
	slv_put(o, "code", json_string(error_name(err->code)));
	slv_put(o, "errno",
	    err->os != 0 ? slv_json_number((uint64_t)err->os) : json_null());
	slv_put(o, "text", slv_json_text(err->text));
}

char *
slv_error_json(const char *file, const struct slv_err *err)
{
	struct slv_object o = slv_object_of_type("error");

	slv_put_path(&o, "file", "file_base64", file);
	slv_put_error(&o, err);
	return slv_object_dump(&o);
}

/* The verdicts on files that were compared with a baseline. */
static void
put_baseline(struct slv_object *o, const struct slv_totals *t)
{
	struct slv_object all = slv_object();
	uint64_t n = 0;

	for (int i = SLV_BASELINE_NONE + 1; i < SLV_BASELINES; i++) {
		slv_put(&all, slv_baseline_name((enum slv_baseline_verdict)i),
		    slv_json_number(t->baseline[i]));
		n += t->baseline[i];
	}
	if (n > 0)
		slv_put(o, "baseline", slv_object_done(&all));
	else
		json_decref(slv_object_done(&all));
}

char *
slv_totals_json(const struct slv_totals *t, uint64_t given)
{
	struct slv_object o = slv_object_of_type("totals");
	struct slv_object states = slv_object(), bytes = slv_object();

	for (int state = 0; state < SLV_STATES; state++)
		slv_put(&states, slv_state_name((enum slv_state)state),
		    slv_json_number(t->states[state]));
	for (int fate = 0; fate < SLV_FATES; fate++)
		slv_put(&bytes, slv_fate_name((enum slv_fate)fate),
		    slv_json_number(t->bytes[fate]));
	slv_put(&o, "files", slv_json_number(given));
	slv_put(&o, "done", slv_json_number(t->files));
	slv_put(&o, "states", slv_object_done(&states));
	slv_put(&o, "failures", slv_json_number(t->failures));
	slv_put(&o, "size", slv_json_number(t->size));
	slv_put(&o, "bytes", slv_object_done(&bytes));
	slv_put(&o, "unsure", slv_json_number(t->unsure));
	slv_put(&o, "problems_total", slv_json_number(t->problems));
	slv_put(&o, "policy_failed", slv_json_number(t->policy_failed));
	put_baseline(&o, t);
	slv_put(&o, "outputs", slv_json_number(t->outputs));
	slv_put(&o, "output_size", slv_json_number(t->output_size));
	return slv_object_dump(&o);
}

char *
slv_block_json(const struct slv_block *b)
{
	struct slv_object o = slv_object_of_type("block");
	struct slv_moment time = { b->sec, b->nanos, b->has_time };

	slv_put(&o, "offset", slv_json_number(b->off));
	if (b->packed)
		slv_put(&o, "inner_offset", slv_json_number(b->inner));
	slv_put(&o, "length", slv_json_number(b->len));
	slv_put(&o, "kind", slv_json_text(b->kind));
	slv_put(&o, "channel",
	    b->has_channel ? slv_json_number(b->channel) : json_null());
	slv_put(&o, "name", slv_json_text(b->channel_name));
	slv_put_moment(&o, "time", time);
	slv_put(&o, "verdict", slv_json_text(b->verdict));
	return slv_object_dump(&o);
}

char *
slv_problem_json(const struct slv_problem_info *row)
{
	struct slv_object o = slv_object_of_type("problem");

	slv_put(&o, "id", slv_json_text(row->id));
	slv_put(&o, "severity", json_string(slv_severity_name(row->severity)));
	slv_put(&o, "remedy", json_string(slv_remedy_name(row->remedy)));
	slv_put(&o, "risk", json_string(slv_risk_name(row->risk)));
	slv_put(&o, "text", slv_json_text(row->text));
	slv_put(&o, "means", slv_json_text(row->means));
	slv_put(&o, "arises", slv_json_text(row->arises));
	slv_put(&o, "repair", slv_json_text(row->repair));
	return slv_object_dump(&o);
}
