/* help.c - help, made from the tables of commands, options and exit codes. */
#include "cli/help.h"

#include <stdlib.h>

#include "base/wrap.h"

#define WIDE 76

static void
put_summary(struct slv_buf *out)
{
	slv_buf_text(out,
	    "salvor - bring damaged robot logs back\n\n"
	    "Usage: salvor FILE...                 check, and say what to do "
	    "next\n"
	    "       salvor COMMAND [OPTION...] FILE...\n\n"
	    "Commands:\n");
	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		slv_buf_printf(out, "  %-8s  %s\n", slv_command_at(i)->name,
		    slv_command_at(i)->summary);
}

char *
slv_help_short(void)
{
	struct slv_buf out = { 0 };

	put_summary(&out);
	slv_buf_text(&out, "\nMore: salvor --help, salvor COMMAND --help\n");
	return slv_buf_take(&out);
}

static void
put_usage(struct slv_buf *out, const struct slv_command *c)
{
	struct slv_buf line = { 0 };
	char *text;

	slv_buf_printf(
	    &line, "salvor%s%s", *c->name != '\0' ? " " : "", c->name);
	slv_opts_synopsis(&line, c->bit & ~(unsigned)SLV_CMD_NONE);
	slv_buf_printf(&line, " %s", c->operands);
	text = slv_buf_take(&line);
	if (text != NULL)
		slv_wrap(out, 2, WIDE, text);
	out->failed |= text == NULL;
	free(text);
}

static void
put_exit_codes(struct slv_buf *out)
{
	const struct slv_exit_row *row;

	slv_buf_text(out, "\nExit code, a sum over all files:\n");
	for (size_t i = 0; (row = slv_exit_row_at(i)) != NULL; i++)
		slv_buf_printf(out, "  %2d  %s\n", (int)row->code, row->means);
	slv_wrap(out, 2, WIDE,
	    "Any other code means failure.  verify and list never repair, so "
	    "theirs for a file are 0, 4 and 8, of verify also with 64; info "
	    "exits with 0 when it could "
	    "describe "
	    "the file, even a damaged one, and undo when the file is what it "
	    "was.");
}

char *
slv_help_all(void)
{
	struct slv_buf out = { 0 };

	put_summary(&out);
	slv_buf_text(&out, "\nIn full:\n");
	put_usage(&out, slv_command_look());
	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		put_usage(&out, slv_command_at(i));
	slv_buf_text(&out,
	    "\nThe input is never changed, but in place.  \"--\" ends the "
	    "options; long options\nare not abbreviated.  "
	    "Options for all commands:\n");
	slv_opts_help(&out, SLV_CMD_NONE);
	put_exit_codes(&out);
	return slv_buf_take(&out);
}

char *
slv_help_command(const struct slv_command *c)
{
	struct slv_buf out = { 0 };

	slv_buf_printf(&out, "salvor %s - %s\n\nUsage:\n", c->name, c->summary);
	put_usage(&out, c);
	slv_buf_text(&out, "\n");
	slv_wrap(&out, 0, WIDE, c->about);
	slv_buf_text(&out, "\nOptions:\n");
	slv_opts_help(&out, c->bit);
	if (c->bit != SLV_CMD_EXPLAIN && c->bit != SLV_CMD_REPORT)
		put_exit_codes(&out);
	return slv_buf_take(&out);
}
