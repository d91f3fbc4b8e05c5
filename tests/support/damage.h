/* damage.h - ways to ruin a file.
 *
 * Each makes *out a damaged copy of the n bytes at `in`.  What looks random
 * follows from the seed alone.
 */
#ifndef TESTS_SUPPORT_DAMAGE_H
#define TESTS_SUPPORT_DAMAGE_H

#include "support/blob.h"

enum damage_window { WINDOW_ZERO, WINDOW_FF, WINDOW_RANDOM, WINDOW_KINDS };

/* The first keep bytes. */
void damage_cut(struct blob *out, const uint8_t *in, size_t n, size_t keep);

/* Bit i of the file turned over, counting from the lowest of byte 0. */
void damage_flip(struct blob *out, const uint8_t *in, size_t n, size_t i);

/* [off, off + len) overwritten, as far as the file goes. */
void damage_overwrite(struct blob *out, const uint8_t *in, size_t n, size_t off,
    size_t len, enum damage_window, uint64_t seed);

/* len random bytes put in before off. */
void damage_insert(struct blob *out, const uint8_t *in, size_t n, size_t off,
    size_t len, uint64_t seed);

/* [off, off + len) taken out, as far as the file goes. */
void damage_remove(
    struct blob *out, const uint8_t *in, size_t n, size_t off, size_t len);

/* [off, off + len) twice, as far as the file goes. */
void damage_repeat(
    struct blob *out, const uint8_t *in, size_t n, size_t off, size_t len);

/* `in`, and after it m other bytes. */
void damage_join(struct blob *out, const uint8_t *in, size_t n,
    const uint8_t *other, size_t m);

/* The first keep bytes, then len that are zero or random. */
void damage_tail(struct blob *out, const uint8_t *in, size_t n, size_t keep,
    size_t len, bool zeros, uint64_t seed);

#endif
