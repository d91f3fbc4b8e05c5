/* yaml_write.c - a tree as yaml-cpp writes it.
 *
 * ROS 2 writes with yaml-cpp, so a file that is written again differs from the
 * recorder's only where it must.  libyaml's own emitter indents lists
 * differently and prefers other quotes.
 */
#include <string.h>

#include "batch/ros2/yaml.h"

/* Whether the byte ends a word of a plain scalar. */
static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/* What readers take for something else than a character of the text, with how it is
 * escaped: the mark of byte order, and two ends of lines. */
static const struct {
	const char *bytes, *escape;
} odd[] = {
	{ "\xef\xbb\xbf", "\\ufeff" },
	{ "\xe2\x80\xa8", "\\u2028" },
	{ "\xe2\x80\xa9", "\\u2029" },
};

/* The escape of such a character at the start of a text, or NULL. */
static const char *
odd_at(const char *text)
{
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		if (strncmp(text, odd[i].bytes, 3) == 0)
			return odd[i].escape;
	}
	return NULL;
}

/* Return true if the text needs no quotes. */
static bool
is_plain(const char *text)
{
	static const char *const null[] = { "", "~", "null", "Null", "NULL" };
	size_t n = strlen(text);

	for (size_t i = 0; i < sizeof(null) / sizeof(*null); i++) {
		if (strcmp(text, null[i]) == 0)
			return false;
	}
	if (is_blank(text[0]) || strchr(",[]{}#&*!|>'\"%@`", text[0]) != NULL
	    || (strchr("-?:", text[0]) != NULL && is_blank(text[1]))
	    || text[n - 1] == ' ')
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c < ' ' || c == 0x7f || c == '&'
		    || (c == ':' && is_blank(text[i + 1]))
		    || (c == ' ' && text[i + 1] == '#')
		    /* U+0080 to U+009F */
		    || (c == 0xc2 && (unsigned char)text[i + 1] < 0xa0)
		    || odd_at(text + i) != NULL)
			return false;
	}
	return true;
}

/* A control character, or one from U+0080 to U+00A0, in double quotes. */
static void
put_escape(struct slv_buf *out, unsigned c)
{
	static const char from[] = "\"\\\n\t\r\b\f", to[] = "\"\\ntrbf";
	const char *known = c != 0 ? strchr(from, (int)c) : NULL;

	if (known != NULL)
		slv_buf_printf(out, "\\%c", to[known - from]);
	else
		slv_buf_printf(out, "\\x%02x", c);
}

static void
put_quoted(struct slv_buf *out, const char *text)
{
	slv_buf_text(out, "\"");
	for (size_t i = 0; text[i] != '\0'; i++) {
		unsigned char c = (unsigned char)text[i];
		unsigned char next = (unsigned char)text[i + 1];

		if (c < ' ' || c == '"' || c == '\\' || c == 0x7f) {
			put_escape(out, c);
		} else if (c == 0xc2 && next <= 0xa0) {
			put_escape(out, next);
			i++;
		} else if (odd_at(text + i) != NULL) {
			slv_buf_text(out, odd_at(text + i));
			i += 2;
		} else {
			slv_buf_add(out, &text[i], 1);
		}
	}
	slv_buf_text(out, "\"");
}

static void
put_text(struct slv_buf *out, const char *text)
{
	if (is_plain(text))
		slv_buf_text(out, text);
	else
		put_quoted(out, text);
}

static void
put_scalar(struct slv_buf *out, const struct slv_yaml *y, size_t node)
{
	if (slv_yaml_is_null(y, node))
		slv_buf_text(out, "~");
	else
		put_text(out, y->at[node].text);
}

/* A list or a map, whose lines have this indentation; the first one has it
 * already, or there is none. */
static void
put(struct slv_buf *out, const struct slv_yaml *y, size_t node, int indent)
{
	const struct slv_yaml_node *p = &y->at[node];

	if (p->kind == SLV_YAML_SCALAR) {
		put_scalar(out, y, node);
		return;
	}
	if (p->first == SLV_YAML_NONE)
		slv_buf_text(out, p->kind == SLV_YAML_LIST ? "[]" : "{}");
	for (size_t i = p->first; i != SLV_YAML_NONE; i = y->at[i].next) {
		bool below = y->at[i].first != SLV_YAML_NONE;

		if (i != p->first)
			slv_buf_printf(out, "\n%*s", indent, "");
		if (p->kind == SLV_YAML_LIST) {
			slv_buf_text(out, "- ");
			put(out, y, i, indent + 2);
			continue;
		}
		put_text(out, y->at[i].key);
		slv_buf_text(out, ":");
		if (below)
			slv_buf_printf(out, "\n%*s", indent + 2, "");
		else
			slv_buf_text(out, " ");
		put(out, y, i, indent + 2);
	}
}

void
slv_yaml_write(const struct slv_yaml *y, struct slv_buf *out)
{
	if (y->n > 0)
		put(out, y, 0, 0);
}
