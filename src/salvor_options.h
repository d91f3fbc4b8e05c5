/* salvor_options.h - what a job is told, by the names of the command line.
 *
 * A part of salvor.h, which includes it; the conventions there hold.
 */
#ifndef SALVOR_OPTIONS_H
#define SALVOR_OPTIONS_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* New options: the careful default.  NULL: out of memory.  Once all are set, several
 * threads may use them at the same time. */
struct slv_options *slv_options_new(void);

/* Free them after the jobs and logs that they were given to.  NULL is allowed. */
void slv_options_free(struct slv_options *);

/* Set an option as the command line does: salvor(1) lists the names, of which
 * those that only a program can have (--jobs, --journal, --json and so on) are
 * not known here; for rules see slv_policy_add().
 *
 *   name   without dashes: "output-dir"
 *   value  "24h", "512M", "suspect,samples"; of an option without argument
 *          NULL, "yes" or "no".  It is copied
 *
 * SLV_E_USAGE: there is no such option, or the value makes no sense; nothing was
 * set.  SLV_E_NOMEM */
enum slv_status slv_options_set(struct slv_options *, const char *name,
    const char *value, struct slv_err *);

struct slv_input;

/* Jobs about one file, and slv_log_open(), read these bytes instead of the file: a
 * function (its struct is copied, and closed when the options are freed or another input
 * is set); a file that is open, from its first byte on, whatever its position, which may
 * change; or n bytes of memory.  Descriptor and memory are borrowed until then.  The
 * name that the job is given is only that of the report; no file of that name is looked
 * at, and an output needs "output" or "output-dir", or one of the functions below.
 *
 * Jobs of several files, slv_undo(), slv_apply() and "in-place" are refused with
 * SLV_E_USAGE.  A NULL for the function ends this. */
void slv_options_input_call(struct slv_options *, const struct slv_input *);
void slv_options_input_fd(struct slv_options *, int fd);
void slv_options_input_memory(
    struct slv_options *, const void *bytes, size_t n);

/* A function that takes an output. */
struct slv_outlet {
	size_t size_of; /* sizeof(struct slv_outlet) */

	/* Take n bytes, which follow those before.  0, or an errno: the job
	 * then fails with SLV_E_IO. */
	int (*write)(void *ctx, const void *bytes, size_t n);
	void *ctx;
};

/* Jobs that write an output hand it to this function, or write it to this descriptor,
 * instead of a file: as if "output" were set to "-", which is also its name in reports,
 * but not to standard output.  The function is copied, and called by the thread that
 * called the job; the descriptor is borrowed, and not closed.
 *
 * The output of a repair, extract or merge arrives after it is proven; that of an export
 * is not read again.  After a failure in the middle it is not complete, which the status
 * says.  Setting "output" to a name ends this. */
void slv_options_output_call(struct slv_options *, const struct slv_outlet *);
void slv_options_output_fd(struct slv_options *, int fd);

/* Call this function to show progress; NULL: none, the default. */
void slv_options_on_progress(struct slv_options *, slv_progress_fn, void *ctx);

/* slv_list() calls this function for each block. */
void slv_options_on_block(struct slv_options *, slv_block_fn, void *ctx);

/* Stop soon when *flag, which is borrowed, is no longer 0: a signal handler or
 * another thread sets it, the latter with an atomic store, such as that of GCC:
 * __atomic_store_n(&flag, 1, __ATOMIC_RELAXED).  NULL: never, the default.  The job
 * then returns SLV_E_CANCELLED.  The flag may be of many jobs and logs. */
void slv_options_cancel(
    struct slv_options *, const volatile sig_atomic_t *flag);

/* slv_verify(): rules that the log must keep, which do not change its state;
 * borrowed.  NULL: none, the default. */
void slv_options_policy(struct slv_options *, const struct slv_policy *);

/* slv_verify(): what the file was, which does not change its state; borrowed.
 * NULL: it is not compared, the default. */
void slv_options_baseline(struct slv_options *, const struct slv_baseline *);

/* Where to spool standard input if the output is not a file next to which it could
 * be; copied.  NULL: "/tmp", the default.  slv_repair() spools a pipe of any size,
 * the others one of over 64 MiB.
 *
 * SLV_E_NOMEM */
enum slv_status slv_options_temp_dir(
    struct slv_options *, const char *folder, struct slv_err *);

#ifdef __cplusplus
}
#endif

#endif
