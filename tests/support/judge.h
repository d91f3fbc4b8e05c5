/* judge.h - a DataDescriptor and a BlockEntry as nanopb's generated coder has
 * them. */
#ifndef TESTS_SUPPORT_JUDGE_H
#define TESTS_SUPPORT_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/bddf.pb.h"

#define JUDGE_EXTRAS 64 /* additional indexes that are kept */

struct judged {
	bool good;
	bosdyn_api_DataDescriptor message;
	bosdyn_api_BlockEntry entry; /* the one or the other */
	uint64_t nanos; /* as they stand there; the message has 32 bits */
	int64_t extras[JUDGE_EXTRAS];
	uint32_t n_extras; /* kept or not */
};

/* Decode all n bytes.  What nanopb lets pass and other decoders refuse is
 * not good. */
void judge_data(struct judged *, const uint8_t *bytes, size_t n);
void judge_entry(struct judged *, const uint8_t *bytes, size_t n);

/* Encode it as a field of its SeriesBlockIndex, with n extras; returns how
 * many bytes that are, of `room`, or 0. */
size_t judge_entry_put(bosdyn_api_BlockEntry *, const int64_t *extras, size_t n,
    uint8_t *out, size_t room);

#endif
