/* stream.c - what a job reads and writes that is not a file with a name. */
#include "module.h"

#include <errno.h>
#include <string.h>

/* The errno for the exception that is set.  Bad sectors are damage; whatever else was
 * raised ends the job, and stays. */
static int
reason(void)
{
	PyObject *type, *value, *trace, *number = NULL;
	bool bad = false;

	if (!PyErr_ExceptionMatches(PyExc_OSError))
		return ECANCELED;
	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	if (value != NULL)
		number = PyObject_GetAttrString(value, "errno");
	bad = number != NULL && PyLong_Check(number)
	    && PyLong_AsLong(number) == EIO;
	Py_XDECREF(number);
	PyErr_Clear();
	if (!bad) {
		PyErr_Restore(type, value, trace);
		return ECANCELED;
	}
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	return EIO;
}

/* Copy what a function of Python returned. */
static int
take(PyObject *bytes, void *buf, size_t n)
{
	char *at;
	Py_ssize_t there;

	if (bytes == NULL)
		return reason();
	if (PyBytes_AsStringAndSize(bytes, &at, &there) < 0)
		return ECANCELED;
	if ((size_t)there != n) {
		PyErr_SetString(PyExc_ValueError,
		    "the source returned another number of bytes than it was "
		    "asked for");
		return ECANCELED;
	}
	memcpy(buf, at, n);
	return 0;
}

/* Called without the lock of the interpreter, by the thread that called the job. */
static int
read_at(void *ctx, uint64_t off, void *buf, size_t n)
{
	struct py_job *job = ctx;
	PyGILState_STATE state = PyGILState_Ensure();
	PyObject *bytes;
	int bad = ECANCELED;

	if (PyErr_Occurred() == NULL) {
		bytes = PyObject_CallFunction(job->source, "KK",
		    (unsigned long long)off, (unsigned long long)n);
		bad = take(bytes, buf, n);
		Py_XDECREF(bytes);
	}
	PyGILState_Release(state);
	return bad;
}

static int
write_to(void *ctx, const void *bytes, size_t n)
{
	struct py_job *job = ctx;
	PyGILState_STATE state = PyGILState_Ensure();
	PyObject *said = NULL;

	if (PyErr_Occurred() == NULL)
		said = PyObject_CallFunction(
		    job->output, "y#", (const char *)bytes, (Py_ssize_t)n);
	Py_XDECREF(said);
	PyGILState_Release(state);
	return said != NULL ? 0 : ECANCELED;
}

/* (function, size) */
static bool
set_function(struct py_job *job, PyObject *source)
{
	struct slv_input input = {
		.size_of = sizeof(input),
		.read_at = read_at,
		.ctx = job,
	};
	PyObject *function, *size;

	if (!PyArg_ParseTuple(source, "OO!", &function, &PyLong_Type, &size))
		return false;
	Py_INCREF(function);
	job->source = function;
	input.size = PyLong_AsUnsignedLongLong(size);
	if (PyErr_Occurred() != NULL)
		return false;
	slv_options_input_call(job->options, &input);
	return true;
}

static bool
set_source(struct py_job *job, PyObject *source)
{
	char *at;
	Py_ssize_t n;
	long fd;

	if (source == Py_None)
		return true;
	if (PyTuple_Check(source))
		return set_function(job, source);
	Py_INCREF(source);
	job->source = source;
	if (PyLong_Check(source)) {
		fd = PyLong_AsLong(source);
		if (PyErr_Occurred() == NULL)
			slv_options_input_fd(job->options, (int)fd);
		return PyErr_Occurred() == NULL;
	}
	if (PyBytes_AsStringAndSize(source, &at, &n) < 0)
		return false;
	slv_options_input_memory(job->options, at, (size_t)n);
	return true;
}

bool
py_job_streams(struct py_job *job, PyObject *source, PyObject *output)
{
	struct slv_outlet outlet = {
		.size_of = sizeof(outlet),
		.write = write_to,
		.ctx = job,
	};

	if (!set_source(job, source))
		return false;
	if (output == Py_None)
		return true;
	Py_INCREF(output);
	job->output = output;
	slv_options_output_call(job->options, &outlet);
	return true;
}
