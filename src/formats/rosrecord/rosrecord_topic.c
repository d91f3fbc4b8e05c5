/* rosrecord_topic.c - topics by name. */
#include "base/list.h"
#include "formats/rosrecord/rosrecord_state.h"

static int
compare(struct slv_span a, struct slv_span b)
{
	int order = memcmp(a.at, b.at, (size_t)slv_min64(a.len, b.len));

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Index of the name in the sorted list, or where it would be inserted. */
static size_t
place_of(const struct rosrec *b, struct slv_span name, bool *there)
{
	struct slv_search f = { .high = b->n_topics };

	while (slv_search(&f))
		slv_search_on(&f,
		    compare(rosrec_name(b, &b->topics[b->by_name[f.mid]]), name)
		        < 0);
	*there = f.low < b->n_topics
	    && compare(rosrec_name(b, &b->topics[b->by_name[f.low]]), name)
	        == 0;
	return f.low;
}

size_t
rosrec_topic_find(const struct rosrec *b, struct slv_span name)
{
	bool there;
	size_t i = place_of(b, name, &there);

	return there ? b->by_name[i] : b->n_topics;
}

enum slv_status
rosrec_topic_get(struct slv_scan *s, struct slv_span name, uint32_t *out,
    struct slv_err *err)
{
	struct rosrec *b = rosrec_edit(s);
	bool there;
	size_t i = place_of(b, name, &there);

	if (there) {
		*out = b->by_name[i];
		return SLV_OK;
	}
	if (b->n_topics == ROSREC_TOPICS_MAX)
		return slv_fail(err, SLV_E_LIMIT, "%s: more than %u topics",
		    s->source->name, ROSREC_TOPICS_MAX);
	SLV_TRY(SLV_ROOM(b, topics, 1, err));
	SLV_TRY(slv_grow(&b->by_name, &b->cap_by_name, b->n_topics + 1,
	    sizeof(*b->by_name), err));
	*out = (uint32_t)b->n_topics;
	b->topics[*out] = (struct rosrec_topic){
		.name = b->names.len,
		.name_len = (uint32_t)name.len,
	};
	slv_buf_add(&b->names, name.at, name.len);
	SLV_TRY(slv_buf_check(&b->names, err));
	memmove(b->by_name + i + 1, b->by_name + i,
	    (b->n_topics - i) * sizeof(*b->by_name));
	b->by_name[i] = *out;
	b->n_topics++;
	return SLV_OK;
}
