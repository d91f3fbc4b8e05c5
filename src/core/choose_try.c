/* choose_try.c - the doubtful choices, tried against the log's own digest. */
#include <time.h>

#include "base/bytes.h"
#include "core/choose.h"
#include "core/flip.h"

#define TRIED 10 /* choices of which every combination may be tried */

struct search {
	const struct slv_trial *t;
	struct slv_choice *at[TRIED]; /* the most doubtful first */
	size_t n;
	struct slv_source *source; /* the joint */
	struct slv_hasher hasher;
	struct slv_hash_mark mark; /* in front of the first of them */
	uint64_t left;             /* bytes that may still be hashed */
	struct timespec until;
};

/* Take the other copy's bytes; twice is not at all. */
static void
turn(const struct slv_trial *t, struct slv_choice *c)
{
	struct slv_piece *p = &t->joint->at[c->piece];
	struct slv_source *source = p->source;
	uint64_t off = p->off;

	p->source = c->other;
	p->off = c->off;
	c->other = source;
	c->off = off;
}

static void
turn_all(struct search *s, unsigned which)
{
	for (size_t i = 0; i < s->n; i++) {
		if (which & 1u << i)
			turn(s->t, s->at[i]);
	}
}

/* Put a choice among those that are tried, if it is doubtful enough. */
static void
offer(struct search *s, struct slv_choice *c)
{
	size_t i = s->n < TRIED ? s->n : TRIED;

	while (i > 0 && s->at[i - 1]->doubt < c->doubt) {
		if (i < TRIED)
			s->at[i] = s->at[i - 1];
		i--;
	}
	if (i == TRIED)
		return;
	s->at[i] = c;
	if (s->n < TRIED)
		s->n++;
}

static bool
is_spent(struct search *s, uint64_t bytes)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (bytes > s->left || now.tv_sec > s->until.tv_sec
	    || (now.tv_sec == s->until.tv_sec
	        && now.tv_nsec > s->until.tv_nsec))
		return true;
	s->left -= bytes;
	return false;
}

/* The digest of the joint as it is now against the stored one, which may be in
 * doubt itself. */
static enum slv_status
matches(struct search *s, bool *yes, struct slv_err *err)
{
	struct slv_seal seal = *s->t->seal;
	uint8_t digest[SLV_DIGEST_MAX];

	SLV_TRY(
	    slv_source_read(s->source, seal.off, seal.stored, seal.have, err));
	s->hasher.now = s->mark;
	SLV_TRY(slv_hasher_to(&s->hasher, seal.off, err));
	slv_digest_get(&s->hasher.now.digest, digest);
	*yes = slv_seal_compare(&seal, digest) >= SLV_SEAL_FIELD;
	return SLV_OK;
}

static unsigned
how_many(unsigned which)
{
	unsigned n = 0;

	for (; which != 0; which &= which - 1)
		n++;
	return n;
}

/* One turned, then every two, and so on. */
static enum slv_status
try_all(struct search *s, bool *found, struct slv_err *err)
{
	uint64_t each = s->t->seal->off - s->mark.off, all = s->left;

	for (unsigned n = 1; n <= s->n; n++) {
		for (unsigned which = 1; which < 1u << s->n; which++) {
			if (how_many(which) != n)
				continue;
			if (is_spent(s, each))
				return SLV_OK;
			slv_meter_at(s->t->meter, all - s->left);
			turn_all(s, which);
			SLV_TRY(matches(s, found, err));
			if (*found)
				return SLV_OK;
			turn_all(s, which);
		}
	}
	return SLV_OK;
}

static enum slv_status
search(struct search *s, bool *found, struct slv_err *err)
{
	const struct slv_trial *t = s->t;
	uint64_t first = t->seal->off;

	for (size_t i = 0; i < s->n; i++)
		first = slv_min64(first, t->joint->at[s->at[i]->piece].at);
	SLV_TRY(slv_joined_source(t->joint, "copies", &s->source, err));
	SLV_TRY(slv_hasher_init(
	    &s->hasher, s->source, t->seal->kind, t->cancel, err));
	SLV_TRY(slv_hasher_to(&s->hasher, first, err));
	s->mark = s->hasher.now;
	s->left = slv_max64(t->seal->off * SLV_FLIP_HASHES, SLV_FLIP_LEAST)
	    * t->effort;
	clock_gettime(CLOCK_MONOTONIC, &s->until);
	s->until.tv_sec += (time_t)SLV_FLIP_SECONDS * t->effort;
	slv_meter_begin(t->meter, SLV_PHASE_SEARCH, s->left);
	return try_all(s, found, err);
}

enum slv_status
slv_choices_try(struct slv_choices *c, struct slv_trial *t, struct slv_err *err)
{
	struct search s = { .t = t };
	enum slv_status st;

	t->proven = t->seal->as_is >= SLV_SEAL_FIELD;
	if (t->proven || t->seal->have == 0 || t->effort == 0)
		return SLV_OK;
	for (size_t i = 0; i < c->n; i++) {
		if (c->at[i].doubt > SLV_DOUBT_NONE)
			offer(&s, &c->at[i]);
	}
	if (s.n == 0)
		return SLV_OK;
	st = search(&s, &t->proven, err);
	slv_hasher_free(&s.hasher);
	slv_source_close(s.source);
	return st;
}
