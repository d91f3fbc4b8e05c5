/* flip.c - find the one bit to flip back so that the digest matches. */
#include "core/digest/flip.h"

#include <stdlib.h>
#include <time.h>

#include "base/bytes.h"
#include "base/mem.h"

struct search {
	struct slv_flip *f;
	struct slv_hasher at;  /* of the bytes before the candidate */
	struct slv_hasher try; /* of a candidate */
	uint64_t left;         /* bytes that may still be hashed */
	struct timespec until;
	bool spent;
};

enum slv_status
slv_doubt(struct slv_doubts *d, uint64_t off, uint64_t len,
    struct slv_range unit, struct slv_err *err)
{
	if (len == 0)
		return SLV_OK;
	SLV_TRY(slv_grow(&d->at, &d->cap, d->n + 1, sizeof(*d->at), err));
	d->at[d->n++] = (struct slv_doubt){ off, off + len, unit };
	return SLV_OK;
}

void
slv_doubts_free(struct slv_doubts *d)
{
	slv_free(d->at);
	*d = (struct slv_doubts){ 0 };
}

static bool
is_late(const struct search *s)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > s->until.tv_sec
	    || (now.tv_sec == s->until.tv_sec
	        && now.tv_nsec >= s->until.tv_nsec);
}

/* One candidate: `byte` in place of the one after the hashed bytes. */
static enum slv_status
try_byte(struct search *s, uint8_t byte, struct slv_err *err)
{
	struct slv_flip *f = s->f;
	uint64_t cost = f->seal->off - s->at.now.off;
	uint8_t digest[SLV_DIGEST_MAX];

	s->spent = cost > s->left || is_late(s);
	if (s->spent)
		return SLV_OK;
	s->left -= cost;
	s->try.now = s->at.now;
	slv_digest_add(&s->try.now.digest, &byte, 1);
	s->try.now.off++;
	SLV_TRY(slv_hasher_to(&s->try, f->seal->off, err));
	slv_digest_get(&s->try.now.digest, digest);
	f->found = slv_seal_compare(f->seal, digest) >= SLV_SEAL_FIELD;
	if (f->found) {
		f->off = s->at.now.off;
		f->byte = byte;
	}
	return SLV_OK;
}

/* Return true if the doubted unit would be a unit with this byte. */
static enum slv_status
is_sensible(struct search *s, const struct slv_doubt *d, uint64_t off,
    uint8_t byte, bool *yes, struct slv_err *err)
{
	struct slv_flip *f = s->f;

	*yes = true;
	if (f->sensible == NULL || d->unit.off == d->unit.end)
		return SLV_OK;
	return f->sensible(f->ctx, d->unit, off, byte, yes, err);
}

/* All bits of one byte. */
static enum slv_status
try_place(struct search *s, const struct slv_doubt *d, uint64_t off,
    struct slv_err *err)
{
	uint8_t byte;
	bool yes;

	if (off < s->at.now.off)
		s->at.now = s->at.marks[0];
	SLV_TRY(slv_hasher_to(&s->at, off, err));
	SLV_TRY(slv_source_read(s->f->source, off, &byte, 1, err));
	for (unsigned bit = 0; bit < 8 && !s->f->found && !s->spent; bit++) {
		uint8_t other = byte ^ (uint8_t)(1u << bit);

		SLV_TRY(is_sensible(s, d, off, other, &yes, err));
		if (yes)
			SLV_TRY(try_byte(s, other, err));
	}
	return SLV_OK;
}

static enum slv_status
try_all(struct search *s, struct slv_err *err)
{
	const struct slv_flip *f = s->f;
	uint64_t all = s->left;

	for (size_t i = 0; i < f->where->n; i++) {
		const struct slv_doubt *d = &f->where->at[i];
		uint64_t end = slv_min64(d->end, f->seal->off);

		for (uint64_t off = d->off; off < end; off++) {
			if (f->found || s->spent)
				return SLV_OK;
			slv_meter_at(f->meter, all - s->left);
			SLV_TRY(try_place(s, d, off, err));
		}
	}
	return SLV_OK;
}

enum slv_status
slv_flip_find(struct slv_flip *f, struct slv_err *err)
{
	struct search s = { .f = f };
	enum slv_status st;

	f->found = false;
	if (f->effort == 0)
		return SLV_OK;
	s.left = slv_max64(f->seal->off * SLV_FLIP_HASHES, SLV_FLIP_LEAST)
	    * f->effort;
	clock_gettime(CLOCK_MONOTONIC, &s.until);
	s.until.tv_sec += (time_t)SLV_FLIP_SECONDS * f->effort;
	slv_meter_begin(f->meter, SLV_PHASE_SEARCH, s.left);
	st = slv_hasher_init(&s.at, f->source, f->seal->kind, f->cancel, err);
	if (st == SLV_OK)
		st = slv_hasher_init(
		    &s.try, f->source, f->seal->kind, f->cancel, err);
	if (st == SLV_OK)
		st = try_all(&s, err);
	slv_hasher_free(&s.at);
	slv_hasher_free(&s.try);
	return st;
}
