/* cmd_report.c - salvor report: a page to look at, of earlier reports. */
#include "cli/cli.h"
#include "cli/output/offline.h"
#include "cli/signals.h"
#include "cli/terminal/term.h"
#include "salvor_many.h"

/* Add one file, whose reports are counted; what is wrong with it does not keep
 * the others out.  A journal that was torn has such lines, and that is no
 * trouble. */
static int
add(struct slv_html *page, const char *file, uint64_t *all)
{
	struct slv_err err = { 0 };
	uint64_t n, unread;

	if (slv_html_read(page, file, &slv_signal, &n, &unread, &err)
	    != SLV_OK) {
		slv_term_error("%s", err.text);
		return SLV_EXIT_TROUBLE;
	}
	if (unread > 0)
		slv_term_error("%s: skipped lines that are not JSON: "
		               "%llu",
		    file, (unsigned long long)unread);
	*all += n;
	if (n == 0)
		slv_term_error("%s: contains no report", file);
	return n == 0 ? SLV_EXIT_TROUBLE : SLV_EXIT_SOUND;
}

int
slv_cmd_report(struct slv_args *args)
{
	struct slv_html *page = NULL;
	struct slv_err err = { 0 };
	int code = SLV_EXIT_SOUND;
	uint64_t n = 0;

	if (args->job.output == NULL) {
		slv_term_error("report: -o OUT is required");
		return SLV_EXIT_USAGE;
	}
	if (slv_offline_confine(args, &err) != SLV_OK
	    || slv_html_open(args->job.output, &slv_signal, &page, &err)
	        != SLV_OK) {
		slv_term_error("%s", err.text);
		return err.code == SLV_E_USAGE ? SLV_EXIT_USAGE
		                               : SLV_EXIT_TROUBLE;
	}
	for (size_t i = 0; i < args->n_operands; i++)
		code |= add(page, args->operands[i], &n);
	/* An empty page would take the place of yesterday's. */
	if (n == 0) {
		slv_html_discard(page);
		slv_term_error(
		    "%s: not written: no report to show", args->job.output);
		return code;
	}
	if (slv_html_commit(page, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		code |= SLV_EXIT_TROUBLE;
	}
	return code;
}
