/* count.h - whole numbers as people read them. */
#ifndef SLV_BASE_COUNT_H
#define SLV_BASE_COUNT_H

#include <stdint.h>

/* A number with its digits in groups, returned by value. */
struct slv_count {
	char text[32];
};

/* "1,234,567" */
struct slv_count slv_count(uint64_t n);

#endif
