/* bag_facts.c - what the files of a bag say, by the reports about them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "batch/ros2/bag.h"

#define SECOND 1000000000u /* nanoseconds */

static uint64_t
nanoseconds(int64_t sec, uint32_t nanos)
{
	return (uint64_t)sec * SECOND + nanos;
}

static void
widen(struct slv_bag_span *all, const struct slv_bag_span *one)
{
	if (one->messages == 0)
		return;
	if (all->messages == 0 || one->first < all->first)
		all->first = one->first;
	if (all->messages == 0 || one->last > all->last)
		all->last = one->last;
	all->messages += one->messages;
}

static enum slv_status
copy(char **out, const char *text, struct slv_err *err)
{
	*out = slv_strdup(text != NULL ? text : "");
	return *out != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

static enum slv_status
add_channel(struct slv_bag *b, const struct slv_report *r, size_t i,
    const struct slv_report_channel *c, struct slv_bag_span *span,
    struct slv_err *err)
{
	struct slv_bag_span one = { .messages = c->messages };
	const char *qos = slv_report_note(r, i, "offered_qos_profiles");
	const char *hash = slv_report_note(r, i, "topic_type_hash");
	struct slv_bag_topic *t;

	if (c->has_times) {
		one.first = nanoseconds(c->first_sec, c->first_nanos);
		one.last = nanoseconds(c->last_sec, c->last_nanos);
	}
	widen(span, &one);
	if (c->name == NULL)
		return SLV_OK;
	SLV_TRY(slv_grow(&b->topics, &b->cap_topics, b->n_topics + 1,
	    sizeof(*b->topics), err));
	t = &b->topics[b->n_topics];
	*t = (struct slv_bag_topic){
		.order = b->n_topics++,
		.messages = c->messages,
	};
	SLV_TRY(copy(&t->name, c->name, err));
	SLV_TRY(copy(&t->type, c->type, err));
	SLV_TRY(copy(&t->encoding, c->encoding, err));
	SLV_TRY(copy(&t->qos, qos, err));
	return copy(&t->hash, hash, err);
}

static int
by_name(const void *x, const void *y)
{
	const struct slv_bag_topic *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (order != 0)
		return order;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Let the later of two texts count, unless it is empty. */
static void
prefer(char **known, char **later)
{
	char *text = *known;

	if (**later == '\0')
		return;
	*known = *later;
	*later = text;
}

static bool
differ(const char *a, const char *b)
{
	return *a != '\0' && *b != '\0' && strcmp(a, b) != 0;
}

void
slv_bag_topic_free(struct slv_bag_topic *t)
{
	slv_free(t->name);
	slv_free(t->type);
	slv_free(t->encoding);
	slv_free(t->qos);
	slv_free(t->hash);
}

void
slv_bag_join_topics(struct slv_bag *b)
{
	size_t kept = 0;

	slv_sort(b->topics, b->n_topics, sizeof(*b->topics), by_name);
	for (size_t i = 0; i < b->n_topics; i++) {
		struct slv_bag_topic *t = &b->topics[i], *same;

		same = kept > 0 ? &b->topics[kept - 1] : NULL;
		if (same == NULL || strcmp(same->name, t->name) != 0) {
			b->topics[kept++] = *t;
			continue;
		}
		same->mixed |= t->mixed || differ(same->type, t->type)
		    || differ(same->encoding, t->encoding);
		same->messages += t->messages;
		prefer(&same->type, &t->type);
		prefer(&same->encoding, &t->encoding);
		prefer(&same->qos, &t->qos);
		prefer(&same->hash, &t->hash);
		slv_bag_topic_free(t);
	}
	b->n_topics = kept;
}

const struct slv_bag_topic *
slv_bag_topic_named(const struct slv_bag *b, const char *name)
{
	size_t from = 0, to = b->n_topics;

	while (from < to) {
		size_t mid = from + (to - from) / 2;
		int order = strcmp(b->topics[mid].name, name);

		if (order == 0)
			return &b->topics[mid];
		if (order < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

/* Since Jazzy each file has a copy of metadata.yaml, without counts; before,
 * some note only the distribution. */
static enum slv_status
add_notes(struct slv_bag *b, const struct slv_report *r,
    const struct slv_bag_span *span, struct slv_err *err)
{
	const char *text =
	    slv_report_note(r, SLV_WHOLE_LOG, "rosbag2/serialized_metadata");
	const char *distro =
	    slv_report_note(r, SLV_WHOLE_LOG, "rosbag2/ROS_DISTRO");

	if (b->noted_at > span->first && b->noted.n > 0)
		return SLV_OK;
	if (distro != NULL) {
		slv_free(b->distro);
		SLV_TRY(copy(&b->distro, distro, err));
	}
	if (text == NULL)
		return SLV_OK;
	b->noted_at = span->first;
	slv_yaml_free(&b->noted);
	b->noted.cancel = b->cancel;
	SLV_TRY(slv_yaml_read(&b->noted, text, strlen(text), err));
	if (b->noted.why[0] != '\0')
		slv_yaml_free(&b->noted);
	return SLV_OK;
}

enum slv_status
slv_bag_add(struct slv_bag *b, size_t nth, const struct slv_report *r,
    struct slv_err *err)
{
	struct slv_bag_file *f = &b->files[nth];
	enum slv_state state = slv_report_state(r);
	struct slv_report_channel c = { .size_of = sizeof(c) };

	f->read = slv_report_status(r) == SLV_OK
	    && state != SLV_STATE_UNRECOGNISED && state != SLV_STATE_UNSUPPORTED
	    && state != SLV_STATE_UNRECOVERABLE && state != SLV_STATE_ACTIVE
	    && !slv_report_unfinished(r);
	if (!f->read)
		return SLV_OK;
	for (size_t i = 0; slv_report_channel(r, i, &c); i++)
		SLV_TRY(add_channel(b, r, i, &c, &f->span, err));
	widen(&b->span, &f->span);
	return add_notes(b, r, &f->span, err);
}
