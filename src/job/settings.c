/* settings.c - what the caller tells the driver of one format, by name. */
#include <stddef.h>

#include "job/work.h"

/* Where each of them is in the caller's options. */
static const struct row {
	const char *name; /* as the driver's */
	size_t at;        /* in struct slv_options: a text, or a flag */
	bool is_text;
	bool one_job; /* of which it is for, or of all: */
	enum slv_job job;
} rows[SLV_SETTINGS_MAX] = {
	{ "map-name", offsetof(struct slv_options, map_name), true, false, 0 },
	{ "renumber", offsetof(struct slv_options, renumber), false, false, 0 },
	{ "deep", offsetof(struct slv_options, deep), false, true,
	    SLV_JOB_VERIFY },
	{ "rechunk", offsetof(struct slv_options, rechunk), false, true,
	    SLV_JOB_REPAIR },
};

/* The value that the row has; NULL: it was not given. */
static const char *
value_of(const struct row *r, const struct slv_options *opt)
{
	const char *at = (const char *)opt + r->at;

	if (r->is_text)
		return *(const char *const *)(const void *)at;
	return *(const bool *)(const void *)at ? "" : NULL;
}

const struct slv_setting *
slv_work_settings(struct slv_work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < SLV_SETTINGS_MAX; i++) {
		const char *value = value_of(&rows[i], w->opt);

		if (value != NULL
		    && (!rows[i].one_job || rows[i].job == w->job))
			w->settings[n++] =
			    (struct slv_setting){ rows[i].name, value };
	}
	w->settings[n] = (struct slv_setting){ NULL, NULL };
	return w->settings;
}
