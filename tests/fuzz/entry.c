/* entry.c - a target as libFuzzer wants it; FUZZ_TARGET says which. */
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	fuzz_bounded(n);
	FUZZ_TARGET(bytes, n);
	return 0;
}
