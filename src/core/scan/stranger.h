/* stranger.h - files that are no log, or no log that a driver here reads:
 * what they are, and what to do with them.
 *
 * A table.  Whoever finds a compressed log, a saved error page or another
 * recorder's file where a log should be is told so, and not that the log is
 * damaged.  A row whose format gets a driver of its own goes away.
 */
#ifndef SLV_CORE_STRANGER_H
#define SLV_CORE_STRANGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_STRANGER_HEAD 4096 /* bytes; what a row may look at */

/* What can be seen of a file. */
struct slv_look {
	const uint8_t *head; /* borrowed; its first bytes */
	size_t n;            /* the smaller of its size and the above */
	uint64_t size;
	uint64_t logical_end; /* where the zeros that reach its end begin */
};

struct slv_stranger {
	const char *id;      /* stable, never reused */
	const char *title;   /* what it is, behind "UNRECOGNISED: " */
	const char *advice;  /* sentences; IN and OUT stand for names */
	const char *decoder; /* the command that decompresses standard input;
	                      * NULL: it holds no one file */

	/* The magic is no accident and stands at the very beginning: a log
	 * that is found further in is what the file carries, perhaps in
	 * pieces, and not what it is. */
	bool outer;

	struct {
		size_t off, n;
		const char *bytes;
	} magic; /* n = 0: none */

	bool (*test)(const struct slv_look *); /* as well; NULL: none */
};

/* Row i, in the order in which they are tried; NULL past the end. */
const struct slv_stranger *slv_stranger_at(size_t i);

/* The first row that knows the file; NULL where none does. */
const struct slv_stranger *slv_stranger_find(const struct slv_look *);

#endif
