/* changes.c - what changes of fate cost in audits of logs, for check_growth.py.
 *
 * For each file "EXTENTS MOVED": how many extents there are of it, and how many
 * were moved because the fate of some bytes changed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "job/audit/audit.h"

static void
count(const char *file)
{
	struct slv_audit_options opt = { .plan = true };
	struct slv_source *source = NULL;
	struct slv_audit audit = { .n_attempts = 0 };
	struct slv_err err = { 0 };
	struct stat st;

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	if (slv_source_file(file, &source, &st, &err) == SLV_OK
	    && slv_audit_run(&audit, source, &opt, &err) == SLV_OK)
		printf("%zu %" PRIu64 "\n", audit.scan.catalog.n,
		    audit.scan.catalog.moved);
	slv_audit_free(&audit);
	slv_source_close(source);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		count(argv[i]);
	return fflush(stdout) == 0 ? 0 : 99;
}
