/* record.c - the class Record: what a reader gives. */
#include "module.h"

#include <structmember.h>

static PyObject *name_of_name; /* "name", made once */

struct record {
	PyObject_HEAD PyObject *channel, *data; /* owned */
	long long log_ns, publish_ns;
	unsigned long long sequence, off, inner;
	unsigned flags, sure;
};

PyObject *
py_record(PyObject *type, PyObject *channel, const struct slv_record *r)
{
	struct record *out =
	    (struct record *)PyType_GenericAlloc((PyTypeObject *)type, 0);

	if (out == NULL)
		return NULL;
	out->data = PyBytes_FromStringAndSize(r->data, (Py_ssize_t)r->len);
	if (out->data == NULL) {
		Py_DECREF(out);
		return NULL;
	}
	Py_INCREF(channel);
	out->channel = channel;
	out->log_ns = r->log_ns;
	out->publish_ns = r->publish_ns;
	out->sequence = r->sequence;
	out->off = r->off;
	out->inner = r->inner;
	out->flags = r->flags;
	out->sure = r->sure;
	return (PyObject *)out;
}

static void
dealloc(PyObject *self)
{
	struct record *r = (struct record *)self;
	PyTypeObject *type = Py_TYPE(self);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	Py_XDECREF(r->channel);
	Py_XDECREF(r->data);
	release(self);
	Py_DECREF(type);
}

/* A time, or None. */
static PyObject *
stamp(PyObject *self, void *at)
{
	long long ns = *(long long *)((char *)self + (size_t)at);

	if (ns != SLV_NO_STAMP)
		return PyLong_FromLongLong(ns);
	Py_RETURN_NONE;
}

static PyObject *
inner(PyObject *self, void *unused)
{
	unsigned long long at = ((struct record *)self)->inner;

	(void)unused;
	if (at != SLV_UNPACKED)
		return PyLong_FromUnsignedLongLong(at);
	Py_RETURN_NONE;
}

static PyObject *
sureness(PyObject *self, void *unused)
{
	static const char *const names[] = { "suspect", "structure", "checksum",
		"digest" };
	unsigned sure = ((struct record *)self)->sure;

	(void)unused;
	return PyUnicode_FromString(
	    sure < sizeof(names) / sizeof(*names) ? names[sure] : "?");
}

static PyObject *
flag(PyObject *self, void *bit)
{
	return PyBool_FromLong(
	    (((struct record *)self)->flags & (unsigned)(size_t)bit) != 0);
}

static PyObject *
topic(PyObject *self, void *unused)
{
	PyObject *channel = ((struct record *)self)->channel;

	(void)unused;
	if (channel != NULL)
		return PyObject_GetAttr(channel, name_of_name);
	PyErr_SetString(PyExc_AttributeError, "no log has this record");
	return NULL;
}

static PyMemberDef members[] = {
	{ "channel", T_OBJECT_EX, offsetof(struct record, channel), READONLY,
	    "The channel it is of." },
	{ "data", T_OBJECT_EX, offsetof(struct record, data), READONLY,
	    "Its payload." },
	{ "sequence", T_ULONGLONG, offsetof(struct record, sequence), READONLY,
	    "Its number in the log; without one, in its channel." },
	{ "offset", T_ULONGLONG, offsetof(struct record, off), READONLY,
	    "Where it begins in the file; or where its chunk does." },
	{ NULL, 0, 0, 0, NULL },
};

static PyGetSetDef getters[] = {
	{ "topic", topic, NULL, "The name of its channel.", NULL },
	{ "log_time", stamp, NULL,
	    "When it was recorded: nanoseconds since 1970, or None.",
	    (void *)offsetof(struct record, log_ns) },
	{ "publish_time", stamp, NULL,
	    "When it was published: nanoseconds since 1970, or None.",
	    (void *)offsetof(struct record, publish_ns) },
	{ "inner", inner, NULL,
	    "Where it begins in the content of its chunk; None: it is in none.",
	    NULL },
	{ "sureness", sureness, NULL,
	    "What confirms it: suspect, structure, checksum or digest.", NULL },
	{ "after_gap", flag, NULL,
	    "Records of its channel may be lost before it.",
	    (void *)SLV_RECORD_AFTER_GAP },
	{ NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, "A record of a log." },
	{ Py_tp_dealloc, dealloc },
	{ Py_tp_members, members },
	{ Py_tp_getset, getters },
	{ 0, NULL },
};

static PyType_Spec spec = {
	.name = "salvor._salvor.Record",
	.basicsize = sizeof(struct record),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = slots,
};

PyObject *
py_record_type(void)
{
	if (name_of_name == NULL)
		name_of_name = PyUnicode_InternFromString("name");
	if (name_of_name == NULL)
		return NULL;
	return PyType_FromSpec(&spec);
}
