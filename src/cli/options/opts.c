/* opts.c - the command line as data. */
#include "cli/options/opts.h"

#include <string.h>

#include "base/text/wrap.h"
#include "cli/cli.h"
#include "cli/options/nearest.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "cli/terminal/term.h"

static const struct slv_option *
by_letter(char letter, unsigned command)
{
	for (size_t i = 0; i < slv_n_options; i++) {
		if (slv_option_rows[i].letter == letter
		    && (slv_option_rows[i].commands & command) != 0)
			return &slv_option_rows[i];
	}
	return NULL;
}

const struct slv_option *
slv_option_named(const char *name, size_t len, unsigned command)
{
	for (size_t i = 0; i < slv_n_options; i++) {
		if (strlen(slv_option_rows[i].name) == len
		    && memcmp(slv_option_rows[i].name, name, len) == 0
		    && (slv_option_rows[i].commands & command) != 0)
			return &slv_option_rows[i];
	}
	return NULL;
}

/* Whether an option's value may be missing: it is only given as --name=value. */
static bool
may_lack(const struct slv_option *o)
{
	return o->value != NULL && *o->value == '?';
}

/* The arguments that are still to be read. */
struct reader {
	struct slv_args *args;
	unsigned command;
	const char *where; /* messages begin with it */
	char **argv;
	size_t n, at;
};

static bool
unknown(const struct reader *r, const char *text, size_t len)
{
	char name[64] = "";
	struct slv_nearest near = { .wanted = name };

	if (len < sizeof(name))
		memcpy(name, text, len);
	for (size_t i = 0; i < slv_n_options; i++) {
		if ((slv_option_rows[i].commands & r->command) != 0)
			slv_nearest_offer(&near, slv_option_rows[i].name);
	}
	if (near.best != NULL)
		slv_term_error("%sunknown option \"--%.*s\"; did you mean "
		               "\"--%s\"?",
		    r->where, (int)len, text, near.best);
	else
		slv_term_error(
		    "%sunknown option \"--%.*s\"", r->where, (int)len, text);
	return false;
}

static bool
set(const struct reader *r, const struct slv_option *o, const char *value)
{
	if (o->set((uint8_t *)r->args + o->at, value))
		return true;
	slv_term_error("%s\"--%s=%s\" is not possible; it is --%s=%s", r->where,
	    o->name, value, o->name, o->value + may_lack(o));
	return false;
}

static bool
no_value(const struct reader *r, const struct slv_option *o)
{
	slv_term_error("%s\"--%s\" needs a value: --%s=%s", r->where, o->name,
	    o->name, o->value);
	return false;
}

/* --name, --name=value or --name value */
static bool
read_long(struct reader *r, const char *text)
{
	size_t len = strcspn(text, "=");
	const char *value = text[len] == '=' ? text + len + 1 : NULL;
	const struct slv_option *o = slv_option_named(text, len, r->command);

	if (o == NULL)
		return unknown(r, text, len);
	if (o->value == NULL && value != NULL) {
		slv_term_error("%s\"--%s\" takes no value", r->where, o->name);
		return false;
	}
	if (o->value != NULL && value == NULL && !may_lack(o)) {
		if (r->at == r->n)
			return no_value(r, o);
		value = r->argv[r->at++];
	}
	return set(r, o, value != NULL ? value : "");
}

/* -nf, -oOUT or -o OUT */
static bool
read_short(struct reader *r, const char *text)
{
	while (*text != '\0') {
		const struct slv_option *o = by_letter(*text, r->command);

		if (o == NULL) {
			slv_term_error(
			    "%sunknown option \"-%c\"", r->where, *text);
			return false;
		}
		text++;
		if (o->value == NULL || may_lack(o)) {
			if (!set(r, o, ""))
				return false;
			continue;
		}
		if (*text == '\0') {
			if (r->at == r->n)
				return no_value(r, o);
			text = r->argv[r->at++];
		}
		return set(r, o, text);
	}
	return true;
}

bool
slv_opts_parse(struct slv_args *args, unsigned command, const char *where,
    char **argv, size_t n)
{
	struct reader r = { args, command, where, argv, n, 0 };
	bool ended = false; /* "--" was seen */

	args->operands = argv;
	while (r.at < n) {
		char *text = argv[r.at++];

		if (ended || text[0] != '-' || text[1] == '\0')
			argv[args->n_operands++] = text;
		else if (strcmp(text, "--") == 0)
			ended = true;
		else if (text[1] == '-' ? !read_long(&r, text + 2)
		                        : !read_short(&r, text + 1))
			return false;
	}
	return slv_outputs_differ(args, where);
}

bool
slv_opts_at(size_t i, struct slv_opt_info *out)
{
	const struct slv_option *o = &slv_option_rows[i];

	if (i >= slv_n_options)
		return false;
	*out = (struct slv_opt_info){ o->letter, o->name,
		may_lack(o) ? NULL : o->value, o->commands, o->help };
	return true;
}

void
slv_option_put(struct slv_buf *out, const struct slv_option *o)
{
	if (o->letter != '\0')
		slv_buf_printf(out, "  -%c, ", o->letter);
	else
		slv_buf_text(out, "      ");
	slv_buf_printf(out, "--%s", o->name);
	if (may_lack(o))
		slv_buf_printf(out, "[=%s]", o->value + 1);
	else if (o->value != NULL)
		slv_buf_printf(out, "=%s", o->value);
}

static const char *const titles[SLV_GROUPS] = {
	[SLV_GROUP_OUTPUT] = "Output",
	[SLV_GROUP_SALVAGE] = "Salvage",
	[SLV_GROUP_RULES] = "Rules that logs shall keep",
	[SLV_GROUP_BATCH] = "Many files",
	[SLV_GROUP_REPORTS] = "Reports",
	[SLV_GROUP_LIMITS] = "Limits",
	[SLV_GROUP_PROGRAM] = "The program",
};

/* The names of the commands, of those asked for, that have an option. */
static void
put_owners(struct slv_buf *out, unsigned commands)
{
	const char *before = "  (";

	for (size_t i = 0; slv_command_at(i) != NULL; i++) {
		const struct slv_command *c = slv_command_at(i);

		if ((c->bit & commands) == 0)
			continue;
		slv_buf_printf(out, "%s%s", before, c->name);
		before = ", ";
	}
	slv_buf_text(out, *before == ',' ? ")" : "");
}

void
slv_opts_help(struct slv_buf *out, unsigned commands, bool owners)
{
	for (enum slv_group g = 0; g < SLV_GROUPS; g++) {
		bool any = false;

		for (size_t i = 0; i < slv_n_options; i++) {
			const struct slv_option *o = &slv_option_rows[i];

			if (o->group != g || (o->commands & commands) == 0)
				continue;
			if (!any)
				slv_buf_printf(out, "\n%s:\n", titles[g]);
			any = true;
			slv_option_put(out, o);
			if (owners)
				put_owners(out, o->commands);
			slv_buf_text(out, "\n");
			slv_wrap(out, 10, 76, o->help);
		}
	}
}
