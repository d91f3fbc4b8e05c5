/* users.h - two users in one test: a victim, and another one.
 *
 * As root, they have user ids of their own, and the kernel decides what each may
 * do.  Otherwise both are the caller, and slv_sys reports that the files of the
 * other belong to somebody else: what the code checks is the same, and what the
 * kernel permits is not tried.
 */
#ifndef TESTS_SUPPORT_USERS_H
#define TESTS_SUPPORT_USERS_H

#include <stdbool.h>
#include <sys/types.h>

#include "support/blob.h"

enum user { USER_ROOT, USER_VICTIM, USER_OTHER };

/* Begin, in a scratch directory.  What cannot be tried is printed. */
void users_open(void);

/* Act as this user from now on. */
void users_become(enum user);

/* Empty folders: "shared" of the victim, with this mode, "home" of the victim,
 * and "theirs" of the other user.  The victim acts. */
void users_lay_out(mode_t shared);

/* Make a file, a link or a FIFO in the name of who acts: `who` is that. */
void users_file(enum user who, const char *name, const struct blob *);
void users_link(enum user who, const char *name, const char *to);
void users_fifo(enum user who, const char *name);

/* Let slv_sys report whose files these are, and no more. */
void users_watch(void);
void users_unwatch(void);

/* End, as root again. */
void users_close(void);

/* What is needed for the test itself: if it fails, the test ends. */
void users_must(bool done, const char *what);

#endif
