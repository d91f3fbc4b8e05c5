/* plan_read.c - read a plan from a file that anyone may have written.
 *
 * Every number is checked before it is used: a range against the size of the
 * input, and the sum of all lengths against the size of the output, so that
 * no sum can overflow.
 */
#include "job/plan/plan_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text/base64.h"
#include "base/text/hex.h"

/* Ranges of the log may be in the output several times, but a few lines must not
 * fill a disk. */
#define TIMES 4
#define SLACK ((uint64_t)1 << 20) /* bytes */

/* A text that is being read. */
struct reader {
	const char *path;
	char *at;      /* the rest of the text */
	size_t n;      /* its bytes */
	size_t number; /* of the line, from 1 */
	struct slv_plan_file *out;
	struct slv_err *err;
};

static enum slv_status
refuse(const struct reader *r, const char *why)
{
	return slv_fail(r->err, SLV_E_REFUSED,
	    "%s: line %zu: %s; it is no plan of salvor, or a damaged one",
	    r->path, r->number, why);
}

/* The next line, without its newline. */
static enum slv_status
next_line(struct reader *r, char **line)
{
	char *end = memchr(r->at, '\n', r->n);

	r->number++;
	if (end == NULL)
		return refuse(r, "is not complete");
	*end = '\0';
	if (memchr(r->at, '\0', (size_t)(end - r->at)) != NULL)
		return refuse(r, "is not text");
	*line = r->at;
	r->n -= (size_t)(end + 1 - r->at);
	r->at = end + 1;
	return SLV_OK;
}

/* The text after a word and a space; NULL: it begins with another word. */
static char *
after(char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1
	                                                     : NULL;
}

/* A number that ends with this byte. */
static bool
number(char **text, char last, uint64_t *out)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*out = strtoull(*text, &end, 10);
	if (errno != 0 || *end != last)
		return false;
	*text = end + (last != '\0');
	return true;
}

static enum slv_status
read_end(struct reader *r, const char *word, struct slv_plan_end *end)
{
	char *text;

	SLV_TRY(next_line(r, &text));
	text = after(text, word);
	if (text == NULL || !number(&text, ' ', &end->size)
	    || strlen(text) != 2 * sizeof(end->sha256)
	    || !slv_hex_read(text, end->sha256, sizeof(end->sha256)))
		return refuse(r, "is not a size and a SHA-256");
	return SLV_OK;
}

/* The report, if the line is one.  It must be about the output. */
static enum slv_status
read_report(struct reader *r, char *text)
{
	struct slv_plan_file *f = r->out;
	const size_t digits = 2 * SLV_SHA1_SIZE;
	struct slv_buf json = { 0 };
	bool good = strlen(text) > digits && text[digits] == ' '
	    && slv_hex_read(text, f->claim.sha1, SLV_SHA1_SIZE)
	    && slv_base64_read(&json, text + digits + 1);
	size_t n = json.len;

	f->claim.size = f->output.size;
	f->report = slv_buf_take(&json);
	if (f->report == NULL)
		return slv_fail(r->err, SLV_E_NOMEM, "out of memory");
	if (!good || n > SLV_SIDECAR_LINE || strlen(f->report) != n
	    || strpbrk(f->report, "\r\n") != NULL
	    || !slv_history_knows(f->report, n, &f->claim))
		return refuse(r, "is not a report about the output");
	return SLV_OK;
}

/* Will the output have that many more bytes? */
static bool
fits(const struct reader *r, uint64_t len)
{
	const struct slv_plan_file *f = r->out;

	return len > 0 && len <= f->output.size - f->plan.size;
}

static enum slv_status
read_copy(struct reader *r, char *text)
{
	struct slv_plan_file *f = r->out;
	uint64_t off, len;

	if (!number(&text, ' ', &off) || !number(&text, '\0', &len))
		return refuse(r, "is not an offset and a length");
	if (!slv_range_in(off, len, f->input.size))
		return refuse(r, "is a range outside of the input");
	if (!fits(r, len))
		return refuse(r, "is more than the output holds");
	return slv_plan_copy(&f->plan, off, len, r->err);
}

static enum slv_status
read_bytes(struct reader *r, char *text)
{
	struct slv_plan_file *f = r->out;
	struct slv_buf bytes = { 0 };
	enum slv_status st = SLV_OK;
	uint64_t len;

	if (!number(&text, ' ', &len))
		return refuse(r, "is not a length and bytes");
	if (!fits(r, len))
		return refuse(r, "is more than the output holds");
	if (!slv_base64_read(&bytes, text)
	    || (!bytes.failed && bytes.len != len))
		st = refuse(r, "has other bytes than it says");
	if (st == SLV_OK)
		st = slv_plan_buf(&f->plan, &bytes, r->err);
	slv_buf_free(&bytes);
	return st;
}

static enum slv_status
read_fill(struct reader *r, char *text)
{
	uint64_t len, byte;

	if (!number(&text, ' ', &len) || !number(&text, '\0', &byte)
	    || byte > UINT8_MAX)
		return refuse(r, "is not a length and a byte");
	if (!fits(r, len))
		return refuse(r, "is more than the output holds");
	return slv_plan_fill(&r->out->plan, (uint8_t)byte, len, r->err);
}

/* What a line between `output` and `end` can be. */
static const struct {
	const char *word;
	enum slv_status (*read)(struct reader *, char *text);
} pieces[] = {
	{ "copy", read_copy },
	{ "bytes", read_bytes },
	{ "fill", read_fill },
};

static enum slv_status
read_piece(struct reader *r, char *line)
{
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		char *text = after(line, pieces[i].word);

		if (text != NULL)
			return pieces[i].read(r, text);
	}
	return refuse(r, "begins with no word of a plan");
}

/* Has the output more bytes than a repair of the input can have, by a plan with so
 * many bytes? */
static bool
is_too_much(const struct slv_plan_file *f, size_t n)
{
	uint64_t copied = f->output.size / TIMES, rest = (SLACK + n) / TIMES;

	return copied > rest && copied - rest > f->input.size;
}

static enum slv_status
read_head(struct reader *r)
{
	uint64_t version;
	char *text;

	SLV_TRY(next_line(r, &text));
	text = after(text, "salvor-plan");
	if (text == NULL || !number(&text, '\0', &version))
		return refuse(r, "does not begin with \"" SLV_PLAN_MAGIC "\"");
	if (version != 1)
		return slv_fail(r->err, SLV_E_REFUSED,
		    "%s: is a plan of version %" PRIu64 ", and this salvor "
		    "knows version 1",
		    r->path, version);
	SLV_TRY(read_end(r, "input", &r->out->input));
	SLV_TRY(read_end(r, "output", &r->out->output));
	if (is_too_much(r->out, r->n))
		return refuse(r, "is far more than a repair of the input");
	return SLV_OK;
}

static enum slv_status
read_all(struct reader *r)
{
	struct slv_plan_file *f = r->out;
	char *line, *report;

	SLV_TRY(read_head(r));
	slv_plan_init(&f->plan, NULL, SLV_SHA256);
	SLV_TRY(next_line(r, &line));
	report = after(line, "report");
	if (report != NULL) {
		SLV_TRY(read_report(r, report));
		SLV_TRY(next_line(r, &line));
	}
	while (strcmp(line, "end") != 0) {
		SLV_TRY(read_piece(r, line));
		SLV_TRY(next_line(r, &line));
	}
	if (f->plan.size != f->output.size)
		return refuse(r, "ends before the output does");
	if (r->n > 0)
		return refuse(r, "is not the last one");
	slv_plan_close(&f->plan);
	memcpy(f->plan.whole, f->output.sha256, sizeof(f->output.sha256));
	f->plan.known = true;
	return SLV_OK;
}

enum slv_status
slv_plan_file_read(struct slv_plan_file *f, const char *path, char *text,
    size_t n, struct slv_err *err)
{
	struct reader r = {
		.path = path, .at = text, .n = n, .out = f, .err = err
	};
	enum slv_status st;

	*f = (struct slv_plan_file){ .plan = { .n = 0 } };
	st = read_all(&r);
	if (st != SLV_OK)
		slv_plan_file_free(f);
	return st;
}

void
slv_plan_file_free(struct slv_plan_file *f)
{
	slv_plan_free(&f->plan);
	slv_free(f->report);
	f->report = NULL;
}
