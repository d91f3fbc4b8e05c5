/* testdata.h - the files of testdata. */
#ifndef TESTS_SUPPORT_TESTDATA_H
#define TESTS_SUPPORT_TESTDATA_H

#include <stdbool.h>

/* Return true if the next file is to be read, or the next of many similar cases is to be
 * tried.  With SALVOR_FILES=n, for what makes programs slow, that is one in n. */
bool testdata_takes(void);

/* Call `each` with the path of every log of testdata/NAME that is to be read; return
 * how many logs there are. */
unsigned testdata_each(const char *name, void (*each)(const char *path));

#endif
