/* test_sent.c - results of workers: what was packed comes back, and whatever else
 * a worker writes, in any field, is refused. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/json/json_form.h"
#include "batch/workers/sent.h"
#include "report/json/json_object.h"
#include "support/check.h"
#include "unit/suites.h"

#define EXIT_ALL 127

/* The fields in their order on the line, with the largest number each may be. */
static const struct field {
	const char *name;
	uint64_t most;
	size_t skip; /* bytes after it that may be anything */
} fields[] = {
	{ "before", 0, 0 }, /* not of this one, which has more */
	{ "aside", 1, 0 },
	{ "failed", 1, 0 },
	{ "promised", 1, 0 },
	{ "code", EXIT_ALL, 0 },
	{ "state", SLV_STATES - 1, 0 },
	{ "policy", SLV_POLICY_FAIL, 0 },
	{ "baseline", SLV_BASELINES - 1, 0 },
	{ "nanoseconds", 60 * (uint64_t)1000000000, 0 },
	{ "failures", 1, 0 },
	{ "size", INT64_MAX, 0 },
	{ "kept", INT64_MAX, 0 },
	{ "rebuilt", INT64_MAX, 0 },
	{ "lost", INT64_MAX, 0 },
	{ "filler", INT64_MAX, 0 },
	{ "foreign", INT64_MAX, 0 },
	{ "outputs", 1, 0 },
	{ "output size", INT64_MAX, 0 },
	{ "unsure", INT64_MAX, 0 },
	{ "problems", INT64_MAX, 0 },
	{ "stamp size", INT64_MAX, 0 },
	{ "stamp time", UINT64_MAX, 0 },
	{ "stamp inode", UINT64_MAX, 0 },
	{ "sum", 1, SLV_SHA256_SIZE },
	{ "output stamp size", INT64_MAX, 0 },
	{ "output stamp time", UINT64_MAX, 0 },
	{ "output stamp inode", UINT64_MAX, 0 },
	{ "output sum", 1, SLV_SHA256_SIZE },
};

#define REPORT                                                                 \
	"{\"type\":\"file\",\"schema\":1,\"file\":\"/a/b.bag\",\"job\":"       \
	"\"verify\",\"state\":\"intact\"}"
#define ABOUT "{\"type\":\"file\",\"schema\":1,\"file\":\"/a/b.bag\""
#define DIGESTS                                                                \
	"{\"algorithm\":\"sha256-128\",\"piece\":1048576,\"values\":\"QUJD\"}"

static const struct slv_sent_asked asked = {
	.path = "/a/b.bag",
	.output = "/out/\xff.bag",
	.report = true,
	.digests = true,
	.code = EXIT_ALL,
	.seconds = 60,
};

static struct slv_sent
sample(void)
{
	return (struct slv_sent){
		.aside = true,
		.promised = true,
		.code = 5,
		.state = SLV_STATE_LOSSY,
		.policy = SLV_POLICY_FAIL,
		.baseline = SLV_BASELINE_SAME,
		.seconds = 1.5,
		.totals = { .size = 100,
		    .bytes = { 60, 10, 20, 5, 5 },
		    .outputs = 1,
		    .output_size = 80,
		    .problems = 3 },
		.input = { 100, -1, 12 },
		.sum = { true, { 1, 2, 3 } },
		.output = (char *)(uintptr_t) "/out/\xff.bag",
		.stamp = { 80, 77, 13 },
		.output_sum = { true, { 4, 5, 6 } },
		.text = (char *)(uintptr_t) "b.bag: \033[1;31mDAMAGED\033[0m\n"
		                            "  \xc3\xa9 5 \xe2\x80\x93 6\n",
		.report = (char *)(uintptr_t)REPORT,
		.digests = (char *)(uintptr_t)DIGESTS,
	};
}

static bool
holds(const struct slv_sent *s, const struct slv_sent_asked *a)
{
	struct slv_buf b = { 0 };
	bool good;

	slv_sent_pack(s, &b);
	good = slv_sent_check(b.at, b.len, a);
	slv_buf_free(&b);
	return good;
}

static void
comes_back(void)
{
	struct slv_sent s = sample(), got;
	struct slv_buf b = { 0 }, again = { 0 };
	char *sums;

	slv_sent_pack(&s, &b);
	CHECK(slv_sent_check(b.at, b.len, &asked));
	if (!CHECK(slv_sent_unpack(&got, b.at, b.len)))
		return;
	slv_sent_pack(&got, &again);
	CHECK_BYTES(again.at, again.len, b.at, b.len);
	CHECK_STR(got.text, s.text);
	CHECK_U64(got.totals.files, 1);
	CHECK_U64(got.totals.states[SLV_STATE_LOSSY], 1);
	CHECK_U64(got.totals.policy_failed, 1);
	CHECK_U64(got.totals.baseline[SLV_BASELINE_SAME], 1);
	sums = slv_sent_sums(&got, "/a/b.bag");
	CHECK(sums != NULL && strncmp(sums, "010203", 6) == 0
	    && strstr(sums, "\n040506") != NULL);
	free(sums);
	slv_sent_free(&got);
	slv_buf_free(&b);
	slv_buf_free(&again);
}

/* Each number at its limit, past it, and at what overflows. */
static void
every_number(void)
{
	static const uint64_t more[] = { 1, 1000, (uint64_t)1 << 31,
		(uint64_t)1 << 32, (uint64_t)1 << 63, UINT64_MAX };
	struct slv_sent s = sample();
	struct slv_buf b = { 0 };
	size_t at = 0;

	slv_sent_pack(&s, &b);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct field *f = &fields[i];
		uint64_t was = slv_get_le64(b.at + at);

		check_case("%s", f->name);
		slv_put_le64(b.at + at, f->most);
		CHECK(slv_sent_check(b.at, b.len, &asked));
		for (size_t k = 0; k < sizeof(more) / sizeof(*more); k++) {
			uint64_t n = f->most + more[k];

			/* There is none past the largest of all. */
			if (n < f->most)
				continue;
			slv_put_le64(b.at + at, n);
			CHECK(!slv_sent_check(b.at, b.len, &asked));
		}
		slv_put_le64(b.at + at, was);
		at += 8 + f->skip;
	}
	/* Lengths of texts follow. */
	for (int i = 0; i < 4; i++) {
		uint64_t n = slv_get_le64(b.at + at);

		for (uint64_t len = 0; len < 400; len++) {
			slv_put_le64(b.at + at, len);
			CHECK(len == n || !slv_sent_check(b.at, b.len, &asked));
		}
		for (int k = 10; k < 64; k++) {
			slv_put_le64(b.at + at, ((uint64_t)1 << k) + n);
			CHECK(!slv_sent_check(b.at, b.len, &asked));
			slv_put_le64(b.at + at, UINT64_MAX << k);
			CHECK(!slv_sent_check(b.at, b.len, &asked));
		}
		slv_put_le64(b.at + at, n);
		at += 8 + (size_t)n;
	}
	CHECK_U64(at, b.len);
	slv_buf_free(&b);
}

static void
every_length(void)
{
	struct slv_sent s = sample();
	struct slv_buf b = { 0 };

	slv_sent_pack(&s, &b);
	for (size_t n = 0; n < b.len; n++) {
		uint8_t *exact = malloc(n > 0 ? n : 1);

		if (!CHECK(exact != NULL))
			break;
		memcpy(exact, b.at, n);
		CHECK(!slv_sent_check(exact, n, &asked));
		free(exact);
	}
	slv_buf_text(&b, "x");
	CHECK(!slv_sent_check(b.at, b.len, &asked));
	slv_buf_free(&b);
}

/* No object but one about the file that was asked for. */
static void
reports(void)
{
	static const char *const bad[] = {
		"",
		"{}",
		"null",
		REPORT "\n",
		REPORT "{}",
		" " REPORT,
		"{\"type\":\"file\",\"schema\":1,\"file\":\"/a/"
		"c.bag\",\"x\":1}",
		"{\"type\":\"file\",\"schema\":1,\"file\":\"/a/b.bag\"}",
		"{\"type\":\"file\",\"schema\":1,\"file\":\"/a/b.bag\",\"x\":\n"
		"1}",
		"{\"type\":\"totals\",\"schema\":1,\"file\":\"/a/b.bag\",\"x\":"
		"1}",
		"{\"type\":\"file\",\"schema\":1,\"file\":\"/a/b.bag\",\"x\":1",
		ABOUT ",\"file\":\"/a/c.bag\"}",
		ABOUT ",\"f\\u0069le\":\"/a/c.bag\"}",
		ABOUT ",\"x\":{\"y\":[1]},\"file\":\"/a/c.bag\"}",
		ABOUT ",\"file_base64\":\"L2EvYy5iYWc=\"}",
		ABOUT ",\"x\":1,\"type\":\"totals\"}",
		ABOUT ",\"x\":\"}\",\"schema\":2}",
	};
	static const char *const good[] = {
		ABOUT ",\"x\":1}",
		ABOUT ",\"x\":\"file\",\"y\":\"\\u0066\"}",
		ABOUT ",\"x\":{\"file\":\"/a/c.bag\",\"type\":\"x\"}}",
		ABOUT ",\"x\":[{\"file\":\"/a/c.bag\"}],\"files\":1}",
	};
	struct slv_sent s;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		check_case("report %zu", i);
		s = sample();
		s.report = (char *)(uintptr_t)bad[i];
		CHECK(!holds(&s, &asked));
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		check_case("good report %zu", i);
		s = sample();
		s.report = (char *)(uintptr_t)good[i];
		CHECK(holds(&s, &asked));
	}
}

/* What a terminal or a reader of the journal would be misled by. */
static void
texts(void)
{
	static const char *const bad[] = { "\033[2J", "a\033", "\033[31m",
		"\rb.bag: intact\n", "a\tb", "\x7f", "\xc2\x9b", "\xff",
		"\xe2\x80\xae", "\xc2\xad", "\033]0;x\007", "\033\033[0m" };
#define QUOTED                                                                 \
	"{\"algorithm\":\"sha256-128\",\"piece\":1048576,"                     \
	"\"values\":\"QU\\\"D\"}"
	static const char *const digests[] = {
		"", "{}", "[]", "null}", "null,\"report\":{}", DIGESTS " ",
		DIGESTS ",\"report\":1", QUOTED,
		"{\"algorithm\":\"md5\",\"piece\":1048576,\"values\":\"QUJD\"}",
		"{\"algorithm\":\"sha256-128\",\"piece\":1,\"values\":\"QUJD\"}"
	};
	struct slv_sent s;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		check_case("text %zu", i);
		s = sample();
		s.text = (char *)(uintptr_t)bad[i];
		CHECK(!holds(&s, &asked));
	}
	for (size_t i = 0; i < sizeof(digests) / sizeof(*digests); i++) {
		check_case("digests %zu", i);
		s = sample();
		s.digests = (char *)(uintptr_t)digests[i];
		CHECK(!holds(&s, &asked));
	}
	s = sample();
	s.digests = (char *)(uintptr_t) "null";
	CHECK(holds(&s, &asked));
}

/* An answer to another question. */
static void
only_what_was_asked(void)
{
	struct slv_sent s = sample(), before = { .before = true };
	struct slv_sent_asked a = asked;

	CHECK(!holds(&before, &a));
	a.before = true;
	CHECK(holds(&before, &a));
	before.code = 1;
	CHECK(!holds(&before, &a));
	before = (struct slv_sent){ .before = true };
	before.text = (char *)(uintptr_t) "x";
	CHECK(!holds(&before, &a));
	a = asked;
	a.report = false;
	CHECK(holds(&s, &a));
	a = asked;
	a.digests = false;
	CHECK(!holds(&s, &a));
	a = asked;
	a.seconds = 1;
	CHECK(!holds(&s, &a));
	a = asked;
	a.output = "/out/c.bag";
	CHECK(!holds(&s, &a));
	a.output = NULL;
	CHECK(!holds(&s, &a));
	s.output = NULL;
	CHECK(holds(&s, &a));
	a = asked;
	CHECK(holds(&s, &a));
	s.report = NULL;
	CHECK(!holds(&s, &a));
	s.failed = true;
	CHECK(holds(&s, &a));
}

static const char form[] =
    "{\"a\":[1,-0.5,12e-3,{\"b\":\"x\\u00e9\\ud834\\udd1e\\n\"},true,false,"
    "null,[],{}],\"c\":9223372036854775807,\"d\":{\"e\":[[[\"\"]]]}}";

/* What is let through is never what a parser refuses. */
static void
judge(const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	bool is = slv_json_is_object(text);

	if (is && !CHECK(json_is_object(json)))
		check_case("%s", text);
	json_decref(json);
}

static void
json_form(void)
{
	static const char others[] = "{}[]\",:\\u019-+.eEtfn/ \n\t\x7f\x80";
	char text[sizeof(form)], deep[200];

	CHECK(slv_json_is_object(form));
	for (size_t i = 0; i < sizeof(form) - 1; i++) {
		memcpy(text, form, sizeof(form));
		for (size_t k = 0; k < sizeof(others) - 1; k++) {
			text[i] = others[k];
			judge(text);
		}
		text[i] = '\0'; /* cut */
		CHECK(!slv_json_is_object(text));
		memcpy(text + i, form + i + 1, sizeof(form) - i - 1);
		judge(text); /* without this one */
	}
	for (size_t depth = 1; depth < 60; depth++) {
		strcpy(deep, "{\"a\":");
		memset(deep + 5, '[', depth);
		memset(deep + 5 + depth, ']', depth);
		strcpy(deep + 5 + 2 * depth, "}");
		CHECK(slv_json_is_object(deep) == (depth < 32));
	}
	CHECK(!slv_json_is_object("{\"a\":9223372036854775808}"));
	CHECK(!slv_json_is_object("{\"a\":1e999}"));
	CHECK(!slv_json_is_object("{\"a\":\"\\u0000\"}"));
	CHECK(!slv_json_is_object("{\"a\":\"\\ud834\"}"));
	CHECK(!slv_json_is_object("[]"));
}

CU_TestInfo sent_tests[] = {
	{ "comes back", comes_back },
	{ "every number", every_number },
	{ "every length", every_length },
	{ "texts", texts },
	{ "reports", reports },
	{ "only what was asked", only_what_was_asked },
	{ "JSON that is not parsed", json_form },
	CU_TEST_INFO_NULL,
};
