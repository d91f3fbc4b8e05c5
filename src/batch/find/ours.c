/* ours.c - files that salvor leaves next to logs. */
#include "batch/find/ours.h"

#include <fnmatch.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

/* Names of such files, as shell patterns, for files that were found. */
static const char *const found[] = { "*.repaired", "*.repaired.*", "*.salvor-*",
	"*.salvor.json", "*.foreign-*" };

/* Endings that make the name of a log that of a file about it, for files that were
 * named.  Repaired logs are not among these: a user who names one wants it
 * processed. */
static const char *const about[] = { ".salvor.json", ".salvor-undo" };

bool
slv_ours_is(const char *name)
{
	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		if (fnmatch(found[i], name, 0) == 0)
			return true;
	}
	return false;
}

/* Length of the log's path in that of a file about it; 0: it is no such file. */
static size_t
log_of(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++) {
		size_t tail = strlen(about[i]);

		if (n > tail && strcmp(path + n - tail, about[i]) == 0)
			return n - tail;
	}
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether the file is about a log in a sorted list. */
static enum slv_status
is_about_one(
    const char *path, char **sorted, size_t n, bool *is, struct slv_err *err)
{
	size_t len = log_of(path);
	char *log;

	*is = false;
	if (len == 0)
		return SLV_OK;
	log = slv_strdup(path);
	if (log == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	log[len] = '\0';
	*is =
	    slv_find_sorted(&log, sorted, n, sizeof(*sorted), by_name) != NULL;
	slv_free(log);
	return SLV_OK;
}

/* Find all paths that are left out, then move the others to the front. */
static enum slv_status
drop(char **paths, size_t *n, char **sorted, bool *leaves, struct slv_err *err)
{
	size_t kept = 0;

	memcpy(sorted, paths, *n * sizeof(*sorted));
	slv_sort(sorted, *n, sizeof(*sorted), by_name);
	for (size_t i = 0; i < *n; i++)
		SLV_TRY(is_about_one(paths[i], sorted, *n, &leaves[i], err));
	for (size_t i = 0; i < *n; i++) {
		if (!leaves[i])
			paths[kept++] = paths[i];
	}
	*n = kept;
	return SLV_OK;
}

enum slv_status
slv_ours_drop(char **paths, size_t *n, struct slv_err *err)
{
	char **sorted = slv_calloc(*n + 1, sizeof(*sorted));
	bool *leaves = slv_calloc(*n + 1, sizeof(*leaves));
	enum slv_status st = sorted == NULL || leaves == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : drop(paths, n, sorted, leaves, err);

	slv_free(sorted);
	slv_free(leaves);
	return st;
}
