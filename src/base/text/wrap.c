/* wrap.c - break text into lines. */
#include "base/text/wrap.h"

#include <stdint.h>
#include <string.h>

#define MARKS     " \v\f\n"
#define HANG_MORE 2
#define RIGHT_MAX 100 /* columns: where the right edge is at most */

struct pen {
	struct slv_buf *out;
	size_t width;
	size_t column; /* in which the next word begins, without the gap */
	size_t blanks; /* before it: nothing is visible of them yet */
	size_t gap;    /* blanks since the last word */
	size_t hang;   /* columns before what continues the line */
	bool begun;    /* the line has a word */
	bool right;    /* the next word goes to the right edge */
};

/* Bytes of a colour's sequence that begins the text; 0: it begins with none. */
static size_t
colour(const char *text)
{
	return text[0] == '\033' && text[1] == '[' ? strcspn(text, "m") + 1 : 0;
}

/* The bytes of the next word, and the columns that it takes. */
static size_t
measure(const char *text, size_t *columns)
{
	size_t len = strcspn(text, MARKS);

	*columns = 0;
	for (size_t i = 0; i < len;) {
		size_t skip = colour(text + i);

		*columns += skip == 0 && ((uint8_t)text[i] & 0xc0) != 0x80;
		i += skip > 0 ? skip : 1;
	}
	return len;
}

/* Blanks before a word that begins a line: fewer where it would not fit. */
static size_t
before(const struct pen *p, size_t wanted, size_t columns)
{
	if (wanted + columns <= p->width)
		return wanted;
	return columns < p->width ? p->width - columns : 0;
}

static void
begin_line(struct pen *p, size_t blanks)
{
	p->begun = false;
	p->column = p->blanks = blanks;
	p->gap = 0;
}

static void
break_line(struct pen *p, size_t columns, size_t wanted)
{
	slv_buf_text(p->out, "\n");
	begin_line(p, before(p, wanted, columns));
}

/* Go to where a word of so many columns ends at the right edge. */
static void
go_right(struct pen *p, size_t columns)
{
	size_t edge = p->width < RIGHT_MAX ? p->width : RIGHT_MAX;
	size_t from = edge > columns ? edge - columns : 0;

	p->right = false;
	p->gap = 2;
	if (p->column + p->gap <= from)
		p->gap = from - p->column;
	else if (p->column + p->gap + columns > p->width)
		break_line(p, columns, from > p->hang ? from : p->hang);
}

static void
put_word(struct pen *p, const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (word[i] == '\t') {
			p->blanks++;
			continue;
		}
		if (p->blanks > 0)
			slv_buf_printf(p->out, "%*s", (int)p->blanks, "");
		p->blanks = 0;
		slv_buf_add(p->out, word + i, 1);
	}
}

/* Put a word where it fits: the bytes of it. */
static size_t
next_word(struct pen *p, const char *text)
{
	size_t columns, len = measure(text, &columns);

	if (p->right)
		go_right(p, columns);
	else if (!p->begun)
		begin_line(p, before(p, p->column + p->gap, columns));
	else if (p->column + p->gap + columns > p->width)
		break_line(p, columns, p->hang);
	p->blanks += p->gap;
	p->column += p->gap + columns;
	p->gap = 0;
	p->begun = true;
	put_word(p, text, len);
	return len;
}

void
slv_fold(struct slv_buf *out, const char *page, unsigned width)
{
	struct pen p = { .out = out, .width = width, .hang = SIZE_MAX };

	while (*page != '\0') {
		switch (*page) {
		case '\n':
			slv_buf_text(out, "\n");
			begin_line(&p, 0);
			p.hang = SIZE_MAX;
			p.right = false;
			page++;
			break;
		case ' ': p.gap++, page++; break;
		case '\v': p.hang = p.column + p.gap, page++; break;
		case '\f': p.right = true, page++; break;
		default:
			if (p.hang == SIZE_MAX)
				p.hang = p.gap + HANG_MORE;
			page += next_word(&p, page);
		}
	}
}

void
slv_wrap(struct slv_buf *out, unsigned indent, unsigned width, const char *text)
{
	struct pen p = { .out = out, .width = width, .hang = indent };

	for (p.gap = indent; *text != '\0'; p.gap = 1) {
		text += next_word(&p, text);
		text += strspn(text, " ");
	}
	if (p.begun)
		slv_buf_text(out, "\n");
}
