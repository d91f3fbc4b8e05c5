/* export_form.c - what an export can be: a log of another format, or text. */
#include "job/export/export_form.h"

#include <string.h>

#include "formats/formats.h"
#include "job/text/ndjson.h"

/* Text, by the endings of file names. */
static const struct {
	const char *ending, *name;
	const struct slv_writing *writing;
} texts[] = {
	{ ".ndjson", "ndjson", &slv_ndjson },
	{ ".jsonl", "ndjson", &slv_ndjson },
	{ ".csv", "csv", NULL },
	{ "/", "csv", NULL },
};

/* Is it what was asked for? */
static bool
is_it(const char *path, const char *to, const char *name, const char *ending)
{
	size_t n = strlen(path), k = strlen(ending);

	if (to != NULL)
		return strcmp(to, name) == 0;
	return n > k && strcmp(path + n - k, ending) == 0;
}

enum slv_status
slv_export_form(const char *path, const char *to, struct slv_export_form *out,
    struct slv_err *err)
{
	for (size_t i = 0; slv_formats[i] != NULL; i++) {
		const struct slv_format *f = slv_formats[i];

		*out = (struct slv_export_form){ f->name, f->writing, f };
		if (f->writing != NULL && is_it(path, to, f->name, f->suffix))
			return SLV_OK;
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		*out = (struct slv_export_form){ texts[i].name,
			texts[i].writing, NULL };
		if (is_it(path, to, texts[i].name, texts[i].ending))
			return SLV_OK;
	}
	return slv_fail(err, SLV_E_USAGE,
	    "%s: salvor cannot export to this format; name one: mcap, ndjson, "
	    "csv",
	    to != NULL ? to : path);
}

bool
slv_export_is_folder(const char *path, const char *to)
{
	struct slv_export_form form;
	struct slv_err err = { .code = SLV_OK };

	return slv_export_form(path, to, &form, &err) == SLV_OK
	    && form.writing == NULL;
}
