/* digest.h - running digests that can be copied.
 *
 * A context is a plain value without pointers: copy it to keep the digest
 * as it stands at one place of a file and go on from there later.
 */
#ifndef SLV_DIGEST_DIGEST_H
#define SLV_DIGEST_DIGEST_H

#include <bearssl.h>

#include "base/status.h"

#define SLV_DIGEST_MAX  64 /* bytes of the longest digest */
#define SLV_SHA1_SIZE   20 /* bytes */
#define SLV_SHA256_SIZE 32

enum slv_digest_kind { SLV_SHA1, SLV_SHA256 };

struct slv_digest {
	enum slv_digest_kind kind;
	union {
		br_sha1_context sha1;
		br_sha256_context sha256;
	} u;
};

void slv_digest_init(struct slv_digest *, enum slv_digest_kind);
void slv_digest_add(struct slv_digest *, const void *bytes, size_t n);

/* The digest of all bytes so far, slv_digest_size() bytes at out.  The
 * context is not changed. */
void slv_digest_get(const struct slv_digest *, uint8_t *out);

/* Bytes of a digest: 20 or 32. */
size_t slv_digest_size(enum slv_digest_kind);

#endif
