/* users.c - two users in one test. */
#include "support/users.h"

#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sys.h"
#include "support/scratch.h"

#define VICTIM 65001 /* user ids that need no name */
#define OTHER  65002
#define THEIRS 8 /* files of the other user at a time */

static bool two;
static struct slv_sys real;
static ino_t theirs[THEIRS]; /* where both users are one */
static size_t n_theirs;

void
users_must(bool done, const char *what)
{
	if (!done) {
		perror(what);
		abort();
	}
}

void
users_become(enum user user)
{
	uid_t id = user == USER_VICTIM ? VICTIM : OTHER;

	if (!two)
		return;
	users_must(seteuid(0) == 0 && setegid(0) == 0, "root");
	if (user != USER_ROOT)
		users_must(setegid(id) == 0 && seteuid(id) == 0, "user");
}

static int
tell_owner(int bad, struct stat *st)
{
	for (size_t i = 0; bad == 0 && i < n_theirs; i++) {
		if (st->st_ino == theirs[i])
			st->st_uid = geteuid() + 1;
	}
	return bad;
}

static int
owner_look(int dir, const char *name, struct stat *st)
{
	return tell_owner(real.look(dir, name, st), st);
}

static int
owner_fstat(int fd, struct stat *st)
{
	return tell_owner(real.fstat(fd, st), st);
}

static int
owner_stat(const char *path, struct stat *st)
{
	return tell_owner(real.stat(path, st), st);
}

void
users_watch(void)
{
	real = slv_sys;
	slv_sys.look = owner_look;
	slv_sys.fstat = owner_fstat;
	slv_sys.stat = owner_stat;
}

void
users_unwatch(void)
{
	slv_sys = real;
}

/* What was just made is of this user. */
static void
is_of(enum user who, const char *path)
{
	struct stat st;

	users_must(lstat(path, &st) == 0, path);
	if (two || who != USER_OTHER)
		return;
	users_must(n_theirs < THEIRS, path);
	theirs[n_theirs++] = st.st_ino;
}

void
users_file(enum user who, const char *name, const struct blob *bytes)
{
	scratch_write(name, bytes->at, bytes->n);
	users_must(chmod(scratch_path(name), 0644) == 0, name);
	is_of(who, scratch_path(name));
}

void
users_link(enum user who, const char *name, const char *to)
{
	users_must(symlink(to, scratch_path(name)) == 0, name);
	is_of(who, scratch_path(name));
}

void
users_fifo(enum user who, const char *name)
{
	users_must(mkfifo(scratch_path(name), 0666) == 0
	        && chmod(scratch_path(name), 0666) == 0,
	    name);
	is_of(who, scratch_path(name));
}

static int
remove_one(const char *path, const struct stat *st, int what, struct FTW *at)
{
	(void)st;
	(void)what;
	return at->level > 0 ? remove(path) : 0;
}

static void
clean(void)
{
	users_become(USER_ROOT);
	users_must(
	    nftw(scratch_path("."), remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0,
	    "remove");
	n_theirs = 0;
}

void
users_lay_out(mode_t shared)
{
	clean();
	users_become(USER_OTHER);
	users_must(mkdir(scratch_path("theirs"), 0755) == 0, "theirs");
	users_become(USER_VICTIM);
	users_must(mkdir(scratch_path("home"), 0755) == 0
	        && mkdir(scratch_path("shared"), 0755) == 0
	        && chmod(scratch_path("shared"), shared) == 0,
	    "shared");
}

/* Whether two users can be had, who reach the folder of the test. */
static bool
find_users(void)
{
	bool reached;

	if (geteuid() != 0 || setgroups(0, NULL) != 0 || setegid(VICTIM) != 0
	    || seteuid(VICTIM) != 0)
		return false;
	reached = faccessat(AT_FDCWD, scratch_path("."), X_OK, AT_EACCESS) == 0;
	users_must(seteuid(0) == 0 && setegid(0) == 0, "root");
	return reached;
}

void
users_open(void)
{
	users_must(chmod(scratch_path("."), 01777) == 0, "folder");
	two = find_users();
	if (!two)
		printf(
		    "not root, or no access to %s: both users are this one, "
		    "and slv_sys reports another owner; what the kernel lets "
		    "another user do was not tried\n",
		    scratch_path("."));
}

void
users_close(void)
{
	clean();
	/* For the sanitizer that looks for leaks, which traces the process. */
	users_must(!two || prctl(PR_SET_DUMPABLE, 1) == 0, "dumpable");
}
