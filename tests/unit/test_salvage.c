/* test_salvage.c - the judge of salvage: does it know damage, and does it
 * convict? */
#include <string.h>

#include "salvage/verdict.h"
#include "support/check.h"
#include "unit/suites.h"

/* Blocks: file, two series, then data. */
#define FIRST_DATA 3

static const struct recipe recipe = {
	.no_sha1 = true,
	.series = 2,
	.blocks = 6,
	.least = 20,
	.most = 60,
	.keys = 1,
	.steady = true,
	.seed = 9,
};

static struct original original;

static const struct made_block *
data_block(size_t k)
{
	return &original.log.blocks[FIRST_DATA + k];
}

/* Every byte that is said to be of the original is, and every block that is
 * said to be somewhere does. */
static void
check_pieces(const struct harmed *h)
{
	const struct blob *good = &original.log.bytes;

	for (size_t at = 0; at < h->bytes.n; at++) {
		size_t from = harm_source(h, at);

		if (from != SIZE_MAX && !h->still)
			CHECK_U64(h->bytes.at[at], good->at[from]);
	}
	for (size_t i = 0; i < original.log.n; i++) {
		const struct made_block *b = &original.log.blocks[i];
		size_t n = b->end - b->off, at;

		if (b->end > h->limit)
			continue;
		at = harm_place(h, &original, b->off, b->end);
		if (at != SIZE_MAX)
			CHECK_BYTES(h->bytes.at + at, n, good->at + b->off, n);
		else
			CHECK(memmem(
			          h->bytes.at, h->bytes.n, good->at + b->off, n)
			    == NULL);
	}
}

static void
damage_is_known(void)
{
	struct harmed h = { 0 };
	struct harm harm = { .len = 45, .seed = 5 };
	size_t done = 0;

	original_make(&original, "made", &recipe);
	for (int kind = 0; kind < HARM_KINDS; kind++) {
		for (int f = 0; f < FOOTINGS; f++) {
			harm.kind = (enum harm_kind)kind;
			harm.footing = (enum footing)f;
			harm.off = data_block(1)->off + 7;
			if (kind == HARM_DECLARE)
				harm.off = original.log.blocks[2].off;
			check_case("%s, %s", harm_name(harm.kind),
			    footing_name(harm.footing));
			if (CHECK(harm_do(&h, &original, &harm, &original)))
				done++;
			check_pieces(&h);
		}
	}
	CHECK_U64(done, HARM_KINDS * FOOTINGS);
	check_case("%s", "");
	harmed_free(&h);
	original_free(&original);
}

/* What a repair might say of the log without its end, and with a hole in the
 * header of data block 2. */
struct tale {
	const char *name;
	enum slv_state state;
	enum slv_assurance assurance;
	bool without;   /* block 2 is left out */
	bool without_4; /* and so is block 4, untouched */
	bool owned_up;  /* and the books say so */
	bool other;     /* a block of another log is there instead */
	size_t torn;    /* the last payload byte of this block differs */
	bool rough;     /* the output ends in the middle */
	size_t gap;     /* bytes that the books do not tell of */
	unsigned wrong;
};

static const struct tale tales[] = {
	{ "as it should be", SLV_STATE_LOSSY, 0, .without = true },
	{ "more than can be had", SLV_STATE_REPAIRED, 0, .torn = 0 },
	{ "a block too few", SLV_STATE_LOSSY, 0, .without = true,
	    .without_4 = true, .owned_up = true, .wrong = WRONG_MISSED },
	{ "and nothing says so", SLV_STATE_LOSSY, 0, .without = true,
	    .without_4 = true, .wrong = WRONG_MISSED | WRONG_SILENT },
	{ "and it is said to be all", SLV_STATE_REPAIRED, 0, .without = true,
	    .without_4 = true, .owned_up = true,
	    .wrong = WRONG_MISSED | WRONG_SILENT },
	{ "another log", SLV_STATE_LOSSY, 0, .other = true, .owned_up = true,
	    .wrong = WRONG_INVENTED | WRONG_MISSED },
	{ "torn, and it shows", SLV_STATE_LOSSY, 0, .without = true, .torn = 1,
	    .wrong = WRONG_TORN },
	{ "torn and called sound", SLV_STATE_INTACT, 0, .torn = 1,
	    .wrong = WRONG_TORN | WRONG_SOUND },
	{ "proven, but not it", SLV_STATE_LOSSY, SLV_BY_DIGEST, .without = true,
	    .wrong = WRONG_PROOF },
	{ "no whole log", SLV_STATE_LOSSY, 0, .without = true, .rough = true,
	    .wrong = WRONG_BROKEN },
	{ "half the books", SLV_STATE_LOSSY, 0, .without = true, .gap = 1,
	    .wrong = WRONG_BROKEN },
};

static void
make_output(const struct tale *t, struct blob *out)
{
	bool keep[FIRST_DATA + 6];
	struct recipe r = recipe;
	struct made_log log = { 0 };

	for (size_t i = 0; i < sizeof(keep); i++)
		keep[i] = true;
	keep[FIRST_DATA + 2] = !t->without;
	keep[FIRST_DATA + 4] = !t->without_4;
	r.seed += t->other;
	make_bddf(&log, &r, keep);
	blob_set(out, log.bytes.at, log.bytes.n - (t->rough ? 1 : 0));
	/* Only blocks before the one left out stand where they did. */
	if (t->torn > 0)
		out->at[data_block(t->torn)->end - 1] ^= 1;
	made_free(&log);
}

/* One extent, of all bytes or all but a few. */
static void
keep_books(
    struct repaired *r, const struct harmed *h, enum slv_fate fate, size_t gap)
{
	struct slv_extent all = { 0, h->bytes.n - gap, fate, 0 };

	blob_set(&r->catalog, &all, sizeof(all));
}

static void
verdicts(void)
{
	struct harmed h = { 0 };
	struct harm hole = { HARM_ONES, NEITHER, 0, 13, 0 };

	original_make(&original, "made", &recipe);
	/* It begins in the last byte of block 1. */
	hole.off = data_block(2)->off - 1;
	CHECK(harm_do(&h, &original, &hole, NULL));
	for (size_t i = 0; i < sizeof(tales) / sizeof(*tales); i++) {
		const struct tale *t = &tales[i];
		struct repaired r = {
			.state = t->state,
			.assurance = t->assurance,
			.planned = true,
		};
		struct verdict v;

		check_case("%s", t->name);
		make_output(t, &r.out);
		keep_books(&r, &h, t->owned_up ? SLV_LOST : SLV_KEPT, t->gap);
		verdict_judge(&v, &original, &h, &r, NULL);
		CHECK_U64(v.wrong, t->wrong);
		repaired_free(&r);
	}
	check_case("%s", "");
	harmed_free(&h);
	original_free(&original);
}

/* What cannot be seen is counted but is nobody's fault. */
static void
unseen(void)
{
	struct harm hole = { HARM_ONES, NEITHER, 0, 3, 0 };
	struct harmed h = { 0 };
	struct repaired r = { .state = SLV_STATE_REPAIRED, .planned = true };
	const struct tale whole = { .name = "", .torn = 3 };
	struct verdict v;

	original_make(&original, "made", &recipe);
	hole.off = data_block(3)->payload + 4;
	CHECK(harm_do(&h, &original, &hole, NULL));
	make_output(&whole, &r.out);
	keep_books(&r, &h, SLV_KEPT, 0);
	verdict_judge(&v, &original, &h, &r, NULL);
	CHECK_U64(v.wrong, 0);
	CHECK_U64(v.unseen, 1);
	CHECK_U64(v.keepable, 2 + 5);
	CHECK_U64(v.kept, 2 + 5);
	repaired_free(&r);
	harmed_free(&h);
	original_free(&original);
}

/* Of a block whose head alone was hit, an index gives it back. */
static void
keepable(void)
{
	struct harm hole = { HARM_ONES, NEITHER, 0, 4, 0 };
	struct harmed h = { 0 };
	struct repaired r = { .state = SLV_STATE_UNRECOVERABLE };
	static const size_t want[FOOTINGS] = { 2 + 6, 2 + 6, 2 + 5 };
	struct verdict v;

	original_make(&original, "made", &recipe);
	hole.off = data_block(3)->off + 2;
	for (int f = 0; f < FOOTINGS; f++) {
		hole.footing = (enum footing)f;
		CHECK(harm_do(&h, &original, &hole, NULL));
		keep_books(&r, &h, SLV_LOST, 0);
		verdict_judge(&v, &original, &h, &r, NULL);
		/* The one before it is doubted where no index is. */
		CHECK_U64(v.keepable + v.aside, want[f]);
		CHECK_U64(v.aside, f == NEITHER);
		CHECK_U64(v.wrong, WRONG_MISSED);
	}
	repaired_free(&r);
	harmed_free(&h);
	original_free(&original);
}

CU_TestInfo salvage_tests[] = {
	{ "damage is known", damage_is_known },
	{ "verdicts", verdicts },
	{ "unseen", unseen },
	{ "keepable", keepable },
	CU_TEST_INFO_NULL,
};
