/* columns.c - lines of help in two columns: what to type, and what it means. */
#include "cli/help/columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/wrap.h"
#include "cli/cli.h"
#include "cli/options/options.h"

#define COLUMN  26 /* where the words about an option begin */
#define EXAMPLE 44 /* ... and those about an example */

/* Append the words in a column of their own, from the next line on where there is
 * no room; frees head. */
static void
put(struct slv_buf *out, unsigned column, char *head, const char *words)
{
	struct slv_buf wrapped = { 0 };
	size_t n = head != NULL ? strlen(head) : 0;
	char *text;

	slv_wrap(&wrapped, column, SLV_SCREEN_WIDTH, words);
	text = slv_buf_take(&wrapped);
	if (head == NULL || text == NULL)
		out->failed = true;
	else if (n + 2 <= column)
		slv_buf_printf(out, "%-*s%s", (int)column, head, text + column);
	else
		slv_buf_printf(out, "%s\n%s", head, text);
	slv_free(text);
	slv_free(head);
}

/* "-n, --name=ARGUMENT" */
static char *
head_of(const struct slv_option *o, unsigned commands)
{
	const char *argument = slv_option_argument(o, commands);
	struct slv_buf out = { 0 };

	if (o->letter != '\0')
		slv_buf_printf(&out, "  -%c, ", o->letter);
	else
		slv_buf_text(&out, "      ");
	slv_buf_printf(&out, "--%s", o->name);
	if (argument != NULL)
		slv_buf_printf(&out, o->may_lack ? "[=%s]" : "=%s", argument);
	return slv_buf_take(&out);
}

/* Append the names of the commands that have an option. */
static void
put_owners(struct slv_buf *out, const struct slv_option *o)
{
	const char *before = " (";
	const struct slv_command *c;

	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		if ((c->bit & o->commands) == 0)
			continue;
		slv_buf_printf(out, "%s%s", before, c->name);
		before = ", ";
	}
	slv_buf_text(out, *before == ',' ? ")" : "");
}

void
slv_columns_option(struct slv_buf *out, const struct slv_option *o,
    unsigned commands, bool owners)
{
	struct slv_buf words = { 0 };
	char *text;

	slv_buf_text(&words, o->help);
	if (owners)
		put_owners(&words, o);
	text = slv_buf_take(&words);
	if (text != NULL)
		put(out, COLUMN, head_of(o, commands), text);
	else
		out->failed = true;
	slv_free(text);
}

void
slv_columns_example(struct slv_buf *out, const struct slv_example *e)
{
	struct slv_buf head = { 0 };

	slv_buf_printf(&head, "  %s", e->line);
	put(out, EXAMPLE, slv_buf_take(&head), e->words);
}
