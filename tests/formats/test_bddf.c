/* test_bddf.c - the properties of every repair, on BDDF logs.
 *
 * Small logs in all four dialects, with and without SHA-1, written by
 * tests/support/make_bddf; and the bigger ones in testdata/bddf.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "properties/properties.h"
#include "support/make_bddf.h"

#define SUBJECTS_MAX 64

static const struct recipe robots = { 0 };

static void
learn(struct units *units, const struct made_log *log)
{
	static const enum unit_kind kinds[] = {
		[MADE_FILE] = UNIT_FIRST,
		[MADE_SERIES] = UNIT_EXPLAINS,
		[MADE_DATA] = UNIT_RECORD,
		[MADE_INDEX] = UNIT_DERIVED,
		[MADE_FILE_INDEX] = UNIT_DERIVED,
		[MADE_END] = UNIT_DERIVED,
	};

	for (size_t i = 0; i < log->n; i++) {
		const struct made_block *b = &log->blocks[i];

		units_add(units,
		    (struct unit){
		        .off = b->off,
		        .end = b->end,
		        .kind = kinds[b->kind],
		        .payload = b->payload,
		    });
	}
}

static bool
list(const struct subject *s, const uint8_t *bytes, size_t n, struct units *out)
{
	const struct recipe *r = s->ctx;
	struct made_log log = { 0 };
	bool good = made_walk(&log, r->grammar, r->type_first, bytes, n)
	    && log.blocks[0].kind == MADE_FILE;

	/* Some damage can turn the kind of checksum into the other. */
	good = good
	    && (made_digest_ok(bytes, n, true)
	        || made_digest_ok(bytes, n, false));
	learn(out, &log);
	made_free(&log);
	return good;
}

static void
without(const struct subject *s, const bool *keep, struct blob *out)
{
	struct recipe r = *(const struct recipe *)s->ctx;
	struct made_log log = { 0 };

	/* The order of keys is the FileIndex's own; without it, it is that
	 * of the descriptors. */
	r.turned &= keep[s->units.n - 2];
	make_bddf(&log, &r, keep);
	blob_set(out, log.bytes.at, log.bytes.n);
	made_free(&log);
}

static void
add_small(struct subject *s, const struct recipe *r, const char *name)
{
	struct made_log log = { 0 };

	make_bddf(&log, r, NULL);
	snprintf(s->name, sizeof(s->name), "%s %s", made_name(r), name);
	blob_set(&s->bytes, log.bytes.at, log.bytes.n);
	learn(&s->units, &log);
	s->digest = !r->no_sha1;
	s->small = true;
	s->nested = r->nested;
	s->alike = r->alike > 0;
	s->list = list;
	/* No series: made anew, the list says so in so many words. */
	s->other_list = r->bare_index;
	s->without = r->bare_index ? NULL : without;
	s->ctx = r;
	made_free(&log);
}

/* The good logs in testdata, if they are there. */
static size_t
add_big(struct subject *s, size_t max)
{
	const char *top = getenv("SALVOR_SRCDIR");
	struct made_log log = { 0 };
	struct dirent **names = NULL;
	char dir[4096], path[8192];
	size_t n = 0;
	int found;

	snprintf(dir, sizeof(dir), "%s/testdata/bddf", top != NULL ? top : ".");
	found = scandir(dir, &names, NULL, alphasort);
	for (int i = 0; i < found; i++) {
		const char *name = names[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (n < max && strncmp(name, "good-", 5) == 0
		    && blob_read(&s[n].bytes, path)
		    && made_walk(
		        &log, false, false, s[n].bytes.at, s[n].bytes.n)) {
			snprintf(s[n].name, sizeof(s[n].name), "%.60s", name);
			learn(&s[n].units, &log);
			s[n].digest = true;
			s[n].other_list = strstr(name, "multi-key") != NULL
			    || strstr(name, "patrol") != NULL
			    || strstr(name, "no-series") != NULL;
			s[n].list = list;
			s[n].ctx = &robots;
			n++;
		}
		free(names[i]);
	}
	free(names);
	made_free(&log);
	return n;
}

int
main(void)
{
	static struct subject made[SUBJECTS_MAX];
	static struct recipe recipes[14];
	size_t n = 0;
	int r;

	/* All four dialects, each with and without SHA-1. */
	for (size_t i = 0; i < 8; i++) {
		recipes[i] = (struct recipe){
			.grammar = i & 1,
			.type_first = i >> 1 & 1,
			.no_sha1 = i >> 2,
			.series = 4,
			.late = i % 3,
			.idle = i & 1,
			.blocks = 8,
			.least = i % 2,
			.most = 70,
			.keys = 1,
			.extras = i % 3,
			.annotated = i % 2 == 0,
			.early = i == 6,
			.seed = 100 + i,
		};
		add_small(&made[n++], &recipes[i], "");
	}
	/* No series at all, specs of many keys. */
	recipes[8] = (struct recipe){ .bare_index = true };
	add_small(&made[n++], &recipes[8], "no series");
	recipes[9] = recipes[0];
	recipes[9].keys = 3;
	recipes[9].turned = true;
	add_small(&made[n++], &recipes[9], "many keys");
	/* Logs inside a log. */
	recipes[10] = recipes[2];
	recipes[10].series = 2;
	recipes[10].late = 0;
	recipes[10].blocks = 5;
	recipes[10].nested = true;
	add_small(&made[n++], &recipes[10], "nested");
	/* Blocks of 24 bytes, one bit away from the header of the end. */
	recipes[11] = (struct recipe){
		.series = 1,
		.blocks = 8,
		.least = 11,
		.most = 11,
		.keys = 1,
		.seed = 4,
	};
	add_small(&made[n++], &recipes[11], "all alike");
	/* Runs of blocks that are equal byte for byte, as of a sensor that
	 * repeats itself within a tick of its clock. */
	for (size_t i = 12; i < 14; i++) {
		recipes[i] = (struct recipe){
			.series = 1 + i % 2,
			.blocks = 9,
			.least = 3,
			.most = 3,
			.keys = 1,
			.steady = true,
			.alike = 3,
			.seed = i,
		};
		add_small(&made[n++], &recipes[i], "runs");
	}
	n += add_big(made + n, SUBJECTS_MAX - n);
	r = properties_main(made, n);
	for (size_t i = 0; i < n; i++) {
		blob_free(&made[i].bytes);
		units_free(&made[i].units);
	}
	return r;
}
