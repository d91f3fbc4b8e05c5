/* sent.c - what a worker sends of a file that it has done.
 *
 * Numbers are 8 bytes each; a text has its length in front, with its NUL, which is
 * 0 where there is none.
 */
#include "batch/workers/sent.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/text/hex.h"
#include "base/json/json_form.h"
#include "batch/journal/tally.h"
#include "report/json/json_object.h"
#include "report/sums.h"

#define NANO  1e9
#define SOME  ((uint64_t)INT64_MAX) /* of bytes or findings */
#define TEXTS 4                     /* output, text, report, digests */

/* What a colour begins and ends with (report/text/report_text.c). */
static const char *const colours[] = { "\033[1;31m", "\033[32m", "\033[1;33m",
	"\033[0m" };

static void
put(struct slv_buf *out, uint64_t n)
{
	uint8_t at[8];

	slv_put_le64(at, n);
	slv_buf_add(out, at, sizeof(at));
}

static void
put_text(struct slv_buf *out, const char *text)
{
	size_t n = text != NULL ? strlen(text) + 1 : 0;

	put(out, n);
	slv_buf_add(out, text, n);
}

static void
put_stamp(struct slv_buf *out, const struct slv_stamp *s)
{
	put(out, s->size);
	put(out, (uint64_t)s->mtime);
	put(out, s->inode);
}

static void
put_sum(struct slv_buf *out, const struct slv_sent_sum *s)
{
	put(out, s->there);
	slv_buf_add(out, s->at, sizeof(s->at));
}

void
slv_sent_pack(const struct slv_sent *s, struct slv_buf *out)
{
	const struct slv_totals *t = &s->totals;

	put(out, s->before);
	put(out, s->aside);
	put(out, s->failed);
	put(out, s->promised);
	put(out, (uint64_t)s->code);
	put(out, (uint64_t)s->state);
	put(out, (uint64_t)s->policy);
	put(out, (uint64_t)s->baseline);
	put(out, (uint64_t)(s->seconds * NANO));
	put(out, t->failures);
	put(out, t->size);
	for (int i = 0; i < SLV_BYTES; i++)
		put(out, t->bytes[i]);
	put(out, t->outputs);
	put(out, t->output_size);
	put(out, t->unsure);
	put(out, t->problems);
	put_stamp(out, &s->input);
	put_sum(out, &s->sum);
	put_stamp(out, &s->stamp);
	put_sum(out, &s->output_sum);
	put_text(out, s->output);
	put_text(out, s->text);
	put_text(out, s->report);
	put_text(out, s->digests);
}

/* What is left to read; not good: it is no result. */
struct reader {
	const uint8_t *at;
	size_t left;
	bool good;
};

/* The next number, which is at most this. */
static uint64_t
get(struct reader *r, uint64_t most)
{
	uint64_t n = 0;

	r->good = r->good && r->left >= 8;
	if (r->good) {
		n = slv_get_le64(r->at);
		r->at += 8;
		r->left -= 8;
		r->good = n <= most;
	}
	return r->good ? n : 0;
}

/* The next text, in its place; NULL: there is none. */
static const char *
get_text(struct reader *r)
{
	size_t n = (size_t)get(r, r->left);
	const uint8_t *at = r->at;

	r->good = r->good && n <= r->left;
	if (!r->good || n == 0)
		return NULL;
	r->good = memchr(at, '\0', n) == at + n - 1;
	r->at += n;
	r->left -= n;
	return r->good ? (const char *)at : NULL;
}

static struct slv_stamp
get_stamp(struct reader *r)
{
	struct slv_stamp s = { 0 };

	s.size = get(r, SOME);
	s.mtime = (int64_t)get(r, UINT64_MAX);
	s.inode = get(r, UINT64_MAX);
	return s;
}

static struct slv_sent_sum
get_sum(struct reader *r)
{
	struct slv_sent_sum s = { .there = get(r, 1) != 0 };

	r->good = r->good && r->left >= sizeof(s.at);
	if (!r->good)
		return s;
	memcpy(s.at, r->at, sizeof(s.at));
	r->at += sizeof(s.at);
	r->left -= sizeof(s.at);
	return s;
}

static void
get_totals(struct reader *r, struct slv_sent *s)
{
	struct slv_totals *t = &s->totals;

	t->failures = get(r, 1);
	t->size = get(r, SOME);
	for (int i = 0; i < SLV_BYTES; i++)
		t->bytes[i] = get(r, SOME);
	t->outputs = get(r, 1);
	t->output_size = get(r, SOME);
	t->unsure = get(r, SOME);
	t->problems = get(r, SOME);
	if (!r->good || s->before)
		return;
	t->files = 1;
	t->states[s->state] = 1;
	t->policy_failed = s->policy == SLV_POLICY_FAIL;
	t->baseline[s->baseline] = 1;
}

/* The texts are borrowed from the bytes; false: these are no result. */
static bool
read_all(struct slv_sent *s, const char *texts[TEXTS], const uint8_t *bytes,
    size_t n)
{
	struct reader r = { bytes, n, true };

	*s = (struct slv_sent){ .before = get(&r, 1) != 0 };
	s->aside = get(&r, 1) != 0;
	s->failed = get(&r, 1) != 0;
	s->promised = get(&r, 1) != 0;
	s->code = (int)get(&r, INT32_MAX);
	s->state = (enum slv_state)get(&r, SLV_STATES - 1);
	s->policy = (enum slv_policy_verdict)get(&r, SLV_POLICY_FAIL);
	s->baseline = (enum slv_baseline_verdict)get(&r, SLV_BASELINES - 1);
	s->seconds = (double)get(&r, SOME) / NANO;
	get_totals(&r, s);
	s->input = get_stamp(&r);
	s->sum = get_sum(&r);
	s->stamp = get_stamp(&r);
	s->output_sum = get_sum(&r);
	for (int i = 0; i < TEXTS; i++)
		texts[i] = get_text(&r);
	return r.good && r.left == 0;
}

/* Bytes of a colour that begins here. */
static size_t
colour_at(const char *text)
{
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++) {
		size_t n = strlen(colours[i]);

		if (strncmp(text, colours[i], n) == 0)
			return n;
	}
	return 0;
}

/* Whether a text can go to a terminal: lines, colours, and nothing that has to
 * be escaped. */
static bool
is_plain(const char *text)
{
	struct slv_buf rest = { 0 };
	char *is, *safe;
	bool good;

	while (*text != '\0') {
		size_t n = *text == '\n' ? 1 : colour_at(text);

		text += n;
		n = strcspn(text, "\n\033");
		/* What is no colour stays, and is refused. */
		n += n == 0 && *text == '\033' && colour_at(text) == 0;
		slv_buf_add(&rest, text, n);
		text += n;
	}
	is = slv_buf_take(&rest);
	safe = is != NULL ? slv_escape(is) : NULL;
	good = safe != NULL && strcmp(is, safe) == 0;
	slv_free(is);
	slv_free(safe);
	return good;
}

/* Whether a report, which is an object, is one of this type about this file.  The
 * rest must not repeat these keys: most readers take the second value. */
static bool
is_about(const char *report, const char *type, const char *path)
{
	static const char *const keys[] = { "type", "schema", "file",
		"file_base64" };
	struct slv_object o = slv_object_of_type(type);
	char *head;
	size_t n;
	bool good;

	slv_put_path(&o, "file", "file_base64", path);
	head = slv_object_dump(&o);
	n = head != NULL ? strlen(head) - 1 : 0;
	good =
	    head != NULL && strncmp(report, head, n) == 0 && report[n] == ',';
	slv_free(head);
	return good
	    && !slv_json_has_any(
	        report + n, keys, sizeof(keys) / sizeof(*keys));
}

/* As slv_report_digests() makes them. */
static bool
are_digests(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                              "abcdefghijklmnopqrstuvwxyz0123456789+/=";
	struct slv_buf head = { 0 };
	size_t n;
	bool good;

	slv_buf_printf(&head,
	    "{\"algorithm\":\"" SLV_PIECE_KIND
	    "\",\"piece\":%llu,\"values\":\"",
	    (unsigned long long)SLV_PIECE);
	n = head.len;
	good = !head.failed && strncmp(text, (const char *)head.at, n) == 0;
	slv_buf_free(&head);
	if (!good)
		return strcmp(text, "null") == 0;
	text += n;
	return strcmp(text + strspn(text, letters), "\"}") == 0;
}

static bool
is_empty(const struct slv_sent *s, const char *const texts[TEXTS])
{
	const struct slv_sent none = { .before = true };
	struct slv_buf is = { 0 }, want = { 0 };
	bool good = true;

	for (int i = 0; i < TEXTS; i++)
		good = good && texts[i] == NULL;
	slv_sent_pack(s, &is);
	slv_sent_pack(&none, &want);
	good = good && !is.failed && !want.failed
	    && memcmp(is.at, want.at, want.len) == 0;
	slv_buf_free(&is);
	slv_buf_free(&want);
	return good;
}

bool
slv_sent_check(
    const uint8_t *bytes, size_t n, const struct slv_sent_asked *asked)
{
	struct slv_sent s;
	const char *texts[TEXTS];
	const char *output, *text, *report, *digests;

	if (!read_all(&s, texts, bytes, n))
		return false;
	if (s.before)
		return asked->before && is_empty(&s, texts);
	output = texts[0], text = texts[1], report = texts[2],
	digests = texts[3];
	if ((s.code & ~asked->code) != 0 || s.seconds > asked->seconds)
		return false;
	/* A worker cannot report a result for a file that it was not asked for. */
	if (output != NULL
	    && (asked->output == NULL || strcmp(output, asked->output) != 0))
		return false;
	/* A requested report may be missing only if memory ran out. */
	if (report == NULL && asked->report && !s.failed)
		return false;
	if (digests != NULL && !asked->digests)
		return false;
	return (text == NULL || is_plain(text))
	    && (report == NULL
	        || (slv_json_is_object(report)
	            && (is_about(report, "file", asked->path)
	                || is_about(report, "error", asked->path))))
	    && (digests == NULL || are_digests(digests));
}

bool
slv_sent_unpack(struct slv_sent *s, const uint8_t *bytes, size_t n)
{
	char **const to[TEXTS] = { &s->output, &s->text, &s->report,
		&s->digests };
	const char *texts[TEXTS];
	bool good = read_all(s, texts, bytes, n);

	for (int i = 0; good && i < TEXTS; i++) {
		if (texts[i] != NULL)
			good = (*to[i] = slv_strdup(texts[i])) != NULL;
	}
	if (!good)
		slv_sent_free(s);
	return good;
}

static struct slv_sent_sum
sum_in(json_t *o)
{
	const char *hex = json_string_value(json_object_get(o, "sha256"));
	struct slv_sent_sum s = { 0 };

	s.there = hex != NULL && slv_hex_read(hex, s.at, sizeof(s.at));
	return s;
}

/* The file that a repair wrote, or found there; NULL: none. */
static json_t *
output_in(json_t *report)
{
	json_t *output = json_object_get(report, "output");
	const char *how = json_string_value(json_object_get(output, "outcome"));

	return how != NULL
	        && (strcmp(how, "written") == 0 || strcmp(how, "already") == 0)
	    ? output
	    : NULL;
}

bool
slv_sent_fill(struct slv_sent *s)
{
	json_t *json = json_loads(s->report, 0, NULL);
	json_t *output = output_in(json);
	bool good = json != NULL;

	s->sum = sum_in(json);
	if (output != NULL) {
		s->output_sum = sum_in(output);
		s->output = slv_get_path(output, "path", "path_base64");
		good = good && s->output != NULL;
	}
	if (s->output != NULL)
		slv_stamp_of(s->output, &s->stamp);
	json_decref(json);
	return good;
}

char *
slv_sent_sums(const struct slv_sent *s, const char *path)
{
	struct slv_buf out = { 0 };

	if (s->sum.there)
		slv_sums_put(&out, s->sum.at, path);
	if (s->output != NULL && s->output_sum.there)
		slv_sums_put(&out, s->output_sum.at, s->output);
	return slv_buf_take(&out);
}

void
slv_sent_free(struct slv_sent *s)
{
	slv_free(s->output);
	slv_free(s->text);
	slv_free(s->report);
	slv_free(s->digests);
	s->output = s->text = s->report = s->digests = NULL;
}
