/* copy.c - one of several copies of a recording, and how far it can be
 * trusted. */
#include "core/copies/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "base/search.h"

#define HEAD ((size_t)64) /* bytes that identify a unit */

/* State while a scan reports the units of a copy. */
struct noting {
	struct slv_copy *copy;
	struct slv_err *err;
};

/* A scan that starts over reports everything again. */
static bool
note(void *ctx, const struct slv_block *b)
{
	struct noting *to = ctx;
	struct slv_copy *c = to->copy;
	const struct slv_moment time = {
		.sec = b->sec,
		.nanos = b->nanos,
		.known = b->has_time,
	};
	bool kept = strcmp(b->verdict, slv_fate_name(SLV_KEPT)) == 0;
	bool derived = strcmp(b->verdict, slv_fate_name(SLV_REBUILT)) == 0;

	/* A unit inside another one has no place of its own; it gives the other
	 * one its time. */
	if (b->packed) {
		if (c->n > 0 && !c->units[c->n - 1].time.known)
			c->units[c->n - 1].time = time;
		return true;
	}
	if (b->off == 0)
		c->n = 0;
	if (slv_grow(&c->units, &c->cap, c->n + 1, sizeof(*c->units), to->err)
	    != SLV_OK)
		return false;
	c->units[c->n++] = (struct slv_noted){
		.off = b->off,
		.len = b->len,
		.whole = kept || derived,
		.time = time,
	};
	return true;
}

/* A hash that identifies a unit: two different heads rarely share one. */
static enum slv_status
find_keys(struct slv_copy *c, struct slv_err *err)
{
	for (size_t i = 0; i < c->n; i++) {
		struct slv_noted *u = &c->units[i];
		size_t n = (size_t)slv_min64(u->len, HEAD);
		uint8_t len[8];
		const uint8_t *p;

		if (!u->whole)
			continue;
		slv_put_le64(len, u->len);
		SLV_TRY(slv_window_view(c->scan.window, u->off, n, &p, err));
		u->key = slv_fnv(slv_fnv(SLV_FNV, len, 8), p, n);
	}
	return SLV_OK;
}

static enum slv_status
scan(struct slv_copy *c, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	struct slv_scan_options how = *opt;
	struct noting to = { c, err };

	how.on_block = note;
	how.on_block_ctx = &to;
	how.nameless = true;
	SLV_TRY(slv_scan_run(&c->scan, source, formats, &how, err));
	return find_keys(c, err);
}

enum slv_status
slv_copy_scan(struct slv_copy *c, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	*c = (struct slv_copy){ .source = source };
	return scan(c, source, formats, opt, err);
}

/* With other assumptions, without reading payloads again. */
static enum slv_status
scan_again(struct slv_copy *c, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	struct slv_scan_options how = *opt;
	struct slv_seal seal = c->scan.seal;

	how.no_digest = true;
	how.known = source == c->source ? &seal : NULL;
	slv_scan_free(&c->scan);
	c->n = 0;
	SLV_TRY(scan(c, source, formats, &how, err));
	c->scan.opt.known = NULL;
	return SLV_OK;
}

enum slv_status
slv_copy_mend(struct slv_copy *c, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	struct slv_scan_options how = *opt;
	const struct slv_format *format;

	SLV_TRY(slv_copy_scan(c, source, formats, opt, err));
	if (c->scan.seal.as_is >= SLV_SEAL_FIELD && c->scan.units_suspect > 0) {
		/* What the digest covers is whole. */
		how.keep |= SLV_KEEP_SUSPECT;
		SLV_TRY(scan_again(c, source, formats, &how, err));
	}
	format = c->scan.format;
	if (format == NULL || format->patches == NULL || !c->scan.supported
	    || slv_scan_is_sound(&c->scan))
		return SLV_OK;
	SLV_TRY(format->patches->mend(&c->scan, false, &c->mends, err));
	if (c->mends.n == 0 && c->mends.trusted.n == 0)
		return SLV_OK;
	slv_mends_sort(&c->mends);
	how.mends = &c->mends;
	SLV_TRY(slv_patched_source(source, &c->mends, &c->mended, err));
	return scan_again(c, c->mended, formats, &how, err);
}

enum slv_rank
slv_rank_of(enum slv_fate fate)
{
	return fate == SLV_KEPT   ? SLV_RANK_KEPT
	    : fate == SLV_REBUILT ? SLV_RANK_DERIVED
	                          : SLV_RANK_LOST;
}

enum slv_rank
slv_copy_rank(const struct slv_copy *c, uint64_t off, uint64_t len)
{
	const struct slv_catalog *k = &c->scan.catalog;
	enum slv_rank worst = SLV_RANK_KEPT;

	if (slv_mends_hit(&c->mends, off, len))
		return SLV_RANK_LOST;
	for (size_t i = slv_catalog_find(k, off);
	     i < k->n && k->at[i].off < off + len; i++) {
		if (slv_rank_of(k->at[i].fate) < worst)
			worst = slv_rank_of(k->at[i].fate);
	}
	return worst;
}

uint64_t
slv_copy_edge(const struct slv_copy *c, uint64_t off)
{
	const struct slv_catalog *k = &c->scan.catalog;
	const struct slv_extent *x = &k->at[slv_catalog_find(k, off)];
	size_t i = slv_mends_from(&c->mends, off);
	uint64_t edge = x->off + x->len;

	if (i == c->mends.n)
		return edge;
	return slv_min64(edge,
	    c->mends.at[i].off > off ? c->mends.at[i].off
	                             : c->mends.at[i].off + c->mends.at[i].len);
}

uint64_t
slv_copy_run(const struct slv_copy *c, uint64_t off, uint64_t len, bool whole,
    bool from_end)
{
	const struct slv_catalog *k = &c->scan.catalog;
	uint64_t at = off, end = off + len, run = 0;

	while (at < end) {
		uint64_t place = from_end ? end - 1 : at;
		const struct slv_extent *x = &k->at[slv_catalog_find(k, place)];

		if ((slv_rank_of(x->fate) > SLV_RANK_LOST) != whole)
			break;
		if (from_end) {
			run += end - slv_max64(x->off, at);
			end = slv_max64(x->off, at);
		} else {
			run += slv_min64(x->off + x->len, end) - at;
			at = slv_min64(x->off + x->len, end);
		}
	}
	return run;
}

uint64_t
slv_copy_whole(const struct slv_copy *c, uint64_t off, uint64_t len)
{
	const struct slv_catalog *k = &c->scan.catalog;
	uint64_t n = 0, end = off + len;

	if (len == 0)
		return 0;
	for (size_t i = slv_catalog_find(k, off);
	     i < k->n && k->at[i].off < end; i++) {
		const struct slv_extent *x = &k->at[i];

		if (slv_rank_of(x->fate) > SLV_RANK_LOST)
			n += slv_min64(end, x->off + x->len)
			    - slv_max64(off, x->off);
	}
	return n;
}

size_t
slv_copy_unit_from(const struct slv_copy *c, uint64_t off)
{
	struct slv_search f = { .high = c->n };

	while (slv_search(&f))
		slv_search_on(&f, c->units[f.mid].off < off);
	return f.low;
}

void
slv_copy_free(struct slv_copy *c)
{
	slv_scan_free(&c->scan);
	slv_source_close(c->mended);
	slv_mends_free(&c->mends);
	slv_free(c->units);
	*c = (struct slv_copy){ .n = 0 };
}
