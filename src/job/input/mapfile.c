/* mapfile.c - maps of a file in the format of GNU ddrescue.
 *
 * Comments begin with #.  The first other line is the current state of the
 * rescue.  Each line after it is a position, a size and a status, and they
 * follow each other with no gap and no overlap.
 */
#include "job/input/mapfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "io/read/slurp.h"
#include "salvor_many.h"

#define READ_MAX ((size_t)64 << 20) /* bytes of a map */

static char
status_of(enum slv_fate fate)
{
	switch (fate) {
	case SLV_KEPT:
	case SLV_REBUILT: return '+';
	case SLV_LOST: return '-';
	case SLV_FILLER:
	case SLV_FOREIGN:
	case SLV_FATES: break;
	}
	return '?';
}

enum slv_status
slv_mapfile_add(
    struct slv_lines *lines, const struct slv_catalog *c, struct slv_err *err)
{
	uint64_t begin = 0;

	SLV_TRY(slv_lines_add(lines,
	    "# Mapfile. Created by salvor\n"
	    "# current_pos  current_status\n"
	    "0x00000000     +\n"
	    "#      pos        size  status\n",
	    err));
	for (size_t i = 0; i < c->n; i++) {
		const struct slv_extent *x = &c->at[i];
		uint64_t end = x->off + x->len;
		char status = status_of(x->fate), text[64];

		if (i + 1 < c->n && status_of(x[1].fate) == status)
			continue;
		snprintf(text, sizeof(text),
		    "0x%08" PRIX64 "  0x%08" PRIX64 "  %c\n", begin,
		    end - begin, status);
		SLV_TRY(slv_lines_add(lines, text, err));
		begin = end;
	}
	return SLV_OK;
}

/* A map that is being read. */
struct reader {
	const char *path;
	struct slv_source *source;
	size_t line;   /* its number, from 1 */
	bool current;  /* the current state was read */
	uint64_t upto; /* the next position */
};

static enum slv_status
bad_line(const struct reader *r, const char *why, struct slv_err *err)
{
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: line %zu: %s; it is no mapfile of ddrescue, or a damaged one",
	    r->path, r->line, why);
}

/* The next number of a line, in any notation of C. */
static bool
number(const char **text, uint64_t *out)
{
	const char *at = *text + strspn(*text, " \t");
	char *end;

	if (strspn(at, "0123456789") == 0)
		return false;
	errno = 0;
	*out = strtoull(at, &end, 0);
	*text = end;
	return errno == 0 && strspn(end, " \t\r") > 0;
}

/* The status at the end of a line: one of these letters. */
static bool
letter(const char **text, const char *letters, char *out)
{
	const char *at = *text + strspn(*text, " \t");

	*out = *at;
	if (*at == '\0' || strchr(letters, *at) == NULL)
		return false;
	*text = at + 1;
	return **text == '\0' || strchr(" \t\r", **text) != NULL;
}

/* A position, a size and a status. */
static enum slv_status
read_area(struct reader *r, const char *text, struct slv_err *err)
{
	uint64_t off, len, size = r->source->size;
	char status;

	if (!number(&text, &off) || !number(&text, &len)
	    || !letter(&text, "?*/-+", &status)
	    || text[strspn(text, " \t\r")] != '\0')
		return bad_line(
		    r, "is not a position, a size and one of ?*/-+", err);
	if (off != r->upto || len == 0 || len > UINT64_MAX - off)
		return bad_line(
		    r, "does not begin where the one before it ends", err);
	r->upto = off + len;
	if (status == '+' || off >= size)
		return SLV_OK;
	if (len > size - off)
		len = size - off;
	SLV_TRY(slv_ranges_add(&r->source->unrescued, off, len, err));
	return slv_ranges_add(&r->source->unreadable, off, len, err);
}

/* The current state of the rescue; its pass may be missing. */
static enum slv_status
read_current(struct reader *r, const char *text, struct slv_err *err)
{
	uint64_t off;
	char status;

	if (!number(&text, &off) || !letter(&text, "?*/-FG+", &status))
		return bad_line(r, "is not a position and a status", err);
	r->current = true;
	return SLV_OK;
}

static enum slv_status
read_line(struct reader *r, char *text, struct slv_err *err)
{
	r->line++;
	text += strspn(text, " \t\r");
	text[strcspn(text, "#")] = '\0';
	if (*text == '\0')
		return SLV_OK;
	return r->current ? read_area(r, text, err)
	                  : read_current(r, text, err);
}

static enum slv_status
read_text(struct reader *r, char *text, struct slv_err *err)
{
	while (*text != '\0') {
		size_t n = strcspn(text, "\n");
		bool last = text[n] == '\0';

		text[n] = '\0';
		SLV_TRY(read_line(r, text, err));
		text += n + !last;
	}
	if (r->upto >= r->source->size && r->current)
		return SLV_OK;
	return slv_fail(err, SLV_E_REFUSED,
	    "%s: line %zu: ends at byte %" PRIu64 " of %" PRIu64
	    "; it is not the map of %s",
	    r->path, r->line, r->upto, r->source->size, r->source->name);
}

enum slv_status
slv_mapfile_apply(const char *path, struct slv_source *source,
    const volatile sig_atomic_t *cancel, struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a mapfile of ddrescue",
		.most = READ_MAX,
		.cancel = cancel,
	};
	struct reader r = { .path = path, .source = source };
	struct slv_buf buf = { 0 };
	enum slv_status st = slv_slurp_path(path, &how, &buf, err);
	char *text = slv_buf_take(&buf);

	if (st == SLV_OK && text == NULL)
		st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (st == SLV_OK)
		st = read_text(&r, text, err);
	slv_free(text);
	return st;
}
