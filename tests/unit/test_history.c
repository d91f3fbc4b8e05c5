/* test_history.c - what is believed of a report beside a log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json/json_bound.h"
#include "job/output/sidecar.h"
#include "report/history.h"
#include "salvor.h"
#include "options/options.h"
#include "support/check.h"
#include "support/fake_sys.h"
#include "support/make_bag.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define SHA1  "000102030405060708090a0b0c0d0e0f10111213"
#define OTHER "ff0102030405060708090a0b0c0d0e0f10111213"

#define LINE(state, size, sha1)                                                \
	"{\"type\":\"file\",\"schema\":1,\"file\":\"in\",\"state\":\"" state   \
	"\",\"size\":10,\"bytes\":{\"lost\":7,\"foreign\":3},\"blocks\":{"     \
	"\"lost\":2},"                                                         \
	"\"output\":{\"size\":" size ",\"sha1\":\"" sha1 "\"}}\n"

static struct slv_claim
claim(void)
{
	struct slv_claim c = { .size = 12 };

	for (uint8_t i = 0; i < SLV_SHA1_SIZE; i++)
		c.sha1[i] = i;
	return c;
}

static bool
is_found(const char *text)
{
	struct slv_claim c = claim();
	struct slv_history h = { 0 };
	struct slv_err err = { 0 };
	bool found;

	CHECK_OK(slv_history_find(text, strlen(text), &c, &h, &err), &err);
	found = h.line != NULL;
	CHECK(found == slv_history_knows(text, strlen(text), &c));
	if (found) {
		CHECK_U64(h.lost_bytes, 7);
		CHECK_U64(h.lost_units, 2);
		CHECK_U64(h.foreign_bytes, 3);
		CHECK_STR(h.file, "in");
		CHECK(strchr(h.line, '\n') == NULL);
	}
	free(h.line);
	free(h.file);
	return found;
}

static void
of_these_bytes_only(void)
{
	CHECK(is_found(LINE("lossy", "12", SHA1)));
	CHECK(is_found(LINE("lossy", "12", OTHER) LINE("lossy", "12", SHA1)));
	CHECK(is_found("rubbish\n" LINE("lossy", "12", SHA1)));
	CHECK(!is_found(LINE("lossy", "12", OTHER)));
	CHECK(!is_found(LINE("lossy", "13", SHA1)));
	CHECK(!is_found(LINE("repaired", "12", SHA1)));
}

static void
rubbish(void)
{
	static const char *const texts[] = {
		"",
		"\n",
		"[]",
		"{}",
		"{\"type\":\"file\",\"schema\":1,\"state\":\"lossy\"}",
		"{\"type\":\"file\",\"schema\":\"1\",\"state\":\"lossy\","
		"\"output\":{\"size\":12,\"sha1\":\"" SHA1 "\"}}",
		LINE("lossy", "\"12\"", SHA1),
		LINE("lossy", "-12", SHA1),
		LINE("lossy", "12.0", SHA1),
		LINE("lossy", "12", "0001"),
		/* No writer states the digest of a few bytes. */
		LINE("lossy", "12", SHA1 "\",\"sha1_from\":12,\"x\":\""),
		LINE("lossy", "12", SHA1 "\",\"sha1_from\":13,\"x\":\""),
		LINE("lossy", "12", SHA1 "\",\"sha1_from\":1,\"x\":\""),
		LINE("lossy", "12", SHA1 "00"),
		LINE("lossy", "12", "XX02030405060708090a0b0c0d0e0f10111213"),
		"{\"type\":\"file\",\"type\":\"file\",\"schema\":1}",
	};

	uint64_t from;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CHECK(!is_found(texts[i]));
		CHECK(!slv_history_mentions(
		    texts[i], strlen(texts[i]), 12, &from));
		CHECK(slv_history_is_ours(texts[i], strlen(texts[i]))
		    == (*texts[i] == '\0'));
	}
}

static void
lines_of_ours(void)
{
	const char *two =
	    LINE("lossy", "12", SHA1) LINE("repaired", "5", OTHER);
	struct slv_claim c = claim();
	struct slv_buf out = { 0 };
	uint64_t from;
	char *text;

	CHECK(slv_history_is_ours(two, strlen(two)));
	CHECK(slv_history_is_ours(two, strlen(two) - 1));
	CHECK(!slv_history_is_ours(two, strlen(two) - 2));
	CHECK(slv_history_mentions(two, strlen(two), 12, &from));
	CHECK(!slv_history_mentions(two, strlen(two), 5, &from));
	slv_history_others(two, strlen(two), &c, SIZE_MAX, &out);
	text = slv_buf_take(&out);
	CHECK_STR(text, LINE("repaired", "5", OTHER));
	free(text);
}

/* A report whose numbers contradict one another is none of salvor's. */
static void
adds_up(void)
{
#define WITH(size, bytes, more)                                                \
	"{\"type\":\"file\",\"schema\":1,\"state\":\"lossy\",\"size\":" size   \
	",\"bytes\":{" bytes "},\"output\":{\"size\":12,\"sha1\":\"" SHA1      \
	"\"}" more "}\n"
	static const struct {
		const char *text;
		bool good;
	} rows[] = {
		{ WITH("9", "\"kept\":2,\"lost\":7", ""), true },
		{ WITH(
		      "9", "\"kept\":2,\"lost\":7", ",\"blocks\":{\"lost\":3}"),
		    true },
		{ WITH("9", "\"kept\":2,\"lost\":7",
		      ",\"history\":{\"lost_bytes\":2}"),
		    true },
		{ WITH("9", "\"kept\":2,\"lost\":6", ""), false },
		{ WITH("9", "\"kept\":2,\"lost\":8", ""), false },
		{ WITH("9", "\"kept\":11,\"lost\":-2", ""), false },
		{ WITH("9", "\"kept\":9.0", ""), false },
		{ WITH("9", "\"kept\":\"9\"", ""), false },
		{ WITH("-9", "\"kept\":-9", ""), false },
		{ WITH("9",
		      "\"kept\":9223372036854775807,"
		      "\"lost\":9223372036854775807,\"foreign\":11",
		      ""),
		    false },
		{ WITH("9", "\"kept\":9", ",\"history\":{\"lost_bytes\":-2}"),
		    false },
		{ WITH("9", "\"kept\":9", ",\"history\":{\"lost_blocks\":-1}"),
		    false },
		{ WITH(
		      "9", "\"kept\":9", ",\"history\":{\"lost_bytes\":\"2\"}"),
		    false },
		{ WITH("9", "\"kept\":9", ",\"blocks\":{\"lost\":-1}"), false },
	};
	struct slv_claim c = claim();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size_t n = strlen(rows[i].text);

		check_case("row %u", (unsigned)i);
		CHECK(slv_history_is_ours(rows[i].text, n) == rows[i].good);
		CHECK(slv_history_knows(rows[i].text, n, &c) == rows[i].good);
	}
	check_case("%s", "");
}

/* Whether a report with this beginning is believed to be salvor's. */
static bool
is_ours(const struct slv_buf *begin)
{
	struct slv_buf line = { 0 };
	bool yes;

	slv_buf_add(&line, begin->at, begin->len);
	slv_buf_printf(&line, "],%s", &LINE("lossy", "12", SHA1)[1]);
	yes = slv_history_is_ours((const char *)line.at, line.len);
	slv_buf_free(&line);
	return yes;
}

/* What a parser would need much room for is not parsed. */
static void
bounded(void)
{
	struct slv_buf deep = { 0 }, many = { 0 };

	for (int i = 0; i <= SLV_JSON_DEPTH; i++) {
		CHECK(slv_json_is_bounded((const char *)deep.at, deep.len));
		slv_buf_text(&deep, i % 2 ? "[" : "{");
	}
	CHECK(!slv_json_is_bounded((const char *)deep.at, deep.len));
	slv_buf_text(&many, "[");
	for (int i = 1; i < SLV_JSON_VALUES; i++)
		slv_buf_text(&many, ",");
	CHECK(slv_json_is_bounded((const char *)many.at, many.len));
	slv_buf_text(&many, ",");
	CHECK(!slv_json_is_bounded((const char *)many.at, many.len));
	/* Nothing of that in strings, nor after the document. */
	slv_buf_free(&many);
	slv_buf_text(&many, "{\"\\\"\\\\");
	for (int i = 0; i <= SLV_JSON_DEPTH; i++)
		slv_buf_text(&many, "[");
	slv_buf_text(&many, "\"}");
	slv_buf_add(&many, deep.at, deep.len);
	CHECK(slv_json_is_bounded((const char *)many.at, many.len));
	slv_buf_free(&deep);
	slv_buf_free(&many);
	/* Nor is such a line one of ours. */
	slv_buf_text(&many, "{\"x\":[0");
	for (int i = 0; i <= SLV_JSON_VALUES; i++) {
		if (i == SLV_JSON_VALUES / 2)
			CHECK(is_ours(&many));
		slv_buf_text(&many, ",0");
	}
	CHECK(!is_ours(&many));
	slv_buf_free(&many);
}

/* A digest made anew would hide that the writer's covered other bytes. */
static void
contradiction(void)
{
	static const struct {
		const char *key;
		bool contradicted;
	} rows[] = {
		{ "", false },
		{ "\"contradicted\":false,", false },
		{ "\"contradicted\":true,", true },
		{ "\"contradicted\":\"true\",", false },
	};
	struct slv_claim c = claim();

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct slv_history h = { 0 };
		struct slv_err err = { 0 };
		struct slv_buf line = { 0 };
		char *text;

		slv_buf_printf(
		    &line, "{%s%s", rows[i].key, &LINE("lossy", "12", SHA1)[1]);
		text = slv_buf_take(&line);
		CHECK_OK(
		    slv_history_find(text, strlen(text), &c, &h, &err), &err);
		CHECK(h.line != NULL);
		CHECK(h.contradicted == rows[i].contradicted);
		free(h.line);
		free(h.file);
		free(text);
	}
}

static bool
is_of_other(const char *text, uint64_t lost)
{
	struct slv_history h = { 0 };
	struct slv_err err = { 0 };
	bool found;

	CHECK_OK(slv_history_of_other(text, strlen(text), &h, &err), &err);
	found = h.line != NULL;
	CHECK(h.changed == found);
	if (found)
		CHECK_U64(h.lost_bytes, lost);
	free(h.line);
	free(h.file);
	return found;
}

#define LARGEST "9223372036854775807"
#define BEFORE                                                                 \
	"{\"history\":{\"state\":\"lossy\",\"open_end\":true,"                 \
	"\"lost_bytes\":100,\"lost_blocks\":4,\"foreign_bytes\":1},"

/* Neither a later repair nor other bytes make a loss undone. */
static void
of_earlier_repairs(void)
{
	struct slv_claim c = claim();
	struct slv_history h = { 0 };
	struct slv_err err = { 0 };
	struct slv_buf line = { 0 };

	slv_buf_text(&line, BEFORE);
	slv_buf_text(&line, &LINE("repaired", "12", SHA1)[1]);
	CHECK_OK(
	    slv_history_find((const char *)line.at, line.len, &c, &h, &err),
	    &err);
	CHECK(h.line != NULL && h.lossy && h.open_end && !h.changed);
	CHECK_U64(h.lost_bytes, 107);
	CHECK_U64(h.lost_units, 6);
	CHECK_U64(h.foreign_bytes, 4);
	free(h.line);
	free(h.file);
	slv_buf_free(&line);
	h = (struct slv_history){ 0 };
	slv_buf_text(&line,
	    "{\"history\":{\"state\":\"lossy\",\"lost_bytes\":" LARGEST "},");
	slv_buf_text(&line, &LINE("repaired", "12", SHA1)[1]);
	CHECK_OK(
	    slv_history_find((const char *)line.at, line.len, &c, &h, &err),
	    &err);
	CHECK_U64(h.lost_bytes, INT64_MAX);
	free(h.line);
	free(h.file);
	slv_buf_free(&line);
	CHECK(is_of_other(LINE("lossy", "5", OTHER), 7));
	CHECK(is_of_other("rubbish\n" LINE("repaired", "5", OTHER)
	                      LINE("lossy", "12", SHA1),
	    7));
	CHECK(!is_of_other(LINE("repaired", "5", OTHER), 0));
	CHECK(!is_of_other("rubbish\n", 0));
}

/* A line goes with its repair, but no other about the same bytes. */
static void
taken_back(void)
{
#define FROM(size, sha1)                                                       \
	"{\"type\":\"file\",\"schema\":1,\"size\":" size                       \
	",\"bytes\":{\"kept\":" size "},\"state\":\"lossy\",\"output\":{"      \
	"\"size\":12,\"sha1\":\"" sha1 "\"}}\n"
	static const char text[] =
	    FROM("9", SHA1) FROM("8", SHA1) FROM("9", OTHER);
	struct slv_claim c = claim();
	struct slv_buf out = { 0 };
	char *left;

	slv_history_without(text, strlen(text), &c, 9, &out);
	left = slv_buf_take(&out);
	CHECK_STR(left, FROM("8", SHA1) FROM("9", OTHER));
	free(left);
}

/* Repair the part of a log that holds a hole; what its report counts. */
static void
repair_with_loss(struct slv_counts *counts)
{
	const struct slv_options opt = { .output = scratch_path("out.bag") };
	struct slv_report *report;
	struct made_bag bag;

	make_bag(&bag,
	    &(struct bag_recipe){
	        .conns = 2, .chunks = 3, .each = 2, .payload = 100 });
	memset(bag.bytes.at + bag.index_pos - 700, 0xff, 300);
	scratch_write("in.bag", bag.bytes.at, bag.bytes.n);
	made_bag_free(&bag);
	CHECK_OK(slv_repair(scratch_path("in.bag"), &opt, &report),
	    slv_report_error(report));
	CHECK(slv_report_state(report) == SLV_STATE_LOSSY);
	slv_report_counts(report, counts);
	slv_report_free(report);
}

/* Verify the output; *out is what is known of earlier repairs. */
static bool
is_remembered(struct slv_report_history *out, struct slv_report **report)
{
	CHECK_OK(slv_verify(scratch_path("out.bag"), NULL, report),
	    slv_report_error(*report));
	return slv_report_earlier(*report, out);
}

static void
member_by_member(void)
{
	struct slv_counts lost = { .size_of = sizeof(lost) };
	struct slv_report_history h = { .size_of = sizeof(h) };
	struct slv_report *report;

	repair_with_loss(&lost);
	if (!is_remembered(&h, &report))
		CU_FAIL_FATAL("nothing is remembered");
	CHECK(h.lossy && !h.changed && !h.contradicted && !h.open_end);
	CHECK(lost.lost > 0 && lost.records_lost > 0);
	CHECK_U64(h.lost, lost.lost);
	CHECK_U64(h.foreign, lost.foreign);
	CHECK_U64(h.records_lost, lost.records_lost);
	CHECK_U64(h.records_unsure, lost.records_unsure);
	CHECK(h.lost_exactly == lost.lost_exactly);
	CHECK_STR(h.file, scratch_path("in.bag"));
	CHECK_STR(h.sidecar, scratch_path("out.bag.salvor.json"));
	CHECK(strncmp(h.json, "{\"type\":\"file\"", 14) == 0);
	/* A program that knows the first members only. */
	h = (struct slv_report_history){
		.size_of = offsetof(struct slv_report_history, sidecar)
	};
	CHECK(slv_report_earlier(report, &h));
	CHECK(h.file != NULL && h.sidecar == NULL && !h.lossy);
	slv_report_free(report);
	scratch_remove("out.bag.salvor.json");
	CHECK(!is_remembered(&h, &report));
	slv_report_free(report);
	scratch_clean();
}

#define REPORT "log.salvor.json"

static void
put_another(const void *ctx)
{
	(void)ctx;
	CHECK(rename(scratch_path("other"), scratch_path(REPORT)) == 0);
}

/* A report that is taken back is the one that was read: no other file of its name goes,
 * whenever that comes. */
static void
takes_back_what_it_read(void)
{
	struct fake_plan plan = {
		.calls = FAKE_BIT(FAKE_LOOK) | FAKE_BIT(FAKE_OPEN)
		    | FAKE_BIT(FAKE_FSTAT) | FAKE_BIT(FAKE_UNLINK),
		.how = FAKE_ACT,
		.act = put_another,
	};
	const struct slv_claim about = claim();
	struct fake_result result = { .fired = 1 };
	char path[700];

	snprintf(path, sizeof(path), "%s", scratch_path(REPORT));
	for (plan.k = 1; result.fired > 0; plan.k++) {
		check_case("at call %u", plan.k);
		scratch_write(REPORT, LINE("lossy", "12", SHA1),
		    strlen(LINE("lossy", "12", SHA1)));
		scratch_write("other", "theirs", 6);
		fake_on(&plan);
		slv_sidecar_unsay(path, NULL, &about, 10);
		fake_off(&result);
		/* Between the last look and the removal there is no time. */
		CHECK(result.fired == 0 || result.victim == FAKE_UNLINK
		    || scratch_holds(REPORT, "theirs", 6));
		CHECK(result.fired > 0 || !scratch_has(REPORT));
		scratch_clean();
	}
	CHECK(plan.k > 4);
	check_case("%s", "");
}

/* And it is beside the log, whatever has the name of the folder by now. */
static void
takes_back_in_its_folder(void)
{
	const struct slv_claim about = claim();
	const char *line = LINE("lossy", "12", SHA1);
	struct slv_err err = { 0 };
	char log[700], path[700];
	struct slv_site site;

	snprintf(log, sizeof(log), "%s", scratch_path("here/log"));
	snprintf(path, sizeof(path), "%s", scratch_path("here/" REPORT));
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	scratch_write("here/" REPORT, line, strlen(line));
	CHECK_OK(slv_site_open(&site, log, &err), &err);
	CHECK(rename(scratch_path("here"), scratch_path("moved")) == 0);
	CHECK(mkdir(scratch_path("here"), 0700) == 0);
	scratch_write("here/" REPORT, line, strlen(line));
	slv_sidecar_unsay(path, &site, &about, 10);
	CHECK(scratch_has("here/" REPORT));
	CHECK(!scratch_has("moved/" REPORT));
	slv_site_close(&site);
	scratch_remove("here/" REPORT);
	CHECK(rmdir(scratch_path("here")) == 0);
	CHECK(rmdir(scratch_path("moved")) == 0);
}

CU_TestInfo history_tests[] = {
	{ "of these bytes only", of_these_bytes_only },
	{ "rubbish", rubbish },
	{ "adds up", adds_up },
	{ "bounded", bounded },
	{ "lines of ours", lines_of_ours },
	{ "contradiction", contradiction },
	{ "of earlier repairs", of_earlier_repairs },
	{ "taken back", taken_back },
	{ "member by member", member_by_member },
	{ "takes back what it read", takes_back_what_it_read },
	{ "takes back in its folder", takes_back_in_its_folder },
	CU_TEST_INFO_NULL,
};
