/* cmd_list.c - salvor list: one line for every block.
 *
 * Lines are printed as the scan finds the blocks, so that a listing of a
 * huge file starts at once and takes no memory.
 */
#include "cli/files.h"
#include "cli/records.h"
#include "cli/term.h"

struct listing {
	const struct slv_args *args;
	bool failed; /* a line could not be printed */
};

static bool
print_block(void *ctx, const struct slv_block *block)
{
	struct listing *l = ctx;
	struct slv_records *records = l->args->records;

	if (slv_records_wanted(records))
		slv_records_put(records, slv_block_json(block));
	if (!l->args->json && !slv_term_line(stdout, slv_block_text(block)))
		l->failed = true;
	return !l->failed && !records->failed;
}

int
slv_cmd_list(struct slv_args *args)
{
	static const struct slv_treatment how = {
		.job = slv_list,
		.page = SLV_PAGE_BRIEF,
		.aside = true,
	};
	struct listing l = { .args = args };
	int code;

	args->job.on_block = print_block;
	args->job.on_block_ctx = &l;
	if (!args->json && !slv_term_line(stdout, slv_block_text(NULL)))
		return SLV_EXIT_TROUBLE;
	code = slv_files_run(args, &how);
	return l.failed ? SLV_EXIT_TROUBLE : code;
}
