/* stage.h - the files that all tests of the guard use. */
#ifndef TESTS_GUARD_STAGE_H
#define TESTS_GUARD_STAGE_H

#include <CUnit/CUnit.h>
#include <stddef.h>

#define PATH 700 /* bytes */

/* A log, what belongs to it, another file; one that is not there; a folder for
 * outputs, and two names in it. */
extern char input[PATH], sidecar[PATH], secret[PATH], new[PATH];
extern char folder[PATH], made[PATH], done[PATH];

/* Give them their values, once. */
void name_paths(void);

void set_up(void);
void tear_down(void);

/* From a child, guard.c: how something that it tried came out. */
void tell(int to, size_t which, long got);

/* uses.c - every call of slv_sys, by such a job. */
void use_reading(int to);
void use_writing(int to);
void use_growing(int to);
void use_changing(int to); /* its input */
void use_starting(int to); /* a worker, and what pool.c does with it */

/* test_places.c */
extern CU_TestInfo place_tests[];

#endif
