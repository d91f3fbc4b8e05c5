/* mcap_begin.c - is it an MCAP file, and how are its chunks compressed? */
#include <string.h>

#include "formats/mcap/read/mcap_head.h"

/* Bits of evidence. */
#define BID_FIRST 128 /* magic, header and another record at the beginning */
#define BID_MAGIC 64  /* the magic at the beginning */
#define BID_CHAIN 60  /* a record and another one after it, somewhere */

#define SEARCH    ((uint64_t)8 << 20) /* bytes in which there must be records */

/* How the first chunk that can be found is compressed. */
static enum slv_status
find_usual(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t to = slv_min64(s->logical_end, s->base + SEARCH);
	struct mcap_head h;
	uint64_t at;
	bool yes;

	for (at = s->base; at < to; at++) {
		SLV_TRY(mcap_find(s, at, to, MCAP_BIT(MCAP_CHUNK), &at, err));
		if (at == to)
			break;
		SLV_TRY(mcap_head_get(s, at, &h, &yes, err));
		if (!yes || h.strange)
			continue;
		m->usual = h.codec;
		m->chunked = true;
		return SLV_OK;
	}
	/* A chunk that its writer never came back to, or that is cut. */
	SLV_TRY(mcap_find_frame(s, s->base, to, &at, &m->usual, err));
	if (at == to)
		m->usual = SLV_CODEC_NONE;
	m->chunked = at < to;
	return SLV_OK;
}

/* Whether a record is somewhere, and another one after it. */
static enum slv_status
find_chain(struct slv_scan *s, bool *yes, struct slv_err *err)
{
	uint64_t to = slv_min64(s->logical_end, SEARCH), at = 0;
	struct mcap_record r;
	bool whole;

	for (*yes = false; at < to && !*yes; at++) {
		SLV_TRY(mcap_find(s, at, to,
		    MCAP_INNER | MCAP_OUTER | MCAP_DERIVED, &at, err));
		if (at == to)
			return SLV_OK;
		SLV_TRY(mcap_look_strict(s, at, &r, &whole, err));
		if (!whole || mcap_span(&r) <= MCAP_DATA_END
		    || at + mcap_span(&r) >= s->logical_end)
			continue;
		SLV_TRY(mcap_look_strict(s, at + mcap_span(&r), &r, yes, err));
	}
	return SLV_OK;
}

/* What the statistics at the end say of times: they show which messages that are
 * found after damage are of this file. */
static enum slv_status
ask_statistics(struct slv_scan *s, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	uint64_t at = s->logical_end - MCAP_TAIL_SIZE, footer = at;
	struct mcap_record r;
	bool yes;

	if (s->logical_end < s->base + MCAP_TAIL_SIZE)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(s, at, &r, &yes, err));
	if (!yes || r.op != MCAP_FOOTER || r.v[MCAP_OFFSET] == 0)
		return SLV_OK;
	for (at = s->base + r.v[MCAP_OFFSET]; at < footer;
	     at += mcap_span(&r)) {
		SLV_TRY(mcap_look_strict(s, at, &r, &yes, err));
		if (!yes || r.op != MCAP_SUMMARY_OFFSET)
			return SLV_OK;
		if (r.v[MCAP_ID] == MCAP_STATISTICS && r.v[MCAP_LENGTH] > 0)
			break;
	}
	if (at >= footer)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(s, s->base + r.v[MCAP_OFFSET], &r, &yes, err));
	m->told = yes && r.op == MCAP_STATISTICS && r.v[MCAP_MESSAGES] > 0;
	m->told_from = r.v[MCAP_START];
	m->told_to = r.v[MCAP_STOP];
	return SLV_OK;
}

/* The bits of evidence that the beginning of the file is. */
static enum slv_status
judge_start(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct mcap_record r;
	const uint8_t *p;
	bool yes;

	*bid = 0;
	if (!slv_range_in(0, MCAP_MAGIC_SIZE, s->source->size))
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, 0, MCAP_MAGIC_SIZE, &p, err));
	if (memcmp(p, MCAP_MAGIC, MCAP_MAGIC_SIZE) != 0)
		return SLV_OK;
	*bid = BID_MAGIC;
	SLV_TRY(mcap_look_strict(s, MCAP_MAGIC_SIZE, &r, &yes, err));
	if (!yes || r.op != MCAP_HEADER)
		return SLV_OK;
	SLV_TRY(mcap_look_strict(
	    s, MCAP_MAGIC_SIZE + mcap_span(&r), &r, &yes, err));
	if (yes)
		*bid = BID_FIRST;
	return SLV_OK;
}

enum slv_status
mcap_begin(struct slv_scan *s, unsigned *bid, struct slv_err *err)
{
	struct mcap *m = mcap_edit(s);
	struct mcap_record r;
	uint64_t at;
	bool yes;

	m->from = UINT64_MAX;
	SLV_TRY(judge_start(s, bid, err));
	if (*bid == 0) {
		uint64_t to = slv_min64(s->logical_end, SEARCH);

		SLV_TRY(find_chain(s, &yes, err));
		*bid = yes ? BID_CHAIN : 0;
		SLV_TRY(mcap_find_magic(s, 0, to, &at, err));
		if (at < to)
			SLV_TRY(mcap_look_strict(
			    s, at + MCAP_MAGIC_SIZE, &r, &yes, err));
		if (at < to && yes && r.op == MCAP_HEADER) {
			*bid = BID_CHAIN;
			s->base = at;
			SLV_TRY(mcap_find(
			    s, 0, at, MCAP_INNER | MCAP_OUTER, &at, err));
			s->base = at < s->base ? 0 : s->base;
		}
	}
	if (*bid == 0)
		return SLV_OK;
	SLV_TRY(ask_statistics(s, err));
	return find_usual(s, err);
}
