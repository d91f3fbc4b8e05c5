/* outname.c - what the output beside an input is called. */
#include "job/outname.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define INFIX ".repaired"

/* Length of name without what a broken download appended. */
static size_t
without_download(const char *name, size_t n)
{
	static const char *const tails[] = { ".part", ".partial",
		".crdownload" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		size_t t = strlen(tails[i]);

		if (n > t && memcmp(name + n - t, tails[i], t) == 0)
			return n - t;
	}
	return n;
}

char *
slv_outname(const char *input)
{
	const char *slash = strrchr(input, '/');
	size_t dir = slash != NULL ? (size_t)(slash - input) + 1 : 0;
	size_t n = dir + without_download(input + dir, strlen(input + dir));
	size_t dot = n, room = n + sizeof(INFIX);
	char *out = slv_realloc(NULL, room);

	if (out == NULL)
		return NULL;
	/* A dot in front of everything makes a hidden file, no extension. */
	for (size_t i = n; i > dir + 1; i--) {
		if (input[i - 1] == '.') {
			dot = i - 1;
			break;
		}
	}
	snprintf(out, room, "%.*s" INFIX "%.*s", (int)dot, input,
	    (int)(n - dot), input + dot);
	return out;
}
