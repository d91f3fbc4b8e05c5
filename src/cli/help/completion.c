/* completion.c - what a shell needs to complete our command line. */
#include "cli/help/completion.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/options/options.h"

/* Command i of those that have options; "no command" is the last. */
static const struct slv_command *
command_at(size_t i)
{
	const struct slv_command *c = slv_command_at(i);

	if (c == NULL && i > 0 && slv_command_at(i - 1) != NULL)
		c = slv_command_look();
	return c;
}

/* Whether the value is one of the words that --help shows: "a|b".  There,
 * names of files are in capitals. */
static bool
has_words(const char *value)
{
	return value != NULL && *value >= 'a' && *value <= 'z';
}

/* Append "a|b" as "a b". */
static void
put_words(struct slv_buf *out, const char *value)
{
	for (; *value != '\0'; value++)
		slv_buf_add(out, *value == '|' ? " " : value, 1);
}

static void
put_ids(struct slv_buf *out)
{
	for (size_t i = 0; slv_problem_at(i) != NULL; i++)
		slv_buf_printf(
		    out, "%s%s", i > 0 ? " " : "", slv_problem_at(i)->id);
}

/* Append the first clause of a help text, with a backslash before each byte of
 * `special`; at an apostrophe the quotes are closed, and opened again after
 * it. */
static void
put_about(struct slv_buf *out, const char *text, const char *special)
{
	size_t n = strcspn(text, ";.");

	while (text[n] == '.' && text[n + 1] != ' ' && text[n + 1] != '\0')
		n += 1 + strcspn(text + n + 1, ";.");

	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\'') {
			slv_buf_text(out, "'\\''");
			continue;
		}
		if (strchr(special, text[i]) != NULL)
			slv_buf_text(out, "\\");
		slv_buf_add(out, text + i, 1);
	}
}

static void
put_bash_command(struct slv_buf *out, const struct slv_command *c)
{
	const struct slv_option *o;

	slv_buf_printf(out, "\t%s)\n\t\toptions='", *c->name ? c->name : "*");
	for (size_t i = 0; (o = slv_option_next(&i, c->bit)) != NULL;) {
		if (o->letter != '\0')
			slv_buf_printf(out, "-%c ", o->letter);
		slv_buf_printf(out, "--%s%s ", o->name,
		    slv_option_must(o, c->bit) != NULL ? "=" : "");
	}
	slv_buf_text(out, "'\n\t\tcase $key in\n");
	for (size_t i = 0; (o = slv_option_next(&i, c->bit)) != NULL;) {
		const char *value = slv_option_must(o, c->bit);

		if (value == NULL)
			continue;
		slv_buf_text(out, "\t\t");
		if (o->letter != '\0')
			slv_buf_printf(out, "-%c | ", o->letter);
		slv_buf_printf(out, "--%s) valued=1", o->name);
		if (has_words(value)) {
			slv_buf_text(out, " words='");
			put_words(out, value);
			slv_buf_text(out, "'");
		}
		slv_buf_text(out, " ;;\n");
	}
	slv_buf_text(out, "\t\tesac\n\t\t;;\n");
}

/* bash takes "=" for a word of its own; names of files are left to it, which
 * knows how to quote them. */
static void
put_bash(struct slv_buf *out)
{
	slv_buf_text(out,
	    "# bash completion for salvor; made by salvor --completion bash\n"
	    "_salvor()\n{\n"
	    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} key= options= words=\n"
	    "\tlocal command=${COMP_WORDS[1]} valued=\n\n"
	    "\tCOMPREPLY=()\n"
	    "\tkey=${COMP_WORDS[COMP_CWORD-1]}\n"
	    "\tif [[ $cur == = ]]; then\n\t\tcur=\n"
	    "\telif [[ $key == = && $COMP_CWORD -gt 2 ]]; then\n"
	    "\t\tkey=${COMP_WORDS[COMP_CWORD-2]}\n\tfi\n"
	    "\t[[ $COMP_CWORD -eq 1 ]] && command=\n"
	    "\tcase $command in\n");
	for (size_t i = 0; command_at(i) != NULL; i++)
		put_bash_command(out, command_at(i));
	slv_buf_text(out,
	    "\tesac\n"
	    "\tif [[ $valued ]]; then\n\t\t:\n"
	    "\telif [[ $cur == -* ]]; then\n\t\twords=$options\n"
	    "\telif [[ $COMP_CWORD -eq 1 ]]; then\n\t\twords='");
	for (size_t i = 0; slv_command_at(i) != NULL; i++)
		slv_buf_printf(out, "%s ", slv_command_at(i)->name);
	slv_buf_text(
	    out, "'\n\telif [[ $command == explain ]]; then\n\t\twords='");
	put_ids(out);
	slv_buf_text(out,
	    "'\n\tfi\n"
	    "\t[[ $words ]] || return 0\n"
	    "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
	    "\t[[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace\n"
	    "\treturn 0\n}\n"
	    "complete -o default -F _salvor salvor\n");
}

static void
put_zsh_option(struct slv_buf *out, const struct slv_command *c,
    const struct slv_option *o)
{
	const char *value = slv_option_must(o, c->bit);

	slv_buf_text(out, " \\\n\t\t\t");
	if (o->letter != '\0')
		slv_buf_printf(out, "{-%c%s,--%s%s}", o->letter,
		    value != NULL ? "+" : "", o->name,
		    value != NULL ? "=" : "");
	else
		slv_buf_printf(
		    out, "--%s%s", o->name, value != NULL ? "=" : "");
	slv_buf_text(out, "'[");
	put_about(out, o->help, "[]:\\");
	slv_buf_text(out, "]");
	if (has_words(value)) {
		slv_buf_text(out, ":value:(");
		put_words(out, value);
		slv_buf_text(out, ")");
	} else if (value != NULL) {
		slv_buf_printf(out, ":%s:_files", value);
	}
	slv_buf_text(out, "'");
}

static void
put_zsh(struct slv_buf *out)
{
	const struct slv_command *c;
	const struct slv_option *o;

	slv_buf_text(out,
	    "#compdef salvor\n"
	    "# zsh completion for salvor; made by salvor --completion zsh\n"
	    "_salvor() {\n\tlocal -a commands\n\tcommands=(\n");
	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		slv_buf_printf(out, "\t\t'%s:", c->name);
		put_about(out, c->summary, "\\");
		slv_buf_text(out, "'\n");
	}
	slv_buf_text(out,
	    "\t)\n"
	    "\tif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
	    "\t\t_describe -t commands command commands\n"
	    "\t\t_files\n\t\treturn\n\tfi\n"
	    "\tif (( ${commands[(I)$words[2]:*]} )); then\n"
	    "\t\tshift words\n\t\t(( CURRENT-- ))\n"
	    "\tfi\n"
	    "\tcase $words[1] in\n");
	for (size_t i = 0; (c = command_at(i)) != NULL; i++) {
		slv_buf_printf(out, "\t%s)\n\t\t_arguments -s -S",
		    *c->name ? c->name : "*");
		for (size_t k = 0; (o = slv_option_next(&k, c->bit)) != NULL;)
			put_zsh_option(out, c, o);
		if (c->bit == SLV_CMD_EXPLAIN) {
			slv_buf_text(out, " \\\n\t\t\t'1:finding:(");
			put_ids(out);
			slv_buf_text(out, ")'\n\t\t;;\n");
		} else {
			slv_buf_text(
			    out, " \\\n\t\t\t'*:file:_files'\n\t\t;;\n");
		}
	}
	slv_buf_text(out, "\tesac\n}\n_salvor \"$@\"\n");
}

static void
put_fish_option(struct slv_buf *out, const struct slv_command *c,
    const struct slv_option *o)
{
	const char *value = slv_option_must(o, c->bit);

	slv_buf_text(out, "complete -c salvor -n ");
	if (*c->name != '\0')
		slv_buf_printf(
		    out, "'__fish_seen_subcommand_from %s'", c->name);
	else
		slv_buf_text(out, "__fish_use_subcommand");
	if (o->letter != '\0')
		slv_buf_printf(out, " -s %c", o->letter);
	slv_buf_printf(out, " -l %s", o->name);
	if (has_words(value)) {
		slv_buf_text(out, " -x -a '");
		put_words(out, value);
		slv_buf_text(out, "'");
	} else if (value != NULL) {
		slv_buf_text(out, " -r -F");
	}
	slv_buf_text(out, " -d '");
	put_about(out, o->help, "\\");
	slv_buf_text(out, "'\n");
}

static void
put_fish(struct slv_buf *out)
{
	const struct slv_command *c;
	const struct slv_option *o;

	slv_buf_text(out,
	    "# fish completion for salvor; made by salvor --completion fish\n");
	for (size_t i = 0; (c = slv_command_at(i)) != NULL; i++) {
		slv_buf_printf(out,
		    "complete -c salvor -n __fish_use_subcommand -a %s -d '",
		    c->name);
		put_about(out, c->summary, "\\");
		slv_buf_text(out, "'\n");
	}
	for (size_t i = 0; (c = command_at(i)) != NULL; i++) {
		for (size_t k = 0; (o = slv_option_next(&k, c->bit)) != NULL;)
			put_fish_option(out, c, o);
	}
	slv_buf_text(out,
	    "complete -c salvor -f "
	    "-n '__fish_seen_subcommand_from explain' -a '");
	put_ids(out);
	slv_buf_text(out, "'\n");
}

char *
slv_completion(const char *shell)
{
	struct slv_buf out = { 0 };

	if (strcmp(shell, "bash") == 0)
		put_bash(&out);
	else if (strcmp(shell, "zsh") == 0)
		put_zsh(&out);
	else
		put_fish(&out);
	return slv_buf_take(&out);
}
