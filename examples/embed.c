/* embed.c - repair a log in memory, with memory of one's own.
 *
 *	cc embed.c $(pkg-config --cflags --libs salvor) -o embed
 *	embed FILE >OUTPUT
 *
 * The file is read into memory, as if it came from a network; what a repair writes goes to
 * a function.  All memory of the library is counted.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <salvor.h>

/* Several threads take memory at once. */
static uint64_t calls;

static void *
resize(void *ctx, void *p, size_t n)
{
	(void)ctx;
	__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
	return realloc(p, n);
}

static void
release(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

static int
take(void *ctx, const void *bytes, size_t n)
{
	return fwrite(bytes, 1, n, (FILE *)ctx) == n ? 0 : EIO;
}

/* All bytes of a file; NULL: it cannot be read. */
static char *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	char *bytes = NULL, *more;

	*n = 0;
	while (f != NULL && !feof(f) && !ferror(f)) {
		more = (char *)realloc(bytes, *n + (1 << 20));
		if (more == NULL)
			break;
		bytes = more;
		*n += fread(bytes + *n, 1, 1 << 20, f);
	}
	if (f != NULL)
		fclose(f);
	return bytes;
}

/* What became of it, for people; false: nothing was written. */
static bool
tell(const struct slv_report *report)
{
	struct slv_counts counts;
	const struct slv_err *err = slv_report_error(report);

	counts.size_of = sizeof(counts);
	slv_report_counts(report, &counts);
	fprintf(stderr, "%s: %" PRIu64 " records kept, %" PRIu64 " lost\n",
	    slv_state_name(slv_report_state(report)), counts.records_kept,
	    counts.records_lost);
	fprintf(stderr, "memory was taken %" PRIu64 " times\n", calls);
	if (err->code != SLV_OK)
		fprintf(stderr, "%s\n", err->text);
	return slv_report_output(report) != NULL;
}

int
main(int argc, char **argv)
{
	struct slv_allocator own = { sizeof(own), resize, release, NULL };
	struct slv_outlet out = { sizeof(out), take, stdout };
	struct slv_report *report = NULL;
	struct slv_options *options;
	bool written = false;
	char *bytes;
	size_t n;

	bytes = argc == 2 ? slurp(argv[1], &n) : NULL;
	if (bytes == NULL) {
		fprintf(stderr, "usage: embed LOG >OUTPUT\n");
		return 16;
	}
	/* Before any other function of the library. */
	if (slv_set_allocator(&own) != SLV_OK)
		return 8;
	options = slv_options_new();
	if (options != NULL) {
		slv_options_input_memory(options, bytes, n);
		slv_options_output_call(options, &out);
		(void)slv_repair(argv[1], options, &report);
	}
	if (report != NULL)
		written = tell(report);
	slv_report_free(report);
	slv_options_free(options);
	free(bytes);
	return written && fflush(stdout) == 0 ? 0 : 8;
}
