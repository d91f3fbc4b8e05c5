/* sidecar.h - the report that stays beside a lossy log, OUT.salvor.json.
 *
 * The log that a repair writes is sound and has a digest of its own, so that
 * the next audit would find nothing wrong with it.  The sidecar remembers
 * that records were lost.  It gets its name before the log gets its own: no
 * crash leaves the log without it.
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
	    *log_at;             /* the folder, where it is open; or NULL */
	const char *line;        /* the report, without a newline */
	const struct stat *like; /* mode, owner, times; or NULL */
	const struct slv_source *original; /* and attributes; or NULL */
	struct slv_claim claim;            /* what the line is about */

	struct slv_buf there; /* what stood there, since slv_sidecar_check */
	bool exists;
	struct stat as;
};

/* "x.bddf" -> "x.bddf.salvor.json"; owned by the caller; NULL: no memory. */
char *slv_sidecar_name(const char *log);

/* The same of a log that may be a link: beside what it leads to.
 *
 * SLV_E_IO: the links lead in a circle */
enum slv_status slv_sidecar_of(const char *log, char **out, struct slv_err *);

#define SLV_SIDECAR_MAX ((size_t)1 << 20) /* bytes that are read of one */

/* Bytes of a line that is written: for a moment there are two, about the log as it
 * was and as it is going to be. */
#define SLV_SIDECAR_LINE (SLV_SIDECAR_MAX / 2 - 1)

/* What has the name of a report. */
struct slv_sidecar_seen {
	bool exists;
	const char
	    *doubt; /* why it is not believed, for messages; NULL: it is */
	struct stat as;
};

/* Append what is there, if it is believed.
 *
 *   of  the log, see slv_site_doubt(); NULL: it is not there */
enum slv_status slv_sidecar_read(const char *path, const struct stat *of,
    struct slv_buf *out, struct slv_sidecar_seen *, struct slv_err *);

/* Look at what stands there, before anything is written.  What it found must
 * be freed, also after a failure.
 *
 * SLV_E_EXISTS: something of somebody else */
enum slv_status slv_sidecar_check(struct slv_sidecar *, struct slv_err *);

/* Whether the log would be found lossy as things stand. */
bool slv_sidecar_is_there(const struct slv_sidecar *);

/* Publish the line, above those about the log that is to be replaced: that
 * log is still there when the new one never gets its name. */
enum slv_status slv_sidecar_publish(
    const struct slv_sidecar *, struct slv_err *);

/* The log has its name: what was said of another one there can go. */
void slv_sidecar_settle(const struct slv_sidecar *);

/* The log is no more: its line goes, and with the last line the file.  What
 * is no report of salvor's stays, and so does what an earlier repair has said
 * of the same bytes: the line goes that is of an input of `from` bytes. */
void slv_sidecar_unsay(const char *path, const struct slv_site *log_at,
    const struct slv_claim *, uint64_t from);

void slv_sidecar_free(struct slv_sidecar *);

#endif
