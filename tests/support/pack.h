/* pack.h - streams to be decoded, by the compressors of others. */
#ifndef TESTS_SUPPORT_PACK_H
#define TESTS_SUPPORT_PACK_H

#include "support/blob.h"

/* An LZ4 frame; { 0 } is as robots write it, with blocks of 64 KiB. */
struct pack_lz4 {
	unsigned block;    /* 4 .. 7: 64 KiB .. 4 MiB; 0: 4 */
	bool linked;       /* blocks reach back into others */
	bool block_sums;   /* each has a checksum */
	bool content_size; /* the header says how much it is */
	bool no_sum;       /* no checksum over all */
	size_t flush;      /* a block ends after so many bytes; 0: when full */
	int level;         /* 0: fast; above 2: well */
};

/* A zstd frame; { 0 } is as most writers make them: level 3, with the content
 * size and no checksum. */
struct pack_zstd {
	int level;    /* 0: 3 */
	bool sum;     /* a checksum over all */
	bool no_size; /* as one that is made while the data come */
	size_t flush; /* a block ends after so many bytes; 0: when full */
	int window;   /* how much blocks reach back: 2^window; 0: enough */
};

/* Append n bytes, compressed.  A failure ends the program. */
void pack_lz4(struct blob *, const uint8_t *in, size_t n, struct pack_lz4);
void pack_bz2(struct blob *, const uint8_t *in, size_t n, int level);
void pack_zstd(struct blob *, const uint8_t *in, size_t n, struct pack_zstd);

/* Append n bytes that compress about as robots' logs do: noise between
 * repetitions. */
void pack_truth(struct blob *, size_t n, uint64_t seed);

#endif
