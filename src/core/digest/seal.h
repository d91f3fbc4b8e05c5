/* seal.h - what the log's own digest says about it.
 *
 * A seal is a digest of every byte before it that the writer left in the log.
 * It distinguishes "some byte is wrong" from "the digest field is wrong": two
 * digests of different bytes agree in 8 consecutive bytes once in 2^60.
 */
#ifndef SLV_CORE_SEAL_H
#define SLV_CORE_SEAL_H

#include "digest/digest.h"

#define SLV_SEAL_RUN 8 /* equal bytes in a row that cannot be chance */

enum slv_seal_match {
	SLV_SEAL_NONE,  /* nothing to compare with */
	SLV_SEAL_OTHER, /* other bytes were digested */
	SLV_SEAL_FIELD, /* the field is damaged, the bytes are right */
	SLV_SEAL_EQUAL,
};

struct slv_seal {
	uint64_t off; /* of the digest field, in the input */
	size_t have;  /* leading bytes of the field that survive; 0 = none */
	bool framed;  /* the bytes around it in the footer are right, so these
		       * bytes are what was written there */
	enum slv_digest_kind kind;
	uint8_t stored[SLV_DIGEST_MAX];

	/* The digest of [0, off) of the input, if it is available. */
	bool known;
	uint8_t computed[SLV_DIGEST_MAX];

	/* Compare the stored digest with the computed one. */
	enum slv_seal_match as_is;
};

/* Compare the stored digest with a computed one. */
enum slv_seal_match slv_seal_compare(
    const struct slv_seal *, const uint8_t *computed);

#endif
