/* ring.c - hand the bytes of a stream to other threads, in order.
 *
 * A thread that has to wait sleeps until half of the ring is done: waking
 * another processor costs more than a piece takes.
 */
#include "io/ring.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/thread.h"

#define PIECES 64
#define HALF   (PIECES / 2)

/* A thread that processes the pieces. */
struct worker {
	struct slv_ring *ring;
	pthread_t thread;
	pthread_cond_t given;
	struct slv_ring_work work;
	uint64_t n_done;    /* pieces so far */
	uint64_t work_from; /* it sleeps until n_given is this; 0: it is
			     * awake */
};

struct slv_ring {
	pthread_mutex_t lock; /* for everything below, except the bytes */
	pthread_cond_t done;
	uint64_t n_given;   /* pieces so far */
	uint64_t rest_from; /* the giver sleeps until all have done that many */
	size_t len[PIECES];
	bool ending;
	struct worker workers[SLV_RING_WORKS];
	size_t n_workers; /* that were started */
	uint8_t *bytes;   /* PIECES of them */
};

static uint8_t *
piece(struct slv_ring *r, uint64_t k)
{
	return r->bytes + k % PIECES * SLV_RING_PIECE;
}

/* Pieces that all threads have done. */
static uint64_t
n_done(const struct slv_ring *r)
{
	uint64_t n = r->n_given;

	for (size_t i = 0; i < r->n_workers; i++)
		n = slv_min64(n, r->workers[i].n_done);
	return n;
}

/* Process the next piece, with the ring locked before and after. */
static void
work_off(struct worker *w)
{
	struct slv_ring *r = w->ring;
	uint64_t k = w->n_done;

	pthread_mutex_unlock(&r->lock);
	w->work.fn(w->work.ctx, piece(r, k), r->len[k % PIECES]);
	pthread_mutex_lock(&r->lock);
	w->n_done++;
	if (w->n_done == r->rest_from && n_done(r) == r->rest_from)
		pthread_cond_signal(&r->done);
}

/* A worker thread. */
static void *
work(void *ctx)
{
	struct worker *w = ctx;
	struct slv_ring *r = w->ring;

	pthread_mutex_lock(&r->lock);
	while (!r->ending || r->n_given > w->n_done) {
		if (r->n_given > w->n_done) {
			work_off(w);
			continue;
		}
		w->work_from = r->n_given + HALF;
		while (r->n_given < w->work_from && !r->ending)
			pthread_cond_wait(&w->given, &r->lock);
		w->work_from = 0;
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static bool
start_worker(struct slv_ring *r, const struct slv_ring_work *how)
{
	struct worker *w = &r->workers[r->n_workers];

	w->ring = r;
	w->work = *how;
	pthread_cond_init(&w->given, NULL);
	if (slv_thread_start(&w->thread, work, w)) {
		r->n_workers++;
		return true;
	}
	pthread_cond_destroy(&w->given);
	return false;
}

struct slv_ring *
slv_ring_start(const struct slv_ring_work *works, size_t n)
{
	struct slv_ring *r;
	bool all;

	if (slv_processors() == 1 || (r = slv_calloc(1, sizeof(*r))) == NULL)
		return NULL;
	r->bytes = slv_alloc_pages(PIECES * SLV_RING_PIECE);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->done, NULL);
	all = r->bytes != NULL;
	for (size_t i = 0; all && i < n; i++)
		all = start_worker(r, &works[i]);
	if (all)
		return r;
	slv_ring_free(r);
	return NULL;
}

/* Sleep until n pieces are done, with the ring locked. */
static void
sleep_until(struct slv_ring *r, uint64_t n)
{
	r->rest_from = n;
	while (n_done(r) < n)
		pthread_cond_wait(&r->done, &r->lock);
	r->rest_from = 0;
}

uint8_t *
slv_ring_room(struct slv_ring *r)
{
	uint64_t done;

	pthread_mutex_lock(&r->lock);
	done = n_done(r);
	if (r->n_given - done == PIECES)
		sleep_until(r, done + HALF);
	pthread_mutex_unlock(&r->lock);
	return piece(r, r->n_given);
}

void
slv_ring_give(struct slv_ring *r, size_t n)
{
	if (n == 0)
		return;
	pthread_mutex_lock(&r->lock);
	r->len[r->n_given % PIECES] = n;
	r->n_given++;
	for (size_t i = 0; i < r->n_workers; i++) {
		if (r->n_given == r->workers[i].work_from)
			pthread_cond_signal(&r->workers[i].given);
	}
	pthread_mutex_unlock(&r->lock);
}

/* Wake the other threads, however little there is to do. */
static void
wake(struct slv_ring *r)
{
	for (size_t i = 0; i < r->n_workers; i++) {
		r->workers[i].work_from = 0;
		pthread_cond_signal(&r->workers[i].given);
	}
}

void
slv_ring_drain(struct slv_ring *r)
{
	pthread_mutex_lock(&r->lock);
	wake(r);
	sleep_until(r, r->n_given);
	pthread_mutex_unlock(&r->lock);
}

void
slv_ring_free(struct slv_ring *r)
{
	if (r == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	r->ending = true;
	wake(r);
	pthread_mutex_unlock(&r->lock);
	for (size_t i = 0; i < r->n_workers; i++) {
		pthread_join(r->workers[i].thread, NULL);
		pthread_cond_destroy(&r->workers[i].given);
	}
	pthread_cond_destroy(&r->done);
	pthread_mutex_destroy(&r->lock);
	slv_free_pages(r->bytes);
	slv_free(r);
}
