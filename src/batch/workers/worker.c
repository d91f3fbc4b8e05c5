/* worker.c - one worker process of a pool, and the socket to it.
 *
 * It writes results, each after its length and the number of its task, 8 bytes
 * each, and reads bytes that only wake it.
 */
#include "batch/workers/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "batch/workers/memory.h"

#define HEAD      16                /* bytes before a result */
#define PIECE     ((size_t)1 << 16) /* bytes read at once */
#define NO_RESULT 9    /* exit status: no space or memory for a result */
#define LEAVE     2000 /* ms within which an idle worker ends */

/* Return true if all n bytes were read. */
static bool
read_all(int fd, uint8_t *at, size_t n)
{
	while (n > 0) {
		ssize_t got = read(fd, at, n);

		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		at += got > 0 ? got : 0;
		n -= got > 0 ? (size_t)got : 0;
	}
	return true;
}

static bool
write_all(int fd, const uint8_t *at, size_t n)
{
	while (n > 0) {
		ssize_t put = write(fd, at, n);

		if (put < 0 && errno != EINTR)
			return false;
		at += put > 0 ? put : 0;
		n -= put > 0 ? (size_t)put : 0;
	}
	return true;
}

/* Claim a task, and wait if there is none.  false: there will be none for this
 * worker. */
static bool
next_task(int line, const struct slv_pool *pool, struct slv_claims *claims,
    unsigned me, size_t *task)
{
	uint8_t byte;

	for (;;) {
		/* A worker that was told to stop would stop each job. */
		if (slv_is_cancelled(pool->cancel))
			return false;
		if (pool->more(pool->ctx) && slv_claims_take(claims, me, task))
			return true;
		/* One may have come between the check and the sign that it
		 * waits: so it checks again. */
		if (slv_claims_waits(claims, me)) {
			if (!read_all(line, &byte, 1))
				return false;
			slv_claims_wait(claims, me, false);
		} else {
			slv_claims_wait(claims, me, true);
		}
	}
}

/* The main loop of a worker. */
static void
serve(int line, const struct slv_pool *pool, struct slv_claims *claims,
    unsigned me)
{
	size_t task;

	/* No process would read the result of a task. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	slv_memory_bound(pool->memory);
	pool->begin(pool->ctx, line);
	while (next_task(line, pool, claims, me, &task)) {
		struct slv_buf out = { 0 };
		uint8_t head[HEAD] = { 0 };

		slv_buf_add(&out, head, HEAD);
		pool->work(pool->ctx, task, &out);
		slv_claims_done(claims, me);
		if (out.failed || out.len - HEAD > SLV_RESULT_MOST)
			_exit(NO_RESULT);
		slv_put_le64(out.at, out.len - HEAD);
		slv_put_le64(out.at + 8, task);
		if (!write_all(line, out.at, out.len))
			_exit(NO_RESULT);
		slv_buf_free(&out);
	}
	_exit(0);
}

enum slv_status
slv_worker_start(struct slv_worker *all, unsigned n_all, unsigned me,
    const struct slv_pool *pool, struct slv_claims *claims, struct slv_err *err)
{
	struct slv_worker *w = &all[me];
	int ends[2];

	*w = (struct slv_worker){ .line = -1 };
	slv_claims_done(claims, me);
	slv_claims_wait(claims, me, false);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return slv_fail_errno(err, "a worker process");
	/* What is not written yet would be written by both. */
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		close(ends[0]);
		for (unsigned i = 0; i < n_all; i++) {
			if (all[i].pid > 0 && i != me)
				close(all[i].line);
		}
		serve(ends[1], pool, claims, me);
	}
	close(ends[1]);
	w->line = ends[0];
	if (w->pid > 0)
		return SLV_OK;
	w->pid = 0;
	slv_fail_errno(err, "a worker process");
	close(w->line);
	return err->code;
}

void
slv_worker_wake(const struct slv_worker *w)
{
	/* The socket of a dead worker shows it. */
	(void)send(w->line, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool
slv_worker_is_ready(const struct slv_worker *w)
{
	struct pollfd p = { w->line, POLLIN, 0 };

	return poll(&p, 1, 0) == 1;
}

bool
slv_worker_hear(struct slv_worker *w)
{
	uint8_t piece[PIECE];
	ssize_t n;

	do
		n = recv(w->line, piece, sizeof(piece), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	/* The rest is part of one result. */
	if (w->from > 0) {
		w->in.len -= w->from;
		memmove(w->in.at, w->in.at + w->from, w->in.len);
		w->from = 0;
	}
	slv_buf_add(&w->in, piece, (size_t)n);
	return !w->in.failed;
}

enum slv_result
slv_worker_result(struct slv_worker *w, struct slv_task *task)
{
	const uint8_t *at = w->in.at + w->from;
	size_t n = w->in.len - w->from;
	uint64_t len, nth;

	if (n < HEAD)
		return SLV_RESULT_NONE;
	len = slv_get_le64(at);
	nth = slv_get_le64(at + 8);
	if (len > SLV_RESULT_MOST || nth != (size_t)nth)
		return SLV_RESULT_GARBLED;
	if (n - HEAD < len)
		return SLV_RESULT_NONE;
	*task = (struct slv_task){
		.nth = (size_t)nth,
		.end = SLV_TASK_DONE,
		.bytes = at + HEAD,
		.len = (size_t)len,
	};
	w->from += HEAD + (size_t)len;
	return SLV_RESULT_THERE;
}

/* Return true if it ends by itself within a moment. */
static bool
leaves(const struct slv_worker *w, int *status)
{
	const struct timespec ms = { 0, 1000000 };
	struct pollfd end = { w->line, 0, 0 };
	pid_t got;

	(void)poll(&end, 1, LEAVE);
	for (int i = 0; i < LEAVE; i++) {
		got = waitpid(w->pid, status, WNOHANG);
		if (got == w->pid || (got < 0 && errno != EINTR))
			return true;
		nanosleep(&ms, NULL);
	}
	return false;
}

int
slv_worker_end(struct slv_worker *w, bool kill_it)
{
	int status = 0;

	/* A waiting worker sees the end of the socket. */
	shutdown(w->line, SHUT_WR);
	if (kill_it || !leaves(w, &status)) {
		kill(w->pid, SIGKILL);
		while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
			continue;
	}
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}

void
slv_worker_free(struct slv_worker *w)
{
	close(w->line);
	slv_buf_free(&w->in);
	*w = (struct slv_worker){ .line = -1 };
}
