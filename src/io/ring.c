/* ring.c - hand the bytes of a stream to another thread, in order. */
#include "io/ring.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"

#define PIECES 4 /* one being filled, one being worked off, two between */

struct slv_ring {
	pthread_t thread;
	pthread_mutex_t lock; /* of all below but the bytes */
	pthread_cond_t given, done;
	slv_ring_fn fn;
	void *ctx;
	uint64_t n_given, n_done; /* pieces so far */
	size_t len[PIECES];
	bool ending;
	uint8_t *bytes; /* PIECES of them */
};

static uint8_t *
piece(struct slv_ring *r, uint64_t k)
{
	return r->bytes + k % PIECES * SLV_RING_PIECE;
}

/* The other thread. */
static void *
work(void *ctx)
{
	struct slv_ring *r = ctx;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		uint64_t k = r->n_done;

		if (r->n_given > k) {
			pthread_mutex_unlock(&r->lock);
			r->fn(r->ctx, piece(r, k), r->len[k % PIECES]);
			pthread_mutex_lock(&r->lock);
			r->n_done++;
			pthread_cond_signal(&r->done);
		} else if (r->ending) {
			break;
		} else {
			pthread_cond_wait(&r->given, &r->lock);
		}
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
	r->bytes = slv_realloc(NULL, PIECES * SLV_RING_PIECE);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->given, NULL);
	pthread_cond_init(&r->done, NULL);
	if (r->bytes != NULL && slv_thread_start(&r->thread, work, r))
		return r;
	release(r);
	return NULL;
}

/* Wait until at most `left` pieces are under way. */
static void
wait_for(struct slv_ring *r, uint64_t left)
{
	pthread_mutex_lock(&r->lock);
	while (r->n_given - r->n_done > left)
		pthread_cond_wait(&r->done, &r->lock);
	pthread_mutex_unlock(&r->lock);
}

uint8_t *
slv_ring_room(struct slv_ring *r)
{
	wait_for(r, PIECES - 1);
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
	pthread_cond_signal(&r->given);
	pthread_mutex_unlock(&r->lock);
}

void
slv_ring_drain(struct slv_ring *r)
{
	wait_for(r, 0);
}

void
slv_ring_free(struct slv_ring *r)
{
	if (r == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	r->ending = true;
	pthread_cond_signal(&r->given);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	release(r);
}
