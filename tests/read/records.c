/* records.c - what salvor reads of logs, for check_records.py.
 *
 *	records [NAME=VALUE]... [--by fd|memory|input] [--export FOLDER] FILE...
 *
 * For each file a line "file NAME", a line "channel" for each channel, a line
 * "record" for each record and "end STATUS TEXT", with tabs between the words.  A
 * NAME is that of an option of a job, or of a choice of a reader.  With --export
 * records are written to FOLDER/FILE.mcap instead.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "digest/crc32.h"
#include "options/options.h"
#include "salvor.h"

#define CHOICES 16

struct wanted {
	struct slv_options opt;
	const char *names[CHOICES], *values[CHOICES];
	size_t n;
	const char *by;     /* NULL: the name */
	const char *folder; /* of exports; NULL: none */
};

/* Print a text without what separates words and lines. */
static void
put(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == '\\')
			printf("\\%03o", (unsigned)(unsigned char)*text);
		else
			putchar(*text);
	}
}

static void
put_channel(uint32_t i, const struct slv_channel_info *c)
{
	printf("channel\t%u\t", i);
	put(c->name);
	putchar('\t');
	put(c->type);
	printf("\t%s\t%s\t%08x\t%" PRIu64, c->encoding, c->schema_encoding,
	    slv_crc32(0, c->schema, c->schema_len), c->records);
	for (size_t k = 0; k < c->n_meta; k++) {
		putchar('\t');
		put(c->meta[k].key);
		putchar('=');
		put(c->meta[k].value);
	}
	putchar('\n');
}

static void
put_record(const struct slv_log *log, const struct slv_record *r)
{
	static const char *const sure[] = { "suspect", "structure", "checksum",
		"digest" };

	printf("record\t%u\t", r->channel);
	put(slv_log_channel(log, r->channel)->name);
	printf("\t%" PRId64 "\t%" PRId64 "\t%" PRIu64 "\t%zu\t%08x\t%" PRIu64
	       "\t%" PRId64 "\t%u\t%s\n",
	    r->log_ns, r->publish_ns, r->sequence, r->len,
	    slv_crc32(0, r->data, r->len), r->off, (int64_t)r->inner, r->flags,
	    sure[r->sure]);
}

/* Write all records to a file in the folder. */
static void export(
    struct slv_reader *reader, const char *folder, const char *file)
{
	const char *name = strrchr(file, '/');
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s.mcap", folder,
	    name != NULL ? name + 1 : file);
	(void)slv_reader_export(reader, path, NULL);
}

static void
read_all(struct slv_log *log, const struct wanted *w, const char *file)
{
	struct slv_reader *reader;
	const struct slv_record *r;

	if (slv_reader_open(log, &reader) != SLV_OK)
		return;
	for (size_t i = 0; i < w->n; i++)
		(void)slv_reader_set(reader, w->names[i], w->values[i]);
	for (uint32_t i = 0; i < slv_log_channels(log); i++)
		put_channel(i, slv_log_channel(log, i));
	if (w->folder != NULL)
		export(reader, w->folder, file);
	while ((r = slv_reader_next(reader)) != NULL)
		put_record(log, r);
	slv_reader_close(reader);
}

/* A file in memory. */
struct bytes {
	uint8_t *at;
	size_t n;
	bool closed;
};

static struct bytes
slurp(int fd)
{
	struct bytes b = { .at = malloc(1) };
	ssize_t n = 1;

	while (n > 0) {
		b.at = realloc(b.at, b.n + (1 << 20));
		n = b.at != NULL ? read(fd, b.at + b.n, 1 << 20) : 0;
		b.n += n > 0 ? (size_t)n : 0;
	}
	/* Exactly as large as the file, for the address sanitizer. */
	b.at = realloc(b.at, b.n + (b.n == 0));
	return b;
}

static int
read_bytes(void *ctx, uint64_t off, void *buf, size_t n)
{
	const struct bytes *b = ctx;

	if (off > b->n || n > b->n - off)
		return EINVAL;
	memcpy(buf, b->at + off, n);
	return 0;
}

static void
close_bytes(void *ctx)
{
	((struct bytes *)ctx)->closed = true;
}

static struct slv_log *
open_log(const char *file, const struct wanted *w, int fd, struct bytes *b)
{
	const struct slv_input input = { sizeof(input), b->n, read_bytes,
		close_bytes, b };
	struct slv_log *log;

	if (w->by == NULL)
		(void)slv_log_open(file, &w->opt, &log);
	else if (strcmp(w->by, "fd") == 0)
		(void)slv_log_open_fd(fd, file, &w->opt, &log);
	else if (strcmp(w->by, "memory") == 0)
		(void)slv_log_open_memory(b->at, b->n, file, &w->opt, &log);
	else
		(void)slv_log_open_input(&input, file, &w->opt, &log);
	return log;
}

static void
read_file(const char *file, const struct wanted *w)
{
	int fd = open(file, O_RDONLY);
	struct bytes b = w->by != NULL ? slurp(fd) : (struct bytes){ .n = 0 };
	struct slv_log *log = open_log(file, w, fd, &b);

	printf("file\t%s\n", file);
	if (log == NULL)
		exit(99);
	read_all(log, w, file);
	printf("end\t%s\t%s\n", slv_status_name(slv_log_status(log)),
	    slv_log_error(log));
	slv_log_close(log);
	if (w->by != NULL && strcmp(w->by, "input") == 0 && !b.closed)
		printf("the input was not closed\n");
	free(b.at);
	close(fd);
}

/* An option of a job, or else a choice of a reader. */
static void
set(struct wanted *w, char *word)
{
	char *value = strchr(word, '=');
	struct slv_err err = { .code = SLV_OK };

	*value++ = '\0';
	if (slv_options_set(&w->opt, word, value, &err) == SLV_OK)
		return;
	w->names[w->n] = word;
	w->values[w->n++] = value;
}

int
main(int argc, char **argv)
{
	struct wanted w = { .by = NULL };

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--by") == 0)
			w.by = argv[++i];
		else if (strcmp(argv[i], "--export") == 0)
			w.folder = argv[++i];
		else if (strchr(argv[i], '=') != NULL && w.n < CHOICES)
			set(&w, argv[i]);
		else
			read_file(argv[i], &w);
	}
	return fflush(stdout) == 0 ? 0 : 99;
}
