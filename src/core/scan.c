/* scan.c - walk a source once and write down what every byte is. */
#include "core/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/plan.h"
#include "core/resync.h"

#define TORN_SLACK   15 /* bytes of zeros that may end a unit by chance */
#define ZEROS_STRIDE ((size_t)1 << 20) /* bytes looked at, from the end */
#define MAX_RESCANS  8

struct slv_limits
slv_limits_fill(struct slv_limits l)
{
	if (l.max_memory == 0)
		l.max_memory = (uint64_t)64 << 30;
	if (l.max_problems == 0)
		l.max_problems = 1000;
	return l;
}

enum slv_status
slv_scan_problem(struct slv_scan *s, const struct slv_problem_info *info,
    uint64_t off, uint64_t len, uint64_t want, uint64_t got,
    struct slv_err *err)
{
	struct slv_problem p = { info, off, len, want, got };

	return slv_problems_add(&s->problems, &p, err);
}

static enum slv_status
core_problem(struct slv_scan *s, enum slv_core_problem row, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &slv_core_problems[row], off, len, 0, 0, err);
}

static enum slv_status
unit_problem(struct slv_scan *s, const struct slv_unit *u, uint64_t off,
    uint64_t len, struct slv_err *err)
{
	if (u->problem >= s->format->n_problems)
		return SLV_OK;
	return slv_scan_problem(s, &s->format->problems[u->problem], off, len,
	    u->want, u->got, err);
}

enum slv_status
slv_scan_digest(struct slv_scan *s, uint64_t off, uint8_t *out, bool *known,
    struct slv_err *err)
{
	if (s->proving != NULL) {
		*known =
		    s->proving->has_digest && s->proving->digest_off == off;
		memcpy(out, s->proving->digest, sizeof(s->proving->digest));
		return SLV_OK;
	}
	if (s->opt.known != NULL && s->opt.known->known
	    && s->opt.known->off == off) {
		*known = true;
		memcpy(out, s->opt.known->computed, SLV_DIGEST_MAX);
		return SLV_OK;
	}
	*known = !s->opt.no_digest && s->hasher.now.off <= off;
	if (*known)
		SLV_TRY(slv_hasher_mark(&s->hasher, off, err));
	if (slv_ranges_hit(&s->source->unreadable, 0, off))
		*known = false;
	if (*known)
		slv_digest_get(&s->hasher.now.digest, out);
	return SLV_OK;
}

bool
slv_scan_is_sound(const struct slv_scan *s)
{
	return slv_problems_damage(&s->problems) == 0;
}

enum slv_vouch
slv_scan_zeros(const struct slv_scan *s, uint64_t off, uint64_t end)
{
	uint64_t zeros = slv_max64(s->logical_end, off);
	uint64_t sector = (zeros + SLV_SECTOR - 1) / SLV_SECTOR * SLV_SECTOR;

	if (end <= s->logical_end)
		return SLV_VOUCHED;
	if (end == s->source->size)
		return slv_range_in(sector, SLV_SECTOR, end) ? SLV_SUSPECT
		                                             : SLV_VOUCHED;
	if (end - zeros <= TORN_SLACK && sector >= end)
		return SLV_UNSURE;
	return SLV_SUSPECT;
}

/* Tell a listing what became of [off, off + len). */
static enum slv_status
show(struct slv_scan *s, const struct slv_unit *u, uint64_t off, uint64_t len,
    enum slv_fate fate, struct slv_err *err)
{
	struct slv_block b = { .off = off, .len = len };
	bool more;

	if (s->opt.on_block == NULL || len == 0)
		return SLV_OK;
	b.kind = u != NULL && u->kind != NULL ? u->kind : "bytes";
	b.verdict = slv_fate_name(fate);
	if (u != NULL && u->has_channel) {
		b.has_channel = true;
		b.channel = u->channel;
		b.channel_name = s->format->channel_name(s, u->channel);
	}
	if (u != NULL && u->time.known) {
		b.has_time = true;
		b.sec = u->time.sec;
		b.nanos = u->time.nanos;
	}
	more = s->opt.on_block(s->opt.on_block_ctx, &b);
	return more ? SLV_OK : slv_fail(err, SLV_E_CANCELLED, "stopped");
}

/* Leave out everything up to end.  Of what is lost, bytes that were never
 * written (zeros up to the end of the file, or as the file system says) hold
 * no record: they are filler. */
static enum slv_status
drop(struct slv_scan *s, uint64_t end, enum slv_fate fate, enum slv_part part,
    struct slv_err *err)
{
	struct slv_catalog *c = &s->catalog;
	struct slv_ranges holes = { 0 };
	enum slv_status st;

	if (end <= c->end)
		return SLV_OK;
	if (!s->opt.no_digest && s->seal.have == 0)
		SLV_TRY(slv_hasher_mark(&s->hasher, c->end, err));
	if (fate != SLV_LOST)
		return slv_catalog_add(c, end - c->end, fate, part, err);
	st = slv_source_unwritten(s->source, c->end, end - c->end, &holes, err);
	if (st == SLV_OK && end > s->logical_end)
		st = slv_ranges_add(&holes, slv_max64(c->end, s->logical_end),
		    end - slv_max64(c->end, s->logical_end), err);
	while (st == SLV_OK && c->end < end) {
		const struct slv_range *hole = slv_ranges_from(&holes, c->end);
		uint64_t upto = hole == NULL ? end
		    : hole->off > c->end     ? hole->off
		                             : hole->end;

		st = slv_catalog_add(c, slv_min64(upto, end) - c->end,
		    hole != NULL && hole->off <= c->end ? SLV_FILLER : SLV_LOST,
		    part, err);
	}
	slv_ranges_free(&holes);
	return st;
}

/* The counter of a kind; past SLV_KINDS_MAX the last one serves. */
static struct slv_kind_count *
count_of(struct slv_scan *s, const char *kind)
{
	size_t i = 0;

	while (i < s->n_kinds && strcmp(s->kinds[i].kind, kind) != 0)
		i++;
	if (i == SLV_KINDS_MAX)
		return &s->kinds[i - 1];
	if (i == s->n_kinds)
		s->kinds[s->n_kinds++].kind = kind;
	return &s->kinds[i];
}

/* The unit at the end of the catalog is part of the log. */
static enum slv_status
take(struct slv_scan *s, struct slv_unit *u, struct slv_err *err)
{
	uint64_t off = s->catalog.end, end = off + u->len;

	SLV_TRY(s->format->accept(s, off, u, err));
	SLV_TRY(unit_problem(s, u, off, u->len, err));
	SLV_TRY(show(s, u, off, u->len, u->fate, err));
	if (u->fate != SLV_KEPT)
		return drop(s, end, u->fate, u->part, err);
	s->units_kept += u->part == SLV_PART_DATA;
	count_of(s, u->kind)->kept++;
	if (!s->opt.no_digest && end - s->hasher.now.off >= SLV_HASHER_STRIDE)
		SLV_TRY(slv_hasher_to(&s->hasher, end, err));
	return slv_catalog_add(&s->catalog, u->len, SLV_KEPT, u->part, err);
}

/* What becomes of a unit that is left out. */
static enum slv_fate
fate_of_skipped(const struct slv_unit *u)
{
	if (u->verdict != SLV_UNIT_GOOD && u->fate != SLV_KEPT)
		return u->fate;
	return u->part == SLV_PART_INDEX ? SLV_REBUILT : SLV_LOST;
}

/* Leave out the unit at the end of the catalog, which is broken or not to be
 * trusted, and go on where the log does. */
static enum slv_status
skip(struct slv_scan *s, const struct slv_unit *u, struct slv_err *err)
{
	uint64_t off = s->catalog.end, mark, own, gap;
	enum slv_fate fate = fate_of_skipped(u);
	bool spent;

	SLV_TRY(slv_resync(
	    s, off + 1, s->logical_end, SLV_ASK_SEARCH, &mark, &spent, err));
	if (spent)
		SLV_TRY(core_problem(s, SLV_P_BUDGET, off, mark - off, err));
	/* What lies between the unit and where the log goes on is a gap of its
	 * own. */
	own = u->len > 0 ? slv_min64(u->len, mark - off) : mark - off;
	gap = mark - off - own;
	/* "Cut" is not what it is when the log goes on behind it. */
	if (u->problem < s->format->n_problems
	    && (u->verdict != SLV_UNIT_SHORT || mark == s->logical_end))
		SLV_TRY(unit_problem(s, u, off, own, err));
	else if (fate != SLV_FOREIGN)
		SLV_TRY(core_problem(s, SLV_P_GAP, off, own, err));
	if (fate == SLV_LOST) {
		s->units_lost++;
		s->units_suspect += u->verdict == SLV_UNIT_GOOD;
		count_of(s, u->kind)->lost++;
	}
	SLV_TRY(show(s, u, off, own, fate, err));
	SLV_TRY(drop(s, off + own, fate, u->part, err));
	if (gap == 0)
		return SLV_OK;
	SLV_TRY(core_problem(s, SLV_P_GAP, off + own, gap, err));
	SLV_TRY(show(s, NULL, off + own, gap, SLV_LOST, err));
	return drop(s, mark, SLV_LOST, SLV_PART_DATA, err);
}

/* Everything behind the end of the log: never written, another log, or
 * junk. */
static enum slv_status
walk_behind(struct slv_scan *s, struct slv_err *err)
{
	uint64_t off = s->catalog.end, size = s->source->size, mark;
	enum slv_fate fate = SLV_FILLER;
	bool spent;

	if (off < s->logical_end) {
		SLV_TRY(slv_resync(s, off, s->logical_end, SLV_ASK_STRANGER,
		    &mark, &spent, err));
		if (mark < s->logical_end || spent)
			fate = SLV_FOREIGN;
		else
			SLV_TRY(core_problem(
			    s, SLV_P_JUNK, off, s->logical_end - off, err));
		SLV_TRY(show(s, NULL, off, s->logical_end - off, fate, err));
		SLV_TRY(drop(s, s->logical_end, fate, SLV_PART_DATA, err));
	}
	return drop(s, size, SLV_FILLER, SLV_PART_DATA, err);
}

/* What starts at off, and is it to be trusted?  A finding about a unit that
 * is kept all the same is raised here; its other notes are accept's. */
static enum slv_status
judge(struct slv_scan *s, uint64_t off, enum slv_asking asking,
    struct slv_unit *u, bool *trusted, struct slv_err *err)
{
	enum slv_vouch vouch = SLV_VOUCHED;
	unsigned own;

	*trusted = false;
	SLV_TRY(s->format->unit(s, off, asking, u, err));
	if (u->verdict != SLV_UNIT_GOOD)
		return SLV_OK;
	own = u->problem;
	if (s->format->vouch != NULL)
		SLV_TRY(s->format->vouch(s, off, u, &vouch, err));
	*trusted = !slv_ranges_hit(&s->source->unreadable, off, u->len)
	    && (vouch != SLV_SUSPECT || s->opt.keep & SLV_KEEP_SUSPECT);
	if (!*trusted || vouch == SLV_VOUCHED)
		return SLV_OK;
	SLV_TRY(unit_problem(s, u, off, u->len, err));
	u->problem = own;
	return SLV_OK;
}

static enum slv_status
walk(struct slv_scan *s, struct slv_err *err)
{
	enum slv_asking asking = SLV_ASK_NEXT;
	uint64_t size = s->source->size, zeros;
	bool ended = false, trusted;

	while (!ended && s->catalog.end < s->logical_end) {
		struct slv_unit u = { 0 };

		if (s->opt.cancel != NULL && *s->opt.cancel)
			return slv_fail(err, SLV_E_CANCELLED, "stopped");
		SLV_TRY(judge(s, s->catalog.end, asking, &u, &trusted, err));
		if (trusted)
			SLV_TRY(take(s, &u, err));
		else
			SLV_TRY(skip(s, &u, err));
		asking = trusted ? SLV_ASK_NEXT : SLV_ASK_SEARCH;
		ended = trusted && u.ends;
	}
	zeros = slv_max64(s->catalog.end, s->logical_end);
	if (zeros < size)
		SLV_TRY(core_problem(s, SLV_P_ZEROS, zeros, size - zeros, err));
	return ended ? walk_behind(s, err)
	             : drop(s, size, SLV_FILLER, SLV_PART_DATA, err);
}

/* How many zeros end the n bytes at p. */
static size_t
zeros_at_end(const uint8_t *p, size_t n)
{
	size_t left = n;

	while (left >= 8 && slv_get_le64(p + left - 8) == 0)
		left -= 8;
	while (left > 0 && p[left - 1] == 0)
		left--;
	return n - left;
}

/* Where the run of zeros that reaches the end of the source begins.  What was
 * never written need not be read. */
static enum slv_status
find_logical_end(struct slv_scan *s, struct slv_err *err)
{
	uint64_t end = s->source->size;

	while (end > 0) {
		size_t n = (size_t)slv_min64(end, ZEROS_STRIDE), zeros;
		struct slv_ranges holes = { 0 };
		const uint8_t *p;
		bool hole;

		SLV_TRY(
		    slv_source_unwritten(s->source, end - n, n, &holes, err));
		hole = holes.n == 1 && holes.at[0].off == end - n
		    && holes.at[0].end == end;
		slv_ranges_free(&holes);
		zeros = n;
		if (!hole) {
			SLV_TRY(
			    slv_window_view(&s->window, end - n, n, &p, err));
			zeros = zeros_at_end(p, n);
		}
		if (slv_ranges_hit(&s->source->unreadable, end - n, n))
			break;
		end -= zeros;
		if (zeros < n)
			break;
	}
	s->logical_end = end;
	return SLV_OK;
}

/* Make s ready for one format; what an earlier bidder left is freed. */
static enum slv_status
adopt(struct slv_scan *s, const struct slv_format *format, struct slv_err *err)
{
	if (s->state != NULL)
		s->format->release(s->state);
	free(s->state);
	s->format = NULL;
	s->state = slv_calloc(1, format->state_size);
	if (s->state != NULL)
		s->format = format;
	else
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return format->begin(s, &s->bid, err);
}

static enum slv_status
detect(struct slv_scan *s, const struct slv_format *const *formats,
    struct slv_err *err)
{
	const struct slv_format *best = NULL;
	unsigned bid = 0;

	if (s->reference != NULL)
		return adopt(s, s->reference->format, err);
	for (size_t i = 0; formats[i] != NULL; i++) {
		SLV_TRY(adopt(s, formats[i], err));
		if (s->bid > bid) {
			bid = s->bid;
			best = formats[i];
		}
	}
	if (best != NULL)
		return s->format == best ? SLV_OK : adopt(s, best, err);
	if (s->state != NULL)
		s->format->release(s->state);
	free(s->state);
	s->state = NULL;
	s->format = NULL;
	return SLV_OK;
}

/* Findings that are ranges rather than units. */
static enum slv_status
name_ranges(struct slv_scan *s, struct slv_err *err)
{
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate == SLV_FOREIGN)
			SLV_TRY(core_problem(
			    s, SLV_P_FOREIGN, x->off, x->len, err));
	}
	for (size_t i = 0; i < s->source->unreadable.n; i++) {
		const struct slv_range *r = &s->source->unreadable.at[i];

		SLV_TRY(core_problem(
		    s, SLV_P_UNREADABLE, r->off, r->end - r->off, err));
	}
	return SLV_OK;
}

static enum slv_status
scan_once(struct slv_scan *s, const struct slv_format *const *formats,
    struct slv_err *err)
{
	slv_window_init(&s->window, s->source, s->opt.cancel);
	s->problems.max = s->opt.limits.max_problems;
	SLV_TRY(slv_hasher_init(
	    &s->hasher, s->source, SLV_SHA1, s->opt.cancel, err));
	SLV_TRY(find_logical_end(s, err));
	if (s->source->size == 0)
		return core_problem(s, SLV_P_EMPTY, 0, 0, err);
	SLV_TRY(detect(s, formats, err));
	if (s->format == NULL) {
		SLV_TRY(core_problem(
		    s, SLV_P_UNRECOGNISED, 0, s->source->size, err));
		return slv_catalog_add(
		    &s->catalog, s->source->size, SLV_LOST, SLV_PART_DATA, err);
	}
	SLV_TRY(walk(s, err));
	SLV_TRY(name_ranges(s, err));
	SLV_TRY(s->format->finish(s, err));
	if (s->catalog.end != s->source->size)
		return slv_fail(err, SLV_E_BUG,
		    "the catalog ends at %llu of %llu",
		    (unsigned long long)s->catalog.end,
		    (unsigned long long)s->source->size);
	return SLV_OK;
}

/* Payloads are read after their unit was accepted.  If sectors of a kept unit
 * turned out unreadable, the walk must be done again, knowing them. */
static bool
kept_unreadable(const struct slv_scan *s)
{
	for (size_t i = 0; i < s->catalog.n; i++) {
		const struct slv_extent *x = &s->catalog.at[i];

		if (x->fate == SLV_KEPT
		    && slv_ranges_hit(&s->source->unreadable, x->off, x->len))
			return true;
	}
	return false;
}

enum slv_status
slv_scan_run(struct slv_scan *s, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	for (int i = 0; i < MAX_RESCANS; i++) {
		*s = (struct slv_scan){ .source = source, .opt = *opt };
		SLV_TRY(scan_once(s, formats, err));
		if (!kept_unreadable(s))
			return SLV_OK;
		slv_scan_free(s);
	}
	return slv_fail(err, SLV_E_IO,
	    "%s: other sectors fail at every reading; image the disk first",
	    source->name);
}

enum slv_status
slv_scan_prove(struct slv_scan *s, struct slv_source *out,
    const struct slv_plan *plan, const struct slv_scan_options *opt,
    const struct slv_scan *first, struct slv_err *err)
{
	*s = (struct slv_scan){
		.source = out,
		.opt = *opt,
		.reference = first,
		.proving = plan,
	};
	s->opt.no_digest = true;
	return scan_once(s, NULL, err);
}

void
slv_scan_free(struct slv_scan *s)
{
	if (s->state != NULL)
		s->format->release(s->state);
	free(s->state);
	slv_window_free(&s->window);
	slv_hasher_free(&s->hasher);
	slv_catalog_free(&s->catalog);
	slv_problems_free(&s->problems);
	*s = (struct slv_scan){ 0 };
}
