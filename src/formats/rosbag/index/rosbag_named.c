/* rosbag_named.c - what the index after a compressed chunk says of the
 * messages in it.
 *
 * Where the data are damaged it still tells where each message begins, whose
 * it is and when it came.  So it shows where the damage begins, and leads on
 * after it; the bytes of a payload it does not prove.
 */
#include "base/list.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/rosbag_state.h"

void
rosbag_names_free(struct rosbag_names *x)
{
	slv_free(x->at);
	slv_free(x->conns);
	*x = (struct rosbag_names){ 0 };
}

SLV_ORDER(compare_named, struct rosbag_named, offset)

static int
compare_conns(const void *p, const void *q)
{
	const uint32_t *a = p, *b = q;

	return *a < *b ? -1 : *a > *b;
}

/* The entries of the record at off. */
static enum slv_status
read_record(const struct slv_scan *s, uint64_t off,
    const struct rosbag_record *r, struct rosbag_names *x, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(SLV_ADD(x, conns, err, r->conn));
	SLV_TRY(SLV_ROOM_AT(x, r->count + 1, err));
	off += rosbag_head(r);
	for (uint32_t i = 0; i < r->count; i++, off += ROSBAG_ENTRY_SIZE) {
		SLV_TRY(slv_window_view(
		    s->window, off, ROSBAG_ENTRY_SIZE, &p, err));
		x->at[x->n++] = rosbag_named_get(p, r->conn);
	}
	return SLV_OK;
}

enum slv_status
rosbag_names_read(const struct slv_scan *s, uint64_t off, size_t max,
    struct rosbag_names *x, struct slv_err *err)
{
	uint64_t limit = rosbag_index_limit(s);

	while (off < s->logical_end) {
		struct rosbag_record r;

		SLV_TRY(rosbag_look(s, off, &r, err));
		if (r.read != ROSBAG_WHOLE || r.op != ROSBAG_INDEX
		    || r.data != (uint64_t)r.count * ROSBAG_ENTRY_SIZE
		    || rosbag_span(&r) > limit - off)
			break;
		/* No chunk of that size holds so many. */
		if (r.count > max - x->n) {
			x->n = 0;
			break;
		}
		SLV_TRY(read_record(s, off, &r, x, err));
		off += rosbag_span(&r);
	}
	if (x->n == 0)
		return SLV_OK;
	slv_sort(x->at, x->n, sizeof(*x->at), compare_named);
	slv_sort(x->conns, x->n_conns, sizeof(*x->conns), compare_conns);
	return SLV_OK;
}

/* The first one at or after an offset; ->n: none. */
static size_t
named_from(const struct rosbag_names *x, uint64_t offset)
{
	return SLV_FROM(struct rosbag_named, offset, x->at, x->n, offset);
}

bool
rosbag_names_tell(const struct rosbag_names *x, uint32_t conn)
{
	return slv_find(
	           x->conns, x->n_conns, sizeof(conn), 0, sizeof(conn), conn)
	    != NULL;
}

enum rosbag_opinion
rosbag_names_opinion(const struct rosbag_names *x, uint64_t offset,
    const struct rosbag_record *r)
{
	size_t i = named_from(x, offset);
	const struct rosbag_named *named = &x->at[i];

	if (i == x->n || named->offset != offset)
		return rosbag_names_tell(x, r->conn) ? ROSBAG_NAMED_OTHERWISE
		                                     : ROSBAG_NOT_NAMED;
	return named->conn == r->conn
	        && rosbag_time_compare(named->time, r->time) == 0
	    ? ROSBAG_NAMED
	    : ROSBAG_NAMED_OTHERWISE;
}

/* A piece of what was decoded, under the index. */
struct following {
	struct rosbag_body *body;
	const struct rosbag_names *names;
	uint8_t *p;      /* all that was decoded */
	uint64_t at;     /* of its first byte, in all that the chunk holds */
	size_t from, to; /* the piece, in what was decoded */
	uint8_t like[ROSBAG_MESSAGE_FIELDS]; /* the header of a message */
};

/* Where a message is in what was decoded; SIZE_MAX: its header is not. */
static size_t
place_of(const struct following *f, size_t i)
{
	uint64_t offset = f->names->at[i].offset;

	if (offset < f->at || offset - f->at > f->to - f->from
	    || f->to - f->from - (offset - f->at) < ROSBAG_MESSAGE_HEAD)
		return SIZE_MAX;
	return f->from + (size_t)(offset - f->at);
}

/* How its header must begin. */
static void
header_of(const struct following *f, size_t i, uint8_t *out)
{
	const struct rosbag_named *named = &f->names->at[i];

	rosbag_message_head(f->like, named->conn, named->time, out);
}

/* Whether such a header is there, or nearly so. */
static bool
is_alike(const struct following *f, size_t i)
{
	uint8_t head[ROSBAG_MESSAGE_FIELDS];
	size_t at = i < f->names->n ? place_of(f, i) : SIZE_MAX;
	unsigned alike = 0;

	if (at == SIZE_MAX)
		return false;
	header_of(f, i, head);
	for (size_t k = 0; k < sizeof(head); k++)
		alike += f->p[at + k] == head[k];
	return alike >= ROSBAG_ALIKE;
}

/* Begin with a piece; false: the index is not of it, or its place in the chunk
 * is unknown. */
static bool
begin(struct following *f, struct rosbag_body *body,
    const struct slv_decoded_piece *piece)
{
	struct rosbag_record r;
	size_t at, hits = 0, n = 0;

	*f = (struct following){
		.body = body,
		.names = &body->names,
		.p = body->decode.out.at,
		.at = piece->at,
		.from = piece->out,
		.to = piece->out + piece->len,
	};
	if (!piece->at_known || f->names->n == 0)
		return false;
	at = rosbag_record_find(
	    f->p, f->to, f->from, f->to, 1u << ROSBAG_MESSAGE);
	if (at == f->to
	    || rosbag_record_get(f->p + at, f->to - at, &r) != ROSBAG_WHOLE
	    || r.fields + 4 != ROSBAG_MESSAGE_FIELDS)
		return false;
	memcpy(f->like, f->p + at, sizeof(f->like));
	for (size_t i = 0; i < f->names->n; i++) {
		n += place_of(f, i) != SIZE_MAX;
		hits += is_alike(f, i);
	}
	return hits > 0 && hits * 2 >= n;
}

bool
rosbag_names_hold(
    struct rosbag_body *body, const struct slv_decoded_piece *piece)
{
	struct following f;

	return begin(&f, body, piece);
}

/* Where the declarations begin that fill [.., to) to its end, at `from` or
 * after it; to: there are none. */
static size_t
declarations(const struct following *f, size_t from, size_t to)
{
	struct rosbag_record r;

	for (;; from++) {
		size_t end;

		from =
		    rosbag_record_find(f->p, to, from, to, 1u << ROSBAG_CONN);
		for (end = from; end < to; end += (size_t)rosbag_span(&r)) {
			if (rosbag_record_get(f->p + end, to - end, &r)
			        != ROSBAG_WHOLE
			    || r.op != ROSBAG_CONN
			    || rosbag_span(&r) > to - end)
				break;
		}
		if (from >= to || end == to)
			return from < to ? from : to;
	}
}

/* How long the message is, by what follows it or by its header; 0: that
 * is not known. */
static size_t
length_of(const struct following *f, size_t i, size_t at)
{
	uint64_t said = (uint64_t)ROSBAG_MESSAGE_HEAD
	    + slv_get_le32(f->p + at + ROSBAG_MESSAGE_FIELDS);
	size_t next = i + 1 < f->names->n ? place_of(f, i + 1) : SIZE_MAX;
	struct rosbag_record r;

	if (i + 1 == f->names->n
	    && f->at + (f->to - f->from) == f->body->expect)
		next = f->to;
	if (next == SIZE_MAX || next < at + ROSBAG_MESSAGE_HEAD)
		return is_alike(f, i) && said <= f->to - at ? (size_t)said : 0;
	if (said < next - at
	    && rosbag_record_get(f->p + at + said, next - at - (size_t)said, &r)
	        == ROSBAG_WHOLE
	    && r.op == ROSBAG_MESSAGE && !rosbag_names_tell(f->names, r.conn))
		return (size_t)said;
	if (!is_alike(f, i) && next < f->to && !is_alike(f, i + 1))
		return 0;
	return declarations(f, at + ROSBAG_MESSAGE_HEAD, next) - at;
}

/* Put down the declarations in [from, to), up to its end. */
static enum slv_status
add_declarations(
    const struct following *f, size_t from, size_t to, struct slv_err *err)
{
	struct rosbag_record r;

	for (size_t at = declarations(f, from, to); at < to;
	     at += (size_t)rosbag_span(&r)) {
		rosbag_record_get(f->p + at, to - at, &r);
		SLV_TRY(rosbag_body_add(f->body, at, &r, err));
	}
	return SLV_OK;
}

/* Put down the message, with the header that it must have. */
static enum slv_status
add_message(const struct following *f, size_t i, size_t at, size_t len,
    struct slv_err *err)
{
	struct rosbag_record r;
	uint8_t length[8];

	header_of(f, i, f->p + at);
	slv_put_le64(length, len - ROSBAG_MESSAGE_HEAD);
	memcpy(f->p + at + ROSBAG_MESSAGE_FIELDS, length, 4);
	rosbag_record_get(f->p + at, len, &r);
	return rosbag_body_add(f->body, at, &r, err);
}

enum slv_status
rosbag_names_follow(struct rosbag_body *body,
    const struct slv_decoded_piece *piece, size_t from, size_t *end,
    struct slv_err *err)
{
	struct following f;

	*end = from;
	if (!begin(&f, body, piece))
		return SLV_OK;
	for (size_t i = named_from(f.names, f.at + (from - f.from));
	     i < f.names->n; i++) {
		size_t at = place_of(&f, i), len;

		/* They may overlap. */
		if (at == SIZE_MAX || at < *end)
			continue;
		len = length_of(&f, i, at);
		if (len == 0)
			continue;
		SLV_TRY(add_declarations(&f, *end, at, err));
		SLV_TRY(add_message(&f, i, at, len, err));
		*end = at + len;
	}
	return SLV_OK;
}
