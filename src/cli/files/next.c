/* next.c - the one command to type next. */
#include "cli/files/next.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/amount.h"
#include "base/text/count.h"
#include "base/text/utf8.h"
#include "base/text/wrap.h"
#include "batch/find/lognames.h"
#include "cli/output/reach.h"
#include "cli/terminal/quote.h"

#define NOTE "\n" /* between a command and what is said about it */

void
slv_next_option(struct slv_next_line *l, const char *option, const char *name)
{
	slv_buf_printf(&l->options, " --%s ", option);
	slv_quote(&l->options, name);
}

static const char *
base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Where the output goes that cannot be written where it belongs. */
static void
find_place(struct slv_buf *path, const char *output, uint64_t bytes)
{
	enum slv_reach reach = slv_reach_look(output, bytes);
	const char *dir;

	if (reach == SLV_REACH_TAKEN)
		slv_reach_beside(path, output, bytes);
	if (reach == SLV_REACH_GOOD || path->len > 0)
		return;
	dir = slv_reach_elsewhere(base_of(output), bytes);
	if (dir != NULL)
		slv_buf_printf(path, "%s/%s", dir, base_of(output));
}

static void
add_place(struct slv_next_line *l, const struct slv_next *next)
{
	struct slv_buf path = { 0 };
	char *place;

	find_place(&path, next->output, next->output_size);
	place = slv_buf_take(&path);
	if (place == NULL) {
		l->place.failed = true;
	} else if (*place != '\0') {
		slv_buf_text(&l->place, " -o ");
		slv_quote(&l->place, place);
	}
	slv_free(place);
}

/* One command has one such option: the first that is wanted. */
static void
add_wanting(struct slv_next_line *l, const struct slv_next *next)
{
	if (l->n_wanting == 0) {
		l->option = next->option;
		l->note = next->note;
		add_place(l, next);
	}
	if (strcmp(l->option, next->option) != 0)
		return;
	if (l->n_wanting++ < SLV_NEXT_NAMES) {
		slv_buf_text(&l->wanting, " ");
		slv_quote(&l->wanting, next->argument);
	}
}

/*   output  what it writes; not of files that are moved */
static void
add_file(
    struct slv_next_files *f, const struct slv_next *next, const char *output)
{
	if (f->n == 0)
		slv_quote(&f->output, output);
	if (f->n++ < SLV_NEXT_NAMES) {
		slv_buf_text(&f->names, " ");
		slv_quote(&f->names, next->argument);
	}
	f->bytes += next->output_size;
	f->donor |= next->donor;
	f->split |= next->split;
}

/* Why the output cannot be written beside the input. */
static void
put_why(struct slv_buf *out, enum slv_reach reach, const char *output)
{
	struct slv_buf dir = { 0 };
	char *name;

	if (reach == SLV_REACH_TAKEN) {
		slv_quote(out, output);
		slv_buf_text(out, " exists");
		return;
	}
	slv_reach_directory(&dir, output);
	name = slv_buf_take(&dir);
	slv_buf_text(out,
	    reach == SLV_REACH_FULL ? "no room in directory "
	                            : "cannot write to directory ");
	if (name != NULL)
		slv_quote(out, name);
	else
		out->failed = true;
	slv_free(name);
}

/* The file's output goes to another directory, the same for all of them and
 * each under a name of its own. */
static void
add_moved(
    struct slv_next_line *l, const struct slv_next *next, enum slv_reach reach)
{
	uint64_t bytes = l->moved.bytes + next->output_size;
	const char *name = base_of(next->argument), *dir;
	struct slv_buf word = { 0 }, path = { 0 };
	char *key, *output;

	dir = slv_reach_elsewhere(name, bytes);
	slv_buf_printf(&word, "/%s/", name);
	slv_buf_printf(&path, "%s/%s", dir != NULL ? dir : "DIR", name);
	key = slv_buf_take(&word);
	output = slv_buf_take(&path);
	if (key == NULL || output == NULL) {
		l->bases.failed = true;
	} else if (l->moved.n == 0
	    || (dir == l->dir
	        && memmem(l->bases.at, l->bases.len, key, strlen(key))
	            == NULL)) {
		if (l->moved.n == 0)
			put_why(&l->why, reach, next->output);
		l->dir = dir;
		slv_buf_text(&l->bases, key);
		add_file(&l->moved, next, output);
	}
	slv_free(key);
	slv_free(output);
}

/* The name is taken: another one beside it. */
static bool
add_renamed(struct slv_next_line *l, const struct slv_next *next)
{
	struct slv_amount size = slv_amount(next->output_size);
	struct slv_buf b = { 0 };
	char *output;
	bool good;

	slv_reach_beside(&b, next->output, next->output_size);
	output = slv_buf_take(&b);
	good = output != NULL && *output != '\0';
	if (good && l->alone.len == 0) {
		slv_buf_printf(&l->alone, "salvor repair%s -o ",
		    next->split ? " --split" : "");
		slv_quote(&l->alone, output);
		if (l->options.len > 0)
			slv_buf_add(&l->alone, l->options.at, l->options.len);
		slv_buf_text(&l->alone, " ");
		slv_quote(&l->alone, next->argument);
		slv_buf_text(&l->alone, NOTE "(");
		put_why(&l->alone, SLV_REACH_TAKEN, next->output);
		slv_buf_printf(&l->alone, "; writes %s)", size.text);
	}
	slv_free(output);
	return good;
}

/* A compressed log is decoded on the way. */
static void
add_piped(struct slv_next_line *l, const struct slv_next *next)
{
	struct slv_buf b = { 0 };
	enum slv_reach reach = slv_reach_look(next->output, next->output_size);
	const char *base = base_of(next->output), *dir;
	char *output;

	if (!slv_lognames_promise(next->output, NULL) || l->alone.len > 0)
		return;
	if (reach == SLV_REACH_GOOD) {
		slv_buf_text(&b, next->output);
	} else if (reach == SLV_REACH_TAKEN) {
		slv_reach_beside(&b, next->output, next->output_size);
	} else {
		dir = slv_reach_elsewhere(base, next->output_size);
		if (dir != NULL)
			slv_buf_printf(&b, "%s/%s", dir, base);
	}
	output = slv_buf_take(&b);
	if (output != NULL && *output != '\0') {
		slv_buf_printf(&l->alone, "%s <", next->decoder);
		slv_quote(&l->alone, next->argument);
		slv_buf_text(&l->alone, " | salvor repair -o ");
		slv_quote(&l->alone, output);
		slv_buf_text(&l->alone, " -" NOTE "(the log is compressed)");
	}
	slv_free(output);
}

static void
add_repair(struct slv_next_line *l, const struct slv_next *next)
{
	enum slv_reach reach =
	    slv_reach_look(next->output, l->plain.bytes + next->output_size);

	if (reach == SLV_REACH_GOOD)
		add_file(&l->plain, next, next->output);
	else if (reach != SLV_REACH_TAKEN || !add_renamed(l, next))
		add_moved(l, next, reach);
}

void
slv_next_add(struct slv_next_line *l, const struct slv_report *report)
{
	struct slv_next next = { .size_of = sizeof(next) };

	slv_report_next(report, &next);
	if (next.command == NULL)
		return;
	if (strcmp(next.command, "explain") == 0) {
		if (l->id.len == 0)
			slv_buf_text(&l->id, next.argument);
	} else if (strcmp(next.command, "undo") == 0) {
		if (l->n_undo++ < SLV_NEXT_NAMES) {
			slv_buf_text(&l->undo, " ");
			slv_quote(&l->undo, next.argument);
		}
	} else if (next.option != NULL) {
		add_wanting(l, &next);
	} else if (next.decoder != NULL) {
		add_piped(l, &next);
	} else {
		add_repair(l, &next);
	}
}

static void
put_buf(struct slv_buf *out, const struct slv_buf *b)
{
	out->failed |= b->failed;
	if (b->len > 0)
		slv_buf_add(out, b->at, b->len);
}

static void
put_names(struct slv_buf *out, const struct slv_buf *names, uint64_t n)
{
	if (n <= SLV_NEXT_NAMES)
		put_buf(out, names);
	else
		slv_buf_text(out, " FILE...");
}

static void
put_start(struct slv_buf *out, const struct slv_next_line *l,
    const struct slv_next_files *f)
{
	slv_buf_printf(out, "salvor repair%s", f->split ? " --split" : "");
	put_buf(out, &l->options);
}

static const char *
more_of(const struct slv_next_files *f)
{
	return f->donor ? "; --donor LOG, of the same robot, may save more"
	                : "";
}

static void
put_plain(struct slv_buf *out, const struct slv_next_line *l)
{
	const struct slv_next_files *f = &l->plain;
	struct slv_amount size = slv_amount(f->bytes);

	put_start(out, l, f);
	put_names(out, &f->names, f->n);
	if (f->n == 1) {
		slv_buf_text(out, NOTE "(writes ");
		put_buf(out, &f->output);
		slv_buf_printf(out, ", %s%s)" NOTE "(writes %s%s)", size.text,
		    more_of(f), size.text,
		    f->donor ? "; --donor LOG may save more" : "");
	} else if (f->n <= SLV_NEXT_NAMES) {
		slv_buf_printf(out, NOTE "(writes %s files beside them, %s%s)",
		    slv_count(f->n).text, size.text, more_of(f));
	} else {
		slv_buf_printf(out,
		    NOTE "(with the same files: writes %s beside them, %s%s)",
		    slv_count(f->n).text, size.text, more_of(f));
	}
}

static void
put_moved(struct slv_buf *out, const struct slv_next_line *l)
{
	const struct slv_next_files *f = &l->moved;
	struct slv_amount size = slv_amount(f->bytes);

	put_start(out, l, f);
	slv_buf_text(out, " -d ");
	if (l->dir != NULL)
		slv_quote(out, l->dir);
	else
		slv_buf_text(out, "DIR");
	put_names(out, &f->names, f->n);
	slv_buf_text(out, NOTE "(");
	put_buf(out, &l->why);
	if (l->dir == NULL) {
		slv_buf_printf(out,
		    "; DIR is a directory with room for %s, or --in-place "
		    "changes the file itself)",
		    size.text);
		return;
	}
	slv_buf_text(out, "; writes ");
	if (f->n == 1)
		put_buf(out, &f->output);
	else
		slv_buf_printf(out, "%s files", slv_count(f->n).text);
	slv_buf_printf(out, ", %s%s)", size.text, more_of(f));
}

static void
put_undo(struct slv_buf *out, const struct slv_next_line *l)
{
	slv_buf_text(out, "salvor undo");
	put_names(out, &l->undo, l->n_undo);
	slv_buf_text(out, NOTE "(restores the file; salvor repair --in-place");
	put_names(out, &l->undo, l->n_undo == 1 ? 1 : SLV_NEXT_NAMES + 1);
	slv_buf_text(out, " repairs it again)");
}

/* The options that were added are before the files. */
static void
put_wanting(struct slv_buf *out, const struct slv_next_line *l)
{
	slv_buf_printf(out, "salvor repair %s", l->option);
	put_buf(out, &l->options);
	if (l->n_wanting == 1)
		put_buf(out, &l->place);
	put_names(out, &l->wanting, l->n_wanting);
	slv_buf_printf(out, NOTE "(%s)" NOTE, l->note);
}

static void
free_files(struct slv_next_files *f)
{
	slv_buf_free(&f->names);
	slv_buf_free(&f->output);
}

/* Whether both fit into a line. */
static bool
fits(const char *command, const char *note, unsigned width)
{
	return strlen("next:     ") + slv_utf8_width(command)
	    + slv_utf8_width(note)
	    <= width;
}

/* Somebody copies the command: it is never broken, and its note may be.  Of two
 * notes the first that fits beside the command is taken. */
static void
put_line(struct slv_buf *page, char *command, unsigned width)
{
	char *first = command + strcspn(command, NOTE), *second;
	const char *note;

	if (*first != '\0')
		*first++ = '\0';
	note = first;
	second = first + strcspn(first, NOTE);
	if (*second != '\0') {
		*second++ = '\0';
		if (!fits(command, first, width))
			note = fits(command, second, width) ? second : "";
	}
	slv_buf_text(page, "next:" SLV_TIED);
	for (; *command != '\0'; command++)
		slv_buf_add(page, *command == ' ' ? SLV_TIED : command, 1);
	slv_buf_printf(page, "    %s\n", note);
}

static char *
fold(struct slv_buf *line, unsigned width)
{
	struct slv_buf page = { 0 }, out = { 0 };
	char *text = slv_buf_take(line), *marked;

	if (text == NULL)
		return NULL;
	if (*text != '\0')
		put_line(&page, text, width);
	slv_free(text);
	marked = slv_buf_take(&page);
	if (marked == NULL)
		return NULL;
	slv_fold(&out, marked, width);
	slv_free(marked);
	return slv_buf_take(&out);
}

char *
slv_next_take(struct slv_next_line *l, unsigned width)
{
	struct slv_buf out = { 0 };

	if (l->n_undo > 0)
		put_undo(&out, l);
	else if (l->plain.n > 0)
		put_plain(&out, l);
	else if (l->moved.n > 0)
		put_moved(&out, l);
	else if (l->alone.len > 0)
		put_buf(&out, &l->alone);
	else if (l->n_wanting > 0)
		put_wanting(&out, l);
	else if (l->id.len > 0) {
		slv_buf_text(&out, "salvor explain ");
		put_buf(&out, &l->id);
		slv_buf_text(&out,
		    NOTE "(what it means, and what repair can do)" NOTE
		         "(what it means)");
	}
	slv_buf_free(&l->options);
	free_files(&l->plain);
	free_files(&l->moved);
	slv_buf_free(&l->why);
	slv_buf_free(&l->bases);
	slv_buf_free(&l->alone);
	slv_buf_free(&l->undo);
	slv_buf_free(&l->wanting);
	slv_buf_free(&l->place);
	slv_buf_free(&l->id);
	*l = (struct slv_next_line){ .n_undo = 0 };
	return fold(&out, width);
}
