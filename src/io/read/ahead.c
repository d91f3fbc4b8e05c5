/* ahead.c - read a file ahead of the thread that processes it.
 *
 * A thread that has to wait sleeps until some pieces are read or needed: waking another
 * processor costs as much as reading a part of a piece.
 */
#include "io/read/ahead.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/thread.h"
#include "io/read/source.h"

#define AHEAD 16 /* pieces that are read and not taken, at most */
#define FEW   (AHEAD / 2)
#define KEPT  (SLV_AHEAD_MAX / SLV_AHEAD_PIECE) /* that can be kept, at most */

struct slv_ahead {
	int fd;
	pthread_t thread;
	uint8_t *bytes; /* room, and places for pieces */

	pthread_mutex_t lock; /* for everything below, except the pieces */
	pthread_cond_t room, read;
	/* What is to be read, and into how many places: only a seek changes these. */
	uint64_t from, end, n_places;
	uint64_t keep;            /* bytes from here on are not read over */
	uint64_t n_read, n_taken; /* pieces so far */
	bool stopped;             /* the next piece cannot be read */
	bool busy;                /* one is being read */
	bool waiting;             /* the caller sleeps */
	bool ending;
};

/* Where piece k is in memory: right before the next one, but for the last place, and
 * where it is in a page of the file, as pages are copied fastest to pages. */
static uint8_t *
place(const struct slv_ahead *a, uint64_t k)
{
	return a->bytes + SLV_AHEAD_ROOM + k % a->n_places * SLV_AHEAD_PIECE
	    + (k == 0 ? a->from % SLV_MEM_PAGE : 0);
}

/* Where piece k begins in the file: all but the first one at a page. */
static uint64_t
begin_of(const struct slv_ahead *a, uint64_t k)
{
	return slv_min64(a->from + k * SLV_AHEAD_PIECE
	        - (k > 0 ? a->from % SLV_MEM_PAGE : 0),
	    slv_max64(a->end, a->from));
}

static size_t
length_of(const struct slv_ahead *a, uint64_t k)
{
	return (size_t)(begin_of(a, k + 1) - begin_of(a, k));
}

static uint64_t
n_ready(const struct slv_ahead *a)
{
	return a->n_read - a->n_taken;
}

/* Whether another piece is to be read, and may be now. */
static bool
can_read(const struct slv_ahead *a)
{
	uint64_t k = a->n_read;

	return !a->stopped && length_of(a, k) > 0 && n_ready(a) < AHEAD
	    && (k < a->n_places || begin_of(a, k - a->n_places + 1) <= a->keep);
}

/* Read the next piece, with the lock held before and after. */
static void
read_next(struct slv_ahead *a)
{
	uint64_t k = a->n_read, off = begin_of(a, k);
	size_t n = length_of(a, k);
	bool good;

	a->busy = true;
	pthread_mutex_unlock(&a->lock);
	good = slv_source_read_fd(a->fd, off, place(a, k), n);
	pthread_mutex_lock(&a->lock);
	a->busy = false;
	a->stopped |= !good;
	a->n_read += good;
}

/* Whether the caller need not sleep any longer. */
static bool
is_enough(const struct slv_ahead *a)
{
	return n_ready(a) >= FEW || (!a->busy && !can_read(a));
}

/* The thread. */
static void *
work(void *ctx)
{
	struct slv_ahead *a = ctx;

	pthread_mutex_lock(&a->lock);
	while (!a->ending) {
		if (can_read(a))
			read_next(a);
		if (a->waiting && is_enough(a))
			pthread_cond_signal(&a->read);
		if (!can_read(a) && !a->ending)
			pthread_cond_wait(&a->room, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

static void
dispose(struct slv_ahead *a)
{
	pthread_cond_destroy(&a->read);
	pthread_cond_destroy(&a->room);
	pthread_mutex_destroy(&a->lock);
	slv_free_pages(a->bytes);
	slv_free(a);
}

struct slv_ahead *
slv_ahead_start(int fd)
{
	struct slv_ahead *a;

	/* Tests that count allocations need them in order. */
	if (slv_processors() == 1 || slv_mem_hook != NULL
	    || (a = slv_calloc(1, sizeof(*a))) == NULL)
		return NULL;
	a->fd = fd;
	a->n_places = 1;
	a->bytes = slv_alloc_pages(
	    SLV_AHEAD_ROOM + (KEPT + 1 + AHEAD) * SLV_AHEAD_PIECE);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->room, NULL);
	pthread_cond_init(&a->read, NULL);
	if (a->bytes != NULL && slv_thread_start(&a->thread, work, a))
		return a;
	dispose(a);
	return NULL;
}

/* Sleep until that is true, with the lock held. */
static void
wait_until(struct slv_ahead *a, bool (*is_true)(const struct slv_ahead *))
{
	a->waiting = true;
	while (!is_true(a))
		pthread_cond_wait(&a->read, &a->lock);
	a->waiting = false;
}

static bool
is_idle(const struct slv_ahead *a)
{
	return !a->busy;
}

void
slv_ahead_seek(struct slv_ahead *a, uint64_t from, uint64_t end, size_t most)
{
	pthread_mutex_lock(&a->lock);
	a->stopped = true;
	wait_until(a, is_idle);
	a->from = a->keep = from;
	a->end = end;
	a->n_places = slv_min64(most / SLV_AHEAD_PIECE + 1, KEPT) + 1 + AHEAD;
	a->n_read = a->n_taken = 0;
	a->stopped = false;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
}

uint64_t
slv_ahead_at(const struct slv_ahead *a)
{
	return begin_of(a, a->n_taken);
}

uint8_t *
slv_ahead_take(struct slv_ahead *a, uint64_t keep, size_t *n)
{
	uint64_t k = a->n_taken;
	bool there;

	*n = length_of(a, k);
	pthread_mutex_lock(&a->lock);
	a->keep = keep;
	if (n_ready(a) <= FEW)
		pthread_cond_signal(&a->room);
	if (n_ready(a) == 0)
		wait_until(a, is_enough);
	there = n_ready(a) > 0;
	a->n_taken += there;
	pthread_mutex_unlock(&a->lock);
	return there ? place(a, k) : NULL;
}

void
slv_ahead_free(struct slv_ahead *a)
{
	if (a == NULL)
		return;
	pthread_mutex_lock(&a->lock);
	a->ending = a->stopped = true;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
	pthread_join(a->thread, NULL);
	dispose(a);
}
