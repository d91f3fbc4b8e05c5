/* test_memory.c - the memory that control groups leave to a process.
 *
 * A folder of the test takes the place of /sys/fs/cgroup.
 */
#include "batch/workers/memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "io/machine.h"
#include "support/check.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define MIB ((uint64_t)1 << 20)
#define V1  "memory.limit_in_bytes"
#define V2  "memory.max"

/* Groups /a and /a/b of both versions. */
static const char *const folders[] = { "mount", "mount/a", "mount/a/b",
	"mount/memory", "mount/memory/a", "mount/memory/a/b" };

static const struct {
	const char *name, *groups;
	struct {
		const char *file, *holds;
	} limits[3];
	uint64_t most; /* UINT64_MAX: what the machine has */
} rows[] = {
	{ "no groups", "", { { "mount/" V2, "1048576\n" } }, UINT64_MAX },
	{ "no limits", "0::/a/b\n", { { NULL, NULL } }, UINT64_MAX },
	{ "version 2", "0::/a/b\n", { { "mount/a/b/" V2, "1048576\n" } }, MIB },
	{ "of the group above", "0::/a/b\n",
	    { { "mount/a/" V2, "1048576\n" }, { "mount/a/b/" V2, "max\n" } },
	    MIB },
	{ "the least", "0::/a/b\n",
	    { { "mount/" V2, "4194304\n" }, { "mount/a/" V2, "2097152\n" },
	        { "mount/a/b/" V2, "3145728\n" } },
	    2 * MIB },
	{ "none", "0::/a/b\n", { { "mount/a/b/" V2, "max\n" } }, UINT64_MAX },
	{ "of another group", "0::/a\n", { { "mount/a/b/" V2, "1048576\n" } },
	    UINT64_MAX },
	{ "in a container", "0::/host/name\n", { { "mount/" V2, "1048576\n" } },
	    MIB },
	{ "the root", "0::/\n", { { "mount/" V2, "1048576\n" } }, MIB },
	{ "version 1", "12:pids:/a\n4:memory:/a/b\n0::/\n",
	    { { "mount/memory/a/b/" V1, "1048576\n" } }, MIB },
	{ "version 1, of the group above", "4:memory:/a/b\n",
	    { { "mount/memory/" V1, "9223372036854771712\n" },
	        { "mount/memory/a/" V1, "1048576\n" },
	        { "mount/memory/a/b/" V1, "9223372036854771712\n" } },
	    MIB },
	{ "both versions", "4:memory:/a/b\n0::/a\n",
	    { { "mount/memory/a/b/" V1, "2097152\n" },
	        { "mount/a/" V2, "1048576\n" } },
	    MIB },
	{ "another controller", "4:cpu:/a/b\n",
	    { { "mount/memory/a/b/" V1, "1048576\n" } }, UINT64_MAX },
};

static void
lay_out(size_t row)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		CHECK(mkdir(scratch_path(folders[i]), 0755) == 0);
	scratch_write("groups", rows[row].groups, strlen(rows[row].groups));
	for (size_t i = 0; i < 3 && rows[row].limits[i].file != NULL; i++)
		scratch_write(rows[row].limits[i].file,
		    rows[row].limits[i].holds,
		    strlen(rows[row].limits[i].holds));
}

static void
clear(size_t row)
{
	for (size_t i = 0; i < 3 && rows[row].limits[i].file != NULL; i++)
		scratch_remove(rows[row].limits[i].file);
	for (size_t i = sizeof(folders) / sizeof(*folders); i-- > 0;)
		CHECK(remove(scratch_path(folders[i])) == 0);
}

static void
groups_limit(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t most = slv_min64(rows[i].most, slv_machine_memory());

		check_case("%s", rows[i].name);
		lay_out(i);
		CHECK_U64(slv_memory_share(
		              scratch_path("groups"), scratch_path("mount")),
		    most / 4);
		clear(i);
	}
	check_case("%s", "");
	CHECK_U64(slv_memory_share(scratch_path("none"), scratch_path("mount")),
	    slv_machine_memory() / 4);
	scratch_clean();
}

CU_TestInfo memory_tests[] = {
	{ "groups limit", groups_limit },
	CU_TEST_INFO_NULL,
};
