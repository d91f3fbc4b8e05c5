/* term.c - everything that is printed goes through here. */
#include "cli/terminal/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/signals.h"

/* Before and after a line that is redrawn: go to its start and turn wrapping off;
 * clear the rest of the old line and turn wrapping on.  WIPE removes the line. */
#define DRAW        "\r\033[?7l"
#define DRAWN       "\033[K\033[?7h"
#define WIPE        "\r\033[K"

#define WIDTH       80 /* columns, where nothing says how many there are */
#define WIDTH_LEAST 20 /* ... and what is believed */
#define WIDTH_MOST  1000

#define MESSAGE_MAX 8192 /* bytes; long enough for any path */

static bool shown; /* a redrawn line is on the terminal */

/* Which streams are terminals, and how wide, when the process started.  A worker
 * keeps the values of its parent, which prints the text that the worker makes. */
static bool terminals[3];
static unsigned widths[3];

/* Columns of a terminal; 0: it does not say. */
static unsigned
width_of(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Open a placeholder for a closed standard stream, for the opposite direction, so
 * that using it is still an error.  If there is no /dev/null, open a folder. */
static int
open_closed(int fd)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };
	int got = open("/dev/null", modes[fd]);

	return got >= 0 ? got : open("/", O_PATH);
}

void
slv_term_open(void)
{
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF
		    && open_closed(fd) != fd)
			abort();
		terminals[fd] = isatty(fd);
		widths[fd] = terminals[fd] ? width_of(fd) : 0;
	}
}

static bool
is_able_terminal(int fd)
{
	const char *term = getenv("TERM");

	return terminals[fd] && term != NULL && *term != '\0'
	    && strcmp(term, "dumb") != 0;
}

bool
slv_term_has_colour(FILE *stream)
{
	const char *no = getenv("NO_COLOR");

	return (no == NULL || *no == '\0') && is_able_terminal(fileno(stream));
}

unsigned
slv_term_width(FILE *stream)
{
	const char *columns = getenv("COLUMNS");
	unsigned long n = columns != NULL ? strtoul(columns, NULL, 10) : 0;

	if (n < WIDTH_LEAST || n > WIDTH_MOST)
		n = widths[fileno(stream)];
	return n < WIDTH_LEAST || n > WIDTH_MOST ? WIDTH : (unsigned)n;
}

bool
slv_term_can_redraw(void)
{
	return is_able_terminal(STDERR_FILENO);
}

void
slv_term_redraw(const char *line)
{
	/* Buffered output would otherwise be printed after the line. */
	fflush(stdout);
	fprintf(stderr, DRAW "%s" DRAWN, line);
	shown = true;
}

static void
wipe(void)
{
	if (shown)
		fputs(WIPE, stderr);
	shown = false;
}

/* Writing to standard output failed; note it if its reader has gone. */
static bool
lost(void)
{
	if (errno == EPIPE)
		slv_signals_unread();
	return false;
}

/* Whether the reader of standard output has gone. */
static bool
is_over(void)
{
	return slv_signal == SIGPIPE;
}

bool
slv_term_flush(void)
{
	return fflush(stdout) == 0 || lost();
}

void
slv_term_look(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = 0 };

	if (poll(&p, 1, 0) == 1 && (p.revents & POLLERR) != 0)
		slv_signals_unread();
}

static bool
print(FILE *to, char *text, const char *end)
{
	bool good = text != NULL;

	wipe();
	if (!good)
		slv_term_error("out of memory");
	else if (is_over())
		good = false;
	else if (fputs(text, to) < 0 || fputs(end, to) < 0)
		good = to == stdout ? lost() : false;
	slv_free(text);
	return good;
}

bool
slv_term_line(FILE *to, char *text)
{
	return print(to, text, "\n");
}

bool
slv_term_page(FILE *to, char *text)
{
	return print(to, text, "");
}

void
slv_term_error(const char *fmt, ...)
{
	char text[MESSAGE_MAX], *safe;
	va_list args;

	if (is_over())
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);

	/* Standard output first: where both are one terminal, in order. */
	fflush(stdout);
	wipe();
	safe = slv_escape(text);
	fprintf(stderr, "salvor: %s\n", safe != NULL ? safe : "out of memory");
	slv_free(safe);
}

bool
slv_term_close(void)
{
	/* Some errors are reported only on closing (NFS, quotas). */
	bool failed = ferror(stdout) != 0;
	int os = 0;

	wipe();
	if (fclose(stdout) != 0) {
		failed = true;
		os = errno;
		lost();
	}
	if (failed && !is_over())
		fprintf(stderr, "salvor: cannot write to standard output%s%s\n",
		    os != 0 ? ": " : "", os != 0 ? strerror(os) : "");
	return !failed;
}
