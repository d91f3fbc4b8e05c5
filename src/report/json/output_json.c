/* output_json.c - what a job wrote, and what it left out. */
#include "report/json/output_json.h"

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

static const char *
segment_name(enum slv_seg_kind kind)
{
	switch (kind) {
	case SLV_SEG_COPY: return "copy";
	case SLV_SEG_BYTES: return "made";
	case SLV_SEG_FILL: return "fill";
	case SLV_SEG_MADE: return "made";
	case SLV_SEG_DIGEST: return "digest";
	}
	return "?";
}

void
slv_put_plan(struct slv_object *to, const struct slv_report *r)
{
	slv_rows_begin(to, "plan");
	for (size_t i = 0; i < r->n_plan; i++) {
		const struct slv_plan_line *l = &r->plan[i];
		struct slv_object o = slv_object();

		slv_put(&o, "kind", json_string(segment_name(l->kind)));
		slv_put(&o, "output_offset", slv_json_number(l->out));
		if (l->kind == SLV_SEG_COPY)
			slv_put(&o, "input_offset", slv_json_number(l->in));
		slv_put(&o, "length", slv_json_number(l->len));
		slv_rows_add(to, &o);
	}
	slv_rows_end(to);
}

/* Payloads that the output does not explain. */
static void
put_opaque(struct slv_object *to, const struct slv_opaque_count *n)
{
	struct slv_object o;

	if (n->channels == 0)
		return;
	o = slv_object();
	slv_put(&o, "records", slv_json_number(n->records));
	slv_put(&o, "channels", slv_json_number(n->channels));
	slv_put(&o, "without_descriptors", slv_json_number(n->unnamed));
	slv_put(to, "undecoded", slv_object_done(&o));
}

void
slv_put_export(struct slv_object *to, const struct slv_report *r)
{
	const struct slv_exported *e = &r->exported;
	const char *key = r->job == SLV_JOB_EXPORT ? "export" : "extract";
	struct slv_object o;

	if (e->format == NULL) {
		slv_put(to, key, json_null());
		return;
	}
	o = slv_object();
	slv_put(&o, "format", json_string(e->format));
	slv_put(&o, "records", slv_json_number(e->records));
	slv_put(&o, "channels", slv_json_number(e->channels));
	if (e->files > 1)
		slv_put(&o, "files", slv_json_number(e->files));
	put_opaque(&o, &e->opaque);
	slv_put(to, key, slv_object_done(&o));
}
