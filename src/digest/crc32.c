/* crc32.c - CRC-32, and what it says about a single flipped bit.
 *
 * A CRC is a remainder modulo a polynomial over GF(2).  The remainders are a
 * field of 2^32 elements, in which bits are powers of x: a flipped bit that k
 * bits follow in the message changes the CRC by x^(k + 32), and a flipped bit
 * of the CRC itself by a lower power.  So a syndrome's logarithm is the place of
 * the bit.  x generates the whole field, thus every syndrome but 0 has one.
 */
#include "digest/crc32.h"

#include <libdeflate.h>

/* Bit 31 of an element is the coefficient of x^0, as the CRC is reflected. */
#define POLYNOMIAL 0xedb88320u
#define ONE        0x80000000u
#define X          0x40000000u
#define ORDER      UINT32_MAX /* of x: x^ORDER is 1 */

#define FIELD_BITS 32

/* Powers that are compared at once: about the root of the greatest factor. */
#define STEPS 256

/* Bytes of a message whose powers are looked through faster. */
#define SHORT 2048

uint32_t
slv_crc32(uint32_t crc, const void *bytes, size_t n)
{
	/* The library returns 0 for NULL. */
	return n > 0 ? libdeflate_crc32(crc, bytes, n) : crc;
}

static uint32_t
times(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; a != 0; a <<= 1) {
		product ^= b & (0 - (a >> 31));
		b = b >> 1 ^ (POLYNOMIAL & (0 - (b & 1)));
	}
	return product;
}

static uint32_t
power(uint32_t base, uint64_t exponent)
{
	uint32_t result = ONE;

	for (; exponent > 0; exponent >>= 1) {
		if ((exponent & 1) != 0)
			result = times(result, base);
		base = times(base, base);
	}
	return result;
}

uint32_t
slv_crc32_combine(uint32_t crc1, uint32_t crc2, uint64_t len2)
{
	/* 8 * len2 may be too much for 64 bits. */
	return times(crc1, power(power(X, 8), len2)) ^ crc2;
}

/* The least exponent with base^exponent = value; there is one. */
static uint32_t
log_by_steps(uint32_t base, uint32_t value)
{
	uint32_t powers[STEPS], back = power(base, ORDER - STEPS);

	powers[0] = ONE;
	for (unsigned i = 1; i < STEPS; i++)
		powers[i] = times(powers[i - 1], base);
	for (uint32_t far = 0;; far += STEPS) {
		for (unsigned i = 0; i < STEPS; i++) {
			if (powers[i] == value)
				return far + i;
		}
		value = times(value, back);
	}
}

/* The exponent below ORDER with x^exponent = value, which is not 0: modulo one
 * factor of ORDER after the other (Pohlig and Hellman). */
static uint32_t
log_x(uint32_t value)
{
	static const uint32_t factors[] = { 255, 257, 65537 };
	uint32_t known = 0, modulus = 1; /* the exponent modulo that */

	for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++) {
		uint32_t rest = ORDER / modulus / factors[i];
		/* value / x^known, in the subgroup of that order */
		uint32_t part =
		    times(power(value, rest), power(X, ORDER - known * rest));

		known +=
		    modulus * log_by_steps(power(X, ORDER / factors[i]), part);
		modulus *= factors[i];
	}
	return known;
}

/* The same, if it is at most `most`; else any greater number. */
static uint32_t
log_up_to(uint32_t value, uint32_t most)
{
	uint32_t at = ONE, i = 0;

	for (; at != value && i <= most; i++)
		at = at >> 1 ^ (POLYNOMIAL & (0 - (at & 1)));
	return i;
}

enum slv_crc32_place
slv_crc32_locate(uint64_t len, uint32_t syndrome, uint64_t *bit)
{
	uint32_t place;

	if (syndrome == 0 || len > SLV_CRC32_LOCATE_MAX)
		return SLV_CRC32_NOWHERE;
	place = len < SHORT
	    ? log_up_to(syndrome, 8 * (uint32_t)len + FIELD_BITS)
	    : log_x(syndrome);
	if (place < FIELD_BITS) {
		*bit = FIELD_BITS - 1 - place;
		return SLV_CRC32_FIELD;
	}
	if (place - FIELD_BITS >= 8 * len)
		return SLV_CRC32_NOWHERE;
	*bit = 8 * len - 1 - (place - FIELD_BITS);
	return SLV_CRC32_MESSAGE;
}
