/* told.c - what is to be said about a file when it is done. */
#include "cli/files/told.h"

#include <stdlib.h>

#include "batch/find/lognames.h"
#include "cli/output/records.h"
#include "cli/terminal/term.h"

static bool
is_wanted(const struct slv_args *args, const struct slv_report *r)
{
	enum slv_state state = slv_report_state(r);
	bool sound = state == SLV_STATE_INTACT || state == SLV_STATE_INDEXED;

	if (args->quiet == 0)
		return true;
	return args->quiet == 1
	    && (slv_report_status(r) != SLV_OK || !sound
	        || slv_report_policy(r) == SLV_POLICY_FAIL
	        || slv_report_baseline(r) == SLV_BASELINE_DIFFERS);
}

/* SLV_TEXT_* for text that goes to this stream. */
static unsigned
style(const struct slv_args *args, FILE *people)
{
	bool colour = args->colour == SLV_COLOUR_ALWAYS
	    || (args->colour == SLV_COLOUR_AUTO && slv_term_has_colour(people));

	return (colour ? SLV_TEXT_COLOUR : 0)
	    | (args->verbose ? SLV_TEXT_VERBOSE : 0)
	    | SLV_TEXT_WIDTH(slv_term_width(people));
}

static FILE *
stream(const struct slv_told *t, const struct slv_args *args)
{
	return t->aside ? stderr : slv_files_people(args);
}

void
slv_told_fail(struct slv_told *t, const struct slv_args *args, const char *file,
    const struct slv_err *err)
{
	struct slv_buf text = { 0 };
	char *safe = slv_escape(err->text);

	*t = (struct slv_told){
		.file = file,
		.code = err->code == SLV_E_LIMIT ? SLV_EXIT_STOPPED
		                                 : SLV_EXIT_TROUBLE,
		.state = SLV_STATE_FAILED,
		.seconds = -1,
		.aside = true,
		.totals = { .files = 1, .failures = 1 },
	};
	t->totals.states[SLV_STATE_FAILED] = 1;
	slv_buf_printf(&text, "salvor: %s\n", safe != NULL ? safe : "failed");
	slv_free(safe);
	t->text = args->quiet < 2 ? slv_buf_take(&text) : NULL;
	slv_buf_free(&text);
	if (slv_records_wanted(args->records))
		t->json = slv_error_json(file, err);
}

void
slv_told_make(struct slv_told *t, const struct slv_args *args,
    const struct slv_treatment *how, const char *file,
    const struct slv_report *r)
{
	struct slv_err none = { .code = SLV_E_NOMEM };

	*t = (struct slv_told){
		.file = file,
		.seconds = -1,
		.code = (int)slv_exit_of(r, args->ok, how->describing),
	};
	if (r != NULL && slv_report_policy(r) == SLV_POLICY_FAIL)
		t->code |= SLV_EXIT_POLICY;
	if (r != NULL && slv_report_baseline(r) == SLV_BASELINE_DIFFERS)
		t->code |= SLV_EXIT_DAMAGED;
	if (r == NULL) {
		snprintf(
		    none.text, sizeof(none.text), "%s: out of memory", file);
		slv_told_fail(t, args, file, &none);
		return;
	}
	t->state = slv_report_state(r);
	t->promised = slv_lognames_promise(file, slv_report_looks_like(r));
	t->aside = slv_report_status(r) != SLV_OK || how->aside;
	slv_totals_add(&t->totals, r);
	if (slv_records_wanted(args->records)) {
		t->json = slv_report_json(r);
		t->failed |= t->json == NULL;
	}
	if (args->sums != NULL) {
		t->sums = slv_report_sums(r);
		t->failed |= t->sums == NULL;
	}
	if (is_wanted(args, r)) {
		t->text =
		    slv_report_text(r, how->page, style(args, stream(t, args)));
		t->failed |= t->text == NULL;
	}
}

bool
slv_told_is_no_log(const struct slv_told *t, const struct slv_found *f)
{
	return t->state == SLV_STATE_UNRECOGNISED && !f->named && !f->wanted
	    && !t->promised;
}

bool
slv_told_say(struct slv_told *t, const struct slv_args *args)
{
	bool good = !t->failed;

	if (t->failed)
		slv_term_error("out of memory");
	slv_records_add(args->records, t);

	/* A reader of both streams sees them in order. */
	good = slv_term_flush() && good;
	if (t->text != NULL)
		good = slv_term_page(stream(t, args), t->text) && good;
	t->text = NULL;
	slv_told_free(t);

	/* A reader at the other end of a pipe sees each file when it is
	 * done. */
	return slv_term_flush() && good;
}

void
slv_told_free(struct slv_told *t)
{
	slv_free(t->text);
	slv_free(t->json);
	slv_free(t->sums);
	t->text = t->json = t->sums = NULL;
}
