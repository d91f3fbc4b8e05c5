/* moved.c - units of sound logs where no writer puts them.
 *
 *	moved [FILE]...
 *
 * Each unit of a log is left out, and is copied before each other one; and a download
 * breaks off in each of them and is resumed at an earlier offset.  What is called
 * sound is kept as it is, a repair comes out clean, and the index says nothing else.
 * Without arguments over the small logs in testdata, where of large ones only
 * some pairs of units are tried; with SALVOR_FILES=n one case in n.
 * The last name printed before an abort is that of the log.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "fuzz/layout.h"
#include "support/blob.h"
#include "support/testdata.h"

#define LONGEST 16384 /* bytes of a log */
#define PAIRS   100   /* of units of one log */

static unsigned n_tried;

static void
try(const struct blob *log)
{
	/* In memory of its size, so that a sanitizer sees a read past it. */
	uint8_t *exact = must_alloc(log->n);

	memcpy(exact, log->at, log->n);
	fuzz_audit(exact, log->n);
	fuzz_glance(exact, log->n);
	free(exact);
	n_tried++;
}

/* The log without the bytes from `gone` to `until`, and with those from `from` to
 * `to` before `before`. */
static void
edit(const struct blob *log, size_t gone, size_t until, size_t before,
    size_t from, size_t to)
{
	struct blob out = { 0 };

	if (!testdata_takes())
		return;
	for (size_t i = 0; i <= log->n; i++) {
		if (i == before)
			blob_add(&out, log->at + from, to - from);
		if (i < log->n && (i < gone || i >= until))
			blob_byte(&out, log->at[i]);
	}
	try(&out);
	blob_free(&out);
}

static void
move_all(const struct blob *log)
{
	struct layout l;
	size_t step;

	layout_find(&l, log->at, log->n);
	step = l.n * (l.n + 1) / PAIRS + 1;
	for (size_t i = 0; i < l.n; i++)
		edit(log, l.at[i].at, l.at[i].end, 0, 0, 0);
	for (size_t k = 0; k < l.n * (l.n + 1); k += step) {
		const struct unit *u = &l.at[k % l.n];
		size_t j = k / l.n;

		edit(log, 0, 0, j < l.n ? l.at[j].at : log->n, u->at, u->end);
	}
}

/* Resumed where the unit before begins, where the unit itself does, in it, and from
 * the beginning. */
static void
resume_all(const struct blob *log)
{
	struct layout l;

	layout_find(&l, log->at, log->n);
	for (size_t i = 1; i < l.n; i++) {
		size_t at = l.at[i].at, len = l.at[i].end - at;
		size_t broken = at + len / 2;
		const size_t from[] = { l.at[i - 1].at, at, at + len / 4, 0 };

		for (size_t k = 0; k < sizeof(from) / sizeof(*from); k++)
			edit(log, 0, 0, broken, from[k], broken);
	}
}

static bool
move(const char *path)
{
	struct blob log = { 0 };

	printf("%s\n", path);
	fflush(stdout);
	if (!blob_read(&log, path)) {
		perror(path);
		return false;
	}
	move_all(&log);
	resume_all(&log);
	blob_free(&log);
	return true;
}

/* Of a folder the sound logs that are small. */
static bool
move_small(const char *folder)
{
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);
	bool good = n >= 0;
	char path[8192];
	struct stat st;

	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", folder, name);
		if (good && strncmp(name, "good-", 5) == 0
		    && stat(path, &st) == 0 && st.st_size <= LONGEST)
			good = move(path);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	return good;
}

int
main(int argc, char **argv)
{
	const char *top = getenv("SALVOR_SRCDIR");
	static const char *const folders[] = { "bddf", "carla", "cyber",
		"dataflash", "mcap", "rosbag", "rosrecord", "ulog" };
	char path[4096];

	for (size_t i = 0; argc < 2 && i < sizeof(folders) / sizeof(*folders);
	     i++) {
		snprintf(path, sizeof(path), "%s/testdata/%s",
		    top != NULL ? top : ".", folders[i]);
		if (!move_small(path))
			return 99;
	}
	for (int i = 1; i < argc; i++) {
		if (!move(argv[i]))
			return 99;
	}
	printf("%u passed, 0 failed\n", n_tried);
	return n_tried > 0 ? 0 : 99;
}
