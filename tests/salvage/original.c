/* original.c - undamaged logs, and the truth about them. */
#include "salvage/original.h"

#include <stdio.h>
#include <string.h>

#include "support/judge.h"

#define WEEK (7 * 86400) /* seconds */

/* Protobuf, as far as it is needed. */

/* Returns the bytes of a number, 0 where there is none. */
static size_t
varint(const uint8_t *p, size_t n, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < n && i < 10; i++) {
		*v |= (uint64_t)(p[i] & 0x7f) << 7 * i;
		if (p[i] < 0x80)
			return i + 1;
	}
	return 0;
}

/* The times-th value of a field, counting from 0: where a number or what is
 * counted is, and its bytes. */
static bool
field(const uint8_t *p, size_t n, unsigned tag, size_t times, size_t *off,
    size_t *len)
{
	size_t at = 0;

	while (at < n) {
		uint64_t key, v;
		size_t k = varint(p + at, n - at, &key), m;

		at += k;
		m = varint(p + at, n - at, &v);
		if (k == 0 || (key & 7) == 2) {
			if (k == 0 || m == 0 || v > n - at - m)
				return false;
			at += m;
			m = (size_t)v;
		} else if ((key & 7) == 1 || (key & 7) == 5) {
			m = (key & 7) == 1 ? 8 : 4;
			if (m > n - at)
				return false;
		} else if ((key & 7) != 0 || m == 0) {
			return false;
		}
		if (key >> 3 == tag && times-- == 0) {
			*off = at;
			*len = m;
			return true;
		}
		at += m;
	}
	return false;
}

bool
series_of(const uint8_t *block, size_t n, enum made_kind kind, uint32_t *series)
{
	size_t off, len, at, m;
	uint64_t v = 0;

	if (!field(
	        block + 8, n - 8, kind == MADE_SERIES ? 2 : 3, 0, &off, &len))
		return false;
	if (field(block + 8 + off, len, 1, 0, &at, &m))
		varint(block + 8 + off + at, m, &v);
	*series = (uint32_t)v;
	return true;
}

static void
learn_series(struct original *o, struct made_block *b)
{
	const uint8_t *block = o->log.bytes.at + b->off;
	size_t n = b->end - b->off, off, len, at, m;

	if (!series_of(block, n, b->kind, &b->series) || b->kind != MADE_SERIES
	    || b->series >= DECLARED_MAX)
		return;
	o->declared[b->series] = true;
	field(block + 8, n - 8, 2, 0, &off, &len);
	while (field(block + 8 + off, len, 8, o->n_extras[b->series], &at, &m))
		o->n_extras[b->series]++;
}

/* A week less in place; what a number of as many bytes cannot hold stays. */
static void
turn_back(uint8_t *p, size_t n)
{
	size_t off, len, at, m;
	uint64_t v;

	if (!field(p, n, 2, 0, &off, &len)
	    || !field(p + off, len, 1, 0, &at, &m))
		return;
	p += off + at;
	varint(p, m, &v);
	if (m == 10 || v < WEEK || (v - WEEK) >> 7 * (m - 1) == 0)
		return;
	v -= WEEK;
	for (size_t i = 0; i < m; i++)
		p[i] = (uint8_t)((v >> 7 * i & 0x7f) | (i + 1 < m ? 0x80 : 0));
}

static void
learn_data(struct original *o, struct made_block *b)
{
	struct judged j;

	judge_data(&j, o->log.bytes.at + b->off + 12, b->payload - b->off - 12);
	b->series = j.message.series_index;
	turn_back(o->older.at + b->off + 12, b->payload - b->off - 12);
	for (size_t i = b->payload; i < b->end; i++)
		o->older.at[i] ^= 0x15;
}

static void
learn_version(struct original *o)
{
	const struct made_block *b = &o->log.blocks[0];
	const uint8_t *body = o->log.bytes.at + b->off + 8;
	size_t off, len, in, m, at;

	if (field(body, b->end - b->off - 8, 1, 0, &off, &len)
	    && field(body + off, len, 1, 0, &in, &m)
	    && field(body + off + in, m, 1, 0, &at, &m))
		o->major = b->off + 8 + off + in + at;
}

static void
learn_blocks(struct original *o)
{
	blob_set(&o->older, o->log.bytes.at, o->log.bytes.n);
	learn_version(o);
	o->data_end = made_data_end(&o->log);
	for (size_t i = 0; i < o->log.n; i++) {
		struct made_block *b = &o->log.blocks[i];

		if (b->kind == MADE_DATA)
			learn_data(o, b);
		else if (b->kind == MADE_SERIES || b->kind == MADE_INDEX)
			learn_series(o, b);
		if (b->kind == MADE_DATA && o->data == 0)
			o->data = b->off;
	}
}

bool
original_learn(
    struct original *o, const char *name, const uint8_t *bytes, size_t n)
{
	*o = (struct original){ .sort = OF_BIG };
	snprintf(o->name, sizeof(o->name), "%.63s", name);
	for (int dialect = 0; dialect < 4; dialect++) {
		o->grammar = dialect & 1;
		o->type_first = dialect >> 1;
		if (!made_walk(&o->log, o->grammar, o->type_first, bytes, n)
		    || o->log.blocks[0].kind != MADE_FILE)
			continue;
		o->sha1 = made_digest_ok(bytes, n, false);
		learn_blocks(o);
		return o->data > 0;
	}
	return false;
}

void
original_make(struct original *o, const char *name, const struct recipe *r)
{
	struct made_log log = { 0 };

	make_bddf(&log, r, NULL);
	original_learn(o, name, log.bytes.at, log.bytes.n);
	o->sort = r->nested ? OF_NESTED : OF_SMALL;
	made_free(&log);
}

void
original_free(struct original *o)
{
	made_free(&o->log);
	blob_free(&o->older);
}
