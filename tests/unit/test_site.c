/* test_site.c - names in open folders, and whose files count.
 *
 * One file of each test belongs to another user: slv_sys says so, because only
 * root can give files away.
 */
#include "io/names/site.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/names/link.h"
#include "io/names/named.h"
#include "io/sys.h"
#include "io/write/place.h"
#include "io/write/sink.h"
#include "io/write/temp.h"
#include "job/inplace/undo.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define PATH 700 /* bytes of a path */

static struct slv_sys real;
static ino_t theirs; /* the file of another user */

static int
give(int bad, struct stat *st)
{
	if (bad == 0 && st->st_ino == theirs)
		st->st_uid = geteuid() + 1;
	return bad;
}

static int
theirs_look(int dir, const char *name, struct stat *st)
{
	return give(real.look(dir, name, st), st);
}

static int
theirs_fstat(int fd, struct stat *st)
{
	return give(real.fstat(fd, st), st);
}

static int
theirs_stat(const char *path, struct stat *st)
{
	return give(real.stat(path, st), st);
}

/* From now on a name in the scratch folder, a link as such, is theirs. */
static void
give_away(const char *name)
{
	struct stat st;

	CHECK(lstat(scratch_path(name), &st) == 0);
	theirs = st.st_ino;
	real = slv_sys;
	slv_sys.look = theirs_look;
	slv_sys.fstat = theirs_fstat;
	slv_sys.stat = theirs_stat;
}

static void
take_back(void)
{
	slv_sys = real;
}

/* Owner, mode and kind, with every log. */
static void
doubts(void)
{
	static const struct {
		uid_t owner, log_owner; /* as seen from the caller's */
		mode_t mode, log_mode;
		bool same_group, good;
	} rows[] = {
		{ 0, 0, 0644, 0644, true, true },
		{ 0, 7, 0600, 0644, true, true },
		{ 7, 7, 0644, 0644, true, true },
		{ 7, 0, 0644, 0644, true, false },
		{ 7, 8, 0644, 0644, true, false },
		{ 0, 0, 0664, 0644, true, false },
		{ 0, 0, 0646, 0644, true, false },
		{ 0, 0, 0664, 0664, true, true },
		{ 0, 0, 0664, 0664, false, false },
		{ 0, 0, 0666, 0664, true, false },
		{ 0, 0, 0777, 0777, false, true },
		{ 7, 0, 0777, 0777, true, false },
	};
	uid_t me = geteuid();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct stat of = { .st_mode = S_IFREG | rows[i].log_mode };
		struct stat it = { .st_mode = S_IFREG | rows[i].mode };

		check_case("row %u", (unsigned)i);
		it.st_uid = me + rows[i].owner;
		of.st_uid = me + rows[i].log_owner;
		it.st_gid = of.st_gid + !rows[i].same_group;
		CHECK((slv_site_doubt(&it, &of) == NULL) == rows[i].good);
		/* Without a log the caller's alone counts. */
		CHECK((slv_site_doubt(&it, NULL) == NULL)
		    == (rows[i].owner == 0 && (rows[i].mode & 022) == 0));
		it.st_mode = S_IFIFO | 0600;
		CHECK(slv_site_doubt(&it, &of) != NULL);
		it.st_mode = S_IFLNK | 0777;
		CHECK(slv_site_doubt(&it, &of) != NULL);
		it.st_mode = S_IFDIR | 0700;
		CHECK(slv_site_doubt(&it, &of) != NULL);
	}
	check_case("%s", "");
}

/* What is removed is what was looked at. */
static void
removes_no_other(void)
{
	struct slv_err err = { 0 };
	struct slv_site site;
	struct stat st;

	scratch_write("a", "one", 3);
	scratch_write("b", "two", 3);
	CHECK_OK(slv_site_open(&site, scratch_path("a"), &err), &err);
	CHECK(slv_site_look(&site, &st) == 0);
	CHECK(rename(scratch_path("b"), scratch_path("a")) == 0);
	CHECK_STATUS(slv_site_remove(&site, &st, &err), SLV_E_ACTIVE, &err);
	CHECK(scratch_holds("a", "two", 3));
	CHECK(slv_site_look(&site, &st) == 0);
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_site_remove(&site, &st, &err), &err);
	CHECK_OK(slv_site_remove(&site, &st, &err), &err);
	CHECK(!scratch_has("a"));
	slv_site_close(&site);
	/* In a folder that is not there is nothing. */
	CHECK_OK(slv_site_open(&site, scratch_path("none/a"), &err), &err);
	CHECK(slv_site_look(&site, &st) < 0 && errno == ENOENT);
	slv_site_close(&site);
}

/* With a record in another folder, or of another name, the link next to the log goes with
 * it, but not one that leads to another record by now. */
static void
removes_its_own_link(void)
{
	static const char *const leads_to[] = { "record", "other", "none" };

	scratch_write("other", "y", 1);
	for (size_t i = 0; i < 3; i++) {
		struct slv_undo_names n;
		struct slv_err err = { 0 };
		struct stat it;
		char log[512];

		check_case("to %s", leads_to[i]);
		snprintf(log, sizeof(log), "%s", scratch_path("log"));
		scratch_write("record", "x", 1);
		CHECK(symlink("record", scratch_path("log.salvor-undo")) == 0);
		CHECK_OK(slv_undo_names(&n, log, NULL, &err), &err);
		CHECK(n.apart);
		CHECK(stat(n.record, &it) == 0);
		scratch_remove("log.salvor-undo");
		CHECK(
		    symlink(leads_to[i], scratch_path("log.salvor-undo")) == 0);
		CHECK_OK(slv_undo_remove(&n, &it, &err), &err);
		CHECK(!scratch_has("record"));
		CHECK(scratch_has("other"));
		CHECK_U64(scratch_count("log.salvor-undo"), i > 0);
		slv_undo_names_free(&n);
		if (i > 0)
			scratch_remove("log.salvor-undo");
	}
	check_case("%s", "");
	scratch_clean();
}

/* Make the folder "here" with a file "a", and of the one that had the name "moved". */
static void
exchange_folder(const char *text)
{
	(void)rename(scratch_path("here"), scratch_path("moved"));
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	scratch_write("here/a", text, strlen(text));
}

static bool
is_moved(const struct stat *it)
{
	struct stat st;

	return stat(scratch_path("moved/a"), &st) == 0
	    && slv_site_same(it, &st);
}

static void
replace_at(const struct slv_site *site)
{
	struct slv_target target = {
		.path = site->path, .at = site, .replace = true
	};
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };

	CHECK_OK(slv_sink_atomic(&target, &s, &err), &err);
	if (s == NULL)
		return;
	CHECK_OK(s->ops->write(s, "new", 3, &err), &err);
	CHECK_OK(s->ops->commit(s, &err), &err);
	CHECK(scratch_holds("moved/a", "new", 3));
}

/* A folder is opened once: when another one has its name, everything is still about
 * the first. */
static void
stays_in_its_folder(void)
{
	struct slv_err err = { 0 };
	struct slv_place place;
	struct slv_site site;
	struct slv_temp temp;
	struct stat st;
	char path[PATH], name[PATH];
	int fd;

	exchange_folder("one");
	snprintf(path, sizeof(path), "%s", scratch_path("here/a"));
	CHECK_OK(slv_site_open(&site, path, &err), &err);
	exchange_folder("two");
	CHECK(slv_site_look(&site, &st) == 0 && is_moved(&st));
	CHECK_OK(slv_site_file(&site, O_RDONLY, &fd, &st, &err), &err);
	CHECK(is_moved(&st));
	close(fd);
	CHECK_OK(slv_place_open(&place, &site, &err), &err);
	CHECK(is_moved(&place.st));
	slv_place_close(&place);
	CHECK_OK(slv_temp_create(&site, 0600, &temp, &err), &err);
	snprintf(name, sizeof(name), "moved/%s", temp.name);
	CHECK(scratch_has(name));
	CHECK(slv_temp_remove(&temp));
	close(temp.fd);
	replace_at(&site);
	CHECK(slv_site_look(&site, &st) == 0);
	CHECK_OK(slv_site_remove(&site, &st, &err), &err);
	CHECK(!scratch_has("moved/a"));
	CHECK(scratch_holds("here/a", "two", 3));
	slv_site_close(&site);
	scratch_remove("here/a");
	CHECK(rmdir(scratch_path("here")) == 0);
	CHECK(rmdir(scratch_path("moved")) == 0);
}

static void
put_another(const void *ctx)
{
	(void)ctx;
	CHECK(rename(scratch_path("b"), scratch_path("a")) == 0);
}

/* A file that is changed in place has its name when its lock is taken: whoever waits
 * for the lock knows it by that. */
static void
is_locked_by_name(void)
{
	static const struct fake_plan plan = {
		.k = 1,
		.calls = FAKE_BIT(FAKE_LOCK),
		.how = FAKE_ACT,
		.act = put_another,
	};
	struct slv_err err = { 0 };
	struct fake_result result;
	struct slv_place place;
	struct slv_site site;
	char path[PATH];

	scratch_write("a", "one", 3);
	scratch_write("b", "two", 3);
	snprintf(path, sizeof(path), "%s", scratch_path("a"));
	CHECK_OK(slv_site_open(&site, path, &err), &err);
	fake_on(&plan);
	(void)slv_place_open(&place, &site, &err);
	fake_off(&result);
	CHECK_STATUS(err.code, SLV_E_ACTIVE, &err);
	CHECK_U64(result.fired, 1);
	slv_site_close(&site);
	scratch_remove("a");
}

/* A link is not opened, wherever it leads, and neither is made what it leads to. */
static void
opens_no_link(void)
{
	static const char *const to[] = { "b", "none", "." };
	struct slv_site site;
	struct stat st;
	int fd;

	scratch_write("b", "two", 3);
	CHECK_OK(slv_site_open(&site, scratch_path("a"), NULL), NULL);
	for (size_t i = 0; i < sizeof(to) / sizeof(*to); i++) {
		struct slv_err err = { 0 };

		check_case("to %s", to[i]);
		CHECK(symlink(to[i], scratch_path("a")) == 0);
		CHECK_STATUS(slv_site_file(&site, O_RDONLY, &fd, &st, &err),
		    SLV_E_IO, &err);
		CHECK(fd < 0 && err.os == ELOOP);
		err = (struct slv_err){ 0 };
		CHECK_STATUS(
		    slv_site_file(&site, O_RDWR | O_CREAT, &fd, &st, &err),
		    SLV_E_IO, &err);
		CHECK(!scratch_has("none"));
		scratch_remove("a");
	}
	slv_site_close(&site);
	scratch_remove("b");
	check_case("%s", "");
}

static void
follows(bool sticky, bool others, bool dangling, bool make, bool good)
{
	struct slv_err err = { 0 };
	char *to = NULL;
	enum slv_status st;

	check_case("sticky %d, theirs %d, dangling %d, to make %d", sticky,
	    others, dangling, make);
	if (!dangling)
		scratch_write("to", "x", 1);
	CHECK(symlink("to", scratch_path("link")) == 0);
	CHECK(chmod(scratch_path("."), sticky ? 01777 : 0755) == 0);
	theirs = 0;
	give_away(others ? "link" : ".");
	if (!others)
		theirs = 0;
	st = make ? slv_link_follow_new(scratch_path("link"), &to, &err)
	          : slv_link_follow(scratch_path("link"), &to, &err);
	take_back();
	CHECK_STATUS(st, good ? SLV_OK : SLV_E_REFUSED, &err);
	CHECK((to != NULL) == good);
	free(to);
	CHECK(chmod(scratch_path("."), 0755) == 0);
	scratch_clean();
}

/* As GNU cp and the kernel have it. */
static void
links_of_others(void)
{
	for (int dangling = 0; dangling < 2; dangling++) {
		for (int make = 0; make < 2; make++) {
			follows(false, false, dangling, make, true);
			follows(true, false, dangling, make, true);
			follows(
			    false, true, dangling, make, !(dangling && make));
			follows(true, true, dangling, make, false);
		}
	}
	check_case("%s", "");
}

/* A journal, or a FIFO to write to, in a folder like /tmp. */
static void
planted_files(void)
{
	static const struct slv_named how = {
		.what = "a journal",
		.flags = O_RDWR | O_CREAT | O_APPEND,
	};
	struct slv_sink *s = NULL;
	struct slv_err err = { 0 };
	int fd = -1, reader;

	scratch_write("journal", "", 0);
	CHECK(mkfifo(scratch_path("fifo"), 0666) == 0);
	CHECK(chmod(scratch_path("."), 01777) == 0);
	reader = open(scratch_path("fifo"), O_RDONLY | O_NONBLOCK);
	give_away("journal");
	CHECK_STATUS(slv_named_open(scratch_path("journal"), &how, &fd, &err),
	    SLV_E_REFUSED, &err);
	take_back();
	CHECK_I64(fd, -1);
	err = (struct slv_err){ 0 };
	CHECK_OK(
	    slv_named_open(scratch_path("journal"), &how, &fd, &err), &err);
	close(fd);
	give_away("fifo");
	CHECK_STATUS(slv_sink_device(scratch_path("fifo"), NULL, &s, &err),
	    SLV_E_REFUSED, &err);
	take_back();
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_sink_device(scratch_path("fifo"), NULL, &s, &err), &err);
	if (s != NULL)
		s->ops->discard(s);
	close(reader);
	/* What was a FIFO is a file by now: it is not written over. */
	scratch_write("file", "theirs", 6);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(slv_sink_device(scratch_path("file"), NULL, &s, &err),
	    SLV_E_ACTIVE, &err);
	CHECK(scratch_holds("file", "theirs", 6));
	CHECK(chmod(scratch_path("."), 0755) == 0);
	scratch_clean();
}

CU_TestInfo site_tests[] = {
	{ "doubts", doubts },
	{ "opens no link", opens_no_link },
	{ "removes no other", removes_no_other },
	{ "removes its own link", removes_its_own_link },
	{ "stays in its folder", stays_in_its_folder },
	{ "is locked by name", is_locked_by_name },
	{ "links of others", links_of_others },
	{ "planted files", planted_files },
	CU_TEST_INFO_NULL,
};
