/* guard.c - a reader that has been taken over: what can it still do?
 *
 * Each test confines a child as the program confines itself, and lets it try.
 * Those of a wall that this kernel or this build does not have are left out;
 * 77 when there is none at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "guard/attempts.h"
#include "guard/guard.h"
#include "guard/places.h"
#include "guard/walls.h"
#include "io/sys.h"
#include "support/check.h"
#include "support/scratch.h"

#define SKIPPED 77

/* The walls of this machine. */
static int known_landlock;
static bool known_seccomp;

/* The paths that all tests use. */
#define PATH 700 /* bytes */
static char input[PATH], sidecar[PATH], secret[PATH], new[PATH];
static char folder[PATH], made[PATH], done[PATH];

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
	bool seccomp, writes, in_place;
};

static void
name(char *to, const char *base)
{
	snprintf(to, PATH, "%s", scratch_path(base));
}

static void
set_up(void)
{
	scratch_clean();
	scratch_write("in.bddf", "log", 3);
	scratch_write("in.bddf.salvor.json", "{}", 2);
	scratch_write("secret", "key", 3);
	mkdir(folder, 0700);
}

static void
tear_down(void)
{
	unlink(made);
	unlink(done);
	rmdir(folder);
	scratch_clean();
}

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
		.in_place = how->in_place,
	};
	struct slv_guard_job job = {
		.files = files,
		.n_files = 1,
		.opt = &opt,
		.repairs = how->writes,
	};
	int wall;

	attempt_fd = open(input, O_RDONLY);
	if (how->version < 0) {
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
	return !how->seccomp
	    || slv_seccomp_up(how->in_place ? SLV_MAY_CHANGE
	            : how->writes           ? SLV_MAY_MAKE
	                                    : SLV_MAY_READ);
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

static void
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
static bool due[64];

static void
try_due(int to)
{
	for (size_t i = 0; i < n_attempts; i++) {
		if (due[i])
			tell(to, i, attempts[i].run());
	}
}

static void
try_behind(const struct how *how, const char *which)
{
	size_t tried = 0, n = 0;
	struct told told;
	int from = -1;
	pid_t child;

	set_up();
	for (size_t i = 0; i < n_attempts; i++) {
		unsigned by =
		    how->writes ? attempts[i].writing : attempts[i].reading;

		due[i] = (by & walls_of(how)) != 0;
		n += due[i];
	}
	child = start(how, try_due, &from);
	while (read(from, &told, sizeof(told)) == sizeof(told)) {
		check_case("%s: %s: %ld, %s", which, attempts[told.which].name,
		    told.got, strerror(told.os));
		CHECK(is_refusal(&told));
		tried++;
	}
	close(from);
	check_case("%s", which);
	end(child);
	CHECK_U64(tried, n);
	CHECK(n > 0);
	CHECK(scratch_holds("in.bddf", "log", 3));
	CHECK(scratch_holds("secret", "key", 3));
	CHECK(!scratch_has("new"));
	tear_down();
}

static void
test_confined(void)
{
	static const struct how reads = { -1, true, false, false };
	static const struct how writes = { -1, true, true, false };

	try_behind(&reads, "as the program, reading");
	try_behind(&writes, "as the program, writing");
}

/* A kernel of any version must do. */
static void
test_landlock_alone(void)
{
	char which[64];

	for (int v = 1; v <= known_landlock; v++) {
		for (int writes = 0; writes < 2; writes++) {
			struct how how = { v, false, writes != 0, false };

			snprintf(which, sizeof(which), "landlock %d, %s", v,
			    writes ? "writing" : "reading");
			try_behind(&how, which);
		}
	}
}

static void
test_seccomp_alone(void)
{
	static const struct how reads = { 0, true, false, false };
	static const struct how writes = { 0, true, true, false };

	if (!known_seccomp)
		return;
	try_behind(&reads, "seccomp alone, reading");
	try_behind(&writes, "seccomp alone, writing");
}

static void
try_basics(int to)
{
	for (size_t i = 0; i < n_attempts; i++) {
		if (attempts[i].basic)
			tell(to, i, attempts[i].run());
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
		    "%s: %s", attempts[told.which].name, strerror(told.os));
		CHECK(told.got >= 0);
		n++;
	}
	close(from);
	end(child);
	CHECK(n > 10);
	tear_down();
}

/* What a job is there for: every call of slv_sys. */
static void
use_reading(int to)
{
	struct stat st;
	struct statvfs vfs;
	char text[64];

	tell(to, 0, slv_sys.open(input, O_RDONLY, 0));
	tell(to, 1, slv_sys.open(sidecar, O_RDONLY, 0));
	tell(to, 2, slv_sys.stat(secret, &st));
	tell(to, 3, slv_sys.fcntl(attempt_fd, F_SETSIG, SIGURG));
	tell(to, 4, slv_sys.dup(attempt_fd));
	tell(to, 5, slv_sys.pread(attempt_fd, text, 3, 0) - 3);
	tell(to, 6, slv_guard_refuses(input) ? -1 : 0);
	tell(to, 7, slv_sys.fstat(attempt_fd, &st));
	tell(to, 8, slv_sys.statvfs(folder, &vfs));
	tell(to, 9, slv_sys.readlink("/proc/self/exe", text, sizeof(text)));
	tell(to, 10, slv_sys.lseek(attempt_fd, 0, SEEK_END) - 3);
	tell(to, 11, slv_sys.wait(attempt_fd) - 1);
	tell(to, 12, slv_sys.read(attempt_fd, text, 3));
	tell(to, 13, slv_sys.random(text, 3) - 3);
	tell(to, 14, slv_sys.onward(attempt_fd));
	tell(to, 15, slv_sys.close(attempt_fd));
}

/* Not every file system can; the answer must be its own. */
static long
unless_refused(long got)
{
	return got < 0 && (errno == EPERM || errno == EACCES) ? -1 : 0;
}

static void
use_writing(int to)
{
	struct timespec times[2] = { { 1, 0 }, { 1, 0 } };
	int fd = slv_sys.open(made, O_RDWR | O_CREAT | O_EXCL, 0600);
	char list[256];

	tell(to, 0, fd);
	tell(to, 1, slv_sys.write(fd, "mended", 6) - 6);
	tell(to, 2, slv_sys.fchmod(fd, 0640));
	tell(to, 3, slv_sys.fchown(fd, getuid(), getgid()));
	tell(to, 4, slv_sys.futimens(fd, times));
	tell(to, 5, slv_sys.flistxattr(fd, list, sizeof(list)));
	tell(to, 6, unless_refused(slv_sys.fgetxattr(fd, "user.x", list, 1)));
	tell(to, 7, unless_refused(slv_sys.fsetxattr(fd, "user.x", "x", 1)));
	tell(to, 8, unless_refused(slv_sys.clone(fd, attempt_fd)));
	tell(to, 9,
	    unless_refused(slv_sys.open(folder, O_RDWR | O_TMPFILE, 0600)));
	tell(to, 10, slv_sys.link(made, done));
	tell(to, 11, slv_sys.unlink(done));
	tell(to, 12, slv_sys.rename(made, done));
	tell(to, 13, slv_sys.open(done, O_RDONLY, 0));
	tell(to, 14,
	    slv_sys.fsync(slv_sys.open(folder, O_RDONLY | O_DIRECTORY, 0)));
	tell(to, 15, slv_sys.open(input, O_RDONLY, 0));
	tell(to, 16, slv_sys.rename_new(done, made));
	tell(to, 17, unless_refused(slv_sys.flush(fd, 0, 6)));
	tell(to, 18, slv_sys.ftruncate(fd, 3));
}

/* And of one that changes its input. */
static void
use_changing(int to)
{
	char text[PATH];
	int fd = slv_sys.open(input, O_RDWR, 0);

	tell(to, 0, fd);
	tell(to, 1, slv_sys.lock(fd));
	tell(to, 2, unless_refused(slv_sys.reserve(fd, 3, 100)));
	tell(to, 3, slv_sys.pwrite(fd, "gol", 3, 3) - 3);
	tell(to, 4, slv_sys.ftruncate(fd, 4));
	tell(to, 5, slv_sys.realpath(folder, text) != NULL ? 0 : -1);
	tell(to, 6, slv_sys.symlink("secret", new));
	tell(to, 7, slv_sys.unlink(new));
}

static void
use_behind(const struct how *how, void (*run)(int to), size_t n)
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
		struct how reads = { v, known_seccomp, false, false };
		struct how writes = { v, known_seccomp, true, false };

		use_behind(&reads, use_reading, 16);
		use_behind(&writes, use_writing, 19);
		writes.in_place = true;
		use_behind(&writes, use_changing, 8);
	}
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
	static const struct how reads = { -1, true, false, false };
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
	static const struct how reads = { -1, true, false, false };
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
	static const struct how none = { 0, false, false, false };

	use_behind(&none, use_after_failure, 2);
}

/* Places, as "r PATH", "l PATH", "w PATH", "m PATH" or "c PATH", a line each. */
static bool
note(void *ctx, const char *path, enum slv_right right)
{
	static const char letters[] = "rlwmc";

	slv_buf_printf(ctx, "%c %s\n", letters[right], path);
	return true;
}

static void
check_places(const struct slv_guard_job *job, const char *want)
{
	struct slv_buf got = { 0 };
	char *text;

	CHECK(slv_places(job, note, &got));
	text = slv_buf_take(&got);
	CHECK_STR(text, want);
	free(text);
}

/* What follows from a command line. */
static void
test_places(void)
{
	static char a[] = "/a.bddf", c[] = "d/c.bddf", standard[] = "-",
	            bag[] = "x.bag";
	static char *files[] = { a, c }, *piped[] = { standard };
	struct slv_options opt = { 0 };
	struct slv_guard_job job = {
		.files = files, .n_files = 2, .opt = &opt
	};

	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n"
	    "r d/c.bddf\nr d/c.bddf.salvor.json\n"
	    "r d/c.bddf.salvor-undo\n");
	job.report = "e/r.json";
	job.sums = "s";
	job.n_files = 1;
	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n"
	    "m e\nw e/r.json\nm .\nw s\n");
	job.report = job.sums = NULL;
	files[0] = bag;
	check_places(&job,
	    "r x.bag\nr x.bag.salvor.json\nr x.bag.salvor-undo\n"
	    "r x.orig.bag\nr x.orig.bag.salvor-undo\n"
	    "r x.bag.orig.active\nr x.bag.orig.active.salvor-undo\n");
	files[0] = a;
	job.repairs = true;
	check_places(&job,
	    "m /\nw /a.repaired.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.dry_run = true;
	check_places(&job,
	    "r /a.repaired.bddf\nr /a.repaired.bddf.salvor.json\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.split = true;
	opt.save_dropped = "saved";
	check_places(&job,
	    "r /a.repaired.bddf\nr /a.repaired.bddf.salvor.json\nl /\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\nl saved\n");
	opt.dry_run = false;
	check_places(&job,
	    "m /\nw /a.repaired.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\nm saved\n");
	opt = (struct slv_options){ .output = "-" };
	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt = (struct slv_options){ .output_dir = "out/" };
	check_places(&job,
	    "m out\nw out/a.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");

	/* In place the folder is changed, and that of the record. */
	opt = (struct slv_options){ .in_place = true };
	check_places(&job,
	    "c /\nc /\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.undo_file = "u/r";
	check_places(&job,
	    "c /\nc /\nc /\nc u\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.dry_run = true;
	check_places(&job,
	    "r u/r\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");

	/* Standard input may have to be kept somewhere. */
	job.files = piped;
	opt = (struct slv_options){ .output = "o/x" };
	check_places(&job, "m o\nw o/x\nm o\n");
	opt.output = "-";
	opt.temp_dir = "t";
	check_places(&job, "m t\n");
	job.repairs = false;
	opt.temp_dir = NULL;
	check_places(&job, "m /tmp\n");
	job.repairs = true;
	opt.output = NULL;
	check_places(&job, "m /tmp\n");

	/* Reports are read alone: nothing belongs to them. */
	files[0] = standard;
	job = (struct slv_guard_job){
		.files = files, .n_files = 2, .plain = true, .html = "h/p.html"
	};
	check_places(&job, "r d/c.bddf\nm h\nw h/p.html\n");
}

/* The output is where a link points. */
static void
test_places_link(void)
{
	static char *files[] = { input };
	struct slv_options opt = { .output = done };
	struct slv_guard_job job = {
		.files = files, .n_files = 1, .opt = &opt, .repairs = true
	};
	char want[6 * PATH];

	set_up();
	CHECK_I64(symlink("../out.bddf", done), 0);
	snprintf(want, sizeof(want),
	    "m %s/..\nw %s/../out.bddf\nr %s\nr %s\nr %s.salvor-undo\n", folder,
	    folder, input, sidecar, input);
	check_places(&job, want);
	tear_down();
}

static CU_TestInfo anywhere[] = {
	{ "places", test_places },
	{ "places by a link", test_places_link },
	{ "unconfined", test_unconfined },
	CU_TEST_INFO_NULL,
};

static CU_TestInfo confined[] = {
	{ "confined", test_confined },
	{ "landlock alone", test_landlock_alone },
	{ "seccomp alone", test_seccomp_alone },
	{ "uses", test_uses },
	{ "replaced", test_replaced },
	{ "no half", test_no_half },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
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
		suites[1] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
	if (strstr(text, "ABI") != NULL)
		known_landlock = slv_landlock_version();
	known_seccomp = strstr(text, "seccomp") != NULL
	    && strstr(text, "no seccomp") == NULL;
	scratch_open();
	name(input, "in.bddf");
	name(sidecar, "in.bddf.salvor.json");
	name(secret, "secret");
	name(new, "new");
	name(folder, "folder");
	name(made, "folder/made");
	name(done, "folder/done");
	attempt_input = input;
	attempt_secret = secret;
	attempt_new = new;
	attempt_made = made;
	r = slv_test_main(suites);
	scratch_close();
	return r == 0 && none ? SKIPPED : r;
}
