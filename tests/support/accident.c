/* accident.c - to be loaded before the C library (LD_PRELOAD): opening a
 * file of a certain name ends as badly as it can.
 *
 *   crash*       the process dies of SIGSEGV
 *   kill*        somebody kills it, as the kernel does when memory runs out
 *   hang*        it hangs, and does not mind being asked to stop
 *   unreadable*  EIO, also for root
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

static bool
is_called(const char *path, const char *begin)
{
	const char *slash = strrchr(path, '/');

	return strncmp(slash != NULL ? slash + 1 : path, begin, strlen(begin))
	    == 0;
}

int
openat(int dir, const char *path, int flags, ...)
{
	struct timespec second = { .tv_sec = 1 };
	int (*real)(int, const char *, int, ...);
	va_list more;
	int mode;

	va_start(more, flags);
	mode = va_arg(more, int);
	va_end(more);
	*(void **)&real = dlsym(RTLD_NEXT, "openat");
	/* A descriptor of the name alone reads nothing. */
	if (flags & O_PATH)
		return real(dir, path, flags, mode);
	if (is_called(path, "crash"))
		raise(SIGSEGV);
	if (is_called(path, "kill"))
		raise(SIGKILL);
	while (is_called(path, "hang"))
		nanosleep(&second, NULL);
	if (is_called(path, "unreadable")) {
		errno = EIO;
		return -1;
	}
	return real(dir, path, flags, mode);
}
