/* fuzz.h - what salvor promises of any bytes, as functions that end the
 * program where a promise is broken.
 *
 * Each is the body of a libFuzzer program (entry.c) and is also run over
 * testdata/ by `make check` (replay.c).  An input is a log as it is, so that
 * a log can be a seed and a crash a log.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "options/options.h"
#include "salvor.h"

/* Audit, repair, and audit the repair. */
void fuzz_audit(const uint8_t *bytes, size_t n);

/* As the metadata.yaml of a bag of ROS 2. */
void fuzz_bag(const uint8_t *bytes, size_t n);

/* As a log that changes while it is read. */
void fuzz_changing(const uint8_t *bytes, size_t n);

/* Decompress it, and a cut of what it is compressed. */
void fuzz_codec(const uint8_t *bytes, size_t n);

/* As an undo record, a report, a journal, a baseline, a mapfile and rules beside a
 * log. */
void fuzz_beside(const uint8_t *bytes, size_t n);

/* Repair a file in place, and take that back. */
void fuzz_inplace(const uint8_t *bytes, size_t n);

/* Extract some records, and export some as MCAP. */
void fuzz_extract(const uint8_t *bytes, size_t n);

/* Join both parts of a log. */
void fuzz_join(const uint8_t *bytes, size_t n);

/* The hand-written decoders of DataDescriptor and BlockEntry against
 * nanopb's. */
void fuzz_data(const uint8_t *bytes, size_t n);

/* Repair a damaged copy, with a less damaged one to explain it. */
void fuzz_donor(const uint8_t *bytes, size_t n);

/* Fill the gaps of a damaged copy from a less damaged one. */
void fuzz_fill(const uint8_t *bytes, size_t n);

/* Read the index only, and everything. */
void fuzz_glance(const uint8_t *bytes, size_t n);

/* Merge two damaged copies, and audit the result. */
void fuzz_merge(const uint8_t *bytes, size_t n);

/* As a plan, and as the lines of one. */
void fuzz_plan(const uint8_t *bytes, size_t n);

/* Read all records, and those of the repair. */
void fuzz_records(const uint8_t *bytes, size_t n);

/* Repair what a function serves, and what was compressed as a whole. */
void fuzz_served(const uint8_t *bytes, size_t n);

/* All jobs on a file, and every way to show what they say. */
void fuzz_text(const uint8_t *bytes, size_t n);

#define FUZZ_CHECK(cond)                                                       \
	((cond) ? (void)0 : fuzz_broken(#cond, __FILE__, __LINE__))

/* Say what does not hold and abort. */
_Noreturn void fuzz_broken(const char *what, const char *file, unsigned line);

/* Abort, with the cause, unless a call went well. */
void fuzz_ok(enum slv_status, const struct slv_err *);

/* Whether a call went well, or needs more than the limits allow; else abort. */
bool fuzz_within(enum slv_status, const struct slv_err *);

/* What any job may take. */
#define FUZZ_LIMITS                                                            \
	{                                                                      \
		.max_decoded = (uint64_t)16 << 20                              \
	}

/* From now on nothing is allocated that is far larger than a log of n bytes. */
void fuzz_bounded(size_t n);

/* The path of a directory with nothing in it. */
const char *fuzz_scratch(void);

/* The name of a file that holds the bytes until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t n);

typedef enum slv_status (*fuzz_job)(
    const char *, const struct slv_options *, struct slv_report **);

#endif
