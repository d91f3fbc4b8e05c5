/* guard.c - give up what the command line does not need. */
#include "guard/guard.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guard/places.h"
#include "guard/walls.h"
#include "io/sys.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)        \
    || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

/* Why there is no sandbox; NULL: there is one.  CFLAGS may add a sanitizer
 * without configure noticing. */
static const char *
off(void)
{
#if defined(SLV_GUARD_OFF)
	return SLV_GUARD_OFF;
#elif defined(SANITIZED)
	return "built with a sanitizer";
#else
	const char *with = getenv("LD_PRELOAD");

	/* It lives in this process, and needs more rights. */
	if (with != NULL && strstr(with, "/vgpreload_") != NULL)
		return "run by valgrind";
	return NULL;
#endif
}

/* The walls around this process. */
static int landlock; /* its version; 0: no such wall */
static bool seccomp;

/* Libraries open files on first use. */
static void
warm_up(void)
{
	/* The JSON writer reads its seed. */
	slv_free(slv_problem_json(slv_problem_at(0)));
}

struct raising {
	int wall; /* -1: none */
	enum slv_right most;
};

static bool
see(void *ctx, const char *path, enum slv_right right)
{
	struct raising *r = ctx;

	if (right > r->most)
		r->most = right;
	return r->wall < 0 || slv_landlock_allow(r->wall, path, right);
}

/* What outputs take over. */
static struct slv_carries
carries_of(const struct slv_guard_job *job)
{
	struct slv_carries c = { 0 };

	if (job->carries != NULL)
		return *job->carries;
	for (size_t i = 0; i < job->n_files && job->repairs; i++)
		slv_carries_add(&c, job->files[i]);
	return c;
}

void
slv_guard_start(const struct slv_guard_job *job)
{
	struct raising r = { -1, SLV_MAY_READ };
	struct slv_calls calls = { .starts = job->starts };
	int version;
	bool whole;

	if (off() != NULL || !slv_walls_found())
		return;
	warm_up();
	version = slv_landlock_version();
	if (version > 0)
		r.wall = slv_landlock_begin(version);
	whole = slv_places(job, see, &r);
	if (!whole)
		r.most = SLV_MAY_CHANGE; /* unless the inputs are known */
	/* If a place is missing the wall would hinder the job. */
	if (whole && r.wall >= 0 && slv_landlock_up(r.wall))
		landlock = version;
	if (r.wall >= 0)
		slv_sys.close(r.wall);
	slv_capabilities_drop();
	calls.most = r.most;
	if (calls.most > SLV_MAY_LOOK)
		calls.carries = carries_of(job);
	seccomp = slv_seccomp_known() && slv_seccomp_up(&calls);
}

void
slv_guard_close(char *const *words, size_t n)
{
	const struct slv_kept_open keep = { .words = words, .n_words = n };

	/* A sanitizer or valgrind may have threads of its own. */
	if (off() == NULL)
		slv_descriptors_close(&keep);
}

bool
slv_guard_leave(int null, const struct slv_kept_open *keep)
{
	if (off() != NULL)
		return true;
	if (null >= 0 && !slv_descriptors_mute(keep, null))
		return false;
	slv_descriptors_close(keep);
	return true;
}

bool
slv_guard_is_whole(void)
{
	return landlock > 0 && seccomp;
}

bool
slv_guard_is_possible(void)
{
	return off() == NULL && slv_landlock_version() > 0
	    && slv_seccomp_known();
}

bool
slv_guard_refuses(const char *path)
{
	int fd;

	/* access(2) checks only the rights of the user. */
	if (landlock == 0 || access(path, R_OK) < 0)
		return false;
	fd = slv_sys.open(
	    AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return errno == EACCES;
	slv_sys.close(fd);
	return false;
}

void
slv_guard_describe(char text[SLV_GUARD_TEXT])
{
	if (off() != NULL)
		snprintf(text, SLV_GUARD_TEXT, "none: %s", off());
	else if (landlock == 0 && !seccomp)
		snprintf(text, SLV_GUARD_TEXT,
		    "none: the kernel has none, or refuses it");
	else if (landlock == 0)
		snprintf(text, SLV_GUARD_TEXT, "seccomp, no Landlock");
	else
		snprintf(text, SLV_GUARD_TEXT, "Landlock ABI %d%s", landlock,
		    seccomp ? " + seccomp" : ", no seccomp");
}
