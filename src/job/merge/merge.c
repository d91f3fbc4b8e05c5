/* merge.c - several damaged copies of one recording as one source.
 *
 * Each copy is joined with the result of the copies before it, so any number of
 * them is two at a time.  merge_order.c chooses the order.
 */
#include "job/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "core/copies/choose.h"
#include "formats/formats.h"
#include "io/sys.h"
#include "job/inplace/undo.h"
#include "job/input/active.h"
#include "job/input/input.h"
#include "job/merge/kin.h"

/* Copies: each is read through those joined before it. */
#define COPIES_MAX 64

/* File i is none of those before it, and not the output. */
static enum slv_status
check_apart(const struct slv_merge *m, size_t i, const char *target,
    struct slv_err *err)
{
	const struct slv_merge_file *f = &m->files[i];
	struct stat st;

	for (size_t k = 0; k < i; k++) {
		if (m->files[k].st.st_dev == f->st.st_dev
		    && m->files[k].st.st_ino == f->st.st_ino)
			return slv_fail(err, SLV_E_USAGE,
			    "%s and %s are one file, not two copies",
			    m->files[k].name, f->name);
	}
	if (target == NULL || strcmp(target, "-") == 0
	    || slv_sys.stat(target, &st) < 0 || st.st_dev != f->st.st_dev
	    || st.st_ino != f->st.st_ino)
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE,
	    "%s: is one of the copies itself; name another output", target);
}

enum slv_status
slv_merge_init(struct slv_merge *m, size_t n, struct slv_err *err)
{
	*m = (struct slv_merge){ .n = n };
	m->files = slv_calloc(n + 1, sizeof(*m->files));
	m->joints = slv_calloc(n, sizeof(*m->joints));
	m->joined = slv_calloc(n, sizeof(struct slv_source *));
	m->order = slv_calloc(n, sizeof(*m->order));
	if (m->files != NULL && m->joints != NULL && m->joined != NULL
	    && m->order != NULL)
		return SLV_OK;
	slv_merge_free(m);
	return slv_fail(err, SLV_E_NOMEM, "out of memory");
}

static enum slv_status
open_file(struct slv_merge *m, size_t i, const char *name,
    const struct slv_options *opt, const char *target, struct slv_err *err)
{
	struct slv_merge_file *f = &m->files[i];

	f->name = name;
	if (strcmp(name, "-") == 0)
		return slv_fail(err, SLV_E_USAGE,
		    "copies are files; standard input cannot be one");
	SLV_TRY(slv_input_no_folder(
	    name, "the copies of one recording are named one by one", err));
	SLV_TRY(slv_input_other(
	    opt, i < m->n ? target : NULL, name, &f->source, &f->st, err));
	SLV_TRY(check_apart(m, i, target, err));
	SLV_TRY(slv_undo_check_finished(name, err));
	return slv_active_writer(f->source, err);
}

enum slv_status
slv_merge_open(struct slv_merge *m, const char *const *files, size_t n,
    const struct slv_options *opt, const char *target, struct slv_err *err)
{
	const char *fill = opt->fill;

	if (n > COPIES_MAX)
		return slv_fail(err, SLV_E_LIMIT,
		    "merge joins at most %d copies; merge some of them first, "
		    "and then the results",
		    COPIES_MAX);
	SLV_TRY(slv_merge_init(m, n, err));
	for (size_t i = 0; i < n; i++)
		SLV_TRY(open_file(m, i, files[i], opt, target, err));
	return fill != NULL ? open_file(m, n, fill, opt, target, err) : SLV_OK;
}

/* Judge a copy by itself: does its digest confirm it? */
static bool
is_proven(const struct slv_copy *c)
{
	return c->mended == NULL && slv_scan_is_sound(&c->scan)
	    && c->scan.seal.as_is == SLV_SEAL_EQUAL;
}

/* Whatever the joined log is, a copy that the recorder's digest confirms is
 * better, unless it lacks records. */
static bool
take_proven(const struct slv_copy *c, const struct slv_copy *joint)
{
	return is_proven(c) && joint->scan.units_kept <= c->scan.units_kept;
}

/* Two copies that are being joined. */
struct joining {
	struct slv_joint *joint;
	struct slv_alignment alignment;
	struct slv_choices choices;
	struct slv_copy *copy[2];
	char why[SLV_KIN_TEXT]; /* evidence against one recording */
	bool proven;            /* the joined log matches the recorder's
				 * digest */
	bool in_doubt;          /* ... or does not, and no copy does */
	uint64_t sealed;        /* how many of its bytes that confirms */
	int taken;              /* a copy that is better alone; -1: none */
};

/* Compare the joined log with the existing digests. */
static enum slv_status
weigh(
    struct joining *g, const struct slv_audit_options *opt, struct slv_err *err)
{
	struct slv_trial t = {
		.joint = g->joint,
		.effort = g->why[0] == '\0' ? opt->effort : 0,
		.cancel = opt->scan.cancel,
		.meter = opt->scan.meter,
	};
	struct slv_source *source = NULL;
	struct slv_copy joint = { .n = 0 };
	enum slv_status st;

	g->taken = -1;
	st = slv_joined_source(g->joint, "copies", &source, err);
	if (st == SLV_OK)
		st =
		    slv_copy_scan(&joint, source, slv_formats, &opt->scan, err);
	t.seal = &joint.scan.seal;
	for (int i = 1; i >= 0; i--) {
		if (st == SLV_OK && !is_proven(&joint)
		    && take_proven(g->copy[i], &joint))
			g->taken = i;
	}
	if (st == SLV_OK && g->taken < 0)
		st = slv_choices_try(&g->choices, &t, err);
	if (st == SLV_OK && g->taken < 0 && !t.proven)
		st = slv_choices_confirm(&g->choices, &t, &joint, err);
	g->proven = t.proven;
	g->sealed = t.seal->off;
	g->in_doubt = t.seal->have > 0 && !t.proven && g->taken < 0;
	slv_copy_free(&joint);
	slv_source_close(source);
	return st;
}

/* Return true if the digest confirms bytes of both. */
static bool
has_both(const struct joining *g)
{
	bool of[2] = { false, false };

	for (size_t i = 0; i < g->joint->n && g->joint->at[i].at < g->sealed;
	     i++) {
		for (int k = 0; k < 2; k++)
			of[k] |= g->joint->at[i].source == g->copy[k]->source;
	}
	return of[0] && of[1];
}

static enum slv_status
settle(struct joining *g, struct slv_err *err)
{
	const struct slv_source *name[2] = { g->copy[0]->source,
		g->copy[1]->source };

	if (g->why[0] != '\0' && !(g->proven && has_both(g)))
		return slv_fail(err, SLV_E_UNRELATED,
		    "%s and %s are not of one recording: %s", name[0]->name,
		    name[1]->name, g->why);
	if (g->taken >= 0) {
		struct slv_source *one = g->copy[g->taken]->source;

		slv_joint_free(g->joint);
		return slv_joint_add(g->joint, one, 0, one->size, err);
	}
	return g->proven ? SLV_OK
	                 : slv_choices_note(&g->choices, g->joint, err);
}

/* Return true if a checksum confirms the unit that contains [off, end). */
static bool
is_confirmed(const struct slv_joint *j, uint64_t off, uint64_t end)
{
	const struct slv_range *r = slv_ranges_from(&j->confirmed, off);

	return r != NULL && r->off <= off && end <= r->end;
}

/* What was in doubt before another copy was joined still is, if the bytes are
 * the same. */
static enum slv_status
carry_doubts(struct slv_joint *j, const struct slv_source *from,
    const struct slv_ranges *disputed, struct slv_err *err)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct slv_piece *p = &j->at[i];
		const struct slv_range *r;

		if (p->source != from)
			continue;
		for (r = slv_ranges_from(disputed, p->off);
		     r != NULL && r < disputed->at + disputed->n
		     && r->off < p->off + p->len;
		     r++) {
			uint64_t off = slv_max64(r->off, p->off);
			uint64_t end = slv_min64(r->end, p->off + p->len);

			off = off - p->off + p->at;
			end = end - p->off + p->at;
			if (!is_confirmed(j, off, end))
				SLV_TRY(slv_ranges_add(
				    &j->disputed, off, end - off, err));
		}
	}
	return SLV_OK;
}

/* Join two copies. */
static enum slv_status
join(struct slv_merge *m, struct slv_copy *a, struct slv_copy *b,
    const struct slv_audit_options *opt, struct slv_err *err)
{
	struct joining g = {
		.joint = &m->joints[m->n_joined],
		.copy = { a, b },
	};
	struct slv_source **out = &m->joined[m->n_joined];
	enum slv_status st = slv_align(&g.alignment, a, b, err);

	if (st == SLV_OK)
		st = slv_kin_check(a, b, &g.alignment, g.why, err);
	if (st == SLV_OK)
		st = slv_choose(&g.choices, g.joint, &g.alignment, a, b, err);
	if (st == SLV_OK)
		st = weigh(&g, opt, err);
	if (st == SLV_OK)
		st = settle(&g, err);
	if (st == SLV_OK && m->n_joined > 0 && !g.proven)
		st = carry_doubts(g.joint, a->source,
		    &m->joints[m->n_joined - 1].disputed, err);
	if (st == SLV_OK)
		st = slv_joined_source(
		    g.joint, m->files[0].source->name, out, err);
	m->unplaced += g.alignment.unplaced;
	for (int i = 0; i < 2; i++)
		m->foreign += g.copy[i]->scan.catalog.sums[SLV_FOREIGN];
	m->in_doubt = g.in_doubt;
	slv_choices_free(&g.choices);
	slv_alignment_free(&g.alignment);
	m->n_joined += *out != NULL;
	return st;
}

/* Join the i-th copy with the result of those before it. */
static enum slv_status
add_copy(struct slv_merge *m, size_t i, const struct slv_audit_options *opt,
    struct slv_err *err)
{
	struct slv_source *before =
	    i == 1 ? m->files[m->order[0]].source : m->joined[i - 2];
	struct slv_source *next = m->files[m->order[i]].source;
	struct slv_copy a = { .n = 0 }, b = { .n = 0 };
	enum slv_status st =
	    slv_copy_mend(&a, before, slv_formats, &opt->scan, err);

	if (st == SLV_OK)
		st = slv_copy_mend(&b, next, slv_formats, &opt->scan, err);
	if (st == SLV_OK)
		st = join(m, &a, &b, opt, err);
	slv_copy_free(&a);
	slv_copy_free(&b);
	return st;
}

/* Free what was joined. */
static void
part(struct slv_merge *m)
{
	while (m->n_joined > 0)
		slv_source_close(m->joined[--m->n_joined]);
	for (size_t i = 0; m->joints != NULL && i < m->n; i++) {
		slv_joint_free(&m->joints[i]);
		m->joined[i] = NULL;
	}
	m->unplaced = m->foreign = 0;
	m->in_doubt = false;
}

enum slv_status
slv_merge_lay(struct slv_merge *m, const struct slv_audit_options *opt,
    struct slv_source **out, struct slv_err *err)
{
	part(m);
	*out = NULL;
	for (size_t i = 1; i < m->n; i++)
		SLV_TRY(add_copy(m, i, opt, err));
	*out = m->n_joined > 0 ? m->joined[m->n_joined - 1]
	                       : m->files[m->order[0]].source;
	return SLV_OK;
}

enum slv_status
slv_merge_unchanged(
    const struct slv_merge *m, slv_active_fn judge, struct slv_err *err)
{
	for (size_t i = 0; i <= m->n; i++) {
		const struct slv_merge_file *f = &m->files[i];
		struct stat now;

		if (f->source == NULL)
			continue;
		if (slv_sys.stat(f->name, &now) < 0)
			return slv_fail_errno(
			    err, "%s: cannot look at it again", f->name);
		SLV_TRY(judge(f->name, &f->st, &now, err));
	}
	return SLV_OK;
}

/* How many bytes of a source are in [off, end) of joint k, or of the earlier
 * joints that it is made of. */
static uint64_t
share(const struct slv_merge *m, size_t k, uint64_t off, uint64_t end,
    const struct slv_source *source)
{
	const struct slv_joint *j = &m->joints[k];
	uint64_t n = 0;

	for (size_t i = slv_joint_find(j, off); i < j->n && j->at[i].at < end;
	     i++) {
		const struct slv_piece *p = &j->at[i];
		uint64_t from = slv_max64(off, p->at) - p->at + p->off;
		uint64_t upto = slv_min64(end, p->at + p->len) - p->at + p->off;

		if (p->source == source)
			n += upto - from;
		else if (k > 0 && p->source == m->joined[k - 1])
			n += share(m, k - 1, from, upto, source);
	}
	return n;
}

static uint64_t
share_of(const struct slv_merge *m, size_t i)
{
	const struct slv_source *source = m->files[i].source;
	size_t last = m->n_joined - 1;

	if (m->n_joined == 0)
		return source->size;
	return share(m, last, 0, m->joints[last].size, source);
}

/* Append [off, end) of joint k to a joint of the copies themselves. */
static enum slv_status
flatten(const struct slv_merge *m, size_t k, uint64_t off, uint64_t end,
    struct slv_joint *out, struct slv_err *err)
{
	const struct slv_joint *j = &m->joints[k];

	for (size_t i = slv_joint_find(j, off); i < j->n && j->at[i].at < end;
	     i++) {
		const struct slv_piece *p = &j->at[i];
		uint64_t from = slv_max64(off, p->at) - p->at + p->off;
		uint64_t upto = slv_min64(end, p->at + p->len) - p->at + p->off;

		if (k > 0 && p->source == m->joined[k - 1])
			SLV_TRY(flatten(m, k - 1, from, upto, out, err));
		else if (p->source != NULL)
			SLV_TRY(slv_joint_add(
			    out, p->source, from, upto - from, err));
		else
			SLV_TRY(slv_joint_bytes(
			    out, j->made.at + from, upto - from, err));
	}
	return SLV_OK;
}

enum slv_status
slv_merge_flatten(
    const struct slv_merge *m, struct slv_joint *out, struct slv_err *err)
{
	size_t last = m->n_joined - 1;

	return flatten(m, last, 0, m->joints[last].size, out, err);
}

static enum slv_status
raise_doubts(
    const struct slv_merge *m, struct slv_audit *a, struct slv_err *err)
{
	const struct slv_ranges *d;

	if (m->unplaced > 0)
		SLV_TRY(slv_scan_core_problem(
		    &a->scan, SLV_P_COPIES_UNPLACED, 0, m->unplaced, err));
	if (m->n_joined == 0)
		return SLV_OK;
	d = &m->joints[m->n_joined - 1].disputed;
	for (size_t i = 0; i < d->n; i++)
		SLV_TRY(slv_scan_core_problem(&a->scan, SLV_P_COPIES_DIFFER,
		    d->at[i].off, d->at[i].end - d->at[i].off, err));
	return SLV_OK;
}

/* Return true if the result is one of the copies, byte for byte. */
static bool
is_copy(const struct slv_merge *m, const struct slv_source *result)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->files[i].source->size == result->size
		    && share_of(m, i) == result->size)
			return true;
	}
	return false;
}

enum slv_status
slv_merge_judge(
    const struct slv_merge *m, struct slv_audit *a, struct slv_err *err)
{
	bool proven = a->assurance == SLV_BY_DIGEST;

	if (a->scan.format == NULL)
		return SLV_OK;
	if (!proven)
		SLV_TRY(raise_doubts(m, a, err));
	if (a->state == SLV_STATE_INTACT
	    && (!slv_scan_is_sound(&a->scan) || !is_copy(m, a->input))) {
		a->state = SLV_STATE_REPAIRED;
		a->proven = proven;
	}
	/* Bytes of a copy that are not in the output are lost. */
	if (a->state == SLV_STATE_REPAIRED && !proven && m->unplaced > 0)
		a->state = SLV_STATE_LOSSY;
	return SLV_OK;
}

enum slv_status
slv_merge_report(
    const struct slv_merge *m, struct slv_report *r, struct slv_err *err)
{
	r->copies = slv_calloc(m->n, sizeof(*r->copies));
	if (r->copies == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t i = 0; i < m->n; i++) {
		struct slv_copy_line *c = &r->copies[r->n_copies++];

		c->size = m->files[i].source->size;
		c->used = share_of(m, i);
		c->file = slv_strdup(m->files[i].name);
		if (c->file == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	return SLV_OK;
}

void
slv_merge_free(struct slv_merge *m)
{
	if (m->joints != NULL && m->joined != NULL)
		part(m);
	for (size_t i = 0; m->files != NULL && i <= m->n; i++)
		slv_source_close(m->files[i].source);
	slv_free(m->files);
	slv_free(m->order);
	slv_free(m->joints);
	slv_free(m->joined);
	*m = (struct slv_merge){ .n = 0 };
}
