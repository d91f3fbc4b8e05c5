/* next.c - the one command to type next. */
#include "cli/next.h"

#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "cli/quote.h"

void
slv_next_option(struct slv_next_line *l, const char *option, const char *name)
{
	slv_buf_printf(&l->files, " --%s ", option);
	slv_quote(&l->files, name);
}

/* One command has one such option: the first that is wanted. */
static void
add_wanting(struct slv_next_line *l, const struct slv_next *next)
{
	if (l->n_wanting == 0) {
		l->option = next->option;
		l->note = next->note;
	}
	if (strcmp(l->option, next->option) != 0)
		return;
	if (l->n_wanting++ < SLV_NEXT_NAMES) {
		slv_buf_text(&l->wanting, " ");
		slv_quote(&l->wanting, next->argument);
	}
}

void
slv_next_add(struct slv_next_line *l, const struct slv_report *report)
{
	struct slv_next next = slv_report_next(report);

	if (next.command == NULL)
		return;
	if (strcmp(next.command, "explain") == 0) {
		if (l->id.len == 0)
			slv_buf_text(&l->id, next.argument);
		return;
	}
	if (strcmp(next.command, "undo") == 0) {
		if (l->n_undo++ < SLV_NEXT_NAMES) {
			slv_buf_text(&l->undo, " ");
			slv_quote(&l->undo, next.argument);
		}
		return;
	}
	if (next.option != NULL) {
		add_wanting(l, &next);
		return;
	}
	if (l->n == 0)
		slv_quote(&l->output, next.output);
	if (l->n++ < SLV_NEXT_NAMES) {
		slv_buf_text(&l->files, " ");
		slv_quote(&l->files, next.argument);
	}
	l->bytes += next.output_size;
	l->donor |= next.donor;
}

static void
put_repair(struct slv_buf *out, const struct slv_next_line *l,
    const char *files, const char *output)
{
	struct slv_amount size = slv_amount(l->bytes);
	const char *more = l->donor
	    ? "; with --donor LOG, another one of the robot, it may save more"
	    : "";

	if (l->n == 1)
		slv_buf_printf(out,
		    "next: salvor repair%s    (writes %s, %s; the original "
		    "stays%s)\n",
		    files, output, size.text, more);
	else if (l->n <= SLV_NEXT_NAMES)
		slv_buf_printf(out,
		    "next: salvor repair%s    (writes %llu files beside them, "
		    "%s; the originals stay%s)\n",
		    files, (unsigned long long)l->n, size.text, more);
	else
		slv_buf_printf(out,
		    "next: salvor repair FILE...    (with the same files: "
		    "writes %llu beside them, %s; the originals stay%s)\n",
		    (unsigned long long)l->n, size.text, more);
}

static void
put_undo(struct slv_buf *out, uint64_t n, const char *files)
{
	bool all = n <= SLV_NEXT_NAMES;

	slv_buf_printf(out,
	    "next: salvor undo%s    (gives back what it was; salvor repair "
	    "--in-place%s repairs it anew)\n",
	    all ? files : " FILE...", all && n == 1 ? files : " FILE...");
}

/* The options that were added stand in front of the files. */
static void
put_wanting(struct slv_buf *out, const struct slv_next_line *l,
    const char *options, const char *files)
{
	slv_buf_printf(out, "next: salvor repair %s%s%s    (%s)\n", l->option,
	    options, l->n_wanting <= SLV_NEXT_NAMES ? files : " FILE...",
	    l->note);
}

char *
slv_next_take(struct slv_next_line *l)
{
	char *files = slv_buf_take(&l->files);
	char *undo = slv_buf_take(&l->undo);
	char *output = slv_buf_take(&l->output);
	char *wanting = slv_buf_take(&l->wanting);
	char *id = slv_buf_take(&l->id);
	struct slv_buf out = { 0 };

	out.failed = files == NULL || undo == NULL || output == NULL
	    || wanting == NULL || id == NULL;
	if (!out.failed && l->n_undo > 0)
		put_undo(&out, l->n_undo, undo);
	else if (!out.failed && l->n > 0)
		put_repair(&out, l, files, output);
	else if (!out.failed && l->n_wanting > 0)
		put_wanting(&out, l, files, wanting);
	else if (!out.failed && *id != '\0')
		slv_buf_printf(&out,
		    "next: salvor explain %s    (what it means, and what "
		    "repair can do)\n",
		    id);
	free(files);
	free(undo);
	free(output);
	free(wanting);
	free(id);
	*l = (struct slv_next_line){ .n = 0 };
	return slv_buf_take(&out);
}
