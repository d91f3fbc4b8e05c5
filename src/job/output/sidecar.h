/* sidecar.h - the report next to a lossy log, OUT.salvor.json.
 *
 * The log that a repair writes is sound and has a digest of its own, so the
 * next audit would find nothing wrong with it.  The sidecar keeps on record
 * that records were lost.  It gets its name before the log does: no crash
 * leaves the log without it.
 */
#ifndef SLV_JOB_SIDECAR_H
#define SLV_JOB_SIDECAR_H

#include <sys/stat.h>

#include "base/buf.h"
#include "io/names/site.h"
#include "report/history.h"

struct slv_sidecar {
	const char *path; /* borrowed, as all below */
	const struct slv_site
	    *log_at;             /* the directory, if it is open; or NULL */
	const char *line;        /* the report, without a newline */
	const struct stat *like; /* mode, owner, times; or NULL */
	const struct slv_source *original; /* gives it the attributes; or
					    * NULL */
	struct slv_claim claim;            /* the log that the line is about */

	struct slv_buf there; /* earlier content, from slv_sidecar_check */
	bool exists;
	struct stat as;
};

/* "x.bddf" -> "x.bddf.salvor.json"; owned by the caller; NULL: no memory. */
char *slv_sidecar_name(const char *log);

/* The same for a log that may be a link: next to the file that it leads to.
 *
 * SLV_E_IO: the links form a loop */
enum slv_status slv_sidecar_of(const char *log, char **out, struct slv_err *);

#define SLV_SIDECAR_MAX ((size_t)1 << 20) /* bytes that are read of one */

/* Bytes of a line to be written.  For a moment the file has two lines: about
 * the old log and about the new one. */
#define SLV_SIDECAR_LINE (SLV_SIDECAR_MAX / 2 - 1)

/* A file with the name of a sidecar. */
struct slv_sidecar_seen {
	bool exists;
	const char
	    *doubt; /* why it is not trusted, for messages; NULL: it is */
	struct stat as;
};

/* Append its content, if it is trusted.
 *
 *   of  the log, see slv_site_doubt(); NULL: it does not exist */
enum slv_status slv_sidecar_read(const char *path, const struct stat *of,
    struct slv_buf *out, struct slv_sidecar_seen *, struct slv_err *);

/* Read what is there, before anything is written.  Free the result, also after
 * a failure.
 *
 * SLV_E_EXISTS: it is not a sidecar */
enum slv_status slv_sidecar_check(struct slv_sidecar *, struct slv_err *);

/* Return true if an audit would now find the log lossy. */
bool slv_sidecar_is_there(const struct slv_sidecar *);

/* Publish the line, above the lines about the log that will be replaced: that
 * log remains if the new one never gets its name. */
enum slv_status slv_sidecar_publish(
    const struct slv_sidecar *, struct slv_err *);

/* The new log has its name: remove the lines about the old one. */
void slv_sidecar_settle(const struct slv_sidecar *);

/* The log is gone: remove its line, and with the last line the file.  A file
 * that is not a sidecar stays, and so does what an earlier repair said about
 * the same bytes: the line about an input of `from` bytes is removed.  Returns
 * true if the file was removed. */
bool slv_sidecar_unsay(const char *path, const struct slv_site *log_at,
    const struct slv_claim *, uint64_t from);

void slv_sidecar_free(struct slv_sidecar *);

#endif
