/* ahead.c - read a file ahead of the thread that processes it.
 *
 * Copying bytes may take the thread longer than processing them takes its caller.  A caller
 * that needs a piece which is not there reads the next one that the thread does not: so both copy,
 * and neither waits.
 *
 * A thread that has to wait sleeps until some pieces are needed: waking another processor
 * costs as much as reading a part of a piece.
 */
#include "io/read/ahead.h"

#include "base/bytes.h"
#include "base/mem.h"
#include "base/thread.h"
#include "io/read/source.h"

#define AHEAD 16 /* pieces that are read and not taken, at most */
#define FEW   (AHEAD / 2)
#define KEPT  (SLV_AHEAD_MAX / SLV_AHEAD_PIECE) /* that can be kept, at most */
#define MOST  (KEPT + 1 + AHEAD)                /* places */

struct slv_ahead {
	int fd;
	pthread_t thread;
	uint8_t *bytes; /* room, and places for pieces */

	pthread_mutex_t lock; /* for everything below, except the pieces */
	pthread_cond_t room, read;
	/* What is to be read, and into how many places: only a seek changes these. */
	uint64_t from, end, n_places;
	uint64_t keep;             /* bytes from here on are not read over */
	uint64_t n_begun, n_taken; /* pieces so far */
	bool there[MOST];          /* the piece in this place is read */
	unsigned busy;             /* pieces that are being read */
	bool stopped;              /* the next piece cannot be read */
	bool waiting;              /* the caller sleeps */
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

static bool *
is_there(struct slv_ahead *a, uint64_t k)
{
	return &a->there[k % a->n_places];
}

/* Pieces that are read or being read, and not taken. */
static uint64_t
n_ready(const struct slv_ahead *a)
{
	return a->n_begun - a->n_taken;
}

/* Whether another piece is to be read, and may be now. */
static bool
can_read(const struct slv_ahead *a)
{
	uint64_t k = a->n_begun;

	return !a->stopped && length_of(a, k) > 0 && n_ready(a) < AHEAD
	    && (k < a->n_places || begin_of(a, k - a->n_places + 1) <= a->keep);
}

/* Read the next piece, with the lock held before and after. */
static void
read_next(struct slv_ahead *a)
{
	uint64_t k = a->n_begun++, off = begin_of(a, k);
	bool good;

	*is_there(a, k) = false;
	a->busy++;
	pthread_mutex_unlock(&a->lock);
	good = slv_source_read_fd(a->fd, off, place(a, k), length_of(a, k));
	pthread_mutex_lock(&a->lock);
	a->busy--;
	a->stopped |= !good;
	*is_there(a, k) = good;
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
		if (a->waiting)
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
	a->bytes = slv_alloc_pages(SLV_AHEAD_ROOM + MOST * SLV_AHEAD_PIECE);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->room, NULL);
	pthread_cond_init(&a->read, NULL);
	if (a->bytes != NULL && slv_thread_start(&a->thread, work, a))
		return a;
	dispose(a);
	return NULL;
}

/* Sleep until the thread has read what it reads, with the lock held. */
static void
wait_a_piece(struct slv_ahead *a)
{
	a->waiting = true;
	pthread_cond_wait(&a->read, &a->lock);
	a->waiting = false;
}

void
slv_ahead_seek(struct slv_ahead *a, uint64_t from, uint64_t end, size_t most)
{
	pthread_mutex_lock(&a->lock);
	a->stopped = true;
	while (a->busy > 0)
		wait_a_piece(a);
	a->from = a->keep = from;
	a->end = end;
	a->n_places = slv_min64(most / SLV_AHEAD_PIECE + 1, KEPT) + 1 + AHEAD;
	a->n_begun = a->n_taken = 0;
	a->stopped = false;
	pthread_cond_signal(&a->room);
	pthread_mutex_unlock(&a->lock);
}

uint64_t
slv_ahead_at(const struct slv_ahead *a)
{
	return begin_of(a, a->n_taken);
}

/* Wait for piece k, the first that is not taken, with the lock held; false: it cannot be
 * read now. */
static bool
get_there(struct slv_ahead *a, uint64_t k)
{
	while (k == a->n_begun || !*is_there(a, k)) {
		if (can_read(a))
			read_next(a);
		else if (a->busy > 0)
			wait_a_piece(a);
		else
			return false;
	}
	return true;
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
	there = get_there(a, k);
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
