/* check.h - CUnit, wrapped so that a failure tells what it saw.
 *
 * CU_ASSERT_EQUAL prints the expression only.  These print "got ..., want
 * ..." and the case that is being tried, and say whether they held, so that
 * a test can return early:
 *
 *	if (!CHECK_OK(slv_source_memory(bytes, n, &source, &err), &err))
 *		return;
 */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Register the suites, run them, print CUnit's summary.  Returned is what
 * automake wants of main: 0, 1 after failures, 99 where the registry
 * fails. */
int slv_test_main(CU_SuiteInfo *suites);

/* The same of the suites with these names, of all where there is none.
 *
 *   names  ends with NULL
 *
 * 99: there is no such suite */
int slv_test_main_of(CU_SuiteInfo *suites, char *const *names);

/* The top of the sources: what SALVOR_SRCDIR says, else the first folder above
 * the program that has testdata.  Static. */
const char *check_top(void);

/* Name the case that the next checks are about, as one would have to repeat
 * it; printed with every failure. */
void check_case(const char *fmt, ...) SLV_PRINTF(1, 2);

/* Whether this test has failed so often that going on only makes noise;
 * further failures of it are not put down. */
bool check_enough(void);

#define CHECK(cond)          check_true((cond), #cond, __FILE__, __LINE__)
#define CHECK_U64(got, want) check_u64((got), (want), #got, __FILE__, __LINE__)
#define CHECK_I64(got, want) check_i64((got), (want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) check_str((got), (want), #got, __FILE__, __LINE__)
#define CHECK_BYTES(got, n, want, m)                                           \
	check_bytes((got), (n), (want), (m), #got, __FILE__, __LINE__)

/* Two values of an enum, printed by name_of(value). */
#define CHECK_NAME(name_of, got, want)                                         \
	check_name((got) == (want), name_of(got), name_of(want), #got,         \
	    __FILE__, __LINE__)

/* A status; err, which may be NULL, explains it. */
#define CHECK_STATUS(got, want, err)                                           \
	check_status((got), (want), (err), #got, __FILE__, __LINE__)
#define CHECK_OK(got, err) CHECK_STATUS(got, SLV_OK, err)

bool check_true(bool held, const char *what, const char *file, unsigned line);
bool check_u64(uint64_t got, uint64_t want, const char *what, const char *file,
    unsigned line);
bool check_i64(int64_t got, int64_t want, const char *what, const char *file,
    unsigned line);
bool check_str(const char *got, const char *want, const char *what,
    const char *file, unsigned line);
bool check_bytes(const void *got, size_t n, const void *want, size_t m,
    const char *what, const char *file, unsigned line);
bool check_name(bool same, const char *got, const char *want, const char *what,
    const char *file, unsigned line);
bool check_status(enum slv_status got, enum slv_status want,
    const struct slv_err *, const char *what, const char *file, unsigned line);

#endif
