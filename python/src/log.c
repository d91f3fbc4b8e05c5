/* log.c - the class Log: a log that is open, and a pass over its records. */
#include "module.h"

#include <unistd.h>

struct log {
	PyObject_HEAD struct py_job job;
	struct slv_log *log;       /* owned; NULL: closed */
	struct slv_reader *reader; /* owned; NULL: no pass has begun */
	PyObject *channels;        /* owned; a list, by number */
	PyObject *record;          /* owned; the class of its records */

	/* A call is under way, which does not hold the lock of the interpreter:
	 * another thread may call, and the progress function. */
	bool busy;
	pid_t process; /* that opened it */
};

/* Return true if no call is under way; else an exception is set. */
static bool
is_free(const struct log *self)
{
	if (self->busy)
		PyErr_SetString(PyExc_RuntimeError,
		    "the log is in use, by another thread or by the call that "
		    "reports this progress");
	return !self->busy;
}

/* Was the log opened here?  A process that was forked has none of the threads of the
 * library, and would wait for them. */
static bool
is_ours(const struct log *self)
{
	return self->process == getpid();
}

static void
close_all(struct log *self)
{
	struct slv_reader *reader = is_ours(self) ? self->reader : NULL;
	struct slv_log *log = is_ours(self) ? self->log : NULL;

	self->reader = NULL;
	self->log = NULL;
	self->busy = true;
	Py_BEGIN_ALLOW_THREADS slv_reader_close(reader);
	slv_log_close(log);
	Py_END_ALLOW_THREADS self->busy = false;
	py_job_close(&self->job);
	Py_CLEAR(self->channels);
	Py_CLEAR(self->record);
}

static void
dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	close_all((struct log *)self);
	release(self);
	Py_DECREF(type);
}

/* Log(path, [(name, value)], progress, source) */
static int
init(PyObject *object, PyObject *args, PyObject *names)
{
	struct log *self = (struct log *)object;
	PyObject *pairs, *progress, *source;
	const char *path;

	(void)names;
	if (!PyArg_ParseTuple(
	        args, "yO!OO", &path, &PyList_Type, &pairs, &progress, &source))
		return -1;
	if (!is_free(self))
		return -1;
	close_all(self);
	if (!py_job_open(&self->job, pairs, progress)
	    || !py_job_streams(&self->job, source, Py_None))
		return -1;
	self->process = getpid();
	self->busy = true;
	Py_BEGIN_ALLOW_THREADS(void)
	    slv_log_open(path, self->job.options, &self->log);
	Py_END_ALLOW_THREADS self->busy = false;
	if (PyErr_Occurred() != NULL)
		return -1;
	if (self->log != NULL)
		return 0;
	PyErr_NoMemory();
	return -1;
}

/* Return true if the log is open, and free; else an exception is set. */
static bool
is_open(const struct log *self)
{
	if (!is_free(self))
		return false;
	if (self->log == NULL)
		PyErr_SetString(PyExc_ValueError, "the log is closed");
	else if (!is_ours(self))
		PyErr_SetString(PyExc_RuntimeError,
		    "the log was opened by the process that this one was "
		    "forked from; open it again");
	return self->log != NULL && is_ours(self);
}

static PyObject *
report(PyObject *object, PyObject *unused)
{
	struct log *self = (struct log *)object;

	(void)unused;
	return is_open(self) ? py_report(slv_log_report(self->log)) : NULL;
}

static PyObject *
status(PyObject *object, PyObject *unused)
{
	struct log *self = (struct log *)object;

	(void)unused;
	return is_open(self)
	    ? Py_BuildValue("(iN)", (int)slv_log_status(self->log),
	        py_text(slv_log_error(self->log)))
	    : NULL;
}

/* (name, type, encoding, schema encoding, schema, {key: value}, records) */
static PyObject *
describe(const struct slv_channel_info *c)
{
	PyObject *meta = PyDict_New();

	for (size_t i = 0; meta != NULL && i < c->n_meta; i++) {
		PyObject *key = py_text(c->meta[i].key);
		PyObject *value = py_text(c->meta[i].value);

		if (key == NULL || value == NULL
		    || PyDict_SetItem(meta, key, value) < 0)
			Py_CLEAR(meta);
		Py_XDECREF(key);
		Py_XDECREF(value);
	}
	return meta == NULL
	    ? NULL
	    : Py_BuildValue("(NNNNy#NK)", py_text(c->name), py_text(c->type),
	        py_text(c->encoding), py_text(c->schema_encoding),
	        c->schema != NULL ? c->schema : "", (Py_ssize_t)c->schema_len,
	        meta, (unsigned long long)c->records);
}

static PyObject *
channels(PyObject *object, PyObject *unused)
{
	struct log *self = (struct log *)object;
	const struct slv_channel_info *c;
	PyObject *out;

	(void)unused;
	if (!is_open(self))
		return NULL;
	/* What is run when garbage is collected must not close it. */
	self->busy = true;
	out = PyList_New(0);
	for (uint32_t i = 0;
	     out != NULL && (c = slv_log_channel(self->log, i)) != NULL; i++) {
		PyObject *one = describe(c);

		if (one == NULL || PyList_Append(out, one) < 0)
			Py_CLEAR(out);
		Py_XDECREF(one);
	}
	self->busy = false;
	return out;
}

/* Own another object.  What the old one runs when it goes finds the new one. */
static void
set(PyObject **member, PyObject *to)
{
	PyObject *old = *member;

	Py_INCREF(to);
	*member = to;
	Py_XDECREF(old);
}

/* read([(name, value)], [channel], class): begin a pass over the records. */
static PyObject *
read_records(PyObject *object, PyObject *args)
{
	struct log *self = (struct log *)object;
	PyObject *pairs, *list, *record;

	if (!PyArg_ParseTuple(args, "O!O!O", &PyList_Type, &pairs, &PyList_Type,
	        &list, &record)
	    || !is_open(self))
		return NULL;
	slv_reader_close(self->reader);
	self->reader = NULL;
	set(&self->channels, list);
	set(&self->record, record);
	if (slv_reader_open(self->log, &self->reader) != SLV_OK)
		return PyErr_Occurred() == NULL ? status(object, NULL) : NULL;
	for (Py_ssize_t i = 0; i < PyList_Size(pairs); i++) {
		const char *name, *value;

		if (!PyArg_ParseTuple(
		        PyList_GetItem(pairs, i), "sy", &name, &value))
			return NULL;
		if (slv_reader_set(self->reader, name, value) != SLV_OK)
			break;
	}
	return status(object, NULL);
}

/* A record for Python; None: the end; NULL: an exception is set.  The list is Python's, who
 * may have changed it. */
static PyObject *
give(const struct log *self, const struct slv_record *r)
{
	PyObject *channel;

	if (PyErr_Occurred() != NULL)
		return NULL;
	if (r == NULL)
		Py_RETURN_NONE;
	channel = PyList_GetItem(self->channels, (Py_ssize_t)r->channel);
	return channel != NULL ? py_record(self->record, channel, r) : NULL;
}

/* The next record; None at the end, and after a failure. */
static PyObject *
next(struct log *self)
{
	const struct slv_record *r;
	PyObject *out;

	if (!is_open(self))
		return NULL;
	if (self->reader == NULL)
		Py_RETURN_NONE;
	self->busy = true;
	Py_BEGIN_ALLOW_THREADS r = slv_reader_next(self->reader);
	Py_END_ALLOW_THREADS out = give(self, r);
	self->busy = false;
	return out;
}

/* An iterator over the records.  A generator of Python around next() would take time
 * for each of them. */
struct pass {
	PyObject_HEAD PyObject *log; /* owned; a struct log */
	PyObject *check;             /* owned; called at the end, it raises what
	                              * is wrong */
};

static int
init_pass(PyObject *object, PyObject *args, PyObject *names)
{
	struct pass *self = (struct pass *)object;
	PyObject *log, *check;

	(void)names;
	if (!PyArg_ParseTuple(args, "OO", &log, &check))
		return -1;
	if (PyType_GetSlot(Py_TYPE(log), Py_tp_dealloc) != (void *)dealloc) {
		PyErr_SetString(PyExc_TypeError, "a pass needs a log");
		return -1;
	}
	set(&self->log, log);
	set(&self->check, check);
	return 0;
}

static void
dealloc_pass(PyObject *object)
{
	struct pass *self = (struct pass *)object;
	PyTypeObject *type = Py_TYPE(object);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	Py_XDECREF(self->log);
	Py_XDECREF(self->check);
	release(object);
	Py_DECREF(type);
}

static PyObject *
next_of_pass(PyObject *object)
{
	struct pass *self = (struct pass *)object;
	PyObject *log = self->log, *out, *done;

	if (log == NULL)
		return NULL;
	/* Whatever else is done with the pass meanwhile. */
	Py_INCREF(log);
	out = next((struct log *)log);
	Py_DECREF(log);
	if (out != Py_None)
		return out;
	Py_DECREF(out);
	/* It ends once; what was wrong is said once. */
	Py_CLEAR(self->log);
	done = PyObject_CallObject(self->check, NULL);
	Py_XDECREF(done);
	return NULL;
}

static PyType_Slot pass_slots[] = {
	{ Py_tp_doc, "A pass over the records of a log." },
	{ Py_tp_new, PyType_GenericNew },
	{ Py_tp_init, init_pass },
	{ Py_tp_dealloc, dealloc_pass },
	{ Py_tp_iter, PyObject_SelfIter },
	{ Py_tp_iternext, next_of_pass },
	{ 0, NULL },
};

static PyType_Spec pass_spec = {
	.name = "salvor._salvor.Pass",
	.basicsize = sizeof(struct pass),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = pass_slots,
};

PyObject *
py_pass_type(void)
{
	return PyType_FromSpec(&pass_spec);
}

static PyObject *
close_log(PyObject *self, PyObject *unused)
{
	(void)unused;
	if (!is_free((struct log *)self))
		return NULL;
	close_all((struct log *)self);
	Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
	{ "report", report, METH_NOARGS, NULL },
	{ "status", status, METH_NOARGS, NULL },
	{ "channels", channels, METH_NOARGS, NULL },
	{ "read", read_records, METH_VARARGS, NULL },
	{ "close", close_log, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A log that is open." },
	{ Py_tp_new, PyType_GenericNew },
	{ Py_tp_init, init },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_methods, methods },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "salvor._salvor.Log",
	.basicsize = sizeof(struct log),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = slots,
};

PyObject *
py_log_type(void)
{
	return PyType_FromSpec(&spec);
}
