/* test_ring.c - bytes handed to other threads come there, all and in order. */
#include <string.h>
#include <unistd.h>

#include "io/ring.h"
#include "support/check.h"
#include "unit/suites.h"

#define PIECES 2000

/* What another thread has met. */
struct met {
	uint64_t pieces, bytes;
	uint64_t naps; /* it sleeps for every so many pieces; 0: never */
	bool right;
};

/* How long piece k is, and what is in it. */
static size_t
length(uint64_t k)
{
	return k % 7 == 0 ? SLV_RING_PIECE : (size_t)(k * 37 % 1000) + 1;
}

static void
meet(void *ctx, const uint8_t *bytes, size_t n)
{
	struct met *m = ctx;
	uint8_t want = (uint8_t)m->pieces;

	m->right &=
	    n == length(m->pieces) && bytes[0] == want && bytes[n - 1] == want;
	m->pieces++;
	m->bytes += n;
	if (m->naps > 0 && m->pieces % m->naps == 0)
		usleep(200);
}

/* A ring before all of these. */
static struct slv_ring *
start(struct met *m, size_t n)
{
	struct slv_ring_work work[SLV_RING_WORKS];

	for (size_t i = 0; i < n; i++)
		work[i] = (struct slv_ring_work){ meet, &m[i] };
	return slv_ring_start(work, n);
}

/* Whoever is the slower one. */
static void
give_all(uint64_t first_naps, uint64_t second_naps, size_t n)
{
	struct met m[SLV_RING_WORKS] = {
		{ .right = true, .naps = first_naps },
		{ .right = true, .naps = second_naps },
	};
	struct slv_ring *r = start(m, n);
	uint64_t bytes = 0;

	/* One processor: there is none to be had. */
	for (uint64_t k = 0; r != NULL && k < PIECES; k++) {
		uint8_t *room = slv_ring_room(r);
		size_t len = length(k);

		memset(room, (uint8_t)k, len);
		slv_ring_give(r, len);
		slv_ring_give(r, 0);
		bytes += len;
		if (k % 100 == 99) {
			slv_ring_drain(r);
			for (size_t i = 0; i < n; i++)
				CHECK(m[i].pieces == k + 1
				    && m[i].bytes == bytes);
		}
	}
	slv_ring_free(r);
	for (size_t i = 0; i < n; i++) {
		CHECK(m[i].right);
		CHECK_U64(m[i].bytes, bytes);
	}
}

static void
comes_in_order(void)
{
	give_all(0, 0, 1);
	give_all(9, 0, 1);
}

static void
comes_to_both(void)
{
	give_all(0, 0, 2);
	give_all(9, 0, 2);
	give_all(0, 9, 2);
	give_all(7, 9, 2);
}

static void
is_freed_at_once(void)
{
	struct met m[] = { { .right = true }, { .right = true } };
	struct slv_ring *r = start(m, 2);

	if (r != NULL) {
		memset(slv_ring_room(r), 0, length(0));
		slv_ring_give(r, length(0));
	}
	slv_ring_free(r);
	slv_ring_free(NULL);
	for (size_t i = 0; i < 2; i++)
		CHECK(m[i].right && m[i].pieces == (r != NULL));
}

CU_TestInfo ring_tests[] = {
	{ "comes in order", comes_in_order },
	{ "comes to both", comes_to_both },
	{ "is freed at once", is_freed_at_once },
	CU_TEST_INFO_NULL,
};
