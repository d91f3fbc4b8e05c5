/* digest.h - running digests that can be copied.
 *
 * A context is a plain value, whose one pointer is to a constant: copy it to
 * keep the digest as it stands at one place of a file and go on from there
 * later.
 *
 * Nobody chooses how a digest is computed: the fastest way that this CPU has
 * is taken, and all ways have the same digests.
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

/* The digest of all bytes so far, slv_digest_size() bytes at out.  The
 * context is not changed. */
void slv_digest_get(const struct slv_digest *, uint8_t *out);

/* Bytes of a digest: 20 or 32. */
size_t slv_digest_size(enum slv_digest_kind);

/* A way to compute a digest. */
struct slv_digest_way {
	enum slv_digest_kind kind;
	const char *name; /* for people */
	uint64_t needs;   /* what the CPU must have; see slv_sha_cpu() */
	const br_hash_class *how; /* NULL ends the table */
};

/* All ways of this build.  Of each kind the best stands first, and the last
 * is BearSSL's, which needs nothing. */
extern const struct slv_digest_way slv_digest_ways[];

/* The way on a CPU that has all of `has`. */
const struct slv_digest_way *slv_digest_choose(
    enum slv_digest_kind, uint64_t has);

/* The way on this CPU. */
const struct slv_digest_way *slv_digest_here(enum slv_digest_kind);

#endif
