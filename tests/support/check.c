/* check.c - CUnit, wrapped so that a failure tells what it saw. */
#include "support/check.h"

#include <CUnit/Basic.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENOUGH 10 /* failures of one test; more only make noise */

enum { HARD_ERROR = 99 }; /* automake's: the test could not be run */

static char the_case[256];
static CU_pTest counted;
static unsigned failures; /* of the test `counted` */

const char *
check_top(void)
{
	static char top[4096];
	const char *told = getenv("SALVOR_SRCDIR");
	char testdata[sizeof(top) + sizeof("/testdata")];
	ssize_t n;

	if (told != NULL)
		return told;
	n = readlink("/proc/self/exe", top, sizeof(top) - 1);
	if (n < 0)
		return ".";
	for (top[n] = '\0'; top[0] != '\0'; *strrchr(top, '/') = '\0') {
		snprintf(testdata, sizeof(testdata), "%s/testdata", top);
		if (access(testdata, F_OK) == 0)
			return top;
	}
	return ".";
}

/* Move the suites with these names to the front, and end the list after them;
 * false: one is not there. */
static bool
choose(CU_SuiteInfo *suites, char *const *names)
{
	size_t n = 0;

	for (; *names != NULL; names++) {
		size_t i = n;
		CU_SuiteInfo chosen;

		while (suites[i].pName != NULL
		    && strcmp(suites[i].pName, *names) != 0)
			i++;
		if (suites[i].pName == NULL) {
			fprintf(stderr, "there is no suite \"%s\"\n", *names);
			return false;
		}
		chosen = suites[i];
		suites[i] = suites[n];
		suites[n++] = chosen;
	}
	if (n > 0)
		suites[n] = (CU_SuiteInfo)CU_SUITE_INFO_NULL;
	return true;
}

int
slv_test_main_of(CU_SuiteInfo *suites, char *const *names)
{
	return choose(suites, names) ? slv_test_main(suites) : HARD_ERROR;
}

int
slv_test_main(CU_SuiteInfo *suites)
{
	CU_ErrorCode code;
	unsigned bad;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (CU_initialize_registry() != CUE_SUCCESS)
		return HARD_ERROR;
	code = CU_register_suites(suites);
	if (code == CUE_SUCCESS) {
		CU_basic_set_mode(CU_BRM_NORMAL);
		code = CU_basic_run_tests();
	}
	bad = CU_get_number_of_failures() + CU_get_number_of_suites_failed();
	if (code != CUE_SUCCESS)
		fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
	CU_cleanup_registry();
	if (code != CUE_SUCCESS)
		return HARD_ERROR;
	return bad > 0;
}

void
check_case(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(the_case, sizeof(the_case), fmt, args);
	va_end(args);
}

/* CUnit knows the test but not when it changes. */
static void
turn_to_test(void)
{
	if (counted == CU_get_current_test())
		return;
	counted = CU_get_current_test();
	failures = 0;
}

bool
check_enough(void)
{
	turn_to_test();
	return failures >= ENOUGH;
}

static void
hold(const char *file, unsigned line)
{
	CU_assertImplementation(CU_TRUE, line, "", file, "", CU_FALSE);
}

/* The text is copied by CUnit. */
static void fail(const char *file, unsigned line, const char *fmt, ...)
    SLV_PRINTF(3, 4);

static void
fail(const char *file, unsigned line, const char *fmt, ...)
{
	char text[1200];
	va_list args;
	int n;

	if (check_enough())
		return;
	failures++;
	va_start(args, fmt);
	n = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (the_case[0] != '\0' && n >= 0 && (size_t)n < sizeof(text))
		snprintf(text + n, sizeof(text) - (size_t)n, "  [case: %s]",
		    the_case);
	CU_assertImplementation(CU_FALSE, line, text, file, "", CU_FALSE);
}

bool
check_true(bool held, const char *what, const char *file, unsigned line)
{
	if (held)
		hold(file, line);
	else
		fail(file, line, "%s", what);
	return held;
}

bool
check_u64(uint64_t got, uint64_t want, const char *what, const char *file,
    unsigned line)
{
	if (got == want)
		hold(file, line);
	else
		fail(file, line, "%s: got %" PRIu64 ", want %" PRIu64, what,
		    got, want);
	return got == want;
}

bool
check_i64(int64_t got, int64_t want, const char *what, const char *file,
    unsigned line)
{
	if (got == want)
		hold(file, line);
	else
		fail(file, line, "%s: got %" PRId64 ", want %" PRId64, what,
		    got, want);
	return got == want;
}

bool
check_str(const char *got, const char *want, const char *what, const char *file,
    unsigned line)
{
	return check_name(got != NULL && want != NULL && strcmp(got, want) == 0,
	    got != NULL ? got : "(none)", want != NULL ? want : "(none)", what,
	    file, line);
}

bool
check_name(bool same, const char *got, const char *want, const char *what,
    const char *file, unsigned line)
{
	if (same)
		hold(file, line);
	else
		fail(file, line, "%s: got %s, want %s", what, got, want);
	return same;
}

/* Up to 16 bytes from `at` on, in hexadecimal. */
static void
excerpt(const uint8_t *bytes, size_t n, size_t at, char *text, size_t size)
{
	size_t put = 0;

	text[0] = '\0';
	for (size_t i = at; i < n && i < at + 16 && put + 4 < size; i++)
		put +=
		    (size_t)snprintf(text + put, size - put, " %02x", bytes[i]);
}

bool
check_bytes(const void *got, size_t n, const void *want, size_t m,
    const char *what, const char *file, unsigned line)
{
	const uint8_t *a = got, *b = want;
	char seen[64], hoped[64];
	size_t at = 0;

	while (at < n && at < m && a[at] == b[at])
		at++;
	if (at == n && at == m) {
		hold(file, line);
		return true;
	}
	excerpt(a, n, at, seen, sizeof(seen));
	excerpt(b, m, at, hoped, sizeof(hoped));
	fail(file, line,
	    "%s: got %zu bytes, want %zu; from byte %zu on got%s, want%s", what,
	    n, m, at, seen, hoped);
	return false;
}

bool
check_status(enum slv_status got, enum slv_status want,
    const struct slv_err *err, const char *what, const char *file,
    unsigned line)
{
	if (got == want)
		hold(file, line);
	else
		fail(file, line, "%s: got %s (%s), want %s", what,
		    slv_status_name(got),
		    err != NULL && err->code != SLV_OK ? err->text : "no cause",
		    slv_status_name(want));
	return got == want;
}
