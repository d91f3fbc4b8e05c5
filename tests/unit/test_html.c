/* test_html.c - reports in texts are found, and stay text in a page. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "page/page.h"
#include "support/check.h"
#include "support/scratch.h"
#include "unit/suites.h"
#include "salvor_many.h"

#define FILE_A "{\"type\":\"file\",\"file\":\"a\",\"state\":\"intact\"}"
#define LINE(path, state)                                                      \
	"{\"journal\":1,\"path\":\"" path "\",\"result\":{\"state\":\"" state  \
	"\",\"exit\":8},\"report\":null}"

/* The logs of a text as they stand in a page; owned by the caller. */
static char *
page_of(const char *text, size_t n, uint64_t *logs, uint64_t *unread)
{
	struct slv_html_logs found = { 0 };
	struct slv_html_page page = { 0 };
	struct slv_buf out = { 0 };
	struct slv_err err = { 0 };

	CHECK_OK(slv_html_find(&found, text, n, &err), &err);
	for (size_t i = 0; i < found.n; i++)
		slv_html_log(&out, &page, &found, i);
	*logs = page.n;
	*unread = found.unread;
	slv_html_logs_free(&found);
	slv_html_tail(&out, &page);
	return slv_buf_take(&out);
}

static void
what_counts(void)
{
	static const struct {
		const char *text;
		uint64_t logs, unread;
	} rows[] = {
		{ "", 0, 0 },
		{ " \n\t\r\n", 0, 0 },
		{ FILE_A, 1, 0 },
		{ FILE_A "\n" FILE_A "\n", 2, 0 },
		{ "{\n  \"type\" :\n \"file\"}\n\n" FILE_A, 2, 0 },
		{ "{\"type\":\"totals\"}\n{\"type\":\"block\"}\n", 0, 0 },
		{ "{\"type\":\"summary\"}\n{\"type\":\"error\"}\n", 2, 0 },
		{ "{\"type\":\"of tomorrow\"}\n[1]\n{}\n", 0, 0 },
		{ LINE("a", "intact") "\n" LINE("b", "failed") "\n", 2, 0 },
		{ LINE("a", "failed") "\n" LINE("b", "failed") "\n" LINE(
		      "a", "intact") "\n",
		    2, 0 },
		/* A journal that was torn when somebody pulled the plug. */
		{ LINE("a", "intact") "\n{\"journal\":1,\"pa", 1, 0 },
		/* The same, gone on with. */
		{ LINE("a", "intact") "\n{\"journal\":1,\"pa\n" LINE(
		      "b", "intact") "\n",
		    2, 1 },
		{ LINE("a", "intact") "\n{\"journal\":1,\"pa" LINE(
		      "b", "intact") "\n",
		    2, 1 },
		/* Two paths that are no UTF-8. */
		{ "{\"journal\":1,\"path\":\"?\",\"path_base64\":\"/w==\"}\n"
		  "{\"journal\":1,\"path\":\"?\",\"path_base64\":\"/g==\"}\n"
		  "{\"journal\":1,\"path\":\"?\",\"path_base64\":\"/w==\"}\n",
		    2, 0 },
		{ "no JSON\n" FILE_A, 1, 1 },
		{ "{\"type\":\"file\",\"file\":\"\xff\"}\n" FILE_A, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint64_t logs, unread;
		char *page =
		    page_of(rows[i].text, strlen(rows[i].text), &logs, &unread);

		check_case("row %zu", i);
		CHECK_U64(logs, rows[i].logs);
		CHECK_U64(unread, rows[i].unread);
		free(page);
	}
	check_case("all");
}

static void
last_line_counts(void)
{
	static const char text[] = LINE("a", "failed") "\n" LINE(
	    "b", "intact") "\n" LINE("a", "lossy") "\n";
	uint64_t logs, unread;
	char *page = page_of(text, sizeof(text) - 1, &logs, &unread);

	CHECK(strstr(page, "[\"a\",\"lossy\"") != NULL);
	CHECK(strstr(page, "[\"b\",\"intact\"") != NULL);
	CHECK(strstr(page, "[\"a\",\"failed\"") == NULL);
	free(page);
}

/* What is about several logs is none of them. */
static void
sets_stand_apart(void)
{
	static const char text[] =
	    FILE_A "\n{\"type\":\"set\",\"set\":\"<*\"}\n" FILE_A
	           "\n{\"type\":\"set\",\"set\":\"b\"}\n";
	uint64_t logs, unread;
	char *page = page_of(text, sizeof(text) - 1, &logs, &unread);

	CHECK_U64(logs, 2);
	CHECK_U64(unread, 0);
	CHECK(strstr(page, "id=\"log-1\"") != NULL);
	CHECK(strstr(page, "id=\"log-2\"") == NULL);
	CHECK(strstr(page,
	          "],\"sets\":[{\"type\":\"set\",\"set\":\"\\u003c*\"},\n"
	          "{\"type\":\"set\",\"set\":\"b\"}]}</script>")
	    != NULL);
	free(page);
}

/* A page of many logs has whole reports of those that have findings. */
static void
large_pages_leave_out_sound_logs(void)
{
	static const struct {
		const char *text;
		bool whole; /* also in a large page */
	} rows[] = {
		{ FILE_A, false },
		{ "{\"type\":\"file\",\"state\":\"intact\",\"policy\":\"pass\","
		  "\"baseline\":{\"state\":\"same\"}}",
		    false },
		{ "{\"type\":\"file\",\"state\":\"damaged\"}", true },
		{ "{\"type\":\"file\",\"state\":\"intact\",\"problems_total\":"
		  "1}",
		    true },
		{ "{\"type\":\"file\",\"state\":\"intact\",\"violations\":[1]}",
		    true },
		{ "{\"type\":\"file\",\"state\":\"intact\",\"policy\":"
		  "\"fail\"}",
		    true },
		{ "{\"type\":\"file\",\"state\":\"intact\","
		  "\"baseline\":{\"state\":\"changed\"}}",
		    true },
		{ LINE("b", "failed"), true },
	};
	struct slv_buf text = { 0 };
	char id[32];
	uint64_t logs, unread;
	char *page;

	for (size_t i = 0; i < SLV_HTML_WHOLE; i++)
		slv_buf_text(&text, FILE_A "\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		slv_buf_printf(&text, "%s\n", rows[i].text);
	page = page_of((const char *)text.at, text.len, &logs, &unread);
	CHECK_U64(logs, SLV_HTML_WHOLE + sizeof(rows) / sizeof(*rows));
	snprintf(id, sizeof(id), "id=\"log-%d\"", SLV_HTML_WHOLE - 1);
	CHECK(strstr(page, id) != NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		check_case("row %zu", i);
		snprintf(id, sizeof(id), "id=\"log-%zu\"", SLV_HTML_WHOLE + i);
		CHECK((strstr(page, id) != NULL) == rows[i].whole);
	}
	check_case("all");
	slv_buf_free(&text);
	free(page);
}

/* Nothing that a log holds can end the element that it is in. */
static void
text_stays_text(void)
{
	static const char text[] =
	    "{\"type\":\"file\",\"file\":\"</script><script>alert(1)</script>"
	    "<!--<script>&amp;\xe2\x80\xa8\xe2\x80\xa9\xe2\x82\xac\"}";
	uint64_t logs, unread;
	char *page = page_of(text, sizeof(text) - 1, &logs, &unread);
	const char *body = strchr(page, '>') + 1;
	size_t n = strcspn(body, "<&\xe2");

	CHECK_U64(logs, 1);
	CHECK(strncmp(body + n, "\xe2\x82\xac\"}</script>\n", 15) == 0);
	CHECK(memmem(body, n, "\\u003c!--\\u003cscript\\u003e\\u0026amp;", 37)
	    != NULL);
	CHECK(memmem(body, n, "\\u2028\\u2029", 12) != NULL);
	CHECK(strstr(page, "alert(1)<") == NULL);
	CHECK(strstr(page, "\xe2\x80\xa8") == NULL);
	free(page);
}

/* Who looks at the source of a page on a terminal sees text as well. */
static void
nothing_controls_a_terminal(void)
{
	static const char text[] = "{\"type\":\"file\",\"file\":\"a\x7f"
	                           "b\xc2\x9b"
	                           "31mc\xe2\x80\xae"
	                           "d\xe2\x81\xa6"
	                           "e\xc2\xa0\xe2\x82\xac\"}";
	static const char *const raw[] = { "\x7f", "\xc2\x9b", "\xe2\x80\xae",
		"\xe2\x81\xa6" };
	uint64_t logs, unread;
	char *page = page_of(text, sizeof(text) - 1, &logs, &unread);

	CHECK(strstr(page,
	          "a\\u007fb\\u009b31mc\\u202ed\\u2066e\xc2\xa0\xe2\x82\xac")
	    != NULL);
	for (size_t i = 0; i < sizeof(raw) / sizeof(*raw); i++)
		CHECK(strstr(page, raw[i]) == NULL);
	free(page);
}

/* Make a page of one report and of a file of two. */
static enum slv_status
make_page(const char *path, const char *reports, struct slv_err *err)
{
	struct slv_html *page = NULL;
	uint64_t n, unread;

	*err = (struct slv_err){ 0 };
	if (slv_html_open(path, NULL, &page, err) != SLV_OK)
		return err->code;
	if (slv_html_add(page, FILE_A, err) != SLV_OK
	    || slv_html_read(page, reports, NULL, &n, &unread, err) != SLV_OK) {
		slv_html_discard(page);
		return err->code;
	}
	CHECK_U64(n, 2);
	return slv_html_commit(page, err);
}

static size_t allowed;

static bool
run_out(size_t size)
{
	(void)size;
	return allowed > 0 && allowed-- > 0;
}

/* Whichever allocation fails: no page, and nothing is left behind. */
static void
no_memory(void)
{
	static const char two[] = FILE_A "\n" LINE("b", "failed") "\n";
	char page[700], reports[700];
	struct slv_err err = { 0 };
	enum slv_status st = SLV_E_NOMEM;

	scratch_write("two.json", two, sizeof(two) - 1);
	snprintf(page, sizeof(page), "%s", scratch_path("page.html"));
	snprintf(reports, sizeof(reports), "%s", scratch_path("two.json"));
	for (size_t n = 0; st != SLV_OK && n < 1000; n++) {
		check_case("allocation %zu", n);
		allowed = n;
		slv_mem_hook = run_out;
		st = make_page(page, reports, &err);
		slv_mem_hook = NULL;
		if (st != SLV_OK)
			CHECK_STATUS(st, SLV_E_NOMEM, &err);
		CHECK(scratch_has("page.html") == (st == SLV_OK));
		CHECK_U64(scratch_count(""), st == SLV_OK ? 2 : 1);
	}
	CHECK_OK(st, &err);
	check_case("all");
	scratch_clean();
}

CU_TestInfo html_tests[] = {
	{ "what counts", what_counts },
	{ "the last line counts", last_line_counts },
	{ "sets stand apart", sets_stand_apart },
	{ "large pages leave out sound logs",
	    large_pages_leave_out_sound_logs },
	{ "text stays text", text_stays_text },
	{ "nothing controls a terminal", nothing_controls_a_terminal },
	{ "no memory", no_memory },
	CU_TEST_INFO_NULL,
};
