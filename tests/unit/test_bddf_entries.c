/* test_bddf_entries.c - an index, entry by entry.
 *
 * Small entries are read whole and by hand, all others field by field.  An
 * entry whose length is written with more bytes than it takes is one of the
 * others, so every index is read both ways here, and must say the same.
 */
#include "formats/bddf/index/bddf_entries.h"

#include <stdlib.h>
#include <string.h>

#include "support/agree.h"
#include "support/check.h"
#include "unit/suites.h"

#define ENTRIES 400 /* more than are looked at at once */

struct read_entry {
	struct bddf_entry entry;
	uint64_t n_extra, sum; /* of its additional indexes */
};

struct reading {
	struct bddf_entries entries;
	struct read_entry at[ENTRIES];
	size_t n;
	uint64_t sum;
	enum bddf_read read;
};

static void
add_extra(struct bddf_entries *e, uint64_t value)
{
	struct reading *r = e->ctx;

	r->sum = (e->n_extra == 0 ? 0 : r->sum) * 31 + value;
}

static void
add_entry(struct bddf_entries *e)
{
	struct reading *r = e->ctx;

	if (CHECK(r->n < ENTRIES))
		r->at[r->n++] = (struct read_entry){
			.entry = e->entry,
			.n_extra = e->n_extra,
			.sum = e->n_extra > 0 ? r->sum : 0,
		};
}

static void
read_index(const struct blob *body, struct reading *r)
{
	struct slv_err err = { 0 };
	struct slv_source *source = NULL;
	struct slv_window window;
	struct bddf_range all = { 0, body->n };

	*r = (struct reading){
		.entries = { .ctx = r, .extra = add_extra, .done = add_entry },
	};
	if (!CHECK_OK(
	        slv_source_memory(body->at, body->n, &source, &err), &err))
		return;
	slv_window_init(&window, source, NULL);
	CHECK_OK(
	    bddf_entries_read(&window, all, &r->entries, &r->read, &err), &err);
	slv_window_free(&window);
	slv_source_close(source);
}

/* A number in at least `least` bytes. */
static void
put_varint(struct blob *b, uint64_t v, unsigned least)
{
	for (; v >= 0x80 || least > 1; v >>= 7, least -= least > 0)
		blob_byte(b, (uint8_t)(v | 0x80));
	blob_byte(b, (uint8_t)v);
}

static void
put_number(struct blob *b, unsigned tag, uint64_t v)
{
	blob_byte(b, (uint8_t)(tag << 3));
	put_varint(b, v, 1);
}

/* An index of n random entries, of which the middle one may be `broken`;
 * lengths take at least `least` bytes. */
static void
make_index(
    struct blob *out, uint64_t seed, size_t n, bool broken, unsigned least)
{
	struct dice dice = { seed };
	struct blob index = { 0 }, entry = { 0 };
	uint64_t late = dice_below(&dice, 4);

	out->n = 0;
	if (late != 0)
		put_number(&index, 1, seed);
	put_number(&index, 2, 4711);
	for (size_t i = 0; i < n;) {
		enum bddf_read r;

		agree_random(&entry, &dice, 1);
		CHECK_STR(
		    agree_entry(entry.at, entry.n, &r) ? "differ" : "", "");
		if (r != BDDF_WHOLE)
			continue;
		/* No field, a group, a number cut off, a wrong wire type. */
		if (broken && i == n / 2)
			blob_byte(&entry, "\x00\x0b\x08\x0d"[seed % 4]);
		blob_byte(&index, 3 << 3 | 2);
		put_varint(&index, entry.n, least);
		blob_add(&index, entry.at, entry.n);
		i++;
		/* Something between them. */
		if (dice_below(&dice, 50) == 0)
			put_number(&index, 9, 1);
	}
	put_number(&index, 4, 12345);
	if (late == 0)
		put_number(&index, 1, seed);
	blob_byte(out, BDDF_SERIES_INDEX << 3 | 2);
	put_varint(out, index.n, 1);
	blob_add(out, index.at, index.n);
	blob_free(&index);
	blob_free(&entry);
}

static void
compare(const struct reading *x, const struct reading *y)
{
	CHECK(x->read == y->read);
	CHECK_U64(x->n, y->n);
	CHECK_U64(x->entries.index, y->entries.index);
	CHECK_U64(x->entries.descriptor, y->entries.descriptor);
	CHECK_U64(x->entries.total, y->entries.total);
	for (size_t i = 0; i < x->n && i < y->n; i++) {
		const struct read_entry *a = &x->at[i], *b = &y->at[i];

		CHECK_U64(a->entry.off, b->entry.off);
		CHECK_I64(a->entry.sec, b->entry.sec);
		CHECK_U64(a->entry.nanos, b->entry.nanos);
		CHECK_U64(a->n_extra, b->n_extra);
		CHECK_U64(a->sum, b->sum);
	}
}

static void
both_ways(bool broken)
{
	static struct reading quick, slow;
	struct blob index = { 0 };
	unsigned whole = 0;

	for (uint64_t seed = 1; seed < 60 && !check_enough(); seed++) {
		size_t n = seed < 30 ? seed : ENTRIES;

		check_case("seed %llu", (unsigned long long)seed);
		make_index(&index, seed, n, broken, 1);
		read_index(&index, &quick);
		make_index(&index, seed, n, broken, 4);
		read_index(&index, &slow);
		compare(&quick, &slow);
		whole += quick.read == BDDF_WHOLE;
		if (quick.read == BDDF_WHOLE)
			CHECK_U64(quick.n, n);
		/* The same with its end cut off at every place near it. */
		for (size_t cut = 1; n < 10 && cut < index.n; cut++) {
			index.n--;
			read_index(&index, &slow);
			CHECK(slow.read == BDDF_BROKEN);
		}
	}
	CHECK_U64(whole, broken ? 0 : 59);
	blob_free(&index);
	check_case("%s", "");
}

static void
whole_or_field_by_field(void)
{
	both_ways(false);
}

static void
with_a_broken_entry(void)
{
	both_ways(true);
}

/* Entries too long to be looked at at once, between small ones. */
static void
long_entries(void)
{
	static struct reading r;
	struct blob index = { 0 }, entry = { 0 }, body = { 0 };

	for (unsigned i = 0; i < 30; i++) {
		size_t n = i % 3 == 0 ? 10 : i * 400;

		entry.n = 0;
		put_number(&entry, 2, i);
		blob_byte(&entry, 3 << 3 | 2);
		put_varint(&entry, n, 1);
		blob_fill(&entry, 7, n);
		blob_byte(&index, 3 << 3 | 2);
		put_varint(&index, entry.n, 1);
		blob_add(&index, entry.at, entry.n);
	}
	blob_byte(&body, BDDF_SERIES_INDEX << 3 | 2);
	put_varint(&body, index.n, 1);
	blob_add(&body, index.at, index.n);
	read_index(&body, &r);
	CHECK(r.read == BDDF_WHOLE);
	if (CHECK_U64(r.n, 30)) {
		for (unsigned i = 0; i < 30; i++) {
			CHECK_U64(r.at[i].entry.off, i);
			CHECK_U64(r.at[i].entry.nanos, BDDF_NO_TIME);
			CHECK_U64(r.at[i].n_extra, i % 3 == 0 ? 10 : i * 400);
		}
	}
	blob_free(&index);
	blob_free(&entry);
	blob_free(&body);
}

/* An empty chunk for ENTRIES entries. */
static struct bddf_chunk *
new_chunk(const struct bddf *owner, bool whole)
{
	struct bddf_chunk *c =
	    must_alloc(sizeof(*c) + ENTRIES * sizeof(struct bddf_entry));

	*c = (struct bddf_chunk){
		.owner = owner,
		.whole = whole ? (void *)c->at : NULL,
		.cap = ENTRIES,
	};
	return c;
}

/* A number less than 2 to the 64th, mostly a small one. */
static uint64_t
any_number(struct dice *dice)
{
	return dice_roll(dice) >> dice_below(dice, 64);
}

/* What fits is kept as it is, and all that is near the first one fits. */
static void
kept_entries(void)
{
	struct bddf_chunk *c = new_chunk(NULL, false);
	struct dice dice = { 6 };
	uint32_t fit = 0, full = 0, far = 0;

	for (int i = 0; i < 200000; i++) {
		uint64_t off = any_number(&dice), sec = any_number(&dice);
		struct bddf_entry e = { .off = off, .sec = (int64_t)sec }, got;
		bool near = c->n < c->cap;

		if (i % 3 > 0 && c->n > 0 && c->off < UINT64_MAX / 2
		    && c->sec >= 0 && c->sec < INT64_MAX / 2) {
			e.off = c->off + off / 2;
			e.sec = c->sec + (int64_t)(sec / 4);
			near &= off / 2 <= UINT32_MAX && sec / 4 <= UINT32_MAX;
		} else {
			near = false;
		}
		e.nanos = (uint32_t)dice_below(&dice, 1000000000);
		e.extra = i % 50 == 0;
		near &= e.extra == 0;
		if (i % 7 == 0) {
			e.sec = 0;
			e.nanos = BDDF_NO_TIME;
		}
		full += c->n == c->cap;
		CHECK(!near || bddf_chunk_fits(c, &e));
		if (c->n == c->cap || dice_below(&dice, 1000) == 0)
			c->n = 0;
		far += !bddf_chunk_fits(c, &e);
		if (e.extra > 0 || (c->n > 0 && !bddf_chunk_fits(c, &e)))
			continue;
		bddf_chunk_put(c, &e);
		got = bddf_chunk_get(c, c->n - 1);
		fit++;
		CHECK(got.off == e.off && got.sec == e.sec
		    && got.nanos == e.nanos && got.extra == e.extra);
	}
	CHECK(fit > 20000 && full > 3 && far > 20000);
	free(c);
}

/* Whether the next entry is far from the one before: one in `apart`; 0: as soon
 * as much room is left over. */
static bool
is_far(const struct bddf_series *series, uint32_t apart, struct dice *dice)
{
	const struct bddf_chunk *last = series->last;

	if (apart > 0)
		return dice_below(dice, apart) == 0;
	return last != NULL && last->n == 64 && last->cap > 128;
}

/* Many entries are all kept, in no more memory than the manual says. */
static void
many_entries(uint32_t apart, uint64_t n)
{
	struct bddf b = { .n_series = 0 };
	struct slv_scan s = { .state = &b };
	struct bddf_series series = { .n = 0 };
	struct bddf_entry *all = must_alloc(n * sizeof(*all));
	struct bddf_entry e = { .off = 4, .sec = 1700000000 };
	struct dice dice = { apart };
	struct bddf_cursor at = { .i = 0 };
	struct slv_err err = { 0 };

	s.opt.limits.max_memory = UINT64_MAX;
	for (; series.n < n; series.n++) {
		if (is_far(&series, apart, &dice))
			e.sec ^= (int64_t)1 << 40;
		e.off += 40;
		all[series.n] = e;
		CHECK_OK(bddf_entry_add(&s, &series, &e, &err), &err);
	}
	CHECK(b.memory <= 28 * n + ((uint64_t)32 << 10));
	at.chunk = series.first;
	for (uint64_t i = 0; i < n; i++, at.i++) {
		const struct bddf_entry *got = bddf_cursor_at(&at);

		CHECK(got != NULL && got->off == all[i].off
		    && got->sec == all[i].sec);
	}
	CHECK(bddf_cursor_at(&at) == NULL);
	for (struct bddf_chunk *c = series.first, *next; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(all);
}

static void
entries_far_apart(void)
{
	for (uint32_t apart = 1; apart < 5000; apart += 1 + apart / 9)
		many_entries(apart, 30000);
	many_entries(UINT32_MAX, 100000);
	many_entries(0, 100000);
}

/* An index that is made is decoded again: no flipped bit gets by. */
static void
made_entries(void)
{
	struct bddf b = { 0 };
	struct bddf_chunk *c = new_chunk(&b, true);
	uint8_t bytes[80 * ENTRIES], *end = bytes;
	struct dice dice = { 5 };
	struct slv_err err = { 0 };

	for (uint32_t i = 0; i < ENTRIES; i++) {
		struct bddf_entry e = {
			.off = i > 0 ? (uint32_t)any_number(&dice) : 0,
			.sec = (int64_t)dice_below(&dice, 5) * i,
			.nanos = (uint32_t)dice_below(&dice, 1000000000),
		};

		if (i % 3 == 0) {
			e.extra = (uint32_t)b.extras.n + 1;
			bddf_pool_push(&b.extras, 1 + i % 4);
			for (uint32_t k = 0; k < 1 + i % 4; k++)
				bddf_pool_push(&b.extras,
				    (int64_t)(dice_roll(&dice)
				        >> dice_below(&dice, 64)));
		}
		if (i >= 100 && i < 300)
			end = bddf_entry_put(
			    end, &e, e.off, &b.extras, bddf_extras(&b, &e));
		CHECK(bddf_chunk_fits(c, &e));
		bddf_chunk_put(c, &e);
	}
	CHECK_OK(bddf_index_made(c, (uint64_t)100 << 32 | 300, bytes,
	             (size_t)(end - bytes), &err),
	    &err);
	for (size_t i = 0; i < (size_t)(end - bytes) && !check_enough(); i++) {
		uint8_t bit = (uint8_t)(1 << dice_below(&dice, 8));

		check_case("byte %zu", i);
		err = (struct slv_err){ 0 };
		bytes[i] ^= bit;
		CHECK_STATUS(bddf_index_made(c, (uint64_t)100 << 32 | 300,
		                 bytes, (size_t)(end - bytes), &err),
		    SLV_E_BUG, &err);
		bytes[i] ^= bit;
	}
	check_case("%s", "");
	bddf_pool_free(&b.extras);
	free(c);
}

CU_TestInfo bddf_entries_tests[] = {
	{ "kept entries", kept_entries },
	{ "entries far apart", entries_far_apart },
	{ "made entries", made_entries },
	{ "whole or field by field", whole_or_field_by_field },
	{ "with a broken entry", with_a_broken_entry },
	{ "long entries", long_entries },
	CU_TEST_INFO_NULL,
};
