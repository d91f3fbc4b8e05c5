/* test_ring.c - bytes handed to another thread come there, all and in order. */
#include <string.h>

#include "io/ring.h"
#include "support/check.h"
#include "unit/suites.h"

#define PIECES 2000

/* What the other thread has met. */
struct met {
	uint64_t pieces, bytes;
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
}

static void
comes_in_order(void)
{
	struct met m = { .right = true };
	struct slv_ring *r = slv_ring_start(meet, &m);
	uint64_t bytes = 0;

	/* One processor: there is none to be had. */
	for (uint64_t k = 0; r != NULL && k < PIECES; k++) {
		uint8_t *room = slv_ring_room(r);
		size_t n = length(k);

		memset(room, (uint8_t)k, n);
		slv_ring_give(r, n);
		slv_ring_give(r, 0);
		bytes += n;
		if (k % 100 == 99) {
			slv_ring_drain(r);
			CHECK(m.pieces == k + 1 && m.bytes == bytes);
		}
	}
	slv_ring_free(r);
	CHECK(m.right);
	CHECK_U64(m.bytes, bytes);
}

static void
is_freed_at_once(void)
{
	struct met m = { .right = true };
	struct slv_ring *r = slv_ring_start(meet, &m);

	if (r != NULL) {
		memset(slv_ring_room(r), 0, length(0));
		slv_ring_give(r, length(0));
	}
	slv_ring_free(r);
	slv_ring_free(NULL);
	CHECK(m.right && m.pieces == (r != NULL));
}

CU_TestInfo ring_tests[] = {
	{ "comes in order", comes_in_order },
	{ "is freed at once", is_freed_at_once },
	CU_TEST_INFO_NULL,
};
