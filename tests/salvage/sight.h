/* sight.h - what can be seen of damage, and what cannot.
 *
 * A repair can only know what the damaged file shows.  These say, from the
 * original and the damage, what it shows:
 *
 * - A block that ends where an untouched block begins looks whole, also when
 *   its payload is not what it was.
 * - So does the last one before the end of the file, before what a power cut
 *   leaves of a block, or before nothing but zeros of which few are its own.
 * - An index vouches for a block that ends where it says the next one begins,
 *   unless zeros reach across; and for a payload of which the head is lost,
 *   under the same condition, if the block ends well.
 * - A change within a DataDescriptor shows in the index, or as a time a day
 *   off, an unknown series, or a wrong count of additional indexes.
 *
 * A digest shows everything, but not where.
 */
#ifndef TESTS_SALVAGE_SIGHT_H
#define TESTS_SALVAGE_SIGHT_H

#include "salvage/harm.h"

struct sight {
	const struct original *o; /* borrowed, as is h */
	const struct harmed *h;
	bool index;  /* all indexes survive */
	bool digest; /* and so does the digest, if there was one */
};

struct sight sight_of(const struct original *, const struct harmed *);

/* Where a block is untouched; SIZE_MAX: nowhere. */
size_t sight_place(const struct sight *, const struct made_block *);

/* Whether a keepable block may be doubted and left out.
 *
 *   at  where it is; SIZE_MAX: what precedes its payload was hit */
bool sight_suspect(const struct sight *, const struct made_block *, size_t at);

/* Whether what is at `at` came to lie in the payload of a block that looks
 * whole, so that nobody would look for it there. */
bool sight_buries(const struct sight *, size_t at);

/* Whether nothing shows that a block with the head of b but another payload
 * is not b. */
bool sight_hides_tear(const struct sight *, const struct made_block *);

/* Whether nothing shows that these bytes, where b stood, are not b: their
 * DataDescriptor is another one that fits in as well. */
bool sight_hides_change(const struct sight *, const struct made_block *,
    const uint8_t *bytes, size_t n);

#endif
