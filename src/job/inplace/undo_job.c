/* undo_job.c - slv_undo: undo a repair in place, or make it final. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "job/inplace/inplace_job.h"
#include "job/input/input.h"
#include "job/output/sidecar.h"
#include "options/options.h"

static enum slv_status
undo(struct slv_report *r, const struct slv_options *opt, struct slv_undoing *u)
{
	SLV_TRY(opt->discard_undo ? slv_undo_discard(u, &r->err)
	                          : slv_undo_take_back(u, &r->err));
	r->outcome = opt->dry_run ? SLV_OUT_PLANNED : SLV_OUT_WRITTEN;
	r->in_place.exact = u->exact;
	r->in_place.partly = u->partly;
	r->in_place.missing = u->missing;
	u->missing = (struct slv_ranges){ .n = 0 };
	/* Without memory for its name it goes unmentioned. */
	if (u->unsaid)
		r->in_place.unsaid = slv_sidecar_name(u->names->file);
	r->in_place.discarded = opt->discard_undo;
	/* The log itself was not examined. */
	r->state = opt->discard_undo ? SLV_STATE_REPAIRED
	    : u->partly              ? SLV_STATE_LOSSY
	                             : SLV_STATE_DAMAGED;
	return SLV_OK;
}

/* The output of a repair would have FILE's own name. */
static enum slv_status
put_output(struct slv_report *r, const struct slv_options *opt,
    const struct slv_undoing *u)
{
	const struct slv_undo_facts *f = &u->facts;

	r->size = f->closed ? f->new_size : 0;
	r->output_size = opt->discard_undo ? f->new_size : f->old_size;
	r->output_from = f->from;
	memcpy(r->output_digest, opt->discard_undo ? f->new_sha1 : f->old_sha1,
	    SLV_SHA1_SIZE);
	r->output = slv_strdup(u->names->file);
	return r->output != NULL
	    ? SLV_OK
	    : slv_fail(&r->err, SLV_E_NOMEM, "out of memory");
}

static enum slv_status
run(struct slv_report *r, const struct slv_options *opt)
{
	struct slv_undo_names names;
	struct slv_undoing u = {
		.names = &names,
		.force = opt->force,
		.dry_run = opt->dry_run,
		.cancel = opt->cancel,
	};
	enum slv_status st = slv_inplace_names(&names, r, opt, opt->undo_file);

	if (st == SLV_OK) {
		st = undo(r, opt, &u);
		if (u.record_size > 0)
			(void)slv_inplace_report(
			    r, &names, &u.facts, u.record_size);
		slv_inplace_look(r, &names);
	}
	if (st == SLV_OK)
		st = put_output(r, opt, &u);
	slv_ranges_free(&u.missing);
	slv_undo_names_free(&names);
	return st;
}

static enum slv_state
state_after(const struct slv_err *err)
{
	return err->code == SLV_E_CANCELLED ? SLV_STATE_CANCELLED
	    : err->code == SLV_E_ACTIVE     ? SLV_STATE_ACTIVE
	                                    : SLV_STATE_FAILED;
}

enum slv_status
slv_undo(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct slv_report *r = slv_calloc(1, sizeof(*r));

	*out = NULL;
	opt = slv_options_of(opt);
	if (r == NULL)
		return SLV_E_NOMEM;
	r->job = SLV_JOB_UNDO;
	slv_report_sign(r, opt->maker);
	r->state = SLV_STATE_FAILED;
	r->file = slv_strdup(file);
	if (r->file == NULL) {
		slv_report_free(r);
		return SLV_E_NOMEM;
	}
	if (strcmp(file, "-") == 0)
		slv_fail(&r->err, SLV_E_USAGE,
		    "standard input is never changed in place");
	else if (slv_options_no_supply(opt, &r->err) == SLV_OK
	    && slv_input_no_folder(file, SLV_INPUT_BELOW, &r->err) == SLV_OK)
		(void)run(r, opt);
	if (r->err.code != SLV_OK)
		r->state = state_after(&r->err);
	*out = r;
	return r->err.code;
}
