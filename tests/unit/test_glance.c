/* test_glance.c - a description from the index reads little else. */
#include "suites.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/sys.h"
#include "options/options.h"
#include "salvor.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "support/scratch.h"

#define PAYLOAD 50000 /* bytes; the index of such a log is tiny */

static uint64_t bytes_read;
static ssize_t (*real_pread)(int, void *, size_t, off_t);

static ssize_t
counting_pread(int fd, void *buf, size_t n, off_t off)
{
	ssize_t got = real_pread(fd, buf, n, off);

	bytes_read += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Run a job on a log in the scratch folder, counting what it reads; returns
 * its JSON, owned by the caller. */
static char *
run_counted(enum slv_status (*job)(
                const char *, const struct slv_options *, struct slv_report **),
    const struct slv_options *opt, enum slv_state state)
{
	struct slv_report *report = NULL;
	char *json;

	real_pread = slv_sys.pread;
	slv_sys.pread = counting_pread;
	bytes_read = 0;
	CHECK(job(scratch_path("x.bddf"), opt, &report) == SLV_OK);
	slv_sys.pread = real_pread;
	CHECK_NAME(slv_state_name, slv_report_state(report), state);
	json = slv_report_json(report);
	slv_report_free(report);
	return json;
}

static void
write_log(size_t spoilt)
{
	struct recipe how = {
		.series = 3,
		.blocks = 40,
		.least = PAYLOAD,
		.most = PAYLOAD,
		.keys = 1,
		.extras = 1,
	};
	struct made_log log = { 0 };

	make_bddf(&log, &how, NULL);
	if (spoilt > 0)
		log.bytes.at[log.bytes.n - spoilt] ^= 0x10;
	scratch_write("x.bddf", log.bytes.at, log.bytes.n);
	made_free(&log);
}

/* Without what only a scan knows, a glance says what a scan says. */
static void
the_same_in_few_reads(void)
{
	struct slv_options all = { .scan = true }, glance = { 0 };
	char *from_scan, *from_index, *a, *b;

	write_log(0);
	from_scan = run_counted(slv_info, &all, SLV_STATE_INTACT);
	CHECK(bytes_read > 40 * PAYLOAD);
	from_index = run_counted(slv_info, &glance, SLV_STATE_INDEXED);
	CHECK(bytes_read < 2 * PAYLOAD);
	CHECK(strstr(from_scan, "\"depth\":\"all\"") != NULL);
	CHECK(strstr(from_index, "\"depth\":\"index\"") != NULL);
	CHECK(strstr(from_index, "\"assurance\":\"none\"") != NULL);
	a = strstr(from_scan, "\"time\":");
	b = strstr(from_index, "\"time\":");
	CHECK(a != NULL && b != NULL && strcmp(a, b) == 0);
	free(from_scan);
	free(from_index);
	scratch_clean();
}

static void
quick_reads_no_block(void)
{
	struct slv_options quick = { .quick = true };

	write_log(0);
	free(run_counted(slv_verify, &quick, SLV_STATE_INDEXED));
	CHECK(bytes_read < 2 * PAYLOAD);
	scratch_clean();
}

/* Where the ends do not fit the index, all is read after all. */
static void
a_broken_footer_is_read_through(void)
{
	struct slv_options quick = { .quick = true };
	struct slv_report *report = NULL;

	write_log(1);
	free(run_counted(slv_info, &quick, SLV_STATE_DAMAGED));
	CHECK(bytes_read > 40 * PAYLOAD);
	scratch_clean();
	for (size_t at = 1; at <= 4; at++) {
		write_log(at);
		CHECK(slv_verify(scratch_path("x.bddf"), &quick, &report)
		    == SLV_OK);
		CHECK_NAME(slv_state_name, slv_report_state(report),
		    SLV_STATE_DAMAGED);
		CHECK(slv_report_assurance(report) == SLV_BY_DIGEST);
		slv_report_free(report);
		scratch_clean();
	}
}

CU_TestInfo glance_tests[] = {
	{ "the same in few reads", the_same_in_few_reads },
	{ "quick reads no block", quick_reads_no_block },
	{ "a broken footer is read through", a_broken_footer_is_read_through },
	CU_TEST_INFO_NULL,
};
