/* descriptors.c - which inherited descriptors stay open: close_range(2).
 *
 * Whoever starts the program may have left one open to a file or a socket that no
 * sandbox would let the program open.  The kernel's number is ours here, as in
 * landlock.c.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard/walls.h"

#ifdef __alpha__
#define CLOSE_RANGE 546
#else
#define CLOSE_RANGE 436
#endif

#define FIRST (STDERR_FILENO + 1)

/* Close descriptors from `from` to `to`. */
static void
close_range_of(unsigned from, unsigned to)
{
	struct rlimit most;

	if (from > to || syscall(CLOSE_RANGE, from, to, 0) == 0)
		return;
	/* An older kernel. */
	if (getrlimit(RLIMIT_NOFILE, &most) != 0)
		return;
	for (; from <= to && from < most.rlim_cur; from++)
		close((int)from);
}

/* The descriptor that a word names, as "/dev/fd/63" or "-o/proc/self/fd/3" do;
 * -1: none. */
static int
named_by(const char *word)
{
	const char *at = strstr(word, "/fd/");
	char *end;
	long fd;

	if (at == NULL)
		return -1;
	fd = strtol(at + 4, &end, 10);
	return end > at + 4 && fd >= FIRST && fd < INT_MAX ? (int)fd : -1;
}

/* The least descriptor from `from` on that is named; INT_MAX: none is. */
static int
next_named(char *const *words, size_t n, int from)
{
	int least = INT_MAX;

	for (size_t i = 0; i < n; i++) {
		int fd = named_by(words[i]);

		if (fd >= from && fd < least)
			least = fd;
	}
	return least;
}

void
slv_descriptors_close(char *const *words, size_t n)
{
	int from = FIRST, keep;

	while ((keep = next_named(words, n, from)) != INT_MAX) {
		close_range_of((unsigned)from, (unsigned)keep - 1);
		from = keep + 1;
	}
	close_range_of((unsigned)from, UINT_MAX);
}
