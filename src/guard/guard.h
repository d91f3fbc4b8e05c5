/* guard.h - logs come from anywhere: read them where they can do little harm.
 *
 * slv_guard_start() gives up, before a byte of a log is read, every right of
 * the process that the command line does not call for.  Who then takes over
 * the reader by means of a log has
 *
 *	files   only the places that follow from the command line (places.h)
 *	calls   only those that reading and writing files takes (seccomp.c):
 *	        no socket, no program, no other process
 *	powers  no capability but those to read, make and own files
 *
 * for as long as the process lives.  What is open already stays usable, so
 * slv_guard_close() comes first.
 */
#ifndef SLV_GUARD_GUARD_H
#define SLV_GUARD_GUARD_H

#include "base/status.h"
#include "guard/carries.h"

/* Descriptors that stay open. */
struct slv_kept_open {
	char *const
	    *words; /* those that one of them names, as /dev/fd/N does */
	size_t n_words;
	const int *fds;
	size_t n_fds;
};

/* What the command line names. */
struct slv_guard_job {
	char *const *files; /* the logs to read */
	size_t n_files;     /* how many */
	char *const *trees; /* folders, for the logs anywhere below them */
	size_t n_trees;
	const struct slv_options *opt; /* of the job; NULL: there is none */
	bool repairs;                  /* whether ->opt tells of outputs */
	bool plain; /* the files are no logs: nothing belongs to them */
	char *const *others; /* further files to read, no logs */
	size_t n_others;
	/* Files to write; NULL: none. */
	const char *report, *sums, *html, *junit, *journal;
	/* What the outputs take over; NULL: what ->files have. */
	const struct slv_carries *carries;
	/* Workers, each of which calls slv_guard_start() with less. */
	bool starts;
};

/* Confine this process for good, as far as the kernel can.
 *
 * It never fails: a sandbox that cannot be had is no reason to leave a log
 * unrepaired.  A wall stands whole or not at all.  One thread only. */
void slv_guard_start(const struct slv_guard_job *);

/* Close the descriptors that this process has inherited, except standard input,
 * output, error and those that one of the words of the command line names
 * (/dev/fd/N).  Before anything else is opened. */
void slv_guard_close(char *const *words, size_t n);

/* In a worker, before its sandbox: close what it has inherited from the process that
 * started it, which has opened the reports, and let standard input, output and error
 * be /dev/null.
 *
 *   null  that is open for reading and writing; -1: these stay as they are
 *   keep  what stays open all the same
 *
 * false: the system refused */
bool slv_guard_leave(int null, const struct slv_kept_open *keep);

/* Whether all of the sandbox is up; whether it can be, as far as this build and
 * the kernel tell before it is tried. */
bool slv_guard_is_whole(void);
bool slv_guard_is_possible(void);

/* Whether it is the sandbox that refuses to open the file: its place was not
 * there, or held another file, when the sandbox came up. */
bool slv_guard_refuses(const char *path);

#define SLV_GUARD_TEXT 64 /* bytes that a description needs at most */

/* What slv_guard_start() has put up: "Landlock ABI 3 + seccomp", or "none: "
 * and the reason. */
void slv_guard_describe(char text[SLV_GUARD_TEXT]);

#endif
