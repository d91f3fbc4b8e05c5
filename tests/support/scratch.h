/* scratch.h - a directory of its own for a test that needs files. */
#ifndef TESTS_SUPPORT_SCRATCH_H
#define TESTS_SUPPORT_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "support/blob.h"

/* Let TMPDIR be in memory, if it is not set and the system has such a folder: for a
 * test that makes many thousands of files, which a disk would have to keep in order. */
void scratch_in_memory(void);

/* Make a fresh directory, under TMPDIR or here; its path is static.  From now
 * on slv_sys does not wait until files are on the disk. */
const char *scratch_open(void);

/* The path of a name in it; valid until four more were asked for. */
const char *scratch_path(const char *name);

/* Write a file into it. */
void scratch_write(const char *name, const void *bytes, size_t n);

/* Whether a file in it holds exactly these bytes. */
bool scratch_holds(const char *name, const void *bytes, size_t n);

bool scratch_has(const char *name);

/* How many entries it has whose name begins so; "" = all. */
size_t scratch_count(const char *prefix);

/* Remove a file in it, if it is there. */
void scratch_remove(const char *name);

/* Remove what is in it. */
void scratch_clean(void);

/* All that is in it, files and links: names, modes, bytes.  Two such states are
 * the same where their bytes are.  And make it so again. */
void scratch_take(struct blob *state);
void scratch_put(const struct blob *state);

/* Remove it. */
void scratch_close(void);

#endif
