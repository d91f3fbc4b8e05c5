/* bddf_wire.c - DataDescriptor and BlockEntry, by hand.
 *
 * Both hold a number, a Timestamp and additional indexes, so that the same
 * lines decode either.  What they refuse: numbers of more than 64 bits, keys
 * of more than 32, field number 0, groups, known fields of another wire type,
 * lengths that run past the end.  As protobuf has it, of a number given twice
 * the last one counts, Timestamps are merged, and lists may be packed or not.
 *
 * The fields in front, as writers write them, are read a number at once
 * (bddf_plain.h); from the first other one on, byte by byte (decode()).
 */
#include "formats/bddf/read/bddf_wire.h"

#include <string.h>

#include "formats/bddf/read/bddf_plain.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };

#define USUAL          96 /* bytes of a message */
#define USUAL_EXTRAS   8  /* additional indexes of one */

#define KEY(tag, wire) ((uint64_t)(tag) << 3 | (wire))
#define KEY_MAX        UINT32_MAX

/* Bytes still to be decoded. */
struct input {
	const uint8_t *p, *stop;
	size_t missing; /* bytes that should follow and are not there */
};

static struct input
input_of(const uint8_t *p, size_t n, size_t missing)
{
	/* Of nothing there may be no place. */
	return (struct input){ p, n > 0 ? p + n : p, missing };
}

/* The fields by which the two messages differ. */
struct shape {
	uint64_t number, time;
	uint64_t most; /* of the number */
};

/* What either holds. */
struct numbers {
	uint64_t number, sec, nanos;
	bool has_time;
};

struct message {
	struct numbers n;
	struct bddf_entry_more more;
	size_t list;         /* bytes that the additional indexes take */
	bddf_extra_fn extra; /* NULL: they are only counted */
	void *ctx;
};

/* The bytes run out. */
static inline enum bddf_read
out_of(const struct input *in)
{
	return in->missing > 0 ? BDDF_CUT : BDDF_BROKEN;
}

static enum bddf_read
varint(struct input *in, uint64_t *out)
{
	const uint8_t *p = in->p;
	unsigned shift = 0;
	uint64_t v = 0;

	if (p < in->stop && *p < 0x80) {
		*out = *p;
		in->p = p + 1;
		return BDDF_WHOLE;
	}
	for (; p < in->stop; shift += 7) {
		uint8_t byte = *p++;

		/* The tenth byte holds one bit. */
		if (shift == 63 && byte > 1)
			return BDDF_BROKEN;
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			in->p = p;
			*out = v;
			return BDDF_WHOLE;
		}
	}
	return out_of(in);
}

static enum bddf_read
key_of(struct input *in, uint64_t *key)
{
	enum bddf_read r = varint(in, key);

	if (r == BDDF_WHOLE && *key > KEY_MAX)
		return BDDF_BROKEN;
	return r;
}

static enum bddf_read
skip(struct input *in, uint64_t n)
{
	size_t have = (size_t)(in->stop - in->p);

	if (n > have)
		return n - have > in->missing ? BDDF_BROKEN : BDDF_CUT;
	in->p += n;
	return BDDF_WHOLE;
}

/* The next bytes, after their number, as an input of their own; *in steps
 * over them, as far as they are there. */
static enum bddf_read
counted(struct input *in, struct input *inner)
{
	uint64_t n, more = 0;
	size_t have;
	enum bddf_read r = varint(in, &n);

	if (r != BDDF_WHOLE)
		return r;
	have = (size_t)(in->stop - in->p);
	if (n > have) {
		more = n - have;
		if (more > in->missing)
			return BDDF_BROKEN;
		n = have;
	}
	*inner = (struct input){ in->p, in->p + n, (size_t)more };
	in->p += n;
	in->missing -= (size_t)more;
	return BDDF_WHOLE;
}

/* A field that version 1.0.0 has not. */
static enum bddf_read
unknown(struct input *in, unsigned wire, struct message *m)
{
	struct input inner;
	enum bddf_read r;
	uint64_t v;

	m->more.strange = true;
	switch (wire) {
	case VARINT: return varint(in, &v);
	case FIXED64: return skip(in, 8);
	case FIXED32: return skip(in, 4);
	case BYTES:
		r = counted(in, &inner);
		return r == BDDF_WHOLE && inner.missing > 0 ? BDDF_CUT : r;
	}
	return BDDF_BROKEN;
}

static enum bddf_read
timestamp(struct input *in, struct message *m)
{
	enum bddf_read r = BDDF_WHOLE;

	while (r == BDDF_WHOLE && (in->p < in->stop || in->missing > 0)) {
		uint64_t key, v;

		r = key_of(in, &key);
		if (r != BDDF_WHOLE)
			break;
		if (key == KEY(1, VARINT)) {
			r = varint(in, &v);
			if (r == BDDF_WHOLE)
				m->n.sec = v;
		} else if (key == KEY(2, VARINT)) {
			r = varint(in, &v);
			if (r == BDDF_WHOLE)
				m->n.nanos = v;
		} else if (key >> 3 > 2) {
			r = unknown(in, key & 7, m);
		} else {
			r = BDDF_BROKEN;
		}
	}
	return r;
}

static enum bddf_read
one_extra(struct input *in, struct message *m)
{
	uint64_t v;
	enum bddf_read r = varint(in, &v);

	if (r != BDDF_WHOLE)
		return r;
	m->more.n_extra++;
	m->list += bddf_varint_size(v);
	if (m->extra != NULL)
		m->extra(m->ctx, v);
	return BDDF_WHOLE;
}

static enum bddf_read
packed_extras(struct input *in, struct message *m)
{
	struct input list;
	enum bddf_read r = counted(in, &list);

	while (r == BDDF_WHOLE && (list.p < list.stop || list.missing > 0))
		r = one_extra(&list, m);
	return r;
}

/* Everything from in.p on. */
static enum bddf_read
decode(struct input in, struct shape shape, struct message *m)
{
	enum bddf_read r = BDDF_WHOLE;

	while (r == BDDF_WHOLE && (in.p < in.stop || in.missing > 0)) {
		struct input inner;
		uint64_t key, v;

		r = key_of(&in, &key);
		if (r != BDDF_WHOLE)
			break;
		if (key == shape.number) {
			r = varint(&in, &v);
			if (r == BDDF_WHOLE && v > shape.most)
				r = BDDF_BROKEN;
			if (r == BDDF_WHOLE)
				m->n.number = v;
		} else if (key == shape.time) {
			r = counted(&in, &inner);
			if (r == BDDF_WHOLE) {
				m->n.has_time = true;
				r = timestamp(&inner, m);
			}
		} else if (key == KEY(3, BYTES)) {
			r = packed_extras(&in, m);
		} else if (key == KEY(3, VARINT)) {
			r = one_extra(&in, m);
		} else if (key >> 3 > 3) {
			r = unknown(&in, key & 7, m);
		} else {
			r = BDDF_BROKEN;
		}
	}
	return r;
}

/* Step over a Timestamp with this key; p where it is not there, or is no usual
 * one. */
static inline const uint8_t *
usual_time(const uint8_t *p, uint8_t key, struct numbers *out)
{
	uint64_t sec = 0, nanos = 0;
	const uint8_t *at = p + 2, *end = at + p[1];

	if (*p != key || p[1] >= USUAL)
		return p;
	if (at < end)
		at = bddf_plain_number(at, KEY(1, VARINT), &sec);
	if (at < end)
		at = bddf_plain_number(at, KEY(2, VARINT), &nanos);
	if (at != end)
		return p;
	out->has_time = true;
	out->sec = sec;
	out->nanos = nanos;
	return at;
}

/* Step over the number, likewise. */
static inline const uint8_t *
usual_number(const uint8_t *p, struct shape shape, struct numbers *out)
{
	uint64_t v;
	const uint8_t *end = bddf_plain_number(p, (uint8_t)shape.number, &v);

	if (end == p || v > shape.most)
		return p;
	out->number = v;
	return end;
}

/* Step over a short packed list of additional indexes, likewise. */
static inline const uint8_t *
usual_list(const uint8_t *p, struct message *m)
{
	const uint8_t *at = p + 2, *end = at + p[1];
	uint64_t v[USUAL_EXTRAS];
	unsigned n = 0;

	if (*p != KEY(3, BYTES) || p[1] >= USUAL)
		return p;
	while (at != NULL && at < end && n < USUAL_EXTRAS)
		at = bddf_plain_varint(at, &v[n++]);
	if (at != end)
		return p;
	m->more.n_extra += n;
	for (unsigned i = 0; i < n; i++) {
		m->list += bddf_varint_size(v[i]);
		if (m->extra != NULL)
			m->extra(m->ctx, v[i]);
	}
	return end;
}

/* Step over the fields that every message has, as far as they are as writers
 * write them; returns how many of its n bytes they take. */
static size_t
usual(const uint8_t *message, size_t n, struct shape shape, struct message *m)
{
	uint8_t room[USUAL + BDDF_PLAIN_SLACK];
	const uint8_t *p = room;

	if (n > USUAL)
		return 0;
	/* After its end no number ends and no field begins. */
	memcpy(room, message, n);
	memset(room + n, 0xff, BDDF_PLAIN_SLACK);
	p = usual_number(p, shape, &m->n);
	p = usual_time(p, (uint8_t)shape.time, &m->n);
	p = usual_number(p, shape, &m->n);
	p = usual_list(p, m);
	return (size_t)(p - room);
}

/* What a message of n bytes holds, of which `missing` are not there. */
static inline enum bddf_read
read_all(const uint8_t *p, size_t n, size_t missing, struct shape shape,
    struct message *m)
{
	struct input in = input_of(p, n, missing);

	if (missing == 0 && n > 0)
		in.p += usual(p, n, shape, m);
	if (in.p == in.stop && missing == 0)
		return BDDF_WHOLE;
	return decode(in, shape, m);
}

/* The bytes of a DataDescriptor as writers have it: numbers as short as they
 * can be, none that is 0, additional indexes packed. */
static size_t
plain_size(const struct message *m)
{
	size_t time = bddf_number_size(m->n.sec) + bddf_number_size(m->n.nanos);
	size_t size = bddf_number_size(m->n.number);

	if (m->n.has_time)
		size += 2 + time;
	if (m->more.n_extra > 0)
		size += 1 + bddf_varint_size(m->list) + m->list;
	return size;
}

enum bddf_read
bddf_data_get(const uint8_t *p, size_t have, size_t size, struct bddf_data *out,
    bddf_extra_fn extra, void *ctx)
{
	const struct shape shape = { KEY(1, VARINT), KEY(2, BYTES),
		UINT32_MAX };
	struct message m = { .extra = extra, .ctx = ctx };
	enum bddf_read r = read_all(p, have, size - have, shape, &m);

	/* Other parsers cut nanoseconds down to 32 bits. */
	*out = (struct bddf_data){
		.size = (uint32_t)size,
		.series = (uint32_t)m.n.number,
		.has_time = m.n.has_time,
		.sec = (int64_t)m.n.sec,
		.nanos = m.n.nanos > INT32_MAX ? -1 : (int32_t)m.n.nanos,
		.n_extra = m.more.n_extra,
		.strange = m.more.strange,
		.odd = !m.more.strange && plain_size(&m) != size,
	};
	return r;
}

bool
bddf_data_time_ok(const struct bddf_data *d)
{
	return d->nanos >= 0 && d->nanos < 1000000000;
}

enum bddf_read
bddf_entry_get(const uint8_t *p, size_t size, struct bddf_entry *out,
    struct bddf_entry_more *more, bddf_extra_fn extra, void *ctx)
{
	const struct shape shape = { KEY(2, VARINT), KEY(1, BYTES),
		UINT64_MAX };
	struct message m = { .extra = extra, .ctx = ctx };
	enum bddf_read r = read_all(p, size, 0, shape, &m);

	*out = (struct bddf_entry){
		.off = m.n.number,
		.sec = (int64_t)m.n.sec,
		.nanos = !m.n.has_time       ? BDDF_NO_TIME
		    : m.n.nanos <= INT32_MAX ? (uint32_t)m.n.nanos
		                             : BDDF_BAD_TIME,
	};
	*more = m.more;
	return r;
}
