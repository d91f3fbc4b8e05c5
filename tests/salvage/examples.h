/* examples.h - what went wrong, for those who mend it. */
#ifndef TESTS_SALVAGE_EXAMPLES_H
#define TESTS_SALVAGE_EXAMPLES_H

#include "salvage/table.h"

/* Write the smallest case of everything that went wrong in a row to a folder:
 * NAME.bddf is the damaged log, NAME.good the original, NAME.out what a repair
 * gives; README.txt there is made longer by what is wrong. */
void examples_write(
    const char *dir, const struct row *, enum footing, const struct tally *);

/* Write a file, or end the program. */
void examples_file(const char *path, const struct blob *);

#endif
