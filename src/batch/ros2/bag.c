/* bag.c - a bag of ROS 2: which files it has. */
#include "batch/ros2/bag.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/sort.h"
#include "batch/find/find.h"
#include "io/read/slurp.h"

#define ZSTD ".zstd" /* files that ROS 2 compressed as a whole */

static const char *const wanted[] = { "*.mcap", "*.mcap" ZSTD };
#define N_WANTED (sizeof(wanted) / sizeof(*wanted))

/* "folder/name"; NULL: out of memory. */
static char *
below(const char *folder, const char *name)
{
	struct slv_buf b = { 0 };

	slv_buf_printf(&b, "%s/%s", folder, name);
	return slv_buf_take(&b);
}

static void
ignore(void *ctx, const struct slv_err *err)
{
	(void)ctx;
	(void)err;
}

/* The files of the folder itself; those below other folders are other bags. */
static enum slv_status
list(const char *folder, struct slv_find *find, const struct slv_find_rules *r,
    struct slv_err *err)
{
	*find = (struct slv_find){ .rules = r, .on_error = ignore };
	return slv_find_add(find, folder, err);
}

static const struct slv_find_rules rules = {
	.recursive = true,
	.include = wanted,
	.n_include = N_WANTED,
};

static bool
is_here(const struct slv_found *f)
{
	return strchr(f->sub, '/') == NULL;
}

/* Return true if ROS 2 could have given this name: NAME_N.mcap. */
static bool
is_numbered(const char *name)
{
	const char *end = strstr(name, ".mcap"), *p = end;

	while (p != NULL && p > name && p[-1] >= '0' && p[-1] <= '9')
		p--;
	return p != NULL && p < end && p > name + 1 && p[-1] == '_';
}

static bool
has_metadata(const char *folder)
{
	char *path = below(folder, SLV_BAG_METADATA);
	struct stat st;
	bool yes = path != NULL && stat(path, &st) == 0 && S_ISREG(st.st_mode);

	free(path);
	return yes;
}

bool
slv_bag_is(const char *folder)
{
	struct slv_find find;
	struct slv_err err = { 0 };
	struct stat st;
	bool yes = false;

	if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode))
		return false;
	if (has_metadata(folder))
		return true;
	if (list(folder, &find, &rules, &err) == SLV_OK) {
		for (size_t i = 0; i < find.n; i++)
			yes |=
			    is_here(&find.at[i]) && is_numbered(find.at[i].sub);
	}
	slv_find_free(&find);
	return yes;
}

/* Bytes of the name without the ending of its compression. */
static size_t
stem(const char *name)
{
	size_t n = strlen(name), tail = strlen(ZSTD);

	return n > tail && strcmp(name + n - tail, ZSTD) == 0 ? n - tail : n;
}

bool
slv_bag_is_packed(const struct slv_bag_file *f)
{
	return f->name[stem(f->name)] != '\0';
}

struct slv_bag_file *
slv_bag_file_named(struct slv_bag *b, const char *name)
{
	size_t n = stem(name);

	for (size_t i = 0; i < b->n_files; i++) {
		const char *other = b->files[i].name;

		if (stem(other) == n && memcmp(other, name, n) == 0)
			return &b->files[i];
	}
	return NULL;
}

/* By the numbers in the names. */
static int
by_number(const void *x, const void *y)
{
	const struct slv_bag_file *a = x, *b = y;
	const char *p = a->name, *q = b->name;

	while (*p != '\0' && *q != '\0') {
		size_t n = strspn(p, "0123456789"), k = strspn(q, "0123456789");

		if (n > 0 && k > 0) {
			while (*p == '0' && n > 1)
				p++, n--;
			while (*q == '0' && k > 1)
				q++, k--;
			if (n != k)
				return n < k ? -1 : 1;
		}
		if (*p != *q)
			return (unsigned char)*p < (unsigned char)*q ? -1 : 1;
		p++;
		q++;
	}
	return strcmp(a->name, b->name);
}

/* ROS 2 removes a file when it has compressed it, and makes it again to play
 * it.  The one that metadata.yaml names counts; without it the one that is not
 * compressed, which was there first. */
static bool
is_double(const struct slv_bag *b, const struct slv_find *find, size_t i)
{
	const char *name = find->at[i].sub;
	size_t n = stem(name);
	bool packed = name[n] != '\0';

	for (size_t k = 0; k < find->n; k++) {
		const char *other = find->at[k].sub;
		const char *full = packed ? name : other;

		if (k == i || stem(other) != n || memcmp(other, name, n) != 0)
			continue;
		return packed
		    == (memmem(
		            b->metadata.at, b->metadata.len, full, strlen(full))
		        == NULL);
	}
	return false;
}

/* Whether metadata.yaml has the name somewhere: it is not parsed yet. */
static bool
is_mentioned(const struct slv_bag *b, const char *name)
{
	return b->metadata.len > 0
	    && memmem(b->metadata.at, b->metadata.len, name, stem(name))
	    != NULL;
}

/* Bytes of the name before its number; 0: it has none. */
static size_t
before_number(const char *name)
{
	size_t n =
	    is_numbered(name) ? (size_t)(strstr(name, ".mcap") - name) : 0;

	while (n > 0 && name[n - 1] != '_')
		n--;
	return n;
}

/* Return true if a file is one of the bag, and not another one in its folder: it
 * is mentioned, or has a number like one that is, or none is. */
static bool
belongs(const struct slv_bag *b, const struct slv_find *find, size_t i)
{
	const char *name = find->at[i].sub;
	size_t n = before_number(name);
	bool any = false;

	if (is_mentioned(b, name))
		return true;
	for (size_t k = 0; k < find->n; k++) {
		const char *other = find->at[k].sub;

		if (!is_here(&find->at[k]) || !is_mentioned(b, other))
			continue;
		any = true;
		if (n > 0 && before_number(other) == n
		    && memcmp(other, name, n) == 0)
			return true;
	}
	return !any;
}

static enum slv_status
add_files(struct slv_bag *b, const struct slv_find *find, struct slv_err *err)
{
	for (size_t i = 0; i < find->n; i++) {
		const struct slv_found *f = &find->at[i];
		struct slv_bag_file *file;

		if (!is_here(f) || is_double(b, find, i)
		    || !belongs(b, find, i))
			continue;
		SLV_TRY(slv_grow(&b->files, &b->cap_files, b->n_files + 1,
		    sizeof(*b->files), err));
		file = &b->files[b->n_files];
		*file = (struct slv_bag_file){
			.path = below(b->folder, f->sub),
			.there = true,
		};
		if (file->path == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
		b->n_files++;
		file->name = file->path + strlen(b->folder) + 1;
	}
	slv_sort(b->files, b->n_files, sizeof(*b->files), by_number);
	return SLV_OK;
}

static enum slv_status
read_metadata(struct slv_bag *b, struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a " SLV_BAG_METADATA,
		.most = SLV_YAML_MOST,
	};
	char *path = below(b->folder, SLV_BAG_METADATA);
	enum slv_status st = path == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : slv_slurp_path(path, &how, &b->metadata, err);

	free(path);
	return st;
}

enum slv_status
slv_bag_open(struct slv_bag *b, const char *folder, struct slv_err *err)
{
	struct slv_find find;
	size_t n = strlen(folder);
	enum slv_status st;

	b->root = SLV_YAML_NONE;
	b->folder = slv_strdup(folder);
	if (b->folder == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (n > 1 && b->folder[n - 1] == '/')
		b->folder[--n] = '\0';
	b->has_metadata = has_metadata(b->folder);
	if (b->has_metadata)
		SLV_TRY(read_metadata(b, err));
	st = list(b->folder, &find, &rules, err);
	if (st == SLV_OK)
		st = add_files(b, &find, err);
	slv_find_free(&find);
	return st;
}

bool
slv_bag_has(const struct slv_bag *b, enum slv_bag_row row)
{
	size_t i = 0;

	while (i < b->n_findings && b->findings[i].row != row)
		i++;
	return i < b->n_findings;
}

char *
slv_bag_path(const struct slv_bag *b, const char *name)
{
	return below(b->folder, name);
}

enum slv_status
slv_bag_raise(struct slv_bag *b, enum slv_bag_row row, struct slv_err *err,
    const char *fmt, ...)
{
	char text[1024];
	va_list args;
	char *copy;

	if (b->total++ >= SLV_BAG_FINDINGS)
		return SLV_OK;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	SLV_TRY(slv_grow(&b->findings, &b->cap_findings, b->n_findings + 1,
	    sizeof(*b->findings), err));
	copy = slv_strdup(text);
	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	b->findings[b->n_findings++] = (struct slv_bag_finding){ row, copy };
	return SLV_OK;
}

void
slv_bag_free(struct slv_bag *b)
{
	for (size_t i = 0; i < b->n_files; i++) {
		free(b->files[i].path);
		free(b->files[i].output);
	}
	for (size_t i = 0; i < b->n_topics; i++)
		slv_bag_topic_free(&b->topics[i]);
	for (size_t i = 0; i < b->n_findings; i++)
		free(b->findings[i].text);
	free(b->files);
	free(b->topics);
	free(b->findings);
	free(b->folder);
	free(b->distro);
	slv_buf_free(&b->metadata);
	slv_yaml_free(&b->yaml);
	slv_yaml_free(&b->noted);
	*b = (struct slv_bag){ .n_files = 0 };
}
