/* fuzz_served.c - logs that are not read from a file of their own.
 *
 * What a function of the caller serves, and what was compressed as a whole, is repaired
 * to the same bytes as a file.  A compressed file that is cut, or is anything else, is
 * only another log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codec/codec.h"
#include "fuzz/fuzz.h"
#include "salvor_options.h"
#include "salvor_read.h"
#include "support/scratch.h"

#define PACKED "log.mcap.zst"

/* What a function serves. */
struct served {
	const uint8_t *bytes;
	size_t n;
};

static int
read_served(void *ctx, uint64_t off, void *buf, size_t n)
{
	const struct served *s = ctx;

	FUZZ_CHECK(off <= s->n && n <= s->n - off);
	if (n > 0)
		memcpy(buf, s->bytes + off, n);
	return 0;
}

/* Repair a log into a file of this name. */
static enum slv_status
repair(const char *log, const char *to, const struct slv_input *input)
{
	struct slv_options opt = {
		.no_effort = true, .no_annotate = true, .limits = FUZZ_LIMITS
	};
	struct slv_report *r = NULL;
	char path[600], out[600];
	enum slv_status st;

	snprintf(path, sizeof(path), "%s", scratch_path(log));
	snprintf(out, sizeof(out), "%s", scratch_path(to));
	opt.output = out;
	slv_options_input_call(&opt, input);
	st = slv_repair(path, &opt, &r);
	FUZZ_CHECK(r != NULL);
	FUZZ_CHECK(st != SLV_E_BUG && st != SLV_E_NOMEM && st != SLV_E_ACTIVE);
	slv_report_free(r);
	return st;
}

/* Whether a repair of the same bytes ended like that of the file, and wrote the same. */
static void
check_same(const char *to, enum slv_status st, enum slv_status other)
{
	struct blob written = { 0 };

	FUZZ_CHECK(st == other);
	FUZZ_CHECK(scratch_has("out") == scratch_has(to));
	if (!scratch_has(to))
		return;
	FUZZ_CHECK(blob_read(&written, scratch_path(to)));
	FUZZ_CHECK(scratch_holds("out", written.at, written.n));
	blob_free(&written);
}

void
fuzz_served(const uint8_t *bytes, size_t n)
{
	struct served served = { bytes, n };
	const struct slv_input input = {
		.size_of = sizeof(input),
		.size = n,
		.read_at = read_served,
		.ctx = &served,
	};
	struct slv_buf packed = { 0 };
	struct slv_err err = { 0 };
	enum slv_status st;

	(void)fuzz_scratch();
	scratch_write("log.mcap", bytes, n);
	st = repair("log.mcap", "out", NULL);
	check_same("served", st, repair("log.mcap", "served", &input));
	fuzz_ok(slv_encode_zstd(bytes, n, SLV_ZSTD_LEVEL, &packed, &err), &err);
	scratch_write(PACKED, packed.at, packed.len);
	check_same("unpacked", st, repair(PACKED, "unpacked", NULL));
	if (n > 0)
		scratch_write(PACKED, packed.at,
		    packed.len * bytes[n / 2] / (UINT8_MAX + 1));
	(void)repair(PACKED, "cut", NULL);
	scratch_write(PACKED, bytes, n);
	(void)repair(PACKED, "other", NULL);
	FUZZ_CHECK(scratch_holds(PACKED, bytes, n));
	FUZZ_CHECK(scratch_count(".salvor-") == 0);
	slv_buf_free(&packed);
	scratch_clean();
}
