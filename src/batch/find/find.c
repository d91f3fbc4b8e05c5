/* find.c - the files of a batch. */
#include "batch/find/find.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/sort.h"
#include "batch/find/ours.h"
#include "io/read/slurp.h"

/* A directory that is searched. */
struct root {
	size_t len;         /* of its name and the slash after it, in a path */
	struct stat *leave; /* owned */
	size_t n_leave;
	time_t now;
};

static bool
matches(const char *const *patterns, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	}
	return false;
}

/* Takes over the path, also on failure. */
static enum slv_status
take(struct slv_find *f, char *path, size_t sub, bool named, uint64_t size,
    struct slv_err *err)
{
	enum slv_status st;

	if (!slv_shard_has(&f->rules->shard, path + sub)) {
		f->skipped[SLV_SKIP_SHARD]++;
		slv_free(path);
		return SLV_OK;
	}
	if (!slv_subset_has(&f->rules->subset, path + sub)) {
		f->skipped[SLV_SKIP_SUBSET]++;
		slv_free(path);
		return SLV_OK;
	}
	st = slv_grow(&f->at, &f->cap, f->n + 1, sizeof(*f->at), err);
	if (st != SLV_OK) {
		slv_free(path);
		return st;
	}
	f->at[f->n++] = (struct slv_found){
		.path = path,
		.sub = path + sub,
		.named = named,
		.wanted = !named && f->rules->n_include > 0,
		.size = size,
	};
	f->bytes += size;
	return SLV_OK;
}

static bool
is_left(const struct root *root, const struct stat *st)
{
	for (size_t i = 0; i < root->n_leave; i++) {
		if (st->st_dev == root->leave[i].st_dev
		    && st->st_ino == root->leave[i].st_ino)
			return true;
	}
	return false;
}

/* Return true if there is a file with this name and `suffix`; also if that is
 * unknown, so that the job reports why. */
static bool
has_beside(const char *path, const char *suffix)
{
	struct slv_buf b = { 0 };
	struct stat st;
	char *name;
	bool none;

	slv_buf_printf(&b, "%s%s", path, suffix);
	name = slv_buf_take(&b);
	none = name != NULL && lstat(name, &st) != 0
	    && (errno == ENOENT || errno == ENAMETOOLONG);
	slv_free(name);
	return !none;
}

static bool
is_wanted(const struct slv_find_rules *r, const char *name)
{
	return (r->n_include == 0 || matches(r->include, r->n_include, name))
	    && !matches(r->exclude, r->n_exclude, name);
}

/* Why a file below a directory is not taken; SLV_SKIPS: it is. */
static enum slv_skip
judge(const struct slv_find *f, const struct root *root, const char *path,
    const char *name, const struct stat *st)
{
	const struct slv_find_rules *r = f->rules;

	if (!S_ISREG(st->st_mode))
		return SLV_SKIP_OTHER;
	if (is_left(root, st) || slv_ours_is(name))
		return SLV_SKIP_OURS;
	if (!is_wanted(r, name))
		return SLV_SKIP_UNWANTED;
	if (r->min_age > 0
	    && root->now - st->st_mtim.tv_sec < (time_t)r->min_age)
		return SLV_SKIP_YOUNG;
	if (r->beside != NULL && !has_beside(path, r->beside))
		return SLV_SKIP_UNWANTED;
	return SLV_SKIPS;
}

/* A neighbour of a missing log would otherwise be skipped silently. */
static void
tell_alone(const struct slv_find *f, const char *path, const char *name)
{
	const struct slv_find_rules *r = f->rules;
	size_t tail = r->beside != NULL ? strlen(r->beside) : 0;
	size_t n = strlen(name);
	struct slv_err why = { 0 };
	char *log, *base;
	struct stat st;

	if (tail == 0 || n <= tail || strcmp(name + n - tail, r->beside) != 0)
		return;
	log = slv_strdup(path);
	if (log == NULL)
		return;
	log[strlen(log) - tail] = '\0';
	base = log + strlen(path) - n;
	if (is_wanted(r, base) && lstat(log, &st) != 0 && errno == ENOENT) {
		slv_fail(&why, SLV_E_IO, "%s: %s is not there", path, log);
		f->on_error(f->ctx, &why);
	}
	slv_free(log);
}

static enum slv_status walk(
    struct slv_find *, const struct root *, const char *path, struct slv_err *);

/* A name in a directory; takes over the path. */
static enum slv_status
visit(struct slv_find *f, const struct root *root, char *path, const char *name,
    struct slv_err *err)
{
	struct slv_err why = { 0 };
	enum slv_skip skip;
	enum slv_status status = SLV_OK;
	struct stat st;

	if (lstat(path, &st) != 0) {
		/* It may have been removed since it was listed. */
		if (errno != ENOENT) {
			slv_fail_errno(&why, "%s", path);
			f->on_error(f->ctx, &why);
		}
	} else if (S_ISDIR(st.st_mode)) {
		if (!f->rules->flat
		    && !matches(f->rules->exclude, f->rules->n_exclude, name)
		    && !is_left(root, &st))
			status = walk(f, root, path, err);
	} else if ((skip = judge(f, root, path, name, &st)) == SLV_SKIPS) {
		return take(
		    f, path, root->len, false, (uint64_t)st.st_size, err);
	} else {
		f->skipped[skip]++;
		tell_alone(f, path, name);
	}
	slv_free(path);
	return status;
}

/* "folder/name"; NULL: out of memory. */
static char *
below(const char *folder, const char *name)
{
	struct slv_buf b = { 0 };
	size_t n = strlen(folder);

	slv_buf_printf(&b, "%s%s%s", folder,
	    n > 0 && folder[n - 1] == '/' ? "" : "/", name);
	return slv_buf_take(&b);
}

static int
is_name(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

/* Not alphasort(3), which depends on the locale. */
static int
by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static enum slv_status
walk(struct slv_find *f, const struct root *root, const char *path,
    struct slv_err *err)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, is_name, by_bytes);
	enum slv_status status = SLV_OK;
	struct slv_err why = { 0 };

	if (n < 0) {
		if (slv_fail_errno(&why, "%s", path) == SLV_E_NOMEM)
			return slv_fail(err, SLV_E_NOMEM, "%s", why.text);
		f->on_error(f->ctx, &why);
		return SLV_OK;
	}
	for (int i = 0; i < n; i++) {
		char *file =
		    status == SLV_OK ? below(path, names[i]->d_name) : NULL;

		if (file != NULL)
			status = visit(f, root, file, names[i]->d_name, err);
		else if (status == SLV_OK)
			status = slv_fail(err, SLV_E_NOMEM, "out of memory");
		slv_free(names[i]);
	}
	slv_free(names);
	return status;
}

static enum slv_status
add_tree(struct slv_find *f, const char *path, struct slv_err *err)
{
	const struct slv_find_rules *rules = f->rules;
	struct root root = { .len = strlen(path), .now = time(NULL) };
	enum slv_status st;

	if (!rules->recursive)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is a directory; -r takes the logs below it", path);
	root.leave = slv_calloc(rules->n_leave + 1, sizeof(*root.leave));
	if (root.leave == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	root.len += root.len > 0 && path[root.len - 1] != '/';
	for (size_t i = 0; i < rules->n_leave; i++)
		root.n_leave += rules->leave[i] != NULL
		    && stat(rules->leave[i], &root.leave[root.n_leave]) == 0;
	st = walk(f, &root, path, err);
	slv_free(root.leave);
	return st;
}

enum slv_status
slv_find_put(struct slv_find *f, const char *path, bool named, uint64_t size,
    struct slv_err *err)
{
	char *copy = slv_strdup(path);

	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return take(f, copy, 0, named, size, err);
}

enum slv_status
slv_find_add(struct slv_find *f, const char *path, struct slv_err *err)
{
	struct stat st;
	bool there = strcmp(path, "-") != 0 && stat(path, &st) == 0;

	if (there && S_ISDIR(st.st_mode))
		return add_tree(f, path, err);
	return slv_find_put(f, path, true,
	    there && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0, err);
}

/* Where the names in a text begin.  It is a string, with which the last one may end.
 *
 *   names  has room for all of them; owned by the caller */
static enum slv_status
split_names(const struct slv_buf *text, const char *path, char ***names,
    size_t *n, struct slv_err *err)
{
	char *at = (char *)text->at, *end = at + text->len - 1;
	size_t room = 1;

	for (const char *c = at; c < end; c++)
		room += *c == '\0';
	SLV_TRY(slv_new(names, room, sizeof(**names), err));
	for (; at < end; at += strlen(at) + 1) {
		if (*at == '\0')
			return slv_fail(err, SLV_E_USAGE,
			    "%s: name %zu is empty", path, *n + 1);
		(*names)[(*n)++] = at;
	}
	return SLV_OK;
}

/* Reports and undo records may be named with their logs. */
static enum slv_status
add_names(struct slv_find *f, const struct slv_buf *text, const char *path,
    struct slv_err *err)
{
	char **names = NULL;
	size_t n = 0, kept;
	enum slv_status st = split_names(text, path, &names, &n, err);

	kept = n;
	if (st == SLV_OK)
		st = slv_ours_drop(names, &kept, err);
	f->skipped[SLV_SKIP_OURS] += n - kept;
	for (size_t i = 0; st == SLV_OK && i < kept; i++)
		st = slv_find_add(f, names[i], err);
	slv_free(names);
	return st;
}

enum slv_status
slv_find_list(struct slv_find *f, const char *path,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a list of files",
		.cancel = cancel,
	};
	struct slv_buf text = { 0 };
	enum slv_status st = slv_slurp_path(path, &how, &text, err);

	slv_buf_add(&text, "", 1);
	if (st == SLV_OK && text.failed)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = add_names(f, &text, path, err);
	slv_buf_free(&text);
	return st;
}

void
slv_find_keep(struct slv_find *f, const bool *keep)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (keep[i]) {
			f->at[kept++] = f->at[i];
			continue;
		}
		f->skipped[SLV_SKIP_SUBSET]++;
		f->bytes -= f->at[i].size;
		slv_free(f->at[i].path);
	}
	f->n = kept;
}

uint64_t
slv_find_seen(const struct slv_find *f)
{
	return f->n + f->skipped[SLV_SKIP_SHARD] + f->skipped[SLV_SKIP_SUBSET]
	    + f->skipped[SLV_SKIP_YOUNG];
}

void
slv_find_free(struct slv_find *f)
{
	for (size_t i = 0; i < f->n; i++)
		slv_free(f->at[i].path);
	slv_free(f->at);
	f->at = NULL;
	f->n = f->cap = 0;
}
