/* jobs.c - what the JavaScript of the package calls (lib/worker.mjs).
 *
 * All of it runs in one worker, one job at a time.  Strings that are returned are
 * owned by the caller, unless it says otherwise.
 */
#include <emscripten.h>
#include <stddef.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "salvor.h"
#include "salvor_many.h"

/* system.js */
int salvor_progress(int phase, double done, double total);
uid_t salvor_owner(void);
void salvor_host_name(char *to, size_t n);

static volatile sig_atomic_t cancelled;

static void
on_progress(void *ctx, const struct slv_progress *p)
{
	(void)ctx;
	if (salvor_progress(p->phase, (double)p->done, (double)p->total) != 0)
		cancelled = 1;
}

/* Options of a job. */
EMSCRIPTEN_KEEPALIVE struct slv_options *
salvor_options(void)
{
	struct slv_options *opt = slv_options_new();

	if (opt == NULL)
		return NULL;
	cancelled = 0;
	slv_options_on_progress(opt, on_progress, NULL);
	slv_options_cancel(opt, &cancelled);
	return opt;
}

/* An error as JSON; NULL: it is set. */
EMSCRIPTEN_KEEPALIVE char *
salvor_set(struct slv_options *opt, const char *name, const char *value)
{
	struct slv_err err = { 0 };

	if (slv_options_set(opt, name, value, &err) == SLV_OK)
		return NULL;
	return slv_error_json(NULL, &err);
}

typedef enum slv_status job_fn(
    const char *file, const struct slv_options *, struct slv_report **out);

static const struct job {
	const char *name;
	job_fn *run;
	enum slv_page page;
} jobs[] = {
	{ "verify", slv_verify, SLV_PAGE_BRIEF },
	{ "info", slv_info, SLV_PAGE_INFO },
	{ "repair", slv_repair, SLV_PAGE_PLAN },
	{ "export", slv_export, SLV_PAGE_BRIEF },
	{ "extract", slv_extract, SLV_PAGE_PLAN },
};

/* Do a job.  Its report as JSON; NULL: out of memory, or there is no such job.
 *
 *   *text  the report as text, like the result */
EMSCRIPTEN_KEEPALIVE char *
salvor_run(const char *name, const char *file, const struct slv_options *opt,
    char **text)
{
	struct slv_report *rep = NULL;
	char *json = NULL;

	*text = NULL;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		if (strcmp(jobs[i].name, name) != 0)
			continue;
		(void)jobs[i].run(file, opt, &rep);
		if (rep == NULL)
			return NULL;
		json = slv_report_json(rep);
		*text = slv_report_text(rep, jobs[i].page, 0);
		slv_report_free(rep);
	}
	return json;
}

/* Write a page with the report in a text of JSON.  An error as JSON; NULL: it is
 * written. */
EMSCRIPTEN_KEEPALIVE char *
salvor_page(const char *path, const char *json)
{
	struct slv_err err = { 0 };
	struct slv_html *page;

	if (slv_html_open(path, NULL, &page, &err) != SLV_OK)
		return slv_error_json(path, &err);
	if (slv_html_add(page, json, &err) == SLV_OK)
		(void)slv_html_commit(page, &err);
	else
		slv_html_discard(page);
	return err.code == SLV_OK ? NULL : slv_error_json(path, &err);
}

/* The failure of a log as JSON; NULL: there is none. */
EMSCRIPTEN_KEEPALIVE char *
salvor_log_error(const char *file, const struct slv_log *log)
{
	struct slv_err err = { .code = slv_log_status(log) };

	if (err.code == SLV_OK)
		return NULL;
	strncpy(err.text, slv_log_error(log), sizeof(err.text) - 1);
	return slv_error_json(file, &err);
}

/* The worker reads these structs as they are in memory. */
#define AT(type, member, where)                                                \
	_Static_assert(offsetof(struct type, member) == (where),               \
	    "lib/worker.mjs reads it elsewhere")
AT(slv_record, channel, 4);
AT(slv_record, flags, 8);
AT(slv_record, log_ns, 16);
AT(slv_record, publish_ns, 24);
AT(slv_record, sequence, 32);
AT(slv_record, data, 40);
AT(slv_record, len, 44);
AT(slv_record, off, 48);
AT(slv_record, inner, 56);
AT(slv_record, sure, 64);
AT(slv_channel_info, name, 4);
AT(slv_channel_info, type, 8);
AT(slv_channel_info, encoding, 12);
AT(slv_channel_info, schema_encoding, 16);
AT(slv_channel_info, schema, 20);
AT(slv_channel_info, schema_len, 24);
AT(slv_channel_info, meta, 28);
AT(slv_channel_info, n_meta, 32);
AT(slv_channel_info, records, 40);

/* In place of what emscripten's C library says: "emscripten", and 0. */

int
uname(struct utsname *host)
{
	*host = (struct utsname){ 0 };
	salvor_host_name(host->nodename, sizeof(host->nodename));
	return 0;
}

uid_t
geteuid(void)
{
	return salvor_owner();
}
