/* empty.c - a run that has no log to work on. */
#include "cli/files/empty.h"

#include "cli/cli.h"
#include "cli/terminal/term.h"

int
slv_empty_check(
    struct slv_run_files *r, const struct slv_find *f, uint64_t no_logs)
{
	struct slv_err err = { .code = SLV_E_USAGE };

	if (r->args->batch.allow_empty || slv_find_seen(f) > no_logs)
		return SLV_EXIT_SOUND;
	snprintf(err.text, sizeof(err.text),
	    "there is no log here; is the disk mounted? --allow-empty accepts "
	    "an empty folder");
	slv_term_error("%s", err.text);
	if (slv_records_wanted(r))
		slv_records_put(r, slv_error_json(NULL, &err));
	return SLV_EXIT_USAGE;
}
