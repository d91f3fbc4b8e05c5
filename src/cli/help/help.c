/* help.c - help, made from the tables of commands, options and exit codes. */
#include "cli/help/help.h"

#include <stdlib.h>

#include "base/text/wrap.h"
#include "cli/help/brief.h"

#define WIDE 76

static void
put_commands(struct slv_buf *out)
{
	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		slv_buf_printf(out, "  %-8s  %s\n", slv_command_at(i)->name,
		    slv_command_at(i)->summary);
}

static char *
program_page(void)
{
	struct slv_buf out = { 0 };

	slv_buf_text(&out,
	    "salvor - bring damaged robot logs back: BDDF, ROS 1 bags, Apollo "
	    "Cyber records,\nlogs of CARLA's recorder\n\n"
	    "Usage: salvor FILE...              "
	    "check, and say what to do next\n"
	    "       salvor COMMAND [OPTION...] FILE...\n\n");
	put_commands(&out);
	slv_buf_text(&out,
	    "\nExamples:\n"
	    "  salvor robot.bag                 what is wrong, and the command "
	    "to type next\n"
	    "  salvor repair robot.bag          writes robot.repaired.bag\n"
	    "  salvor verify -r archive         all logs below a directory\n\n"
	    "salvor help COMMAND   the options most people need\n"
	    "salvor --help=all     every option, and the exit codes\n"
	    "man salvor            the manual\n");
	return slv_buf_take(&out);
}

char *
slv_help_page(const struct slv_command *c)
{
	struct slv_buf out = { 0 };

	if (c == NULL)
		return program_page();
	slv_buf_printf(&out,
	    "salvor %s - %s\n\nUsage: salvor %s [OPTION...] %s\n", c->name,
	    c->summary, c->name, c->operands);
	slv_brief_put(&out, c->bit);
	slv_buf_printf(&out, "\nEvery option: salvor %s --help=all\n", c->name);
	return slv_buf_take(&out);
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

static void
put_program(struct slv_buf *out)
{
	unsigned every = SLV_CMD_NONE | SLV_CMD_LOOK;

	slv_buf_text(out,
	    "Usage: salvor FILE...              "
	    "as verify, and say what to do next\n"
	    "       salvor COMMAND [OPTION...] FILE...\n\nCommands:\n");
	put_commands(out);
	slv_buf_text(out,
	    "\nThe input is never changed, but in place.  \"--\" ends the "
	    "options; long options\nare not abbreviated.  Options, and the "
	    "commands that have them:\n");
	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		every |= slv_command_at(i)->bit;
	slv_opts_help(out, every, true);
}

static void
put_command(struct slv_buf *out, const struct slv_command *c)
{
	slv_buf_printf(out,
	    "salvor %s - %s\n\nUsage: salvor %s [OPTION...] %s\n\n", c->name,
	    c->summary, c->name, c->operands);
	slv_wrap(out, 0, WIDE, c->about);
	slv_opts_help(out, c->bit, false);
}

char *
slv_help_all(const struct slv_command *c)
{
	struct slv_buf out = { 0 };

	if (c == NULL)
		put_program(&out);
	else
		put_command(&out, c);
	if (c == NULL
	    || (c->bit != SLV_CMD_EXPLAIN && c->bit != SLV_CMD_REPORT))
		put_exit_codes(&out);
	return slv_buf_take(&out);
}
