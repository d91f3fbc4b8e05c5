/* lognames.c - which file names promise a log. */
#include "batch/find/lognames.h"

#include <fnmatch.h>
#include <stddef.h>
#include <string.h>

/* The names that recorders give to files, as shell patterns. */
static const struct {
	const char *pattern;
	const char *looks_like; /* only if it holds this; NULL: anything */
} names[] = {
	{ "*.bag", NULL },
	{ "*.bag.active", NULL },
	{ "*.bddf", NULL },
	{ "*.mcap", NULL },
	{ "*.mcap.zst", NULL },
	{ "*.mcap.zstd", NULL },
	{ "*.record", NULL },
	{ "*.record.[0-9][0-9][0-9][0-9][0-9]", NULL },
	{ "*.ulg", NULL },
	/* Any program may use this name for text, and some for a database;
	 * zeros are neither. */
	{ "*.log", "zeros" },
};

bool
slv_lognames_promise(const char *path, const char *looks_like)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *only = names[i].looks_like;

		if (fnmatch(names[i].pattern, name, 0) == 0
		    && (only == NULL
		        || (looks_like != NULL
		            && strcmp(only, looks_like) == 0)))
			return true;
	}
	return false;
}
