/* module.c - the inner module, salvor._salvor. */
#include "module.h"

static PyMethodDef functions[] = {
	{ "run", py_run, METH_VARARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT,
	.m_name = "salvor._salvor",
	.m_doc = "The library of salvor, for the package around it.",
	.m_size = -1,
	.m_methods = functions,
};

/* Add an object, which the module then owns. */
static bool
add(PyObject *to, const char *name, PyObject *what)
{
	if (what != NULL && PyModule_AddObject(to, name, what) == 0)
		return true;
	Py_XDECREF(what);
	return false;
}

PyMODINIT_FUNC
PyInit__salvor(void)
{
	PyObject *out = PyModule_Create(&module);

	if (out != NULL && add(out, "Log", py_log_type())
	    && add(out, "Pass", py_pass_type())
	    && add(out, "Record", py_record_type())
	    && PyModule_AddStringConstant(out, "version", slv_version()) == 0)
		return out;
	Py_XDECREF(out);
	return NULL;
}
