/* span.c - the records of some channels and of a time span, in the order of time.
 *
 *	cc span.c $(pkg-config --cflags --libs salvor) -o span
 *	span FILE [NAME=VALUE]...
 *
 *	span drive.bag 'include=/camera/.*' start=+10s end=+12s
 *
 * NAME is that of an option of `salvor repair` ("keep=suspect"), or of a choice of
 * slv_reader_set().
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <salvor.h>

#define CHOICES_MAX 32

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
	free(name);
}

/* Split "NAME=VALUE" words; false: one has no "=". */
static int
split(char **words, int n, char **values)
{
	for (int i = 0; i < n; i++) {
		char *mark = strchr(words[i], '=');

		if (mark == NULL)
			return 0;
		*mark = '\0';
		values[i] = mark + 1;
	}
	return 1;
}

/* Options of the job are set before the log is opened, and the others, which slv_options_set()
 * does not know, for the reader. */
static struct slv_log *
open_log(const char *file, char **names, char **values, int n,
    struct slv_reader **reader)
{
	struct slv_options opt = { 0 };
	struct slv_err err = { 0 };
	struct slv_log *log = NULL;
	int mine[CHOICES_MAX];

	for (int i = 0; i < n; i++)
		mine[i] =
		    slv_options_set(&opt, names[i], values[i], &err) != SLV_OK;
	if (slv_log_open(file, &opt, &log) != SLV_OK
	    || slv_reader_open(log, reader) != SLV_OK)
		return log;
	(void)slv_reader_set(*reader, "order", "time");
	for (int i = 0; i < n; i++) {
		if (mine[i])
			(void)slv_reader_set(*reader, names[i], values[i]);
	}
	return log;
}

int
main(int argc, char **argv)
{
	struct slv_reader *reader = NULL;
	const struct slv_record *r;
	struct slv_log *log;
	char *values[CHOICES_MAX];
	int failed;

	if (argc < 2 || argc > 2 + CHOICES_MAX
	    || !split(argv + 2, argc - 2, values)) {
		fprintf(stderr, "usage: span FILE [NAME=VALUE]...\n");
		return 16;
	}
	log = open_log(argv[1], argv + 2, values, argc - 2, &reader);
	while (reader != NULL && (r = slv_reader_next(reader)) != NULL)
		show(log, r);
	failed = log == NULL || slv_log_status(log) != SLV_OK;
	if (failed)
		fprintf(stderr, "span: %s\n",
		    log != NULL ? slv_log_error(log) : "out of memory");
	slv_reader_close(reader);
	slv_log_close(log);
	return failed ? 8 : 0;
}
