/* bag_files.c - which files of a folder are those of the bag.
 *
 * Somebody else may have filled the folder: the time goes with the number of
 * files and with the length of metadata.yaml, and not with their product.
 */
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/mem.h"
#include "base/sort.h"
#include "batch/find/find.h"
#include "batch/ros2/bag.h"

#define MCAP  ".mcap"
#define ZSTD  ".zstd" /* files that ROS 2 compressed as a whole */
#define NAMES 256     /* lengths of names, which have fewer bytes */
#define PAUSE 4096    /* steps from one look at ->cancel to the next */

static const char *const wanted[] = { "*" MCAP, "*" MCAP ZSTD };

/* Those below other folders are other bags. */
static const struct slv_find_rules rules = {
	.recursive = true,
	.flat = true,
	.include = wanted,
	.n_include = sizeof(wanted) / sizeof(*wanted),
};

static void
ignore(void *ctx, const struct slv_err *err)
{
	(void)ctx;
	(void)err;
}

static enum slv_status
list(const char *folder, struct slv_find *find, struct slv_err *err)
{
	*find = (struct slv_find){ .rules = &rules, .on_error = ignore };
	return slv_find_add(find, folder, err);
}

/* Return true if ROS 2 could have given this name: NAME_N.mcap. */
static bool
is_numbered(const char *name)
{
	const char *end = strstr(name, MCAP), *p = end;

	while (p != NULL && p > name && p[-1] >= '0' && p[-1] <= '9')
		p--;
	return p != NULL && p < end && p > name + 1 && p[-1] == '_';
}

bool
slv_bag_has_files(const char *folder)
{
	struct slv_find find;
	struct slv_err err = { 0 };
	bool yes = false;

	if (list(folder, &find, &err) == SLV_OK) {
		for (size_t i = 0; i < find.n; i++)
			yes |= is_numbered(find.at[i].sub);
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

/* Bytes of the name before its number; 0: it has none. */
static size_t
before_number(const char *name)
{
	size_t n = is_numbered(name) ? (size_t)(strstr(name, MCAP) - name) : 0;

	while (n > 0 && name[n - 1] != '_')
		n--;
	return n;
}

bool
slv_bag_is_packed(const struct slv_bag_file *f)
{
	return f->name[stem(f->name)] != '\0';
}

/* A file that may be one of the bag. */
struct candidate {
	const char *name;   /* borrowed */
	size_t stem;        /* bytes */
	size_t before;      /* bytes before its number; 0: it has none */
	uint64_t hash;      /* of the stem, from its end to its beginning */
	bool mentioned;     /* metadata.yaml has the stem somewhere */
	bool mentioned_zip; /* ... with the ending of a compression */
};

static int
compare(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_hash(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;

	if (a->stem != b->stem)
		return compare(a->stem, b->stem);
	return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* Names that differ only in their number follow each other, and so do those of
 * a file and of the same compressed. */
static int
by_prefix(const void *x, const void *y)
{
	const struct candidate *a = x, *b = y;
	int order;

	if (a->before != b->before)
		return compare(a->before, b->before);
	order = memcmp(a->name, b->name, a->stem < b->stem ? a->stem : b->stem);
	if (order != 0)
		return order;
	return a->stem != b->stem ? compare(a->stem, b->stem)
	                          : strcmp(a->name, b->name);
}

/* While metadata.yaml is searched: candidates by hash, and the first one of
 * each length, and after the last length all. */
struct search {
	struct candidate *at;
	size_t first[NAMES + 1];
};

static void
search_begin(struct search *s, struct candidate *at, size_t n)
{
	size_t i = 0;

	s->at = at;
	for (size_t len = 0; len <= NAMES; len++) {
		while (i < n && at[i].stem < len)
			i++;
		s->first[len] = i;
	}
}

/* Candidates of this length and hash have been found. */
static void
mark(const struct search *s, size_t len, uint64_t hash, bool zip)
{
	size_t from = s->first[len], to = s->first[len + 1], end = to;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (s->at[mid].hash < hash)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < end && s->at[from].hash == hash; from++) {
		s->at[from].mentioned = true;
		s->at[from].mentioned_zip |= zip;
	}
}

/* Mark the names that end at `end` of the text. */
static void
mark_at(const struct search *s, const char *text, const char *end, bool zip)
{
	uint64_t hash = SLV_FNV;

	for (size_t len = 1; len < NAMES && (size_t)(end - text) >= len;
	     len++) {
		/* No name has a slash. */
		if (end[-(ptrdiff_t)len] == '/')
			return;
		hash = slv_fnv(hash, end - len, 1);
		if (s->first[len] < s->first[len + 1])
			mark(s, len, hash, zip);
	}
}

/* Mark the names that metadata.yaml has somewhere: it is not parsed yet. */
static enum slv_status
find_mentions(const struct slv_bag *b, struct candidate *at, size_t n,
    struct slv_err *err)
{
	const char *text = (const char *)b->metadata.at, *p = text;
	const char *end = text != NULL ? text + b->metadata.len : NULL;
	size_t tail = strlen(MCAP), zip = strlen(ZSTD), steps = 0;
	struct search s;

	search_begin(&s, at, n);
	while (
	    p < end && (p = memmem(p, (size_t)(end - p), MCAP, tail)) != NULL) {
		p += tail;
		mark_at(&s, text, p,
		    (size_t)(end - p) >= zip && memcmp(p, ZSTD, zip) == 0);
		if (++steps % PAUSE == 0)
			SLV_TRY(slv_bag_go_on(b, err));
	}
	return SLV_OK;
}

/* Return true if two are one file, one of them compressed. */
static bool
are_twins(const struct candidate *a, const struct candidate *b)
{
	return a->stem == b->stem && memcmp(a->name, b->name, a->stem) == 0;
}

/* Return true if two differ at most in their numbers. */
static bool
are_alike(const struct candidate *a, const struct candidate *b)
{
	return a->before == b->before
	    && (a->before > 0 ? memcmp(a->name, b->name, a->before) == 0
	                      : are_twins(a, b));
}

static enum slv_status
add_file(struct slv_bag *b, const char *name, struct slv_err *err)
{
	struct slv_bag_file *file;

	SLV_TRY(slv_grow(
	    &b->files, &b->cap_files, b->n_files + 1, sizeof(*b->files), err));
	file = &b->files[b->n_files];
	*file = (struct slv_bag_file){
		.path = slv_bag_path(b, name),
		.there = true,
	};
	if (file->path == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	b->n_files++;
	file->name = file->path + strlen(b->folder) + 1;
	return SLV_OK;
}

/* Add candidates that differ at most in their numbers.
 *
 * ROS 2 removes a file when it has compressed it, and makes it again to play
 * it.  The one that metadata.yaml names counts; without it the one that is not
 * compressed, which was there first. */
static enum slv_status
add_alike(
    struct slv_bag *b, const struct candidate *c, size_t n, struct slv_err *err)
{
	for (size_t i = 0; i < n; i++) {
		bool twin = i + 1 < n && are_twins(&c[i], &c[i + 1]);

		if (twin && c[i].mentioned_zip)
			continue;
		SLV_TRY(add_file(b, c[i].name, err));
		i += twin;
	}
	return SLV_OK;
}

/* Add the candidates that are mentioned, or have a number like one that is; or
 * all, if none is: others are of another bag. */
static enum slv_status
add_all(
    struct slv_bag *b, const struct candidate *c, size_t n, struct slv_err *err)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= c[i].mentioned;
	for (size_t i = 0, end; i < n; i = end) {
		bool mine = !any || c[i].mentioned;

		for (end = i + 1; end < n && are_alike(&c[i], &c[end]); end++)
			mine |= c[end].mentioned;
		if (mine)
			SLV_TRY(add_alike(b, &c[i], end - i, err));
	}
	return SLV_OK;
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

/* By the names, without the endings of a compression. */
static int
by_stem(const void *x, const void *y)
{
	const char *a = (*(struct slv_bag_file *const *)x)->name;
	const char *b = (*(struct slv_bag_file *const *)y)->name;
	size_t n = stem(a), k = stem(b);
	int order = memcmp(a, b, n < k ? n : k);

	return order != 0 ? order : compare(n, k);
}

static enum slv_status
sort_files(struct slv_bag *b, struct slv_err *err)
{
	slv_sort(b->files, b->n_files, sizeof(*b->files), by_number);
	SLV_TRY(slv_new(&b->by_name, b->n_files, sizeof(*b->by_name), err));
	for (size_t i = 0; i < b->n_files; i++)
		b->by_name[i] = &b->files[i];
	slv_sort(b->by_name, b->n_files, sizeof(*b->by_name), by_stem);
	return SLV_OK;
}

static enum slv_status
choose(struct slv_bag *b, const struct slv_find *find, struct slv_err *err)
{
	struct candidate *c;
	enum slv_status st;

	SLV_TRY(slv_new(&c, find->n, sizeof(*c), err));
	for (size_t i = 0; i < find->n; i++) {
		const char *name = find->at[i].sub;

		c[i] = (struct candidate){
			.name = name,
			.stem = stem(name),
			.before = before_number(name),
			.hash = SLV_FNV,
		};
		for (size_t k = c[i].stem; k > 0; k--)
			c[i].hash = slv_fnv(c[i].hash, &name[k - 1], 1);
	}
	slv_sort(c, find->n, sizeof(*c), by_hash);
	st = find_mentions(b, c, find->n, err);
	slv_sort(c, find->n, sizeof(*c), by_prefix);
	if (st == SLV_OK)
		st = add_all(b, c, find->n, err);
	slv_free(c);
	return st != SLV_OK ? st : sort_files(b, err);
}

enum slv_status
slv_bag_find_files(struct slv_bag *b, struct slv_err *err)
{
	struct slv_find find;
	enum slv_status st = list(b->folder, &find, err);

	if (st == SLV_OK)
		st = choose(b, &find, err);
	slv_find_free(&find);
	return st;
}

struct slv_bag_file *
slv_bag_file_named(struct slv_bag *b, const char *name)
{
	struct slv_bag_file one = { .name = name }, *key = &one;
	struct slv_bag_file **found = slv_find_sorted(
	    &key, b->by_name, b->n_files, sizeof(*b->by_name), by_stem);

	return found != NULL ? *found : NULL;
}
