/* seal.c - what the log's own digest says about it. */
#include "core/digest/seal.h"

#include <string.h>

enum slv_seal_match
slv_seal_compare(const struct slv_seal *seal, const uint8_t *computed)
{
	size_t size = slv_digest_size(seal->kind), run = 0;

	if (seal->have == 0)
		return SLV_SEAL_NONE;
	if (seal->have == size && memcmp(seal->stored, computed, size) == 0)
		return SLV_SEAL_EQUAL;
	for (size_t i = 0; i < seal->have; i++) {
		run = seal->stored[i] == computed[i] ? run + 1 : 0;
		if (run == SLV_SEAL_RUN)
			return SLV_SEAL_FIELD;
	}
	/* A short rest that agrees proves nothing either way. */
	return run == seal->have ? SLV_SEAL_NONE : SLV_SEAL_OTHER;
}
