/* helper.c - a program of the user's that reads the log for us.
 *
 * What it serves is kept in blocks, the least recently used of which makes
 * room.  Reads that follow each other ask for more and more blocks at once,
 * because a request over a network costs more than the bytes.
 */
#include "batch/helper/helper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "batch/helper/started.h"
#include "batch/helper/talk.h"

#define NEAR    4  /* blocks that may be skipped by a reader that goes on */
#define STREAMS 4  /* that are told apart */
#define SECONDS 60 /* for a line, or 4 KiB, by default */

#define SIZE_MOST                                                              \
	((uint64_t)1 << 50) /* bytes of a log; no storage holds more in one */
#define EMPTY_MOST 65536    /* blocks in a row of which no byte comes: 4 GiB */

/* A block of the log. */
struct block {
	uint64_t number; /* its offset / SLV_HELPER_BLOCK */
	uint64_t used;   /* when it was used; 0: it holds nothing */
	size_t have;     /* bytes of it; those after them cannot be read */
	uint8_t *bytes;  /* owned; NULL: not yet */
};

/* Reads that follow each other; a job can go over a log in several places. */
struct stream {
	uint64_t next; /* the block after the last ones that were fetched */
	size_t ahead;  /* how many blocks were asked for */
};

struct slv_helper {
	struct slv_started started;
	struct slv_talk talk;
	struct slv_input input;
	struct block blocks[SLV_HELPER_CACHE];
	struct block *last; /* the one that was used last, or NULL */
	uint64_t clock;     /* uses so far */
	unsigned empty;     /* blocks in a row of which no byte came */
	struct stream streams[STREAMS]; /* the latest one first */
};

/* How many bytes a block has. */
static size_t
length_of(const struct slv_helper *h, uint64_t number)
{
	return (size_t)slv_min64(
	    h->input.size - number * SLV_HELPER_BLOCK, SLV_HELPER_BLOCK);
}

static struct block *
find(struct slv_helper *h, uint64_t number)
{
	if (h->last != NULL && h->last->number == number)
		return h->last;
	for (size_t i = 0; i < SLV_HELPER_CACHE; i++) {
		if (h->blocks[i].used > 0 && h->blocks[i].number == number)
			return &h->blocks[i];
	}
	return NULL;
}

/* A block to be filled; NULL: no memory. */
static struct block *
make_room(struct slv_helper *h, uint64_t number)
{
	struct block *b = &h->blocks[0];

	for (size_t i = 1; i < SLV_HELPER_CACHE; i++) {
		if (h->blocks[i].used < b->used)
			b = &h->blocks[i];
	}
	if (h->last == b)
		h->last = NULL;
	if (b->bytes == NULL)
		b->bytes = slv_realloc(NULL, SLV_HELPER_BLOCK);
	b->used = 0;
	b->number = number;
	b->have = 0;
	return b->bytes != NULL ? b : NULL;
}

/* Let a block have n more bytes of an answer. */
static int
take(struct slv_helper *h, struct block *b, size_t n)
{
	int bad = slv_talk_bytes(&h->talk, b->bytes + b->have, n);

	if (bad == 0)
		b->have += n;
	return bad;
}

/* Ask for what a block lacks, once more. */
static int
complete(struct slv_helper *h, struct block *b)
{
	size_t lack = length_of(h, b->number) - b->have;
	uint64_t n;
	int bad;

	if (lack == 0)
		return 0;
	bad = slv_talk_ask(
	    &h->talk, b->number * SLV_HELPER_BLOCK + b->have, lack);
	if (bad == 0)
		bad = slv_talk_number(&h->talk, lack, &n);
	return bad != 0 ? bad : take(h, b, (size_t)n);
}

/* The stream that a block is read by: the one that came close to it, or else a
 * new one. */
static struct stream *
stream_of(struct slv_helper *h, uint64_t number)
{
	struct stream s = { .ahead = 0 };
	size_t i = 0;

	while (i < STREAMS - 1
	    && (number < h->streams[i].next
	        || number - h->streams[i].next > NEAR))
		i++;
	if (number >= h->streams[i].next && number - h->streams[i].next <= NEAR)
		s = h->streams[i];
	memmove(&h->streams[1], &h->streams[0], i * sizeof(s));
	h->streams[0] = s;
	return &h->streams[0];
}

/* How many blocks to ask for, of which a reader wants so many now: up to one
 * that is here already. */
static size_t
run_of(struct slv_helper *h, uint64_t number, size_t wanted)
{
	uint64_t end = (h->input.size - 1) / SLV_HELPER_BLOCK + 1;
	struct stream *s = stream_of(h, number);
	size_t n = 1, most;

	s->ahead = s->ahead == 0 ? 1 : 2 * s->ahead;
	most = wanted > s->ahead ? wanted : s->ahead;
	if (most > SLV_HELPER_AHEAD)
		most = s->ahead = SLV_HELPER_AHEAD;
	while (n < most && number + n < end && find(h, number + n) == NULL)
		n++;
	s->next = number + n;
	return n;
}

/* Fetch a block and some that follow, of which so many are wanted now. */
static int
fetch(struct slv_helper *h, uint64_t number, size_t wanted)
{
	size_t run = run_of(h, number, wanted);
	uint64_t off = number * SLV_HELPER_BLOCK, n;
	uint64_t len = slv_min64(run * SLV_HELPER_BLOCK, h->input.size - off);
	int bad = slv_talk_ask(&h->talk, off, len);

	if (bad == 0)
		bad = slv_talk_number(&h->talk, len, &n);
	for (size_t i = 0; i < run && bad == 0; i++) {
		struct block *b = make_room(h, number + i);
		size_t some = length_of(h, number + i);

		/* The answer can no longer be read to its end. */
		if (b == NULL)
			return slv_talk_fail(&h->talk, ENOMEM,
			    "no memory for what the command sent");
		some = (size_t)slv_min64(some, n);
		bad = take(h, b, some);
		n -= some;
		if (bad == 0 && n == 0)
			bad = complete(h, b);
		if (bad != 0)
			return bad;
		b->used = ++h->clock;
		h->empty = b->have > 0 ? 0 : h->empty + 1;
		if (h->empty > EMPTY_MOST)
			return slv_talk_fail(&h->talk, EPROTO,
			    "it sent no byte of 4 GiB in a row; the log may be "
			    "shorter than the size that it states");
		if (n == 0)
			break;
	}
	return bad;
}

static int
read_at(void *ctx, uint64_t off, void *buf, size_t n)
{
	struct slv_helper *h = ctx;
	uint8_t *to = buf;

	while (n > 0) {
		uint64_t number = off / SLV_HELPER_BLOCK;
		size_t at = (size_t)(off % SLV_HELPER_BLOCK);
		size_t some = (size_t)slv_min64(n, SLV_HELPER_BLOCK - at);
		struct block *b = find(h, number);
		int bad = 0;

		if (b == NULL)
			bad = fetch(
			    h, number, (at + n - 1) / SLV_HELPER_BLOCK + 1);
		if (bad != 0)
			return bad;
		b = find(h, number);
		h->last = b;
		b->used = ++h->clock;
		if (!slv_range_in(at, some, b->have))
			return EIO;
		memcpy(to, b->bytes + at, some);
		off += some;
		to += some;
		n -= some;
	}
	return 0;
}

static void
ask_size(struct slv_helper *h, const char *file, struct slv_err *err)
{
	int bad = slv_talk_number(&h->talk, INT64_MAX, &h->input.size);

	if (bad == ECANCELED)
		slv_fail(err, SLV_E_CANCELLED, "stopped");
	else if (bad != 0)
		slv_fail(err, SLV_E_IO,
		    "%s: --read-helper: %s before it said a size", file,
		    h->talk.why);
	else if (h->input.size > SIZE_MOST)
		slv_fail(err, SLV_E_IO,
		    "%s: --read-helper: it states a size of %llu bytes; at "
		    "most "
		    "%llu (1 PiB) are possible",
		    file, (unsigned long long)h->input.size,
		    (unsigned long long)SIZE_MOST);
}

enum slv_status
slv_helper_start(const struct slv_helper_command *c, struct slv_helper **out,
    struct slv_err *err)
{
	struct slv_helper *h = slv_calloc(1, sizeof(*h));

	if (h == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	h->started = (struct slv_started)SLV_STARTED_NONE;
	h->talk.seconds = c->seconds > 0 ? c->seconds : SECONDS;
	h->talk.cancel = c->cancel;
	h->input = (struct slv_input){
		.size_of = sizeof(h->input), .read_at = read_at, .ctx = h
	};
	if (slv_started_open(&h->started, c->command, c->file, err) == SLV_OK) {
		h->talk.ask = h->started.ask;
		h->talk.answer = h->started.answer;
		ask_size(h, c->file, err);
	}
	if (err->code != SLV_OK) {
		slv_helper_close(h);
		return err->code;
	}
	*out = h;
	return SLV_OK;
}

const struct slv_input *
slv_helper_input(const struct slv_helper *h)
{
	return &h->input;
}

const char *
slv_helper_trouble(const struct slv_helper *h)
{
	return h->talk.bad != 0 && h->talk.bad != ECANCELED ? h->talk.why
	                                                    : NULL;
}

void
slv_helper_close(struct slv_helper *h)
{
	if (h == NULL)
		return;
	slv_started_close(&h->started);
	for (size_t i = 0; i < SLV_HELPER_CACHE; i++)
		slv_free(h->blocks[i].bytes);
	slv_free(h);
}
