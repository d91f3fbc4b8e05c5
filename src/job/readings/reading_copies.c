/* reading_copies.c - several copies of the log in the file, each damaged: one
 * copy may have what another lacks. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/read/part.h"
#include "job/merge/merge.h"
#include "job/readings/reading_ways.h"

#define LOOK   ((size_t)64 << 10) /* bytes compared after each beginning */
#define WINDOW 64                 /* bytes that are compared at once */
#define FIRST  16                 /* windows that are compared, at most */
#define SAME   4                  /* that must be the same, at least */

/* The joined copies, and the offset of each copy in the reading. */
struct laying {
	struct slv_audit *audit;
	const struct slv_begun *found;
	struct slv_merge merge;
	struct slv_joint flat; /* owned; pieces of the copies */
	bool unplaced;         /* units of some have no place */
};

static enum slv_status
lay(struct laying *l, const struct slv_audit_options *opt, bool *any,
    struct slv_err *err)
{
	struct slv_audit_options how = *opt;
	struct slv_source *whole = l->audit->read, *out;
	struct slv_merge *m = &l->merge;
	enum slv_status st;

	how.scan.tee = NULL;
	SLV_TRY(slv_merge_init(m, l->found->n, err));
	for (size_t i = 0; i < m->n; i++) {
		uint64_t off = l->found->at[i];
		uint64_t end = i + 1 < m->n ? l->found->at[i + 1] : whole->size;

		m->order[i] = i;
		SLV_TRY(slv_source_part(
		    whole, off, end - off, &m->files[i].source, err));
	}
	st = slv_merge_lay(m, &how, &out, err);
	*any = st == SLV_OK && m->foreign == 0;
	l->unplaced = st == SLV_OK && m->unplaced > 0;
	/* What exceeds a limit for two copies may not for one. */
	if (st == SLV_E_UNRELATED || st == SLV_E_LIMIT) {
		*err = (struct slv_err){ 0 };
		return SLV_OK;
	}
	SLV_TRY(st);
	return *any ? slv_merge_flatten(m, &l->flat, err) : SLV_OK;
}

/* The offset of a piece of a copy in the reading. */
static bool
place_of(const struct laying *l, const struct slv_piece *p, uint64_t *off)
{
	for (size_t i = 0; i < l->merge.n; i++) {
		if (p->source == l->merge.files[i].source) {
			*off = l->found->at[i] + p->off;
			return true;
		}
	}
	return false;
}

/* The pieces as pieces of the reading.  *any = false: one is in none. */
static enum slv_status
take_pieces(const struct laying *l, struct slv_view *view, bool *any,
    struct slv_err *err)
{
	uint64_t off;

	for (size_t i = 0; *any && i < l->flat.n; i++) {
		const struct slv_piece *p = &l->flat.at[i];

		*any = place_of(l, p, &off);
		if (*any)
			SLV_TRY(slv_joint_add(
			    view->joint, l->audit->read, off, p->len, err));
	}
	return SLV_OK;
}

/* Ranges in which the copies differ and the right bytes are unknown. */
static enum slv_status
take_doubts(const struct laying *l, struct slv_view *view, struct slv_err *err)
{
	const struct slv_merge *m = &l->merge;
	const struct slv_joint *last = &m->joints[m->n_joined - 1];
	struct slv_joint *to = view->joint;

	for (size_t i = 0; i < last->torn.n; i++) {
		const struct slv_range *r = &last->torn.at[i];

		SLV_TRY(
		    slv_ranges_add(&to->torn, r->off, r->end - r->off, err));
	}
	for (size_t i = 0; i < last->disputed.n; i++) {
		const struct slv_range *r = &last->disputed.at[i];
		const struct slv_piece *p = &to->at[slv_joint_find(to, r->off)];

		SLV_TRY(
		    slv_view_why(view, &slv_core_problems[SLV_P_COPIES_DIFFER],
		        r->off - p->at + p->off, r->end - r->off, err));
	}
	return SLV_OK;
}

/* Bytes of the reading that are in no piece. */
static enum slv_status
name_rest(const struct laying *l, struct slv_view *view, struct slv_err *err)
{
	struct slv_ranges used = { .at = NULL };
	uint64_t at = l->found->at[0], size = l->audit->read->size;
	enum slv_status st = SLV_OK;

	if (at > 0)
		SLV_TRY(slv_view_why(
		    view, &slv_core_problems[SLV_P_JUNK_BEFORE], 0, at, err));
	for (size_t i = 0; st == SLV_OK && i < view->joint->n; i++)
		st = slv_ranges_add(
		    &used, view->joint->at[i].off, view->joint->at[i].len, err);
	for (size_t i = 0; st == SLV_OK && i <= used.n; i++) {
		uint64_t off = i < used.n ? used.at[i].off : size;

		if (off > at)
			st = slv_view_why(view, &slv_core_problems[SLV_P_COPY],
			    at, off - at, err);
		at = i < used.n ? used.at[i].end : size;
	}
	slv_ranges_free(&used);
	return st;
}

/* Return true if the first of n bytes after two beginnings are mostly equal: a
 * log in a payload may begin like any other.  Windows with a single byte value
 * show nothing. */
static bool
is_alike(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t all = 0, same = 0;

	for (size_t at = 0; at + WINDOW <= n && all < FIRST; at += WINDOW) {
		const uint8_t *p = a + at;

		if (memcmp(p, p + 1, WINDOW - 1) == 0)
			continue;
		all++;
		same += memcmp(p, b + at, WINDOW) == 0;
	}
	return same >= SAME && same >= all / 2;
}

/* How many bytes copy i has, up to LOOK. */
static size_t
look_at(const struct slv_source *s, const struct slv_begun *found, size_t i)
{
	uint64_t end = i + 1 < found->n ? found->at[i + 1] : s->size;

	return (size_t)slv_min64(LOOK, end - found->at[i]);
}

/* Return true if all beginnings are of one log: each copy begins like the
 * longest one. */
static enum slv_status
are_alike(struct slv_source *s, const struct slv_begun *found, bool *yes,
    struct slv_err *err)
{
	uint8_t *buf = slv_realloc(NULL, 2 * LOOK);
	enum slv_status st = SLV_OK;
	size_t longest = 0;

	if (buf == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 1; i < found->n; i++) {
		if (look_at(s, found, i) > look_at(s, found, longest))
			longest = i;
	}
	*yes = true;
	for (size_t i = 0; st == SLV_OK && *yes && i < found->n; i++) {
		size_t n = look_at(s, found, i);

		st = slv_source_read(s, found->at[longest], buf, n, err);
		if (st == SLV_OK)
			st = slv_source_read(
			    s, found->at[i], buf + LOOK, n, err);
		if (st == SLV_OK)
			*yes = memcmp(buf, buf + LOOK, n) == 0
			    || is_alike(buf, buf + LOOK, n);
	}
	slv_free(buf);
	return st;
}

enum slv_status
slv_way_copies(struct slv_way_input *in, unsigned i, struct slv_view *view,
    bool *any, struct slv_err *err)
{
	struct slv_audit *a = in->audit;
	const struct slv_begun *found = &in->begun;
	struct laying l = { .audit = a, .found = found };
	enum slv_status st;

	*any = false;
	if (i > 0 || !a->scan.format->based || a->read->unreadable.n > 0)
		return SLV_OK;
	SLV_TRY(slv_way_seek(in, err));
	if (found->n < 2 || found->n > SLV_COPIES)
		return SLV_OK;
	SLV_TRY(are_alike(a->read, found, any, err));
	if (!*any)
		return SLV_OK;
	in->mixed = slv_way_mixes(&a->scan, found);
	st = lay(&l, in->opt, any, err);
	if (st == SLV_OK && *any)
		st = take_pieces(&l, view, any, err);
	if (st == SLV_OK && *any)
		st = take_doubts(&l, view, err);
	if (st == SLV_OK && *any)
		st = name_rest(&l, view, err);
	in->unplaced = l.unplaced;
	slv_joint_free(&l.flat);
	slv_merge_free(&l.merge);
	return st;
}

bool
slv_way_copies_hold(struct slv_way_input *in)
{
	return !in->unplaced || slv_scan_is_sound(&in->audit->scan);
}
