/* jobs.c - jobs that make a report: verify, info, repair, merge, undo, export, extract,
 * join. */
#include "module.h"

#include <string.h>

/* The jobs, by the names that Python has for them. */
static const struct {
	const char *name;
	enum slv_status (*run)(
	    const char *, const struct slv_options *, struct slv_report **);
} jobs[] = {
	{ "verify", slv_verify },
	{ "info", slv_info },
	{ "repair", slv_repair },
	{ "undo", slv_undo },
	{ "export", slv_export },
	{ "extract", slv_extract },
};

#define JOBS (sizeof(jobs) / sizeof(*jobs))

static struct slv_report *
run(const char *job, const char **files, size_t n,
    const struct slv_options *options)
{
	struct slv_report *report = NULL;

	if (strcmp(job, "merge") == 0) {
		(void)slv_merge(files, n, options, &report);
		return report;
	}
	if (strcmp(job, "join") == 0) {
		(void)slv_join(files, n, options, &report);
		return report;
	}
	for (size_t i = 0; i < JOBS; i++) {
		if (strcmp(job, jobs[i].name) == 0)
			(void)jobs[i].run(files[0], options, &report);
	}
	return report;
}

PyObject *
py_report(const struct slv_report *report)
{
	const struct slv_err *err = slv_report_error(report);
	char *json = slv_report_json(report);
	char *brief = slv_report_text(report, SLV_PAGE_BRIEF, 0);
	char *all = slv_report_text(report, SLV_PAGE_PLAN, SLV_TEXT_VERBOSE);
	PyObject *out = json == NULL || brief == NULL || all == NULL
	    ? PyErr_NoMemory()
	    : Py_BuildValue("(iiNNNN)", (int)err->code, err->os,
	        py_text(err->text), py_text(json), py_text(brief),
	        py_text(all));

	slv_free(json);
	slv_free(brief);
	slv_free(all);
	return out;
}

/* The paths in a list of bytes; each is borrowed from it. */
static const char **
paths_of(PyObject *list, Py_ssize_t *n)
{
	const char **out;

	*n = PyList_Size(list);
	out = *n > 0 ? PyMem_Malloc((size_t)*n * sizeof(*out)) : NULL;
	if (out == NULL) {
		PyErr_SetString(PyExc_ValueError, "no file was given");
		return NULL;
	}
	for (Py_ssize_t i = 0; i < *n; i++) {
		char *text;

		if (PyBytes_AsStringAndSize(
		        PyList_GetItem(list, i), &text, NULL)
		    < 0) {
			PyMem_Free(out);
			return NULL;
		}
		out[i] = text;
	}
	return out;
}

PyObject *
py_run(PyObject *self, PyObject *args)
{
	PyObject *list, *pairs, *progress, *source, *output, *out = NULL;
	struct slv_report *report = NULL;
	struct py_job job;
	const char *name;
	const char **files;
	Py_ssize_t n;

	(void)self;
	if (!PyArg_ParseTuple(args, "sO!O!OOO", &name, &PyList_Type, &list,
	        &PyList_Type, &pairs, &progress, &source, &output))
		return NULL;
	files = paths_of(list, &n);
	if (files == NULL)
		return NULL;
	if (py_job_open(&job, pairs, progress)
	    && py_job_streams(&job, source, output)) {
		Py_BEGIN_ALLOW_THREADS report =
		    run(name, files, (size_t)n, job.options);
		Py_END_ALLOW_THREADS
		    /* What a signal handler or a function of the caller raised. */
		    if (PyErr_Occurred() == NULL) out =
		        report != NULL ? py_report(report) : PyErr_NoMemory();
	}
	slv_report_free(report);
	py_job_close(&job);
	PyMem_Free(files);
	return out;
}
