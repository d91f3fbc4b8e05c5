/* test_utf8.c - text is what some characters are encoded to, and no more. */
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "salvor.h"
#include "support/check.h"
#include "unit/suites.h"

/* A character as UTF-8: how many bytes; 0: there is no such character. */
static size_t
encode(uint32_t code, uint8_t out[4])
{
	if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	if (code < 0x80) {
		out[0] = (uint8_t)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (uint8_t)(0xc0 | code >> 6);
		out[1] = (uint8_t)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (uint8_t)(0xe0 | code >> 12);
		out[1] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
		out[2] = (uint8_t)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (uint8_t)(0xf0 | code >> 18);
	out[1] = (uint8_t)(0x80 | (code >> 12 & 0x3f));
	out[2] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
	out[3] = (uint8_t)(0x80 | (code & 0x3f));
	return 4;
}

/* Each character, and each with a byte missing. */
static void
every_character(void)
{
	for (uint32_t code = 0; code <= 0x110000; code++) {
		uint8_t text[4];
		size_t n = encode(code, text);
		uint32_t got = 0;

		if (n == 0)
			continue;
		if (slv_utf8_next(text, n, &got) != n || got != code
		    || (n > 1 && slv_utf8_next(text, n - 1, &got) != 0))
			CHECK_U64(got, code);
	}
}

/* The character that four bytes begin with, by trying how it could have been
 * encoded. */
static size_t
decode(const uint8_t *p, uint32_t *code)
{
	static const uint8_t masks[] = { 0, 0x7f, 0x1f, 0x0f, 0x07 };

	for (size_t n = 1; n <= 4; n++) {
		uint32_t c = p[0] & masks[n];
		uint8_t again[4];

		for (size_t i = 1; i < n; i++)
			c = c << 6 | (p[i] & 0x3fu);
		if (encode(c, again) != n || memcmp(again, p, n) != 0)
			continue;
		*code = c;
		return n;
	}
	return 0;
}

/* Every sequence of bytes at which something changes. */
static void
every_sequence(void)
{
	static const uint8_t edges[] = { 0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
		0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
		0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8,
		0xfb, 0xfc, 0xfe, 0xff };
	const size_t n = sizeof(edges);

	for (size_t i = 0; i < n * n * n * n; i++) {
		const uint8_t p[4] = { edges[i % n], edges[i / n % n],
			edges[i / n / n % n], edges[i / n / n / n] };
		uint32_t want = 0, got = 0;
		size_t len = decode(p, &want);

		if (slv_utf8_next(p, 4, &got) != len || got != want) {
			check_case(
			    "%02x %02x %02x %02x", p[0], p[1], p[2], p[3]);
			CHECK_U64(got, want);
		}
	}
	check_case("%s", "");
}

/* Byte by byte, as text that is read in pieces. */
static void
in_pieces(void)
{
	static const char text[] = "a\xc3\xa4\xe2\x82\xac\xf0\x9f\xa4\x96z";
	static const uint8_t more[] = { 0, 1, 0, 2, 1, 0, 3, 2, 1, 0, 0 };
	struct slv_utf8 u = { 0 };

	for (size_t i = 0; i < sizeof(more); i++) {
		CHECK(slv_utf8_add(&u, (uint8_t)text[i]));
		CHECK_U64(u.more, more[i]);
	}
	CHECK_U64(slv_utf8_width(text), 5);
}

static bool
is_escaped(uint32_t code)
{
	char text[5] = "";
	char *safe;
	bool escaped;

	encode(code, (uint8_t *)text);
	safe = slv_escape(text);
	escaped = safe != NULL && strncmp(safe, "\\x", 2) == 0;
	CHECK(safe != NULL && (escaped || strcmp(safe, text) == 0));
	free(safe);
	return escaped;
}

/* Unicode 15.1: Cf, Zl, Zp and Default_Ignorable_Code_Point, and controls. */
static void
invisible(void)
{
	static const uint32_t ranges[][2] = { { 0x1, 0x1f }, { 0x7f, 0x9f },
		{ 0xad, 0xad }, { 0x34f, 0x34f }, { 0x600, 0x605 },
		{ 0x61c, 0x61c }, { 0x6dd, 0x6dd }, { 0x70f, 0x70f },
		{ 0x890, 0x891 }, { 0x8e2, 0x8e2 }, { 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x200b, 0x200f },
		{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
		{ 0xfff0, 0xfffb }, { 0x110bd, 0x110bd }, { 0x110cd, 0x110cd },
		{ 0x13430, 0x1343f }, { 0x1bca0, 0x1bca3 },
		{ 0x1d173, 0x1d17a }, { 0xe0000, 0xe0fff } };

	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		uint32_t first = ranges[i][0], last = ranges[i][1];

		check_case("%x to %x", first, last);
		for (uint32_t code = first; code <= last; code++)
			CHECK(is_escaped(code));
		CHECK(first == 1 || !is_escaped(first - 1));
		CHECK(!is_escaped(last + 1));
	}
	check_case("%s", "");
}

CU_TestInfo utf8_tests[] = {
	{ "invisible", invisible },
	{ "every character", every_character },
	{ "every sequence", every_sequence },
	{ "in pieces", in_pieces },
	CU_TEST_INFO_NULL,
};
