/* digest.h - running digests that can be copied.
 *
 * A context is a plain value with one pointer, to a constant.  Copy it to keep
 * the digest at one place of a file, and continue from there later.
 *
 * The implementation is not configurable: the fastest one for this CPU is used,
 * and all of them give the same digests.
 */
#ifndef SLV_DIGEST_DIGEST_H
#define SLV_DIGEST_DIGEST_H

#include <bearssl.h>

#include "base/status.h"
#include "digest/sha.h"

#define SLV_DIGEST_MAX  64 /* bytes of the longest digest */
#define SLV_SHA1_SIZE   20 /* bytes */
#define SLV_SHA256_SIZE 32

enum slv_digest_kind { SLV_SHA1, SLV_SHA256 };

struct slv_digest {
	enum slv_digest_kind kind;
	union {
		const br_hash_class *how; /* the first member of each */
		br_sha1_context sha1;
		br_sha256_context sha256;
		struct slv_sha sha;
	} u;
};

void slv_digest_init(struct slv_digest *, enum slv_digest_kind);
void slv_digest_add(struct slv_digest *, const void *bytes, size_t n);

/* The digest of all bytes so far, slv_digest_size() bytes at out.  The context
 * is unchanged. */
void slv_digest_get(const struct slv_digest *, uint8_t *out);

/* Bytes of a digest: 20 or 32. */
size_t slv_digest_size(enum slv_digest_kind);

/* An implementation of a digest. */
struct slv_digest_way {
	enum slv_digest_kind kind;
	const char *name; /* for people */
	uint64_t needs;   /* required features of the CPU; see slv_sha_cpu() */
	const br_hash_class *how; /* NULL ends the table */
};

/* All implementations in this build.  For each kind the best is first;
 * BearSSL's, which needs nothing, is last. */
extern const struct slv_digest_way slv_digest_ways[];

/* The implementation for a CPU with all of `has`. */
const struct slv_digest_way *slv_digest_choose(
    enum slv_digest_kind, uint64_t has);

/* The implementation for this CPU. */
const struct slv_digest_way *slv_digest_here(enum slv_digest_kind);

#endif
