/* help.c - help, made from the tables of commands, options and exit codes. */
#include "cli/help/help.h"

#include "base/text/wrap.h"
#include "cli/help/columns.h"
#include "cli/options/options.h"

#define WIDE 76

static const char *const titles[SLV_GROUPS] = {
	[SLV_GROUP_OUTPUT] = "Output",
	[SLV_GROUP_CHOICE] = "Records",
	[SLV_GROUP_SALVAGE] = "Salvage",
	[SLV_GROUP_RULES] = "Rules that logs must keep",
	[SLV_GROUP_BATCH] = "Batch: many files",
	[SLV_GROUP_REPORTS] = "Reports",
	[SLV_GROUP_LIMITS] = "Limits",
	[SLV_GROUP_PROGRAM] = "The program",
};

static void
put_command(struct slv_buf *out, const struct slv_command *c)
{
	slv_buf_printf(out, "  %-8s  %s\n", c->name, c->summary);
}

/* The names of the commands that the first page has no line for. */
static void
put_other_commands(struct slv_buf *out)
{
	const char *before = "  others:   ";
	const struct slv_command *c;

	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		if (c->common)
			continue;
		slv_buf_printf(out, "%s%s", before, c->name);
		before = ", ";
	}
	slv_buf_text(out, "\n");
}

static char *
program_page(void)
{
	struct slv_buf out = { 0 };
	const struct slv_command *c;

	slv_buf_text(&out,
	    "salvor - repair damaged robot logs: MCAP, ROS 1 bags, Apollo "
	    "Cyber records,\nBDDF, CARLA recorder logs, PX4 and ArduPilot "
	    "flight logs\n\n"
	    "Usage: salvor FILE...                     "
	    "check, and say what to do next\n"
	    "       salvor COMMAND [OPTION...] FILE...\n\n"
	    "Commands that most people need:\n");
	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		if (c->common)
			put_command(&out, c);
	}
	put_other_commands(&out);
	slv_buf_text(&out,
	    "\nExamples:\n"
	    "  salvor robot.bag                 what is wrong, and the command "
	    "to type next\n"
	    "  salvor repair robot.bag          writes robot.repaired.bag\n"
	    "  salvor verify -r archive         all logs below a directory\n\n"
	    "Where to read on:\n"
	    "  salvor help COMMAND              its common options, and "
	    "examples\n"
	    "  salvor help all                  all commands, options and exit "
	    "codes\n"
	    "  man salvor                       the manual\n");
	return slv_buf_take(&out);
}

/* Append an option of each kind that is asked for, in the order of the table:
 * those of a group, most people's or the others. */
static void
put_options(struct slv_buf *out, enum slv_group group, unsigned commands,
    bool common, bool owners)
{
	const struct slv_option *o;

	for (size_t i = 0; (o = slv_option_next(&i, commands)) != NULL;) {
		if (o->group == group
		    && ((o->common & commands) != 0) == common)
			slv_columns_option(out, o, commands, owners);
	}
}

/* All of the commands, in groups.
 *
 *   owners  each names the commands that take it */
static void
put_groups(struct slv_buf *out, unsigned commands, bool owners)
{
	for (enum slv_group g = SLV_GROUP_OUTPUT; g < SLV_GROUPS; g++) {
		struct slv_buf all = { 0 };

		put_options(&all, g, commands, true, owners);
		put_options(&all, g, commands, false, owners);
		if (all.len > 0)
			slv_buf_printf(out, "\n%s:\n", titles[g]);
		slv_buf_add(out, all.at, all.len);
		out->failed |= all.failed;
		slv_buf_free(&all);
	}
}

char *
slv_help_page(const struct slv_command *c)
{
	struct slv_buf out = { 0 };

	if (c == NULL)
		return program_page();
	slv_buf_printf(&out,
	    "salvor %s - %s\n\nUsage: salvor %s [OPTION...] %s\n\n"
	    "Options that most people need:\n",
	    c->name, c->summary, c->name, c->operands);
	for (enum slv_group g = SLV_GROUP_OUTPUT; g < SLV_GROUPS; g++)
		put_options(&out, g, c->bit, true, false);
	slv_buf_text(&out, "\nExamples:\n");
	for (size_t i = 0; i < SLV_EXAMPLES && c->examples[i].line != NULL; i++)
		slv_columns_example(&out, &c->examples[i]);
	slv_buf_printf(&out, "\nAll options: salvor %s --help=all\n", c->name);
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
	const struct slv_command *c;

	slv_buf_text(out,
	    "Usage: salvor FILE...                     "
	    "as verify, and say what to do next\n"
	    "       salvor COMMAND [OPTION...] FILE...\n\nCommands:\n");
	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		put_command(out, c);
		every |= c->bit;
	}
	slv_buf_text(out,
	    "\nThe input is never modified, unless --in-place is given.  "
	    "\"--\" "
	    "ends the options;\nlong options are not abbreviated.  The "
	    "options, "
	    "and the commands that take them:\n");
	put_groups(out, every, true);
}

static void
put_about(struct slv_buf *out, const struct slv_command *c)
{
	slv_buf_printf(out,
	    "salvor %s - %s\n\nUsage: salvor %s [OPTION...] %s\n\n", c->name,
	    c->summary, c->name, c->operands);
	slv_wrap(out, 0, WIDE, c->about);
	put_groups(out, c->bit, false);
}

char *
slv_help_all(const struct slv_command *c)
{
	struct slv_buf out = { 0 };

	if (c == NULL)
		put_program(&out);
	else
		put_about(&out, c);
	if (c == NULL
	    || (c->bit != SLV_CMD_EXPLAIN && c->bit != SLV_CMD_REPORT))
		put_exit_codes(&out);
	return slv_buf_take(&out);
}
