/* make_bddf.c - a little writer of BDDF logs, independent of src/formats. */
#include "support/make_bddf.h"

#include <bearssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX 8
#define EPOCH    1700001000 /* seconds, of the first block */

enum { DATA, DESCRIPTOR, END }; /* the vendor's numbers of block types */

struct stamp {
	int64_t sec;
	int32_t nanos;
};

struct entry {
	uint32_t series;
	struct stamp stamp;
	size_t off;
	int64_t extras[MADE_EXTRAS_MAX];
	uint32_t n_extras;
	size_t payload; /* bytes */
};

struct writer {
	struct made_log *log;
	const struct recipe *r;
	const bool *keep;
	size_t turn; /* how many blocks would have come before this one */
	struct dice dice;
	struct dice
	    run; /* as it was before the first of blocks that are alike */
	struct entry *entries; /* owned */
	size_t n_entries;
	size_t *declared; /* owned; offset of each series, 0 = not there */
	size_t *indexes;  /* owned; the same of its index */
};

/* Protobuf, as far as it is needed. */

static void
varint(struct blob *b, uint64_t v)
{
	while (v >= 0x80) {
		blob_byte(b, (uint8_t)(v | 0x80));
		v >>= 7;
	}
	blob_byte(b, (uint8_t)v);
}

static void
number(struct blob *b, unsigned tag, uint64_t v)
{
	if (v == 0)
		return;
	varint(b, tag << 3);
	varint(b, v);
}

static void
counted(struct blob *b, unsigned tag, const void *bytes, size_t n)
{
	varint(b, tag << 3 | 2);
	varint(b, n);
	blob_add(b, bytes, n);
}

static void
text(struct blob *b, unsigned tag, const char *s)
{
	if (*s != '\0')
		counted(b, tag, s, strlen(s));
}

/* Add a message and free it. */
static void
message(struct blob *b, unsigned tag, struct blob *inner)
{
	counted(b, tag, inner->at, inner->n);
	blob_free(inner);
}

/* An entry of a map; both members are always written. */
static void
pair(struct blob *b, unsigned tag, const char *key, const char *value)
{
	struct blob inner = { 0 };

	counted(&inner, 1, key, strlen(key));
	counted(&inner, 2, value, strlen(value));
	message(b, tag, &inner);
}

static void
timestamp(struct blob *b, unsigned tag, struct stamp t)
{
	struct blob inner = { 0 };

	number(&inner, 1, (uint64_t)t.sec);
	number(&inner, 2, (uint64_t)t.nanos);
	message(b, tag, &inner);
}

static void
packed(struct blob *b, unsigned tag, const int64_t *values, size_t n)
{
	struct blob inner = { 0 };

	for (size_t i = 0; i < n; i++)
		varint(&inner, (uint64_t)values[i]);
	if (n > 0)
		message(b, tag, &inner);
	blob_free(&inner);
}

/* The name of a series. */

static void
spec_text(uint32_t series, uint32_t k, char *key, char *value)
{
	/* Later keys sort first, so that the hash has to sort. */
	snprintf(key, 16, "k%c", (char)('z' - k));
	snprintf(value, 16, "s%u", series);
}

/* What a series is does not depend on its number, nor the other way round. */
static uint32_t
turned_over(const struct recipe *r, uint32_t series)
{
	return r->again ? r->series - 1 - series : series;
}

static void
identifier(struct blob *b, const struct recipe *r, uint32_t series, bool turned)
{
	char key[16], value[16];

	series = turned_over(r, series);
	text(b, 1, series % 2 == 0 ? "x:chan" : "x:rpc");
	for (uint32_t i = 0; i < r->keys; i++) {
		spec_text(series, turned ? r->keys - 1 - i : i, key, value);
		pair(b, 2, key, value);
	}
}

static uint64_t
identifier_hash(const struct recipe *r, uint32_t series)
{
	uint32_t what = turned_over(r, series);
	const char *type = what % 2 == 0 ? "x:chan" : "x:rpc";
	uint8_t digest[br_sha1_SIZE];
	br_sha1_context sha1;
	char key[16], value[16];
	uint64_t hash = 0;

	br_sha1_init(&sha1);
	br_sha1_update(&sha1, type, strlen(type));
	for (uint32_t i = r->keys; i-- > 0;) {
		spec_text(what, i, key, value);
		br_sha1_update(&sha1, key, strlen(key));
		br_sha1_update(&sha1, value, strlen(value));
	}
	br_sha1_out(&sha1, digest);
	for (int i = 0; i < 8; i++)
		hash = hash << 8 | digest[i];
	return hash;
}

/* Blocks. */

static void
header(uint8_t *out, const struct recipe *r, unsigned type, uint64_t size)
{
	unsigned numbers[2][3] = { { 0, 1, 2 }, { 1, 0, 2 } };
	unsigned first = r->type_first ? 1 : 0;

	for (unsigned i = 0; i < 7; i++)
		out[i + first] = (uint8_t)(size >> 8 * i);
	out[r->type_first ? 0 : 7] = (uint8_t)numbers[r->grammar][type];
}

static void
note(struct made_log *log, size_t off, enum made_kind kind, uint32_t series)
{
	made_note(log,
	    (struct made_block){
	        .off = off,
	        .end = log->bytes.n,
	        .kind = kind,
	        .series = series,
	    });
}

/* Whether the next block is to be written. */
static bool
wanted(struct writer *w)
{
	return w->keep == NULL || w->keep[w->turn];
}

/* Write a descriptor block with one member, whose bytes are freed; tag 0:
 * with none.  Returns its offset. */
static size_t
descriptor(struct writer *w, unsigned tag, struct blob *inner,
    enum made_kind kind, uint32_t series)
{
	struct blob body = { 0 };
	uint8_t head[8];
	size_t off = w->log->bytes.n;

	if (tag != 0)
		message(&body, tag, inner);
	header(head, w->r, DESCRIPTOR, body.n);
	blob_add(&w->log->bytes, head, sizeof(head));
	blob_add(&w->log->bytes, body.at, body.n);
	blob_free(&body);
	note(w->log, off, kind, series);
	return off;
}

static void
file_descriptor(struct writer *w)
{
	struct blob b = { 0 }, version = { 0 };

	if (wanted(w)) {
		number(&version, 1, 1);
		number(&version, 2, w->r->minor);
		message(&b, 1, &version);
		if (w->r->again)
			pair(&b, 2, "x:robot", "again");
		else if (w->r->annotated)
			pair(&b, 2, "x:robot", "r\xc3\xa9 1");
		number(&b, 3, w->r->no_sha1 ? 1 : 2);
		number(&b, 4, 20);
		descriptor(w, 1, &b, MADE_FILE, 0);
	}
	w->turn++;
}

static uint32_t
n_extras(const struct recipe *r, uint32_t series)
{
	return turned_over(r, series) % (r->extras + 1);
}

static bool
is_idle(const struct recipe *r, uint32_t series)
{
	return r->idle && series + 1 == r->series;
}

/* What the payloads are: messages, numbers, or for the idle one a bundle. */
static void
data_type(struct blob *b, const struct recipe *r, uint32_t series)
{
	struct blob inner = { 0 }, entry = { 0 };

	series = turned_over(r, series);
	if (is_idle(r, series)) {
		counted(&entry, 1, "a", 1);
		number(&entry, 2, identifier_hash(r, 0));
		message(&inner, 1, &entry);
		message(b, 6, &inner);
	} else if (series % 3 == 1) {
		number(&inner, 1, 5); /* UINT8 */
		packed(&inner, 2, (int64_t[]){ 1 }, 1);
		message(b, 5, &inner);
	} else {
		text(&inner, 1, "text/plain");
		text(&inner, 2, "x.T");
		number(&inner, 3, series % 4 == 2);
		message(b, 4, &inner);
	}
}

static void
declare(struct writer *w, uint32_t series)
{
	struct blob b = { 0 }, id = { 0 };
	char name[16];

	if (wanted(w)) {
		number(&b, 1, series);
		identifier(&id, w->r, series, false);
		message(&b, 2, &id);
		number(&b, 3, identifier_hash(w->r, series));
		data_type(&b, w->r, series);
		if (w->r->annotated)
			pair(&b, 7, "unit", "V");
		for (uint32_t i = 0; i < n_extras(w->r, series); i++) {
			snprintf(name, sizeof(name), "x:i%u", i);
			text(&b, 8, name);
		}
		w->declared[series] = descriptor(w, 2, &b, MADE_SERIES, series);
	}
	w->turn++;
}

/* A log inside a log, as a recorder of files would have it. */
static void
nest(struct blob *payload, const struct recipe *r)
{
	struct recipe inner = *r;
	struct made_log log = { 0 };

	inner.nested = false;
	inner.blocks = 2;
	inner.seed++;
	make_bddf(&log, &inner, NULL);
	blob_add(payload, log.bytes.at, log.bytes.n);
	made_free(&log);
}

/* Choose what the next block holds.  The dice roll the same whether or not
 * blocks before it were left out. */
static struct entry
choose(struct writer *w, size_t i, uint32_t n_series, struct blob *payload)
{
	const struct recipe *r = w->r;
	uint32_t busy = n_series - is_idle(r, n_series - 1);
	struct entry e = { 0 };

	if (r->alike > 0 && i % r->alike == 0)
		w->run = w->dice;
	if (r->alike > 0) {
		w->dice = w->run;
		i -= i % r->alike;
	}
	e.series = turned_over(r, (uint32_t)dice_below(&w->dice, busy));
	e.stamp.sec = EPOCH + (int64_t)i;
	e.stamp.nanos = (int32_t)dice_below(&w->dice, 1000000000);
	if (r->early)
		e.stamp.sec -= EPOCH + 1000;
	if (i == 1 && !r->steady)
		e.stamp = (struct stamp){ 0, 0 };
	e.n_extras = n_extras(r, e.series);
	for (uint32_t k = 0; k < e.n_extras; k++)
		e.extras[k] = k % 2 == 0 ? (int64_t)i * 1000 : -(int64_t)i;
	if (r->nested && i % 3 == 2) {
		nest(payload, r);
		e.payload = payload->n;
		return e;
	}
	e.payload =
	    r->least + (size_t)dice_below(&w->dice, r->most - r->least + 1);
	for (size_t k = 0; k < e.payload; k++) {
		uint8_t byte = (uint8_t)dice_roll(&w->dice);

		blob_byte(payload, byte == 0 && !r->zeros ? 1 : byte);
	}
	return e;
}

static void
data(struct writer *w, size_t i, uint32_t n_series)
{
	struct blob payload = { 0 }, b = { 0 };
	struct entry e = choose(w, i, n_series, &payload);
	struct blob *out = &w->log->bytes;
	uint8_t head[12];

	if (wanted(w)) {
		number(&b, 1, e.series);
		timestamp(&b, 2, e.stamp);
		packed(&b, 3, e.extras, e.n_extras);
		header(head, w->r, DATA, b.n + payload.n);
		for (int k = 0; k < 4; k++)
			head[8 + k] = (uint8_t)(b.n >> 8 * k);
		e.off = out->n;
		blob_add(out, head, sizeof(head));
		blob_add(out, b.at, b.n);
		blob_add(out, payload.at, payload.n);
		note(w->log, e.off, MADE_DATA, e.series);
		w->log->blocks[w->log->n - 1].payload = out->n - payload.n;
		w->entries[w->n_entries++] = e;
	}
	w->turn++;
	blob_free(&b);
	blob_free(&payload);
}

static void
series_index(struct writer *w, uint32_t series)
{
	struct blob b = { 0 };
	uint64_t total = 0;

	number(&b, 1, series);
	number(&b, 2, w->declared[series]);
	for (size_t i = 0; i < w->n_entries; i++) {
		const struct entry *e = &w->entries[i];
		struct blob inner = { 0 };

		if (e->series != series)
			continue;
		timestamp(&inner, 1, e->stamp);
		number(&inner, 2, e->off);
		packed(&inner, 3, e->extras, e->n_extras);
		message(&b, 3, &inner);
		total += e->payload;
	}
	number(&b, 4, total);
	w->indexes[series] = descriptor(w, 3, &b, MADE_INDEX, series);
}

static size_t
file_index(struct writer *w)
{
	struct blob b = { 0 }, offsets = { 0 }, hashes = { 0 };
	bool any = false;

	for (uint32_t s = 0; s < w->r->series; s++) {
		struct blob id = { 0 };

		if (w->declared[s] == 0)
			continue;
		any = true;
		identifier(&id, w->r, s, w->r->turned);
		message(&b, 1, &id);
		varint(&offsets, w->indexes[s]);
		varint(&hashes, identifier_hash(w->r, s));
	}
	if (any) {
		message(&b, 2, &offsets);
		message(&b, 3, &hashes);
	}
	return descriptor(
	    w, any || !w->r->bare_index ? 4 : 0, &b, MADE_FILE_INDEX, 0);
}

static void
end(struct writer *w, size_t index)
{
	struct blob *out = &w->log->bytes;
	uint8_t block[40] = { 0 };
	br_sha1_context sha1;

	header(block, w->r, END, w->r->grammar ? 20 : 24);
	for (int i = 0; i < 8; i++)
		block[8 + i] = (uint8_t)((uint64_t)index >> 8 * i);
	br_sha1_init(&sha1);
	br_sha1_update(&sha1, out->at, out->n);
	br_sha1_update(&sha1, block, 16);
	if (!w->r->no_sha1)
		br_sha1_out(&sha1, block + 16);
	memcpy(block + 36, "FDDB", 4);
	blob_add(out, block, sizeof(block));
	note(w->log, out->n - sizeof(block), MADE_END, 0);
}

void
make_bddf(struct made_log *log, const struct recipe *r, const bool *keep)
{
	struct writer w = { .log = log, .r = r, .keep = keep };
	uint32_t n_series = 0;

	made_free(log);
	w.dice.state = r->seed;
	w.entries = must_alloc(r->blocks * sizeof(*w.entries));
	w.declared = must_alloc(r->series * sizeof(*w.declared));
	w.indexes = must_alloc(r->series * sizeof(*w.indexes));
	memset(w.declared, 0, r->series * sizeof(*w.declared));
	blob_add(&log->bytes, "BDDF", 4);
	file_descriptor(&w);
	while (n_series < r->series - r->late)
		declare(&w, n_series++);
	for (size_t i = 0; i < r->blocks; i++) {
		/* The late ones, evenly spread. */
		while (n_series < r->series
		    && i * (r->late + 1) / r->blocks
		        > n_series - (r->series - r->late))
			declare(&w, n_series++);
		data(&w, i, n_series);
	}
	for (uint32_t s = 0; s < r->series; s++) {
		if (w.declared[s] != 0)
			series_index(&w, s);
	}
	end(&w, file_index(&w));
	free(w.entries);
	free(w.declared);
	free(w.indexes);
}

void
made_note(struct made_log *log, struct made_block block)
{
	if (log->n == log->cap) {
		log->cap = log->cap * 2 + 16;
		log->blocks =
		    realloc(log->blocks, log->cap * sizeof(*log->blocks));
		if (log->blocks == NULL)
			abort();
	}
	log->blocks[log->n++] = block;
}

void
made_free(struct made_log *log)
{
	blob_free(&log->bytes);
	free(log->blocks);
	*log = (struct made_log){ 0 };
}
