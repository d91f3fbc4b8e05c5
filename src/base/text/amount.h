/* amount.h - sizes for people. */
#ifndef SLV_BASE_AMOUNT_H
#define SLV_BASE_AMOUNT_H

#include <stdint.h>

/* A short text, returned by value. */
struct slv_amount {
	char text[16];
};

/* "1 byte", "441 bytes", "1.8 KB", "350 KB": rounded, in powers of 1,000. */
struct slv_amount slv_amount(uint64_t bytes);

#endif
