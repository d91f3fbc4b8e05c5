/* fuzz_data.c - the decoders that read every block against the generated one:
 * the same verdict, and the same values.
 */
#include "fuzz/fuzz.h"
#include "support/agree.h"

#define BEGINNINGS_MAX 64 /* bytes of a message all of whose are tried */

void
fuzz_data(const uint8_t *bytes, size_t n)
{
	enum bddf_read r, entry;

	FUZZ_CHECK(agree_data(bytes, n, &r) == NULL);
	FUZZ_CHECK(agree_entry(bytes, n, &entry) == NULL);
	if (n <= BEGINNINGS_MAX)
		FUZZ_CHECK(agree_beginnings(bytes, n, r) == NULL);
}
