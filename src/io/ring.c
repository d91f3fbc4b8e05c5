/* ring.c - hand the bytes of a stream to another thread, in order.
 *
 * A thread that has to wait sleeps until half of the ring has changed hands:
 * waking another processor costs more than a piece does.
 */
#include "io/ring.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"

#define PIECES 64
#define HALF   (PIECES / 2)

struct slv_ring {
	pthread_t thread;
	pthread_mutex_t lock; /* of all below but the bytes */
	pthread_cond_t given, done;
	slv_ring_fn fn;
	void *ctx;
	uint64_t n_given, n_done; /* pieces so far */
	uint64_t work_from;       /* the other thread sleeps until n_given is
	                           * that many; 0: it is awake */
	uint64_t rest_from;       /* and this one until n_done is */
	size_t len[PIECES];
	bool ending;
	uint8_t *bytes; /* PIECES of them */
};

static uint8_t *
piece(struct slv_ring *r, uint64_t k)
{
	return r->bytes + k % PIECES * SLV_RING_PIECE;
}

/* Work off the next piece, with the ring locked before and after. */
static void
work_off(struct slv_ring *r)
{
	uint64_t k = r->n_done;

	pthread_mutex_unlock(&r->lock);
	r->fn(r->ctx, piece(r, k), r->len[k % PIECES]);
	pthread_mutex_lock(&r->lock);
	r->n_done++;
	if (r->n_done == r->rest_from)
		pthread_cond_signal(&r->done);
}

/* The other thread. */
static void *
work(void *ctx)
{
	struct slv_ring *r = ctx;

	pthread_mutex_lock(&r->lock);
	while (!r->ending || r->n_given > r->n_done) {
		if (r->n_given > r->n_done) {
			work_off(r);
			continue;
		}
		r->work_from = r->n_given + HALF;
		while (r->n_given < r->work_from && !r->ending)
			pthread_cond_wait(&r->given, &r->lock);
		r->work_from = 0;
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void
release(struct slv_ring *r)
{
	pthread_cond_destroy(&r->done);
	pthread_cond_destroy(&r->given);
	pthread_mutex_destroy(&r->lock);
	free(r->bytes);
	free(r);
}

struct slv_ring *
slv_ring_start(slv_ring_fn fn, void *ctx)
{
	struct slv_ring *r;

	if (slv_processors() == 1 || (r = slv_calloc(1, sizeof(*r))) == NULL)
		return NULL;
	r->fn = fn;
	r->ctx = ctx;
	r->bytes = slv_alloc_pages(PIECES * SLV_RING_PIECE);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->given, NULL);
	pthread_cond_init(&r->done, NULL);
	if (r->bytes != NULL && slv_thread_start(&r->thread, work, r))
		return r;
	release(r);
	return NULL;
}

/* Sleep until the other thread has done n pieces, with the ring locked. */
static void
sleep_until(struct slv_ring *r, uint64_t n)
{
	r->rest_from = n;
	while (r->n_done < n)
		pthread_cond_wait(&r->done, &r->lock);
	r->rest_from = 0;
}

uint8_t *
slv_ring_room(struct slv_ring *r)
{
	pthread_mutex_lock(&r->lock);
	if (r->n_given - r->n_done == PIECES)
		sleep_until(r, r->n_done + HALF);
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
	if (r->n_given == r->work_from)
		pthread_cond_signal(&r->given);
	pthread_mutex_unlock(&r->lock);
}

/* Wake the other thread, however little there is to do. */
static void
wake(struct slv_ring *r)
{
	r->work_from = 0;
	pthread_cond_signal(&r->given);
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
	pthread_join(r->thread, NULL);
	release(r);
}
