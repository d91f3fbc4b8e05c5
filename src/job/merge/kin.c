/* kin.c - are two copies of the same recording?
 *
 * A common record, with the same beginning and with its time, shows that they
 * are, whatever contradicts: a contradiction is then damage.  Without a common
 * record they may still be two parts of one recording, unless something
 * contradicts.
 */
#include "job/merge/kin.h"

#include <stdio.h>
#include <string.h>

#include "core/compare.h"

#define LOOKS_MAX 64 /* records whose bytes are compared */

/* The comparison. */
struct kin {
	const struct slv_copy *copy[2];
	const struct slv_alignment *alignment;
	struct slv_facts facts[2];
	char *why;
};

static bool
object(const struct kin *k, const char *why)
{
	snprintf(k->why, SLV_KIN_TEXT, "%s", why);
	return true;
}

/* A channel that differs between the two. */
static bool
other_channel(const struct kin *k)
{
	size_t n = k->facts[0].n_channels;

	for (size_t i = 0; i < n && i < k->facts[1].n_channels; i++) {
		const struct slv_channel *a = &k->facts[0].channels[i];
		const struct slv_channel *b = &k->facts[1].channels[i];

		if (a->index != b->index || a->name == NULL || b->name == NULL
		    || a->type == NULL || b->type == NULL
		    || strcmp(a->name, b->name) == 0)
			continue;
		snprintf(k->why, SLV_KIN_TEXT,
		    "channel %u is another one in each of them",
		    (unsigned)a->index);
		return true;
	}
	return false;
}

/* Whether both copies have a first block after the magic, and these differ. */
static bool
other_first(const struct kin *k)
{
	const struct slv_copy *a = k->copy[0], *b = k->copy[1];

	return a->n > 1 && b->n > 1 && a->units[1].whole && b->units[1].whole
	    && a->units[1].off == b->units[1].off
	    && a->units[1].key != b->units[1].key
	    && object(k, "their first blocks are different");
}

/* Whether one copy has a record where the other one has another whole record, in a
 * range where they should be equal. */
static bool
other_record(const struct kin *k)
{
	for (size_t i = 0; i < k->alignment->n; i++) {
		const struct slv_stretch *s = &k->alignment->at[i];
		uint64_t end = s->off[0] + s->len[0];

		if (s->len[0] == 0 || s->len[1] == 0)
			continue;
		for (size_t u = slv_copy_unit_from(k->copy[0], s->off[0]);
		     u < k->copy[0]->n && k->copy[0]->units[u].off < end; u++) {
			const struct slv_noted *it = &k->copy[0]->units[u];

			if (it->whole && it->time.known
			    && it->off + it->len <= end
			    && slv_copy_rank(k->copy[1],
			           it->off - s->off[0] + s->off[1], it->len)
			        == SLV_RANK_KEPT)
				return object(k,
				    "where one has a block, the other has "
				    "another one");
		}
	}
	/* Some blocks have no place in the other copy. */
	return k->alignment->unplaced > 0
	    && object(k, "where one has blocks, the other has others");
}

/* Find a record of copy `which` that the other copy has byte for byte in its place:
 * a record here may be the beginning of a longer one there, if this copy lacks
 * the end.
 *
 *   looks  how many may still be compared */
static enum slv_status
same_record(const struct kin *k, int which, unsigned *looks, bool *yes,
    struct slv_err *err)
{
	const struct slv_copy *c = k->copy[which];

	*yes = false;
	for (size_t i = 0; i < k->alignment->n; i++) {
		const struct slv_stretch *s = &k->alignment->at[i];
		uint64_t end = s->off[which] + s->len[which];

		if (s->len[0] == 0 || s->len[1] == 0)
			continue;
		for (size_t u = slv_copy_unit_from(c, s->off[which]);
		     u < c->n && c->units[u].off<end && * looks> 0; u++) {
			uint64_t at = c->units[u].off - s->off[which];
			uint64_t len = c->units[u].len, same;

			if (!c->units[u].whole || !c->units[u].time.known
			    || len > end - c->units[u].off)
				continue;
			--*looks;
			SLV_TRY(slv_compare_sources(k->copy[0]->source,
			    s->off[0] + at, k->copy[1]->source, s->off[1] + at,
			    len, &same, err));
			*yes = same == len;
			if (*yes)
				return SLV_OK;
		}
	}
	return SLV_OK;
}

/* If no common record shows that the copies are of one recording, look for evidence
 * against it. */
static enum slv_status
look_closely(struct kin *k, struct slv_err *err)
{
	unsigned looks = LOOKS_MAX;
	bool yes;

	SLV_TRY(same_record(k, 0, &looks, &yes, err));
	if (!yes)
		SLV_TRY(same_record(k, 1, &looks, &yes, err));
	/* All logs of a format have the same magic. */
	if (!yes && !other_first(k) && !other_channel(k) && !other_record(k)
	    && k->alignment->common < 2)
		object(k, "they have no block in common");
	return SLV_OK;
}

enum slv_status
slv_kin_check(struct slv_copy *a, struct slv_copy *b,
    const struct slv_alignment *l, char why[SLV_KIN_TEXT], struct slv_err *err)
{
	struct kin k = { .copy = { a, b }, .alignment = l, .why = why };
	const struct slv_format *format = a->scan.format;
	enum slv_status st;

	*why = '\0';
	if (format == NULL || b->scan.format == NULL)
		return slv_fail(err, SLV_E_UNRELATED,
		    "%s: is no log that salvor knows; every copy must be one",
		    format == NULL ? a->source->name : b->source->name);
	if (format != b->scan.format)
		return slv_fail(err, SLV_E_UNRELATED,
		    "%s and %s are logs of two formats", a->source->name,
		    b->source->name);
	if (l->timed > 0)
		return SLV_OK;
	st = format->describe(&a->scan, &k.facts[0], err);
	if (st == SLV_OK)
		st = format->describe(&b->scan, &k.facts[1], err);
	if (st == SLV_OK)
		st = look_closely(&k, err);
	slv_facts_free(&k.facts[0]);
	slv_facts_free(&k.facts[1]);
	return st;
}
