/* descriptors.c - which inherited descriptors stay open: close_range(2).
 *
 * The parent of the program may have left a file or a socket open that no
 * sandbox would let the program open, and a worker inherits those of the
 * reports.  The kernel's number is defined here, as in landlock.c.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard/walls.h"

#define FIRST (STDERR_FILENO + 1)

/* Close descriptors from `from` to `to`. */
static void
close_range_of(unsigned from, unsigned to)
{
	struct rlimit most;

	if (from > to || syscall(SLV_CLOSE_RANGE, from, to, 0) == 0)
		return;
	/* An older kernel. */
	if (getrlimit(RLIMIT_NOFILE, &most) != 0)
		return;
	for (; from <= to && from < most.rlim_cur; from++)
		close((int)from);
}

/* The descriptor that a word names, like "/dev/fd/63" or "-o/proc/self/fd/3";
 * -1: none. */
static int
named_by(const char *word)
{
	const char *at = strstr(word, "/fd/");
	char *end;
	long fd;

	if (strcmp(word, "/dev/stdin") == 0)
		return STDIN_FILENO;
	if (at == NULL)
		return -1;
	fd = strtol(at + 4, &end, 10);
	return end > at + 4 && fd >= 0 && fd < INT_MAX ? (int)fd : -1;
}

/* The least descriptor from `from` on that is kept; INT_MAX: none. */
static int
next_kept(const struct slv_kept_open *k, int from)
{
	int least = INT_MAX;

	for (size_t i = 0; i < k->n_words; i++) {
		int fd = named_by(k->words[i]);

		if (fd >= from && fd < least)
			least = fd;
	}
	for (size_t i = 0; i < k->n_fds; i++) {
		if (k->fds[i] >= from && k->fds[i] < least)
			least = k->fds[i];
	}
	return least;
}

void
slv_descriptors_close(const struct slv_kept_open *k)
{
	int from = FIRST, keep;

	while ((keep = next_kept(k, from)) != INT_MAX) {
		close_range_of((unsigned)from, (unsigned)keep - 1);
		from = keep + 1;
	}
	close_range_of((unsigned)from, UINT_MAX);
}

bool
slv_descriptors_mute(const struct slv_kept_open *k, int null)
{
	/* The lowest free number is the one that was closed. */
	for (int fd = 0; fd < FIRST; fd++) {
		if (next_kept(k, fd) == fd)
			continue;
		close(fd);
		if (dup(null) != fd)
			return false;
	}
	return true;
}
