/* journal.c - what a batch has done: a line per file. */
#include "batch/journal/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "batch/journal/entries.h"
#include "io/names/named.h"
#include "report/sums.h"

#define REPORT ",\"report\":" /* in a line, before the report */

struct slv_journal {
	const char *const *paths; /* borrowed; of the journals that are read
				   * together */
	int *fds;                 /* owned; of the files, -1: it is not open */
	size_t n_fds;
	char *path;    /* owned; of the written one, for messages */
	char *command; /* owned */
	bool torn;     /* it ends inside a line */
	const volatile sig_atomic_t *cancel; /* cancels reading; or NULL */
	struct slv_entries entries, older;   /* owned */
	struct slv_unreads unread;           /* owned */
};

static enum slv_status
open_to_read(const char *path, int *fd, struct slv_err *err)
{
	static const struct slv_named how = {
		.what = "a journal",
		.flags = O_RDONLY,
	};

	return slv_named_open(path, &how, fd, err);
}

static enum slv_status
open_to_write(struct slv_journal *j, struct slv_err *err)
{
	static const struct slv_named how = {
		.what = "a journal",
		.flags = O_RDWR | O_CREAT | O_APPEND,
	};
	int fd;

	SLV_TRY(slv_named_open(j->path, &how, &fd, err));
	j->fds[0] = fd;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return SLV_OK;
	if (errno == EWOULDBLOCK)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: another salvor is writing this journal", j->path);
	return slv_fail_errno(err, "%s", j->path);
}

static enum slv_status
open_if_there(struct slv_journal *j, struct slv_err *err)
{
	int fd;
	struct slv_err why = { 0 };
	enum slv_status st = open_to_read(j->path, &fd, &why);

	if (st == SLV_OK)
		j->fds[0] = fd;
	return st == SLV_OK || why.os == ENOENT
	    ? SLV_OK
	    : slv_fail(err, st, "%s", why.text);
}

/* Read file i, which is open. */
static enum slv_status
read_one(struct slv_journal *j, size_t i, const char *path, struct slv_err *err)
{
	struct slv_lines_of lines = {
		.path = path,
		.file = i,
		.cancel = j->cancel,
		.command = &j->command,
		.unread = &j->unread,
	};
	int fd = dup(j->fds[i]);
	FILE *in = fd >= 0 ? fdopen(fd, "rb") : NULL;
	enum slv_status st;

	if (in == NULL) {
		slv_fail_errno(err, "%s", path);
		if (fd >= 0)
			close(fd);
		return err->code;
	}
	st = slv_entries_read(&j->entries, in, &lines, err);
	j->torn = lines.torn;
	fclose(in);
	return st;
}

/* A journal of n files; NULL: out of memory. */
static struct slv_journal *
make(size_t n)
{
	struct slv_journal *j = slv_calloc(1, sizeof(*j));

	if (j == NULL)
		return NULL;
	j->fds = slv_calloc(n, sizeof(*j->fds));
	for (; j->fds != NULL && j->n_fds < n; j->n_fds++)
		j->fds[j->n_fds] = -1;
	if (j->fds != NULL)
		return j;
	slv_free(j);
	return NULL;
}

enum slv_status
slv_journal_open(const char *path, const char *command, bool write,
    struct slv_journal **out, struct slv_err *err)
{
	struct slv_journal *j = make(1);
	enum slv_status st;

	if (j == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	j->path = slv_strdup(path);
	j->command = slv_strdup(command);
	st = j->path == NULL || j->command == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : write ? open_to_write(j, err)
	            : open_if_there(j, err);
	if (st == SLV_OK)
		*out = j;
	else
		slv_journal_close(j);
	return st;
}

enum slv_status
slv_journal_read(struct slv_journal *j, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	j->cancel = cancel;
	return j->fds[0] >= 0 ? read_one(j, 0, j->path, err) : SLV_OK;
}

enum slv_status
slv_journal_gather(const char *const *paths, size_t n,
    const volatile sig_atomic_t *cancel, struct slv_journal **out,
    struct slv_err *err)
{
	struct slv_journal *j = make(n);
	enum slv_status st = SLV_OK;

	if (j == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	j->paths = paths;
	j->cancel = cancel;
	for (size_t i = 0; i < n && st == SLV_OK; i++) {
		int fd;

		st = open_to_read(paths[i], &fd, err);
		if (st == SLV_OK) {
			j->fds[i] = fd;
			st = read_one(j, i, paths[i], err);
		}
		/* There may be more files than a process may have open.  A
		 * single one stays open, for processes that can no longer open
		 * any. */
		if (n > 1)
			slv_journal_leave(j);
	}
	if (st == SLV_OK)
		st = slv_entries_join(&j->entries, &j->older, err);
	if (st == SLV_OK)
		*out = j;
	else
		slv_journal_close(j);
	return st;
}

const char *
slv_journal_command(const struct slv_journal *j)
{
	return j->command;
}

const struct slv_entry *
slv_journal_at(const struct slv_journal *j, size_t i)
{
	return i < j->entries.n ? &j->entries.at[i] : NULL;
}

const struct slv_entry *
slv_journal_older(const struct slv_journal *j, size_t i)
{
	return i < j->older.n ? &j->older.at[i] : NULL;
}

const struct slv_unread *
slv_journal_unread(const struct slv_journal *j, size_t i)
{
	return i < j->unread.n ? &j->unread.at[i] : NULL;
}

const struct slv_entry *
slv_journal_find(const struct slv_journal *j, const char *path)
{
	return slv_entries_find(&j->entries, path);
}

bool
slv_entry_failed(const struct slv_entry *e)
{
	return !e->told || e->state == SLV_STATE_FAILED
	    || e->state == SLV_STATE_ACTIVE || e->state == SLV_STATE_CANCELLED;
}

static bool
is_still(const char *path, const struct slv_stamp *was)
{
	struct slv_stamp is;

	return slv_stamp_of(path, &is) && is.size == was->size
	    && is.mtime == was->mtime && is.inode == was->inode;
}

bool
slv_entry_is_current(const struct slv_entry *e)
{
	return is_still(e->path, &e->input);
}

bool
slv_entry_holds(const struct slv_entry *e)
{
	return slv_entry_is_current(e)
	    && (e->output == NULL || is_still(e->output, &e->stamp));
}

bool
slv_entry_obeys(const struct slv_entry *e, const char *rules)
{
	return e->rules == NULL || rules == NULL ? e->rules == rules
	                                         : strcmp(e->rules, rules) == 0;
}

bool
slv_entry_fits(const struct slv_entry *e, const char *options)
{
	const char *a = e->options, *b = options;

	while (a != NULL && (*a != '\0' || *b != '\0')) {
		size_t n = strcspn(a, "\n") + 1;
		bool both = strncmp(a, b, n) == 0;

		if (*a == '\0' || (!both && *a != '+'))
			return false;
		a += n;
		b += both ? n : 0;
	}
	return true;
}

/* Bytes of file `file`. */
static char *
text_at(const struct slv_journal *j, size_t file, uint64_t off, uint64_t len)
{
	size_t n = (size_t)len;
	char *line = slv_calloc(1, n + 1);
	int fd = j->fds[file], own = -1;
	bool good;

	if (fd < 0 && open_to_read(j->paths[file], &own, NULL) == SLV_OK)
		fd = own;
	good = line != NULL && fd >= 0
	    && pread(fd, line, n, (off_t)off) == (ssize_t)n;
	if (own >= 0)
		close(own);
	if (good)
		return line;
	slv_free(line);
	return NULL;
}

char *
slv_journal_text(const struct slv_journal *j, const struct slv_entry *e)
{
	return text_at(j, e->file, e->off, e->len);
}

char *
slv_journal_kept(const struct slv_journal *j, const struct slv_entry *e)
{
	return text_at(j, e->kept.file, e->kept.off, e->kept.len);
}

char *
slv_journal_report(const struct slv_journal *j, const struct slv_entry *e)
{
	char *line = slv_journal_text(j, e), *at, *report;
	size_t n;

	at = line != NULL ? strstr(line, REPORT) : NULL;
	if (at == NULL) {
		slv_free(line);
		return NULL;
	}
	/* Up to the brace that closes the line. */
	at += strlen(REPORT);
	n = strlen(at);
	at[n > 2 ? n - 2 : 0] = '\0';
	report = slv_strdup(at);
	slv_free(line);
	return report;
}

char *
slv_journal_sums(const struct slv_journal *j, const struct slv_entry *e)
{
	char *report = slv_journal_report(j, e);
	char *sums = report != NULL
	    ? slv_sums_of_json(report, e->path, e->output)
	    : NULL;

	slv_free(report);
	return sums;
}

enum slv_status
slv_journal_add(struct slv_journal *j, const char *line, struct slv_err *err)
{
	struct slv_buf b = { 0 };
	ssize_t n;

	/* End the partial line, so that it is a line of its own. */
	slv_buf_printf(&b, "%s%s\n", j->torn ? "\n" : "", line);
	if (b.failed) {
		slv_buf_free(&b);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	n = write(j->fds[0], b.at, b.len);
	j->torn = n > 0 && (size_t)n < b.len;
	if (n >= 0 && (size_t)n < b.len)
		errno = ENOSPC;
	if (n != (ssize_t)b.len)
		slv_fail_errno(err, "%s: cannot be written to", j->path);
	n -= (ssize_t)b.len;
	slv_buf_free(&b);
	return n == 0 ? SLV_OK : SLV_E_IO;
}

void
slv_journal_leave(struct slv_journal *j)
{
	for (size_t i = 0; i < j->n_fds; i++) {
		if (j->fds[i] >= 0)
			close(j->fds[i]);
		j->fds[i] = -1;
	}
}

size_t
slv_journal_fds(const struct slv_journal *j, const int **fds)
{
	*fds = j != NULL ? j->fds : NULL;
	return j != NULL ? j->n_fds : 0;
}

void
slv_journal_close(struct slv_journal *j)
{
	if (j == NULL)
		return;
	slv_journal_leave(j);
	slv_entries_free(&j->entries);
	slv_entries_free(&j->older);
	slv_unreads_free(&j->unread);
	slv_free(j->fds);
	slv_free(j->path);
	slv_free(j->command);
	slv_free(j);
}
