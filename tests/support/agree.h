/* agree.h - do the hand-written coder of what every block has and the
 * generated one agree?
 *
 * Each returns NULL where they do, or what they differ in.
 */
#ifndef TESTS_SUPPORT_AGREE_H
#define TESTS_SUPPORT_AGREE_H

#include "formats/bddf/read/bddf_wire.h"
#include "support/blob.h"

/* The n bytes as a DataDescriptor or a BlockEntry: the same verdict, which
 * goes to *read, and where it is a good one the same values. */
const char *agree_data(const uint8_t *bytes, size_t n, enum bddf_read *read);
const char *agree_entry(const uint8_t *bytes, size_t n, enum bddf_read *read);

/* All beginnings of a DataDescriptor, of which all bytes are `whole`.  Those
 * of a good one are cut.  Those of a broken one are cut up to where it is seen
 * that it is broken. */
const char *agree_beginnings(
    const uint8_t *bytes, size_t n, enum bddf_read whole);

/* The entry is encoded to the same bytes, in as many as were announced, which
 * say the same when they are read. */
const char *agree_entry_put(
    const struct bddf_entry *, const int64_t *extras, size_t n);

/* A message of either kind (Timestamp in field time_tag), mostly well-formed,
 * as writers of any version might put it. */
void agree_random(struct blob *, struct dice *, unsigned time_tag);

#endif
