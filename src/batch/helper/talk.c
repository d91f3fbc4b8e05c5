/* talk.c - the protocol between salvor and a helper, and its time limits.
 *
 * After the first failure nothing more is read: a helper that broke the protocol
 * once may send anything next.
 */
#include "batch/helper/talk.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"

#define TICK    200  /* ms between two looks at whether the job is cancelled */
#define LONGEST 24   /* bytes of a number, with the spaces in front */
#define LEAST   4096 /* bytes that must come in the time that a wait may take */

int
slv_talk_fail(struct slv_talk *t, int bad, const char *why)
{
	if (t->bad == 0) {
		t->bad = bad;
		snprintf(t->why, sizeof(t->why), "%s", why);
	}
	return t->bad;
}

/* Milliseconds since some moment. */
static int64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The latest end of a wait that begins now. */
static int64_t
patience(const struct slv_talk *t)
{
	return now() + (int64_t)t->seconds * 1000;
}

/* Wait until a pipe can be used. */
static int
wait_for(struct slv_talk *t, int fd, short events, int64_t end)
{
	for (;;) {
		struct pollfd p = { .fd = fd, .events = events };
		bool late = now() >= end;
		int n;

		if (slv_is_cancelled(t->cancel))
			return slv_talk_fail(t, ECANCELED, "stopped");
		n = poll(&p, 1, late ? 0 : TICK);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return slv_talk_fail(
			    t, errno, "cannot wait for the command");
		if (late)
			return slv_talk_fail(t, ETIMEDOUT,
			    "the command does not answer (--read-timeout)");
	}
}

/* Read exactly n bytes before `end`. */
static int
read_until(struct slv_talk *t, uint8_t *at, size_t n, int64_t end)
{
	while (n > 0 && t->bad == 0) {
		ssize_t got;

		if (wait_for(t, t->answer, POLLIN, end) != 0)
			break;
		got = read(t->answer, at, n);
		if (got == 0)
			return slv_talk_fail(
			    t, EPIPE, "the command ended too early");
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return slv_talk_fail(
			    t, errno, "cannot read from the command");
		at += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return t->bad;
}

int
slv_talk_bytes(struct slv_talk *t, void *buf, size_t n)
{
	for (size_t done = 0; done < n && t->bad == 0;) {
		size_t some = n - done < LEAST ? n - done : LEAST;

		(void)read_until(t, (uint8_t *)buf + done, some, patience(t));
		done += some;
	}
	return t->bad;
}

int
slv_talk_number(struct slv_talk *t, uint64_t most, uint64_t *out)
{
	const char *why = "the command sent something else than a number";
	int64_t end = patience(t);
	uint64_t value = 0;
	bool any = false;

	for (int i = 0; i < LONGEST; i++) {
		uint8_t c;

		if (read_until(t, &c, 1, end) != 0)
			return t->bad;
		if (c == '\n' && any) {
			*out = value;
			return value <= most
			    ? 0
			    : slv_talk_fail(t, EPROTO,
			        "the command sent more than was asked for");
		}
		/* wc(1) of some systems writes spaces in front. */
		if (c == ' ' && !any)
			continue;
		if (c < '0' || c > '9' || value > (UINT64_MAX - 9) / 10)
			return slv_talk_fail(t, EPROTO, why);
		value = value * 10 + (uint64_t)(c - '0');
		any = true;
	}
	return slv_talk_fail(t, EPROTO, why);
}

int
slv_talk_ask(struct slv_talk *t, uint64_t off, uint64_t len)
{
	char text[64];
	size_t n = (size_t)snprintf(
	    text, sizeof(text), "%" PRIu64 " %" PRIu64 "\n", off, len);
	int64_t end = patience(t);

	for (size_t at = 0; at < n && t->bad == 0;) {
		ssize_t put;

		if (wait_for(t, t->ask, POLLOUT, end) != 0)
			break;
		put = write(t->ask, text + at, n - at);
		if (put < 0 && errno == EPIPE)
			return slv_talk_fail(
			    t, EPIPE, "the command ended too early");
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			return slv_talk_fail(
			    t, errno, "cannot write to the command");
		at += put > 0 ? (size_t)put : 0;
	}
	return t->bad;
}
