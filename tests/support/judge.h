/* judge.h - a DataDescriptor as nanopb's generated decoder reads it. */
#ifndef TESTS_SUPPORT_JUDGE_H
#define TESTS_SUPPORT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/bddf/bddf_data.h"
#include "proto/bddf.pb.h"

#define JUDGE_EXTRAS 64 /* additional indexes that are kept */

struct judged {
	bool good;
	bosdyn_api_DataDescriptor message;
	int64_t extras[JUDGE_EXTRAS];
	uint32_t n_extras; /* kept or not */
};

/* Decode all n bytes.  What nanopb lets pass and other decoders refuse is
 * not good. */
void judge_data(struct judged *, const uint8_t *bytes, size_t n);

/* Which value the decoder that reads every block has otherwise; "": none. */
const char *judge_values(
    const struct judged *, const struct bddf_data *, const struct bddf_pool *);

/* Whether that decoder reads all beginnings of a message as it must.  Those
 * of a whole one are cut.  Those of a broken one are cut up to where it is
 * seen that it is broken. */
bool judge_beginnings(const uint8_t *bytes, size_t n, enum bddf_read whole);

#endif
