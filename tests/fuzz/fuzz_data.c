/* fuzz_data.c - the decoder that reads every block against the generated one:
 * the same verdict, and the same values.
 */
#include "fuzz/fuzz.h"
#include "support/judge.h"

#define BEGINNINGS_MAX 64 /* bytes of a message all of whose are tried */

void
fuzz_data(const uint8_t *bytes, size_t n)
{
	struct bddf_pool pool = { 0 };
	struct bddf_data got;
	struct judged want;
	enum bddf_read r = bddf_data_get(bytes, n, n, &got, &pool);

	judge_data(&want, bytes, n);
	FUZZ_CHECK(r == (want.good ? BDDF_WHOLE : BDDF_BROKEN));
	if (want.good)
		FUZZ_CHECK(judge_values(&want, &got, &pool)[0] == '\0');
	if (n <= BEGINNINGS_MAX)
		FUZZ_CHECK(judge_beginnings(bytes, n, r));
	bddf_pool_free(&pool);
}
