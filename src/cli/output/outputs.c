/* outputs.c - what a run writes besides logs.
 *
 * All that appears when the run is over gets its name then, and whatever finds
 * it taken is not written: after hours nobody wants to be told that.
 */
#include "cli/output/outputs.h"

#include <string.h>

#include "cli/files/same.h"
#include "cli/terminal/term.h"

/* Whether they are one file, or will be.  A device takes whatever comes. */
static bool
is_one(const char *a, const char *b)
{
	struct stat st;

	if (stat(a, &st) == 0 && !S_ISREG(st.st_mode))
		return false;
	return strcmp(a, b) == 0 || slv_same_file(a, b);
}

bool
slv_outputs_differ(const struct slv_args *a, const char *where)
{
	const struct {
		const char *option, *path;
	} all[] = {
		{ "-o", a->job.output },
		{ "--journal", a->batch.journal },
		{ "--report", a->report },
		{ "--sums", a->sums },
		{ "--html", a->html },
		{ "--junit", a->junit },
		{ "--metrics", a->metrics },
		{ "--mapfile", a->job.mapfile },
		{ "--plan-out", a->job.plan_out },
		{ "--undo-file", a->job.undo_file },
	};
	const size_t n = sizeof(all) / sizeof(*all);

	for (size_t i = 0; i < n; i++) {
		for (size_t k = i + 1; k < n && all[i].path != NULL; k++) {
			if (all[k].path == NULL
			    || !is_one(all[i].path, all[k].path))
				continue;
			slv_term_error("%s%s and %s name the same file: %s",
			    where, all[i].option, all[k].option, all[k].path);
			return false;
		}
	}
	return true;
}
