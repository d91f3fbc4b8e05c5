/* test_pool.c - workers that a log has taken over: whatever one of them sends, and
 * whatever it writes into the memory that all share, every task is reported
 * once, in order, and nothing that it was not given counts as its result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/bytes.h"
#include "batch/workers/claims.h"
#include "batch/workers/pool.h"
#include "batch/workers/worker.h"
#include "support/check.h"
#include "unit/suites.h"

#define TASKS   60
#define WORKERS 3
#define A_WHILE 300000 /* us, in which other workers go on */
#define EVIL    7      /* the task with a log that takes over its worker */
#define LONGEST 120    /* seconds until a test that hangs is ended */
#define FORGED  "!!"   /* a result that could be one, and that no task has */

/* A worker writes this to its socket, or worse. */
struct act {
	const char *name;
	void (*evil)(int line, struct slv_buf *out);
	unsigned costs;        /* tasks of others, at most */
	enum slv_task_end end; /* of its task, where it costs less than all */
};

struct run {
	const struct act *act;
	uint8_t *tries; /* shared: how often the task was begun */
	size_t told;
	unsigned ended[TASKS];
	enum slv_task_end ends[TASKS];
	size_t wrong;
};

/* The only socket of a worker. */
static int
line_of(void)
{
	for (int fd = 3; fd < 256; fd++) {
		int domain = 0;
		socklen_t n = sizeof(domain);

		if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &n) == 0
		    && domain == AF_UNIX)
			return fd;
	}
	return -1;
}

static void
put(int line, uint64_t len, uint64_t nth, const char *bytes)
{
	uint8_t head[16];

	slv_put_le64(head, len);
	slv_put_le64(head + 8, nth);
	(void)!write(line, head, sizeof(head));
	(void)!write(line, bytes, strlen(bytes));
}

/* What all share, as batch/workers/claims.c has it. */
struct shared {
	uint64_t next, cells[SLV_CLAIMS];
	unsigned desks[2 * WORKERS];
};

/* The last memory that is shared; *n: how many stretches of it there are. */
static struct shared *
shared_of(size_t *n)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	unsigned long from = 0, to = 0, found = 0;

	*n = 0;
	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL) {
		if (strstr(line, "rw-s") == NULL
		    || strstr(line, "/dev/zero") == NULL
		    || sscanf(line, "%lx-%lx", &from, &to) != 2)
			continue;
		++*n;
		if (to - from >= sizeof(struct shared))
			found = from;
	}
	if (maps != NULL)
		fclose(maps);
	return (struct shared *)(uintptr_t)found;
}

static struct shared *
shared(void)
{
	size_t n;

	return shared_of(&n);
}

static void
number_past_the_end(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 2, TASKS, FORGED);
}

/* Its cell says that this worker has claimed it. */
static void
number_past_the_end_claimed(int line, struct slv_buf *out)
{
	uint64_t own = shared()->cells[EVIL] & 0xffff;
	size_t n = TASKS + SLV_CLAIMS;

	(void)out;
	shared()->cells[n % SLV_CLAIMS] = (uint64_t)n << 16 | own;
	put(line, 2, n, FORGED);
	for (;;)
		pause();
}

static void
number_that_is_huge(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 2, UINT64_MAX, FORGED);
}

static void
number_that_is_told(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 2, 0, FORGED);
}

/* Its cell is the same. */
static void
number_a_window_on(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 2, EVIL + SLV_CLAIMS, FORGED);
}

/* The worker waits for its end, or it might have claimed the task when the result is
 * read. */
static void
number_that_is_free(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 2, TASKS - 1, FORGED);
	for (;;)
		pause();
}

/* Of a task that another worker has, or has done. */
static void
number_of_another(int line, struct slv_buf *out)
{
	const volatile uint64_t *cells = shared()->cells;
	uint64_t own = cells[EVIL] & 0xffff;

	(void)out;
	for (size_t i = EVIL + 1;; i = i + 1 < TASKS ? i + 1 : EVIL + 1) {
		if ((cells[i] & 0xffff) == 0 || (cells[i] & 0xffff) == own)
			continue;
		put(line, 2, i, FORGED);
		return;
	}
}

static void
length_past_the_most(int line, struct slv_buf *out)
{
	(void)out;
	put(line, SLV_RESULT_MOST + 1, EVIL, "ok");
}

static void
length_that_is_huge(int line, struct slv_buf *out)
{
	(void)out;
	put(line, UINT64_MAX - 8, EVIL, "ok");
}

static void
bytes_that_are_no_result(int line, struct slv_buf *out)
{
	(void)line;
	slv_buf_text(out, "no");
}

/* The first one counts. */
static void
result_twice(int line, struct slv_buf *out)
{
	put(line, 2, EVIL, "ok");
	slv_buf_text(out, "ok");
}

/* The same while a task before it is at work. */
static void
result_twice_early(int line, struct slv_buf *out)
{
	result_twice(line, out);
}

static void
part_of_a_head(int line, struct slv_buf *out)
{
	(void)out;
	(void)!write(line, "\1\0\0\0\0", 5);
	_exit(0);
}

static void
part_of_a_result(int line, struct slv_buf *out)
{
	(void)out;
	put(line, 100, EVIL, "ok");
	_exit(0);
}

/* Byte by byte, so that there is always news. */
static void
no_end(int line, struct slv_buf *out)
{
	(void)out;
	put(line, SLV_RESULT_MOST, EVIL, "");
	while (write(line, "x", 1) == 1)
		usleep(1000);
}

static void
all_zeros(int line, struct slv_buf *out)
{
	(void)line;
	memset(shared(), 0, sizeof(struct shared));
	slv_buf_text(out, "ok");
}

static void
all_ones(int line, struct slv_buf *out)
{
	(void)line;
	memset(shared(), 0xff, sizeof(struct shared));
	slv_buf_text(out, "ok");
}

static void
no_task_is_next(int line, struct slv_buf *out)
{
	(void)line;
	shared()->next = TASKS;
	slv_buf_text(out, "ok");
}

/* Each task is the worker's that is named, and it ends. */
static void
all_of(unsigned owner)
{
	for (size_t i = 0; i < TASKS; i++)
		shared()->cells[i] = i << 16 | owner;
	_exit(1);
}

static void
all_tasks_are_its_own(int line, struct slv_buf *out)
{
	(void)line, (void)out;
	all_of((unsigned)(shared()->cells[EVIL] & 0xffff));
}

static void
all_tasks_are_of_no_worker(int line, struct slv_buf *out)
{
	(void)line, (void)out;
	all_of(WORKERS + 1);
}

static void
all_tasks_are_of_a_worker_far_away(int line, struct slv_buf *out)
{
	(void)line, (void)out;
	all_of(0xfffe);
}

static void
all_tasks_are_barred(int line, struct slv_buf *out)
{
	(void)line, (void)out;
	all_of(0xffff);
}

static void
random_bytes(int line, struct slv_buf *out)
{
	uint8_t *at = (uint8_t *)shared();
	unsigned seed = 1;

	(void)line;
	for (size_t i = 0; i < sizeof(struct shared); i++)
		at[i] = (uint8_t)(rand_r(&seed) >> 3);
	slv_buf_text(out, "ok");
}

static const struct act acts[] = {
	{ "number past the end", number_past_the_end, 0, SLV_TASK_GARBLED },
	{ "number past the end, claimed", number_past_the_end_claimed, 0,
	    SLV_TASK_GARBLED },
	{ "number that is huge", number_that_is_huge, 0, SLV_TASK_GARBLED },
	{ "number that is told", number_that_is_told, 0, SLV_TASK_GARBLED },
	{ "number a window on", number_a_window_on, 0, SLV_TASK_GARBLED },
	{ "number that is free", number_that_is_free, 0, SLV_TASK_GARBLED },
	{ "number of another", number_of_another, 0, SLV_TASK_GARBLED },
	{ "length past the most", length_past_the_most, 0, SLV_TASK_GARBLED },
	{ "length that is huge", length_that_is_huge, 0, SLV_TASK_GARBLED },
	{ "bytes that are no result", bytes_that_are_no_result, 0,
	    SLV_TASK_GARBLED },
	/* It may have begun another one by then. */
	{ "result twice", result_twice, 1, SLV_TASK_DONE },
	{ "result twice before an earlier one", result_twice_early, 1,
	    SLV_TASK_DONE },
	{ "part of a head", part_of_a_head, 0, SLV_TASK_CRASHED },
	{ "part of a result", part_of_a_result, 0, SLV_TASK_CRASHED },
	{ "no end", no_end, 0, SLV_TASK_TIMEOUT },
	{ "all zeros", all_zeros, TASKS, SLV_TASK_DONE },
	{ "all ones", all_ones, TASKS, SLV_TASK_DONE },
	{ "no task is next", no_task_is_next, TASKS, SLV_TASK_DONE },
	{ "all tasks are its own", all_tasks_are_its_own, TASKS,
	    SLV_TASK_DONE },
	{ "all tasks are of no worker", all_tasks_are_of_no_worker, TASKS,
	    SLV_TASK_DONE },
	{ "all tasks are of a worker far away",
	    all_tasks_are_of_a_worker_far_away, TASKS, SLV_TASK_DONE },
	{ "all tasks are barred", all_tasks_are_barred, TASKS, SLV_TASK_DONE },
	{ "random bytes", random_bytes, TASKS, SLV_TASK_DONE },
};

static bool
more(void *ctx)
{
	(void)ctx;
	return true;
}

static void
begin(void *ctx, int line)
{
	(void)ctx;
	(void)line;
}

static void
work(void *ctx, size_t nth, struct slv_buf *out)
{
	const struct run *r = ctx;

	if (nth == EVIL - 1 && r->act->evil == result_twice_early)
		usleep(A_WHILE);
	if (nth == EVIL && r->tries[0]++ == 0)
		r->act->evil(line_of(), out);
	else
		slv_buf_text(out, "ok");
}

static bool
is(const struct slv_task *task, const char *result)
{
	return task->len == 2 && memcmp(task->bytes, result, 2) == 0;
}

static bool
check(void *ctx, const struct slv_task *task)
{
	(void)ctx;
	return is(task, "ok") || is(task, FORGED);
}

static bool
ended(void *ctx, const struct slv_task *task)
{
	struct run *r = ctx;

	if (!CHECK(task->nth < TASKS))
		return false;
	r->ended[task->nth]++;
	r->ends[task->nth] = task->end;
	r->wrong += task->end == SLV_TASK_DONE && !is(task, "ok");
	return true;
}

static bool
tell(void *ctx, const struct slv_task *task)
{
	struct run *r = ctx;

	r->wrong += task->nth != r->told || task->end != r->ends[task->nth]
	    || (task->end == SLV_TASK_DONE && !is(task, "ok"));
	r->told++;
	return true;
}

static void
tick(void *ctx, const struct slv_doing *doing, size_t n)
{
	struct run *r = ctx;

	for (size_t i = 0; i < n; i++)
		r->wrong += doing[i].nth >= TASKS;
}

static void
try_act(const struct act *act, uint8_t *tries)
{
	struct run r = { .act = act, .tries = tries };
	const struct slv_pool pool = {
		.workers = WORKERS,
		.timeout = act->end == SLV_TASK_TIMEOUT,
		.more = more,
		.begin = begin,
		.work = work,
		.check = check,
		.ended = ended,
		.tell = tell,
		.tick = tick,
		.ctx = &r,
	};
	struct slv_err err = { 0 };
	size_t others = 0, before, after;

	tries[0] = 0;
	shared_of(&before);
	check_case("%s", act->name);
	alarm(LONGEST);
	CHECK_OK(slv_pool_run(&pool, TASKS, &err), &err);
	alarm(0);
	/* All of it is given back, and nothing else, whatever is in it. */
	shared_of(&after);
	CHECK_U64(after, before);
	CHECK_U64(r.told, TASKS);
	CHECK_U64(r.wrong, 0);
	for (size_t i = 0; i < TASKS; i++) {
		CHECK_U64(r.ended[i], 1);
		others += i != EVIL && r.ends[i] != SLV_TASK_DONE;
	}
	/* Whoever changes the claims of others costs them their results. */
	if (act->costs == TASKS)
		return;
	CHECK_U64(r.ends[EVIL], act->end);
	CHECK(others <= act->costs);
}

static void
hostile_workers(void)
{
	uint8_t *tries = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!CHECK(tries != MAP_FAILED))
		return;
	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
		try_act(&acts[i], tries);
	munmap(tries, 4096);
}

CU_TestInfo pool_tests[] = {
	{ "hostile workers", hostile_workers },
	CU_TEST_INFO_NULL,
};
