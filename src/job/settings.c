/* settings.c - options of one format, passed to its driver by name.
 *
 * A setting of a driver has the name of its option.
 */
#include <stddef.h>

#include "formats/formats.h"
#include "job/work.h"
#include "options/option.h"
#include "options/types.h"

/* The commands whose options a job has. */
static const unsigned commands[] = {
	[SLV_JOB_VERIFY] = SLV_CMD_VERIFY,
	[SLV_JOB_INFO] = SLV_CMD_INFO,
	[SLV_JOB_LIST] = SLV_CMD_LIST,
	[SLV_JOB_REPAIR] = SLV_CMD_REPAIR,
	[SLV_JOB_UNDO] = SLV_CMD_UNDO,
	[SLV_JOB_MERGE] = SLV_CMD_MERGE,
};

/* The value of the option; NULL: not given, or for another job. */
static const char *
value_of(const struct slv_option *o, const struct slv_work *w)
{
	const uint8_t *at = (const uint8_t *)w->opt + o->at;

	if ((o->commands & commands[w->job]) == 0)
		return NULL;
	if (o->type->stored == SLV_STORED_FLAG)
		return *(const bool *)(const void *)at ? "" : NULL;
	return *(const char *const *)(const void *)at;
}

const struct slv_setting *
slv_work_settings(struct slv_work *w)
{
	size_t n = 0;

	for (size_t f = 0; slv_formats[f] != NULL; f++) {
		const struct slv_setting_row *row = slv_formats[f]->settings;

		for (; row != NULL && row->name != NULL; row++) {
			const struct slv_option *o = slv_job_option(row->name);
			const char *value = o != NULL ? value_of(o, w) : NULL;

			if (value != NULL && n < SLV_SETTINGS_MAX)
				w->settings[n++] =
				    (struct slv_setting){ row->name, value };
		}
	}
	w->settings[n] = (struct slv_setting){ NULL, NULL };
	return w->settings;
}
