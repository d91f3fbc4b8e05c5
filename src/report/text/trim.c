/* trim.c - a report that must not be longer than so much.
 *
 * The text is cut as it is: a tree of it would take many times its memory.
 */
#include "report/text/trim.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define ENTRIES 1024 /* of a list, the first that is tried */
#define DEPTH   64   /* lists further inside are not cut */

/* Where the reading of the text is. */
struct cut {
	size_t entries;
	size_t depth;
	size_t skip; /* the depth of the list of which the rest is left
	                      * out; 0: none */
	size_t
	    begun[DEPTH]; /* entries of the list at that depth; 0: an object */
};

static void
open_value(struct cut *c, bool list)
{
	c->depth++;
	if (c->depth >= DEPTH)
		return;
	c->begun[c->depth] = list;
	if (list && c->entries == 0 && c->skip == 0)
		c->skip = c->depth;
}

static void
close_value(struct cut *c)
{
	if (c->skip == c->depth)
		c->skip = 0;
	c->depth--;
}

static void
next_entry(struct cut *c)
{
	if (c->skip != 0 || c->depth >= DEPTH || c->begun[c->depth] == 0)
		return;
	if (c->begun[c->depth] >= c->entries)
		c->skip = c->depth;
	c->begun[c->depth]++;
}

/* Bytes of the string or other token that begins there. */
static size_t
token(const char *at)
{
	size_t n = 1;

	if (*at != '"')
		return 1;
	while (at[n] != '\0' && at[n] != '"')
		n += at[n] == '\\' && at[n + 1] != '\0' ? 2 : 1;
	return at[n] == '"' ? n + 1 : n;
}

/* The text with so many entries of each list, and how many that are. */
static char *
cut_lists(const char *text, size_t entries)
{
	struct cut c = { .entries = entries };
	struct slv_buf out = { 0 };

	for (size_t n; *text != '\0'; text += n) {
		bool opens = *text == '[' || *text == '{';

		n = token(text);
		if (*text == ']' || *text == '}')
			close_value(&c);
		else if (*text == ',')
			next_entry(&c);
		if (c.depth == 0 && *text == '}')
			slv_buf_printf(&out, ",\"trimmed\":%zu", entries);
		/* What opens or closes a list that is cut is still there. */
		if (c.skip == 0)
			slv_buf_add(&out, text, n);
		if (opens)
			open_value(&c, *text == '[');
	}
	return slv_buf_take(&out);
}

char *
slv_report_trim(char *report, size_t most)
{
	char *made = NULL;

	if (report == NULL || strlen(report) <= most)
		return report;
	for (size_t entries = ENTRIES;; entries /= 2) {
		slv_free(made);
		made = cut_lists(report, entries);
		if (made == NULL || strlen(made) <= most || entries == 0)
			break;
	}
	slv_free(report);
	return made;
}
