/* status.c - keep the first cause of a failure. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void record(struct slv_err *err, enum slv_status code, int os,
    const char *fmt, va_list args) SLV_PRINTF(4, 0);

static void
record(struct slv_err *err, enum slv_status code, int os, const char *fmt,
    va_list args)
{
	int n;

	if (err == NULL || err->code != SLV_OK)
		return;
	err->code = code;
	err->os = os;
	n = vsnprintf(err->text, sizeof(err->text), fmt, args);
	if (os != 0 && n >= 0 && (size_t)n < sizeof(err->text))
		snprintf(err->text + n, sizeof(err->text) - (size_t)n, ": %s",
		    strerror(os));
}

enum slv_status
slv_fail(struct slv_err *err, enum slv_status code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	record(err, code, 0, fmt, args);
	va_end(args);
	return code;
}

enum slv_status
slv_fail_errno(struct slv_err *err, const char *fmt, ...)
{
	int os = errno;
	enum slv_status code = os == ENOMEM ? SLV_E_NOMEM : SLV_E_IO;
	va_list args;

	va_start(args, fmt);
	record(err, code, os, fmt, args);
	va_end(args);
	return code;
}

const char *
slv_status_name(enum slv_status code)
{
	switch (code) {
	case SLV_OK: return "SLV_OK";
	case SLV_E_IO: return "SLV_E_IO";
	case SLV_E_NOMEM: return "SLV_E_NOMEM";
	case SLV_E_LIMIT: return "SLV_E_LIMIT";
	case SLV_E_CANCELLED: return "SLV_E_CANCELLED";
	case SLV_E_EXISTS: return "SLV_E_EXISTS";
	case SLV_E_REFUSED: return "SLV_E_REFUSED";
	case SLV_E_ACTIVE: return "SLV_E_ACTIVE";
	case SLV_E_BUG: return "SLV_E_BUG";
	case SLV_E_UNRELATED: return "SLV_E_UNRELATED";
	case SLV_E_USAGE: return "SLV_E_USAGE";
	}
	return "?";
}
