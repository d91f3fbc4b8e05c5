/* scratch.c - a directory of its own for a test that needs files. */
#include "support/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[256];

const char *
scratch_open(void)
{
	const char *above = getenv("TMPDIR");

	snprintf(dir, sizeof(dir), "%s/salvor-test-XXXXXX",
	    above != NULL ? above : ".");
	if (mkdtemp(dir) == NULL) {
		perror(dir);
		abort();
	}
	return dir;
}

const char *
scratch_path(const char *name)
{
	static char paths[4][600];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

void
scratch_write(const char *name, const void *bytes, size_t n)
{
	const char *path = scratch_path(name);
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
		perror(path);
		abort();
	}
}

bool
scratch_holds(const char *name, const void *bytes, size_t n)
{
	struct blob b = { 0 };
	bool same = blob_read(&b, scratch_path(name)) && b.n == n
	    && (n == 0 || memcmp(b.at, bytes, n) == 0);

	blob_free(&b);
	return same;
}

bool
scratch_has(const char *name)
{
	return access(scratch_path(name), F_OK) == 0;
}

/* Visit every entry that begins so; removing what is visited is fine. */
static size_t
each(const char *prefix, bool away)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t n = 0;

	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0
		    || strncmp(e->d_name, prefix, strlen(prefix)) != 0)
			continue;
		n++;
		if (away)
			remove(scratch_path(e->d_name));
	}
	if (d != NULL)
		closedir(d);
	return n;
}

size_t
scratch_count(const char *prefix)
{
	return each(prefix, false);
}

void
scratch_remove(const char *name)
{
	remove(scratch_path(name));
}

void
scratch_clean(void)
{
	each("", true);
}

void
scratch_close(void)
{
	scratch_clean();
	rmdir(dir);
}
