/* records.c - where JSON objects go: --json, --report, --sums, --html, --junit,
 * --metrics.
 *
 * A report that cannot be written does not stop the work on the logs: it is
 * reported once, and the exit code shows it.
 */
#include "cli/output/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "cli/files/files.h"
#include "cli/files/told.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"

/* Report that a file cannot be opened. */
static enum slv_exit
refuse(const struct slv_args *args, const char *path, const struct slv_err *err)
{
	slv_term_error("%s", err->text);
	if (args->json)
		slv_term_line(stdout, slv_error_json(path, err));
	return err->code == SLV_E_USAGE ? SLV_EXIT_USAGE : SLV_EXIT_TROUBLE;
}

static enum slv_exit
open_one(const struct slv_args *args, const char *path,
    enum slv_lines_kind kind, struct slv_lines **out)
{
	struct slv_err err = { 0 };

	if (path == NULL
	    || slv_lines_open(path, kind, &slv_signal, out, &err) == SLV_OK)
		return SLV_EXIT_SOUND;
	return refuse(args, path, &err);
}

static enum slv_exit
open_html(const struct slv_args *args, struct slv_html **out)
{
	struct slv_err err = { 0 };

	if (args->html == NULL
	    || slv_html_open(args->html, &slv_signal, out, &err) == SLV_OK)
		return SLV_EXIT_SOUND;
	return refuse(args, args->html, &err);
}

static enum slv_exit
open_junit(const struct slv_args *args, struct slv_junit **out)
{
	struct slv_err err = { 0 };

	if (args->junit == NULL
	    || slv_junit_open(args->junit, &slv_signal, out, &err) == SLV_OK)
		return SLV_EXIT_SOUND;
	return refuse(args, args->junit, &err);
}

enum slv_exit
slv_records_open(struct slv_run_files *r, struct slv_args *args)
{
	enum slv_exit code;

	*r = (struct slv_run_files){ .args = args };
	args->job.sha256 |= args->sums != NULL;
	args->job.timeline |= args->html != NULL;
	code = open_one(args, args->report, SLV_LINES_REPORT, &r->report);
	if (code == SLV_EXIT_SOUND)
		code = open_one(args, args->sums, SLV_LINES_SUMS, &r->sums);
	if (code == SLV_EXIT_SOUND)
		code = open_one(
		    args, args->metrics, SLV_LINES_METRICS, &r->metrics);
	if (code == SLV_EXIT_SOUND)
		code = open_html(args, &r->html);
	if (code == SLV_EXIT_SOUND)
		code = open_junit(args, &r->junit);
	args->records = code == SLV_EXIT_SOUND ? r : NULL;
	if (code == SLV_EXIT_SOUND)
		return code;
	if (r->report != NULL)
		slv_lines_discard(r->report);
	if (r->sums != NULL)
		slv_lines_discard(r->sums);
	if (r->metrics != NULL)
		slv_lines_discard(r->metrics);
	if (r->html != NULL)
		slv_html_discard(r->html);
	return code;
}

bool
slv_records_wanted(const struct slv_run_files *r)
{
	return r->args->json || r->report != NULL || r->html != NULL
	    || r->junit != NULL || r->metrics != NULL || r->args->set;
}

/* Add text to a file, which is discarded if that fails. */
static void
add(struct slv_run_files *r, struct slv_lines **file, const char *text)
{
	struct slv_err err = { 0 };

	if (*file == NULL || slv_lines_add(*file, text, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	slv_lines_discard(*file);
	*file = NULL;
	r->failed = true;
}

/* The same for the page. */
static void
add_html(struct slv_run_files *r, const char *json)
{
	struct slv_err err = { 0 };

	if (r->html == NULL || slv_html_add(r->html, json, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	slv_html_discard(r->html);
	r->html = NULL;
	r->failed = true;
}

/* The same for JUnit's file. */
static void
add_junit(
    struct slv_run_files *r, const char *file, const char *json, double seconds)
{
	struct slv_err err = { 0 };

	if (r->junit == NULL
	    || slv_junit_add(r->junit, file, json, seconds, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	slv_junit_discard(r->junit);
	r->junit = NULL;
	r->failed = true;
}

void
slv_records_segment(struct slv_run_files *r, const struct slv_told *told)
{
	struct slv_err err = { 0 };

	if (!r->args->set || told->json == NULL
	    || slv_sets_add(&r->sets, told->file, told->json, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	r->failed = true;
}

static bool
is_there(struct slv_run_files *r, const char *text)
{
	if (text != NULL)
		return true;
	slv_term_error("out of memory");
	r->failed = true;
	return false;
}

static void
put(struct slv_run_files *r, const char *json)
{
	add(r, &r->report, json);
	add(r, &r->report, "\n");
	if (r->args->json && !slv_term_line(stdout, slv_strdup(json)))
		r->failed = true;
}

void
slv_records_put(struct slv_run_files *r, char *json)
{
	if (is_there(r, json))
		put(r, json);
	slv_free(json);
}

void
slv_records_bag(struct slv_run_files *r, const char *folder, char *json)
{
	if (json != NULL) {
		add_html(r, json);
		add_junit(r, folder, json, -1);
	}
	slv_records_put(r, json);
}

void
slv_records_add(struct slv_run_files *r, const struct slv_told *told)
{
	slv_totals_join(&r->totals, &told->totals);
	if (told->json != NULL) {
		add_html(r, told->json);
		add_junit(r, told->file, told->json, told->seconds);
		(void)slv_metrics_add(&r->counts, told->json);
		slv_records_segment(r, told);
		put(r, told->json);
	}
	if (told->sums != NULL)
		add(r, &r->sums, told->sums);
}

int
slv_records_sets(struct slv_run_files *r)
{
	struct slv_set_result set;
	int code = SLV_EXIT_SOUND;

	for (size_t from = 0; slv_sets_next(&r->sets, &from, &set);) {
		bool wanted = r->args->quiet == 0
		    || (r->args->quiet == 1 && set.findings > 0);

		if (set.findings > 0)
			code |= SLV_EXIT_DAMAGED;
		r->n_sets++;
		r->n_broken += set.findings > 0;
		if (set.json != NULL)
			add_html(r, set.json);
		if (set.json != NULL && set.name != NULL)
			add_junit(r, set.name, set.json, -1);
		slv_records_put(r, set.json);
		if (wanted
		    && !slv_term_page(slv_files_people(r->args), set.text))
			r->failed = true;
		set.json = NULL;
		set.text = wanted ? NULL : set.text;
		slv_set_result_free(&set);
	}
	return code;
}

static void
publish(struct slv_run_files *r, struct slv_lines *file)
{
	struct slv_err err = { 0 };

	if (file == NULL || slv_lines_commit(file, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	r->failed = true;
}

static void
publish_html(struct slv_run_files *r)
{
	struct slv_err err = { 0 };

	if (r->html == NULL || slv_html_commit(r->html, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	r->failed = true;
}

static void
publish_junit(struct slv_run_files *r, size_t given)
{
	struct slv_err err = { 0 };

	if (r->junit == NULL
	    || slv_junit_commit(r->junit, given, &err) == SLV_OK)
		return;
	slv_term_error("%s", err.text);
	r->failed = true;
}

/* When the run ended, as reports state it. */
static int64_t
run_time(const struct slv_args *args)
{
	const struct slv_maker *maker = args->job.maker;

	return maker != NULL && maker->time >= 0 ? maker->time
	                                         : (int64_t)time(NULL);
}

static void
publish_metrics(struct slv_run_files *r, size_t given)
{
	char *text;

	if (r->metrics == NULL)
		return;
	text = slv_metrics_text(&r->counts, given, run_time(r->args));
	if (is_there(r, text))
		add(r, &r->metrics, text);
	else
		slv_lines_discard(r->metrics);
	if (text != NULL)
		publish(r, r->metrics);
	slv_free(text);
}

bool
slv_records_close(struct slv_run_files *r, size_t given)
{
	slv_sets_free(&r->sets);
	if (given > 1 && slv_records_wanted(r))
		slv_records_put(r, slv_totals_json(&r->totals, given));
	publish(r, r->report);
	publish(r, r->sums);
	publish_metrics(r, given);
	publish_html(r);
	publish_junit(r, given + r->n_sets);
	return !r->failed;
}
