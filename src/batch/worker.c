/* worker.c - one worker process of a pool, and the line to it.
 *
 * Both ends write whole messages: the number of a task, and a result with its
 * length in front; numbers are 8 bytes.
 */
#include "batch/worker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"

#define NUMBER    8                 /* bytes */
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

/* The life of a worker. */
static void
serve(int line, const struct slv_pool *pool)
{
	uint8_t number[NUMBER];
	struct rlimit most = { pool->memory, pool->memory };

	/* Nobody would hear what is left of a task. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (pool->memory > 0)
		setrlimit(RLIMIT_AS, &most);
	pool->begin(pool->ctx);
	while (read_all(line, number, NUMBER)) {
		struct slv_buf out = { 0 };

		pool->work(pool->ctx, (size_t)slv_get_le64(number), &out);
		slv_put_le64(number, out.len);
		if (out.failed || !write_all(line, number, NUMBER)
		    || !write_all(line, out.at, out.len))
			_exit(NO_RESULT);
		slv_buf_free(&out);
	}
	_exit(0);
}

enum slv_status
slv_worker_start(struct slv_worker *all, size_t n_all, struct slv_worker *w,
    const struct slv_pool *pool, struct slv_err *err)
{
	int ends[2];

	*w = (struct slv_worker){ .line = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return slv_fail_errno(err, "a worker process");
	/* What is not written yet would be written twice. */
	fflush(NULL);
	w->pid = fork();
	if (w->pid == 0) {
		close(ends[0]);
		for (size_t i = 0; i < n_all; i++) {
			if (all[i].pid > 0 && &all[i] != w)
				close(all[i].line);
		}
		serve(ends[1], pool);
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

bool
slv_worker_give(struct slv_worker *w, size_t task)
{
	uint8_t number[NUMBER];

	slv_put_le64(number, task);
	w->busy = true;
	w->task = task;
	w->in.len = 0;
	clock_gettime(CLOCK_MONOTONIC, &w->began);
	/* So little fits into an empty line at once. */
	return send(w->line, number, NUMBER, MSG_NOSIGNAL) == NUMBER;
}

enum slv_worker_news
slv_worker_hear(struct slv_worker *w)
{
	uint8_t piece[PIECE];
	ssize_t n = read(w->line, piece, sizeof(piece));

	if (n < 0 && errno == EINTR)
		return SLV_WORKER_MORE;
	/* What it was sent was still unread when it ended. */
	if (n < 0 && errno == ECONNRESET)
		return SLV_WORKER_IDLE;
	if (n <= 0)
		return SLV_WORKER_GONE;
	slv_buf_add(&w->in, piece, (size_t)n);
	if (w->in.failed)
		return SLV_WORKER_GONE;
	if (w->in.len < NUMBER || w->in.len - NUMBER != slv_get_le64(w->in.at))
		return SLV_WORKER_MORE;
	w->served = true;
	return SLV_WORKER_RESULT;
}

struct slv_task
slv_worker_result(const struct slv_worker *w)
{
	return (struct slv_task){
		.nth = w->task,
		.end = SLV_TASK_DONE,
		.bytes = w->in.at + NUMBER,
		.len = w->in.len - NUMBER,
	};
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

uint64_t
slv_worker_since(const struct slv_worker *w)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)((now.tv_sec - w->began.tv_sec) * 1000
	    + (now.tv_nsec - w->began.tv_nsec) / 1000000);
}
