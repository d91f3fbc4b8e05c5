/* examples.c - what went wrong, for those who mend it. */
#include "salvage/examples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
examples_file(const char *path, const struct blob *b)
{
	FILE *f = fopen(path, "wb");

	if (f == NULL || fwrite(b->at, 1, b->n, f) != b->n || fclose(f) != 0) {
		perror(path);
		exit(99);
	}
}

/* What is wrong, and what would be right. */
static const char *const right[WRONGS] = {
	"a block that was never recorded is handed out; it should be "
	"left out",
	"a payload that was never recorded is handed out, and it can "
	"be seen; the block should be left out",
	"an untouched or restorable block is not in the output; it "
	"should be",
	"a damaged log passes for whole or fully repaired; it should "
	"not",
	"an untouched block is gone and the books call it kept or "
	"filler; they should say lost",
	"said to be proven, but it is not the original",
	"the repair fails, or its output is no whole log",
	"not the original byte for byte; all that is needed survives",
};

static void
describe(FILE *f, const struct example *e)
{
	static const char *const kinds[] = { "first block", "SeriesDescriptor",
		"data block", "SeriesBlockIndex", "FileIndex", "end block" };
	size_t off = e->harm.kind == HARM_FLIP ? e->harm.off / 8 : e->harm.off;

	fprintf(f, "%s at %zu", harm_name(e->harm.kind), off);
	if (e->harm.kind == HARM_FLIP)
		fprintf(f, " bit %zu", e->harm.off % 8);
	else
		fprintf(f, " len %zu", e->harm.len);
	for (size_t i = 0; i < e->o->log.n; i++) {
		const struct made_block *b = &e->o->log.blocks[i];

		if (off < b->off || off >= b->end)
			continue;
		fprintf(f, ", in the %s [%zu, %zu)", kinds[b->kind], b->off,
		    b->end);
		if (b->kind == MADE_DATA)
			fprintf(f, " payload at %zu", b->payload);
	}
	fprintf(
	    f, "; %s; log \"%s\"", footing_name(e->harm.footing), e->o->name);
	if (e->harm.kind == HARM_JOIN)
		fprintf(f, " with \"%s\" behind", e->other->name);
}

void
examples_write(const char *dir, const struct row *row, enum footing footing,
    const struct tally *t)
{
	static struct harmed harmed;
	static struct blob out;
	struct verdict v;
	char path[4096];
	FILE *list;

	snprintf(path, sizeof(path), "%s/README.txt", dir);
	list = fopen(path, "a");
	for (int i = 0; list != NULL && i < WRONGS; i++) {
		const struct example *e = &t->examples[i];

		if (e->o == NULL)
			continue;
		harm_do(&harmed, e->o, &e->harm, e->other);
		verdict_reach(&v, e->o, &harmed, tries_flips(row), &out);
		snprintf(path, sizeof(path), "%s/%s-%s-%s.bddf", dir, row->name,
		    footing_name(footing), wrong_name(i));
		examples_file(path, &harmed.bytes);
		fprintf(list, "%s\n    ", strrchr(path, '/') + 1);
		describe(list, e);
		fprintf(list,
		    "\n    %s (%zu of %zu cases); state %s, kept %zu of %zu, "
		    "invented %zu, torn %zu, unseen %zu",
		    right[i], t->wrong[i], t->cases, slv_state_name(v.state),
		    v.kept, v.keepable, v.invented, v.torn, v.unseen);
		if (v.kept < v.keepable)
			fprintf(
			    list, "; missed: what was at %zu", v.first_missed);
		if (v.invented + v.torn + v.unseen > 0)
			fprintf(list, "; strange: at %zu of the output",
			    v.first_strange);
		fputc('\n', list);
		snprintf(path, sizeof(path), "%s/%s-%s-%s.good", dir, row->name,
		    footing_name(footing), wrong_name(i));
		examples_file(path, &e->o->log.bytes);
		if (out.n == 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s-%s-%s.out", dir, row->name,
		    footing_name(footing), wrong_name(i));
		examples_file(path, &out);
	}
	if (list != NULL)
		fclose(list);
}
