/* crash.c - the power goes, anywhere in a repair in place or its undoing.
 *
 * Each case is run once on a disk in memory that takes down every change.
 * Then, for each point between two calls, every state is built that the disk
 * could have after a crash there: all subsets of what was not synced where
 * these are few, else every prefix, each atom alone kept or dropped, and
 * seeded random subsets.  In each of them
 *
 *	undo gives the old file, and
 *	repair --in-place gives the new one
 *
 * whichever is asked for, so that no state has lost a byte of either; and
 * nobody who only looks takes a half-repaired file for a log, or a lossy one
 * for a whole one.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crash/disk.h"
#include "job/inplace/undo.h"
#include "report/report.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "support/make_mcap.h"
#include "support/repair.h"
#include "options/options.h"

#define LOG      "/d/x.bddf"
#define RECORD   LOG ".salvor-undo"
#define FEW      12   /* atoms of which all subsets are tried */
#define RANDOM   1000 /* subsets of more */
#define SAMPLE   60   /* the same, unless SALVOR_LONG */
#define PENDING  256
#define SEEN_MAX ((size_t)1 << 22)

enum act { REPAIR, UNDO, DISCARD };

struct scenario {
	const char *name;
	enum damage {
		CUT,
		NO_INDEX,
		ZEROS,
		JUNK,
		PATCHES,
		INDEX_ONLY,
		HEADS,
		CHUNKS /* an MCAP file without its end */
	} damage;
	enum act act; /* what is interrupted */

	/* What was interrupted before that; its state is the beginning. */
	bool again;
	const char *record; /* elsewhere, or NULL */
	struct slv_options opt;
	size_t blocks; /* of the log; 0: few */
};

static const struct scenario scenarios[] = {
	{ "cut", CUT, REPAIR, false, NULL, { 0 }, 0 },
	{ "cut, no sidecar", CUT, REPAIR, false, NULL, { .no_sidecar = true },
	    0 },
	{ "no index", NO_INDEX, REPAIR, false, NULL, { 0 }, 0 },
	{ "zeros behind it", ZEROS, REPAIR, false, NULL, { 0 }, 0 },
	{ "junk behind it", JUNK, REPAIR, false, NULL,
	    { .verify_written = true }, 0 },
	{ "magic, index, footer", PATCHES, REPAIR, false, NULL, { 0 }, 0 },
	{ "index", INDEX_ONLY, REPAIR, false, NULL, { 0 }, 0 },
	{ "cut, many blocks", CUT, REPAIR, false, NULL, { 0 }, 400 },
	{ "patches, many blocks", PATCHES, REPAIR, false, NULL, { 0 }, 400 },
	{ "heads of blocks", HEADS, REPAIR, false, NULL, { 0 }, 40 },
	{ "record elsewhere", CUT, REPAIR, false, "/u/r", { 0 }, 0 },
	{ "quick", CHUNKS, REPAIR, false, NULL, { .quick = true }, 0 },
	{ "undo of a quick one", CHUNKS, UNDO, false, NULL, { .quick = true },
	    0 },
	{ "quick, after a crash", CHUNKS, REPAIR, true, NULL, { .quick = true },
	    0 },
	{ "undo of a cut", CUT, UNDO, false, NULL, { 0 }, 0 },
	{ "undo of zeros", ZEROS, UNDO, false, NULL, { 0 }, 0 },
	{ "undo of junk", JUNK, UNDO, false, NULL, { 0 }, 0 },
	{ "undo of heads", HEADS, UNDO, false, NULL, { 0 }, 40 },
	{ "undo of patches", PATCHES, UNDO, false, NULL, { 0 }, 0 },
	{ "undo of a cut, many blocks", CUT, UNDO, false, NULL, { 0 }, 400 },
	{ "undo of zeros, many blocks", ZEROS, UNDO, false, NULL, { 0 }, 400 },
	{ "undo, record elsewhere", CUT, UNDO, false, "/u/r", { 0 }, 0 },
	{ "discard", CUT, DISCARD, false, NULL, { 0 }, 0 },
	{ "repair after a crash", CUT, REPAIR, true, NULL, { 0 }, 0 },
	{ "repair of junk after a crash", JUNK, REPAIR, true, NULL, { 0 }, 0 },
	{ "repair of patches after a crash", PATCHES, REPAIR, true, NULL, { 0 },
	    0 },
	{ "undo after a crash", CUT, UNDO, true, NULL, { 0 }, 0 },
	{ "undo of zeros after a crash", ZEROS, UNDO, true, NULL, { 0 }, 0 },
	{ "undo of patches after a crash", PATCHES, UNDO, true, NULL, { 0 },
	    0 },
};

/* One scenario being tried. */
struct trial {
	const struct scenario *s;
	struct blob old, new; /* the file before and after */
	struct disk start;
	struct disk_log log;
	bool told;      /* records are lost, and the sidecar is to tell */
	uint64_t tried; /* states that differ */
};

static uint64_t *seen; /* SEEN_MAX hashes, 0: free */

static bool
is_new(uint64_t hash)
{
	size_t i = hash % SEEN_MAX;

	hash += hash == 0;
	while (seen[i] != 0 && seen[i] != hash)
		i = (i + 1) % SEEN_MAX;
	if (seen[i] == hash)
		return false;
	seen[i] = hash;
	return true;
}

static void
make_old(struct trial *t)
{
	struct recipe recipe = {
		.series = 3,
		.blocks = t->s->blocks > 0 ? t->s->blocks : 9,
		.least = 40,
		.most = 250,
		.keys = 1,
		.seed = 5,
	};
	struct made_log log = { 0 };
	size_t data, n;

	if (t->s->damage == CHUNKS) {
		make_mcap(&t->old, 20);
		return;
	}
	make_bddf(&log, &recipe, NULL);
	data = made_data_end(&log);
	n = log.bytes.n;
	blob_set(&t->old, log.bytes.at, n);
	switch (t->s->damage) {
	case CUT: t->old.n = data - 20; break;
	case NO_INDEX: t->old.n = data; break;
	case ZEROS:
		t->old.n = data - 20;
		blob_fill(&t->old, 0, 6000);
		break;
	case JUNK: blob_fill(&t->old, 0xa5, 1500); break;
	case PATCHES:
		t->old.at[1] ^= 4;
		t->old.at[data + 30] ^= 1;
		t->old.at[n - 3] ^= 64;
		break;
	case HEADS: /* the index knows what they were */
		for (size_t i = 6; i < log.n; i += 9) {
			if (log.blocks[i].kind == MADE_DATA)
				t->old.at[log.blocks[i].off + 1] ^= 0x55;
		}
		break;
	case INDEX_ONLY: t->old.at[data + 3] ^= 1; break;
	case CHUNKS: break;
	}
	made_free(&log);
}

static enum slv_status
act(enum act act, const struct slv_options *opt, struct slv_report **r)
{
	struct slv_options with = *opt;

	if (act == REPAIR) {
		with.in_place = true;
		return slv_repair(LOG, &with, r);
	}
	with.discard_undo = act == DISCARD;
	return slv_undo(LOG, &with, r);
}

/* Do something on a disk; what is wrong then is said by the caller. */
static enum slv_status
act_on(struct disk *d, struct disk_log *log, enum act what,
    const struct slv_options *opt)
{
	struct slv_report *r = NULL;
	enum slv_status st;

	disk_on(d, log);
	st = act(what, opt, &r);
	disk_off();
	slv_report_free(r);
	return st;
}

static bool
holds(const struct disk *d, const struct blob *want)
{
	const struct blob *b = disk_get(d, LOG);

	return b != NULL && b->n == want->n
	    && memcmp(b->at, want->at, b->n) == 0;
}

/* Who only looks: is told, and changes nothing. */
static void
check_look(struct trial *t, struct disk *d)
{
	struct slv_options opt = { .temp_dir = "/d" };
	struct slv_report *r = NULL;
	struct slv_undo_seen now = { .exists = false };
	struct slv_err err = { 0 };
	uint64_t before = disk_hash(d);
	struct slv_undo_names n;

	disk_on(d, NULL);
	CHECK_OK(slv_undo_names(&n, LOG, NULL, &err), &err);
	CHECK_OK(slv_undo_state(&n, &now, &err), &err);
	slv_undo_names_free(&n);
	CHECK_OK(slv_verify(LOG, &opt, &r), NULL);
	disk_off();
	CHECK(slv_report_unfinished(r) == (now.exists && !now.closed));
	if (!slv_report_unfinished(r)) {
		CHECK(holds(d, &t->old) || holds(d, &t->new));
		CHECK((slv_report_state(r) == SLV_STATE_INTACT)
		    == holds(d, &t->new));
	}
	if (slv_report_state(r) == SLV_STATE_INTACT && t->told)
		CHECK(r->history.line != NULL);
	CHECK(disk_hash(d) == before);
	slv_report_free(r);
}

static void
check_state(struct trial *t, const struct disk *state)
{
	/* What was to be final can be so. */
	const struct blob *after = t->s->act == DISCARD ? &t->new : &t->old;
	struct slv_options opt = t->s->opt;
	struct disk d = { .n_files = 0 };
	enum slv_status st;

	opt.undo_file = t->s->record;
	disk_copy(&d, state);
	check_look(t, &d);
	CHECK_OK(act_on(&d, NULL, REPAIR, &opt), NULL);
	CHECK(holds(&d, &t->new));
	disk_copy(&d, state);
	opt.undo_file = NULL;
	st = act_on(&d, NULL, UNDO, &opt);
	CHECK(st == SLV_OK || st == SLV_E_REFUSED);
	CHECK(holds(&d, &t->old) || holds(&d, after));
	CHECK(disk_get(&d, RECORD) == NULL);
	disk_free(&d);
	t->tried++;
}

/* The atoms that may or may not be on the disk after a crash after a step. */
struct pending {
	size_t at[PENDING];
	size_t n;
};

/* Build and check one state: keep[i] tells of the i-th atom that pends. */
static void
try_subset(
    struct trial *t, unsigned step, const struct pending *p, const bool *keep)
{
	struct disk d = { .n_files = 0 };
	size_t k = 0;

	disk_copy(&d, &t->start);
	for (size_t i = 0; i < t->log.n && t->log.at[i].step <= step; i++) {
		bool pends = k < p->n && p->at[k] == i;

		if (!pends || keep[k])
			disk_do(&d, &t->log.at[i]);
		k += pends;
	}
	if (is_new(disk_hash(&d)))
		check_state(t, &d);
	disk_free(&d);
}

static void
try_many(struct trial *t, unsigned step, const struct pending *p)
{
	struct dice dice = { 77 + step };
	bool keep[PENDING];
	int n = getenv("SALVOR_LONG") != NULL ? RANDOM : SAMPLE;

	for (size_t i = 0; i <= p->n; i++) {
		for (size_t k = 0; k < p->n; k++)
			keep[k] = k < i;
		try_subset(t, step, p, keep);
	}
	for (size_t i = 0; i < p->n; i++) {
		for (size_t k = 0; k < p->n; k++)
			keep[k] = k == i;
		try_subset(t, step, p, keep);
		for (size_t k = 0; k < p->n; k++)
			keep[k] = k != i;
		try_subset(t, step, p, keep);
	}
	for (int i = 0; i < n; i++) {
		for (size_t k = 0; k < p->n; k++)
			keep[k] = dice_below(&dice, 2) == 0;
		try_subset(t, step, p, keep);
	}
}

static void
crash_behind(struct trial *t, unsigned step)
{
	struct pending p = { .n = 0 };
	bool keep[FEW];

	for (size_t i = 0; i < t->log.n && t->log.at[i].step <= step; i++) {
		if (t->log.at[i].safe > step && CHECK(p.n < PENDING))
			p.at[p.n++] = i;
	}
	if (p.n > FEW) {
		try_many(t, step, &p);
		return;
	}
	for (unsigned bits = 0; bits < 1u << p.n; bits++) {
		for (size_t k = 0; k < p.n; k++)
			keep[k] = bits >> k & 1;
		try_subset(t, step, &p, keep);
	}
}

/* What all atoms up to a step leave. */
static void
build(const struct trial *t, const struct disk_log *log, unsigned step,
    struct disk *d)
{
	disk_copy(d, &t->start);
	for (size_t i = 0; i < log->n && log->at[i].step <= step; i++)
		disk_do(d, &log->at[i]);
}

/* Begin where a crash left the file half changed, or where it is never that,
 * changed and the record open: closing it are the last two steps. */
static void
crash_before(struct trial *t)
{
	struct slv_options opt = t->s->opt;
	struct disk_log log = { .steps = 0 };
	struct disk d = { .n_files = 0 };
	unsigned step;

	disk_copy(&d, &t->start);
	CHECK_OK(act_on(&d, &log, REPAIR, &opt), NULL);
	for (step = log.steps - 2; step > 0; step--) {
		build(t, &log, step, &d);
		if (!holds(&d, &t->old) && !holds(&d, &t->new))
			break;
	}
	build(t, &log, step > 0 ? step : log.steps - 2, &d);
	CHECK(!holds(&d, &t->old));
	disk_copy(&t->start, &d);
	disk_free(&d);
	free(log.at);
}

static void
prepare(struct trial *t)
{
	struct slv_options opt = t->s->opt;
	struct repaired r = { 0 };

	make_old(t);
	repair_memory(&r, t->old.at, t->old.n, 0);
	blob_set(&t->new, r.out.at, r.out.n);
	t->told = r.state == SLV_STATE_LOSSY && !t->s->opt.no_sidecar;
	repaired_free(&r);
	disk_put(&t->start, LOG, t->old.at, t->old.n);
	opt.undo_file = t->s->record;
	if (t->s->again)
		crash_before(t);
	else if (t->s->act != REPAIR)
		CHECK_OK(act_on(&t->start, NULL, REPAIR, &opt), NULL);
}

static void
run(const struct scenario *s)
{
	struct trial t = { .s = s };
	struct slv_options opt = s->opt;
	struct disk d = { .n_files = 0 };

	memset(seen, 0, SEEN_MAX * sizeof(*seen));
	check_case("%s", s->name);
	prepare(&t);
	opt.undo_file = s->act == REPAIR ? s->record : NULL;
	disk_copy(&d, &t.start);
	CHECK_OK(act_on(&d, &t.log, s->act, &opt), NULL);
	CHECK(holds(&d, s->act == UNDO ? &t.old : &t.new));
	for (unsigned step = 0; step <= t.log.steps && !check_enough();
	     step++) {
		check_case("%s: crash behind call %u of %u", s->name, step,
		    t.log.steps);
		crash_behind(&t, step);
	}
	check_case("%s", "");
	CHECK(t.tried > 1);
	printf("  %s: %u calls, %llu states\n", s->name, t.log.steps,
	    (unsigned long long)t.tried);
	disk_free(&d);
	disk_free(&t.start);
	blob_free(&t.old);
	blob_free(&t.new);
	free(t.log.at);
}

static void
no_byte_is_lost(void)
{
	size_t n = sizeof(scenarios) / sizeof(*scenarios);

	seen = must_alloc(SEEN_MAX * sizeof(*seen));
	for (size_t i = 0; i < n && !check_enough(); i++)
		run(&scenarios[i]);
	free(seen);
}

static CU_TestInfo tests[] = {
	{ "no byte is lost", no_byte_is_lost },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "crash", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	return slv_test_main(suites);
}
