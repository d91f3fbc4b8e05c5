/* fuzz.c - the end of a program whose promise is broken. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void
fuzz_broken(const char *what, const char *file, unsigned line)
{
	fprintf(stderr, "%s:%u: does not hold: %s\n", file, line, what);
	abort();
}

void
fuzz_ok(enum slv_status st, const struct slv_err *err)
{
	if (st == SLV_OK)
		return;
	fprintf(stderr, "%s: %s\n", slv_status_name(st), err->text);
	abort();
}
