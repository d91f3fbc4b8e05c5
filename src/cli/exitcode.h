/* exitcode.h - the program's exit code.
 *
 * A sum like fsck's: the codes of all files are ORed, so the code of a batch
 * shows everything that happened in it.
 */
#ifndef SLV_CLI_EXITCODE_H
#define SLV_CLI_EXITCODE_H

#include "cli/options/opts.h"

enum slv_exit {
	SLV_EXIT_SOUND = 0,
	SLV_EXIT_REPAIRED = 1,
	SLV_EXIT_LOSSY = 1 | 2,
	SLV_EXIT_DAMAGED = 4,
	SLV_EXIT_TROUBLE = 8,
	SLV_EXIT_USAGE = 16,
	SLV_EXIT_STOPPED = 32,
	SLV_EXIT_POLICY = 64,
	SLV_EXIT_ALL = 127, /* all of these bits */
};

/* One line of the table in --help and in the manual. */
struct slv_exit_row {
	enum slv_exit code;
	const char *means;
};

/* Row i, or NULL past the end. */
const struct slv_exit_row *slv_exit_row_at(size_t i);

/* The code of a call that failed, or did not. */
enum slv_exit slv_exit_of_status(enum slv_status);

/* The code for one file, without SLV_EXIT_POLICY.
 *
 *   ok          SLV_OK_*: classes that count as a success
 *   describing  the command only describes: damage is then not a failure
 *   report      NULL: there was no memory for one */
enum slv_exit slv_exit_of(
    const struct slv_report *, unsigned ok, bool describing);

/* The code of a file that had this one in an earlier run, whatever counted as a
 * success there. */
int slv_exit_again(int code, enum slv_state, unsigned ok);

#endif
