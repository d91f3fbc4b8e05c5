/* testdata.h - the files of testdata. */
#ifndef TESTS_SUPPORT_TESTDATA_H
#define TESTS_SUPPORT_TESTDATA_H

/* Call `each` with the path of every log of testdata/NAME; return how many there
 * are. */
unsigned testdata_each(const char *name, void (*each)(const char *path));

#endif
