/* scan.c - walk a source once and record the fate of every byte. */
#include "core/scan/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/plan/plan.h"
#include "core/scan/detect.h"
#include "core/scan/scan_names.h"
#include "core/scan/walk.h"
#include "io/machine.h"

#define LARGE        ((size_t)1 << 20) /* bytes per read */
#define TORN_SLACK   15 /* bytes of zeros that may end a unit by chance */
#define ZEROS_STRIDE ((size_t)1 << 20) /* bytes at once, from the end */
#define MAX_RESCANS  8

struct slv_limits
slv_limits_fill(struct slv_limits l)
{
	if (l.max_memory == 0)
		l.max_memory = slv_machine_memory() / 4;
	if (l.max_problems == 0)
		l.max_problems = 1000;
	if (l.max_chunk == 0)
		l.max_chunk = (uint64_t)512 << 20;
	return l;
}

enum slv_status
slv_scan_compare(
    struct slv_held planned, struct slv_held found, struct slv_err *err)
{
	if (found.n == planned.n && found.sum == planned.sum)
		return SLV_OK;
	return slv_fail(err, SLV_E_BUG,
	    "the plan holds %llu records, not the %llu that were kept",
	    (unsigned long long)found.n, (unsigned long long)planned.n);
}

enum slv_status
slv_scan_changed(const struct slv_scan *s, struct slv_err *err)
{
	return slv_fail(err, SLV_E_ACTIVE, "%s: changed while it was read",
	    s->source->name);
}

enum slv_status
slv_scan_go_on(const struct slv_scan *s, struct slv_err *err)
{
	return slv_is_cancelled(s->opt.cancel)
	    ? slv_fail(err, SLV_E_CANCELLED, "stopped")
	    : SLV_OK;
}

void
slv_scan_lose(struct slv_scan *s, uint64_t n, const uint32_t *channel)
{
	if (channel == NULL
	    || (s->units_lost > 0 && s->lost_channel != *channel))
		s->lost_mixed = true;
	if (channel != NULL)
		s->lost_channel = *channel;
	s->units_lost += n;
}

void
slv_scan_skip(struct slv_scan *s, uint64_t off, uint64_t len, uint64_t end)
{
	struct slv_skimmed *k = &s->skimmed;

	if (k->units++ == 0)
		k->from = off;
	k->bytes += len;
	k->upto = off + len;
	k->end = end;
}

enum slv_status
slv_scan_problem(struct slv_scan *s, const struct slv_problem_info *info,
    uint64_t off, uint64_t len, uint64_t want, uint64_t got,
    struct slv_err *err)
{
	const struct slv_problem p = {
		.info = info,
		.off = off,
		.len = len,
		.want = want,
		.got = got,
	};

	return slv_problems_add(&s->problems, &p, err);
}

enum slv_status
slv_scan_core_problem(struct slv_scan *s, enum slv_core_problem row,
    uint64_t off, uint64_t len, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &slv_core_problems[row], off, len, 0, 0, err);
}

/* The digest of [0, off), at a place that no pass has marked. */
static enum slv_status
hash_again(struct slv_scan *s, uint64_t off, uint8_t *out, struct slv_err *err)
{
	struct slv_hasher h;
	enum slv_status st =
	    slv_hasher_init(&h, s->source, SLV_SHA1, s->opt.cancel, err);

	if (st == SLV_OK) {
		slv_hasher_resume(&h, slv_hasher_before(&s->hasher, off));
		st = slv_hasher_to(&h, off, err);
	}
	if (st == SLV_OK)
		slv_digest_get(&h.now.digest, out);
	slv_hasher_free(&h);
	return st;
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
	if (s->opt.no_digest || s->hasher.blind || s->hasher.now.off > off) {
		slv_hasher_settle(&s->hasher);
		SLV_TRY(hash_again(s, off, out, err));
	} else {
		SLV_TRY(slv_hasher_mark(&s->hasher, off, err));
		slv_hasher_settle(&s->hasher);
		slv_digest_get(&s->hasher.now.digest, out);
	}
	*known = !slv_ranges_hit(&s->source->unreadable, 0, off);
	return SLV_OK;
}

const char *
slv_scan_setting(const struct slv_scan *s, const char *name)
{
	const struct slv_setting *at = s->opt.settings;

	for (; at != NULL && at->name != NULL; at++) {
		if (strcmp(at->name, name) == 0)
			return at->value;
	}
	return NULL;
}

bool
slv_scan_is_sound(const struct slv_scan *s)
{
	return slv_problems_damage(&s->problems) == 0;
}

struct slv_source *
slv_scan_read_from(struct slv_scan *s, struct slv_source *source)
{
	struct slv_source *old = s->source;

	s->source = s->window->source = source;
	return old;
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

/* Start of the hole that ends at `end`; `end` itself if there is none. */
static uint64_t
hole_before(const struct slv_scan *s, uint64_t end)
{
	const struct slv_range *hole = slv_ranges_from(&s->holes, end - 1);

	return hole != NULL && hole->off < end ? hole->off : end;
}

/* Start of the run of zeros that reaches the end of the source.  A hole is not
 * read: reading it may never end. */
static enum slv_status
find_logical_end(struct slv_scan *s, struct slv_err *err)
{
	uint64_t end = s->source->size;

	SLV_TRY(slv_source_unwritten(s->source, 0, end, &s->holes, err));
	while (end > 0) {
		uint64_t from = hole_before(s, end);
		size_t n, zeros;
		const uint8_t *p;

		if (from < end) {
			end = from;
			continue;
		}
		n = (size_t)slv_min64(end, ZEROS_STRIDE);
		SLV_TRY(slv_window_view(s->window, end - n, n, &p, err));
		zeros = zeros_at_end(p, n);
		if (slv_ranges_hit(&s->source->unreadable, end - n, n))
			break;
		end -= zeros;
		if (zeros < n)
			break;
	}
	s->logical_end = end;
	return SLV_OK;
}

/* Read both ends and the index instead of walking. */
static enum slv_status
glance(struct slv_scan *s, struct slv_err *err)
{
	if (s->format->glance != NULL)
		SLV_TRY(s->format->glance(s, &s->glanced, err));
	return slv_catalog_add(
	    &s->catalog, s->source->size, SLV_KEPT, SLV_PART_DATA, err);
}

enum slv_status
slv_scan_mark(struct slv_scan *s, struct slv_err *err)
{
	uint64_t off = slv_scan_trails(s) ? s->last_unit : s->catalog.end;

	if (s->opt.no_digest || s->seal.have > 0)
		return SLV_OK;
	return slv_hasher_mark(&s->hasher, off, err);
}

/* Hash up to the end of the last kept data; the hasher may already be up to a stride
 * after it. */
static enum slv_status
read_to_end(struct slv_scan *s, struct slv_err *err)
{
	size_t i = s->catalog.n;

	if (s->opt.no_digest)
		return SLV_OK;
	while (i > 0
	    && (s->catalog.at[i - 1].fate != SLV_KEPT
	        || s->catalog.at[i - 1].part != SLV_PART_DATA))
		i--;
	return i == 0
	    ? SLV_OK
	    : slv_hasher_to(&s->hasher,
	        s->catalog.at[i - 1].off + s->catalog.at[i - 1].len, err);
}

/* A log without an end will be changed: begin its output at once, and the digest of all
 * of it.  Where nothing needs one, payloads without a digest are not hashed. */
static enum slv_status
begin_output(struct slv_scan *s, struct slv_err *err)
{
	bool closed = true, open;

	s->hasher.blind = s->format->digests == NULL;
	if ((s->opt.tee == NULL && !s->opt.hashed) || s->format->ends == NULL)
		return SLV_OK;
	SLV_TRY(s->format->ends->closed(s, &closed, err));
	if (closed)
		return SLV_OK;
	s->hasher.blind &= !s->opt.hashed;
	if (s->opt.tee == NULL)
		return SLV_OK;
	SLV_TRY(slv_tee_open(s->opt.tee, &open, err));
	if (!open)
		return SLV_OK;
	s->hasher.tee = s->opt.tee;
	s->hasher.blind = false;
	return SLV_OK;
}

static enum slv_status
scan_once(struct slv_scan *s, const struct slv_format *const *formats,
    struct slv_err *err)
{
	s->window = slv_calloc(1, sizeof(*s->window));
	s->cache = slv_calloc(1, sizeof(*s->cache));
	if (s->window == NULL || s->cache == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	slv_window_init(s->window, s->source, s->opt.cancel);
	s->problems.max = s->opt.limits.max_problems;
	s->gaps.max = s->proving != NULL ? 0 : s->opt.limits.max_problems;
	SLV_TRY(slv_hasher_init(
	    &s->hasher, s->source, SLV_SHA1, s->opt.cancel, err));
	if (s->opt.from != NULL)
		slv_hasher_resume(&s->hasher, s->opt.from);
	s->hasher.meter = s->opt.meter;
	s->hasher.pages = &s->pages;
	s->hasher.holes = &s->holes;
	s->hasher.window = s->window;
	s->along = s->opt.no_digest ? NULL : &s->hasher;
	slv_meter_begin(s->opt.meter,
	    s->proving != NULL ? SLV_PHASE_PROVE : SLV_PHASE_READ,
	    s->source->size);
	s->logical_end = s->source->size;
	if (s->opt.glance) {
		s->window->stride = SLV_WINDOW_GLANCE;
	} else {
		SLV_TRY(find_logical_end(s, err));
		s->window->behind = SLV_HASHER_BEHIND;
	}
	SLV_TRY(slv_detect(s, formats, err));
	if (s->source->size == 0)
		return slv_scan_core_problem(s, SLV_P_EMPTY, 0, 0, err);
	if (s->format == NULL) {
		SLV_TRY(slv_scan_core_problem(
		    s, SLV_P_UNRECOGNISED, 0, s->source->size, err));
		return slv_catalog_add(
		    &s->catalog, s->source->size, SLV_LOST, SLV_PART_DATA, err);
	}
	if (s->opt.glance)
		return glance(s, err);
	s->opt.skim &= s->format->skims;
	if (s->opt.skim) {
		s->opt.no_digest = true;
		s->along = NULL;
	}
	SLV_TRY(begin_output(s, err));
	/* Units without a digest are read whole, and then skipped while they
	 * are in the window. */
	if (s->format->digests == NULL)
		s->window->stride = LARGE;
	if (!s->opt.no_digest)
		slv_hasher_spread(&s->hasher);
	/* Hashing takes longer than reading, and has a thread already. */
	s->window->alone = s->hasher.ring != NULL;
	SLV_TRY(slv_walk(s, err));
	SLV_TRY(slv_scan_name_ranges(s, err));
	SLV_TRY(s->format->finish(s, err));
	SLV_TRY(slv_scan_name_packing(s, err));
	if (slv_scan_trails(s))
		SLV_TRY(slv_scan_mark(s, err));
	SLV_TRY(read_to_end(s, err));
	if (s->catalog.end != s->source->size)
		return slv_fail(err, SLV_E_BUG,
		    "the catalog ends at %llu of %llu",
		    (unsigned long long)s->catalog.end,
		    (unsigned long long)s->source->size);
	return SLV_OK;
}

/* Payloads are read after their unit was accepted.  If sectors of a kept unit
 * turned out unreadable, the walk is done again with that knowledge. */
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

/* If the quick reading finds a contradiction, a walk explains it. */
static bool
is_enough(const struct slv_scan *s)
{
	return s->glanced && slv_scan_is_sound(s);
}

enum slv_status
slv_scan_run(struct slv_scan *s, struct slv_source *source,
    const struct slv_format *const *formats, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	enum slv_status st;

	for (int i = 0; i < MAX_RESCANS; i++) {
		*s = (struct slv_scan){ .source = source, .opt = *opt };
		/* The quick reading is tried once, and first. */
		s->opt.glance = opt->glance && i == 0;
		/* Cached values may be about other bytes. */
		if (i > 0 && s->opt.tee != NULL) {
			slv_tee_free(s->opt.tee);
			s->opt.tee = NULL;
		}
		st = scan_once(s, formats, err);
		slv_hasher_rest(&s->hasher);
		s->hasher.window = NULL;
		s->along = NULL;
		SLV_TRY(st);
		if (s->opt.glance && s->opt.brief) {
			s->glanced = is_enough(s);
			return SLV_OK;
		}
		if (!kept_unreadable(s) && (!s->opt.glance || is_enough(s)))
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
	slv_free(s->state);
	if (s->window != NULL)
		slv_window_free(s->window);
	if (s->cache != NULL)
		slv_cache_drop(s->cache);
	slv_free(s->window);
	slv_free(s->cache);
	slv_hasher_free(&s->hasher);
	slv_pages_free(&s->pages);
	slv_ranges_free(&s->holes);
	slv_catalog_free(&s->catalog);
	slv_gaps_free(&s->gaps);
	slv_problems_free(&s->problems);
	*s = (struct slv_scan){ 0 };
}
