/* rosbag_keys.c - messages by connection and time, as indexes name them. */
#include "formats/rosbag/index/rosbag_keys.h"
#include "base/list.h"

#define INDEXES 4096 /* of chunks, in all ranges that were left out */
#define MANY    8    /* messages in an index that are no chance */

int
rosbag_key_compare(const void *p, const void *q)
{
	const struct rosbag_key *a = p, *b = q;

	if (a->conn != b->conn)
		return a->conn < b->conn ? -1 : 1;
	return rosbag_time_compare(a->time, b->time);
}

enum slv_status
rosbag_keys_add(
    struct rosbag_keys *k, struct rosbag_key key, struct slv_err *err)
{
	return SLV_ADD_AT(k, err, key);
}

enum slv_status
rosbag_keys_of_chunk(const struct rosbag *b, const struct rosbag_chunk *c,
    struct rosbag_keys *out, struct slv_err *err)
{
	for (size_t i = 0; i < c->n_entries; i++) {
		const struct rosbag_entry *e = &b->kept.at[c->first_entry + i];

		if (!e->is_conn)
			SLV_TRY(rosbag_keys_add(out,
			    (struct rosbag_key){
			        b->conns[e->conn].id, e->time, e->at, e->len },
			    err));
	}
	return SLV_OK;
}

void
rosbag_keys_sort(struct rosbag_keys *k)
{
	if (k->n > 1)
		slv_sort(k->at, k->n, sizeof(*k->at), rosbag_key_compare);
}

size_t
rosbag_keys_from(const struct rosbag_keys *k, const struct rosbag_key *key)
{
	struct slv_search f = { .high = k->n };

	while (slv_search(&f))
		slv_search_on(&f, rosbag_key_compare(&k->at[f.mid], key) < 0);
	return f.low;
}

bool
rosbag_keys_have(const struct rosbag_keys *k, const struct rosbag_key *key)
{
	size_t i = rosbag_keys_from(k, key);

	return i < k->n && rosbag_key_compare(&k->at[i], key) == 0;
}

void
rosbag_keys_subtract(struct rosbag_keys *x, const struct rosbag_keys *y)
{
	size_t n = 0, k = 0;

	for (size_t i = 0; i < x->n; i++) {
		while (k < y->n && rosbag_key_compare(&y->at[k], &x->at[i]) < 0)
			k++;
		if (k < y->n && rosbag_key_compare(&y->at[k], &x->at[i]) == 0)
			k++;
		else
			x->at[n++] = x->at[i];
	}
	x->n = n;
}

enum slv_status
rosbag_keys_read(struct slv_scan *s, uint64_t off, uint64_t end, uint64_t data,
    struct rosbag_keys *out, bool *whole, struct slv_err *err)
{
	*whole = true;
	while (off < end) {
		struct rosbag_record r;
		const uint8_t *p;

		SLV_TRY(rosbag_look(s, off, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_INDEX
		    || r.data != (uint64_t)r.count * ROSBAG_ENTRY_SIZE
		    || rosbag_span(&r) > end - off) {
			*whole = false;
			SLV_TRY(rosbag_find(
			    s, off + 1, end, 1u << ROSBAG_INDEX, &off, err));
			continue;
		}
		SLV_TRY(rosbag_remember(
		    s, (uint64_t)r.count * sizeof(struct rosbag_key), err));
		off += rosbag_head(&r);
		for (uint32_t i = 0; i < r.count; i++) {
			struct rosbag_named named;

			SLV_TRY(slv_window_view(
			    s->window, off, ROSBAG_ENTRY_SIZE, &p, err));
			named = rosbag_named_get(p, r.conn);
			SLV_TRY(rosbag_keys_add(out,
			    (struct rosbag_key){
			        r.conn, named.time, data + named.offset, 0 },
			    err));
			off += ROSBAG_ENTRY_SIZE;
		}
	}
	return SLV_OK;
}

/* How many from the i-th on are of one connection. */
static uint32_t
run_of(const struct rosbag_keys *k, size_t i)
{
	uint32_t n = 1;

	while (i + n < k->n && k->at[i + n].conn == k->at[i].conn)
		n++;
	return n;
}

/* How many of these connections, which are sorted, an info has with as many
 * messages, within its times; 0: it has one of them otherwise. */
static size_t
count_alike(const struct rosbag *b, const struct rosbag_info *info,
    const struct rosbag_keys *k)
{
	const struct rosbag_count *at = b->counts + info->first_count;
	size_t n = 0, alike = 0;
	uint32_t run;

	for (size_t i = 0; i < k->n; i += run, alike++) {
		run = run_of(k, i);
		while (n < info->n_counts && at[n].conn < k->at[i].conn)
			n++;
		if (n == info->n_counts || at[n].conn != k->at[i].conn
		    || at[n].n != run)
			return 0;
	}
	for (size_t i = 0; i < k->n; i++) {
		if (rosbag_time_compare(k->at[i].time, info->from) < 0
		    || rosbag_time_compare(k->at[i].time, info->to) > 0)
			return 0;
	}
	return alike;
}

bool
rosbag_keys_are_chunk(const struct rosbag *b, const struct rosbag_keys *k)
{
	for (size_t i = 0; i < b->n_infos; i++) {
		const struct rosbag_info *info = &b->infos[i];
		size_t alike = count_alike(b, info, k);

		if (alike > 0
		    && (alike == info->n_counts
		        || (k->n >= MANY && alike * 2 >= info->n_counts)))
			return true;
	}
	return false;
}

enum slv_status
rosbag_index_end(
    struct slv_scan *s, uint64_t off, uint64_t *end, struct slv_err *err)
{
	uint64_t limit = rosbag_index_limit(s);

	for (*end = off; *end < s->logical_end;) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, *end, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_INDEX
		    || rosbag_span(&r) > limit - *end)
			break;
		*end += rosbag_span(&r);
	}
	return SLV_OK;
}

/* What indexes name in [off, end), which was left out: a payload can carry a bag
 * with indexes, but none that the index at the end of this one counts. */
static enum slv_status
read_lost(struct slv_scan *s, uint64_t off, uint64_t end, int *budget,
    struct rosbag_keys *out, struct slv_err *err)
{
	struct rosbag_keys one = { 0 };
	enum slv_status st = SLV_OK;
	bool whole;

	for (; st == SLV_OK && *budget > 0 && off < end; --*budget) {
		uint64_t next;

		st = rosbag_find(s, off, end, 1u << ROSBAG_INDEX, &off, err);
		if (st != SLV_OK || off >= end)
			break;
		one.n = 0;
		st = rosbag_index_end(s, off, &next, err);
		if (st == SLV_OK)
			st = rosbag_keys_read(
			    s, off, next, 0, &one, &whole, err);
		rosbag_keys_sort(&one);
		whole = rosbag_keys_are_chunk(rosbag_of(s), &one);
		for (size_t k = 0; st == SLV_OK && whole && k < one.n; k++)
			st = rosbag_keys_add(out, one.at[k], err);
		off = slv_max64(next, off + 1);
	}
	slv_free(one.at);
	return st;
}

static enum slv_status
read_all_lost(struct slv_scan *s, struct rosbag_keys *out, struct slv_err *err)
{
	const struct slv_catalog *c = &s->catalog;
	int budget = INDEXES;

	for (size_t i = 0; rosbag_of(s)->n_infos > 0 && i < c->n; i++) {
		if (c->at[i].fate == SLV_LOST)
			SLV_TRY(read_lost(s, c->at[i].off,
			    c->at[i].off + c->at[i].len, &budget, out, err));
	}
	return SLV_OK;
}

enum slv_status
rosbag_keys_named(
    struct slv_scan *s, struct rosbag_keys *out, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	bool whole, packed = false;

	for (size_t i = 0; i < b->n_chunks; i++) {
		const struct rosbag_chunk *c = &b->chunks[i];

		packed |= c->codec != SLV_CODEC_NONE;
		if (c->codec == SLV_CODEC_NONE && !c->indexed)
			SLV_TRY(rosbag_keys_read(
			    s, c->index, c->end, c->data, out, &whole, err));
	}
	/* Of what is stored compressed parts can look like messages. */
	for (size_t i = 0; !packed && i < b->n_orphans; i++)
		SLV_TRY(rosbag_keys_read(s, b->orphans[i].off,
		    b->orphans[i].off + b->orphans[i].len, 0, out, &whole,
		    err));
	if (!packed)
		SLV_TRY(read_all_lost(s, out, err));
	rosbag_keys_sort(out);
	return SLV_OK;
}
