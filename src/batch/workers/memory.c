/* memory.c - how much memory a process may use. */
#include "batch/workers/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/bytes.h"
#include "io/machine.h"

#define LINE 4096 /* bytes; longer group names are ignored */

/* Where the limits of a version are, and how its lines begin in
 * /proc/self/cgroup: "0::/a/b", "5:memory:/a/b". */
static const struct version {
	const char *line, *below, *file;
} versions[] = {
	{ "0::", "", "memory.max" },
	{ ":memory:", "/memory", "memory.limit_in_bytes" },
};

/* The limit of one group; UINT64_MAX: none, or not readable. */
static uint64_t
limit_of(const struct version *v, const char *mount, const char *group)
{
	char path[3 * LINE];
	unsigned long long bytes;
	uint64_t most = UINT64_MAX;
	FILE *in;

	snprintf(
	    path, sizeof(path), "%s%s%s/%s", mount, v->below, group, v->file);
	in = fopen(path, "re");
	if (in == NULL)
		return most;
	if (fscanf(in, "%llu", &bytes) == 1)
		most = bytes;
	fclose(in);
	return most;
}

/* The least limit of a group and its parents.  In a container the group may
 * have its name on the host: then the mount is the group. */
static uint64_t
limit_from(const struct version *v, const char *mount, char *group)
{
	uint64_t most = limit_of(v, mount, "");

	while (*group == '/') {
		most = slv_min64(most, limit_of(v, mount, group));
		*strrchr(group, '/') = '\0';
	}
	return most;
}

static uint64_t
limit_of_groups(const char *groups, const char *mount)
{
	FILE *in = fopen(groups, "re");
	uint64_t most = UINT64_MAX;
	char line[LINE];

	while (in != NULL && fgets(line, sizeof(line), in) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		for (size_t i = 0; i < 2; i++) {
			const struct version *v = &versions[i];
			char *at = strstr(line, v->line);

			if (at != NULL && (i > 0 || at == line))
				most = slv_min64(most,
				    limit_from(v, mount, at + strlen(v->line)));
		}
	}
	if (in != NULL)
		fclose(in);
	return most;
}

uint64_t
slv_memory_share(const char *groups, const char *mount)
{
	return slv_min64(slv_machine_memory(), limit_of_groups(groups, mount))
	    / 4;
}

uint64_t
slv_memory_default(void)
{
	return slv_memory_share("/proc/self/cgroup", "/sys/fs/cgroup");
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)        \
    || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

void
slv_memory_bound(uint64_t bytes)
{
#ifndef SANITIZED
	struct rlimit most;

	/* Memory that is written and not shared; address space alone costs
	 * nothing. */
	if (bytes == 0 || getrlimit(RLIMIT_DATA, &most) != 0
	    || most.rlim_cur <= bytes)
		return;
	most.rlim_cur = bytes;
	(void)setrlimit(RLIMIT_DATA, &most);
#else
	(void)bytes;
#endif
}
