/* rosrecord_index.c - does the index name exactly what is here?
 *
 * An entry is the time of a message and its place.  If its definition directly
 * precedes it, the place is that of the definition.
 */
#include "base/list.h"
#include "formats/rosrecord/rosrecord_state.h"

#define AT_ONCE ((uint64_t)4096) /* entries read at once */
#define NEAR    64               /* records around one */

struct entry {
	uint32_t sec, nsec;
	uint64_t off;
};

/* The message that an entry names; NULL: there is none. */
static struct rosrec_item *
find_named(
    struct rosrec *b, uint32_t topic, const struct entry *e, bool *by_def)
{
	struct rosrec_item *end = b->items + b->n_items;
	struct rosrec_item *item =
	    SLV_FIND(struct rosrec_item, off, b->items, b->n_items, e->off);

	*by_def = false;
	if (item == NULL)
		return NULL;
	while (item < end && item->is_def) {
		*by_def |= item->topic == topic;
		if (item + 1 < end && item[1].off != item->off + item->len)
			return NULL;
		item++;
	}
	return item == end ? NULL : item;
}

static bool
is_in_order(const struct rosrec_item *a, uint32_t sec, uint32_t nsec,
    const struct rosrec_item *b)
{
	return (a->sec < sec || (a->sec == sec && a->nsec <= nsec))
	    && (sec < b->sec || (sec == b->sec && nsec <= b->nsec));
}

/* The nearest message before or after the item; itself if there is none. */
static const struct rosrec_item *
neighbour(const struct rosrec *b, const struct rosrec_item *item, int step)
{
	const struct rosrec_item *x = item + step, *end = b->items + b->n_items;

	while (x >= b->items && x < end && x->is_def)
		x += step;
	return x >= b->items && x < end ? x : item;
}

/* Return true if a message near the item has the time of an entry: then the
 * entry belongs to it, and the index has other offsets. */
static bool
is_of_another(const struct rosrec *b, const struct rosrec_item *item,
    const struct entry *e)
{
	size_t at = (size_t)(item - b->items);
	size_t from = at > NEAR ? at - NEAR : 0;
	size_t upto = (size_t)slv_min64(b->n_items, at + NEAR);

	for (size_t i = from; i < upto; i++) {
		const struct rosrec_item *x = &b->items[i];

		if (x != item && !x->is_def && x->topic == item->topic
		    && x->sec == e->sec && x->nsec == e->nsec)
			return true;
	}
	return false;
}

/* The header of a message and its entry have two times: the one between those
 * of the adjacent messages is right.  *known: one is. */
static void
settle_time(const struct rosrec *b, struct rosrec_item *item,
    const struct entry *e, bool *known)
{
	const struct rosrec_item *before = neighbour(b, item, -1);
	const struct rosrec_item *after = neighbour(b, item, 1);
	bool own = is_in_order(before, item->sec, item->nsec, after);
	bool other = is_in_order(before, e->sec, e->nsec, after);

	*known = own != other && before != item && after != item;
	if (!*known || own)
		return;
	item->sec = e->sec;
	item->nsec = e->nsec;
	item->fixes |= ROSREC_FIX_TIME;
}

/* Compare an entry with the message that it names.  *same: they agree. */
static enum slv_status
settle_entry(struct slv_scan *s, struct rosrec_item *item, uint32_t topic,
    const struct entry *e, bool *same, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	struct rosrec_topic *own = &b->topics[item->topic];
	struct rosrec_topic *t = &b->topics[topic];
	bool known = true;

	*same = item->topic == topic && item->sec == e->sec
	    && item->nsec == e->nsec;
	if (*same)
		return SLV_OK;
	if (item->topic != topic && own->name_len == t->name_len
	    && item->sec == e->sec && item->nsec == e->nsec) {
		own->n--;
		t->n++;
		item->topic = topic;
		item->fixes |= ROSREC_FIX_TOPIC;
	}
	/* If offsets have changed, an entry points to another message. */
	if (item->topic != topic || b->lists[0].off != b->index_pos
	    || is_of_another(b, item, e))
		return SLV_OK;
	if (item->sec != e->sec || item->nsec != e->nsec)
		settle_time(b, item, e, &known);
	s->absent |= !known;
	return rosrec_problem(s,
	    !known                 ? ROSREC_P_TIME
	        : item->fixes != 0 ? ROSREC_P_MESSAGE
	                           : ROSREC_P_ENTRY,
	    item->off, item->len, 0, 0, err);
}

/* One index record.  *good: it names what is here and can be used. */
static enum slv_status
check_list(struct slv_scan *s, const struct rosrec_list *list, bool *good,
    struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	struct rosrec_topic *t;
	struct rosrec_record r;
	uint64_t at, end = list->off + list->len;
	bool first = true;
	size_t topic;

	*good = false;
	SLV_TRY(rosrec_look(s, list->off, &r, err));
	if (r.read != ROSREC_WHOLE || r.op != ROSREC_INDEX)
		return SLV_OK;
	topic = rosrec_topic_find(b, r.topic);
	if (topic == b->n_topics)
		return SLV_OK;
	t = &b->topics[topic];
	*good = !t->indexed;
	t->indexed = true;
	t->named += r.count;
	for (at = list->off + rosrec_head(&r); at < end;) {
		uint64_t n = slv_min64((end - at) / ROSREC_ENTRY_SIZE, AT_ONCE);
		const uint8_t *p;

		SLV_TRY(slv_window_view(
		    s->window, at, (size_t)(n * ROSREC_ENTRY_SIZE), &p, err));
		for (uint64_t i = 0; i < n; i++, p += ROSREC_ENTRY_SIZE) {
			struct entry e = { slv_get_le32(p), slv_get_le32(p + 4),
				slv_get_le64(p + 8) };
			bool by_def, same;
			struct rosrec_item *item =
			    find_named(b, (uint32_t)topic, &e, &by_def);

			/* Readers expect the definition at the first one. */
			*good &=
			    item != NULL && !item->listed && (!first || by_def);
			first = false;
			if (item == NULL || item->listed)
				continue;
			SLV_TRY(settle_entry(
			    s, item, (uint32_t)topic, &e, &same, err));
			*good &= same;
			item->listed = item->topic == topic;
			t = &b->topics[topic];
			t->listed += item->listed;
		}
		at += n * ROSREC_ENTRY_SIZE;
	}
	return SLV_OK;
}

/* Return true if the index is in one piece, up to the end. */
static bool
is_in_one_piece(const struct slv_scan *s)
{
	const struct rosrec *b = rosrec_of(s);
	uint64_t at = b->n_lists > 0 ? b->lists[0].off : 0;

	for (size_t i = 0; i < b->n_lists; i++) {
		if (b->lists[i].off != at)
			return false;
		at += b->lists[i].len;
	}
	return at == s->source->size;
}

/* Return true if nothing is left out before the index, so that its offsets
 * hold. */
static bool
is_dense(const struct rosrec *b)
{
	uint64_t at = ROSREC_MAGIC_SIZE + ROSREC_HEADER_LEN;

	for (size_t i = 0; i < b->n_items; i++) {
		if (b->items[i].off != at)
			return false;
		at += b->items[i].len;
	}
	return at == b->index_pos;
}

enum slv_status
rosrec_index_check(struct slv_scan *s, uint64_t *gone, struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	bool good;

	*gone = 0;
	b->index_whole = is_in_one_piece(s);
	b->index_stays = b->index_whole && b->has_header && !b->spoilt_header
	    && b->lists[0].off == b->index_pos && is_dense(b);
	for (size_t i = 0; i < b->n_lists; i++) {
		SLV_TRY(check_list(s, &b->lists[i], &good, err));
		b->index_stays &= good;
	}
	for (size_t i = 0; i < b->n_topics; i++) {
		const struct rosrec_topic *t = &b->topics[i];

		b->index_stays &= t->listed == t->n;
		if (t->indexed && t->named > t->n)
			*gone += t->named - t->n;
	}
	/* A bag without messages has none. */
	if (b->n_items == 0 && b->n_lists == 0)
		b->index_stays =
		    b->has_header && b->index_pos == s->logical_end;
	return SLV_OK;
}
