/* testdata.c - the files of testdata. */
#include "support/testdata.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

#define LONGEST 4096

bool
testdata_takes(void)
{
	static unsigned seen;
	const char *files = getenv("SALVOR_FILES");
	int n = files != NULL ? atoi(files) : 1;

	return n <= 1 || seen++ % (unsigned)n == 0;
}

unsigned
testdata_each(const char *name, void (*each)(const char *path))
{
	char folder[LONGEST], path[2 * LONGEST];
	struct dirent *entry;
	unsigned n = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/testdata/%s", check_top(), name);
	dir = opendir(folder);
	CHECK(dir != NULL);
	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot == NULL || entry->d_name[0] == '.'
		    || strcmp(dot, ".md") == 0 || strcmp(dot, ".txt") == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (testdata_takes())
			each(path);
		n++;
	}
	if (dir != NULL)
		closedir(dir);
	return n;
}
