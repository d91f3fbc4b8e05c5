/* fuzz.c - the end of a program whose promise is broken. */
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/scratch.h"

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

bool
fuzz_within(enum slv_status st, const struct slv_err *err)
{
	if (st != SLV_E_LIMIT)
		fuzz_ok(st, err);
	return st == SLV_OK;
}

/* A window, the dictionaries and blocks of codecs, and what FUZZ_LIMITS lets a log
 * decompress to; and for each byte of the log what is kept about it. */
#define ALWAYS ((size_t)64 << 20)
#define EACH   64

static size_t most;

static bool
is_modest(size_t size)
{
	FUZZ_CHECK(size <= most);
	return true;
}

void
fuzz_bounded(size_t n)
{
	most = ALWAYS + EACH * n;
	slv_mem_hook = is_modest;
}

const char *
fuzz_scratch(void)
{
	static const char *folder;

	if (folder == NULL) {
		folder = scratch_open();
		atexit(scratch_close);
	}
	scratch_clean();
	return folder;
}

const char *
fuzz_file(const uint8_t *bytes, size_t n)
{
	static char path[40];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		FUZZ_CHECK(fd >= 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	FUZZ_CHECK(ftruncate(fd, 0) == 0);
	FUZZ_CHECK(pwrite(fd, bytes, n, 0) == (ssize_t)n);
	return path;
}
