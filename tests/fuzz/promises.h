/* promises.h - what holds of every audit, whatever the bytes. */
#ifndef TESTS_FUZZ_PROMISES_H
#define TESTS_FUZZ_PROMISES_H

#include "fuzz/fuzz.h"
#include "job/audit/audit.h"
#include "job/readings/reading.h"
#include "support/blob.h"

/* Extents tile the input of `size` bytes, and the sums are theirs. */
void promise_books(const struct slv_catalog *, uint64_t size);

/* The state is what findings and books say. */
void promise_state(const struct slv_audit *, uint64_t size);

/* What the plan writes. */
void promise_plan(const struct slv_plan *, struct slv_buf *out);

/* A repair finds nothing to do in what a repair has written.
 *
 *   doubted  that was told to keep what looks whole but may be torn */
void promise_again(const struct slv_buf *written, bool doubted);

/* One harm to two copies, as the bytes at p say: which of them, what, where, how
 * much. */
void fuzz_harm(struct blob copies[2], const uint8_t p[4]);

#endif
