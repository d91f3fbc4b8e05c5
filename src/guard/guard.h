/* guard.h - logs come from anywhere: read them where they can do little harm.
 *
 * slv_guard_start() gives up, before a byte of a log is read, every right of
 * the process that the command line does not need.  A log that then takes over
 * the reader has
 *
 *	files   only the places that follow from the command line (places.h)
 *	calls   only those that reading and writing files takes (seccomp.c):
 *	        no socket, no program, no other process
 *	powers  no capability but those to read, make and own files
 *
 * for as long as the process lives.  Descriptors that are already open stay
 * usable, so slv_guard_close() comes first.
 */
#ifndef SLV_GUARD_GUARD_H
#define SLV_GUARD_GUARD_H

#include "base/status.h"
#include "guard/carries.h"

/* Descriptors that stay open. */
struct slv_kept_open {
	char *const *words; /* those that a word names, like /dev/fd/N */
	size_t n_words;
	const int *fds;
	size_t n_fds;
};

/* What the command line names. */
struct slv_guard_job {
	char *const *files; /* the logs to read */
	size_t n_files;     /* number of files */
	char *const *trees; /* directories, for the logs anywhere below them */
	size_t n_trees;
	const struct slv_options *opt; /* of the job; NULL: there is none */
	bool repairs;                  /* ->opt describes outputs */
	bool spools;  /* what goes to standard output is put together first */
	bool unpacks; /* logs below ->trees are compressed as a whole */
	bool plain;   /* the files are not logs: nothing belongs to them */
	char *const *others; /* further files to read, not logs */
	size_t n_others;
	/* Files to write; NULL: none. */
	const char *report, *sums, *html, *junit, *journal, *metrics;
	/* What the outputs take over; NULL: what ->files have. */
	const struct slv_carries *carries;
	/* Workers, each of which calls slv_guard_start() with less. */
	bool starts;
};

/* Confine this process for good, as far as the kernel can.
 *
 * It never fails: a missing sandbox is no reason to leave a log unrepaired.  A
 * wall is complete or absent.  One thread only. */
void slv_guard_start(const struct slv_guard_job *);

/* Close inherited descriptors, except standard input, output, error and those
 * that a word of the command line names (/dev/fd/N).  Call it before anything
 * else is opened. */
void slv_guard_close(char *const *words, size_t n);

/* In a worker, before its sandbox: close what it has inherited from the main
 * process, which has opened the reports, and make standard input, output and
 * error /dev/null.
 *
 *   null  open for reading and writing; -1: these stay as they are
 *   keep  descriptors that stay open
 *
 * false: the system refused */
bool slv_guard_leave(int null, const struct slv_kept_open *keep);

/* Is all of the sandbox up?  And can it be, as far as this build and the kernel
 * show before it is tried? */
bool slv_guard_is_whole(void);
bool slv_guard_is_possible(void);

/* Return true if the sandbox refuses to open the file: its place did not exist,
 * or held another file, when the sandbox came up. */
bool slv_guard_refuses(const char *path);

#define SLV_GUARD_TEXT 64 /* bytes of a description, at most */

/* The result of slv_guard_start(): "Landlock ABI 3 + seccomp", or "none: " and
 * the reason. */
void slv_guard_describe(char text[SLV_GUARD_TEXT]);

#endif
