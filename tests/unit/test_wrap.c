/* test_wrap.c - pages are broken into lines. */
#include <stdlib.h>
#include <string.h>

#include "base/text/wrap.h"
#include "support/check.h"
#include "unit/suites.h"

static void
check_fold(const char *page, unsigned width, const char *want)
{
	struct slv_buf out = { 0 };
	char *got;

	slv_fold(&out, page, width);
	got = slv_buf_take(&out);
	if (CHECK(got != NULL))
		CHECK_STR(got, want);
	free(got);
}

static void
lines_are_broken_at_blanks(void)
{
	check_fold("", 10, "");
	check_fold("\n\n", 10, "\n\n");
	check_fold("one two\n", 7, "one two\n");
	check_fold("one two\n", 6, "one\n  two\n");
	check_fold("  one two three\n", 11, "  one two\n    three\n");
	check_fold("a  b\nc", 4, "a  b\nc");
	check_fold("a  b   \n", 3, "a\n  b\n");
	check_fold("a", 0, "a");
}

static void
a_mark_says_where_lines_go_on(void)
{
	check_fold("key: " SLV_HANG "one two\n", 9, "key: one\n     two\n");
	check_fold("  " SLV_HANG "one two\n", 6, "  one\n  two\n");
	/* The mark of one line is none of the next. */
	check_fold("key: " SLV_HANG "a\nbb cc\n", 4, "key:\n   a\nbb\n  cc\n");
}

static void
a_word_is_never_broken(void)
{
	check_fold("  a 1234567\n", 7, "  a\n1234567\n");
	check_fold("  a 12345678\n", 7, "  a\n12345678\n");
	check_fold("    123456\n", 7, " 123456\n");
	check_fold("a b" SLV_TIED "c d\n", 5, "a b c\n  d\n");
	check_fold("a b" SLV_TIED "c d\n", 4, "a\n b c\n  d\n");
	check_fold("a" SLV_TIED SLV_TIED "\n", 9, "a\n");
}

static void
the_right_edge_has_its_word(void)
{
	check_fold("a" SLV_RIGHT "[b]\n", 9, "a     [b]\n");
	check_fold("a" SLV_RIGHT "[b]\n", 6, "a  [b]\n");
	check_fold("a" SLV_RIGHT "[b]\n", 5, "a\n  [b]\n");
	check_fold("a" SLV_RIGHT "[b]\n", 2, "a\n[b]\n");
}

static void
colours_and_characters_take_no_more_than_they_show(void)
{
	check_fold("\033[1;31mab\033[0m cd\n", 5, "\033[1;31mab\033[0m cd\n");
	check_fold(
	    "\xc3\xa4\xc3\xb6 \xc3\xbc\n", 4, "\xc3\xa4\xc3\xb6 \xc3\xbc\n");
}

static void
paragraphs_are_indented_alike(void)
{
	struct slv_buf out = { 0 };
	char *got;

	slv_wrap(&out, 2, 8, "One.  Two three.");
	slv_wrap(&out, 2, 8, "");
	got = slv_buf_take(&out);
	if (CHECK(got != NULL))
		CHECK_STR(got, "  One.\n  Two\n  three.\n");
	free(got);
}

CU_TestInfo wrap_tests[] = {
	{ "lines are broken at blanks", lines_are_broken_at_blanks },
	{ "a mark says where lines go on", a_mark_says_where_lines_go_on },
	{ "a word is never broken", a_word_is_never_broken },
	{ "the right edge has its word", the_right_edge_has_its_word },
	{ "colours and characters take no more than they show",
	    colours_and_characters_take_no_more_than_they_show },
	{ "paragraphs are indented alike", paragraphs_are_indented_alike },
	CU_TEST_INFO_NULL,
};
