/* number.c - numbers as text that machines read back. */
#include "base/text/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM  40               /* bytes of any of them */
#define WHOLE 9007199254740992 /* 2^53: below it a double has all digits */

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

	/* Most are whole, or short.  -0 is not 0. */
	if (v >= 1 && v < WHOLE && v == (double)(uint64_t)v) {
		slv_number_u64(out, (uint64_t)v);
		slv_buf_text(out, ".0");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	put(out, text);
}

void
slv_number_f32(struct slv_buf *out, float v)
{
	char text[ROOM];

	for (int digits = 6; digits <= 9; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, (double)v);
		if (strtof(text, NULL) == v)
			break;
	}
	put(out, text);
}
