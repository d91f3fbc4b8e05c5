/* test_sink_atomic.c - a file that appears complete, or never. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/sys.h"
#include "io/write/sink.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

/* Publish "new" as "out". */
static enum slv_status
publish(bool replace, const struct stat *like, struct slv_err *err)
{
	struct slv_target target = {
		.path = scratch_path("out"), .replace = replace, .like = like
	};
	struct slv_sink *s = NULL;

	SLV_TRY(slv_sink_atomic(&target, &s, err));
	if (s->ops->write(s, "new", 3, err) != SLV_OK) {
		s->ops->discard(s);
		return err->code;
	}
	return s->ops->commit(s, err);
}

static void
appears_at_commit(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };
	mode_t mask = umask(0);
	struct stat st;

	(void)umask(mask);
	if (!CHECK_OK(slv_sink_atomic(&target, &s, &err), &err))
		return;
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	CHECK(!scratch_has("out"));
	CHECK_U64(scratch_count(".salvor-"), 1);
	CHECK_OK(s->ops->commit(s, &err), &err);
	CHECK(scratch_holds("out", "new", 3));
	CHECK_U64(scratch_count(""), 1);
	CHECK(stat(scratch_path("out"), &st) == 0);
	CHECK_U64(st.st_mode & 0777, 0666 & ~mask);
	scratch_clean();
}

static void
never_after_discard(void)
{
	struct slv_target target = { .path = scratch_path("out"),
		.replace = true };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	scratch_write("out", "old", 3);
	if (!CHECK_OK(slv_sink_atomic(&target, &s, &err), &err))
		return;
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	s->ops->discard(s);
	CHECK(scratch_holds("out", "old", 3));
	CHECK_U64(scratch_count(""), 1);
	scratch_clean();
}

/* The target came into being after we looked: it is not lost. */
static void
a_race_is_refused(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	if (!CHECK_OK(slv_sink_atomic(&target, &s, &err), &err))
		return;
	scratch_write("out", "theirs", 6);
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	CHECK_STATUS(s->ops->commit(s, &err), SLV_E_EXISTS, &err);
	CHECK(scratch_holds("out", "theirs", 6));
	CHECK_U64(scratch_count(""), 1);
	err = (struct slv_err){ 0 };
	CHECK_OK(publish(true, NULL, &err), &err);
	CHECK(scratch_holds("out", "new", 3));
	scratch_clean();
}

/* Published while calls fail, and nothing is replaced the second time. */
static void
check_once(struct fake_plan *plan)
{
	struct slv_err err = { 0 };

	fake_on(plan);
	CHECK_OK(publish(false, NULL, &err), &err);
	CHECK(scratch_holds("out", "new", 3));
	CHECK_U64(scratch_count(""), 1);
	CHECK_STATUS(publish(false, NULL, &err), SLV_E_EXISTS, &err);
	fake_off(NULL);
	CHECK(scratch_holds("out", "new", 3));
	CHECK_U64(scratch_count(""), 1);
	scratch_clean();
}

/* NFS has no RENAME_NOREPLACE: a hard link does the same. */
static void
without_rename_flags(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = EINVAL };

	plan.calls = FAKE_BIT(FAKE_RENAME_NEW);
	check_once(&plan);
}

/* FAT has no hard links either; still nothing is replaced, and nothing is left
 * under the name when it fails. */
static void
without_hard_links(void)
{
	struct fake_plan plan = { .k = 1, .onward = true, .os = ENOTSUP };
	struct slv_err err = { 0 };

	plan.calls = FAKE_BIT(FAKE_RENAME_NEW) | FAKE_BIT(FAKE_LINK);
	check_once(&plan);
	plan.calls |= FAKE_BIT(FAKE_RENAME);
	fake_on(&plan);
	CHECK_STATUS(publish(false, NULL, &err), SLV_E_IO, &err);
	fake_off(NULL);
	CHECK_U64(scratch_count(""), 0);
	scratch_clean();
}

/* What a quota says only at the end fails the file. */
static void
full_at_close(void)
{
	static const int errnos[] = { EDQUOT, ENOSPC };
	struct fake_plan plan = { .k = 1, .calls = FAKE_BIT(FAKE_CLOSE) };

	for (int i = 0; i < 2; i++) {
		struct slv_err err = { 0 };

		plan.os = errnos[i];
		fake_on(&plan);
		CHECK_STATUS(publish(false, NULL, &err), SLV_E_IO, &err);
		fake_off(NULL);
		CHECK_I64(err.os, errnos[i]);
		CHECK_U64(scratch_count(""), 0);
	}
}

static int
fake_reflink(int to, int from)
{
	char buf[8];
	ssize_t n = pread(from, buf, sizeof(buf), 0);

	return n > 0 && write(to, buf, (size_t)n) == n ? 0 : -1;
}

static void
clones_where_it_can(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_source *from = NULL;
	struct slv_sys real = slv_sys;
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };
	struct stat st;

	scratch_write("in", "abc", 3);
	CHECK_OK(slv_source_file(scratch_path("in"), &from, &st, &err), &err);
	if (!CHECK_OK(slv_sink_atomic(&target, &s, &err), &err))
		return;
	slv_sys.clone = fake_reflink;
	CHECK(s->ops->clone(s, from));
	slv_sys = real;
	CHECK_OK(s->ops->commit(s, &err), &err);
	CHECK(scratch_holds("out", "abc", 3));
	slv_source_close(from);
	scratch_clean();
}

static void
mode_and_times_are_carried_over(void)
{
	struct stat like = { .st_mode = S_IFREG | 0640 }, st;
	struct slv_err err = { 0 };

	like.st_uid = getuid();
	like.st_gid = getgid();
	like.st_mtim.tv_sec = 1000000007;
	CHECK_OK(publish(false, &like, &err), &err);
	CHECK(stat(scratch_path("out"), &st) == 0);
	CHECK_U64(st.st_mode & 0777, 0640);
	CHECK_I64(st.st_mtim.tv_sec, 1000000007);
	scratch_clean();
}

/* A killed process does not lose the page cache, so that only the order of
 * the calls shows whether a power loss would be survived. */
static void
order_of_calls(void)
{
	struct fake_plan plan = { 0 };
	struct fake_result result;
	struct slv_err err = { 0 };
	struct stat like = { .st_mode = 0644 };

	like.st_uid = getuid();
	like.st_gid = getgid();
	fake_on(&plan);
	CHECK_OK(publish(false, &like, &err), &err);
	fake_off(&result);
	CHECK_STR(result.trace,
	    "open open fstat lock look write fchown fchmod futimens fsync dup "
	    "close look rename_new open fsync close close close");
	fake_on(&plan);
	CHECK_OK(publish(true, NULL, &err), &err);
	fake_off(&result);
	CHECK_STR(result.trace,
	    "open open fstat lock look write fsync dup close look rename open "
	    "fsync close close close");
	scratch_clean();
}

static int
open_nothing_new(int dir, const char *path, int flags, mode_t mode)
{
	if (flags & O_DIRECTORY)
		return openat(dir, path, flags);
	(void)flags;
	(void)mode;
	errno = EEXIST;
	return -1;
}

static void
names_that_are_taken(void)
{
	struct slv_err err = { 0 };
	struct slv_sys real = slv_sys;

	slv_sys.open = open_nothing_new;
	CHECK_STATUS(publish(false, NULL, &err), SLV_E_IO, &err);
	slv_sys = real;
	CHECK_I64(err.os, EEXIST);
	CHECK_U64(scratch_count(""), 0);
}

/* Many write the same output at once: none is in the way of another. */
static void
at_once(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_sink *s[9] = { NULL };
	struct slv_err err = { 0 };
	size_t n = sizeof(s) / sizeof(*s);

	for (size_t i = 0; i < n; i++)
		CHECK_OK(slv_sink_atomic(&target, &s[i], &err), &err);
	CHECK_U64(scratch_count(".salvor-"), n);
	for (size_t i = 1; i < n; i++)
		s[i]->ops->discard(s[i]);
	CHECK_OK(s[0]->ops->commit(s[0], &err), &err);
	CHECK(scratch_holds("out", "", 0));
	CHECK_U64(scratch_count(""), 1);
	scratch_clean();
}

/* A process is gone while it writes an output. */
static void
leave_one(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };
	pid_t child = fork();

	if (child == 0)
		_exit(slv_sink_atomic(&target, &s, &err) == SLV_OK ? 0 : 1);
	CHECK(child > 0 && waitpid(child, NULL, 0) == child);
}

/* The only temporary that is there. */
static const char *
find_left(void)
{
	static char name[64];
	DIR *d = opendir(scratch_path("."));
	struct dirent *e;

	*name = '\0';
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (strncmp(e->d_name, ".salvor-", 8) == 0)
			snprintf(name, sizeof(name), "%.60s", e->d_name);
	}
	if (d != NULL)
		closedir(d);
	return scratch_path(name);
}

/* What another process put in the place of the temporary is not published. */
static void
another_has_its_name(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	CHECK_OK(slv_sink_atomic(&target, &s, &err), &err);
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	scratch_write("other", "theirs", 6);
	CHECK(rename(scratch_path("other"), find_left()) == 0);
	CHECK_STATUS(s->ops->commit(s, &err), SLV_E_IO, &err);
	CHECK(!scratch_has("out"));
	CHECK_U64(scratch_count(".salvor-"), 1);
	scratch_clean();
}

/* What a killed process left goes with the next run, and nothing else. */
static void
leftovers(void)
{
	struct slv_err err = { 0 };
	char name[600];
	int fd;

	for (int i = 0; i < 3; i++) {
		leave_one();
		CHECK_U64(scratch_count(".salvor-"), 1);
	}
	CHECK_OK(publish(true, NULL, &err), &err);
	CHECK_U64(scratch_count(""), 1);
	/* A process has it. */
	leave_one();
	fd = open(find_left(), O_RDONLY);
	CHECK(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
	CHECK_OK(publish(true, NULL, &err), &err);
	CHECK_U64(scratch_count(".salvor-"), 1);
	close(fd);
	/* Another user's. */
	if (geteuid() == 0) {
		CHECK(chown(find_left(), 12345, 12345) == 0);
		CHECK_OK(publish(true, NULL, &err), &err);
		CHECK_U64(scratch_count(".salvor-"), 1);
	}
	/* A link has its name. */
	scratch_write("other", "theirs", 6);
	snprintf(name, sizeof(name), "%s", find_left());
	CHECK(unlink(name) == 0 && symlink("other", name) == 0);
	CHECK_OK(publish(true, NULL, &err), &err);
	CHECK(scratch_holds("other", "theirs", 6));
	CHECK_U64(scratch_count(".salvor-"), 1);
	scratch_clean();
}

/* Whatever call fails: the target is old or complete, nothing else is left,
 * and success is only claimed for a complete one. */
static void
each_call_fails(void)
{
	static const int errnos[] = { EIO, ENOSPC, ENOMEM };
	struct fake_plan plan = { .calls = ~0u };

	for (int round = 0; round < 12; round++) {
		struct fake_result result = { .fired = 1 };
		bool replace = round & 1;

		plan.onward = round >> 1 & 1;
		plan.os = errnos[round / 4];
		for (plan.k = 1; result.fired > 0 && !check_enough();
		     plan.k++) {
			struct slv_err err = { 0 };
			enum slv_status st;

			if (replace)
				scratch_write("out", "old", 3);
			check_case("errno %d, call %u, onward %d, replace %d",
			    plan.os, plan.k, plan.onward, replace);
			fake_on(&plan);
			st = publish(replace, NULL, &err);
			fake_off(&result);
			CHECK_STATUS(err.code, st, &err);
			CHECK(scratch_holds("out", "new", 3)
			    || (st != SLV_OK
			        && (replace ? scratch_holds("out", "old", 3)
			                    : !scratch_has("out"))));
			/* Where it cannot be removed, it stays. */
			CHECK(scratch_count(".salvor-") == 0
			    || result.struck & FAKE_BIT(FAKE_UNLINK));
			scratch_clean();
		}
	}
	check_case("%s", "");
}

/* A sink for "a/b/out", whose directories are not there. */
static struct slv_sink *
open_below(struct slv_err *err)
{
	struct slv_target target = { .path = scratch_path("a/b/out"),
		.make_dirs = true };
	struct slv_sink *s = NULL;

	slv_sink_atomic(&target, &s, err);
	return s;
}

static void
directories_are_made(void)
{
	struct slv_target target = { .path = scratch_path("a/b/out") };
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	CHECK_STATUS(slv_sink_atomic(&target, &s, &err), SLV_E_IO, &err);
	CHECK_U64(scratch_count(""), 0);
	err = (struct slv_err){ 0 };
	s = open_below(&err);
	if (!CHECK_OK(err.code, &err))
		return;
	s->ops->discard(s);
	CHECK_U64(scratch_count(""), 0);
	s = open_below(&err);
	if (!CHECK_OK(err.code, &err))
		return;
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	CHECK_OK(s->ops->commit(s, &err), &err);
	CHECK(scratch_holds("a/b/out", "new", 3));
	scratch_remove("a/b/out");
	CHECK(rmdir(scratch_path("a/b")) == 0 && rmdir(scratch_path("a")) == 0);
}

static void
only_empty_directories_go(void)
{
	struct slv_err err = { 0 };
	struct slv_sink *s = open_below(&err);

	if (!CHECK_OK(err.code, &err))
		return;
	scratch_write("a/theirs", "x", 1);
	s->ops->discard(s);
	CHECK(scratch_holds("a/theirs", "x", 1));
	CHECK(!scratch_has("a/b"));
	scratch_remove("a/theirs");
	CHECK(rmdir(scratch_path("a")) == 0);
}

/* Another process removes the directory, in which nothing is yet, when it has
 * just been made. */
static void
a_directory_may_go_again(void)
{
	struct fake_plan plan = {
		.k = 2,
		.calls = FAKE_BIT(FAKE_OPEN),
		.os = ENOENT,
	};
	struct fake_result result;
	struct slv_err err = { 0 };
	struct slv_sink *s;

	fake_on(&plan);
	s = open_below(&err);
	fake_off(&result);
	CHECK_U64(result.fired, 1);
	if (!CHECK_OK(err.code, &err))
		return;
	s->ops->discard(s);
	rmdir(scratch_path("a/b"));
	rmdir(scratch_path("a"));
	CHECK_U64(scratch_count(""), 0);
}

static void
each_call_fails_below(void)
{
	struct fake_plan plan = { .calls = UINT64_MAX, .os = EIO };
	struct fake_result result = { .fired = 1 };

	for (plan.k = 1; result.fired > 0 && !check_enough(); plan.k++) {
		struct slv_err err = { 0 };
		struct slv_sink *s;

		check_case("call %u", plan.k);
		fake_on(&plan);
		s = open_below(&err);
		CHECK((s != NULL) == (err.code == SLV_OK));
		if (s != NULL && s->ops->write(s, "new", 3, &err) == SLV_OK)
			s->ops->commit(s, &err);
		else if (s != NULL)
			s->ops->discard(s);
		fake_off(&result);
		if (err.code == SLV_OK)
			CHECK(scratch_holds("a/b/out", "new", 3));
		scratch_remove("a/b/out");
		rmdir(scratch_path("a/b"));
		rmdir(scratch_path("a"));
		CHECK(scratch_count("") == 0
		    || result.struck & FAKE_BIT(FAKE_UNLINK));
	}
	check_case("%s", "");
}

static void
reread_sees_what_was_written(void)
{
	struct slv_target target = { .path = scratch_path("out") };
	struct slv_source *source = NULL;
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };
	uint8_t buf[3] = { 0 };

	if (!CHECK_OK(slv_sink_atomic(&target, &s, &err), &err))
		return;
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	if (CHECK_OK(s->ops->reread(s, &source, &err), &err)) {
		CHECK_U64(source->size, 3);
		CHECK_OK(slv_source_read(source, 0, buf, 3, &err), &err);
		CHECK_BYTES(buf, 3, "new", 3);
		slv_source_close(source);
	}
	s->ops->discard(s);
	CHECK_U64(scratch_count(""), 0);
}

CU_TestInfo sink_atomic_tests[] = {
	{ "appears at commit", appears_at_commit },
	{ "never after discard", never_after_discard },
	{ "a race is refused", a_race_is_refused },
	{ "without rename flags", without_rename_flags },
	{ "without hard links", without_hard_links },
	{ "full at close", full_at_close },
	{ "clones where it can", clones_where_it_can },
	{ "mode and times are carried over", mode_and_times_are_carried_over },
	{ "the order of calls", order_of_calls },
	{ "names that are taken", names_that_are_taken },
	{ "another has its name", another_has_its_name },
	{ "each call fails", each_call_fails },
	{ "directories are made", directories_are_made },
	{ "only empty directories go", only_empty_directories_go },
	{ "a directory may go again", a_directory_may_go_again },
	{ "each call fails below", each_call_fails_below },
	{ "reread sees what was written", reread_sees_what_was_written },
	{ "at once", at_once },
	{ "leftovers", leftovers },
	CU_TEST_INFO_NULL,
};
