/* channels.c - which channels does a log have, and what is lost of it?
 *
 *	cc channels.c $(pkg-config --cflags --libs salvor) -o channels
 *	channels FILE
 */
#include <inttypes.h>
#include <stdio.h>

#include <salvor.h>

/* Print a text of the log, which may hold anything. */
static void
put(const char *text)
{
	char *safe = slv_escape(text);

	fputs(safe != NULL ? safe : "?", stdout);
	slv_free(safe);
}

static void
show(const struct slv_channel_info *c)
{
	put(c->name);
	printf(": %" PRIu64 " records of ", c->records);
	put(c->type);
	printf(" (");
	put(c->encoding);
	printf("), %zu bytes of schema\n", c->schema_len);
	for (size_t i = 0; i < c->n_meta; i++) {
		printf("    ");
		put(c->meta[i].key);
		printf(" = ");
		put(c->meta[i].value);
		printf("\n");
	}
}

/* What a repair would report, for people. */
static void
show_report(const struct slv_log *log)
{
	char *text = slv_report_text(
	    slv_log_report(log), SLV_PAGE_BRIEF, SLV_TEXT_WIDTH(80));

	printf("%s\n", text != NULL ? text : "out of memory");
	slv_free(text);
}

int
main(int argc, char **argv)
{
	struct slv_log *log = NULL;
	int failed;

	if (argc != 2) {
		fprintf(stderr, "usage: channels FILE\n");
		return 16;
	}
	if (slv_log_open(argv[1], NULL, &log) == SLV_OK) {
		show_report(log);
		for (uint32_t i = 0; i < slv_log_channels(log); i++)
			show(slv_log_channel(log, i));
	}
	failed = log == NULL || slv_log_status(log) != SLV_OK;
	if (failed)
		fprintf(stderr, "channels: %s\n",
		    log != NULL ? slv_log_error(log) : "out of memory");
	slv_log_close(log);
	return failed ? 8 : 0;
}
