/* outname.c - the name of an output next to its input.
 *
 * The table of examples is in tests/unit/test_target.c.
 */
#include "job/output/outname.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/packed_name.h"

/* Return true if the n bytes of name have this ending after other bytes. */
static bool
ends(const char *name, size_t n, const char *tail)
{
	size_t t = strlen(tail);

	return n > t && memcmp(name + n - t, tail, t) == 0;
}

/* Length of the name without the ending of an unfinished download or
 * recording. */
static size_t
without_tail(const char *name, size_t n)
{
	static const char *const tails[] = { ".part", ".partial",
		".crdownload" };

	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		if (ends(name, n, tails[i]))
			return without_tail(name, n - strlen(tails[i]));
	}
	/* A repaired log is not compressed. */
	if (slv_packed_is(name))
		return slv_packed_stem(name);
	/* ROS 1 removes ".active" when it has finished a bag. */
	return ends(name, n, ".bag.active") ? n - strlen(".active") : n;
}

/* Offset of the last extension of the n bytes of name; n: there is none.  A
 * leading dot makes a hidden file, not an extension. */
static size_t
extension(const char *name, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		if (name[i - 1] == '.')
			return i - 1;
	}
	return n;
}

/* The same, but Apollo numbers the segments of a recording after the
 * extension. */
static size_t
whole_extension(const char *name, size_t n)
{
	size_t dot = extension(name, n);

	if (dot + 1 < n && strspn(name + dot + 1, "0123456789") >= n - dot - 1
	    && ends(name, dot, ".record"))
		return extension(name, dot);
	return dot;
}

char *
slv_outname_with(const char *input, const char *infix, const char *suffix)
{
	const char *slash = strrchr(input, '/');
	size_t dir = slash != NULL ? (size_t)(slash - input) + 1 : 0;
	const char *name = input + dir;
	size_t n = without_tail(name, strlen(name));
	size_t dot = whole_extension(name, n);
	size_t room =
	    dir + n + strlen(infix) + 1 + (suffix != NULL ? strlen(suffix) : 0);
	char *out = slv_realloc(NULL, room);

	if (out != NULL)
		snprintf(out, room, "%.*s%s%.*s%s", (int)(dir + dot), input,
		    infix, suffix != NULL ? 0 : (int)(n - dot), name + dot,
		    suffix != NULL ? suffix : "");
	return out;
}

char *
slv_outname(const char *input)
{
	return slv_outname_with(input, ".repaired", NULL);
}
