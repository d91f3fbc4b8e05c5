/* batch_options.c - what a run asks of each job, as the lines of its journal
 * tell it.
 *
 * Every option that changes what becomes of a log, or what is told of it, must
 * stand here: a file that was done without it is not done
 * (tests/check_options.py knows all options).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/batch/batch_state.h"

static void
put_flag(struct slv_buf *out, const char *name, bool given)
{
	if (given)
		slv_buf_printf(out, "%s\n", name);
}

static void
put_number(struct slv_buf *out, const char *name, uint64_t n)
{
	if (n > 0)
		slv_buf_printf(out, "%s=%" PRIu64 "\n", name, n);
}

static void
put_text(struct slv_buf *out, const char *name, const char *text)
{
	char *safe = text != NULL ? slv_escape(text) : NULL;

	if (safe != NULL)
		slv_buf_printf(out, "%s=%s\n", name, safe);
	else
		out->failed |= text != NULL;
	free(safe);
}

/* A folder, with or without slashes behind its name. */
static void
put_folder(struct slv_buf *out, const char *name, const char *path)
{
	char *folder = path != NULL ? slv_strdup(path) : NULL;
	size_t n = folder != NULL ? strlen(folder) : 0;

	while (n > 1 && folder[n - 1] == '/')
		folder[--n] = '\0';
	put_text(out, name, folder);
	out->failed |= path != NULL && folder == NULL;
	free(folder);
}

char *
slv_batch_options(const struct slv_args *args)
{
	const struct slv_options *o = &args->job;
	struct slv_buf out = { 0 };

	/* By name; what only adds to a report is last, behind a +. */
	put_flag(&out, "annotate", o->annotate);
	put_flag(&out, "copy-intact", o->copy_intact);
	put_flag(&out, "deep", o->deep);
	put_flag(&out, "discard-undo", o->discard_undo);
	put_text(&out, "donor", o->donor);
	put_number(&out, "effort", o->effort);
	put_flag(&out, "in-place", o->in_place);
	put_number(&out, "keep", o->keep);
	put_text(&out, "map-name", o->map_name);
	put_number(&out, "max-chunk", o->limits.max_chunk);
	put_number(&out, "max-decoded", o->limits.max_decoded);
	put_flag(&out, "no-effort", o->no_effort);
	put_flag(&out, "no-annotate", o->no_annotate);
	put_flag(&out, "no-sidecar", o->no_sidecar);
	put_folder(&out, "output-dir", o->output_dir);
	put_flag(&out, "quick", o->quick);
	put_flag(&out, "rechunk", o->rechunk);
	put_flag(&out, "renumber", o->renumber);
	put_flag(&out, "require-end", o->require_end);
	put_flag(&out, "reseal", o->reseal);
	put_flag(&out, "scan", o->scan);
	put_flag(&out, "split", o->split);
	put_number(&out, "time-window", o->time_window);
	put_flag(&out, "+sha256", o->sha256 || args->sums != NULL);
	put_flag(&out, "+timeline", o->timeline);
	return slv_buf_take(&out);
}
