/* carries.h - what outputs take over from their inputs in addition to the
 * bytes.
 *
 * It is known before a log is read.  A process that a log takes over cannot use
 * the calls that set modes, owners and attributes for anything else.
 */
#ifndef SLV_GUARD_CARRIES_H
#define SLV_GUARD_CARRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SLV_OWNERS 64 /* different owners of the inputs of a job */

/* { 0 } is empty. */
struct slv_carries {
	mode_t modes; /* bits that some input has */
	struct {
		uid_t uid;
		gid_t gid;
	} owners[SLV_OWNERS]; /* outputs of other owners stay the caller's */
	size_t n_owners;
	bool attributes; /* some input has extended attributes */
};

/* Add the properties of a file; "-" is standard input.  Only regular files
 * count. */
void slv_carries_add(struct slv_carries *, const char *path);

#endif
