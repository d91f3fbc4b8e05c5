/* threads.c - count the records of many logs at once, each in a thread of its own.
 *
 *	cc threads.c $(pkg-config --cflags --libs salvor) -pthread -o threads
 *	threads [first] FILE...
 *
 * The argument "first" lets the log that is read first stop all others.  Exits with 0 if
 * all could be read, or were stopped.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <salvor.h>

/* Borrowed by the options of all logs. */
static volatile sig_atomic_t stop;

/* A log, and what its thread finds. */
struct task {
	pthread_t thread;
	const char *path;
	const struct slv_options *options; /* shared: no thread changes them */
	bool first;
	uint64_t records, bytes;
	enum slv_status status;
	char text[SLV_ERR_TEXT];
};

static void
count(struct slv_log *log, struct task *t)
{
	struct slv_reader *reader;
	const struct slv_record *rec;

	if (slv_reader_open(log, &reader) != SLV_OK)
		return;
	while ((rec = slv_reader_next(reader)) != NULL) {
		t->records++;
		t->bytes += rec->len;
	}
	slv_reader_close(reader);
}

static void *
read_log(void *arg)
{
	struct task *t = (struct task *)arg;
	struct slv_log *log;

	if (slv_log_open(t->path, t->options, &log) == SLV_OK)
		count(log, t);
	t->status = log != NULL ? slv_log_status(log) : SLV_E_NOMEM;
	snprintf(t->text, sizeof(t->text), "%s",
	    log != NULL ? slv_log_error(log) : "out of memory");
	slv_log_close(log);
	/* Other threads read the flag now: a plain store would be a race. */
	if (t->first && t->status == SLV_OK)
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Say what became of a log; false: it could not be read. */
static bool
tell(const struct task *t)
{
	if (t->status == SLV_OK)
		printf("%s: %" PRIu64 " records, %" PRIu64 " bytes\n", t->path,
		    t->records, t->bytes);
	else if (t->status == SLV_E_CANCELLED)
		printf("%s: stopped\n", t->path);
	else
		fprintf(stderr, "%s\n", t->text);
	return t->status == SLV_OK || t->status == SLV_E_CANCELLED;
}

int
main(int argc, char **argv)
{
	bool first = argc > 1 && strcmp(argv[1], "first") == 0, good = true;
	struct slv_options *options = slv_options_new();
	int n = argc - 1 - first, started = 0;
	struct task *tasks =
	    (struct task *)calloc(n > 0 ? (size_t)n : 1, sizeof(*tasks));

	if (options == NULL || tasks == NULL || n < 1) {
		fprintf(stderr, "usage: threads [first] LOG...\n");
		return 1;
	}
	slv_options_cancel(options, &stop);
	for (; started < n; started++) {
		struct task *t = &tasks[started];

		t->path = argv[1 + first + started];
		t->options = options;
		t->first = first;
		if (pthread_create(&t->thread, NULL, read_log, t) != 0)
			break;
	}
	good = started == n;
	for (int i = 0; i < started; i++) {
		pthread_join(tasks[i].thread, NULL);
		good &= tell(&tasks[i]);
	}
	free(tasks);
	slv_options_free(options);
	return good ? 0 : 1;
}
