/* span.c - the records of some channels and of a time span, in the order of time.
 *
 *	cc span.c $(pkg-config --cflags --libs salvor) -o span
 *	span FILE [NAME=VALUE]...
 *
 *	span drive.bag 'include=/camera/.*' start=+10s end=+12s
 *
 * NAME is that of an option of `salvor export`.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <salvor.h>

static void
show(const struct slv_log *log, const struct slv_record *r)
{
	char *name = slv_escape(slv_log_channel(log, r->channel)->name);

	if (r->flags & SLV_RECORD_AFTER_GAP)
		printf("-- something was lost here --\n");
	if (r->log_ns != SLV_NO_STAMP)
		printf("%" PRId64 ".%09" PRId64 " ", r->log_ns / 1000000000,
		    r->log_ns % 1000000000);
	printf("%s: %zu bytes\n", name != NULL ? name : "?", r->len);
	slv_free(name);
}

/* Set "NAME=VALUE" words; false: one makes no sense. */
static int
set(struct slv_options *opt, char **words, int n)
{
	struct slv_err err = { SLV_OK, 0, "" };

	if (slv_options_set(opt, "order", "time", &err) != SLV_OK)
		return 0;
	for (int i = 0; i < n; i++) {
		char *mark = strchr(words[i], '=');

		if (mark != NULL)
			*mark = '\0';
		if (slv_options_set(
		        opt, words[i], mark != NULL ? mark + 1 : NULL, &err)
		    == SLV_OK)
			continue;
		fprintf(stderr, "span: %s\n", err.text);
		return 0;
	}
	return 1;
}

int
main(int argc, char **argv)
{
	struct slv_options *opt = slv_options_new();
	struct slv_reader *reader = NULL;
	const struct slv_record *r;
	struct slv_log *log = NULL;
	int failed;

	if (argc < 2)
		fprintf(stderr, "usage: span FILE [NAME=VALUE]...\n");
	if (argc < 2 || opt == NULL || !set(opt, argv + 2, argc - 2)) {
		slv_options_free(opt);
		return 16;
	}
	if (slv_log_open(argv[1], opt, &log) == SLV_OK)
		(void)slv_reader_open(log, &reader);
	while (reader != NULL && (r = slv_reader_next(reader)) != NULL)
		show(log, r);
	failed = log == NULL || slv_log_status(log) != SLV_OK;
	if (failed)
		fprintf(stderr, "span: %s\n",
		    log != NULL ? slv_log_error(log) : "out of memory");
	slv_reader_close(reader);
	slv_log_close(log);
	slv_options_free(opt);
	return failed ? 8 : 0;
}
