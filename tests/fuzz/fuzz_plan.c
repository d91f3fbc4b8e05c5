/* fuzz_plan.c - plans from elsewhere (job/plan/plan_file.h).
 *
 * Whatever a plan says, it is refused or carried out: it gives as many bytes as
 * it states, all of them from the input or from itself, and an output is there
 * only if its digest is the stated one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text/hex.h"
#include "digest/digest.h"
#include "fuzz/promises.h"
#include "job/plan/plan_file.h"
#include "support/scratch.h"

#define INPUT 300                 /* bytes of the log */
#define MOST  (UINT64_C(1) << 20) /* bytes of an output that is read */

/* A log in which each byte differs from those around it. */
static const uint8_t *
a_log(void)
{
	static uint8_t log[INPUT];

	for (size_t i = 0; i < sizeof(log); i++)
		log[i] = (uint8_t)(i * 7);
	return log;
}

static void
sum(const void *bytes, size_t n, uint8_t out[SLV_SHA256_SIZE])
{
	struct slv_digest d;

	slv_digest_init(&d, SLV_SHA256);
	slv_digest_add(&d, bytes, n);
	slv_digest_get(&d, out);
}

static void
put_end(struct slv_buf *text, const char *word, uint64_t size,
    const uint8_t sha256[SLV_SHA256_SIZE])
{
	char hex[SLV_HEX(SLV_SHA256_SIZE)];

	slv_hex(hex, sha256, SLV_SHA256_SIZE);
	slv_buf_printf(
	    text, "%s %llu %s\n", word, (unsigned long long)size, hex);
}

/* A plan of the log with these lines, for an output of so many bytes. */
static void
make_plan(struct slv_buf *text, const uint8_t *lines, size_t n, uint64_t size,
    const uint8_t output[SLV_SHA256_SIZE])
{
	uint8_t input[SLV_SHA256_SIZE];

	sum(a_log(), INPUT, input);
	slv_buf_text(text, SLV_PLAN_MAGIC "1\n");
	put_end(text, "input", INPUT, input);
	put_end(text, "output", size, output);
	slv_buf_add(text, lines, n);
	slv_buf_text(text, "end\n");
}

/* Read the output of a plan that was accepted. */
static void
read_output(struct slv_plan *plan, struct slv_buf *out)
{
	struct slv_source *log = NULL, *all = NULL;
	struct slv_err err = { 0 };

	fuzz_ok(slv_source_memory(a_log(), INPUT, &log, &err), &err);
	plan->input = log;
	fuzz_ok(slv_plan_source(plan, &all, &err), &err);
	for (uint64_t off = 0; off < all->size && off < MOST; off++) {
		uint8_t byte;

		fuzz_ok(slv_source_read(all, off, &byte, 1, &err), &err);
		slv_buf_add(out, &byte, 1);
	}
	slv_source_close(all);
	slv_source_close(log);
}

/* Return true if the text is accepted as a plan; *out is then its output. */
static bool
accepted(const struct slv_buf *text, struct slv_buf *out)
{
	/* The reader writes into the text, which has exactly its size. */
	char *copy = must_alloc(text->len + 1);
	struct slv_plan_file f;
	struct slv_err err = { 0 };
	bool good;

	memcpy(copy, text->at, text->len);
	copy[text->len] = '\0';
	good = slv_plan_file_read(&f, "plan", copy, text->len, &err) == SLV_OK;
	free(copy);
	FUZZ_CHECK(good || err.code == SLV_E_REFUSED);
	if (!good)
		return false;
	FUZZ_CHECK(f.plan.size == f.output.size);
	for (size_t i = 0; i < f.plan.n; i++)
		FUZZ_CHECK(f.plan.at[i].kind != SLV_SEG_COPY
		    || slv_range_in(
		        f.plan.at[i].arg, f.plan.at[i].len, f.input.size));
	if (f.input.size == INPUT)
		read_output(&f.plan, out);
	slv_plan_file_free(&f);
	return true;
}

/* The bytes as a whole plan, for any log. */
static void
try_plan(const uint8_t *bytes, size_t n)
{
	struct slv_options opt = { .no_sidecar = n % 2 == 0 };
	struct slv_applied done = { .size_of = sizeof(done) };
	char plan[600], log[600], out[600];
	uint8_t digest[SLV_SHA256_SIZE];
	struct slv_err err = { 0 };
	struct blob written = { 0 };

	(void)fuzz_scratch();
	scratch_write("plan", bytes, n);
	scratch_write("log", a_log(), INPUT);
	snprintf(plan, sizeof(plan), "%s", scratch_path("plan"));
	snprintf(log, sizeof(log), "%s", scratch_path("log"));
	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	opt.output = out;
	(void)slv_apply(plan, log, &opt, &done, &err);
	FUZZ_CHECK(scratch_holds("log", a_log(), INPUT));
	FUZZ_CHECK(scratch_has("out") == (err.code == SLV_OK));
	FUZZ_CHECK(scratch_count(".salvor-") == 0);
	if (err.code == SLV_OK) {
		FUZZ_CHECK(blob_read(&written, out));
		sum(written.at, written.n, digest);
		FUZZ_CHECK(memcmp(digest, done.sha256, sizeof(digest)) == 0);
		blob_free(&written);
	}
	scratch_clean();
}

/* The bytes as the lines of a plan; they begin with its size. */
static void
try_lines(const uint8_t *bytes, size_t n)
{
	uint8_t digest[SLV_SHA256_SIZE] = { 0 };
	struct slv_buf text = { 0 }, out = { 0 };
	uint64_t size = n < 2 ? 0 : slv_get_le16(bytes);

	if (n >= 2)
		make_plan(&text, bytes + 2, n - 2, size, digest);
	if (n >= 2 && accepted(&text, &out)) {
		FUZZ_CHECK(out.len == size);
		sum(out.at, out.len, digest);
		text.len = 0;
		make_plan(&text, bytes + 2, n - 2, size, digest);
		try_plan(text.at, text.len);
	}
	slv_buf_free(&text);
	slv_buf_free(&out);
}

void
fuzz_plan(const uint8_t *bytes, size_t n)
{
	struct slv_buf text = { 0 }, out = { 0 };

	slv_buf_add(&text, bytes, n);
	if (n > 0)
		(void)accepted(&text, &out);
	slv_buf_free(&text);
	slv_buf_free(&out);
	try_plan(bytes, n);
	try_lines(bytes, n);
}
