/* blob.h - bytes and chance for tests.
 *
 * Not slv_buf: what makes the inputs must not depend on what is tested.  Out
 * of memory ends the test program.
 */
#ifndef TESTS_SUPPORT_BLOB_H
#define TESTS_SUPPORT_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* { 0 } is a valid empty one. */
struct blob {
	uint8_t *at; /* owned */
	size_t n, cap;
};

void blob_add(struct blob *, const void *bytes, size_t n);
void blob_byte(struct blob *, uint8_t byte);
void blob_fill(struct blob *, uint8_t byte, size_t n);

/* Make it a copy of these bytes. */
void blob_set(struct blob *, const void *bytes, size_t n);

/* All of a file; false where it cannot be read. */
bool blob_read(struct blob *, const char *path);

void blob_free(struct blob *);

/* n bytes of memory, or the end of the program. */
void *must_alloc(size_t n);

/* Numbers that look random and are the same in every run. */
struct dice {
	uint64_t state;
};

uint64_t dice_roll(struct dice *);

/* 0 .. below - 1; below > 0 */
uint64_t dice_below(struct dice *, uint64_t below);

#endif
