/* folders.h - folders on the command line that mean the logs in them.
 *
 * A bag of ROS 2 is replaced by its files, any other folder by the files in it that are
 * named as recorders name logs.  Folders in it are not searched.
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
 * SLV_E_USAGE: a folder has no logs; SLV_E_IO, SLV_E_NOMEM */
enum slv_status slv_folders_expand(
    struct slv_folders *, struct slv_args *, struct slv_err *);

void slv_folders_free(struct slv_folders *);

#endif
