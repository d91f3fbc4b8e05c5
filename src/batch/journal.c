/* journal.c - what a batch has done, a line for each file. */
#include "batch/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "report/json_object.h"

#define REPORT ",\"report\":" /* in a line, in front of the report */

struct slv_journal {
	char *path; /* owned, for messages */
	int fd;
	bool torn;            /* it ends inside a line */
	struct slv_entry *at; /* owned; sorted by name, one each */
	size_t n, cap;
};

/* What a file is called in a journal, where not all names are UTF-8: owned by
 * the caller; NULL: out of memory. */
static char *
name_of(json_t *line)
{
	const char *raw =
	    json_string_value(json_object_get(line, "path_base64"));
	const char *path = json_string_value(json_object_get(line, "path"));
	struct slv_buf b = { 0 };

	/* No path holds a NUL, but a name may look like base64. */
	slv_buf_printf(&b, "%c%s", raw != NULL ? 'b' : 'p',
	    raw != NULL        ? raw
	        : path != NULL ? path
	                       : "");
	return slv_buf_take(&b);
}

static char *
name_of_path(const char *path)
{
	struct slv_object o = slv_object();
	json_t *json;
	char *name;

	slv_put_path(&o, "path", "path_base64", path);
	json = slv_object_done(&o);
	name = json != NULL ? name_of(json) : NULL;
	json_decref(json);
	return name;
}

static struct slv_stamp
stamp_in(json_t *o)
{
	return (struct slv_stamp){
		.size =
		    (uint64_t)json_integer_value(json_object_get(o, "size")),
		.mtime = json_integer_value(json_object_get(o, "mtime_ns")),
		.inode =
		    (uint64_t)json_integer_value(json_object_get(o, "inode")),
	};
}

/* Take in a line; *ours: it is one of a journal of this command. */
static enum slv_status
take_line(struct slv_journal *j, json_t *line, const char *command,
    uint64_t off, uint64_t len, bool *ours, struct slv_err *err)
{
	json_t *output = json_object_get(line, "output");
	const char *did = json_string_value(json_object_get(line, "command"));
	const char *path = json_string_value(json_object_get(output, "path"));
	struct slv_entry *e;

	*ours = json_integer_value(json_object_get(line, "journal")) == 1
	    && did != NULL && strcmp(did, command) == 0;
	if (!*ours)
		return SLV_OK;
	SLV_TRY(slv_grow(&j->at, &j->cap, j->n + 1, sizeof(*j->at), err));
	e = &j->at[j->n];
	*e = (struct slv_entry){
		.name = name_of(line),
		.input = stamp_in(line),
		.output = path != NULL ? slv_strdup(path) : NULL,
		.stamp = stamp_in(output),
		.code = (int)json_integer_value(
		    json_object_get(json_object_get(line, "result"), "exit")),
		.when = json_integer_value(json_object_get(line, "when")),
		.off = off,
		.len = len,
	};
	j->n += e->name != NULL;
	return e->name == NULL || (path != NULL && e->output == NULL)
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : SLV_OK;
}

/* By name, the later line first. */
static int
by_name(const void *a, const void *b)
{
	const struct slv_entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->off < y->off) - (x->off > y->off);
}

static void
release(struct slv_entry *e)
{
	free(e->name);
	free(e->output);
}

/* Of each file the last line. */
static void
settle(struct slv_journal *j)
{
	size_t kept = 0;

	slv_sort(j->at, j->n, sizeof(*j->at), by_name);
	for (size_t i = 0; i < j->n; i++) {
		if (kept > 0
		    && strcmp(j->at[kept - 1].name, j->at[i].name) == 0)
			release(&j->at[i]);
		else
			j->at[kept++] = j->at[i];
	}
	j->n = kept;
}

/* What cannot be taken in is the torn line that a killed run left: no more is
 * lost than is done again. */
static enum slv_status
read_lines(
    struct slv_journal *j, FILE *in, const char *command, struct slv_err *err)
{
	char *text = NULL;
	size_t cap = 0;
	uint64_t off = 0, n_lines = 0, n_ours = 0;
	ssize_t n;
	enum slv_status st = SLV_OK;

	while (st == SLV_OK && (n = getline(&text, &cap, in)) > 0) {
		json_t *line = json_loadb(text, (size_t)n, 0, NULL);
		bool ours = false;

		j->torn = text[n - 1] != '\n';
		if (line != NULL && !j->torn)
			st = take_line(
			    j, line, command, off, (uint64_t)n, &ours, err);
		json_decref(line);
		n_lines++;
		n_ours += ours;
		off += (uint64_t)n;
	}
	free(text);
	if (st == SLV_OK && ferror(in))
		return slv_fail_errno(err, "%s", j->path);
	/* A single line may be a torn one. */
	if (st == SLV_OK && n_ours == 0 && n_lines > 1)
		return slv_fail(err, SLV_E_EXISTS,
		    "%s: is not the journal of \"salvor %s\"; name another "
		    "file",
		    j->path, command);
	return st;
}

static enum slv_status
read_all(struct slv_journal *j, const char *command, struct slv_err *err)
{
	int fd = dup(j->fd);
	FILE *in = fd >= 0 ? fdopen(fd, "rb") : NULL;
	enum slv_status st;

	if (in == NULL) {
		slv_fail_errno(err, "%s", j->path);
		if (fd >= 0)
			close(fd);
		return err->code;
	}
	st = read_lines(j, in, command, err);
	fclose(in);
	if (st == SLV_OK)
		settle(j);
	return st;
}

static enum slv_status
open_file(struct slv_journal *j, struct slv_err *err)
{
	struct stat st;

	j->fd = open(j->path,
	    O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
	    0666);
	if (j->fd < 0 || fstat(j->fd, &st) != 0)
		return slv_fail_errno(err, "%s", j->path);
	if (!S_ISREG(st.st_mode))
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is no regular file, as a journal must be", j->path);
	if (flock(j->fd, LOCK_EX | LOCK_NB) == 0)
		return SLV_OK;
	if (errno == EWOULDBLOCK)
		return slv_fail(err, SLV_E_REFUSED,
		    "%s: another salvor is writing this journal", j->path);
	return slv_fail_errno(err, "%s", j->path);
}

enum slv_status
slv_journal_open(const char *path, const char *command,
    struct slv_journal **out, struct slv_err *err)
{
	struct slv_journal *j = slv_calloc(1, sizeof(*j));
	enum slv_status st;

	if (j == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	j->fd = -1;
	j->path = slv_strdup(path);
	st = j->path == NULL ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                     : open_file(j, err);
	if (st == SLV_OK)
		st = read_all(j, command, err);
	if (st == SLV_OK)
		*out = j;
	else
		slv_journal_close(j);
	return st;
}

const struct slv_entry *
slv_journal_find(const struct slv_journal *j, const char *path)
{
	struct slv_search f = { 0, j->n, 0 };
	char *name = name_of_path(path);
	const struct slv_entry *found = NULL;

	if (name == NULL)
		return NULL;
	while (slv_search(&f))
		slv_search_on(&f, strcmp(j->at[f.mid].name, name) < 0);
	if (f.low < j->n && strcmp(j->at[f.low].name, name) == 0)
		found = &j->at[f.low];
	free(name);
	return found;
}

static bool
is_still(const char *path, const struct slv_stamp *was)
{
	struct slv_stamp is;

	return slv_stamp_of(path, &is) && is.size == was->size
	    && is.mtime == was->mtime && is.inode == was->inode;
}

bool
slv_entry_holds(const struct slv_entry *e, const char *path)
{
	return is_still(path, &e->input)
	    && (e->output == NULL || is_still(e->output, &e->stamp));
}

char *
slv_journal_report(const struct slv_journal *j, const struct slv_entry *e)
{
	char *line = slv_calloc(1, (size_t)e->len + 1), *at = NULL, *report;
	size_t n;

	if (line != NULL
	    && pread(j->fd, line, (size_t)e->len, (off_t)e->off)
	        == (ssize_t)e->len)
		at = strstr(line, REPORT);
	if (at == NULL) {
		free(line);
		return NULL;
	}
	/* Up to the brace that closes the line. */
	at += strlen(REPORT);
	n = strlen(at);
	at[n > 2 ? n - 2 : 0] = '\0';
	report = slv_strdup(at);
	free(line);
	return report;
}

enum slv_status
slv_journal_add(struct slv_journal *j, const char *line, struct slv_err *err)
{
	struct slv_buf b = { 0 };
	ssize_t n;

	/* The torn line is ended, so that it is one of its own. */
	slv_buf_printf(&b, "%s%s\n", j->torn ? "\n" : "", line);
	if (b.failed) {
		slv_buf_free(&b);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	n = write(j->fd, b.at, b.len);
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
slv_journal_close(struct slv_journal *j)
{
	if (j == NULL)
		return;
	if (j->fd >= 0)
		close(j->fd);
	for (size_t i = 0; i < j->n; i++)
		release(&j->at[i]);
	free(j->at);
	free(j->path);
	free(j);
}
