/* guard.c - a reader that has been taken over: what can it still do?
 *
 * Each test confines a child as the program confines itself, and lets it try.
 * Those of a wall that this kernel or this build does not have are left out;
 * 77 when there is none at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "guard/attempts.h"
#include "guard/guard.h"
#include "guard/places.h"
#include "guard/stage.h"
#include "guard/walls.h"
#include "io/sys.h"
#include "support/check.h"
#include "support/scratch.h"
#include "options/options.h"

#define SKIPPED 77

/* CHOWN, DAC_OVERRIDE, DAC_READ_SEARCH, FOWNER, SYS_RESOURCE and LEASE. */
#define FOR_FILES 0x1100000full

/* The walls of this machine. */
static int known_landlock;
static bool known_seccomp;

/* What a child tells of one thing that it tried. */
struct told {
	size_t which;
	long got;
	int os;
};

/* How a child is confined: by both walls as the program is, where version is
 * negative; else by these. */
struct how {
	int version;
	bool seccomp, writes, grows, in_place, starts;
	bool started; /* once as what starts it, and then as a worker */
};

static bool
allow(void *ctx, const char *path, enum slv_right right)
{
	return slv_landlock_allow(*(int *)ctx, path, right);
}

/* Confine this process: a reader of the input, or one that writes to the
 * folder too. */
static bool
confine(const struct how *how)
{
	static char *files[] = { input };
	const struct slv_options opt = {
		.output_dir = how->in_place ? NULL : folder,
		.make_dirs = how->grows,
		.in_place = how->in_place,
	};
	struct slv_guard_job job = {
		.files = files,
		.n_files = 1,
		.opt = &opt,
		.repairs = how->writes,
		.starts = how->starts,
	};
	struct slv_calls calls = {
		.most = how->in_place ? SLV_MAY_CHANGE
		    : how->grows      ? SLV_MAY_GROW
		    : how->writes     ? SLV_MAY_MAKE
		                      : SLV_MAY_READ,
		.starts = how->starts,
	};
	int wall;

	attempt_fd = open(input, O_RDONLY);
	if (how->version < 0) {
		job.starts |= how->started;
		slv_guard_start(&job);
		job.starts = how->starts;
		if (how->started)
			slv_guard_start(&job);
		return true;
	}
	if (!slv_walls_found())
		return false;
	if (how->version > 0) {
		wall = slv_landlock_begin(how->version);
		if (wall < 0 || !slv_places(&job, allow, &wall)
		    || !slv_landlock_up(wall))
			return false;
	}
	slv_carries_add(&calls.carries, input);
	return !how->seccomp || slv_seccomp_up(&calls);
}

/* A child; NULL: not confined. */
static pid_t
start(const struct how *how, void (*run)(int to), int *from)
{
	int ends[2];
	pid_t child;

	if (pipe(ends) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		close(ends[0]);
		if (how != NULL && !confine(how))
			_exit(2);
		if (how == NULL)
			attempt_fd = open(input, O_RDONLY);
		run(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	*from = ends[0];
	return child;
}

void
tell(int to, size_t which, long got)
{
	struct told told;

	memset(&told, 0, sizeof(told));
	told = (struct told){ .which = which, .got = got, .os = errno };
	if (write(to, &told, sizeof(told)) != sizeof(told))
		_exit(3);
}

static bool
is_refusal(const struct told *t)
{
	return t->got < 0
	    && (t->os == EPERM || t->os == EACCES || t->os == ENOSYS
	        || t->os == EXDEV);
}

/* Wait for the child; it must have ended as it should. */
static void
end(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	CHECK_I64(status, 0);
}

static unsigned
walls_of(const struct how *how)
{
	int version = how->version < 0 ? known_landlock : how->version;
	bool seccomp = how->version < 0 ? known_seccomp : how->seccomp;

	return (seccomp ? SECCOMP : 0) | (version >= 1 ? LANDLOCK_1 : 0)
	    | (version >= 3 ? LANDLOCK_3 : 0) | (version >= 4 ? LANDLOCK_4 : 0)
	    | (version >= 6 ? LANDLOCK_6 : 0);
}

/* Those that change the world if they succeed are not tried where nothing is
 * there to refuse them. */
static bool due[ATTEMPTS_MAX];

static void
try_due(int to)
{
	for (size_t i = 0; i < attempts_all(); i++) {
		if (due[i])
			tell(to, i, attempt_run(attempt_at(i)));
	}
}

static void
try_guarded(const struct how *how, const char *which)
{
	size_t tried = 0, n = 0;
	struct told told;
	int from = -1;
	pid_t child;

	set_up();
	for (size_t i = 0; i < attempts_all(); i++) {
		const struct attempt *a = attempt_at(i);
		unsigned by = (how->writes ? a->writing : a->reading)
		    & ~(how->starts ? a->starting : 0);

		due[i] = (by & walls_of(how)) != 0;
		n += due[i];
	}
	child = start(how, try_due, &from);
	while (read(from, &told, sizeof(told)) == sizeof(told)) {
		check_case("%s: %s: %ld, %s", which,
		    attempt_at(told.which)->name, told.got, strerror(told.os));
		CHECK(is_refusal(&told));
		tried++;
	}
	close(from);
	check_case("%s", which);
	end(child);
	CHECK_U64(tried, n);
	CHECK(n > 0 && attempts_all() <= ATTEMPTS_MAX);
	CHECK(scratch_holds("in.bddf", "log", 3));
	CHECK(scratch_holds("secret", "key", 3));
	CHECK(!scratch_has("new"));
	tear_down();
}

static void
test_confined(void)
{
	static const struct how reads = { .version = -1, .seccomp = true };
	static const struct how writes = {
		.version = -1, .seccomp = true, .writes = true
	};
	static const struct how starts = {
		.version = -1, .seccomp = true, .starts = true
	};
	static const struct how starts_writers = {
		.version = -1, .seccomp = true, .writes = true, .starts = true
	};
	static const struct how worker = {
		.version = -1, .seccomp = true, .writes = true, .started = true
	};

	try_guarded(&reads, "as the program, reading");
	try_guarded(&writes, "as the program, writing");
	try_guarded(&starts, "as what starts readers");
	try_guarded(&starts_writers, "as what starts writers");
	try_guarded(&worker, "as a worker that writes");
}

/* A kernel of any version must do. */
static void
test_landlock_alone(void)
{
	char which[64];

	for (int v = 1; v <= known_landlock; v++) {
		for (int writes = 0; writes < 2; writes++) {
			struct how how = { .version = v,
				.writes = writes != 0 };

			snprintf(which, sizeof(which), "landlock %d, %s", v,
			    writes ? "writing" : "reading");
			try_guarded(&how, which);
		}
	}
}

static void
test_seccomp_alone(void)
{
	static const struct how reads = { .seccomp = true };
	static const struct how writes = { .seccomp = true, .writes = true };

	if (!known_seccomp)
		return;
	try_guarded(&reads, "seccomp alone, reading");
	try_guarded(&writes, "seccomp alone, writing");
}

static void
try_basics(int to)
{
	for (size_t i = 0; i < attempts_all(); i++) {
		if (attempt_at(i)->basic)
			tell(to, i, attempt_run(attempt_at(i)));
	}
}

/* Without walls these succeed: a test that forbids them proves something. */
static void
test_unconfined(void)
{
	struct told told;
	int from = -1, n = 0;
	pid_t child;

	set_up();
	child = start(NULL, try_basics, &from);
	while (read(from, &told, sizeof(told)) == sizeof(told)) {
		check_case(
		    "%s: %s", attempt_at(told.which)->name, strerror(told.os));
		CHECK(told.got >= 0);
		n++;
	}
	close(from);
	end(child);
	CHECK(n > 10);
	tear_down();
}

static void
use_guarded(const struct how *how, void (*run)(int to), size_t n)
{
	struct told told = { 0, 0, 0 };
	size_t tried = 0;
	int from = -1;
	pid_t child;

	set_up();
	child = start(how, run, &from);
	while (read(from, &told, sizeof(told)) == sizeof(told)) {
		check_case("landlock %d, use %zu: %s", how->version, told.which,
		    strerror(told.os));
		CHECK(told.got >= 0);
		tried++;
	}
	close(from);
	end(child);
	CHECK_U64(tried, n);
	tear_down();
}

static void
test_uses(void)
{
	for (int v = -1; v <= known_landlock; v++) {
		struct how reads = { .version = v, .seccomp = known_seccomp };
		struct how writes = {
			.version = v, .seccomp = known_seccomp, .writes = true
		};

		use_guarded(&reads, use_reading, 16);
		use_guarded(&writes, use_writing, 20);
		writes.grows = true;
		use_guarded(&writes, use_growing, 5);
		writes.grows = false;
		writes.in_place = true;
		use_guarded(&writes, use_changing, 8);
		reads.starts = true;
		use_guarded(&reads, use_starting, 10);
	}
}

static void
stay(int to)
{
	tell(to, 0, 0);
	sleep(60);
}

/* A set of capabilities of a process. */
static unsigned long long
powers_of(pid_t pid, const char *set)
{
	unsigned long long found = ~0ull;
	char path[64], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, set, strlen(set)) == 0)
			found = strtoull(line + strlen(set), NULL, 16);
	}
	if (f != NULL)
		fclose(f);
	return found;
}

/* Of the capabilities that root has, and would pass on, those stay that files need,
 * and none is passed on. */
static void
test_powers(void)
{
	static const struct how reads = { .version = -1, .seccomp = true };
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
		0 };
	struct __user_cap_data_struct had[2], all[2];
	struct told told;
	int from = -1;
	pid_t child;

	CHECK(syscall(SYS_capget, &head, had) == 0);
	memcpy(all, had, sizeof(all));
	for (size_t i = 0; i < 2; i++)
		all[i].inheritable = all[i].permitted;
	CHECK(syscall(SYS_capset, &head, all) == 0);
	set_up();
	child = start(&reads, stay, &from);
	CHECK(read(from, &told, sizeof(told)) == sizeof(told));
	CHECK((powers_of(child, "CapPrm:") & ~FOR_FILES) == 0);
	CHECK((powers_of(child, "CapEff:") & ~FOR_FILES) == 0);
	CHECK(powers_of(child, "CapInh:") == 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(from);
	tear_down();
	CHECK(syscall(SYS_capset, &head, had) == 0);
}

static void
look_at_replaced(int to)
{
	struct timespec moment = { 0, 1000 * 1000 };

	/* Confined: now the parent replaces it, and says so by the sidecar. */
	tell(to, 3, 0);
	while (access(sidecar, F_OK) == 0)
		nanosleep(&moment, NULL);
	tell(to, 0, slv_guard_refuses(input));
	tell(to, 1, slv_guard_refuses(secret));
	tell(to, 2, slv_guard_refuses(new));
}

/* The right is to the file that had the name. */
static void
test_replaced(void)
{
	static const struct how reads = { .version = -1, .seccomp = true };
	static const long want[] = { 1, 1, 0, 0 };
	struct told told;
	int from = -1, n = 0;
	pid_t child;

	if (known_landlock == 0)
		return;
	set_up();
	child = start(&reads, look_at_replaced, &from);
	while (read(from, &told, sizeof(told)) == sizeof(told)) {
		CHECK_I64(told.got, want[told.which]);
		if (n++ > 0)
			continue;
		rename(secret, input);
		scratch_write("secret", "key", 3);
		unlink(sidecar);
	}
	close(from);
	end(child);
	CHECK_I64(n, 4);
	tear_down();
}

/* Too few descriptors to look at the places: then no wall, not half a one. */
static void
use_after_failure(int to)
{
	static const struct how reads = { .version = -1, .seccomp = true };
	int last = -1, fd;

	while ((fd = dup(to)) >= 0)
		last = fd;
	close(last);     /* for the input */
	close(last - 1); /* for the wall itself; none for a gate */
	confine(&reads);
	close(last - 2);
	close(last - 3);
	tell(to, 0, open(input, O_RDONLY));
	tell(to, 1, open(secret, O_RDONLY));
}

static void
test_no_half(void)
{
	static const struct how none = { .version = 0 };

	use_guarded(&none, use_after_failure, 2);
}

static CU_TestInfo anywhere[] = {
	{ "unconfined", test_unconfined },
	CU_TEST_INFO_NULL,
};

static CU_TestInfo confined[] = {
	{ "confined", test_confined },
	{ "landlock alone", test_landlock_alone },
	{ "seccomp alone", test_seccomp_alone },
	{ "uses", test_uses },
	{ "powers", test_powers },
	{ "replaced", test_replaced },
	{ "no half", test_no_half },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "places", .pTests = place_tests },
	{ .pName = "anywhere", .pTests = anywhere },
	{ .pName = "confined", .pTests = confined },
	CU_SUITE_INFO_NULL,
};

/* What the program would put up here, from a child that did. */
static void
describe(char text[SLV_GUARD_TEXT])
{
	static const struct slv_guard_job nothing;
	int ends[2];

	memset(text, 0, SLV_GUARD_TEXT);
	if (pipe(ends) < 0)
		return;
	if (fork() == 0) {
		slv_guard_start(&nothing);
		slv_guard_describe(text);
		_exit(write(ends[1], text, SLV_GUARD_TEXT) < 0);
	}
	close(ends[1]);
	if (read(ends[0], text, SLV_GUARD_TEXT - 1) < 0)
		*text = '\0';
	close(ends[0]);
	wait(NULL);
}

int
main(void)
{
	char text[SLV_GUARD_TEXT];
	bool none;
	int r;

	describe(text);
	printf("sandbox: %s\n", text);
	none = strncmp(text, "none", 4) == 0;
	if (none)
		suites[2] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
	if (strstr(text, "ABI") != NULL)
		known_landlock = slv_landlock_version();
	known_seccomp = strstr(text, "seccomp") != NULL
	    && strstr(text, "no seccomp") == NULL;
	scratch_open();
	name_paths();
	attempt_input = input;
	attempt_secret = secret;
	attempt_new = new;
	attempt_made = made;
	r = slv_test_main(suites);
	scratch_close();
	return r == 0 && none ? SKIPPED : r;
}
