/* fuzz_data.c - the decoder that reads every block against the generated one:
 * the same verdict, and the same values.
 */
#include <stdlib.h>
#include <string.h>

#include "formats/bddf/bddf_data.h"
#include "fuzz/fuzz.h"
#include "support/judge.h"
#include "support/blob.h"

#define BEGINNINGS_MAX 64 /* bytes of a message all of whose are tried */

static void
check_values(const struct judged *want, const struct bddf_data *got,
    const struct bddf_pool *pool)
{
	const bosdyn_api_Timestamp *t = &want->message.timestamp;

	FUZZ_CHECK(got->series == want->message.series_index);
	FUZZ_CHECK(got->has_time == want->message.has_timestamp);
	FUZZ_CHECK(got->sec == (got->has_time ? t->seconds : 0));
	/* The generated decoder cuts a number of more than 32 bits. */
	if (bddf_data_time_ok(got))
		FUZZ_CHECK(got->nanos == (got->has_time ? t->nanos : 0));
	FUZZ_CHECK(got->n_extra == want->n_extras);
	FUZZ_CHECK(pool->n == want->n_extras);
	for (uint32_t i = 0; i < want->n_extras && i < JUDGE_EXTRAS; i++)
		FUZZ_CHECK(bddf_pool_at(pool, i) == want->extras[i]);
}

/* Beginnings of a whole message are cut.  Those of a broken one are cut up
 * to where it is seen that it is broken. */
static void
check_beginnings(const uint8_t *bytes, size_t n, enum bddf_read whole)
{
	enum bddf_read last = BDDF_CUT;

	for (size_t have = 0; have < n; have++) {
		uint8_t *part = must_alloc(have);
		struct bddf_data d;
		enum bddf_read r;

		memcpy(part, bytes, have);
		r = bddf_data_get(part, have, n, &d, NULL);
		FUZZ_CHECK(r == BDDF_CUT
		    || (r == BDDF_BROKEN && whole == BDDF_BROKEN));
		FUZZ_CHECK(last == BDDF_CUT || r == BDDF_BROKEN);
		last = r;
		free(part);
	}
}

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
		check_values(&want, &got, &pool);
	if (n <= BEGINNINGS_MAX)
		check_beginnings(bytes, n, r);
	bddf_pool_free(&pool);
}
