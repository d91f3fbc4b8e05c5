/* attempts.h - what somebody would try who has taken over the reader. */
#ifndef TESTS_GUARD_ATTEMPTS_H
#define TESTS_GUARD_ATTEMPTS_H

#include <stdbool.h>
#include <stddef.h>

/* Who must refuse it. */
enum {
	SECCOMP = 1 << 0,
	LANDLOCK_1 = 1 << 1, /* from its first version on */
	LANDLOCK_3 = 1 << 2,
	LANDLOCK_4 = 1 << 3,
	LANDLOCK_6 = 1 << 4,
};

struct attempt {
	const char *name;
	long (*run)(void);         /* < 0: failed, with errno */
	unsigned reading, writing; /* who refuses it, by job */
	bool basic;                /* whether anybody may, without walls */
	unsigned starting;         /* who does not, where workers are started */
	long call; /* the number of the call, if there is no function */
};

#define ATTEMPTS_MAX 256

/* attempts.c, attempts_process.c */
extern const struct attempt attempts[], process_attempts[];
extern const size_t n_attempts, n_process_attempts;

/* All of them. */
size_t attempts_all(void);
const struct attempt *attempt_at(size_t);
long attempt_run(const struct attempt *);

/* What they are tried on: files that exist, the first of them open; a name
 * beside them, and one where outputs go. */
extern const char *attempt_input, *attempt_secret, *attempt_new, *attempt_made;
extern int attempt_fd;

#endif
