/* job.c - what a call is told, and how it is stopped. */
#include "module.h"

#include <string.h>

static const char *const phases[] = { "read", "search", "seal", "prove",
	"write", "compare" };

/* Called without the lock of the interpreter, by the thread that called the job. */
static void
on_progress(void *ctx, const struct slv_progress *p)
{
	struct py_job *job = ctx;
	PyGILState_STATE state = PyGILState_Ensure();
	PyObject *said = NULL;
	bool failed = PyErr_Occurred() != NULL || PyErr_CheckSignals() < 0;

	if (!failed && job->progress != NULL) {
		said = PyObject_CallFunction(job->progress, "sKK",
		    (size_t)p->phase < sizeof(phases) / sizeof(*phases)
		        ? phases[p->phase]
		        : "work",
		    (unsigned long long)p->done, (unsigned long long)p->total);
		failed = said == NULL;
	}
	Py_XDECREF(said);
	if (failed)
		job->stop = 1;
	PyGILState_Release(state);
}

/* Set the options in a list of pairs of a string and bytes. */
static bool
set_all(struct slv_options *options, PyObject *pairs)
{
	for (Py_ssize_t i = 0; i < PyList_Size(pairs); i++) {
		struct slv_err err = { .code = SLV_OK };
		const char *name, *value;
		PyObject *why;

		if (!PyArg_ParseTuple(
		        PyList_GetItem(pairs, i), "sy", &name, &value))
			return false;
		if (slv_options_set(options, name, value, &err) == SLV_OK)
			continue;
		why = py_text(err.text);
		if (why != NULL)
			PyErr_SetObject(err.code == SLV_E_NOMEM
			        ? PyExc_MemoryError
			        : PyExc_ValueError,
			    why);
		Py_XDECREF(why);
		return false;
	}
	return true;
}

bool
py_job_open(struct py_job *job, PyObject *pairs, PyObject *progress)
{
	*job = (struct py_job){ .options = slv_options_new() };
	if (job->options == NULL) {
		PyErr_NoMemory();
		return false;
	}
	if (progress != Py_None) {
		Py_INCREF(progress);
		job->progress = progress;
	}
	slv_options_cancel(job->options, &job->stop);
	slv_options_on_progress(job->options, on_progress, job);
	return set_all(job->options, pairs);
}

void
py_job_close(struct py_job *job)
{
	struct slv_options *options = job->options;
	PyObject *const held[] = { job->progress, job->source, job->output };

	/* What one of them runs when it goes may close the same job. */
	*job = (struct py_job){ 0 };
	slv_options_free(options);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		Py_XDECREF(held[i]);
}

PyObject *
py_text(const char *text)
{
	return PyUnicode_DecodeUTF8(
	    text, (Py_ssize_t)strlen(text), "surrogateescape");
}
