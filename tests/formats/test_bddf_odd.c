/* test_bddf_odd.c - logs that are odd in one way, with a block out of place.
 *
 * What the first reading notes about a block that it finds something else
 * about must not be news to the proof; see judge() and take() in core/scan/walk.c.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/make_bddf.h"
#include "support/repair.h"

#define MADE_END_SIZE ((size_t)40) /* bytes of an end block */

enum move { COPY, MOVE, REMOVE, MOVES };

static void
add_block(struct blob *out, const struct made_log *log, size_t i)
{
	const struct made_block *b = &log->blocks[i];

	blob_add(out, log->bytes.at + b->off, b->end - b->off);
}

/* The log with block `from` before block `to` as well, or instead, or
 * nowhere. */
static void
put_elsewhere(struct blob *out, const struct made_log *log, size_t from,
    size_t to, enum move move)
{
	blob_add(out, log->bytes.at, log->blocks[0].off);
	for (size_t i = 0; i <= log->n; i++) {
		if (i == to && move != REMOVE)
			add_block(out, log, from);
		if (i < log->n && (i != from || move == COPY))
			add_block(out, log, i);
	}
}

/* A repair that would not come out clean is refused, and none may be. */
static void
check_repairs(const struct blob *in)
{
	static const unsigned ways[] = { 0, REPAIR_RESEAL,
		REPAIR_RESEAL | REPAIR_KEEP_SUSPECT };

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		struct repaired r = { 0 }, again = { 0 };

		repair_memory(&r, in->at, in->n, ways[i]);
		CHECK_OK(r.status, &r.err);
		if (r.planned) {
			repair_memory(&again, r.out.at, r.out.n, 0);
			CHECK(again.state == SLV_STATE_INTACT);
		}
		repaired_free(&r);
		repaired_free(&again);
	}
}

static void
try_orders(const struct made_log *log, const char *name, bool cut)
{
	size_t places = log->n * (log->n + 1);

	for (size_t i = 0; i < places * MOVES; i++) {
		size_t from = i % log->n, to = i / log->n % (log->n + 1);
		enum move move = (enum move)(i / places);
		struct blob in = { 0 };

		check_case("%s: block %zu before %zu, %d%s", name, from, to,
		    (int)move, cut ? ", cut" : "");
		put_elsewhere(&in, log, from, to, move);
		if (cut)
			in.n -= in.n < MADE_END_SIZE ? in.n : MADE_END_SIZE;
		check_repairs(&in);
		blob_free(&in);
	}
	check_case("%s", "");
}

/* Each has one oddity, for another one of the kind would be noted as well. */
static int
is_odd(const struct dirent *entry)
{
	return strncmp(entry->d_name, "odd-", 4) == 0;
}

static void
in_any_order(void)
{
	const char *top = getenv("SALVOR_SRCDIR");
	struct dirent **found;
	char folder[4096], path[8192];
	int n;

	snprintf(folder, sizeof(folder), "%s/testdata/bddf",
	    top != NULL ? top : ".");
	n = scandir(folder, &found, is_odd, alphasort);
	CHECK(n > 0);
	for (int i = 0; i < n; i++) {
		struct made_log log = { 0 };
		struct blob file = { 0 };

		snprintf(path, sizeof(path), "%s/%s", folder, found[i]->d_name);
		if (CHECK(blob_read(&file, path))
		    && CHECK(made_walk(&log, false, false, file.at, file.n))) {
			try_orders(&log, found[i]->d_name, false);
			try_orders(&log, found[i]->d_name, true);
		}
		made_free(&log);
		blob_free(&file);
		free(found[i]);
	}
	free(found);
}

static CU_TestInfo tests[] = {
	{ "in any order", in_any_order },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "odd", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return slv_test_main(suites);
}
