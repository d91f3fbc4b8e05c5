/* maker.c - what a report says about the run that made it. */
#include "cli/output/maker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "cli/terminal/quote.h"

#define LONG 1000 /* bytes of a command line after which no word is added */

/* The command, quoted for a shell.  It goes into every report, so only the
 * first of thousands of file names are listed. */
static char *
command_line(char **argv, size_t n)
{
	struct slv_buf line = { 0 };

	slv_buf_text(&line, "salvor");
	for (size_t i = 1; i < n; i++) {
		slv_buf_text(&line, " ");
		if (line.len > LONG) {
			slv_buf_text(&line, "...");
			break;
		}
		slv_quote_word(&line, argv[i]);
	}
	return slv_buf_take(&line);
}

/* The time that a reproducible build or test requires in all its files. */
static int64_t
wanted_time(void)
{
	const char *text = getenv("SOURCE_DATE_EPOCH");
	char *end;
	long long seconds;

	if (text == NULL || *text == '\0')
		return -1;
	seconds = strtoll(text, &end, 10);
	return *end == '\0' && seconds >= 0 && seconds < SLV_MAKER_LAST
	    ? seconds
	    : -1;
}

bool
slv_maker_open(struct slv_maker *m, char **argv, size_t n)
{
	struct utsname host;

	*m = (struct slv_maker){
		.host = slv_escape(uname(&host) == 0 ? host.nodename : ""),
		.command = command_line(argv, n),
		.time = wanted_time(),
	};
	if (m->host != NULL && m->command != NULL)
		return true;
	slv_maker_close(m);
	return false;
}

void
slv_maker_close(struct slv_maker *m)
{
	slv_free(m->host);
	slv_free(m->command);
	*m = (struct slv_maker){ .time = -1 };
}
