/* talk.h - the words between salvor and a helper, and how long they may take. */
#ifndef SLV_BATCH_TALK_H
#define SLV_BATCH_TALK_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#define SLV_TALK_WHY 160 /* bytes of a reason */

struct slv_talk {
	int ask, answer;  /* owned: pipes to and from it; -1: closed */
	unsigned seconds; /* for a line, or 4 KiB, until it counts as hanging */
	const volatile sig_atomic_t *cancel; /* or NULL */
	int bad; /* errno of the first failure, after which nothing is asked */
	char why[SLV_TALK_WHY]; /* the same for people */
};

/* Read a line that is a number.
 *
 *   most  the largest one
 *
 * 0, or the errno of the failure, here and below */
int slv_talk_number(struct slv_talk *, uint64_t most, uint64_t *out);

/* Read exactly n bytes. */
int slv_talk_bytes(struct slv_talk *, void *buf, size_t n);

/* Ask for a range. */
int slv_talk_ask(struct slv_talk *, uint64_t off, uint64_t len);

/* Ask for nothing more; unless it failed before, this is why. */
int slv_talk_fail(struct slv_talk *, int bad, const char *why);

#endif
