/* dropped_json.c - a range that a repair leaves out, as a line of JSON. */
#include "report/json/dropped_json.h"

char *
slv_dropped_json(const struct slv_dropped *d)
{
	struct slv_object o = slv_object_of_type("dropped");

	slv_put_path(&o, "file", "file_base64", d->file);
	slv_put_path(&o, "saved", "saved_base64", d->saved);
	slv_put(&o, "offset", slv_json_number(d->off));
	slv_put(&o, "length", slv_json_number(d->len));
	slv_put(&o, "fate", json_string(slv_fate_name(d->fate)));
	slv_put(&o, "problem",
	    d->finding != NULL ? json_string(d->finding) : json_null());
	slv_put(&o, "unreadable", slv_json_number(d->unreadable));
	slv_put(&o, "sha256", slv_json_hex(d->sha256, sizeof(d->sha256)));
	return slv_object_dump(&o);
}

json_t *
slv_dropped_of(const struct slv_report *r)
{
	struct slv_object o;

	if (r->dropped.outcome == SLV_OUT_NONE)
		return json_null();
	o = slv_object();
	slv_put_path(&o, "directory", "directory_base64", r->dropped.dir);
	slv_put(
	    &o, "outcome", json_string(slv_outcome_name(r->dropped.outcome)));
	slv_put(&o, "files", slv_json_number(r->dropped.files));
	slv_put(&o, "bytes", slv_json_number(r->dropped.bytes));
	return slv_object_done(&o);
}
