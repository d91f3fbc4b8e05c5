/* count.c - how many records of each channel are there, and what confirms them?
 *
 *	cc count.c $(pkg-config --cflags --libs salvor) -o count
 *	count FILE
 *
 * FILE may be damaged; nothing is written.  This is C, and C++ too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <salvor.h>

struct counted {
	uint64_t records[SLV_SURE_DIGEST + 1]; /* by what confirms them */
	uint64_t bytes;
};

static void
count(struct slv_reader *reader, struct counted *counted)
{
	const struct slv_record *r;

	while ((r = slv_reader_next(reader)) != NULL) {
		counted[r->channel].records[r->sure]++;
		counted[r->channel].bytes += r->len;
	}
}

static void
show(const struct slv_log *log, const struct counted *counted)
{
	printf("%9s %9s %9s %9s %12s  channel\n", "suspect", "structure",
	    "checksum", "digest", "bytes");
	for (uint32_t i = 0; i < slv_log_channels(log); i++) {
		const uint64_t *n = counted[i].records;
		/* A name from a log may hold anything. */
		char *name = slv_escape(slv_log_channel(log, i)->name);

		printf("%9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %9" PRIu64
		       " %12" PRIu64 "  %s\n",
		    n[SLV_SURE_SUSPECT], n[SLV_SURE_STRUCTURE],
		    n[SLV_SURE_CHECKSUM], n[SLV_SURE_DIGEST], counted[i].bytes,
		    name != NULL ? name : "?");
		slv_free(name);
	}
}

int
main(int argc, char **argv)
{
	struct slv_log *log = NULL;
	struct slv_reader *reader = NULL;
	struct counted *counted = NULL;
	int failed;

	if (argc != 2) {
		fprintf(stderr, "usage: count FILE\n");
		return 16;
	}
	if (slv_log_open(argv[1], NULL, &log) == SLV_OK
	    && slv_reader_open(log, &reader) == SLV_OK)
		counted = (struct counted *)calloc(
		    slv_log_channels(log) + 1, sizeof(*counted));
	if (counted != NULL) {
		count(reader, counted);
		show(log, counted);
	}
	failed =
	    log == NULL || counted == NULL || slv_log_status(log) != SLV_OK;
	if (failed)
		fprintf(stderr, "count: %s\n",
		    log != NULL ? slv_log_error(log) : "out of memory");
	free(counted);
	slv_reader_close(reader);
	slv_log_close(log);
	return failed ? 8 : 0;
}
