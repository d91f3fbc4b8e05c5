/* fuzz_files.c - whole jobs on files, and whatever is beside a log.
 *
 * Jobs: a repair in place changes the log to what a repair into a new file
 * writes, and undo gives every byte back; an extract has the records that are wanted,
 * which it compares itself, and an export is sound.  Side files: none of them, whatever it
 * holds, makes a job crash or changes the log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "batch/journal/baseline.h"
#include "batch/journal/journal.h"
#include "digest/digest.h"
#include "fuzz/layout.h"
#include "fuzz/promises.h"
#include "job/inplace/undo_record.h"
#include "report/report.h"
#include "salvor_many.h"
#include "support/make_bddf.h"
#include "support/scratch.h"

#define RECORD ".salvor-undo"
#define REPORT ".salvor.json"
#define SMALL  (UINT64_C(1) << 20) /* bytes of a log that a record may ask for */

/* Run a job that may fail, except for want of a better plan. */
static enum slv_status
run(fuzz_job job, const char *log, const struct slv_options *opt)
{
	struct slv_report *r = NULL;
	char path[600], *text, *json;
	enum slv_status st;

	snprintf(path, sizeof(path), "%s", scratch_path(log));
	st = job(path, opt, &r);
	FUZZ_CHECK(r != NULL);
	if (st == SLV_E_BUG || st == SLV_E_NOMEM)
		fuzz_ok(st, &r->err);
	text = slv_report_text(r, SLV_PAGE_BRIEF, 0);
	json = slv_report_json(r);
	FUZZ_CHECK(text != NULL && json != NULL);
	free(text);
	free(json);
	slv_report_free(r);
	return st;
}

/* Repair the log in place, and undo that: *placed is what it was between; false: the
 * repair has changed nothing. */
static bool
place(const uint8_t *bytes, size_t n, bool quick, struct blob *placed)
{
	struct slv_options opt = { .in_place = true,
		.quick = quick,
		.no_effort = true,
		.limits = FUZZ_LIMITS };

	(void)run(slv_repair, "log", &opt);
	if (!scratch_has("log" RECORD)) {
		FUZZ_CHECK(scratch_holds("log", bytes, n));
		return false;
	}
	FUZZ_CHECK(blob_read(placed, scratch_path("log")));
	FUZZ_CHECK(run(slv_undo, "log", &(struct slv_options){ 0 }) == SLV_OK);
	FUZZ_CHECK(scratch_holds("log", bytes, n));
	FUZZ_CHECK(!scratch_has("log" RECORD));
	return true;
}

void
fuzz_inplace(const uint8_t *bytes, size_t n)
{
	/* In place there is no room for annotations. */
	struct slv_options apart = {
		.no_effort = true, .no_annotate = true, .limits = FUZZ_LIMITS
	};
	struct blob placed = { 0 };
	char out[600];

	(void)fuzz_scratch();
	scratch_write("log", bytes, n);
	if (place(bytes, n, true, &placed))
		blob_free(&placed);
	if (!place(bytes, n, false, &placed))
		return;
	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	apart.output = out;
	FUZZ_CHECK(run(slv_repair, "log", &apart) == SLV_OK);
	FUZZ_CHECK(scratch_holds("out", placed.at, placed.n));
	FUZZ_CHECK(scratch_holds("log", bytes, n));
	FUZZ_CHECK(scratch_count(".salvor-") == 0);
	blob_free(&placed);
}

void
fuzz_extract(const uint8_t *bytes, size_t n)
{
	static const char *const names[] = { ".*a.*", "/.*", "no-such-name" };
	static const char *const packed[] = { "none", "lz4", "zstd" };
	/* What is wanted depends on the input, and on nothing else. */
	unsigned way = n > 0 ? bytes[n / 2] + (unsigned)n : 0;
	struct slv_options opt = {
		.no_effort = true,
		.limits = FUZZ_LIMITS,
		.compression = packed[way % 3],
		.chunk_size = 1 + way % 4000,
	};
	char out[600];

	if (way & 1)
		opt.choice.start = "+0.01s";
	if (way & 2)
		opt.choice.end = "-0.01s";
	if (way & 4)
		opt.choice.exclude.at[opt.choice.exclude.n++] = names[way % 3];
	if (way & 8)
		opt.choice.include.at[opt.choice.include.n++] = names[way % 2];
	if (way & 16)
		opt.choice.order = "time";
	(void)fuzz_scratch();
	scratch_write("log", bytes, n);
	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	opt.output = out;
	(void)run(slv_extract, "log", &opt);
	opt.to = way & 32 ? "ndjson" : "mcap";
	snprintf(out, sizeof(out), "%s", scratch_path("other"));
	(void)run(slv_export, "log", &opt);
	FUZZ_CHECK(scratch_holds("log", bytes, n));
	FUZZ_CHECK(scratch_count(".salvor-") == 0);
}

static enum slv_status
join(const char *log, const struct slv_options *opt, struct slv_report **out)
{
	char other[600];
	const char *const both[] = { log, other };

	snprintf(other, sizeof(other), "%s", scratch_path("other"));
	return slv_join(both, 2, opt, out);
}

/* How many records a log has. */
static uint64_t
records_of(const char *name)
{
	const struct slv_options opt = { .no_effort = true,
		.limits = FUZZ_LIMITS };
	struct slv_reader *reader;
	struct slv_log *log;
	char path[600];
	uint64_t n = 0;

	snprintf(path, sizeof(path), "%s", scratch_path(name));
	FUZZ_CHECK(slv_log_open(path, &opt, &log) != SLV_E_NOMEM);
	if (slv_reader_open(log, &reader) == SLV_OK) {
		while (slv_reader_next(reader) != NULL)
			n++;
		slv_reader_close(reader);
	}
	slv_log_close(log);
	return n;
}

/* The log is two: what precedes a unit, and its first units with what follows; each may be
 * damaged.  Which ones depends on the input, and on nothing else. */
static void
make_segments(struct blob both[2], const uint8_t *bytes, size_t n)
{
	size_t at = n / 2, head = n / 4, number;
	struct layout units;

	layout_find(&units, bytes, n);
	if (units.n > 2) {
		number = units.n / 3 + bytes[n - 1] % (units.n / 3 + 1);
		at = units.at[number].outer > 0 ? units.at[number].outer
		                                : units.at[number].at;
		head = units.at[bytes[n / 3] % 2].end;
		head = head < at ? head : at;
	}
	blob_set(&both[0], bytes, at);
	blob_set(&both[1], bytes, head);
	blob_add(&both[1], bytes + at, n - at);
	if (n >= 8 && bytes[n - 2] % 4 == 0)
		fuzz_harm(both, bytes + n - 8);
}

void
fuzz_join(const uint8_t *bytes, size_t n)
{
	struct slv_options opt = { .no_effort = true, .limits = FUZZ_LIMITS };
	struct blob both[2] = { { .n = 0 } }, out = { .n = 0 };
	char path[600];

	(void)fuzz_scratch();
	make_segments(both, bytes, n);
	scratch_write("log", both[0].at, both[0].n);
	scratch_write("other", both[1].at, both[1].n);
	snprintf(path, sizeof(path), "%s", scratch_path("out"));
	opt.output = path;
	if (run(join, "log", &opt) == SLV_OK && scratch_has("out")) {
		struct slv_buf written = { 0 };

		FUZZ_CHECK(records_of("out")
		    == records_of("log") + records_of("other"));
		FUZZ_CHECK(blob_read(&out, path));
		slv_buf_add(&written, out.at, out.n);
		promise_again(&written, false);
		slv_buf_free(&written);
	}
	FUZZ_CHECK(scratch_holds("log", both[0].at, both[0].n));
	FUZZ_CHECK(scratch_holds("other", both[1].at, both[1].n));
	FUZZ_CHECK(scratch_count(".salvor-") == 0);
	blob_free(&out);
	for (size_t i = 0; i < 2; i++)
		blob_free(&both[i]);
	scratch_clean();
}

/* A small log, cut. */
static const struct blob *
a_log(void)
{
	static struct blob cut;
	const struct recipe recipe = {
		.series = 2, .blocks = 5, .most = 90, .keys = 1, .seed = 1
	};
	struct made_log log = { 0 };

	if (cut.n == 0) {
		make_bddf(&log, &recipe, NULL);
		blob_set(&cut, log.bytes.at, made_data_end(&log) - 9);
		made_free(&log);
	}
	return &cut;
}

/* Put right what makes any bytes a record that is read to its end. */
static void
seal(struct blob *record)
{
	struct slv_digest d;
	uint8_t *at = record->at;

	if (record->n < SLV_UNDO_BODY)
		return;
	memcpy(at, SLV_UNDO_MAGIC, SLV_UNDO_MAGIC_SIZE);
	slv_put_le64(at + 16, slv_get_le64(at + 16) % SMALL);
	slv_put_le64(at + 24, slv_get_le64(at + 24) % SMALL);
	slv_put_le64(at + 116, slv_get_le64(at + 116) % SMALL);
	slv_put_le32(at + SLV_UNDO_MAGIC_SIZE,
	    slv_get_le64(at + 116) > 0 ? SLV_UNDO_END : SLV_UNDO_WHOLE);
	slv_put_le64(at + 32, record->n - SLV_UNDO_BODY);
	slv_put_le64(at + 40, slv_get_le64(at + 40) % 16);
	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, at + SLV_UNDO_BODY, record->n - SLV_UNDO_BODY);
	slv_digest_get(&d, at + 96);
	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, at, SLV_UNDO_SEAL);
	slv_digest_get(&d, at + SLV_UNDO_SEAL);
}

/* A name with a mode that is believed. */
static void
put(const char *name, const uint8_t *bytes, size_t n)
{
	scratch_write(name, bytes, n);
	FUZZ_CHECK(chmod(scratch_path(name), 0600) == 0);
}

static void
try_record(const uint8_t *bytes, size_t n)
{
	const struct blob *log = a_log();
	struct slv_options opt = { .no_effort = true };
	struct slv_options force = { .force = true };

	put("log", log->at, log->n);
	put("log" RECORD, bytes, n);
	(void)run(slv_verify, "log", &opt);
	FUZZ_CHECK(scratch_holds("log", log->at, log->n));
	FUZZ_CHECK(scratch_holds("log" RECORD, bytes, n));
	/* No such record has the digest of what it gives. */
	FUZZ_CHECK(run(slv_undo, "log", &opt) != SLV_OK);
	FUZZ_CHECK(scratch_holds("log", log->at, log->n));
	(void)run(slv_undo, "log", &force);
	scratch_clean();
}

static void
try_reports(const uint8_t *bytes, size_t n)
{
	const struct blob *log = a_log();
	struct slv_options opt = { .no_effort = true, .dry_run = true };
	struct slv_html *page = NULL;
	struct slv_journal *journal = NULL;
	struct slv_policy *policy = NULL;
	struct slv_err err = { 0 };
	uint64_t found, unread;
	char out[600], side[600];

	put("log", log->at, log->n);
	put("log" REPORT, bytes, n);
	snprintf(side, sizeof(side), "%s", scratch_path("log" REPORT));
	snprintf(out, sizeof(out), "%s", scratch_path("page.html"));
	FUZZ_CHECK(run(slv_verify, "log", &opt) == SLV_OK);
	FUZZ_CHECK(run(slv_info, "log", &opt) == SLV_OK);
	(void)run(slv_repair, "log", &opt);
	opt.domain_mapfile = side;
	(void)run(slv_verify, "log", &opt);
	if (slv_policy_read(&policy, side, NULL, &err) == SLV_OK
	    && policy != NULL)
		free(slv_policy_id(policy));
	slv_policy_free(policy);
	err = (struct slv_err){ 0 };
	fuzz_ok(slv_journal_open(side, "verify", false, &journal, &err), &err);
	(void)slv_journal_read(journal, NULL, &err);
	slv_journal_close(journal);
	err = (struct slv_err){ 0 };
	fuzz_ok(slv_html_open(out, NULL, &page, &err), &err);
	fuzz_ok(slv_html_read(page, side, NULL, &found, &unread, &err), &err);
	fuzz_ok(slv_html_commit(page, &err), &err);
	FUZZ_CHECK(scratch_holds("log", log->at, log->n));
	FUZZ_CHECK(scratch_holds("log" REPORT, bytes, n));
	scratch_clean();
}

/* All that is asked of the entries of a journal; the log is held against each of
 * them. */
static void
try_entries(const struct slv_journal *j)
{
	const struct slv_entry *e;

	for (size_t i = 0; (e = slv_journal_at(j, i)) != NULL; i++) {
		struct slv_buf sums = { 0 };
		struct slv_baseline was = slv_baseline_of(j, e->path, &sums);
		struct slv_options opt = { .no_effort = true,
			.baseline = &was };

		FUZZ_CHECK(slv_journal_find(j, e->path) == e);
		free(slv_journal_report(j, e));
		free(slv_journal_sums(j, e));
		(void)slv_entry_holds(e);
		FUZZ_CHECK(run(slv_verify, "log", &opt) == SLV_OK);
		slv_buf_free(&sums);
	}
}

static void
try_baseline(const uint8_t *bytes, size_t n)
{
	const struct blob *log = a_log();
	struct slv_journal *j = NULL;
	struct slv_err err = { 0 };
	char path[600];
	const char *const paths[] = { path, path };

	put("log", log->at, log->n);
	put("journal", bytes, n);
	snprintf(path, sizeof(path), "%s", scratch_path("journal"));
	for (size_t i = 1; i <= 2; i++) {
		if (slv_journal_gather(paths, i, NULL, &j, &err) != SLV_OK) {
			FUZZ_CHECK(err.code == SLV_E_EXISTS);
			break;
		}
		(void)slv_baseline_is(j);
		try_entries(j);
		slv_journal_close(j);
	}
	FUZZ_CHECK(scratch_holds("log", log->at, log->n));
	FUZZ_CHECK(scratch_holds("journal", bytes, n));
	scratch_clean();
}

/* Let a job repair one damaged copy with the other one, which `opt` names `with`. */
static void
repair_with(fuzz_job job, const uint8_t *bytes, size_t n,
    struct slv_options *opt, const char **with)
{
	struct blob copies[2] = { { .n = 0 } }, out = { .n = 0 };
	char donor[600], path[600];

	(void)fuzz_scratch();
	for (size_t i = 0; i < 2; i++)
		blob_set(&copies[i], bytes, n);
	for (size_t at = n < 12 ? n : n - 12; at + 4 <= n; at += 4)
		fuzz_harm(copies, bytes + at);
	scratch_write("log", copies[0].at, copies[0].n);
	scratch_write("donor", copies[1].at, copies[1].n);
	snprintf(donor, sizeof(donor), "%s", scratch_path("donor"));
	snprintf(path, sizeof(path), "%s", scratch_path("out"));
	*with = donor;
	opt->output = path;
	(void)run(job, "log", opt);
	FUZZ_CHECK(scratch_holds("log", copies[0].at, copies[0].n));
	FUZZ_CHECK(scratch_holds("donor", copies[1].at, copies[1].n));
	if (scratch_has("out")) {
		struct slv_buf written = { 0 };

		FUZZ_CHECK(blob_read(&out, path));
		slv_buf_add(&written, out.at, out.n);
		promise_again(&written, false);
		slv_buf_free(&written);
	}
	blob_free(&out);
	for (size_t i = 0; i < 2; i++)
		blob_free(&copies[i]);
	scratch_clean();
}

void
fuzz_donor(const uint8_t *bytes, size_t n)
{
	struct slv_options opt = { .no_effort = true, .limits = FUZZ_LIMITS };

	repair_with(slv_repair, bytes, n, &opt, &opt.donor);
}

/* A merge of one copy. */
static enum slv_status
fill(const char *log, const struct slv_options *opt, struct slv_report **out)
{
	return slv_merge(&log, 1, opt, out);
}

void
fuzz_fill(const uint8_t *bytes, size_t n)
{
	struct slv_options opt = { .no_effort = true, .limits = FUZZ_LIMITS };

	repair_with(fill, bytes, n, &opt, &opt.fill);
}

void
fuzz_beside(const uint8_t *bytes, size_t n)
{
	struct blob sealed = { 0 };

	(void)fuzz_scratch();
	try_record(bytes, n);
	blob_set(&sealed, bytes, n);
	seal(&sealed);
	try_record(sealed.at, sealed.n);
	blob_free(&sealed);
	try_reports(bytes, n);
	try_baseline(bytes, n);
}
