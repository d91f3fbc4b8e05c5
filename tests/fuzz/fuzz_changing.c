/* fuzz_changing.c - a log that another user writes to while it is read: whatever is
 * made of it, no job reads or writes where it may not.
 *
 * Some reads get other bytes than the file has.  With strict views, which the builds
 * with sanitizers have, all that is viewed again is read again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "fuzz/fuzz.h"
#include "io/read/window.h"
#include "io/sys.h"
#include "support/scratch.h"

static struct {
	uint64_t dice;
	unsigned rate; /* of so many reads one gets other bytes */
	ssize_t (*pread)(int, void *, size_t, off_t);
} lies;

static unsigned
roll(unsigned n)
{
	lies.dice = lies.dice * UINT64_C(6364136223846793005)
	    + UINT64_C(1442695040888963407);
	return (unsigned)(lies.dice >> 33) % n;
}

static ssize_t
read_other(int fd, void *buf, size_t n, off_t off)
{
	static const uint8_t odd[] = { 0, 1, 2, 3, 0x7f, 0x80, 0xfe, 0xff };
	ssize_t got = lies.pread(fd, buf, n, off);
	uint8_t *p = buf;

	if (got <= 0 || roll(lies.rate) > 0)
		return got;
	for (unsigned changes = 1 + roll(4); changes > 0; changes--) {
		size_t at = roll((unsigned)got), end = at + 1 + roll(8);
		uint8_t value = odd[roll(sizeof(odd))];

		for (; at < end && at < (size_t)got; at++)
			p[at] =
			    roll(2) ? value : p[at] ^ (uint8_t)(1u << roll(8));
	}
	if (roll(8) == 0)
		memset(p, 0, (size_t)got);
	return got;
}

/* What becomes of the log is up to the one who writes to it. */
static void
change_in_place(const char *log)
{
	struct slv_options opt = {
		.in_place = true,
		.no_effort = true,
		.limits = FUZZ_LIMITS,
	};

	for (unsigned i = 0; i < 2; i++) {
		struct slv_report *r = NULL;

		opt.quick = i == 0;
		lies.rate = 10 + roll(200);
		FUZZ_CHECK(
		    slv_repair(log, &opt, &r) != SLV_E_NOMEM && r != NULL);
		slv_report_free(r);
		r = NULL;
		FUZZ_CHECK(slv_undo(log, &opt, &r) != SLV_E_NOMEM && r != NULL);
		slv_report_free(r);
	}
}

void
fuzz_changing(const uint8_t *bytes, size_t n)
{
	static const fuzz_job jobs[] = { slv_verify, slv_info, slv_list,
		slv_repair, slv_extract, slv_export };
	char log[600], out[600];
	struct slv_options opt = {
		.to = "mcap",
		.force = true,
		.no_effort = true,
		.limits = FUZZ_LIMITS,
	};

	(void)fuzz_scratch();
	scratch_write("log", bytes, n);
	snprintf(log, sizeof(log), "%s", scratch_path("log"));
	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	opt.output = out;
	lies.dice = slv_fnv(SLV_FNV, bytes, n);
	lies.pread = slv_sys.pread;
	slv_sys.pread = read_other;
	slv_views_reread(true);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		struct slv_report *r = NULL;

		lies.rate = 2 + roll(40);
		FUZZ_CHECK(jobs[i](log, &opt, &r) != SLV_E_NOMEM && r != NULL);
		free(slv_report_text(r, SLV_PAGE_BRIEF, 0));
		free(slv_report_json(r));
		slv_report_free(r);
	}
	FUZZ_CHECK(scratch_holds("log", bytes, n));
	change_in_place(log);
	slv_views_reread(false);
	slv_sys.pread = lies.pread;
	scratch_clean();
}
