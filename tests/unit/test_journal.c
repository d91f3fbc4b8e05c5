/* test_journal.c - lines that no journal should have. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "batch/journal/journal.h"
#include "support/check.h"
#include "support/scratch.h"
#include "unit/suites.h"

#define LONG ((size_t)1 << 20)

static const char ours[] =
    "{\"journal\":1,\"command\":\"verify\",\"path\":\"a\"}\n";

/* Read a journal of these bytes; SLV_OK: it has an entry. */
static enum slv_status
read_bytes(const char *text, size_t n, const volatile sig_atomic_t *cancel,
    struct slv_err *err)
{
	struct slv_journal *j = NULL;

	scratch_write("journal", text, n);
	CHECK_OK(
	    slv_journal_open(scratch_path("journal"), "verify", false, &j, err),
	    err);
	if (slv_journal_read(j, cancel, err) == SLV_OK)
		CHECK(slv_journal_find(j, "a") != NULL);
	slv_journal_close(j);
	return err->code;
}

/* Between lines, and in one that does not end. */
static void
a_signal_ends_it(void)
{
	static const volatile sig_atomic_t stopped = 1, going = 0;
	struct slv_err err = { 0 };
	size_t n = strlen(ours) + LONG;
	char *text = slv_calloc(1, n);

	CHECK(text != NULL);
	memset(text, 'x', n);
	memcpy(text, ours, strlen(ours));
	CHECK_OK(read_bytes(ours, strlen(ours), &going, &err), &err);
	CHECK(
	    read_bytes(ours, strlen(ours), &stopped, &err) == SLV_E_CANCELLED);
	err = (struct slv_err){ 0 };
	CHECK_OK(read_bytes(text, n, &going, &err), &err);
	CHECK(read_bytes(text, n, &stopped, &err) == SLV_E_CANCELLED);
	free(text);
	scratch_clean();
}

CU_TestInfo journal_tests[] = {
	{ "a signal ends it", a_signal_ends_it },
	CU_TEST_INFO_NULL,
};
