/* rosbag_conn.c - the connections: who sent messages on which topic. */
#include <inttypes.h>
#include <stdio.h>

#include "base/list.h"
#include "formats/rosbag/build/rosbag_make.h"
#include "formats/rosbag/connections/rosbag_conn.h"
#include "formats/rosbag/connections/rosbag_decl.h"
#include "support/ros.h"

/* Where the id is in by_id, or would be. */
static size_t
place_of(const struct rosbag *b, uint32_t id)
{
	struct slv_search f = { .high = b->n_conns };

	/* Ids mostly count up. */
	if (b->n_conns > 0 && b->conns[b->by_id[b->n_conns - 1]].id < id)
		return b->n_conns;
	while (slv_search(&f))
		slv_search_on(&f, b->conns[b->by_id[f.mid]].id < id);
	return f.low;
}

static bool
stands_at(const struct rosbag *b, size_t place, uint32_t id)
{
	return place < b->n_conns && b->conns[b->by_id[place]].id == id;
}

bool
rosbag_conn_known(const struct rosbag *b, uint32_t id)
{
	return stands_at(b, place_of(b, id), id);
}

bool
rosbag_conn_is_empty(const struct rosbag *b, uint32_t id)
{
	size_t place = place_of(b, id);
	const struct rosbag_conn *c;

	if (!stands_at(b, place, id))
		return false;
	c = &b->conns[b->by_id[place]];
	return c->n > 0 && c->bytes == c->n * ROSBAG_MESSAGE_HEAD;
}

/* The number of a new connection in the output: its own, unless another one has
 * that. */
static uint32_t
number_of(struct rosbag *b, uint32_t id)
{
	bool given = id >= ROSBAG_CONNS_MAX && id <= b->given;

	if (!given && !stands_at(b, place_of(b, id), id))
		return id;
	b->given = b->given > 0 ? b->given + 1 : ROSBAG_CONNS_MAX;
	while (stands_at(b, place_of(b, b->given), b->given))
		b->given++;
	return b->given;
}

enum slv_status
rosbag_conn_insert(
    struct slv_scan *s, uint32_t id, uint64_t off, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	size_t place = place_of(b, id);
	uint32_t out = number_of(b, id);

	SLV_TRY(SLV_ROOM(b, conns, 1, err));
	SLV_TRY(slv_grow(
	    &b->by_id, &b->cap_by_id, b->n_conns + 1, sizeof(*b->by_id), err));
	memmove(b->by_id + place + 1, b->by_id + place,
	    (b->n_conns - place) * sizeof(*b->by_id));
	b->by_id[place] = (uint32_t)b->n_conns;
	b->conns[b->n_conns++] = (struct rosbag_conn){
		.id = id,
		.out = out,
		.decl = SIZE_MAX,
		.need_off = off,
		.chunk = SIZE_MAX,
		.first = ROSBAG_NONE,
		.last = ROSBAG_NONE,
	};
	return SLV_OK;
}

struct rosbag_conn *
rosbag_conn_nth(const struct rosbag *b, uint32_t id, size_t nth)
{
	size_t place = place_of(b, id) + nth;

	return stands_at(b, place, id) ? &b->conns[b->by_id[place]] : NULL;
}

struct rosbag_conn *
rosbag_conn_given(struct rosbag *b, uint32_t out)
{
	for (size_t i = 0; i < b->n_conns; i++) {
		if (b->conns[i].out == out)
			return &b->conns[i];
	}
	return NULL;
}

void
rosbag_conn_prefer(struct rosbag *b, uint32_t id, size_t nth)
{
	size_t place = place_of(b, id);
	uint32_t it = b->by_id[place + nth];

	memmove(
	    b->by_id + place + 1, b->by_id + place, nth * sizeof(*b->by_id));
	b->by_id[place] = it;
}

enum slv_status
rosbag_conn_find(struct slv_scan *s, uint32_t id, uint64_t off, uint32_t *out,
    bool *full, struct slv_err *err)
{
	const struct rosbag *b = rosbag_of(s);
	size_t place = place_of(b, id);

	*full = false;
	if (!stands_at(b, place, id)) {
		*full = b->n_conns == ROSBAG_CONNS_MAX;
		if (*full)
			return SLV_OK;
		SLV_TRY(rosbag_conn_insert(s, id, off, err));
	}
	*out = b->by_id[place];
	return SLV_OK;
}

/* Whether two declarations say the same. */
static bool
same(const struct rosbag *b, const struct rosbag_conn *c, const uint8_t *record,
    const struct rosbag_record *r)
{
	const uint8_t *old = b->texts.at + c->text;

	return rosbag_fields_same(old + 4, c->head - 8, record + 4, r->fields)
	    && rosbag_fields_same(old + c->head, c->len - c->head,
	        record + rosbag_head(r), r->data);
}

bool
rosbag_conn_sane(const uint8_t *record, const struct rosbag_record *r)
{
	struct slv_span topic = { record + r->topic, r->topic_len };
	struct rosbag_about about;

	return topic.len > 0 && slv_ros_is_text(topic)
	    && rosbag_about_get(record + rosbag_head(r), r->data, &about);
}

/* The text, or another one if that is unknown. */
static struct slv_span
known(struct slv_span text, const char *otherwise)
{
	return text.at != NULL ? text
	                       : (struct slv_span){ (const uint8_t *)otherwise,
		                         strlen(otherwise) };
}

/* What can be used of a damaged declaration, as one that readers take. */
static void
make_declaration(
    const uint8_t *record, const struct rosbag_record *r, struct slv_buf *out)
{
	struct slv_span topic = { record + r->topic, r->topic_len };
	struct slv_buf data = { 0 };
	struct rosbag_about about;
	char name[32];

	snprintf(name, sizeof(name), "/unknown_%" PRIu32, r->conn);
	if (topic.len == 0 || !slv_ros_is_text(topic))
		topic = known((struct slv_span){ NULL, 0 }, name);
	rosbag_about_get(record + rosbag_head(r), r->data, &about);
	slv_ros_put(&data, "topic", topic);
	slv_ros_put(&data, "type", known(about.type, "unknown/Unknown"));
	slv_ros_put(&data, "md5sum",
	    known(about.md5sum, "00000000000000000000000000000000"));
	slv_ros_put(&data, "message_definition", known(about.definition, ""));
	rosbag_make_conn(r->conn, topic, &data, out);
	slv_buf_free(&data);
}

enum slv_status
rosbag_conn_spoilt(struct slv_scan *s, const uint8_t *record,
    const struct rosbag_record *r, uint64_t off, bool *full,
    struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_conn *c;
	uint32_t i;

	SLV_TRY(rosbag_conn_find(s, r->conn, off, &i, full, err));
	if (*full || b->conns[i].spoilt_len > 0)
		return SLV_OK;
	c = &b->conns[i];
	c->spoilt = b->texts.len;
	make_declaration(record, r, &b->texts);
	c->spoilt_len = (uint32_t)(b->texts.len - c->spoilt);
	return slv_buf_check(&b->texts, err);
}

void
rosbag_conn_declare_as(struct rosbag *b, struct rosbag_conn *c, size_t text)
{
	struct rosbag_record r;

	rosbag_record_get(b->texts.at + text, b->texts.len - text, &r);
	c->declared = true;
	c->text = text;
	c->len = (uint32_t)rosbag_span(&r);
	c->head = rosbag_head(&r);
	c->topic = r.topic;
	c->topic_len = r.topic_len;
}

void
rosbag_conn_settle(struct rosbag *b)
{
	for (size_t i = 0; i < b->n_conns; i++) {
		struct rosbag_conn *c = &b->conns[i];

		if (!c->declared && c->spoilt_len > 0 && c->n > 0)
			rosbag_conn_declare_as(b, c, c->spoilt);
	}
}

bool
rosbag_chunk_is_of_use(const struct rosbag *b, const struct rosbag_chunk *c)
{
	for (size_t i = 0; i < c->n_counts; i++) {
		if (b->conns[b->counts[c->first_count + i].conn].declared)
			return true;
	}
	return false;
}

void
rosbag_conn_move(struct rosbag *b)
{
	for (size_t k = 0; k < b->n_chunks; k++)
		b->chunks[k].gone &= !rosbag_chunk_is_of_use(b, &b->chunks[k]);
	for (size_t i = 0; i < b->n_conns; i++) {
		struct rosbag_conn *c = &b->conns[i];

		if (c->chunk != SIZE_MAX && b->chunks[c->chunk].gone)
			c->chunk = SIZE_MAX;
	}
	for (size_t k = 0; k < b->n_chunks; k++) {
		const struct rosbag_chunk *chunk = &b->chunks[k];

		if (chunk->gone || rosbag_chunk_is_empty(chunk))
			continue;
		for (size_t i = 0; i < chunk->n_entries; i++) {
			const struct rosbag_entry *e =
			    &b->kept.at[chunk->first_entry + i];
			struct rosbag_conn *c = &b->conns[e->conn];

			if (c->chunk != SIZE_MAX)
				continue;
			c->chunk = k;
			c->unannounced =
			    !e->is_conn || rosbag_entry_is_out(b, e);
		}
	}
}

enum slv_status
rosbag_conn_declare(struct slv_scan *s, const uint8_t *record,
    const struct rosbag_record *r, uint64_t off, uint32_t *out, bool *odd,
    bool *full, struct slv_err *err)
{
	struct rosbag *b = rosbag_edit(s);
	struct rosbag_conn *c;

	*odd = false;
	SLV_TRY(rosbag_conn_find(s, r->conn, off, out, full, err));
	if (*full)
		return SLV_OK;
	c = &b->conns[*out];
	if (c->declared) {
		*odd = !same(b, c, record, r);
		b->conns_odd |= *odd;
		return SLV_OK;
	}
	slv_buf_add(&b->texts, record, (size_t)rosbag_span(r));
	SLV_TRY(slv_buf_check(&b->texts, err));
	rosbag_conn_declare_as(b, c, b->texts.len - (size_t)rosbag_span(r));
	return SLV_OK;
}
