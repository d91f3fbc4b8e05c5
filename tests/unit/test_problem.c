/* test_problem.c - findings, and the rules that their tables obey. */
#include <ctype.h>
#include <string.h>

#include "core/findings/problem.h"
#include "formats/formats.h"
#include "support/check.h"
#include "unit/suites.h"

static const struct slv_problem_info row = {
	.id = "test.row",
	.severity = SLV_ERROR,
	.remedy = SLV_DROP,
	.text = "{len} bytes: {want}, not {got} {other} {",
};
static const struct slv_problem_info note = {
	.id = "test.note",
	.severity = SLV_NOTE,
	.remedy = SLV_LEAVE,
	.text = "so be it",
};

static void
placeholders_are_filled_in(void)
{
	struct slv_problem p = {
		.info = &row,
		.off = 1,
		.len = 2,
		.want = 3,
		.got = UINT64_MAX,
	};
	const char *whole = "2 bytes: 3, not 18,446,744,073,709,551,615 "
	                    "{other} {";
	char text[128], guard[8] = "#######";

	slv_problem_text(&p, text, sizeof(text));
	CHECK_STR(text, whole);
	/* Cut to any room, never beyond. */
	for (size_t n = 1; n <= strlen(whole) + 1; n++) {
		memset(text, '#', sizeof(text));
		slv_problem_text(&p, text, n);
		CHECK_U64(strlen(text), n - 1);
		CHECK(strncmp(text, whole, n - 1) == 0);
		CHECK(memcmp(text + n, guard, 7) == 0);
	}
}

/* What a log says is quoted as far as it is text, and there is room. */
static void
it_quotes(void)
{
	static const struct slv_problem_info quoting = {
		.text = "{there}, not {here}: {name}{why}",
	};
	struct slv_problem p = { .info = &quoting };
	char text[256], bytes[200];

	memset(bytes, 'x', sizeof(bytes));
	slv_problem_quote(p.here, "a\nb\x80", 4);
	slv_problem_quote(p.there, "{here}", 6);
	slv_problem_text(&p, text, sizeof(text));
	CHECK_STR(text, "{here}, not a?b?: ");
	slv_problem_quote(p.name, "c", 1);
	p.why = ", as all say";
	slv_problem_text(&p, text, sizeof(text));
	CHECK_STR(text, "{here}, not a?b?: c, as all say");
	slv_problem_quote(p.here, "", 0);
	CHECK_STR(p.here, "");
	for (size_t n = 0; n < sizeof(bytes); n++) {
		size_t len;

		slv_problem_quote(p.here, bytes, n);
		len = strlen(p.here);
		CHECK_U64(len, n <= 124 ? n : SLV_SAYS_MAX - 1);
		CHECK(n <= 124 || strcmp(p.here + len - 3, "...") == 0);
	}
}

static void
one_is_not_many(void)
{
	static const struct slv_problem_info many = {
		.text = "{got} messages, {len} bytes, {want} events",
	};
	struct slv_problem p = { .info = &many, .len = 1, .want = 0, .got = 1 };
	char text[128];

	slv_problem_text(&p, text, sizeof(text));
	CHECK_STR(text, "1 message, 1 byte, 0 events");
	p = (struct slv_problem){
		.info = &many, .len = 1001, .want = 1, .got = 21
	};
	slv_problem_text(&p, text, sizeof(text));
	CHECK_STR(text, "21 messages, 1,001 bytes, 1 event");
}

static void
past_the_ceiling_they_are_counted(void)
{
	struct slv_problems list = { .max = 3 };
	struct slv_problem p = { .info = &row };
	struct slv_err err = { 0 };

	for (p.off = 0; p.off < 5; p.off++)
		CHECK_OK(slv_problems_add(&list, &p, &err), &err);
	p.info = &note;
	CHECK_OK(slv_problems_add(&list, &p, &err), &err);
	CHECK_U64(list.n, 3);
	CHECK_U64(list.at[2].off, 2);
	CHECK_U64(slv_problems_count(&list, &row), 5);
	CHECK_U64(slv_problems_count(&list, &note), 1);
	CHECK_U64(slv_problems_count(&list, &slv_core_problems[0]), 0);
	CHECK_U64(slv_problems_damage(&list), 5);
	CHECK_U64(slv_problems_total(&list), 6);
	slv_problems_free(&list);
	CHECK_U64(slv_problems_total(&list), 0);
}

/* Lower case and dashes, in parts set apart by dots; the first names the
 * table. */
static void
check_id(const char *id, const char *table)
{
	size_t n = strlen(table);
	char last = '.';

	CHECK(strncmp(id, table, n) == 0 && id[n] == '.');
	for (const char *c = id; *c != '\0'; c++) {
		bool word =
		    islower((unsigned char)*c) || isdigit((unsigned char)*c);

		CHECK(word
		    || ((*c == '.' || *c == '-') && last != '.'
		        && last != '-'));
		last = *c;
	}
	CHECK(last != '.' && last != '-');
}

/* Every brace belongs to a placeholder that is filled in. */
static void
check_placeholders(const char *text)
{
	while (*text != '\0') {
		bool known = strncmp(text, "{len}", 5) == 0
		    || strncmp(text, "{want}", 6) == 0
		    || strncmp(text, "{got}", 5) == 0
		    || strncmp(text, "{here}", 6) == 0
		    || strncmp(text, "{there}", 7) == 0
		    || strncmp(text, "{name}", 6) == 0
		    || strncmp(text, "{why}", 5) == 0;

		if (known)
			text = strchr(text, '}');
		else
			CHECK(*text != '{' && *text != '}');
		text++;
	}
}

/* Sentences for people: there, on one line, without stray spaces. */
static void
check_words(const char *text)
{
	size_t n;

	if (!CHECK(text != NULL && *text != '\0'))
		return;
	n = strlen(text);
	CHECK(strpbrk(text, "\n\t") == NULL);
	CHECK(text[0] != ' ' && text[n - 1] != ' ');
	CHECK(strlen(text) < SLV_ERR_TEXT);
}

static void
check_table(const char *name, const struct slv_problem_info *rows, size_t n)
{
	CHECK(n > 0);
	for (size_t i = 0; i < n; i++) {
		const struct slv_problem_info *r = &rows[i];

		check_case("%s", r->id);
		check_id(r->id, name);
		CHECK(i == 0 || strcmp(r[-1].id, r->id) < 0);
		check_words(r->text);
		check_words(r->means);
		check_words(r->arises);
		check_words(r->repair);
		check_placeholders(r->text);
		/* A note leaves things as they are, and else only what is no
		 * damage does, or damage at a place that is unknown. */
		CHECK((r->severity == SLV_NOTE || r->severity == SLV_VIOLATION)
		    <= (r->remedy == SLV_LEAVE));
		CHECK((r->severity == SLV_ERROR && r->remedy == SLV_LEAVE)
		    <= (r->risk == SLV_RISK_UNPROVEN));
		CHECK((r->severity == SLV_WARNING) <= (r->remedy != SLV_LEAVE));
		CHECK((r->severity == SLV_VIOLATION)
		    == (rows == slv_policy_problems));
		CHECK((r->severity == SLV_ERROR && r->remedy == SLV_DROP)
		    <= (r->risk == SLV_RISK_LOST));
		CHECK((r->remedy == SLV_RESEAL)
		    <= (r->risk == SLV_RISK_UNPROVEN));
	}
	check_case("%s", "");
}

static void
rules_of_the_tables(void)
{
	check_table("core", slv_core_problems, SLV_CORE_PROBLEMS);
	check_table("policy", slv_policy_problems, SLV_POLICY_PROBLEMS);
	check_table("baseline", slv_baseline_problems, SLV_BASELINE_PROBLEMS);
	check_table("set", slv_set_problems, SLV_SET_PROBLEMS);
	check_table("ros2", slv_ros2_problems, SLV_ROS2_PROBLEMS);
	for (size_t i = 0; slv_formats[i] != NULL; i++) {
		const struct slv_format *f = slv_formats[i];

		check_table(f->name, f->problems, f->n_problems);
	}
}

static void
catalogue_has_all_in_order(void)
{
	size_t n = SLV_CORE_PROBLEMS + SLV_POLICY_PROBLEMS
	    + SLV_BASELINE_PROBLEMS + SLV_SET_PROBLEMS + SLV_ROS2_PROBLEMS;
	const char *before = "";

	for (size_t i = 0; slv_formats[i] != NULL; i++)
		n += slv_formats[i]->n_problems;
	for (size_t i = 0; i < n; i++) {
		const struct slv_problem_info *r = slv_problem_at(i);

		if (!CHECK(r != NULL))
			return;
		check_case("%s", r->id);
		CHECK(strcmp(before, r->id) < 0);
		before = r->id;
	}
	check_case("%s", "");
	CHECK(slv_problem_at(n) == NULL);
}

CU_TestInfo problem_tests[] = {
	{ "placeholders are filled in", placeholders_are_filled_in },
	{ "one is not many", one_is_not_many },
	{ "it quotes", it_quotes },
	{ "past the ceiling they are counted",
	    past_the_ceiling_they_are_counted },
	{ "rules of the tables", rules_of_the_tables },
	{ "the catalogue has all in order", catalogue_has_all_in_order },
	CU_TEST_INFO_NULL,
};
