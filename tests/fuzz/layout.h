/* layout.h - where the units of a log are, for a mutator that keeps their lengths
 * right.
 *
 * Written from the formats' pages: what a driver makes of a log is under test.
 */
#ifndef TESTS_FUZZ_LAYOUT_H
#define TESTS_FUZZ_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNITS_MAX 64

/* A unit: a head with the length of a body, the body. */
struct unit {
	size_t at, body, end;
	size_t len_at; /* where the length of the body is */
	size_t
	    outer; /* the chunk that it is in, which is not compressed; 0: none */
};

struct layout {
	struct unit at[UNITS_MAX];
	size_t n;
	/* How a length is put at len_at. */
	void (*put)(uint8_t *len_at, uint64_t len);
};

/* The units of a log of any format; n is 0 where none is known. */
void layout_find(struct layout *, const uint8_t *bytes, size_t n);

/* The chunk at `at` of an MCAP file is so many bytes longer: make its lengths
 * right. */
void layout_grow_chunk(uint8_t *bytes, size_t at, size_t more);

/* Make the checksums right of what is not compressed in an MCAP file. */
void layout_seal_chunks(uint8_t *bytes, size_t n);

#endif
