/* test_number.c - numbers as text that is read back as the same number. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "support/check.h"
#include "unit/suites.h"

#define TRIES 50000

static uint64_t state = 88172645463325252;

static uint64_t
next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Digits of a text, without zeros at its end. */
static int
digits_of(const char *text)
{
	int n = 0, zeros = 0;

	for (; *text != '\0' && *text != 'e'; text++) {
		if (*text < '0' || *text > '9' || (n == 0 && *text == '0'))
			continue;
		zeros = *text == '0' ? zeros + 1 : 0;
		n++;
	}
	return n - zeros;
}

/* Is the text this number, and is none shorter?  Some of the smallest numbers have
 * less digits than are always kept, which are printed all the same. */
static bool
is_f64(double v)
{
	struct slv_buf b = { 0 };
	char shortest[40];
	bool good;

	slv_number_f64(&b, v);
	slv_buf_add(&b, "", 1);
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(shortest, sizeof(shortest), "%.*g", digits, v);
		if (strtod(shortest, NULL) == v)
			break;
	}
	good = strtod((char *)b.at, NULL) == v
	    && strpbrk((char *)b.at, ".e") != NULL
	    && digits_of((char *)b.at) <= digits_of(shortest);
	if (!good)
		printf("%.17g: %s\n", v, (char *)b.at);
	slv_buf_free(&b);
	return good;
}

static bool
is_f32(float v)
{
	struct slv_buf b = { 0 };
	char shortest[40];
	bool good;

	slv_number_f32(&b, v);
	slv_buf_add(&b, "", 1);
	for (int digits = 6; digits <= 9; digits++) {
		snprintf(shortest, sizeof(shortest), "%.*g", digits, (double)v);
		if (strtof(shortest, NULL) == v)
			break;
	}
	/* A whole number may have all of its digits. */
	good = strtof((char *)b.at, NULL) == v
	    && strpbrk((char *)b.at, ".e") != NULL
	    && (digits_of((char *)b.at) <= digits_of(shortest)
	        || strtod((char *)b.at, NULL) == (double)v);
	if (!good)
		printf("%.9g: %s\n", (double)v, (char *)b.at);
	slv_buf_free(&b);
	return good;
}

static void
doubles(void)
{
	bool good = true;

	for (int i = 0; i < TRIES; i++) {
		double of_bits,
		    decimal = (double)(int64_t)(next() % 2000001) - 1000000;
		uint64_t bits = next();

		memcpy(&of_bits, &bits, sizeof(bits));
		for (uint64_t k = next() % 12; k > 0; k--)
			decimal /= 10;
		good &= of_bits != of_bits || of_bits - of_bits != 0
		    || is_f64(of_bits);
		good &= is_f64(decimal) && is_f64((double)(bits >> 20) / 1e6)
		    && is_f64((double)(bits >> (bits & 63)));
	}
	CHECK(good);
}

static void
floats(void)
{
	bool good = true;

	for (int i = 0; i < TRIES; i++) {
		uint32_t bits = (uint32_t)next();
		float of_bits, decimal = (float)(next() % 2000001) / 1000;

		memcpy(&of_bits, &bits, sizeof(bits));
		good &= of_bits != of_bits || of_bits - of_bits != 0
		    || is_f32(of_bits);
		/* Those of which most have a quick way. */
		bits = (bits & 0x807fffff) | (115 + bits % 60) << 23;
		memcpy(&of_bits, &bits, sizeof(bits));
		good &= is_f32(decimal) && is_f32(of_bits);
	}
	CHECK(good);
}

CU_TestInfo number_tests[] = {
	{ "doubles", doubles },
	{ "floats", floats },
	CU_TEST_INFO_NULL,
};
