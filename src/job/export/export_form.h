/* export_form.h - what an export can be. */
#ifndef SLV_JOB_EXPORT_FORM_H
#define SLV_JOB_EXPORT_FORM_H

#include "core/format/format.h"
#include "core/format/writer.h"

struct slv_export_form {
	const char *name;
	const struct slv_writing *writing; /* NULL: it is a folder of CSV */
	const struct slv_format
	    *format; /* the output is scanned as a log of it;
					  * NULL: it is no log */
};

/* The form of that name; NULL: of the path, by its ending.
 *
 * SLV_E_USAGE: there is no such form */
enum slv_status slv_export_form(const char *path, const char *to,
    struct slv_export_form *out, struct slv_err *);

/* Is the export to that path, or of that form, a folder? */
bool slv_export_is_folder(const char *path, const char *to);

#endif
