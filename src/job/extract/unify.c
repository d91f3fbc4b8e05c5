/* unify.c - which channels of several segments are one.
 *
 * Channels are one if all that their logs say about them is equal.  A segment may have
 * several of a kind, as a bag has connections of several publishers: the first one of
 * each segment is then one, the second one of each, and so on.
 *
 * A repair puts a placeholder where a declaration was lost.  If another segment has the
 * declaration, that is taken.
 */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "job/extract/segments.h"

/* A channel of a segment. */
struct ref {
	const struct slv_channel_info *info;
	const struct slv_schema_sum *sum;
	uint32_t segment, place;
	uint32_t nth; /* of its kind in the segment */
	bool bare;    /* nothing but its name is known */
};

struct unifying {
	struct slv_segments *all;
	struct ref *at; /* owned */
	size_t n, cap;
	struct slv_err *err;
};

/* The name of the type is that of the schema, too. */
static int
compare_schemas(const struct ref *a, const struct ref *b)
{
	int order = strcmp(a->info->type, b->info->type);

	if (order == 0)
		order =
		    strcmp(a->info->schema_encoding, b->info->schema_encoding);
	return order != 0 ? order : slv_schema_order(a->sum, b->sum);
}

/* What the payloads are. */
static int
compare_kinds(const struct ref *a, const struct ref *b)
{
	int order = compare_schemas(a, b);

	return order != 0 ? order
	                  : strcmp(a->info->encoding, b->info->encoding);
}

static int
compare_meta(const struct slv_channel_info *a, const struct slv_channel_info *b)
{
	int order = SLV_ORDER_OF(a->n_meta, b->n_meta);

	for (size_t i = 0; order == 0 && i < a->n_meta; i++) {
		order = strcmp(a->meta[i].key, b->meta[i].key);
		if (order == 0)
			order = strcmp(a->meta[i].value, b->meta[i].value);
	}
	return order;
}

static int
compare_channels(const struct ref *a, const struct ref *b)
{
	int order = strcmp(a->info->name, b->info->name);

	if (order == 0)
		order = compare_kinds(a, b);
	return order == 0 ? compare_meta(a->info, b->info) : order;
}

/* Is nothing but the name of the channel known? */
static bool
is_bare(const struct slv_log *log, const struct slv_channel_info *c)
{
	return log->scan->format->cutting->has_placeholders
	    && c->type[0] == '\0' && c->encoding[0] == '\0'
	    && c->schema_len == 0;
}

static struct ref
ref_of(const struct slv_log *log, size_t segment, size_t place)
{
	return (struct ref){ .info = &log->channels.at[place],
		.sum = &log->channels.sums[place],
		.segment = (uint32_t)segment,
		.place = (uint32_t)place,
		.bare = is_bare(log, &log->channels.at[place]) };
}

bool
slv_channels_equal(const struct slv_log *log_a, uint32_t place_a,
    const struct slv_log *log_b, uint32_t place_b)
{
	const struct ref a = ref_of(log_a, 0, place_a);
	const struct ref b = ref_of(log_b, 0, place_b);

	if (a.bare || b.bare)
		return strcmp(a.info->name, b.info->name) == 0;
	return compare_channels(&a, &b) == 0;
}

/* By kind, and then by segment and as in it. */
static int
compare_refs(const void *p, const void *q)
{
	const struct ref *a = p, *b = q;
	int order = compare_channels(a, b);

	if (order == 0)
		order = SLV_ORDER_OF(a->nth, b->nth);
	if (order == 0)
		order = SLV_ORDER_OF(a->segment, b->segment);
	return order != 0 ? order : SLV_ORDER_OF(a->place, b->place);
}

static int
compare_schema_refs(const void *p, const void *q)
{
	return compare_schemas(p, q);
}

static const struct slv_cutting *
cutting_of(const struct slv_segments *all)
{
	return all->at[0].log->scan->format->cutting;
}

static const struct slv_channel_about *
about(const struct slv_segments *all, uint32_t segment, uint32_t place)
{
	return &all->at[segment].log->channels.list.at[place];
}

/* The channels that the output has. */
static enum slv_status
list_refs(struct unifying *x)
{
	for (size_t s = 0; s < x->all->n; s++) {
		const struct slv_segment *seg = &x->all->at[s];
		const struct slv_channels *c = &seg->log->channels;

		for (size_t i = 0; i < c->n; i++) {
			/* Without a record it may not be declared. */
			if (seg->filter->wanted[i]
			    && (c->at[i].records > 0
			        || cutting_of(x->all)->declares_all))
				SLV_TRY(SLV_ADD_AT(
				    x, x->err, ref_of(seg->log, s, i)));
		}
	}
	return SLV_OK;
}

/* Return true if a segment has channels of both kinds, which begin at a and b in the
 * list: then its writer wants them so. */
static bool
are_together(const struct unifying *x, size_t a, size_t b)
{
	const size_t end_a = b;

	while (a < end_a && b < x->n && x->at[a].nth == 0 && x->at[b].nth == 0
	    && compare_channels(&x->at[b], &x->at[end_a]) == 0) {
		if (x->at[a].segment == x->at[b].segment)
			return true;
		if (x->at[a].segment < x->at[b].segment)
			a++;
		else
			b++;
	}
	return false;
}

/* Of one name: those with a known declaration first. */
static int
compare_bare(const void *p, const void *q)
{
	const struct ref *a = p, *b = q;
	int order = strcmp(a->info->name, b->info->name);

	if (order == 0)
		order = SLV_ORDER_OF(a->bare, b->bare);
	return order != 0 ? order : SLV_ORDER_OF(a->segment, b->segment);
}

/* What is said about a channel by another segment, where one lost it. */
static void
dress_bare(struct unifying *x)
{
	struct slv_segments *all = x->all;

	slv_sort(x->at, x->n, sizeof(*x->at), compare_bare);
	for (size_t i = 1; i < x->n; i++) {
		struct ref *r = &x->at[i];

		if (!r->bare || r[-1].bare
		    || strcmp(r[-1].info->name, r->info->name) != 0)
			continue;
		r->info = r[-1].info;
		r->sum = r[-1].sum;
		r->bare = false;
		all->at[r->segment].channels[r->place].bare = true;
		all->any_bare = true;
	}
}

/* Two kinds of channels of one name may contradict each other. */
static enum slv_status
check_names(const struct unifying *x, size_t i, size_t k)
{
	const struct ref *a = &x->at[i], *b = &x->at[k];
	bool one_kind = compare_kinds(a, b) == 0;
	const char *what = one_kind ? "description" : "schema";

	if (strcmp(a->info->name, b->info->name) != 0
	    || (one_kind && !cutting_of(x->all)->named)
	    || are_together(x, i, k))
		return SLV_OK;
	if (strcmp(a->info->type, b->info->type) != 0)
		what = "type";
	return slv_fail(x->err, SLV_E_REFUSED,
	    "%s and %s cannot be joined: '%s' has another %s in each "
	    "(--exclude leaves it out)",
	    x->all->at[a->segment].log->name, x->all->at[b->segment].log->name,
	    a->info->name, what);
}

/* Return true if both have the same first or last record of a channel: a segment goes
 * on where another one ends. */
static bool
is_repeated(const struct unifying *x, const struct ref *a, const struct ref *b)
{
	const struct slv_channel *of_a =
	    x->all->at[a->segment].log->channels.said[a->place];
	const struct slv_channel *of_b =
	    x->all->at[b->segment].log->channels.said[b->place];

	return of_a != NULL && of_b != NULL && of_a->messages > 1
	    && of_b->messages > 1 && of_a->first.known && of_b->first.known
	    && (slv_moment_ns(of_a->first) == slv_moment_ns(of_b->first)
	        || slv_moment_ns(of_a->last) == slv_moment_ns(of_b->last));
}

static enum slv_status
check_repeated(
    const struct unifying *x, const struct ref *a, const struct ref *b)
{
	if (a->segment == b->segment || !is_repeated(x, a, b))
		return SLV_OK;
	return slv_fail(x->err, SLV_E_REFUSED,
	    "%s and %s cannot be joined: both have the same records of '%s'; "
	    "salvor merge joins copies of a log",
	    x->all->at[a->segment].log->name, x->all->at[b->segment].log->name,
	    a->info->name);
}

/* Number those of a kind in a segment. */
static void
count_kinds(struct unifying *x)
{
	slv_sort(x->at, x->n, sizeof(*x->at), compare_refs);
	for (size_t i = 1; i < x->n; i++) {
		struct ref *r = &x->at[i];

		if (r[-1].segment == r->segment
		    && compare_channels(r - 1, r) == 0)
			r->nth = r[-1].nth + 1;
	}
}

/* What is equal becomes one. */
static enum slv_status
unify_channels(struct unifying *x)
{
	struct slv_segments *all = x->all;
	const struct slv_joint_channel new = { { UINT32_MAX, 0 },
		SLV_NOT_JOINED };
	size_t kind = 0; /* where channels of this kind begin */

	count_kinds(x);
	slv_sort(x->at, x->n, sizeof(*x->at), compare_refs);
	for (size_t i = 0; i < x->n; i++) {
		const struct ref *r = &x->at[i];
		bool other = i == 0 || compare_channels(&x->at[kind], r) != 0;

		if (i > 0)
			SLV_TRY(other ? check_names(x, kind, i)
			              : check_repeated(x, r - 1, r));
		if (other || r[-1].nth != r->nth)
			SLV_TRY(SLV_ADD(all, channels, x->err, new));
		all->at[r->segment].channels[r->place].place =
		    (uint32_t)all->n_channels - 1;
		kind = other ? i : kind;
	}
	return SLV_OK;
}

SLV_ORDER(by_index, struct slv_joint_schema, index)

const struct slv_joint_schema *
slv_segment_schema(const struct slv_segment *seg, uint32_t index)
{
	return SLV_FIND(struct slv_joint_schema, index, seg->schemas,
	    seg->n_schemas, index);
}

/* The same of schemas: their places, in ->at and in the channels. */
static enum slv_status
unify_schemas(struct unifying *x)
{
	struct slv_segments *all = x->all;
	const struct ref *last = NULL;

	slv_sort(x->at, x->n, sizeof(*x->at), compare_schema_refs);
	for (size_t i = 0; i < x->n; i++) {
		const struct ref *r = &x->at[i];
		struct slv_segment *seg = &all->at[r->segment];
		uint32_t index = about(all, r->segment, r->place)->schema_index;
		uint32_t at;

		if (index == 0)
			continue;
		if (last == NULL || compare_schemas(last, r) != 0)
			SLV_TRY(SLV_ADD(all, schemas, x->err, UINT32_MAX));
		last = r;
		at = (uint32_t)all->n_schemas - 1;
		all->channels[seg->channels[r->place].place].schema = at;
		SLV_TRY(SLV_ADD(seg, schemas, x->err,
		    (struct slv_joint_schema){
		        .index = index, .in.place = at }));
	}
	for (size_t s = 0; s < all->n; s++)
		slv_sort(all->at[s].schemas, all->at[s].n_schemas,
		    sizeof(*all->at[s].schemas), by_index);
	return SLV_OK;
}

/* The first segment keeps its numbers; what others have in addition follows.  Without
 * gaps, all are numbered. */
static enum slv_status
give(uint32_t *number, uint32_t own, bool keeps, uint32_t *last,
    struct slv_err *err)
{
	if (*number != UINT32_MAX)
		return SLV_OK;
	if (keeps && own > *last)
		*last = own;
	if (!keeps && ++*last >= UINT32_MAX - 1)
		return slv_fail(err, SLV_E_LIMIT,
		    "the number of a channel is too large to join logs");
	*number = keeps ? own : *last;
	return SLV_OK;
}

static enum slv_status
number(struct slv_segments *all, struct slv_err *err)
{
	const bool gapless = cutting_of(all)->declares_all;
	uint32_t last = gapless ? UINT32_MAX : 0, last_schema = 0;

	for (uint32_t s = 0; s < all->n; s++) {
		const struct slv_segment *seg = &all->at[s];

		for (size_t i = 0; i < seg->n_schemas; i++)
			SLV_TRY(give(&all->schemas[seg->schemas[i].in.place],
			    seg->schemas[i].index, s == 0, &last_schema, err));
		for (uint32_t i = 0; i < seg->log->channels.n; i++) {
			uint32_t at = seg->channels[i].place;

			if (at != SLV_NOT_JOINED)
				SLV_TRY(give(&all->channels[at].to.channel,
				    about(all, s, i)->index, s == 0 && !gapless,
				    &last, err));
		}
	}
	for (size_t i = 0; i < all->n_channels; i++) {
		struct slv_joint_channel *c = &all->channels[i];

		if (c->schema != SLV_NOT_JOINED)
			c->to.schema = all->schemas[c->schema];
	}
	return SLV_OK;
}

/* Where the numbers are others than in the segment. */
static void
compare_numbers(struct slv_segments *all)
{
	if (cutting_of(all)->renumber == NULL)
		return;
	for (uint32_t s = 0; s < all->n; s++) {
		struct slv_segment *seg = &all->at[s];

		for (size_t i = 0; i < seg->n_schemas; i++) {
			struct slv_joint_schema *k = &seg->schemas[i];

			k->in.moved = all->schemas[k->in.place] != k->index;
		}
		for (uint32_t i = 0; i < seg->log->channels.n; i++) {
			const struct slv_channel_about *own = about(all, s, i);
			struct slv_joint_place *in = &seg->channels[i];
			const struct slv_numbers *to;

			if (in->place == SLV_NOT_JOINED)
				continue;
			to = &all->channels[in->place].to;
			in->moved = to->channel != own->index
			    || to->schema != own->schema_index;
		}
	}
}

enum slv_status
slv_segments_unify(struct slv_segments *all, struct slv_err *err)
{
	struct unifying x = { .all = all, .err = err };
	enum slv_status st = list_refs(&x);

	if (st == SLV_OK && cutting_of(all)->has_placeholders)
		dress_bare(&x);
	if (st == SLV_OK)
		st = unify_channels(&x);
	if (st == SLV_OK)
		st = unify_schemas(&x);
	if (st == SLV_OK)
		st = number(all, err);
	if (st == SLV_OK)
		compare_numbers(all);
	slv_free(x.at);
	return st;
}
