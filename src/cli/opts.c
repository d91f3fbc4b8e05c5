/* opts.c - the command line as data. */
#include "cli/opts.h"

#include <string.h>

#include "base/wrap.h"
#include "cli/nearest.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/term.h"

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

static const struct slv_option *
by_name(const char *name, size_t len, unsigned command)
{
	for (size_t i = 0; i < slv_n_options; i++) {
		if (strlen(slv_option_rows[i].name) == len
		    && memcmp(slv_option_rows[i].name, name, len) == 0
		    && (slv_option_rows[i].commands & command) != 0)
			return &slv_option_rows[i];
	}
	return NULL;
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
	    o->name, value, o->name, o->value);
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
	const struct slv_option *o = by_name(text, len, r->command);

	if (o == NULL)
		return unknown(r, text, len);
	if (o->value == NULL && value != NULL) {
		slv_term_error("%s\"--%s\" takes no value", r->where, o->name);
		return false;
	}
	if (o->value != NULL && value == NULL) {
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
		if (o->value == NULL) {
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
	*out = (struct slv_opt_info){ o->letter, o->name, o->value, o->commands,
		o->help };
	return true;
}

void
slv_opts_synopsis(struct slv_buf *out, unsigned command)
{
	for (size_t i = 0; i < slv_n_options; i++) {
		const struct slv_option *o = &slv_option_rows[i];

		if ((o->commands & command) == 0
		    || (o->commands & SLV_CMD_NONE) != 0)
			continue;
		if (o->letter != '\0')
			slv_buf_printf(out, " [-%c%s%s]", o->letter,
			    o->value != NULL ? " " : "",
			    o->value != NULL ? o->value : "");
		else
			slv_buf_printf(out, " [--%s%s%s]", o->name,
			    o->value != NULL ? "=" : "",
			    o->value != NULL ? o->value : "");
	}
}

void
slv_opts_help(struct slv_buf *out, unsigned command)
{
	for (size_t i = 0; i < slv_n_options; i++) {
		const struct slv_option *o = &slv_option_rows[i];

		if ((o->commands & command) == 0)
			continue;
		if (o->letter != '\0')
			slv_buf_printf(out, "  -%c, ", o->letter);
		else
			slv_buf_text(out, "      ");
		slv_buf_printf(out, "--%s%s%s\n", o->name,
		    o->value != NULL ? "=" : "",
		    o->value != NULL ? o->value : "");
		slv_wrap(out, 10, 76, o->help);
	}
}
