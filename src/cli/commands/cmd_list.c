/* cmd_list.c - salvor list: one line for every block.
 *
 * Lines are printed as the scan finds the blocks, so that a listing of a
 * huge file starts at once and takes no memory.
 */
#include <stdlib.h>

#include "base/buf.h"
#include "cli/files/files.h"
#include "cli/output/records.h"
#include "cli/terminal/term.h"

struct listing {
	const struct slv_args *args;
	const char *file; /* borrowed; the listed file */
	bool alone;       /* it is the only one, and needs no name */
	bool begun;       /* a block of it was printed */
	size_t headings;  /* printed headings */
	bool failed;      /* a line could not be printed */
};

/* Headings like those of head(1) and tail(1). */
static bool
print_name(const struct listing *l)
{
	struct slv_buf text = { 0 };
	char *safe = slv_escape(l->file);

	if (safe == NULL)
		return false;
	slv_buf_printf(
	    &text, "%s==> %s <==", l->headings > 0 ? "\n" : "", safe);
	slv_free(safe);
	return slv_term_line(stdout, slv_buf_take(&text));
}

/* Before the first block: a file without blocks has no heading. */
static bool
print_heading(struct listing *l)
{
	bool good = l->begun || l->alone || print_name(l);

	if (!l->begun) {
		good = good && slv_term_line(stdout, slv_block_text(NULL));
		l->headings++;
	}
	l->begun = true;
	return good;
}

static bool
print_block(void *ctx, const struct slv_block *block)
{
	struct listing *l = ctx;
	struct slv_run_files *records = l->args->records;

	if (slv_records_wanted(records))
		slv_records_put(records, slv_block_json(block));
	if (!l->args->json
	    && (!print_heading(l)
	        || !slv_term_line(stdout, slv_block_text(block))))
		l->failed = true;
	return !l->failed && !records->failed;
}

static enum slv_status
list_one(
    const char *file, const struct slv_options *opt, struct slv_report **out)
{
	struct listing *l = opt->on_block_ctx;

	l->file = file;
	l->begun = false;
	return slv_list(file, opt, out);
}

int
slv_cmd_list(struct slv_args *args)
{
	const struct slv_batch_args *a = &args->batch;
	const struct slv_treatment how = {
		.job = list_one,
		.page = SLV_PAGE_BRIEF,
		.aside = true,
	};
	struct listing l = {
		.args = args,
		.alone = args->n_operands == 1 && !a->recursive
		    && a->files0_from == NULL,
	};
	int code;

	args->job.on_block = print_block;
	args->job.on_block_ctx = &l;
	code = slv_files_run(args, &how);
	return l.failed ? SLV_EXIT_TROUBLE : code;
}
