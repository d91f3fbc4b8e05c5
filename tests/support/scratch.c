/* scratch.c - a directory of its own for a test that needs files. */
#include "support/scratch.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/sys.h"

static char dir[256];

/* Files and directories of a test need not outlive the machine, and waiting
 * for the disk would take longer than all else. */
static int
leave_unsynced(int fd)
{
	struct stat st;

	if (fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return 0;
	return fsync(fd);
}

void
scratch_in_memory(void)
{
	static const char *const memory = "/dev/shm";
	struct stat st;

	if (stat(memory, &st) == 0 && S_ISDIR(st.st_mode)
	    && access(memory, W_OK) == 0)
		setenv("TMPDIR", memory, 0);
}

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
	slv_sys.fsync = leave_unsynced;
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

/* Entries of a directory that are its own. */
static int
is_entry(const struct dirent *e)
{
	return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* What is before an entry in a state; its name with the zero byte
 * and its bytes, or those of the link, follow. */
struct entry {
	size_t name, bytes; /* how many */
	size_t mode;        /* of the file; all of one size: no padding */
};

static void
take_entry(struct blob *state, const char *name)
{
	const char *path = scratch_path(name);
	struct entry entry = { .name = strlen(name) + 1 };
	struct blob bytes = { 0 };
	char link[600];
	ssize_t n;
	struct stat st;

	if (lstat(path, &st) != 0)
		abort();
	if (S_ISLNK(st.st_mode)) {
		n = readlink(path, link, sizeof(link));
		blob_set(&bytes, link, n > 0 ? (size_t)n : 0);
	} else if (!blob_read(&bytes, path)) {
		abort();
	}
	entry.mode = st.st_mode;
	entry.bytes = bytes.n;
	blob_add(state, &entry, sizeof(entry));
	blob_add(state, name, entry.name);
	blob_add(state, bytes.at, bytes.n);
	blob_free(&bytes);
}

void
scratch_take(struct blob *state)
{
	struct dirent **names;
	int n = scandir(dir, &names, is_entry, by_name);

	if (n < 0)
		abort();
	state->n = 0;
	for (int i = 0; i < n; i++) {
		take_entry(state, names[i]->d_name);
		free(names[i]);
	}
	free(names);
}

void
scratch_put(const struct blob *state)
{
	struct entry entry;

	scratch_clean();
	for (size_t at = 0; at < state->n;) {
		const char *name, *bytes;

		memcpy(&entry, state->at + at, sizeof(entry));
		name = (const char *)state->at + at + sizeof(entry);
		bytes = name + entry.name;
		at += sizeof(entry) + entry.name + entry.bytes;
		if (!S_ISLNK(entry.mode)) {
			scratch_write(name, bytes, entry.bytes);
			chmod(scratch_path(name), (mode_t)entry.mode & 07777);
		} else {
			char to[600];

			snprintf(
			    to, sizeof(to), "%.*s", (int)entry.bytes, bytes);
			if (symlink(to, scratch_path(name)) != 0)
				abort();
		}
	}
}

void
scratch_close(void)
{
	scratch_clean();
	rmdir(dir);
}
