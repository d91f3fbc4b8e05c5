/* bddf_order.c - in which order did the writer put a spec's keys?
 *
 * The map of a SeriesIdentifier has no order on the wire, and the vendor's
 * writer may put two or more keys into the FileIndex otherwise than into the
 * declaration.  Where the FileIndex is lost and the digest survived, the
 * digest knows.  All orders are of one length, so that only the bytes from the
 * FileIndex on have to be hashed for each.
 */
#include "base/list.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define KEYS_MAX  5                    /* 120 orders of one identifier */
#define IDENT_MAX 4096                 /* bytes of one */
#define TAIL_MAX  ((uint64_t)16 << 20) /* bytes from the FileIndex on */
#define WORK      ((uint64_t)64 << 20) /* bytes hashed, an effort of 1 */

/* An identifier whose keys may be in another order. */
struct choice {
	size_t seg;               /* of the plan */
	size_t at;                /* in the tail */
	size_t n;                 /* keys, which are adjacent */
	size_t off[KEYS_MAX + 1]; /* in the identifier: where each begins */
	unsigned order, orders;   /* the present one of so many */
	uint8_t *bytes;           /* owned; as it was */
};

struct ordering {
	struct slv_scan *s;
	struct slv_plan *plan;
	struct choice *at; /* owned */
	size_t n, cap;
	uint8_t *tail; /* owned; from the FileIndex up to the digest */
	size_t len;
	struct slv_digest before; /* of all before it */
};

/* The places of the keys of an identifier. */
struct keys {
	uint64_t off; /* of the identifier */
	size_t n, at[KEYS_MAX + 1];
	bool odd; /* too many, or not together */
};

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct keys *k = ctx;
	uint64_t from, end;

	if (f->event != BDDF_OPEN || f->depth > 0)
		return true;
	from = f->off - k->off - 1 - bddf_varint_size(f->len);
	end = f->off - k->off + f->len;
	if (k->n == KEYS_MAX || (k->n > 0 && k->at[k->n] != from)) {
		k->odd = true;
		return false;
	}
	k->at[k->n] = (size_t)from;
	k->at[++k->n] = (size_t)end;
	return true;
}

static enum slv_status
add_choice(struct ordering *o, const struct bddf_series *series,
    const struct keys *k, struct slv_err *err)
{
	const struct slv_seg *seg = &o->plan->at[series->ident_seg];
	struct choice c = {
		.seg = series->ident_seg,
		.at = (size_t)(seg->out - bddf_of(o->s)->made_index),
		.n = k->n,
		.orders = 1,
	};

	for (size_t i = 0; i <= k->n; i++)
		c.off[i] = k->at[i];
	for (unsigned i = 2; i <= k->n; i++)
		c.orders *= i;
	SLV_TRY(SLV_ROOM_AT(o, 1, err));
	c.bytes = slv_realloc(NULL, (size_t)seg->len);
	if (c.bytes == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	memcpy(c.bytes, o->tail + c.at, (size_t)seg->len);
	o->at[o->n++] = c;
	return SLV_OK;
}

/* The identifiers that were carried over from declarations. */
static enum slv_status
find_choices(struct ordering *o, struct slv_err *err)
{
	const struct bddf *b = bddf_of(o->s);

	for (size_t i = 0; i < b->n_series; i++) {
		const struct bddf_series *series = &b->series[i];
		struct keys k = { .off = series->ident.off };
		enum bddf_read read;

		if (!series->declared || series->index_ident.len > 0
		    || series->mend.at.len > 0 || series->ident.len > IDENT_MAX)
			continue;
		SLV_TRY(bddf_walk(o->s->window, series->ident.off,
		    series->ident.len, bosdyn_api_SeriesIdentifier_fields,
		    visit, &k, &read, err));
		if (k.n > 1 && !k.odd)
			SLV_TRY(add_choice(o, series, &k, err));
	}
	return SLV_OK;
}

/* Write the identifier with its keys in the present order. */
static void
arrange(const struct ordering *o, const struct choice *c)
{
	uint8_t *to = o->tail + c->at + c->off[0];
	size_t left[KEYS_MAX], n = c->n;
	unsigned code = c->order;

	for (size_t i = 0; i < n; i++)
		left[i] = i;
	for (; n > 0; n--) {
		size_t pick = code % n, key = left[pick];
		size_t len = c->off[key + 1] - c->off[key];

		code /= (unsigned)n;
		memcpy(to, c->bytes + c->off[key], len);
		to += len;
		memmove(&left[pick], &left[pick + 1],
		    (n - pick - 1) * sizeof(*left));
	}
}

/* The next combination of orders; false: that was the last. */
static bool
advance(struct ordering *o)
{
	for (size_t i = 0; i < o->n; i++) {
		struct choice *c = &o->at[i];

		c->order = (c->order + 1) % c->orders;
		arrange(o, c);
		if (c->order != 0)
			return true;
	}
	return false;
}

static bool
matches(const struct ordering *o)
{
	struct slv_digest d = o->before;
	uint8_t digest[SLV_DIGEST_MAX];

	slv_digest_add(&d, o->tail, o->len);
	slv_digest_get(&d, digest);
	return slv_seal_compare(&o->s->seal, digest) >= SLV_SEAL_FIELD;
}

/* Read the tail of the plan, and hash what is before it. */
static enum slv_status
read_plan(struct ordering *o, struct slv_err *err)
{
	uint64_t from = bddf_of(o->s)->made_index;
	struct slv_source *out = NULL;
	struct slv_hasher h = { 0 };
	enum slv_status st;

	o->len = (size_t)(o->plan->digest_off - from);
	o->tail = slv_realloc(NULL, o->len);
	if (o->tail == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	SLV_TRY(slv_plan_source(o->plan, &out, err));
	st = slv_hasher_init(&h, out, o->s->seal.kind, o->s->opt.cancel, err);
	if (st == SLV_OK)
		st = slv_hasher_to(&h, from, err);
	if (st == SLV_OK)
		st = slv_source_read(out, from, o->tail, o->len, err);
	o->before = h.now.digest;
	slv_hasher_free(&h);
	slv_source_close(out);
	return st;
}

/* Put the orders found into the plan. */
static enum slv_status
settle(const struct ordering *o, struct slv_err *err)
{
	for (size_t i = 0; i < o->n; i++)
		SLV_TRY(slv_plan_replace(
		    o->plan, o->at[i].seg, o->tail + o->at[i].at, err));
	return SLV_OK;
}

static enum slv_status
search(struct ordering *o, unsigned effort, bool *found, struct slv_err *err)
{
	uint64_t left = WORK * effort;

	SLV_TRY(read_plan(o, err));
	SLV_TRY(find_choices(o, err));
	while (o->n > 0 && !*found && left >= o->len && advance(o)) {
		left -= o->len;
		*found = matches(o);
	}
	return *found ? settle(o, err) : SLV_OK;
}

enum slv_status
bddf_reorder(struct slv_scan *s, struct slv_plan *plan, unsigned effort,
    bool *found, struct slv_err *err)
{
	struct ordering o = { .s = s, .plan = plan };
	const struct bddf *b = bddf_of(s);
	enum slv_status st;

	*found = false;
	if (b->made_index == 0 || !plan->has_digest
	    || plan->digest_off - b->made_index > TAIL_MAX)
		return SLV_OK;
	st = search(&o, effort, found, err);
	for (size_t i = 0; i < o.n; i++)
		slv_free(o.at[i].bytes);
	slv_free(o.at);
	slv_free(o.tail);
	return st;
}
