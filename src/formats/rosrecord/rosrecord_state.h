/* rosrecord_state.h - the state of a scan of a bag of version 1.2, and the
 * parts of the driver.
 *
 * Memory: 56 bytes per message, 16 more if an index is written, and 112 bytes
 * and the name per topic; at most ROSREC_TOPICS_MAX topics.
 */
#ifndef SLV_FORMATS_ROSRECORD_STATE_H
#define SLV_FORMATS_ROSRECORD_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/rosrecord/rosrecord_record.h"

#define ROSREC_TOPICS_MAX 65536

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/rosrecord/problems.def"
#undef SLV_PROBLEM
	ROSREC_PROBLEMS
};
extern const struct slv_problem_info rosrec_problems[ROSREC_PROBLEMS];

/* What a unit is; row 0 is for bytes that are not a unit. */
enum rosrec_tag {
	ROSREC_TAG_NONE,
	ROSREC_TAG_LINE,
	ROSREC_TAG_HEADER,
	ROSREC_TAG_DEF,
	ROSREC_TAG_MESSAGE,
	ROSREC_TAG_INDEX,
	ROSREC_TAG_BAG, /* the beginning of another bag */
	ROSREC_TAGS
};
extern const char *const rosrec_kinds[ROSREC_TAGS];

struct rosrec_topic {
	size_t name; /* offset in the names */
	uint32_t name_len;
	bool usable;   /* a definition of its type survives */
	uint64_t type; /* rosrec_type_id() of its definition, otherwise of its
		        * first message */
	uint64_t like; /* offset of that message; 0: there is none */
	uint64_t def;  /* offset of the definition in use, of this topic or of
		        * another one of the type */
	uint64_t def_len;  /* bytes of it; 0: there is none */
	uint32_t def_of;   /* the topic of that definition */
	bool def_own;      /* it belongs to this topic */
	bool def_wrong;    /* ... and names another type than its messages */
	uint64_t n, bytes; /* messages, and their payloads */
	uint64_t named;    /* entries in the index */
	uint64_t listed;   /* ... of messages that exist */
	bool indexed;      /* the index has a record for it */
	struct slv_moment first, last;
	char *shown; /* owned; its name as a string; NULL: not needed yet */
};

/* A kept record, unless `drop` is set. */
struct rosrec_item {
	uint64_t off, len;         /* in the input */
	uint64_t type;             /* rosrec_type_id() */
	uint32_t topic, sec, nsec; /* corrected values */
	bool is_def;
	bool listed; /* the index names it */
	bool drop;
	unsigned fixes; /* ROSREC_FIX_*: corrections of its header */
};

enum {
	ROSREC_FIX_TOPIC = 1,
	ROSREC_FIX_TIME = 2,
	ROSREC_FIX_TYPE = 4, /* take md5 sum and type from the definition; in a
			      * definition, from the messages */
};

/* An index record, as it is in the file. */
struct rosrec_list {
	uint64_t off, len;
};

struct rosrec {
	bool has_line;      /* the first line is there */
	bool has_header;    /* ... and a bag header after it */
	bool spoilt_header; /* ... or a damaged one */
	uint64_t index_pos; /* its value; 0: none */

	struct rosrec_topic *topics; /* owned; in order of appearance */
	size_t n_topics, cap_topics;
	uint32_t *by_name; /* owned; indexes, sorted by name */
	size_t cap_by_name;
	struct slv_buf names; /* owned */

	struct rosrec_item *items; /* owned; in order */
	size_t n_items, cap_items;
	struct rosrec_list *lists; /* owned; in order */
	size_t n_lists, cap_lists;
	bool index_whole; /* it is in one piece, and ends the bag */
	bool each;        /* each topic has a definition of its own */
	bool index_stays; /* and it describes exactly what is kept */
	bool with_index;  /* the output has a header and an index */

	/* What a proof must find: messages, and a sum over their headers. */
	uint64_t planned, planned_sum;
};

static inline const struct rosrec *
rosrec_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct rosrec *
rosrec_edit(struct slv_scan *s)
{
	return s->state;
}

static inline struct slv_span
rosrec_name(const struct rosrec *b, const struct rosrec_topic *t)
{
	return (struct slv_span){ b->names.at + t->name, t->name_len };
}

/* Raise a row of this format. */
static inline enum slv_status
rosrec_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &rosrec_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn rosrec_begin;
slv_unit_fn rosrec_unit;
slv_vouch_fn rosrec_vouch;
slv_accept_fn rosrec_accept;
slv_next_mark_fn rosrec_next_mark;
slv_finish_fn rosrec_finish;
slv_plan_fn rosrec_plan;
slv_describe_fn rosrec_describe;
slv_channel_name_fn rosrec_channel_name;

/* rosrecord_unit.c - the record at off, with texts borrowed until the next
 * call; is it such a bag; what is at an offset, and is it whole. */
enum slv_status rosrec_look(const struct slv_scan *, uint64_t off,
    struct rosrec_record *, struct slv_err *);

/* rosrecord_topic.c - the index of a topic; n_topics if there is none; the
 * same, adding it. */
size_t rosrec_topic_find(const struct rosrec *, struct slv_span name);
enum slv_status rosrec_topic_get(
    struct slv_scan *, struct slv_span name, uint32_t *out, struct slv_err *);

/* rosrecord_index.c - does the index name exactly what is here?  *gone:
 * messages that it names and that are not here. */
enum slv_status rosrec_index_check(
    struct slv_scan *, uint64_t *gone, struct slv_err *);

/* rosrecord_types.c - find each topic's definition, and what contradicts it. */
enum slv_status rosrec_settle_types(struct slv_scan *, struct slv_err *);

/* rosrecord_twice.c - leave out a range that was written again, where that
 * damaged a record. */
enum slv_status rosrec_leave_copies(struct slv_scan *, struct slv_err *);

#endif
