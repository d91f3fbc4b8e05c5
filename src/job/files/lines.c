/* lines.c - a file of lines: it appears complete, or not at all.
 *
 * The name of such a file is on the command line next to names of logs, and a
 * slip there must not cost a log.  So an existing file is replaced only if it
 * is empty or of the same kind.  That is checked when the work begins, because
 * nothing is lost yet, and again when the file gets its name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/hex.h"
#include "digest/digest.h"
#include "io/sys.h"
#include "io/write/sink.h"
#include "job/files/lines_part.h"
#include "job/plan/plan_file.h"
#include "page/page.h"
#include "report/junit_case.h"
#include "salvor_many.h"

#define ROOM ((size_t)64 << 10) /* bytes handed to the sink at once */
#define HEAD 128                /* bytes that show what a file is */

struct slv_lines {
	const char *path;
	struct slv_site at; /* owned; its directory */
	enum slv_lines_kind kind;
	const volatile sig_atomic_t *cancel; /* or NULL */
	struct slv_sink *sink;               /* owned */
	struct slv_buf buf;
	bool through; /* a device, FIFO or similar */
};

static bool
is_sums(const uint8_t *head, size_t n)
{
	size_t at = n > 0 && head[0] == '\\';
	uint8_t sum[SLV_SHA256_SIZE];

	return n >= at + 66
	    && slv_hex_read((const char *)head + at, sum, sizeof(sum))
	    && head[at + 64] == ' '
	    && (head[at + 65] == ' ' || head[at + 65] == '*');
}

static const struct {
	const char *what;
	const char *begins; /* its first bytes; NULL: see is_sums() */
} kinds[] = {
	[SLV_LINES_REPORT] = { "report of salvor's", "{\"type\":\"" },
	[SLV_LINES_SUMS] = { "list of SHA-256 digests", NULL },
	/* The map of a rescue took days to make. */
	[SLV_LINES_MAP] = { "mapfile of salvor's",
	    "# Mapfile. Created by salvor" },
	[SLV_LINES_HTML] = { "page of salvor's", SLV_HTML_BEGIN },
	[SLV_LINES_JOURNAL] = { "journal of salvor's", "{\"journal\":" },
	[SLV_LINES_JUNIT] = { "JUnit file of salvor's", SLV_JUNIT_BEGIN },
	[SLV_LINES_METRICS] = { "file of metrics of salvor's",
	    "# HELP salvor_" },
	[SLV_LINES_PLAN] = { "plan of salvor's", SLV_PLAN_MAGIC },
};

static bool
is_kind(enum slv_lines_kind kind, const uint8_t *head, size_t n)
{
	const char *begins = kinds[kind].begins;

	if (begins == NULL)
		return is_sums(head, n);
	return n >= strlen(begins) && memcmp(head, begins, strlen(begins)) == 0;
}

/* Return true if a regular file may be replaced. */
static enum slv_status
check_kind(const struct slv_site *at, bool link, enum slv_lines_kind kind,
    struct slv_err *err)
{
	const char *path = at->path;
	struct slv_source *there = NULL;
	uint8_t head[HEAD];
	enum slv_status st;
	struct stat as;
	size_t n;
	int fd;

	/* A link is not followed when the file gets its name. */
	if (link) {
		SLV_TRY(slv_source_file(path, &there, &as, err));
	} else {
		SLV_TRY(slv_site_file(at, O_RDONLY, &fd, &as, err));
		SLV_TRY(slv_source_fd_open(fd, path, &there, &as, err));
	}
	n = there->size < HEAD ? (size_t)there->size : HEAD;
	st = slv_source_read(there, 0, head, n, err);
	slv_source_close(there);
	SLV_TRY(st);
	if (n == 0 || is_kind(kind, head, n))
		return SLV_OK;
	return slv_fail(err, SLV_E_EXISTS,
	    "%s: exists and is no %s; it was left alone", path,
	    kinds[kind].what);
}

/* Check the existing file under the name. */
static enum slv_status
look(struct slv_lines *l, bool *exists, struct slv_err *err)
{
	struct stat st;
	bool link;

	*exists = slv_site_look(&l->at, &st) == 0;
	link = *exists && S_ISLNK(st.st_mode);
	if (link)
		*exists = slv_sys.stat(l->path, &st) == 0;
	l->through = false;
	if (!*exists && errno != ENOENT)
		return slv_fail_errno(err, "%s: cannot look at it", l->path);
	if (!*exists)
		return SLV_OK;
	if (S_ISDIR(st.st_mode))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is a directory; name a file in it", l->path);
	l->through = !S_ISREG(st.st_mode);
	return l->through ? SLV_OK : check_kind(&l->at, link, l->kind, err);
}

static enum slv_status
start(struct slv_lines *l, struct slv_err *err)
{
	struct slv_target target = { .path = l->path, .at = &l->at };

	SLV_TRY(slv_site_open(&l->at, l->path, err));
	SLV_TRY(look(l, &target.replace, err));
	if (l->through)
		return slv_sink_device(l->path, l->cancel, &l->sink, err);
	return slv_sink_atomic(&target, &l->sink, err);
}

enum slv_status
slv_lines_open(const char *path, enum slv_lines_kind kind,
    const volatile sig_atomic_t *cancel, struct slv_lines **out,
    struct slv_err *err)
{
	struct slv_lines *l = slv_calloc(1, sizeof(*l));

	if (l == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	l->path = path;
	l->kind = kind;
	l->cancel = cancel;
	if (start(l, err) != SLV_OK) {
		slv_site_close(&l->at);
		slv_free(l);
		return err->code;
	}
	*out = l;
	return SLV_OK;
}

static enum slv_status
hand_over(struct slv_lines *l, struct slv_err *err)
{
	if (l->buf.failed)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(l->sink->ops->write(l->sink, l->buf.at, l->buf.len, err));
	l->buf.len = 0;
	return SLV_OK;
}

enum slv_status
slv_lines_add(struct slv_lines *l, const char *text, struct slv_err *err)
{
	slv_buf_text(&l->buf, text);
	return l->buf.failed || l->buf.len >= ROOM ? hand_over(l, err) : SLV_OK;
}

enum slv_status
slv_lines_part(struct slv_lines *l, struct slv_buf *part, struct slv_err *err)
{
	slv_buf_add(&l->buf, part->at, part->len);
	l->buf.failed |= part->failed;
	slv_buf_free(part);
	return slv_lines_add(l, "", err);
}

enum slv_status
slv_lines_commit(struct slv_lines *l, struct slv_err *err)
{
	enum slv_status st = hand_over(l, err);
	bool exists;

	if (st == SLV_OK && !l->through)
		st = look(l, &exists, err);
	if (st == SLV_OK) {
		st = l->sink->ops->commit(l->sink, err);
		l->sink = NULL;
	}
	slv_lines_discard(l);
	return st;
}

void
slv_lines_discard(struct slv_lines *l)
{
	if (l->sink != NULL)
		l->sink->ops->discard(l->sink);
	slv_site_close(&l->at);
	slv_buf_free(&l->buf);
	slv_free(l);
}
