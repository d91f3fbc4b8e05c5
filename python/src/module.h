/* module.h - the inner module of the package: as little C as can be.
 *
 * Python gives it texts and numbers and gets such; classes that people see are in
 * salvor/.  It uses the limited API, so that one build serves every later Python.
 */
#ifndef SALVOR_PYTHON_MODULE_H
#define SALVOR_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000 /* Python 3.9 */
#include <Python.h>

#include <stdbool.h>

#include "salvor.h"

/* What a call is told, and how it is stopped: by a signal whose handler raises, or by a
 * function of the caller that does. */
struct py_job {
	struct slv_options *options; /* owned */
	PyObject *progress;          /* owned; NULL: none */
	PyObject *source;            /* owned; what is read; NULL: a file */
	PyObject *output;            /* owned; a function; NULL: a file */
	volatile sig_atomic_t stop;
};

/* false: an exception is set; close it then, too.
 *
 *   pairs     a list of (name, value), a string and bytes, for slv_options_set()
 *   progress  called with phase, bytes done and bytes in all; None: not called */
bool py_job_open(struct py_job *, PyObject *pairs, PyObject *progress);
void py_job_close(struct py_job *);

/* Let the job read and write what is not a file with a name; false: an exception is set.
 *
 *   source  bytes; a descriptor as an int; (function, size), a function of an offset and
 *           a length, which returns so many bytes; None: a file
 *   output  a function of bytes; None: a file */
bool py_job_streams(struct py_job *, PyObject *source, PyObject *output);

/* Text of the library; bytes that are no UTF-8 become surrogates. */
PyObject *py_text(const char *);

/* (status, errno, reason, JSON, text, long text) */
PyObject *py_report(const struct slv_report *);

/* run(job, [path], [(name, value)], progress, source, output): a report. */
PyObject *py_run(PyObject *self, PyObject *args);

/* The classes Log, Pass and Record; NULL: an exception is set. */
PyObject *py_log_type(void);
PyObject *py_pass_type(void);
PyObject *py_record_type(void);

/* A record of this class, which is derived from Record. */
PyObject *py_record(
    PyObject *type, PyObject *channel, const struct slv_record *);

#endif
