/* quote.c - words for a command line that somebody may paste into a shell. */
#include "cli/terminal/quote.h"

#include <stdlib.h>
#include <string.h>

#define BARE                                                                   \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"       \
	"@%+=:,./_-"

static void
put_single(struct slv_buf *out, const char *name)
{
	slv_buf_text(out, "'");
	for (; *name != '\0'; name++) {
		if (*name == '\'')
			slv_buf_text(out, "'\\''");
		else
			slv_buf_add(out, name, 1);
	}
	slv_buf_text(out, "'");
}

/* As bash, ksh, zsh and POSIX of 2024 read it. */
static void
put_coded(struct slv_buf *out, const char *name)
{
	slv_buf_text(out, "$'");
	for (; *name != '\0'; name++) {
		unsigned char c = (unsigned char)*name;

		if (c < 0x20 || c >= 0x7f)
			slv_buf_printf(out, "\\%03o", (unsigned)c);
		else if (c == '\'' || c == '\\')
			slv_buf_printf(out, "\\%c", c);
		else
			slv_buf_add(out, name, 1);
	}
	slv_buf_text(out, "'");
}

void
slv_quote(struct slv_buf *out, const char *name)
{
	if (name[0] == '-')
		slv_buf_text(out, "./");
	slv_quote_word(out, name);
}

void
slv_quote_word(struct slv_buf *out, const char *name)
{
	char *safe = slv_escape(name);
	size_t bare = strspn(name, BARE);

	if (safe == NULL)
		out->failed = true;
	else if (strcmp(safe, name) != 0)
		put_coded(out, name);
	else if (bare > 0 && name[bare] == '\0')
		slv_buf_text(out, name);
	else
		put_single(out, name);
	slv_free(safe);
}
