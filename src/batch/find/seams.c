/* seams.c - what is wrong between the segments of a recording.
 *
 * Channels may have clocks of their own, so each is compared only with itself:
 * a seam is a gap in which no channel of both segments continues.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/find/set_file.h"
#include "report/text/words.h"

#define PATIENCE 3.0 /* steps of a channel */
#define LEAST    1.0 /* seconds */

static const struct slv_moment nobody_knows = { .known = false };

struct seams {
	const struct slv_problem_info *const *rows;
	json_t *findings; /* owned */
	struct slv_buf *text;
	bool failed;
};

/* Raise a row; frees the sentence. */
static void
raise_row(struct seams *s, enum slv_set_row which,
    const struct slv_set_file *before, const struct slv_set_file *after,
    struct slv_buf *sentence)
{
	const struct slv_problem_info *row = s->rows[which];
	struct slv_object o = slv_object();
	char *text = slv_buf_take(sentence);
	char *safe = text != NULL ? slv_escape(text) : NULL;

	s->failed |= safe == NULL;
	if (!s->failed) {
		slv_buf_printf(s->text, "  %s  [%s]\n", safe, row->id);
		slv_put(&o, "id", json_string(row->id));
		slv_put(&o, "severity",
		    json_string(slv_severity_name(row->severity)));
		slv_put(
		    &o, "remedy", json_string(slv_remedy_name(row->remedy)));
		slv_put(&o, "before",
		    before != NULL ? slv_json_number(before->name.number)
		                   : json_null());
		slv_put(&o, "after", slv_json_number(after->name.number));
		slv_put_moment(&o, "before_last",
		    before != NULL ? before->last : nobody_knows);
		slv_put_moment(&o, "after_first", after->first);
		slv_put(&o, "text", slv_json_text(text));
		slv_array_add(s->findings, &o, &s->failed);
	} else {
		json_decref(o.json);
	}
	slv_free(safe);
	slv_free(text);
}

static const char *
base_of(const struct slv_set_file *f)
{
	const char *slash = strrchr(f->path, '/');

	return slash != NULL ? slash + 1 : f->path;
}

/* The time of missing segments, by the adjacent ones. */
static void
put_times(struct slv_buf *text, struct slv_moment from, struct slv_moment to)
{
	/* Adjacent segments with another clock show nothing. */
	if (from.known && to.known && slv_moment_compare(from, to) > 0)
		return;
	if (from.known && to.known)
		slv_buf_printf(text, ": between %s and %s UTC",
		    slv_words_moment(from).text, slv_words_moment(to).text);
	else if (from.known)
		slv_buf_printf(
		    text, ": after %s UTC", slv_words_moment(from).text);
	else if (to.known)
		slv_buf_printf(
		    text, ": before %s UTC", slv_words_moment(to).text);
}

/* Segments first to last are missing. */
static void
missing(struct seams *s, uint64_t first, uint64_t last,
    const struct slv_set_file *before, const struct slv_set_file *after)
{
	struct slv_buf text = { 0 };

	if (first == last)
		slv_buf_printf(&text, "segment %" PRIu64 " is missing", first);
	else
		slv_buf_printf(&text,
		    "segments %" PRIu64 " to %" PRIu64 " are missing", first,
		    last);
	put_times(
	    &text, before != NULL ? before->last : nobody_knows, after->first);
	raise_row(s, SLV_SET_MISSING, before, after, &text);
}

/* Approximate seconds between two messages of the channel; 0: unknown. */
static double
step_of(const struct slv_set_channel *c)
{
	return c->messages > 1 && c->first.known && c->last.known
	    ? slv_moment_seconds(c->first, c->last) / (double)(c->messages - 1)
	    : 0;
}

/* What the channels of both segments say about the seam. */
struct seam {
	size_t n;       /* channels that count */
	double least;   /* least silence of one of them, minus its patience */
	double silent;  /* the silence of that one */
	double overlap; /* most seconds that one has in both, or 0, and */
	const char *whose;
};

static void
compare(struct seams *s, const struct slv_set_file *before,
    const struct slv_set_file *after, const struct slv_set_channel *a,
    const struct slv_set_channel *b, struct seam *seam)
{
	struct slv_buf text = { 0 };
	double step = step_of(a) > step_of(b) ? step_of(a) : step_of(b);
	double patience = step * PATIENCE > LEAST ? step * PATIENCE : LEAST;
	double silent;

	if (a->type != NULL && b->type != NULL
	    && strcmp(a->type, b->type) != 0) {
		slv_buf_printf(&text, "%s is %s in %s and %s in %s", a->name,
		    a->type, base_of(before), b->type, base_of(after));
		raise_row(s, SLV_SET_CHANNELS, before, after, &text);
	}
	if (!a->last.known || !b->first.known || step <= 0)
		return;
	silent = slv_moment_seconds(a->last, b->first);
	if (seam->n++ == 0 || silent - patience < seam->least) {
		seam->least = silent - patience;
		seam->silent = silent;
	}
	if ((-silent > patience || slv_moment_compare(b->first, a->first) <= 0)
	    && -silent > seam->overlap) {
		seam->overlap = -silent;
		seam->whose = a->name;
	}
}

/* Return true if all channels have equal counts and equal times. */
static bool
are_one(const struct slv_set_file *a, const struct slv_set_file *b)
{
	if (!a->first.known || a->n_channels != b->n_channels)
		return false;
	for (size_t i = 0; i < a->n_channels; i++) {
		const struct slv_set_channel *x = &a->channels[i];
		const struct slv_set_channel *y = &b->channels[i];

		if (strcmp(x->name, y->name) != 0 || x->messages != y->messages
		    || x->first.known != y->first.known
		    || slv_moment_compare(x->first, y->first) != 0
		    || slv_moment_compare(x->last, y->last) != 0)
			return false;
	}
	return slv_moment_compare(a->first, b->first) == 0
	    && slv_moment_compare(a->last, b->last) == 0;
}

static void
twice(struct seams *s, const struct slv_set_file *before,
    const struct slv_set_file *after)
{
	struct slv_buf text = { 0 };

	slv_buf_printf(&text, "%s holds what %s holds: one segment, twice",
	    base_of(after), base_of(before));
	raise_row(s, SLV_SET_OVERLAP, before, after, &text);
}

/* Two segments in order; `next`: none is missing between them. */
static void
judge_seam(struct seams *s, const struct slv_set_file *before,
    const struct slv_set_file *after, bool next)
{
	struct slv_buf text = { 0 };
	struct seam seam = { .n = 0 };
	size_t i = 0, k = 0;

	while (i < before->n_channels && k < after->n_channels) {
		const struct slv_set_channel *a = &before->channels[i];
		const struct slv_set_channel *b = &after->channels[k];
		int order = strcmp(a->name, b->name);

		if (order == 0)
			compare(s, before, after, a, b, &seam);
		i += order <= 0;
		k += order >= 0;
	}
	if (are_one(before, after)) {
		twice(s, before, after);
	} else if (seam.overlap > 0) {
		slv_buf_printf(&text,
		    "%s begins %.3f s before %s ends, says %s", base_of(after),
		    seam.overlap, base_of(before), seam.whose);
		raise_row(s, SLV_SET_OVERLAP, before, after, &text);
	} else if (next && seam.n > 0 && seam.least > 0) {
		slv_buf_printf(&text,
		    "no channel has a message for %.3f s between %s and %s",
		    seam.silent, base_of(before), base_of(after));
		raise_row(s, SLV_SET_GAP, before, after, &text);
	}
}

/* Recorders of these formats count from 0; others may from 1. */
static uint64_t
first_number(const struct slv_set_file *f)
{
	bool zero =
	    strcmp(f->format, "rosbag") == 0 || strcmp(f->format, "cyber") == 0;

	return zero || f->name.number == 0 ? 0 : 1;
}

json_t *
slv_seams_judge(const struct slv_problem_info *const *rows,
    const struct slv_set_file *f, size_t n, struct slv_buf *text)
{
	struct seams s = {
		.rows = rows,
		.findings = json_array(),
		.text = text,
	};
	uint64_t begin = first_number(&f[0]);

	if (f[0].name.number > begin)
		missing(&s, begin, f[0].name.number - 1, NULL, &f[0]);
	for (size_t i = 1; i < n; i++) {
		const struct slv_set_file *a = &f[i - 1], *b = &f[i];
		struct slv_buf same = { 0 };

		if (b->name.number == a->name.number) {
			slv_buf_printf(&same, "%s and %s have one number",
			    base_of(a), base_of(b));
			raise_row(&s, SLV_SET_OVERLAP, a, b, &same);
		} else if (b->name.number > a->name.number + 1) {
			missing(
			    &s, a->name.number + 1, b->name.number - 1, a, b);
			judge_seam(&s, a, b, false);
		} else {
			judge_seam(&s, a, b, true);
		}
	}
	return slv_array_done(s.findings, s.failed);
}
