/* rosrecord_build.c - the repaired bag as a plan.
 *
 * Records are copied in order.  The definition of a topic precedes its first
 * message, for readers that go from record to record.  In a bag with an index
 * it also directly precedes the first and the earliest message, where the
 * readers of the index expect it.
 */
#include "base/list.h"
#include "formats/rosrecord/rosrecord_state.h"
#include "support/ros.h"

#define NONE SIZE_MAX

/* An entry of the new index. */
struct entry {
	size_t place; /* of the topic, sorted by name */
	uint32_t topic, sec, nsec;
	uint64_t off; /* in the output */
};

/* State of a topic while the plan is built. */
struct course {
	size_t earliest; /* its item with the earliest time */
	size_t place;    /* among all topics, sorted by name */
	bool begun;      /* a message of it is in the plan */
	bool defined;    /* ... or a definition */
};

struct build {
	struct slv_scan *scan;
	struct rosrec *bag;
	struct slv_plan *plan;
	struct slv_buf buf; /* bytes to append */
	struct course *topics;
	struct entry *entries;
	size_t n_entries, cap_entries;

	/* The definition at the end of the plan so far. */
	uint32_t def_topic;
	uint64_t def_off;
	bool def_last;
};

static bool
is_earlier(const struct rosrec_item *a, const struct rosrec_item *b)
{
	return a->sec != b->sec ? a->sec < b->sec : a->nsec < b->nsec;
}

/* Where each topic begins. */
static enum slv_status
survey(struct build *x, struct slv_err *err)
{
	const struct rosrec *b = x->bag;

	if (b->n_topics == 0)
		return SLV_OK;
	SLV_TRY(slv_new(&x->topics, b->n_topics, sizeof(*x->topics), err));
	for (size_t i = 0; i < b->n_topics; i++) {
		x->topics[i].earliest = NONE;
		x->topics[b->by_name[i]].place = i;
	}
	for (size_t i = 0; i < b->n_items; i++) {
		const struct rosrec_item *item = &b->items[i];
		struct course *c = &x->topics[item->topic];

		if (item->is_def || item->drop)
			continue;
		if (c->earliest == NONE
		    || is_earlier(item, &b->items[c->earliest]))
			c->earliest = i;
	}
	return SLV_OK;
}

/* Encode the definition of a topic, with the text of a definition in the bag.  The type is
 * the one that the topic's messages name or, if unknown, that of the definition. */
static enum slv_status
make_def(struct build *x, const struct rosrec_topic *t, struct slv_err *err)
{
	struct rosrec_record r, like;
	struct slv_buf text = { 0 };

	SLV_TRY(rosrec_look(x->scan, t->def, &r, err));
	if (r.read != ROSREC_WHOLE || r.op != ROSREC_DEF)
		return slv_scan_changed(x->scan, err);
	slv_buf_add(&text, r.def.at, r.def.len);
	like = r;
	if (t->like != 0 && rosrec_look(x->scan, t->like, &like, err) == SLV_OK
	    && like.read != ROSREC_WHOLE)
		slv_scan_changed(x->scan, err);
	if (err->code != SLV_OK) {
		slv_buf_free(&text);
		return err->code;
	}
	like.def = (struct slv_span){ text.at, text.len };
	if (!text.failed)
		rosrec_make_def(rosrec_name(x->bag, t), &like, &x->buf);
	x->buf.failed |= text.failed;
	slv_buf_free(&text);
	return slv_plan_buf(x->plan, &x->buf, err);
}

/* The definition of a topic, repeated or encoded. */
static enum slv_status
put_def(struct build *x, uint32_t topic, struct slv_err *err)
{
	const struct rosrec_topic *t = &x->bag->topics[topic];
	uint64_t off = x->plan->size;

	SLV_TRY(t->def_own && !t->def_wrong
	        ? slv_plan_copy(x->plan, t->def, t->def_len, err)
	        : make_def(x, t, err));
	x->topics[topic].defined = true;
	x->def_topic = topic;
	x->def_off = off;
	x->def_last = true;
	return SLV_OK;
}

/* Correct a value of a header, in place. */
static void
set_value(uint8_t *header, const uint8_t *seen, struct slv_span old,
    struct slv_span right)
{
	if (old.len == right.len)
		memcpy(header + (old.at - seen), right.at, right.len);
}

/* The same of a number of the header that the buffer holds, which has it. */
static void
put_number(struct slv_buf *buf, const char *name, uint32_t v)
{
	struct slv_span value =
	    slv_ros_value(buf->at + 4, slv_get_le32(buf->at), name);

	slv_put_le32(buf->at + (value.at - buf->at), v);
}

/* A message with a corrected header. */
static enum slv_status
put_fixed(struct build *x, const struct rosrec_item *item, struct slv_err *err)
{
	struct slv_scan *s = x->scan;
	const struct rosrec_topic *t = &x->bag->topics[item->topic];
	struct rosrec_record r, def = { .op = 0 };
	struct slv_buf about = { 0 };
	const uint8_t *p;
	uint64_t head;

	if (item->fixes & ROSREC_FIX_TYPE) {
		SLV_TRY(rosrec_look(s, t->def, &def, err));
		slv_buf_add(&about, def.md5.at, def.md5.len);
		slv_buf_add(&about, def.type.at, def.type.len);
	}
	SLV_TRY(rosrec_look(s, item->off, &r, err));
	head = rosrec_head(&r);
	SLV_TRY(slv_window_view(s->window, item->off, (size_t)head, &p, err));
	if (rosrec_record_get(p, (size_t)head, &r) != ROSREC_WHOLE
	    || r.op != ROSREC_MESSAGE || rosrec_head(&r) != head
	    || head > item->len) {
		slv_buf_free(&about);
		return slv_scan_changed(s, err);
	}
	slv_buf_add(&x->buf, p, (size_t)head);
	if (x->buf.failed || about.failed) {
		slv_buf_free(&about);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	if (item->fixes & ROSREC_FIX_TOPIC)
		set_value(x->buf.at, p, r.topic, rosrec_name(x->bag, t));
	if (item->fixes & ROSREC_FIX_TIME) {
		put_number(&x->buf, "sec", item->sec);
		put_number(&x->buf, "nsec", item->nsec);
	}
	if (item->fixes & ROSREC_FIX_TYPE) {
		set_value(x->buf.at, p, r.md5,
		    (struct slv_span){ about.at, def.md5.len });
		set_value(x->buf.at, p, r.type,
		    (struct slv_span){ about.at + def.md5.len, def.type.len });
	}
	slv_buf_free(&about);
	SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	return slv_plan_copy(x->plan, item->off + head, item->len - head, err);
}

/* Return true if the definition must directly precede this message. */
static bool
wants_def(const struct build *x, size_t i)
{
	const struct rosrec *b = x->bag;
	const struct rosrec_item *item = &b->items[i];
	const struct course *c = &x->topics[item->topic];

	/* The first writer declared a type once for all topics of it. */
	if (!b->with_index)
		return !c->defined
		    && (b->each
		        || !x->topics[b->topics[item->topic].def_of].defined);
	if (b->index_stays || (c->begun && c->earliest != i))
		return false;
	return !x->def_last || x->def_topic != item->topic;
}

static enum slv_status
put_message(struct build *x, size_t i, struct slv_err *err)
{
	const struct rosrec_item *item = &x->bag->items[i];
	struct entry e = { x->topics[item->topic].place, item->topic, item->sec,
		item->nsec, 0 };

	if (wants_def(x, i))
		SLV_TRY(put_def(x, item->topic, err));
	e.off = x->def_last && x->def_topic == item->topic ? x->def_off
	                                                   : x->plan->size;
	x->def_last = false;
	x->topics[item->topic].begun = true;
	SLV_TRY(item->fixes != 0
	        ? put_fixed(x, item, err)
	        : slv_plan_copy(x->plan, item->off, item->len, err));
	if (!x->bag->with_index || x->bag->index_stays)
		return SLV_OK;
	return SLV_ADD(x, entries, err, e);
}

/* A definition that was recorded. */
static enum slv_status
put_item_def(
    struct build *x, const struct rosrec_item *item, struct slv_err *err)
{
	if (item->fixes != 0)
		return put_def(x, item->topic, err);
	x->topics[item->topic].defined = true;
	x->def_topic = item->topic;
	x->def_off = x->plan->size;
	x->def_last = true;
	return slv_plan_copy(x->plan, item->off, item->len, err);
}

static enum slv_status
put_items(struct build *x, struct slv_err *err)
{
	const struct rosrec *b = x->bag;

	for (size_t i = 0; i < b->n_items; i++) {
		const struct rosrec_item *item = &b->items[i];

		if (item->drop)
			continue;
		SLV_TRY(item->is_def ? put_item_def(x, item, err)
		                     : put_message(x, i, err));
	}
	return SLV_OK;
}

/* By topic, then by time, as readers require. */
static int
compare_entries(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->sec != b->sec)
		return a->sec < b->sec ? -1 : 1;
	if (a->nsec != b->nsec)
		return a->nsec < b->nsec ? -1 : 1;
	return a->off < b->off ? -1 : a->off > b->off;
}

static enum slv_status
put_index(struct build *x, struct slv_err *err)
{
	const struct rosrec *b = x->bag;

	if (b->index_stays) {
		for (size_t i = 0; i < b->n_lists; i++)
			SLV_TRY(slv_plan_copy(
			    x->plan, b->lists[i].off, b->lists[i].len, err));
		return SLV_OK;
	}
	slv_sort(
	    x->entries, x->n_entries, sizeof(*x->entries), compare_entries);
	for (size_t i = 0; i < x->n_entries;) {
		const struct entry *e = &x->entries[i];
		const struct rosrec_topic *t = &b->topics[e->topic];

		rosrec_make_index(rosrec_name(b, t), (uint32_t)t->n, &x->buf);
		for (; i < x->n_entries && x->entries[i].topic == e->topic; i++)
			rosrec_make_entry(x->entries[i].sec, x->entries[i].nsec,
			    x->entries[i].off, &x->buf);
		SLV_TRY(slv_plan_buf(x->plan, &x->buf, err));
	}
	return SLV_OK;
}

static enum slv_status
build(struct build *x, struct slv_err *err)
{
	const struct rosrec *b = x->bag;
	size_t header;
	uint64_t index;

	SLV_TRY(survey(x, err));
	if (b->has_line)
		SLV_TRY(slv_plan_copy(x->plan, 0, ROSREC_MAGIC_SIZE, err));
	else
		SLV_TRY(slv_plan_bytes(
		    x->plan, ROSREC_MAGIC, ROSREC_MAGIC_SIZE, err));
	header = x->plan->n;
	if (b->with_index && b->index_stays) {
		SLV_TRY(slv_plan_copy(
		    x->plan, ROSREC_MAGIC_SIZE, ROSREC_HEADER_LEN, err));
	} else if (b->with_index) {
		/* The place of the index is known last. */
		SLV_TRY(slv_plan_fill(x->plan, ' ', ROSREC_HEADER_LEN, err));
	}
	SLV_TRY(put_items(x, err));
	if (!b->with_index)
		return SLV_OK;
	index = x->plan->size;
	SLV_TRY(put_index(x, err));
	if (b->index_stays)
		return SLV_OK;
	rosrec_make_header(index, &x->buf);
	SLV_TRY(slv_buf_check(&x->buf, err));
	return slv_plan_replace(x->plan, header, x->buf.at, err);
}

enum slv_status
rosrec_plan(struct slv_scan *s, struct slv_plan *plan, bool *possible,
    struct slv_err *err)
{
	struct build x = { .scan = s, .bag = rosrec_edit(s), .plan = plan };
	enum slv_status st;

	*possible = false;
	if (x.bag->planned == 0 && !slv_scan_is_sound(s))
		return SLV_OK;
	st = build(&x, err);
	slv_buf_free(&x.buf);
	slv_free(x.topics);
	slv_free(x.entries);
	*possible = st == SLV_OK;
	return st;
}
