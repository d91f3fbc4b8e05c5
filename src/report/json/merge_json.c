/* merge_json.c - what a merge was made of, as JSON. */
#include "report/json/merge_json.h"

static json_t *
copies_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_copies; i++) {
		const struct slv_copy_line *c = &r->copies[i];
		struct slv_object o = slv_object();

		slv_put_path(&o, "file", "file_base64", c->file);
		slv_put(&o, "size", slv_json_number(c->size));
		slv_put(&o, "used", slv_json_number(c->used));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
donor_of(const struct slv_taken *t)
{
	struct slv_object o;

	if (t->file == NULL)
		return json_null();
	o = slv_object();
	slv_put_path(&o, "file", "file_base64", t->file);
	slv_put(&o, "taken", slv_json_number(t->taken));
	slv_put(&o, "refused", slv_json_number(t->refused));
	return slv_object_done(&o);
}

static json_t *
siblings_of(const struct slv_report *r)
{
	json_t *array = json_array();
	bool failed = false;

	for (size_t i = 0; i < r->n_siblings; i++) {
		struct slv_object o = slv_object();

		slv_put_path(&o, "file", "file_base64", r->siblings[i].file);
		slv_put(&o, "taken", slv_json_number(r->siblings[i].taken));
		slv_array_add(array, &o, &failed);
	}
	return slv_array_done(array, failed);
}

static json_t *
added_of(const struct slv_added *a)
{
	struct slv_object o;

	if (a->file == NULL)
		return json_null();
	o = slv_object();
	slv_put_path(&o, "file", "file_base64", a->file);
	slv_put(&o, "blocks", slv_json_number(a->blocks));
	slv_put(&o, "bytes", slv_json_number(a->bytes));
	slv_put(&o, "there", slv_json_number(a->there));
	slv_put(&o, "left_out", slv_json_number(a->left_out));
	return slv_object_done(&o);
}

void
slv_put_merge(struct slv_object *o, const struct slv_report *r)
{
	slv_put(o, "copies", copies_of(r));
	slv_put(o, "added", added_of(&r->added));
}

void
slv_put_donor(struct slv_object *o, const struct slv_report *r)
{
	slv_put(o, "donor", donor_of(&r->donor));
	slv_put(o, "siblings", siblings_of(r));
}
