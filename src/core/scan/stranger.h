/* stranger.h - files that no driver reads: what they are, and what to do with
 * them.
 *
 * A table.  If a user has a compressed log, a saved error page or another
 * recorder's file in place of a log, salvor says so instead of calling it a
 * damaged log.  Remove a row when its format gets a driver.
 */
#ifndef SLV_CORE_STRANGER_H
#define SLV_CORE_STRANGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_STRANGER_HEAD 4096 /* bytes that a row may examine */

/* What is visible of a file. */
struct slv_look {
	const uint8_t *head; /* borrowed; its first bytes */
	size_t n;            /* the smaller of its size and the above */
	uint64_t size;
	uint64_t logical_end; /* start of the zeros that reach its end */
};

struct slv_stranger {
	const char *id;      /* stable, never reused */
	const char *title;   /* what it is, after "UNRECOGNISED: " */
	const char *advice;  /* sentences; IN and OUT are replaced by names */
	const char *decoder; /* command that decompresses standard input; NULL:
			      * it does not hold a single file */

	/* The magic is certain and at offset 0: a log that is found further in
	 * is content of the file, perhaps in pieces. */
	bool outer;

	struct {
		size_t off, n;
		const char *bytes;
	} magic; /* n = 0: none */

	bool (*test)(const struct slv_look *); /* in addition to the magic;
					        * NULL: none */
};

/* Instead of the row for zstd: such a file of which nothing can be decompressed. */
extern const struct slv_stranger slv_stranger_packed;

/* Row i, in the order of the tests; NULL past the end. */
const struct slv_stranger *slv_stranger_at(size_t i);

/* The first row that recognises the file; NULL if none does. */
const struct slv_stranger *slv_stranger_find(const struct slv_look *);

#endif
