/* crew.c - decode streams ahead, in other threads than the reader. */
#include "codec/crew.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"

#define WORKERS 32
#define JOBS    (2 * WORKERS + 2) /* in work at most */

/* Memory of all jobs in work together, and memory of a job that claims less or
 * nothing. */
#define BYTES     ((size_t)256 << 20)
#define BYTES_ONE ((size_t)4 << 20)

/* A job, and its result. */
struct slot {
	struct slv_job job;
	size_t most; /* output limit when decoded ahead; at most job.max */
	bool done, unread;
	enum slv_status st;
	struct slv_decode out;
};

/* A thread, or the reader. */
struct worker {
	struct slv_crew *crew;
	pthread_t thread;
	struct slv_buf in; /* what it reads, as long as that is little */
};

struct slv_crew {
	struct worker workers[WORKERS], reader;
	unsigned n_workers;
	size_t bytes;         /* memory of the jobs in work */
	pthread_mutex_t lock; /* for everything below, except jobs in work */
	pthread_cond_t given, done;
	/* Jobs so far; those in [fetched, begun) are done or being done. */
	size_t submitted, begun, fetched;
	bool ending;
	struct slot slots[JOBS];
};

static struct slot *
slot(struct slv_crew *c, size_t k)
{
	return &c->slots[k % JOBS];
}

/* The memory for a job that is decoded ahead. */
static size_t
weight(const struct slot *s)
{
	return s->job.n < BYTES - s->most ? s->job.n + s->most : BYTES;
}

/* The bytes of the job; NULL: there is no memory, or *unread. */
static const uint8_t *
bytes_of(struct worker *w, const struct slv_job *j, bool *unread)
{
	*unread = false;
	if (j->read == NULL)
		return j->in;
	if (w->in.cap < j->n) {
		slv_buf_free(&w->in);
		w->in.at = slv_realloc(NULL, j->n);
		w->in.cap = w->in.at == NULL ? 0 : j->n;
	}
	if (w->in.at == NULL)
		return NULL;
	*unread = !j->read(j->fd, j->off, w->in.at, j->n);
	return *unread ? NULL : w->in.at;
}

static enum slv_status
decode(struct worker *w, struct slot *s, size_t most)
{
	struct slv_job *j = &s->job;
	const uint8_t *in = bytes_of(w, j, &s->unread);
	enum slv_status st;

	if (in == NULL && j->n > 0)
		return s->unread ? SLV_OK : SLV_E_NOMEM;
	st = slv_decode_into(&j->room, j->kind, in, j->n, j->expect, most,
	    j->cancel, &s->out, NULL);
	if (w->in.cap > BYTES_ONE)
		slv_buf_free(&w->in);
	if (st == SLV_OK && j->sum != NULL) {
		s->out.sum = j->sum(0, s->out.out.at, s->out.out.len);
		s->out.summed = true;
	}
	return st;
}

/* A worker thread. */
static void *
work(void *ctx)
{
	struct worker *w = ctx;
	struct slv_crew *c = w->crew;

	pthread_mutex_lock(&c->lock);
	while (!c->ending) {
		struct slot *s = slot(c, c->begun);

		if (c->begun == c->submitted) {
			pthread_cond_wait(&c->given, &c->lock);
			continue;
		}
		c->begun++;
		pthread_mutex_unlock(&c->lock);
		s->st = decode(w, s, s->most);
		pthread_mutex_lock(&c->lock);
		s->done = true;
		pthread_cond_signal(&c->done);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

enum slv_status
slv_crew_start(struct slv_crew **out, struct slv_err *err)
{
	unsigned want = slv_processors();
	struct slv_crew *c = slv_calloc(1, sizeof(*c));

	*out = c;
	if (c == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->given, NULL);
	pthread_cond_init(&c->done, NULL);
	/* Tests that count allocations need them in order. */
	if (want == 1 || slv_mem_hook != NULL)
		return SLV_OK;
	while (c->n_workers < want && c->n_workers < WORKERS) {
		struct worker *w = &c->workers[c->n_workers];

		w->crew = c;
		if (!slv_thread_start(&w->thread, work, w))
			break;
		c->n_workers++;
	}
	return SLV_OK;
}

size_t
slv_crew_waiting(const struct slv_crew *c)
{
	return c->submitted - c->fetched;
}

bool
slv_crew_full(const struct slv_crew *c)
{
	size_t n = slv_crew_waiting(c);

	return n > 0 && (n >= 2 * c->n_workers + 2 || c->bytes >= BYTES);
}

void
slv_crew_submit(struct slv_crew *c, struct slv_job job)
{
	struct slot *s = slot(c, c->submitted);
	size_t most = job.expect > BYTES_ONE ? job.expect : BYTES_ONE;

	most = most < BYTES ? most : BYTES;
	*s = (struct slot){
		.job = job,
		.most = most < job.max ? most : job.max,
	};
	c->bytes += weight(s);
	pthread_mutex_lock(&c->lock);
	c->submitted++;
	pthread_cond_signal(&c->given);
	pthread_mutex_unlock(&c->lock);
}

/* Forget the first job, on which no thread works. */
static void
forget(struct slv_crew *c)
{
	struct slot *s = slot(c, c->fetched++);

	c->bytes -= weight(s);
	slv_free(s->job.in);
	slv_buf_free(&s->job.room);
	slv_decode_free(&s->out);
	*s = (struct slot){ 0 };
}

/* Wait for the first job if a thread has begun it; otherwise the caller does
 * it. */
static bool
is_ours(struct slv_crew *c, const struct slot *s)
{
	bool ours;

	pthread_mutex_lock(&c->lock);
	ours = c->begun == c->fetched;
	if (ours)
		c->begun++;
	while (!ours && !s->done)
		pthread_cond_wait(&c->done, &c->lock);
	pthread_mutex_unlock(&c->lock);
	return ours;
}

enum slv_status
slv_crew_fetch(struct slv_crew *c, struct slv_decode *out, bool *unread,
    struct slv_err *err)
{
	struct slot *s = slot(c, c->fetched);
	enum slv_status st;

	*out = (struct slv_decode){ 0 };
	if (slv_crew_waiting(c) == 0)
		return slv_fail(err, SLV_E_BUG, "nothing is being decoded");
	if (is_ours(c, s))
		s->st = decode(&c->reader, s, s->job.max);
	/* When decoded ahead, it got less memory than it may have. */
	if (s->st == SLV_OK && s->out.limited && s->most < s->job.max) {
		slv_decode_free(&s->out);
		s->st = decode(&c->reader, s, s->job.max);
	}
	st = s->st;
	*unread = s->unread;
	*out = s->out;
	s->out = (struct slv_decode){ 0 };
	forget(c);
	return st == SLV_OK
	    ? SLV_OK
	    : slv_fail(err, st, "%s",
	        st == SLV_E_CANCELLED ? "stopped" : "out of memory");
}

void
slv_crew_clear(struct slv_crew *c)
{
	size_t begun;

	pthread_mutex_lock(&c->lock);
	begun = c->begun;
	c->begun = c->submitted;
	for (size_t k = c->fetched; k < begun; k++) {
		while (!slot(c, k)->done)
			pthread_cond_wait(&c->done, &c->lock);
	}
	pthread_mutex_unlock(&c->lock);
	while (slv_crew_waiting(c) > 0)
		forget(c);
}

void
slv_crew_free(struct slv_crew *c)
{
	if (c == NULL)
		return;
	slv_crew_clear(c);
	pthread_mutex_lock(&c->lock);
	c->ending = true;
	pthread_cond_broadcast(&c->given);
	pthread_mutex_unlock(&c->lock);
	while (c->n_workers > 0) {
		struct worker *w = &c->workers[--c->n_workers];

		pthread_join(w->thread, NULL);
		slv_buf_free(&w->in);
	}
	slv_buf_free(&c->reader.in);
	pthread_cond_destroy(&c->done);
	pthread_cond_destroy(&c->given);
	pthread_mutex_destroy(&c->lock);
	slv_free(c);
}
