/* replay.c - run every target over files, without a fuzzer.
 *
 *	replay [FILE|FOLDER]...
 *
 * Without arguments over what fuzzing has found, over the logs in testdata, and over
 * streams of which a log may hold some; of these with SALVOR_FILES=n over one in n.
 * The last name printed before an abort is that of the file which breaks a promise.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "support/blob.h"
#include "support/testdata.h"

static unsigned n_files;
static bool all; /* in a folder, whatever SALVOR_FILES is */

static bool
replay_file(const char *path)
{
	static void (*const targets[])(const uint8_t *, size_t) = {
		fuzz_audit,
		fuzz_bag,
		fuzz_beside,
		fuzz_changing,
		fuzz_codec,
		fuzz_data,
		fuzz_donor,
		fuzz_extract,
		fuzz_fill,
		fuzz_glance,
		fuzz_inplace,
		fuzz_join,
		fuzz_merge,
		fuzz_plan,
		fuzz_records,
		fuzz_served,
		fuzz_text,
	};
	struct blob file = { 0 };
	uint8_t *exact;

	printf("%s\n", path);
	fflush(stdout);
	if (!blob_read(&file, path)) {
		perror(path);
		return false;
	}
	/* In memory of its size, so that a sanitizer sees a read past it. */
	exact = must_alloc(file.n);
	if (file.n > 0)
		memcpy(exact, file.at, file.n);
	fuzz_bounded(file.n);
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++)
		targets[i](exact, file.n);
	free(exact);
	blob_free(&file);
	n_files++;
	return true;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
replay(const char *path)
{
	struct dirent **names;
	int n = scandir(path, &names, NULL, alphasort);
	bool good = true;
	unsigned there = 0;
	char inner[8192];

	if (n < 0)
		return replay_file(path);
	for (int i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		snprintf(inner, sizeof(inner), "%s/%s", path, name);
		there += name[0] != '.';
		if (name[0] != '.'
		    && (is_folder(inner) || all || testdata_takes()))
			good = good && replay(inner);
		free(names[i]);
	}
	free(names);
	if (there == 0)
		printf("%s: has no files\n", path);
	return good && there > 0;
}

int
main(int argc, char **argv)
{
	const char *top = getenv("SALVOR_SRCDIR");
	static const char *const folders[] = { "tests/fuzz/found",
		"testdata/bddf", "testdata/carla", "testdata/cyber",
		"testdata/dataflash", "testdata/mcap", "testdata/rosbag",
		"testdata/rosrecord", "testdata/ros2", "testdata/ulog",
		"tests/fuzz/beside", "tests/fuzz/streams" };
	const size_t n_folders = sizeof(folders) / sizeof(*folders);
	char path[4096];

	for (size_t i = 0; argc < 2 && i < n_folders; i++) {
		all = i == 0;
		snprintf(path, sizeof(path), "%s/%s", top != NULL ? top : ".",
		    folders[i]);
		if (!replay(path))
			return 99;
	}
	all = true;
	for (int i = 1; i < argc; i++) {
		if (!replay(argv[i]))
			return 99;
	}
	printf("%u passed, 0 failed\n", n_files);
	return n_files > 0 ? 0 : 99;
}
