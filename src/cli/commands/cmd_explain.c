/* cmd_explain.c - salvor explain: the problem catalogue. */
#include <string.h>

#include "base/text/wrap.h"
#include "cli/cli.h"
#include "cli/options/nearest.h"
#include "cli/terminal/term.h"

#define WIDE 76

/* Whether a placeholder is for a number. */
static bool
is_number(const char *text)
{
	static const char *const numbers[] = { "{len}", "{want}", "{got}" };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (strncmp(text, numbers[i], strlen(numbers[i])) == 0)
			return true;
	}
	return false;
}

/* Append the row's sentence with "N" for the numbers of a finding, and "..."
 * for what it quotes. */
static void
put_text(struct slv_buf *out, const char *text)
{
	while (*text != '\0') {
		size_t len = strcspn(text, "{");
		const char *close = strchr(text, '}');

		slv_buf_add(out, text, len);
		text += len;
		if (*text == '{' && close != NULL) {
			slv_buf_text(out, is_number(text) ? "N" : "...");
			text = close + 1;
		} else if (*text == '{') {
			slv_buf_text(out, "{");
			text++;
		}
	}
}

static char *
one_line(const struct slv_problem_info *row)
{
	struct slv_buf out = { 0 };

	slv_buf_printf(
	    &out, "%-24s  %-7s  ", row->id, slv_severity_name(row->severity));
	put_text(&out, row->text);
	slv_buf_text(&out, "\n");
	return slv_buf_take(&out);
}

static void
put_part(struct slv_buf *out, const char *head, const char *text)
{
	slv_buf_printf(out, "\n%s\n", head);
	slv_wrap(out, 2, WIDE, text);
}

static const char *
risk_in_words(enum slv_risk risk)
{
	switch (risk) {
	case SLV_RISK_NONE:
		return "No: it costs no recorded data, and leaves none in "
		       "doubt.";
	case SLV_RISK_DESCRIPTION:
		return "Not what was recorded, but what describes it: a type, "
		       "a name or annotations may be lost.";
	case SLV_RISK_UNPROVEN:
		return "Perhaps: some of it may be wrong, and nothing that "
		       "was read can tell.";
	case SLV_RISK_LOST: return "Yes: some of it may be lost.";
	}
	return "?";
}

static char *
in_full(const struct slv_problem_info *row)
{
	struct slv_buf out = { 0 };

	slv_buf_printf(&out, "%s: %s, remedy: %s\n\n  ", row->id,
	    slv_severity_name(row->severity), slv_remedy_name(row->remedy));
	put_text(&out, row->text);
	slv_buf_text(&out, "\n");
	put_part(&out, "What it means", row->means);
	put_part(&out, "How it arises", row->arises);
	put_part(&out, "What repair does", row->repair);
	put_part(&out, "Is recorded data at risk", risk_in_words(row->risk));
	return slv_buf_take(&out);
}

static const struct slv_problem_info *
find(const char *id)
{
	const struct slv_problem_info *row;

	for (size_t i = 0; (row = slv_problem_at(i)) != NULL; i++) {
		if (strcmp(row->id, id) == 0)
			return row;
	}
	return NULL;
}

/* An id, or its part after the dot, that somebody may have meant. */
static int
unknown(const struct slv_args *args, const char *id)
{
	static const struct slv_err refused = {
		.code = SLV_E_USAGE,
		.text = "there is no such finding",
	};
	struct slv_nearest near = { .wanted = id };
	const struct slv_problem_info *row;
	const char *whole = NULL;

	for (size_t i = 0; (row = slv_problem_at(i)) != NULL; i++) {
		const char *dot = strchr(row->id, '.');
		const char *before = near.best;

		slv_nearest_offer(&near, row->id);
		if (dot != NULL)
			slv_nearest_offer(&near, dot + 1);
		if (near.best != before)
			whole = row->id;
	}
	if (whole != NULL)
		slv_term_error(
		    "explain: unknown finding \"%s\"; did you mean "
		    "\"%s\"?  \"salvor explain\" lists what there is",
		    id, whole);
	else
		slv_term_error("explain: unknown finding \"%s\"; \"salvor "
		               "explain\" lists what there is",
		    id);
	if (args->json
	    && !slv_term_line(stdout, slv_error_json(NULL, &refused)))
		return SLV_EXIT_TROUBLE;
	return SLV_EXIT_USAGE;
}

static bool
print(const struct slv_args *args, const struct slv_problem_info *row,
    char *(*text_of)(const struct slv_problem_info *))
{
	if (args->json)
		return slv_term_line(stdout, slv_problem_json(row));
	return slv_term_page(stdout, text_of(row));
}

/* A line for each id that begins so; *any: there are some. */
static bool
list(const struct slv_args *args, const char *begin, bool *any)
{
	const struct slv_problem_info *row;
	bool good = true;

	*any = false;
	for (size_t i = 0; (row = slv_problem_at(i)) != NULL; i++) {
		if (strncmp(row->id, begin, strlen(begin)) != 0)
			continue;
		good = print(args, row, one_line) && good;
		*any = true;
	}
	return good;
}

int
slv_cmd_explain(struct slv_args *args)
{
	const char *id = args->n_operands > 0 ? args->operands[0] : NULL;
	const struct slv_problem_info *row = id != NULL ? find(id) : NULL;
	bool any, good;

	if (row != NULL)
		return print(args, row, in_full) ? SLV_EXIT_SOUND
		                                 : SLV_EXIT_TROUBLE;
	if (id != NULL && *id == '\0')
		return unknown(args, id);
	good = list(args, id != NULL ? id : "", &any);
	if (!any)
		return unknown(args, id);
	return good ? SLV_EXIT_SOUND : SLV_EXIT_TROUBLE;
}
