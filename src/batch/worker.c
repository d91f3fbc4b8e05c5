/* worker.c - one worker process of a pool, and the line to it.
 *
 * It writes results, each behind its length and the number of its task, 8 bytes
 * each, and reads bytes that only wake it.
 */
#include "batch/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "batch/memory.h"

#define HEAD      16                /* bytes in front of a result */
#define PIECE     ((size_t)1 << 16) /* bytes read at once */
#define NO_RESULT 9 /* exit status: what was left of a task could not be told */

/* Whether all n bytes could be read. */
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

/* Claim a task, and wait for one where there is none.  false: there will be
 * none for this worker. */
static bool
next_task(int line, const struct slv_pool *pool, struct slv_claims *claims,
    unsigned me, size_t *task)
{
	uint8_t byte;

	for (;;) {
		/* Whoever was told to stop would stop each job. */
		if (pool->cancel != NULL && *pool->cancel != 0)
			return false;
		if (pool->more(pool->ctx) && slv_claims_take(claims, me, task))
			return true;
		/* Between a look and the sign that it waits one may have come:
		 * so it looks again. */
		if (slv_claims_waits(claims, me)) {
			if (!read_all(line, &byte, 1))
				return false;
			slv_claims_wait(claims, me, false);
		} else {
			slv_claims_wait(claims, me, true);
		}
	}
}

/* The life of a worker. */
static void
serve(int line, const struct slv_pool *pool, struct slv_claims *claims,
    unsigned me)
{
	size_t task;

	/* Nobody would hear what is left of a task. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	slv_memory_bound(pool->memory);
	pool->begin(pool->ctx);
	while (next_task(line, pool, claims, me, &task)) {
		struct slv_buf out = { 0 };
		uint8_t head[HEAD] = { 0 };

		slv_buf_add(&out, head, HEAD);
		pool->work(pool->ctx, task, &out);
		slv_claims_done(claims, me);
		if (out.failed)
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
	/* What is not written yet would be written twice. */
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
	/* Of one that is dead that is heard. */
	(void)send(w->line, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

bool
slv_worker_hear(struct slv_worker *w)
{
	uint8_t piece[PIECE];
	ssize_t n = read(w->line, piece, sizeof(piece));

	if (n < 0 && errno == EINTR)
		return true;
	if (n <= 0)
		return false;
	/* What is left is part of one result. */
	if (w->from > 0) {
		w->in.len -= w->from;
		memmove(w->in.at, w->in.at + w->from, w->in.len);
		w->from = 0;
	}
	slv_buf_add(&w->in, piece, (size_t)n);
	return !w->in.failed;
}

bool
slv_worker_result(struct slv_worker *w, struct slv_task *task)
{
	const uint8_t *at = w->in.at + w->from;
	size_t n = w->in.len - w->from, len;

	if (n < HEAD || n - HEAD < (len = (size_t)slv_get_le64(at)))
		return false;
	*task = (struct slv_task){
		.nth = (size_t)slv_get_le64(at + 8),
		.end = SLV_TASK_DONE,
		.bytes = at + HEAD,
		.len = len,
	};
	w->from += HEAD + len;
	w->served = true;
	return true;
}

int
slv_worker_end(struct slv_worker *w, bool kill_it)
{
	int status = 0;

	close(w->line);
	if (kill_it)
		kill(w->pid, SIGKILL);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		continue;
	slv_buf_free(&w->in);
	*w = (struct slv_worker){ .line = -1 };
	return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
}
