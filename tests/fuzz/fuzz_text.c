/* fuzz_text.c - run every job on a file, and render all it says.
 *
 * A log names things as it likes.  Whatever it holds, the text is UTF-8 that
 * no terminal acts on, and the JSON is ASCII, parses, and adds up.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "report/report.h"

#define EFFORT_OF 16 /* looking for flipped bits takes most of the time */

/* Takes over the text. */
static void
check_text(char *text)
{
	size_t left;

	FUZZ_CHECK(text != NULL);
	left = strlen(text);
	for (const uint8_t *at = (uint8_t *)text; left > 0;) {
		uint32_t code;
		size_t len = slv_utf8_next(at, left, &code);

		FUZZ_CHECK(len > 0);
		FUZZ_CHECK(code == '\n' || code >= 0x20);
		FUZZ_CHECK(code < 0x7f || code >= 0xa0);
		at += len;
		left -= len;
	}
	free(text);
}

/* Takes over the text; returned is what it says. */
static json_t *
check_json(char *text)
{
	json_error_t why;
	json_t *json;

	FUZZ_CHECK(text != NULL);
	for (const uint8_t *at = (uint8_t *)text; *at != '\0'; at++)
		FUZZ_CHECK(*at >= 0x20 && *at < 0x80);
	json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
	FUZZ_CHECK(json_is_object(json));
	free(text);
	return json;
}

/* What was listed so far. */
struct listing {
	const uint8_t *bytes; /* of the file */
	uint64_t end;         /* of the last one */
	uint64_t sum;         /* bytes */
	bool moved; /* one does not begin where the one before it ends */
};

/* Zeros at the end of a log, before another one, are not listed. */
static bool
is_padding(const struct listing *l, uint64_t to)
{
	uint64_t at = l->end;

	while (at < to && l->bytes[at] == 0)
		at++;
	return at == to;
}

static bool
show_block(void *ctx, const struct slv_block *b)
{
	struct listing *l = ctx;

	/* What a compressed block holds follows it, and has no bytes of its
	 * own. */
	if (b->packed) {
		FUZZ_CHECK(b->off < l->end);
	} else {
		l->moved |= !is_padding(l, b->off);
		l->end = b->off + b->len;
		l->sum += b->len;
	}
	check_text(slv_block_text(b));
	json_decref(check_json(slv_block_json(b)));
	return true;
}

static void
show_report(const struct slv_report *r, uint64_t size)
{
	json_t *json = check_json(slv_report_json(r)), *n;
	const char *key;
	uint64_t sum = 0;

	for (int page = SLV_PAGE_BRIEF; page <= SLV_PAGE_INFO; page++)
		check_text(
		    slv_report_text(r, (enum slv_page)page, SLV_TEXT_VERBOSE));
	FUZZ_CHECK(
	    json_integer_value(json_object_get(json, "size")) == (int64_t)size);
	json_object_foreach(json_object_get(json, "bytes"), key, n) sum +=
	    (uint64_t)json_integer_value(n);
	FUZZ_CHECK(sum == size);
	json_decref(json);
}

static struct slv_report *
run(fuzz_job job, const char *path, size_t n, const struct slv_options *opt)
{
	struct slv_report *r;
	enum slv_status st = job(path, opt, &r);

	FUZZ_CHECK(r != NULL);
	if (fuzz_within(st, &r->err))
		show_report(r, n);
	return r;
}

/* Whether pieces of the file are read in another order than they have in it. */
static bool
is_in_another_order(const struct slv_report *r)
{
	static const char *const moving[] = { "copies", "exchange", "strays",
		"turned" };

	for (size_t i = 0; i < r->n_attempts; i++) {
		for (size_t k = 0; k < sizeof(moving) / sizeof(*moving); k++)
			if (r->attempts[i].taken
			    && strcmp(r->attempts[i].reading, moving[k]) == 0)
				return true;
	}
	return false;
}

/* Each byte is listed once, in the order of the file where that is the log's. */
static void
list(const char *path, const uint8_t *bytes, size_t n, struct slv_options opt)
{
	struct listing listed = { .bytes = bytes };
	struct slv_report *r;

	opt.on_block = show_block;
	opt.on_block_ctx = &listed;
	r = run(slv_list, path, n, &opt);
	FUZZ_CHECK(listed.sum <= n);
	FUZZ_CHECK(!listed.moved || is_in_another_order(r));
	slv_report_free(r);
}

void
fuzz_text(const uint8_t *bytes, size_t n)
{
	const char *path = fuzz_file(bytes, n);
	struct slv_options opt = {
		.output = "/nowhere",
		.dry_run = true,
		.no_effort = n % EFFORT_OF != 0,
		.limits = FUZZ_LIMITS,
	};
	struct slv_report *audit = run(slv_verify, path, n, &opt);
	struct slv_report *repair = run(slv_repair, path, n, &opt);

	/* What verify says of a repair is what repair does. */
	if (audit->err.code != SLV_OK || repair->err.code != SLV_OK) {
		FUZZ_CHECK(audit->err.code == repair->err.code);
		slv_report_free(audit);
		slv_report_free(repair);
		return;
	}
	FUZZ_CHECK(audit->repairable == repair->repairable);
	FUZZ_CHECK(audit->assurance == repair->assurance);
	FUZZ_CHECK((audit->state == repair->state) != audit->repairable);
	slv_report_free(audit);
	slv_report_free(repair);
	slv_report_free(run(slv_info, path, n, &opt));
	list(path, bytes, n, opt);
	opt.quick = opt.scan = true;
	slv_report_free(run(slv_verify, path, n, &opt));
	slv_report_free(run(slv_info, path, n, &opt));
	opt.reseal = opt.annotate = true;
	opt.keep = SLV_KEEP_SUSPECT;
	slv_report_free(run(slv_repair, path, n, &opt));
}
