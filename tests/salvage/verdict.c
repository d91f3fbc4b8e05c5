/* verdict.c - repair one damaged log and judge what came of it. */
#include "salvage/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "salvage/sight.h"

struct trial {
	struct sight see;
	const struct original *o;
	const struct harmed *h;
	const struct repaired *r; /* what is judged */
	const uint8_t *out;       /* a copy of its output */
	struct verdict *v;
	bool *found;   /* which blocks of the original are in the output */
	bool resealed; /* nothing is handed out unasked */
};

const char *
wrong_name(int bit)
{
	static const char *const names[WRONGS] = { "invented", "torn", "missed",
		"sound", "silent", "proof", "broken", "left" };

	return names[bit];
}

/* What is in the output. */

/* The block of the original that these bytes are and that was not met yet;
 * mostly the one after the last. */
static bool
find(struct trial *t, const uint8_t *bytes, size_t n, size_t *next)
{
	const struct original *o = t->o;

	for (size_t k = 0; k < o->log.n; k++) {
		size_t i = (*next + k) % o->log.n;
		const struct made_block *b = &o->log.blocks[i];

		if (t->found[i] || b->end - b->off != n
		    || memcmp(o->log.bytes.at + b->off, bytes, n) != 0)
			continue;
		t->found[i] = true;
		*next = i + 1;
		return true;
	}
	return false;
}

/* A block of data that is none of the original's. */
static void
judge_stranger(struct trial *t, const uint8_t *bytes, size_t n)
{
	const struct original *o = t->o;

	if (t->v->invented + t->v->torn + t->v->unseen == 0)
		t->v->first_strange = (size_t)(bytes - t->out);

	for (size_t i = 0; i < o->log.n; i++) {
		const struct made_block *b = &o->log.blocks[i];

		if (b->kind != MADE_DATA || b->end - b->off != n)
			continue;
		if (memcmp(o->log.bytes.at + b->off, bytes, b->payload - b->off)
		        == 0
		    && memcmp(o->log.bytes.at + b->off, bytes, n) != 0) {
			if (sight_hides_tear(&t->see, b))
				t->v->unseen += !t->resealed;
			else
				t->v->torn++;
			return;
		}
		if (sight_hides_change(&t->see, b, bytes, n)) {
			t->v->unseen++;
			return;
		}
	}
	t->v->invented++;
}

static void
look_at_output(struct trial *t)
{
	const struct original *o = t->o;
	struct made_log out = { 0 };
	bool *seen = must_alloc(DECLARED_MAX);
	size_t next = 0;
	bool whole = made_walk(
	    &out, o->grammar, o->type_first, t->r->out.at, t->r->out.n);

	t->out = out.bytes.at;
	memset(seen, 0, DECLARED_MAX);
	if (!whole || out.blocks[0].kind != MADE_FILE
	    || !(made_digest_ok(t->r->out.at, t->r->out.n, false)
	        || made_digest_ok(t->r->out.at, t->r->out.n, true)))
		t->v->wrong |= WRONG_BROKEN;
	for (size_t i = 0; i < out.n; i++) {
		const struct made_block *b = &out.blocks[i];
		const uint8_t *bytes = out.bytes.at + b->off;
		size_t n = b->end - b->off;
		uint32_t series;

		if (b->kind == MADE_SERIES
		    && series_of(bytes, n, b->kind, &series)) {
			bool known =
			    series < DECLARED_MAX && o->declared[series];

			t->v->invented += !known || seen[series];
			if (known)
				seen[series] = true;
		}
		if (b->kind != MADE_SERIES && b->kind != MADE_DATA)
			continue;
		if (!find(t, bytes, n, &next) && b->kind == MADE_DATA)
			judge_stranger(t, bytes, n);
	}
	free(seen);
	made_free(&out);
}

/* The reckoning. */

/* Whether the books say what became of every byte, once. */
static bool
are_books_kept(const struct trial *t)
{
	const struct slv_extent *x = (const void *)t->r->catalog.at;
	size_t n = t->r->catalog.n / sizeof(*x);
	uint64_t at = 0;

	for (size_t i = 0; i < n; i++) {
		if (x[i].off != at || x[i].len == 0)
			return false;
		at += x[i].len;
	}
	return at == t->h->bytes.n;
}

/* Whether the books say of [off, end) that anything is lost.  Not of all: the
 * bytes of a cut can be counted to either side where both are alike. */
static bool
is_owned_up(const struct trial *t, size_t off, size_t end)
{
	const struct slv_extent *x = (const void *)t->r->catalog.at;
	size_t n = t->r->catalog.n / sizeof(*x);

	if (t->r->state == SLV_STATE_INTACT
	    || t->r->state == SLV_STATE_REPAIRED)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (x[i].off < end && off < x[i].off + x[i].len
		    && (x[i].fate == SLV_LOST || x[i].fate == SLV_FOREIGN))
			return true;
	}
	return false;
}

/* Whether the log says it is of a version that nobody knows, and nothing
 * else says that this is wrong: the only thing to do is to leave it alone. */
static bool
is_unsupported(const struct trial *t)
{
	const uint8_t *was = t->o->log.bytes.at, *is = t->h->bytes.at;
	size_t at = t->o->major;

	return t->r->state == SLV_STATE_UNSUPPORTED && !t->see.digest
	    && t->h->still && memcmp(is, was, at) == 0
	    && memcmp(is + at + 1, was + at + 1, t->h->limit - at - 1) == 0;
}

static void
reckon(struct trial *t)
{
	bool unsupported = is_unsupported(t);

	for (size_t i = 0; i < t->o->log.n; i++) {
		const struct made_block *b = &t->o->log.blocks[i];
		size_t at = sight_place(&t->see, b);
		bool keepable = at != SIZE_MAX;

		if ((b->kind != MADE_SERIES && b->kind != MADE_DATA)
		    || b->end > t->h->limit)
			continue;
		if (b->kind == MADE_DATA && !keepable && t->see.index)
			keepable = b->payload == b->end
			    || harm_place(t->h, t->o, b->payload, b->end)
			        != SIZE_MAX;
		if (!keepable
		    || (!t->found[i] && at != SIZE_MAX
		        && sight_buries(&t->see, at)))
			continue;
		if (!t->found[i] && at != SIZE_MAX && t->r->planned
		    && !is_owned_up(t, at, at + (b->end - b->off)))
			t->v->wrong |= WRONG_SILENT;
		if (!t->found[i]
		    && (unsupported || sight_suspect(&t->see, b, at))) {
			t->v->aside++;
			continue;
		}
		t->v->keepable++;
		if (!t->found[i] && t->v->kept == t->v->keepable - 1)
			t->v->first_missed = b->off;
		t->v->kept += t->found[i];
	}
}

static void
convict(struct trial *t)
{
	struct verdict *v = t->v;
	bool bad = v->invented + v->torn + v->unseen > 0;

	if (v->invented > 0)
		v->wrong |= WRONG_INVENTED;
	if (v->torn > 0)
		v->wrong |= WRONG_TORN;
	if (v->kept < v->keepable)
		v->wrong |= WRONG_MISSED;
	if (v->state == SLV_STATE_INTACT
	    && (t->o->sha1 || t->h->limit < t->o->log.bytes.n))
		v->wrong |= WRONG_SOUND;
	if (v->state == SLV_STATE_REPAIRED && t->see.digest && bad)
		v->wrong |= WRONG_SOUND;
	if (v->by_digest && v->planned && !v->exact)
		v->wrong |= WRONG_PROOF;
}

void
verdict_judge(struct verdict *v, const struct original *o,
    const struct harmed *h, const struct repaired *unasked,
    const struct repaired *asked)
{
	const struct repaired *r = asked != NULL ? asked : unasked;
	struct trial t = { .see = sight_of(o, h),
		.o = o,
		.h = h,
		.r = r,
		.v = v,
		.resealed = asked != NULL };

	*v = (struct verdict){
		.state = unasked->state,
		.planned = unasked->planned,
		.proven = unasked->proven,
		.by_digest = unasked->assurance == SLV_BY_DIGEST,
	};
	if (r->status != SLV_OK || !are_books_kept(&t))
		v->wrong |= WRONG_BROKEN;
	t.found = must_alloc(o->log.n);
	memset(t.found, 0, o->log.n);
	if (r->status == SLV_OK && r->planned) {
		v->exact = !t.resealed && r->out.n == o->log.bytes.n
		    && memcmp(r->out.at, o->log.bytes.at, r->out.n) == 0;
		look_at_output(&t);
	}
	reckon(&t);
	convict(&t);
	free(t.found);
}

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void
verdict_reach(struct verdict *v, const struct original *o,
    const struct harmed *h, bool flips, struct blob *out)
{
	struct repaired r = { 0 }, asked = { 0 };
	double began = now(), took;
	bool ask;

	repair_memory(&r, h->bytes.at, h->bytes.n, flips ? REPAIR_EFFORT : 0);
	took = now() - began;
	ask = r.status == SLV_OK && !r.planned && r.state == SLV_STATE_DAMAGED;
	if (ask)
		repair_memory(&asked, h->bytes.at, h->bytes.n, REPAIR_RESEAL);
	verdict_judge(v, o, h, &r, ask ? &asked : NULL);
	v->seconds = took;
	blob_set(out, r.out.at, r.out.n);
	repaired_free(&r);
	repaired_free(&asked);
}
