/* number.c - numbers as text that machines read back. */
#include "base/text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 40 /* bytes of any of them */

/* The powers of ten that a double holds. */
static const double tens[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
	1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
	1e22 };
#define TENS ((int)(sizeof(tens) / sizeof(*tens)))

void
slv_number_u64(struct slv_buf *out, uint64_t v)
{
	char text[ROOM], *at = text + ROOM;

	do
		*--at = (char)('0' + v % 10);
	while ((v /= 10) > 0);
	slv_buf_add(out, at, (size_t)(text + ROOM - at));
}

void
slv_number_i64(struct slv_buf *out, int64_t v)
{
	if (v < 0)
		slv_buf_text(out, "-");
	slv_number_u64(out, v < 0 ? -(uint64_t)v : (uint64_t)v);
}

/* Between 1e-4 and 1e15: how many digits are before the point; less than 1 for
 * numbers below 0.1. */
static int
magnitude(double v)
{
	int n = 0;

	while (v >= tens[n])
		n++;
	for (; n <= 0 && v * tens[1 - n] < 1; n--)
		;
	return n;
}

/* A whole number, divided by a power of ten: without zeros at the end. */
static void
put_divided(struct slv_buf *out, uint64_t n, int point)
{
	char text[ROOM], *end = text + ROOM, *at = end;

	for (; point > 1 && n % 10 == 0; point--)
		n /= 10;
	for (int i = 0; i <= point || n > 0; i++) {
		if (i == point && point > 0)
			*--at = '.';
		*--at = (char)('0' + n % 10);
		n /= 10;
	}
	slv_buf_add(out, at, (size_t)(end - at));
	if (point == 0)
		slv_buf_text(out, ".0");
}

/* Is it between two floats? */
static bool
is_middle(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return (bits & 0x1fffffff) == 0x10000000;
}

/* Append a number that has so many digits, if it is none of the large and the small
 * ones.  A quotient of whole numbers that doubles hold is the double that is nearest
 * to it, so it is what a reader of the text gets; and the nearest float is the same,
 * unless the double is in the middle between two. */
static bool
put_short(struct slv_buf *out, double v, int digits, bool single)
{
	double positive = v < 0 ? -v : v, whole, back;
	int point;

	if (positive == 0) {
		slv_buf_text(out, signbit(v) ? "-0.0" : "0.0");
		return true;
	}
	if (!(positive >= 1e-4 && positive < 1e15))
		return false;
	point = digits - magnitude(positive);
	if (point < 0 || point >= TENS)
		return false;
	whole = (double)(uint64_t)(positive * tens[point] + 0.5);
	back = whole / tens[point];
	if (whole >= tens[15]
	    || (single ? (float)back != (float)positive || is_middle(back)
	               : back != positive))
		return false;
	if (v < 0)
		slv_buf_add(out, "-", 1);
	put_divided(out, (uint64_t)whole, point);
	return true;
}

/* Append what printf() wrote, with the point of no locale. */
static void
put(struct slv_buf *out, const char *text)
{
	static const char plain[] = "+-e0123456789";
	size_t n = strspn(text, plain), point;
	bool whole = text[n] == '\0';

	slv_buf_add(out, text, n);
	if (!whole) {
		point = strcspn(text + n, plain);
		slv_buf_text(out, ".");
		slv_buf_text(out, text + n + point);
	} else if (strchr(text, 'e') == NULL) {
		slv_buf_text(out, ".0");
	}
}

void
slv_number_f64(struct slv_buf *out, double v)
{
	char text[ROOM];

	if (put_short(out, v, 15, false))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (digits == 17 || strtod(text, NULL) == v)
			break;
	}
	put(out, text);
}

void
slv_number_f32(struct slv_buf *out, float v)
{
	char text[ROOM];

	for (int digits = 6; digits <= 9; digits++) {
		if (put_short(out, (double)v, digits, true))
			return;
	}
	for (int digits = 6; digits <= 9; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, (double)v);
		if (digits == 9 || strtof(text, NULL) == v)
			break;
	}
	put(out, text);
}
