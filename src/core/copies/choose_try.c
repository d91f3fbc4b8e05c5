/* choose_try.c - try doubtful choices against the log's own digest. */
#include "base/bytes.h"
#include "core/copies/turns.h"
#include "core/digest/hasher.h"

struct search {
	const struct slv_trial *t;
	struct slv_turns turns;
	struct slv_source *source; /* the joined log */
	struct slv_hasher hasher;
	struct slv_hash_mark mark; /* before the first choice */
};

/* Compare the digest of the joined log as it is now with the stored one, which
 * may be in doubt itself. */
static enum slv_status
matches(void *ctx, bool *yes, struct slv_err *err)
{
	struct search *s = ctx;
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

static enum slv_status
search(struct search *s, bool *found, struct slv_err *err)
{
	const struct slv_trial *t = s->t;
	struct slv_allowance allowance;
	uint64_t first = t->seal->off;

	for (size_t i = 0; i < s->turns.n; i++)
		first =
		    slv_min64(first, t->joint->at[s->turns.at[i]->piece].at);
	SLV_TRY(slv_joined_source(t->joint, "copies", &s->source, err));
	SLV_TRY(slv_hasher_init(
	    &s->hasher, s->source, t->seal->kind, t->cancel, err));
	SLV_TRY(slv_hasher_to(&s->hasher, first, err));
	s->mark = s->hasher.now;
	allowance = slv_allowance_of(t->seal->off, t->effort, t->meter);
	s->turns.allowance = &allowance;
	s->turns.each = t->seal->off - first;
	return slv_turns_try(&s->turns, found, err);
}

enum slv_status
slv_choices_try(struct slv_choices *c, struct slv_trial *t, struct slv_err *err)
{
	struct search s = {
		.t = t,
		.turns = {
			.joint = t->joint,
			.meter = t->meter,
			.right = matches,
			.ctx = &s,
		},
	};
	enum slv_status st;

	t->proven = t->seal->as_is >= SLV_SEAL_FIELD;
	if (t->proven || t->seal->have == 0 || t->effort == 0)
		return SLV_OK;
	for (size_t i = 0; i < c->n; i++) {
		if (c->at[i].doubt > SLV_DOUBT_NONE)
			slv_turns_offer(&s.turns, &c->at[i]);
	}
	if (s.turns.n == 0)
		return SLV_OK;
	st = search(&s, &t->proven, err);
	slv_hasher_free(&s.hasher);
	slv_source_close(s.source);
	return st;
}
