/* test_undo_record.c - the record of what a repair in place changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "io/write/place.h"
#include "job/inplace/undo.h"
#include "job/inplace/undo_record.h"
#include "job/input/digests.h"
#include "options/options.h"
#include "salvor_many.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "support/scratch.h"
#include "unit/suites.h"

/* A file before and after, and what lies between. */
struct change {
	struct blob old, new;
	struct slv_ranges patches;
	size_t from; /* where the digests of its record begin */
};

static void
change_free(struct change *c)
{
	blob_free(&c->old);
	blob_free(&c->new);
	slv_ranges_free(&c->patches);
}

static void
digest(const struct blob *b, size_t from, uint8_t *out)
{
	struct slv_digest d;

	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, b->at + from, b->n - from);
	slv_digest_get(&d, out);
}

/* A name in the scratch folder, whose file may be believed. */
static struct slv_site
site_of(const char *name, struct stat *of)
{
	struct slv_err err = { 0 };
	struct slv_site site;

	CHECK_OK(slv_site_open(&site, scratch_path(name), &err), &err);
	if (slv_site_look(&site, of) < 0)
		memset(of, 0, sizeof(*of));
	return site;
}

static enum slv_status
read_record(struct slv_undo_record *r, const char *name, bool *exists,
    struct slv_err *err)
{
	struct slv_undo_seen seen;
	struct stat of;
	struct slv_site site = site_of(name, &of);
	enum slv_status st = slv_undo_read(r, &site, &of, NULL, &seen, err);

	*exists = seen.exists;
	slv_site_close(&site);
	return st;
}

static void
set_closed(const struct slv_undo_record *r, bool closed)
{
	struct slv_err err = { 0 };
	struct stat of;
	struct slv_site site = site_of("undo", &of);

	CHECK_OK(slv_undo_set(r, &site, closed, &err), &err);
	slv_site_close(&site);
}

/* Make the record of a change in the file "undo"; its size. */
static uint64_t
make_record(const struct change *c)
{
	struct slv_undo_making how = { .patches = &c->patches };
	struct slv_site site;
	struct stat of;
	struct slv_err err = { 0 };

	scratch_remove("undo");
	CHECK_OK(slv_source_memory(c->old.at, c->old.n, &how.file, &err), &err);
	how.facts.old_size = c->old.n;
	how.facts.new_size = c->new.n;
	how.facts.from = c->from;
	digest(&c->old, c->from, how.facts.old_sha1);
	digest(&c->new, c->from, how.facts.new_sha1);
	CHECK_OK(slv_undo_measure(&how, &err), &err);
	site = site_of("undo", &of);
	CHECK_OK(slv_undo_write(&how, &site, NULL, &err), &err);
	slv_site_close(&site);
	slv_source_close(how.file);
	return how.size;
}

/* Some change: patches, and a tail cut off or put on. */
static void
make_change(struct change *c, uint64_t seed)
{
	struct dice dice = { seed };
	size_t n = 1 + dice_below(&dice, 200000), both;

	for (size_t i = 0; i < n; i++)
		blob_byte(&c->old, (uint8_t)dice_roll(&dice));
	/* Runs of zeros, some of them at the edge of a chunk. */
	for (size_t i = 0; i < 8; i++) {
		size_t off = dice_below(&dice, 2) == 0
		    ? dice_below(&dice, n)
		    : dice_below(&dice, 1 + n / 65536) * 65536;
		size_t len = dice_below(&dice, 80000);

		memset(c->old.at + off, 0, len < n - off ? len : n - off);
	}
	blob_set(&c->new, c->old.at, dice_below(&dice, n + 1));
	if (dice_below(&dice, 2) == 0)
		blob_fill(&c->new, 0x77, dice_below(&dice, 100000));
	both = c->new.n < n ? c->new.n : n;
	for (size_t at = 0; at < both; at += 1 + dice_below(&dice, 50000)) {
		size_t len = 1 + dice_below(&dice, 20000);

		len = len < both - at ? len : both - at;
		slv_ranges_add(&c->patches, at, len, NULL);
		memset(c->new.at + at, 0x5a, len);
		at += len;
	}
	/* The rest of what both have is the same. */
	for (size_t i = 0; i < both; i++) {
		if (!slv_ranges_hit(&c->patches, i, 1))
			c->new.at[i] = c->old.at[i];
	}
}

/* A file between the two gives the old one, seen and put back. */
static void
check_way_back(const struct change *c, const struct blob *now)
{
	struct slv_undo_record r;
	struct slv_source *file = NULL, *view = NULL;
	struct slv_err err = { 0 };
	struct slv_place place;
	struct slv_site site;
	struct stat st;
	uint8_t want[SLV_SHA1_SIZE], got[SLV_SHA1_SIZE];
	bool exists;

	scratch_write("file", now->at, now->n);
	digest(&c->old, 0, want);
	CHECK_OK(read_record(&r, "undo", &exists, &err), &err);
	CHECK(exists && !r.says.closed);
	CHECK_OK(slv_source_file(scratch_path("file"), &file, &st, &err), &err);
	CHECK_OK(slv_undo_view(&r, file, &view, &err), &err);
	CHECK_OK(slv_digest_of(view, SLV_SHA1, NULL, NULL, got, &err), &err);
	CHECK_BYTES(got, sizeof(got), want, sizeof(want));
	slv_source_close(view);
	slv_source_close(file);
	site = site_of("file", &st);
	CHECK_OK(slv_place_open(&place, &site, &err), &err);
	CHECK_OK(slv_undo_put_back(&r, &place, &err), &err);
	slv_place_close(&place);
	slv_site_close(&site);
	CHECK(scratch_holds("file", c->old.at, c->old.n));
	slv_undo_free(&r);
}

static void
ways_back(void)
{
	for (uint64_t seed = 1; seed <= 40 && !check_enough(); seed++) {
		struct change c = { 0 };
		struct blob half = { 0 };

		check_case("seed %u", (unsigned)seed);
		make_change(&c, seed);
		CHECK(make_record(&c) > 1024);
		check_way_back(&c, &c.old);
		check_way_back(&c, &c.new);
		/* The first half is new, and it has one size or the other. */
		blob_set(&half, c.old.at, c.old.n);
		for (size_t i = 0; i < c.new.n / 2 && i < half.n; i++)
			half.at[i] = c.new.at[i];
		check_way_back(&c, &half);
		blob_free(&half);
		change_free(&c);
	}
	check_case("%s", "");
	scratch_clean();
}

static void
zeros_are_lengths(void)
{
	struct change c = { 0 };

	blob_fill(&c.old, 'x', 5000);
	blob_fill(&c.old, 0, 50000000);
	blob_fill(&c.new, 'x', 5000);
	CHECK_U64(make_record(&c), 1024 + 24);
	c.old.at[30000000] = 1;
	CHECK(make_record(&c) < 1024 + 24 * 4 + 65536);
	change_free(&c);
	scratch_clean();
}

/* A record can be as long as a disk. */
static void
a_signal_ends_it(void)
{
	const volatile sig_atomic_t cancel = 1;
	struct change c = { 0 };
	struct slv_undo_making how = { .patches = &c.patches,
		.cancel = &cancel };
	struct slv_undo_record r;
	struct slv_undo_seen seen;
	struct slv_err err = { 0 };
	struct slv_site site;
	struct stat of;

	make_change(&c, 1);
	make_record(&c);
	site = site_of("undo", &of);
	CHECK_STATUS(slv_undo_read(&r, &site, &of, &cancel, &seen, &err),
	    SLV_E_CANCELLED, &err);
	slv_undo_free(&r);
	slv_site_close(&site);
	/* And so is making it. */
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_source_memory(c.old.at, c.old.n, &how.file, &err), &err);
	how.facts.old_size = c.old.n;
	how.facts.new_size = c.new.n;
	CHECK_STATUS(slv_undo_measure(&how, &err), SLV_E_CANCELLED, &err);
	slv_source_close(how.file);
	change_free(&c);
	scratch_clean();
}

/* No damage to a record makes it another one: it is refused, or at worst a
 * closed one is taken for open. */
static void
damaged_records(void)
{
	struct change c = { 0 };
	struct blob raw = { 0 };
	struct slv_undo_record r;
	bool exists;

	blob_fill(&c.old, 'o', 700);
	blob_fill(&c.new, 'n', 650);
	slv_ranges_add(&c.patches, 0, 650, NULL);
	make_record(&c);
	CHECK(blob_read(&raw, scratch_path("undo")));
	for (size_t i = 0; i < raw.n * 8 && !check_enough(); i++) {
		struct slv_err err = { 0 };
		bool state = i / 4096 == 1;

		check_case(
		    "bit %u of byte %u", (unsigned)(i % 8), (unsigned)(i / 8));
		raw.at[i / 8] ^= (uint8_t)(1 << i % 8);
		scratch_write("hurt", raw.at, raw.n);
		raw.at[i / 8] ^= (uint8_t)(1 << i % 8);
		CHECK_STATUS(read_record(&r, "hurt", &exists, &err),
		    state ? SLV_OK : SLV_E_REFUSED, &err);
		CHECK(!r.says.closed);
		slv_undo_free(&r);
	}
	for (size_t n = 0; n < raw.n && !check_enough(); n++) {
		struct slv_err err = { 0 };

		check_case("cut at %u", (unsigned)n);
		scratch_write("hurt", raw.at, n);
		CHECK_STATUS(read_record(&r, "hurt", &exists, &err),
		    SLV_E_REFUSED, &err);
		slv_undo_free(&r);
	}
	check_case("%s", "");
	blob_free(&raw);
	change_free(&c);
	scratch_clean();
}

/* Put a number into the head of the record "undo", and seal it again. */
static void
forge(size_t off, uint64_t value, size_t n)
{
	struct blob raw = { 0 }, head = { 0 };

	CHECK(blob_read(&raw, scratch_path("undo")));
	for (size_t i = 0; i < n; i++)
		raw.at[off + i] = (uint8_t)(value >> 8 * i);
	blob_set(&head, raw.at, SLV_UNDO_SEAL);
	digest(&head, 0, raw.at + SLV_UNDO_SEAL);
	scratch_write("forged", raw.at, raw.n);
	blob_free(&head);
	blob_free(&raw);
}

/* A record may have digests of the end of the file only, but nothing that changes is
 * before that, and its version says so. */
static void
digests_of_the_end(void)
{
	static const struct {
		size_t off, n;
		uint64_t value;
		enum slv_status status;
	} forgeries[] = {
		{ 12, 4, SLV_UNDO_END, SLV_OK },
		{ 12, 4, SLV_UNDO_WHOLE, SLV_E_REFUSED },
		{ 12, 4, 3, SLV_E_REFUSED },
		{ 116, 8, 0, SLV_E_REFUSED },
		{ 116, 8, 504, SLV_OK },
		{ 116, 8, 505, SLV_E_REFUSED }, /* the first piece is at 4600 */
		{ 116, 8, 4600, SLV_E_REFUSED },
		{ 116, 8, 9000, SLV_E_REFUSED }, /* of a few bytes */
		{ 116, 8, UINT64_MAX, SLV_E_REFUSED },
		{ 24, 8, 4495, SLV_E_REFUSED }, /* the new size */
		{ 24, 8, 399, SLV_E_REFUSED },
	};
	struct change c = { .from = 400 };

	blob_fill(&c.old, 'o', 9600);
	blob_fill(&c.new, 'o', 4600);
	blob_fill(&c.new, 'n', 4900);
	slv_ranges_add(&c.patches, 4600, 4900, NULL);
	make_record(&c);
	check_way_back(&c, &c.old);
	check_way_back(&c, &c.new);
	for (size_t i = 0; i < sizeof(forgeries) / sizeof(*forgeries); i++) {
		struct slv_err err = { 0 };
		struct slv_undo_record r;
		bool exists;

		check_case("forgery %u", (unsigned)i);
		forge(forgeries[i].off, forgeries[i].value, forgeries[i].n);
		CHECK_STATUS(read_record(&r, "forged", &exists, &err),
		    forgeries[i].status, &err);
		if (forgeries[i].off == 12 && err.code == SLV_OK)
			CHECK_U64(r.says.from, 400);
		slv_undo_free(&r);
	}
	check_case("%s", "");
	change_free(&c);
	scratch_clean();
}

/* A record with sizes that do not fit its pieces is none, and no few bytes cost days of
 * zeros. */
static void
sizes_that_add_up(void)
{
	static const struct {
		uint64_t old_size, piece;
		enum slv_status status;
	} forgeries[] = {
		{ 9000, 8500, SLV_OK },
		{ 9001, 8500, SLV_E_REFUSED },
		{ 9001, 8501, SLV_OK },
		{ UINT64_MAX, 8500, SLV_E_REFUSED },
		{ 500 + SLV_UNDO_ZEROS, SLV_UNDO_ZEROS, SLV_OK },
		{ 501 + SLV_UNDO_ZEROS, SLV_UNDO_ZEROS + 1, SLV_E_REFUSED },
	};
	struct change c = { 0 };
	struct blob raw = { 0 }, body = { 0 };

	blob_fill(&c.old, 'o', 500);
	blob_fill(&c.old, 0, 8500);
	blob_fill(&c.new, 'o', 500);
	CHECK_U64(make_record(&c), SLV_UNDO_BODY + SLV_UNDO_PIECE);
	CHECK(blob_read(&raw, scratch_path("undo")));
	for (size_t i = 0; i < sizeof(forgeries) / sizeof(*forgeries); i++) {
		struct slv_err err = { 0 };
		struct slv_undo_record r;
		bool exists;

		check_case("forgery %u", (unsigned)i);
		slv_put_le64(raw.at + SLV_UNDO_BODY + 8, forgeries[i].piece);
		blob_set(&body, raw.at + SLV_UNDO_BODY, SLV_UNDO_PIECE);
		digest(&body, 0, raw.at + 96);
		scratch_write("undo", raw.at, raw.n);
		forge(16, forgeries[i].old_size, 8);
		CHECK_STATUS(read_record(&r, "forged", &exists, &err),
		    forgeries[i].status, &err);
		slv_undo_free(&r);
	}
	check_case("%s", "");
	blob_free(&raw);
	blob_free(&body);
	change_free(&c);
	scratch_clean();
}

static bool
is_closed(void)
{
	struct slv_undo_seen seen;
	struct slv_err err = { 0 };
	struct stat of;
	struct slv_site site = site_of("undo", &of);

	CHECK_OK(slv_undo_look(&site, &of, &seen, &err), &err);
	CHECK(seen.exists);
	slv_site_close(&site);
	return seen.closed;
}

static void
open_and_closed(void)
{
	struct change c = { 0 };
	struct slv_undo_record r;
	struct slv_err err = { 0 };
	struct blob raw = { 0 };
	bool exists;

	CHECK_OK(read_record(&r, "undo", &exists, &err), &err);
	CHECK(!exists);
	blob_fill(&c.old, 'o', 700);
	blob_fill(&c.new, 'o', 650);
	make_record(&c);
	CHECK(!is_closed());
	CHECK_OK(read_record(&r, "undo", &exists, &err), &err);
	CHECK_U64(r.says.old_size, 700);
	CHECK_U64(r.says.new_size, 650);
	set_closed(&r, true);
	CHECK(is_closed());
	/* Half a state sector is none. */
	CHECK(blob_read(&raw, scratch_path("undo")));
	memset(raw.at + 512 + 16, 0, 496);
	scratch_write("undo", raw.at, raw.n);
	CHECK(!is_closed());
	/* It is another file now. */
	slv_undo_free(&r);
	CHECK_OK(read_record(&r, "undo", &exists, &err), &err);
	set_closed(&r, true);
	set_closed(&r, false);
	CHECK(!is_closed());
	slv_undo_free(&r);
	blob_free(&raw);
	change_free(&c);
	scratch_clean();
}

/* A record is closed that was read: in its folder, and no other file of its name. */
static void
closes_what_was_read(void)
{
	struct change c = { 0 };
	struct slv_undo_record r;
	struct slv_err err = { 0 };
	struct slv_site site;
	struct blob raw = { 0 };
	char path[700];
	bool exists;

	blob_fill(&c.old, 'o', 700);
	blob_fill(&c.new, 'o', 650);
	make_record(&c);
	CHECK(blob_read(&raw, scratch_path("undo")));
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	CHECK(rename(scratch_path("undo"), scratch_path("here/undo")) == 0);
	CHECK_OK(read_record(&r, "here/undo", &exists, &err), &err);
	snprintf(path, sizeof(path), "%s", scratch_path("here/undo"));
	CHECK_OK(slv_site_open(&site, path, &err), &err);
	CHECK(rename(scratch_path("here"), scratch_path("moved")) == 0);
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	scratch_write("here/undo", raw.at, raw.n);
	CHECK_OK(slv_undo_set(&r, &site, true, &err), &err);
	CHECK(scratch_holds("here/undo", raw.at, raw.n));
	CHECK(!scratch_holds("moved/undo", raw.at, raw.n));
	/* Another file has its name. */
	CHECK(
	    rename(scratch_path("here/undo"), scratch_path("moved/undo")) == 0);
	CHECK_STATUS(slv_undo_set(&r, &site, true, &err), SLV_E_ACTIVE, &err);
	CHECK(scratch_holds("moved/undo", raw.at, raw.n));
	slv_site_close(&site);
	slv_undo_free(&r);
	blob_free(&raw);
	change_free(&c);
	scratch_remove("moved/undo");
	CHECK(rmdir(scratch_path("here")) == 0);
	CHECK(rmdir(scratch_path("moved")) == 0);
}

/* What is read back is the file that was changed. */
static void
rereads_what_was_written(void)
{
	struct slv_undo_names names;
	struct slv_source *s = NULL;
	struct slv_err err = { 0 };
	struct slv_place place;

	scratch_write("log", "one", 3);
	scratch_write("other", "two", 3);
	CHECK_OK(slv_undo_names(&names, scratch_path("log"), NULL, &err), &err);
	CHECK_OK(slv_place_open(&place, &names.file_at, &err), &err);
	CHECK_OK(slv_undo_reread(&names, &place, &s, &err), &err);
	slv_source_close(s);
	s = NULL;
	CHECK(rename(scratch_path("other"), scratch_path("log")) == 0);
	CHECK_STATUS(
	    slv_undo_reread(&names, &place, &s, &err), SLV_E_ACTIVE, &err);
	slv_source_close(s);
	slv_place_close(&place);
	slv_undo_names_free(&names);
	scratch_clean();
}

/* The name of a file that was found leads to another one by now. */
static void
became_a_link(void)
{
	const struct recipe recipe = {
		.series = 2, .blocks = 5, .most = 90, .keys = 1, .seed = 1
	};
	struct slv_options opt = { .in_place = true, .found = true };
	struct made_log made = { 0 };
	struct blob log = { 0 };
	struct slv_report *r;

	scratch_clean();
	make_bddf(&made, &recipe, NULL);
	scratch_write("log", made.bytes.at, made_data_end(&made) - 9);
	CHECK(symlink("log", scratch_path("link")) == 0);
	CHECK(slv_repair(scratch_path("link"), &opt, &r) == SLV_E_REFUSED);
	slv_report_free(r);
	CHECK(slv_repair(scratch_path("log"), &opt, &r) == SLV_OK);
	slv_report_free(r);
	CHECK(blob_read(&log, scratch_path("log")));
	CHECK(slv_undo(scratch_path("link"), &opt, &r) == SLV_E_REFUSED);
	slv_report_free(r);
	CHECK(scratch_holds("log", log.at, log.n));
	CHECK(slv_undo(scratch_path("log"), &opt, &r) == SLV_OK);
	slv_report_free(r);
	CHECK(scratch_holds("log", made.bytes.at, made_data_end(&made) - 9));
	blob_free(&log);
	made_free(&made);
	scratch_clean();
}

/* A text, of which a part was written when its repair was interrupted, tells nothing of
 * the old one: what is made of it is not written. */
static void
rewriting_was_interrupted(void)
{
	struct slv_options opt = { .in_place = true };
	struct slv_undo_record r = { .source = NULL };
	struct slv_err err = { 0 };
	struct stat of;
	struct slv_site site;
	char *output, file[600], apart[600];
	bool exists;

	scratch_clean();
	snprintf(file, sizeof(file), "%s", scratch_path("text"));
	snprintf(apart, sizeof(apart), "%s", scratch_path("apart"));
	scratch_write("text", "old text", 8);
	CHECK_OK(slv_rewrite(file, "new", 3, &opt, &output, &err), &err);
	free(output);
	CHECK(scratch_holds("text", "new", 3));
	CHECK_OK(read_record(&r, "text.salvor-undo", &exists, &err), &err);
	site = site_of("text.salvor-undo", &of);
	CHECK_OK(slv_undo_set(&r, &site, false, &err), &err);
	slv_site_close(&site);
	slv_undo_free(&r);

	opt = (struct slv_options){ .output_dir = apart, .make_dirs = true };
	CHECK(slv_rewrite(file, "of new", 6, &opt, &output, &err)
	    == SLV_E_REFUSED);
	opt = (struct slv_options){ .in_place = true };
	err = (struct slv_err){ 0 };
	CHECK(slv_rewrite(file, "of new", 6, &opt, &output, &err)
	    == SLV_E_REFUSED);
	CHECK(scratch_holds("text", "old text", 8));
	err = (struct slv_err){ 0 };
	CHECK_OK(slv_rewrite(file, "of old", 6, &opt, &output, &err), &err);
	free(output);
	CHECK(scratch_holds("text", "of old", 6));
	scratch_clean();
}

CU_TestInfo undo_record_tests[] = {
	{ "a signal ends it", a_signal_ends_it },
	{ "ways back", ways_back },
	{ "zeros are lengths", zeros_are_lengths },
	{ "damaged records", damaged_records },
	{ "digests of the end", digests_of_the_end },
	{ "sizes that add up", sizes_that_add_up },
	{ "open and closed", open_and_closed },
	{ "closes what was read", closes_what_was_read },
	{ "rereads what was written", rereads_what_was_written },
	{ "became a link", became_a_link },
	{ "rewriting was interrupted", rewriting_was_interrupted },
	CU_TEST_INFO_NULL,
};
