/* cmd_report.c - salvor report: a page to look at, of earlier reports. */
#include "cli/cli.h"
#include "cli/offline.h"
#include "cli/term.h"

/* Add one file; what is wrong with it does not keep the others out.  A journal
 * that was torn has such lines, and that is no trouble. */
static int
add(struct slv_html *page, const char *file)
{
	struct slv_err err = { 0 };
	uint64_t n, unread;

	if (slv_html_read(page, file, &n, &unread, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		return SLV_EXIT_TROUBLE;
	}
	if (unread > 0)
		slv_term_error("%s: lines that are no JSON were passed over: "
		               "%llu",
		    file, (unsigned long long)unread);
	if (n == 0)
		slv_term_error("%s: no report is in it", file);
	return n == 0 ? SLV_EXIT_TROUBLE : SLV_EXIT_SOUND;
}

int
slv_cmd_report(struct slv_args *args)
{
	struct slv_html *page = NULL;
	struct slv_err err = { 0 };
	int code = SLV_EXIT_SOUND;

	if (args->html == NULL) {
		slv_term_error("report: -o FILE must say where the page goes");
		return SLV_EXIT_USAGE;
	}
	slv_offline_confine(args);
	if (slv_html_open(args->html, &page, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		return err.code == SLV_E_USAGE ? SLV_EXIT_USAGE
		                               : SLV_EXIT_TROUBLE;
	}
	for (size_t i = 0; i < args->n_operands; i++)
		code |= add(page, args->operands[i]);
	if (slv_html_commit(page, &err) != SLV_OK) {
		slv_term_error("%s", err.text);
		code |= SLV_EXIT_TROUBLE;
	}
	return code;
}
