/* test_policy.c - rules as they are written. */
#include <stdlib.h>
#include <string.h>

#include "job/rules/policy.h"
#include "support/check.h"
#include "unit/suites.h"

static const struct slv_rule *
last(const struct slv_policy *p)
{
	return &p->at[p->n - 1];
}

static void
values(void)
{
	static const struct {
		const char *name, *value;
		const char *channel;
		uint64_t most;
		double least;
	} rows[] = {
		{ "max-gap", "2s", NULL, 2000000000, 0 },
		{ "max-gap", "2", NULL, 2000000000, 0 },
		{ "max-gap", "500ms", NULL, 500000000, 0 },
		{ "max-gap", "1.5m", NULL, 90000000000, 0 },
		{ "max-gap", "1h", NULL, 3600000000000, 0 },
		{ "max-gap", "0.000000001", NULL, 1, 0 },
		{ "max-gap", "/a=b=2s", "/a=b", 2000000000, 0 },
		{ "max-lost", "0", NULL, 0, 0 },
		{ "max-lost", "4096", NULL, 4096, 0 },
		{ "max-lost", "4K", NULL, 4096, 0 },
		{ "max-lost", "2G", NULL, (uint64_t)2 << 30, 0 },
		{ "min-rate", "/imu=10", "/imu", 0, 10 },
		{ "min-rate", "/imu=0.5Hz", "/imu", 0, 0.5 },
		{ "require", "/a=2", "/a=2", 0, 0 },
	};
	struct slv_policy *p = NULL;
	struct slv_err err = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check_case("%s=%s", rows[i].name, rows[i].value);
		CHECK_OK(slv_policy_add(&p, rows[i].name, rows[i].value, &err),
		    &err);
		if (!CHECK(p != NULL && p->n == i + 1))
			break;
		CHECK_U64(last(p)->most, rows[i].most);
		CHECK(last(p)->least == rows[i].least);
		CHECK((last(p)->channel == NULL) == (rows[i].channel == NULL));
		if (rows[i].channel != NULL)
			CHECK_STR(last(p)->channel, rows[i].channel);
	}
	check_case("%s", "");
	CHECK_OK(slv_policy_add(&p, "max-lost", "0.1%", &err), &err);
	CHECK(last(p)->parts && last(p)->percent == 0.1);
	CHECK_OK(slv_policy_add(&p, "max-gap", "none", &err), &err);
	CHECK(last(p)->none && last(p)->channel == NULL);
	slv_policy_free(p);
}

static void
what_is_no_rule(void)
{
	static const char *const rows[][2] = {
		{ "max-gap", "" },
		{ "max-gap", "2x" },
		{ "max-gap", "0" },
		{ "max-gap", "-1s" },
		{ "max-gap", "1." },
		{ "max-gap", "=2s" },
		{ "max-gap", "/a=" },
		{ "max-gap", "2 s" },
		{ "max-gap", "99999999999" },
		{ "max-gap", "99999999h" },
		{ "max-gap", "999999999.9h" },
		{ "max-lost", "/a=1" },
		{ "max-lost", "101%" },
		{ "max-lost", "1.5" },
		{ "max-lost", "1T" },
		{ "max-lost", "none" },
		{ "min-rate", "10" },
		{ "min-rate", "/a=0" },
		{ "min-rate", "/a=x" },
		{ "require", "" },
		{ "max-gaps", "2s" },
		{ "", "2s" },
	};
	struct slv_policy *p = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct slv_err err = { 0 };

		check_case("%s=%s", rows[i][0], rows[i][1]);
		CHECK(slv_policy_add(&p, rows[i][0], rows[i][1], &err)
		    == SLV_E_USAGE);
		CHECK(err.text[0] != '\0');
	}
	check_case("%s", "");
	CHECK(p == NULL || p->n == 0);
	slv_policy_free(p);
}

static void
which_one_counts(void)
{
	struct slv_policy *p = NULL, *q = NULL;
	struct slv_err err = { 0 };
	char *a, *b;

	CHECK_OK(slv_policy_add(&p, "max-gap", "/gps=10s", &err), &err);
	CHECK_OK(slv_policy_add(&p, "max-gap", "/cam/*=1s", &err), &err);
	CHECK_OK(slv_policy_add(&p, "max-gap", "/cam/l*=3s", &err), &err);
	CHECK_OK(slv_policy_add(&p, "max-gap", "2s", &err), &err);
	CHECK(slv_policy_rule(p, SLV_RULE_MAX_GAP, "/gps") == &p->at[0]);
	CHECK(slv_policy_rule(p, SLV_RULE_MAX_GAP, "/cam/x/y") == &p->at[1]);
	CHECK(slv_policy_rule(p, SLV_RULE_MAX_GAP, "/cam/left") == &p->at[2]);
	CHECK(slv_policy_rule(p, SLV_RULE_MAX_GAP, "/imu") == &p->at[3]);
	CHECK(slv_policy_rule(p, SLV_RULE_MIN_RATE, "/imu") == NULL);
	CHECK(!slv_policy_needs_index_only(p));
	a = slv_policy_id(p);
	CHECK_OK(slv_policy_add(&q, "require", "[x]", &err), &err);
	CHECK(slv_policy_needs_index_only(q));
	/* A name is itself, whatever a shell would make of it. */
	CHECK(slv_rule_names(&q->at[0], "[x]") && slv_rule_names(&q->at[0], "x")
	    && !slv_rule_names(&q->at[0], "y"));
	b = slv_policy_id(q);
	CHECK(a != NULL && b != NULL && strcmp(a, b) != 0);
	free(a);
	free(b);
	slv_policy_free(p);
	slv_policy_free(q);
}

CU_TestInfo policy_tests[] = {
	{ "values", values },
	{ "what is no rule", what_is_no_rule },
	{ "which one counts", which_one_counts },
	CU_TEST_INFO_NULL,
};
