/* folders.h - folders on the command line that mean the logs in them.
 *
 * A bag of ROS 2 means its files; any other folder the files in it, but not in folders
 * below it, that have a name as recorders give it.
 */
#ifndef SLV_CLI_FOLDERS_H
#define SLV_CLI_FOLDERS_H

#include "cli/cli.h"

struct slv_folders {
	char **operands; /* owned, with the names; NULL: no folder was named */
	size_t n, cap;
};

/* Replace folders among the operands by their logs.  Free it after the job.
 *
 * SLV_E_USAGE: there is none in a folder; SLV_E_IO, SLV_E_NOMEM */
enum slv_status slv_folders_expand(
    struct slv_folders *, struct slv_args *, struct slv_err *);

void slv_folders_free(struct slv_folders *);

#endif
