/* opts.c - the command line as data. */
#include "cli/options/opts.h"

#include <string.h>

#include "cli/options/nearest.h"
#include "cli/options/options.h"
#include "cli/output/outputs.h"
#include "cli/terminal/term.h"
#include "options/types.h"

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
	const struct slv_option *o;

	if (len < sizeof(name))
		memcpy(name, text, len);
	for (size_t i = 0; (o = slv_option_next(&i, r->command)) != NULL;)
		slv_nearest_offer(&near, o->name);
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
	if (o->type->store(slv_option_home(o, r->args), value))
		return true;
	slv_term_error("%s\"--%s=%s\" is not valid; use --%s=%s", r->where,
	    o->name, value, o->name, o->argument);
	return false;
}

/* The same with the argument of the command line that is next. */
static bool
set_next(struct reader *r, const struct slv_option *o)
{
	if (r->at < r->n)
		return set(r, o, r->argv[r->at++]);
	slv_term_error("%s\"--%s\" needs a value: --%s=%s", r->where, o->name,
	    o->name, o->argument);
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
	if (slv_option_argument(o, r->command) == NULL && value != NULL) {
		slv_term_error("%s\"--%s\" takes no value", r->where, o->name);
		return false;
	}
	if (slv_option_must(o, r->command) != NULL && value == NULL)
		return set_next(r, o);
	return set(r, o, value);
}

/* -nf, -oOUT or -o OUT */
static bool
read_short(struct reader *r, const char *text)
{
	while (*text != '\0') {
		const struct slv_option *o =
		    slv_option_lettered(*text, r->command);

		if (o == NULL) {
			slv_term_error(
			    "%sunknown option \"-%c\"", r->where, *text);
			return false;
		}
		text++;
		if (slv_option_must(o, r->command) != NULL)
			return *text != '\0' ? set(r, o, text) : set_next(r, o);
		if (!set(r, o, NULL))
			return false;
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
