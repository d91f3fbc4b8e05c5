/* cpus.c - how many processors this process may use. */
#include "batch/workers/cpus.h"

#include <stdio.h>
#include <string.h>

#include "base/thread.h"

#define GROUPS "/sys/fs/cgroup" /* where version 2 is mounted */

/* The quota of a group in whole processors, rounded up; 0: no limit, or not
 * readable. */
static unsigned
quota(const char *group)
{
	char path[4096];
	unsigned long quota, period;
	unsigned n = 0;
	FILE *in;

	snprintf(path, sizeof(path), GROUPS "%s/cpu.max", group);
	in = fopen(path, "re");
	if (in == NULL)
		return 0;
	if (fscanf(in, "%lu %lu", &quota, &period) == 2 && period > 0)
		n = (unsigned)((quota + period - 1) / period);
	fclose(in);
	return n;
}

/* "0::/a/b" is the line of version 2. */
static void
own_group(char *out, int size)
{
	FILE *in = fopen("/proc/self/cgroup", "re");
	char line[4096];

	*out = '\0';
	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "0::", 3) == 0)
			snprintf(out, (size_t)size, "%s", line + 3);
	}
	if (in != NULL)
		fclose(in);
}

unsigned
slv_cpus(void)
{
	unsigned n = slv_processors(), most;
	char group[4096], *slash;

	own_group(group, sizeof(group));
	/* A group is limited by its parents. */
	for (;;) {
		most = quota(strcmp(group, "/") == 0 ? "" : group);
		n = most > 0 && most < n ? most : n;
		slash = strrchr(group, '/');
		if (slash == NULL)
			return n;
		*slash = '\0';
	}
}
