/* salvage.c - how much of a damaged log comes back, in numbers.
 *
 * Good logs are damaged in memory in every way that the table in table.c
 * names, repaired, and the result is judged by the original.  The cases
 * follow from their number alone: the same build gives the same table.
 */
#include <dirent.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "salvage/examples.h"

#define ORIGINALS_MAX 64
#define WINDOW        4096  /* bytes; the longest damage */
#define LONG          65536 /* bytes of a log */
#define RARE          15

static struct {
	size_t cases;     /* of a row and footing, small logs */
	size_t big_cases; /* the same, big logs */
	bool every;       /* small logs: every place */
	bool other;       /* not what the floor file is about */
	const char *only; /* rows whose names begin so */
	const char *write_floor, *examples, *outputs;
} opt = { .cases = 400, .big_cases = 40, .only = "" };

static struct original originals[ORIGINALS_MAX];
static size_t n_originals;

/* The originals. */

static void
make_small(void)
{
	struct recipe r = { 0 };
	char name[64];

	for (unsigned i = 0; i < 12; i++) {
		r = (struct recipe){
			.grammar = i & 1,
			.type_first = i >> 1 & 1,
			.no_sha1 = i == 11,
			.series = i < 4 ? 2 : 4,
			.late = i < 4 ? 0 : i % 3,
			.idle = i >= 4 && i & 1,
			.blocks = i < 4 ? 5 : 12,
			.least = i % 2,
			.most = 90,
			.zeros = i >= 8,
			.keys = 1 + (i % 5 == 4),
			.turned = i == 9,
			.extras = i % 3,
			.annotated = i % 2 == 0,
			.steady = true,
			.seed = 500 + i,
		};
		snprintf(name, sizeof(name), "%u %s", i, made_name(&r));
		original_make(&originals[n_originals++], name, &r);
	}
	for (unsigned i = 0; i < 2; i++) {
		r.no_sha1 = false;
		r.grammar = r.type_first = i;
		r.late = 0;
		r.blocks = 8;
		r.nested = true;
		r.seed = 600 + i;
		snprintf(name, sizeof(name), "nested %u %s", i, made_name(&r));
		original_make(&originals[n_originals++], name, &r);
	}
}

static bool
add_file(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct blob bytes = { 0 };
	bool good = n_originals < ORIGINALS_MAX && blob_read(&bytes, path)
	    && original_learn(&originals[n_originals],
	        slash != NULL ? slash + 1 : path, bytes.at, bytes.n);

	if (good)
		n_originals++;
	blob_free(&bytes);
	return good;
}

static const char *
sources(void)
{
	const char *top = getenv("SALVOR_SRCDIR");

	return top != NULL ? top : ".";
}

/* What recorders wrote, as far as it is in testdata. */
static void
add_testdata(void)
{
	static const char *const names[] = { "tiny", "empty-payload",
		"multi-key-spec", "patrol" };
	char path[4096];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/testdata/bddf/good-%s.bddf",
		    sources(), names[i]);
		if (!add_file(path)) {
			fprintf(stderr, "salvage: %s: cannot be used\n", path);
			exit(99);
		}
	}
}

/* Cases. */

static uint64_t
seed_of(const struct row *row, enum footing footing)
{
	uint64_t seed = 14695981039346656037u;

	for (const char *p = row->name; *p != '\0'; p++)
		seed = (seed ^ (uint8_t)*p) * 1099511628211u;
	return seed + footing;
}

static bool
is_of(const struct original *o, const struct row *row, size_t longest)
{
	return (o->sort & row->of) != 0 && o->log.bytes.n <= longest;
}

/* By turns; but where it takes so many hashes, of long logs one in RARE. */
static const struct original *
pick(const struct row *row, enum footing footing, size_t k)
{
	size_t longest = tries_flips(row) && footing == FOOTER && k % RARE > 0
	    ? LONG
	    : SIZE_MAX;
	size_t n = 0;

	for (size_t i = 0; i < n_originals; i++)
		n += is_of(&originals[i], row, longest);
	if (n == 0)
		return NULL;
	k %= n;
	for (size_t i = 0;; i++) {
		if (is_of(&originals[i], row, longest) && k-- == 0)
			return &originals[i];
	}
}

/* Of big logs every length is as likely, of small ones every magnitude. */
static size_t
roll_len(const struct row *row, struct dice *dice)
{
	if (row->of & OF_BIG)
		return 1 + (size_t)dice_below(dice, WINDOW);
	return 1 + (size_t)dice_below(dice, 1u << dice_below(dice, 13));
}

/* Fill in all of a case but its place. */
static struct harm
roll(const struct row *row, enum footing footing, struct dice *dice)
{
	struct harm h = { .kind = row->kind, .footing = footing };

	h.len = roll_len(row, dice);
	h.seed = dice_roll(dice);
	return h;
}

/* Damage inside the data leaves some on both sides. */
static void
settle(const struct original *o, const struct row *row, struct harm *h,
    size_t place)
{
	size_t room = o->data_end - o->data;

	if (row->region == AMID) {
		if (h->len > room / 2)
			h->len = room / 2;
		place %= room - h->len;
	}
	h->off = region_at(o, row->region, place);
	if (h->kind == HARM_FLIP)
		h->off = h->off * 8 + h->seed % 8;
	if (row->region == HEAD && h->kind != HARM_FLIP
	    && h->len > o->log.blocks[0].end - h->off)
		h->len = o->log.blocks[0].end - h->off;
}

static void
write_output(const struct row *row, enum footing footing, size_t k,
    const struct blob *out)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s-%s-%zu.bddf", opt.outputs,
	    row->name, footing_name(footing), k);
	examples_file(path, out);
}

static void
try(const struct row *row, struct tally *t, const struct original *o,
    const struct harm *harm)
{
	static struct harmed harmed;
	struct example e = { .o = o, .harm = *harm };
	static struct blob out;
	struct verdict v;

	/* Another log of any sort, at times itself, at times of last week. */
	e.other = &originals[harm->seed % n_originals];
	if (harm->seed % 4 == 0
	    || (e.other->sort & OF_BIG && o->sort != OF_BIG))
		e.other = o;
	if (!harm_do(&harmed, o, harm, e.other))
		return;
	e.size = harmed.bytes.n;
	verdict_reach(&v, o, &harmed, tries_flips(row), &out);
	if (opt.outputs != NULL && v.planned)
		write_output(row, harm->footing, t->cases, &out);
	tally_add(t, row, &v, &e);
}

static void
try_every(const struct row *row, enum footing footing, struct tally *t)
{
	struct dice dice = { seed_of(row, footing) };
	unsigned times = row->kind == HARM_FLIP ? 8 : 3;

	for (size_t i = 0; i < n_originals; i++) {
		const struct original *o = &originals[i];
		size_t n = region_size(o, row->region, footing);

		for (size_t k = 0; (o->sort & row->of) && k < n * times; k++) {
			struct harm h = roll(row, footing, &dice);

			if (h.kind == HARM_FLIP)
				h.seed = k;
			settle(o, row, &h, k / times);
			try(row, t, o, &h);
		}
	}
}

static void
try_some(const struct row *row, enum footing footing, struct tally *t)
{
	struct dice dice = { seed_of(row, footing) };
	size_t cases = row->of & OF_BIG ? opt.big_cases : opt.cases;

	for (size_t k = 0; k < cases; k++) {
		const struct original *o = pick(row, footing, k);
		struct harm h = roll(row, footing, &dice);
		size_t n = o != NULL ? region_size(o, row->region, footing) : 0;

		if (n == 0)
			continue;
		settle(o, row, &h, (size_t)dice_below(&dice, n));
		try(row, t, o, &h);
	}
}

/* The program. */

static const char usage[] =
    "usage: bench/salvage [OPTION...] [LOG...]\n\n"
    "Damage good logs in every way, repair them, judge the result.  LOGs take\n"
    "the place of those in testdata that recorders wrote.\n\n"
    "  --cases N           of each row, small logs (400); big ones N / 10\n"
    "  --big-cases N       of each row, big logs\n"
    "  --every             small logs: every place, every bit\n"
    "  --only NAME         rows whose names begin so\n"
    "  --write-floor FILE  put the numbers down as what may not get worse\n"
    "  --examples DIR      write the smallest cases that go wrong\n"
    "  --outputs DIR       write what every repair gives\n\n"
    "Without LOGs and numbers of cases, fail where one is worse than in\n"
    "bench/salvage.floor.\n";

static void
read_options(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "cases", required_argument, NULL, 'n' },
		{ "big-cases", required_argument, NULL, 'b' },
		{ "every", no_argument, NULL, 'e' },
		{ "only", required_argument, NULL, 'o' },
		{ "write-floor", required_argument, NULL, 'w' },
		{ "examples", required_argument, NULL, 'x' },
		{ "outputs", required_argument, NULL, 'p' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 'n':
			opt.cases = strtoul(optarg, NULL, 10);
			opt.big_cases = opt.cases / 10;
			opt.other = true;
			break;
		case 'b':
			opt.big_cases = strtoul(optarg, NULL, 10);
			opt.other = true;
			break;
		case 'e': opt.every = opt.other = true; break;
		case 'o': opt.only = optarg; break;
		case 'w': opt.write_floor = optarg; break;
		case 'x': opt.examples = optarg; break;
		case 'p': opt.outputs = optarg; break;
		default: fputs(usage, stderr); exit(2);
		}
	}
}

static FILE *
open_or_die(const char *path, const char *mode)
{
	FILE *f = path != NULL ? fopen(path, mode) : NULL;

	if (path != NULL && f == NULL) {
		perror(path);
		exit(99);
	}
	return f;
}

/* The floor file, unless other cases are tried than it is about. */
static FILE *
open_floor(bool other)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/bench/salvage.floor", sources());
	return open_or_die(other ? NULL : path, "r");
}

/* Returns whether the row holds. */
static bool
run_row(const struct row *row, enum footing footing, FILE *was, FILE *will)
{
	struct tally t = { 0 };

	if (opt.every && !(row->of & OF_BIG))
		try_every(row, footing, &t);
	else
		try_some(row, footing, &t);
	table_row(stdout, row, footing, &t);
	if (opt.examples != NULL)
		examples_write(opt.examples, row, footing, &t);
	if (will != NULL)
		floor_row(will, row, footing, &t);
	return was == NULL || floor_holds(was, row, footing, &t);
}

int
main(int argc, char **argv)
{
	size_t passed = 0, failed = 0;
	enum aim aim = AIM_NONE;
	bool headed = false;
	FILE *was, *will;

	setvbuf(stdout, NULL, _IOLBF, 0);
	read_options(argc, argv);
	make_small();
	for (int i = optind; i < argc; i++) {
		if (!add_file(argv[i]))
			fprintf(stderr, "salvage: %s: no good log\n", argv[i]);
	}
	if (optind == argc)
		add_testdata();
	was = open_floor(optind < argc || opt.other || opt.write_floor);
	will = open_or_die(opt.write_floor, "w");
	if (will != NULL)
		floor_head(will);
	for (size_t i = 0; i < n_rows; i++) {
		for (int f = 0; f < FOOTINGS; f++) {
			if (!(rows[i].footings >> f & 1)
			    || strncmp(rows[i].name, opt.only, strlen(opt.only))
			        != 0)
				continue;
			if (!headed || rows[i].aim != aim)
				table_head(stdout, rows[i].aim);
			headed = true;
			aim = rows[i].aim;
			if (run_row(&rows[i], (enum footing)f, was, will))
				passed++;
			else
				failed++;
		}
	}
	for (size_t i = 0; i < n_originals; i++)
		original_free(&originals[i]);
	printf("%zu passed, %zu failed\n", passed, failed);
	return failed > 0;
}
