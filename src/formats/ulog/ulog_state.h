/* ulog_state.h - the state of a scan of a flight log, and the parts of the
 * driver.
 *
 * Memory: the texts of formats and names, 140 bytes per subscription and 100 per
 * format, 24 per message that no format explains; after damage 24 more for each
 * subscription of each undamaged stretch.
 */
#ifndef SLV_FORMATS_ULOG_STATE_H
#define SLV_FORMATS_ULOG_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/ulog/read/ulog_message.h"

#define ULOG_FORMATS_MAX 4096
#define ULOG_INFOS       8
#define ULOG_OFFSETS     3 /* places where a log was continued */

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/ulog/problems.def"
#undef SLV_PROBLEM
	ULOG_PROBLEMS
};
extern const struct slv_problem_info ulog_problems[ULOG_PROBLEMS];

/* What is known of the size of a format. */
enum ulog_known {
	ULOG_UNMEASURED,
	ULOG_MEASURED,
	ULOG_WAITS,   /* a format in it is not declared yet */
	ULOG_ENDLESS, /* there is no end, or it is too far away */
};

/* A format, in use: the first one of its name. */
struct ulog_format {
	size_t text; /* offset in the texts: "name:type field;..." */
	uint32_t len, name_len;
	bool lent;     /* of the donor */
	bool used;     /* a kept message needs it */
	uint64_t late; /* offset of the message, if it follows data */
	enum ulog_known state;
	uint8_t height;   /* formats in formats in it */
	uint32_t missing; /* hash of the name for which it waits */
	uint32_t size;    /* bytes */
	uint32_t padding; /* ... of padding at its end */
	uint32_t stamp;   /* offset of the time, + 1; 0: there is none */
};

/* A subscription: what the messages of a number are. */
struct ulog_sub {
	uint16_t id;
	uint8_t multi;
	bool declared; /* by this log, or `lent` by the donor */
	bool lent;
	bool usable;    /* its format is known, and explains its messages */
	bool odd;       /* ... and does not */
	uint32_t n_odd; /* messages of another size, before any right one */
	size_t name;    /* offset in the texts */
	uint32_t name_len;
	uint32_t sizes[2]; /* bytes of its messages by the format: with and
			    * without the padding at the end; 0: unknown */
	uint32_t size;     /* of those that were read; 0: none */
	uint32_t stamp;   /* offset of the time in the body; 0: there is none */
	uint64_t rival;   /* of another one of this number; 0: none */
	uint64_t at;      /* offset of its declaration */
	uint64_t n, lost; /* messages that are kept; that no format explains */
	uint64_t first_off;
	uint64_t first, last; /* times, in us */
	uint32_t quick; /* size of messages that ulog_run() takes; 0: none */
	uint32_t run_n; /* messages that it took, from this time on */
	uint64_t run_first;
	char *shown; /* owned; its name as a string; NULL: not needed
			       * yet */
};

/* A message that no format explains so far. */
struct ulog_orphan {
	uint64_t off;
	uint32_t len, sub;
};

/* What the output has instead of some bytes of the input. */
struct ulog_edit {
	uint64_t off, len;
	enum {
		ULOG_EDIT_SKIP,    /* nothing */
		ULOG_EDIT_FORMATS, /* the format found at `arg`; 0: those lent */
		ULOG_EDIT_SUB,     /* the declaration of subscription `arg` */
		ULOG_EDIT_DROPOUT, /* so many ms without data */
	} kind;
	uint64_t arg;
};

struct ulog {
	bool encrypted;
	bool has_header, has_flags;
	bool reflag; /* the flags of the output are not those of the input */
	uint8_t version;
	uint8_t flags[ULOG_FLAGS_SIZE];
	uint64_t offsets[ULOG_OFFSETS]; /* in the input; 0: none */
	bool met[ULOG_OFFSETS];         /* a message starts there */
	uint64_t cuts[ULOG_OFFSETS];    /* where a message was cut there */
	bool dated;
	int64_t shift; /* us to add to times since the boot, if dated */

	struct ulog_format *formats; /* owned */
	size_t n_formats, cap_formats;
	uint32_t *by_name; /* owned; their indices, in order of names */
	size_t n_by_name, cap_by_name;
	struct ulog_sub *subs; /* owned; in order of appearance */
	size_t n_subs, cap_subs;
	uint32_t *hashes; /* owned; of their names */
	size_t n_hashes, cap_hashes;
	uint32_t *ran; /* owned; those of which ulog_run() took messages */
	size_t n_ran, cap_ran;
	uint32_t *by_id;      /* owned; index in the subs + 1 */
	struct slv_buf texts; /* owned */
	uint64_t effort;      /* spent on sizes */

	struct ulog_orphan *orphans; /* owned; in order */
	size_t n_orphans, cap_orphans;
	struct ulog_edit *edits; /* owned; in order once finished */
	size_t n_edits, cap_edits;

	uint64_t data_at; /* where the definitions end; 0: not yet */
	bool back;        /* time went back within a subscription */
	bool has_default; /* there are Q messages */
	uint64_t changed; /* parameters in the data */
	uint64_t dropouts, dropout_ms;
	uint64_t infos[ULOG_INFOS]; /* offsets of what describe() shows */

	uint64_t planned, planned_sum; /* what a proof must find */
};

static inline const struct ulog *
ulog_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct ulog *
ulog_edit(struct slv_scan *s)
{
	return s->state;
}

static inline struct ulog_sub *
ulog_sub_of(const struct ulog *m, uint16_t id)
{
	return m->by_id == NULL || m->by_id[id] == 0
	    ? NULL
	    : &m->subs[m->by_id[id] - 1];
}

static inline struct slv_span
ulog_text(const struct ulog *m, size_t at, size_t len)
{
	return (struct slv_span){ m->texts.at + at, len };
}

/* A time of the log as a moment. */
static inline struct slv_moment
ulog_moment(const struct ulog *m, uint64_t us)
{
	uint64_t at = us + (uint64_t)m->shift;

	return (struct slv_moment){ (int64_t)(at / 1000000),
		(uint32_t)(at % 1000000) * 1000,
		us > 0 && at < (uint64_t)1 << 62 };
}

/* A moment of this log as a time of the log. */
static inline uint64_t
ulog_us(const struct ulog *m, struct slv_moment at)
{
	return (uint64_t)at.sec * 1000000 + at.nanos / 1000
	    - (uint64_t)m->shift;
}

/* Raise a row of this format. */
static inline enum slv_status
ulog_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &ulog_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn ulog_begin;
slv_unit_fn ulog_unit;
slv_vouch_fn ulog_vouch;
slv_run_fn ulog_run;
slv_accept_fn ulog_accept;
slv_next_mark_fn ulog_next_mark;
slv_finish_fn ulog_finish;
slv_plan_fn ulog_plan;
slv_describe_fn ulog_describe;
slv_channel_name_fn ulog_channel_name;
extern const struct slv_records ulog_records;
slv_layout_fn ulog_layout;

/* ulog_format.c - formats and subscriptions, by name and number. */
struct ulog_format *ulog_format_find(const struct ulog *, struct slv_span name);
enum slv_status ulog_format_add(struct slv_scan *, struct slv_span text,
    bool lent, bool *added, struct slv_err *);
enum slv_status ulog_sub_get(
    struct slv_scan *, uint16_t id, struct ulog_sub **, struct slv_err *);
enum slv_status ulog_sub_name(struct slv_scan *, struct ulog_sub *,
    struct slv_span name, struct slv_err *);
/* Return true if a message of the format can have this size. */
bool ulog_sub_fits(const struct ulog_sub *, uint32_t size);
void ulog_sub_resolve(struct ulog *, struct ulog_sub *);
void ulog_sub_need(struct ulog *, const struct ulog_sub *);

extern const char *const ulog_infos[ULOG_INFOS]; /* their keys */

/* ulog_unit.c - the message at off, borrowed until the next view; false: it is
 * not all there. */
enum slv_status ulog_look(const struct slv_scan *, uint64_t off,
    struct ulog_message *, bool *whole, struct slv_err *);

/* Read a message again that was sound and had this tag.
 *
 * SLV_E_ACTIVE: it is not any more; the file has changed */
enum slv_status ulog_look_again(const struct slv_scan *, uint64_t off,
    unsigned tag, struct ulog_message *, struct slv_err *);

/* ulog_order.c - leave out messages that contradict the times of their subscription, and
 * state how long each loss was. */
enum slv_status ulog_order(struct slv_scan *, struct slv_err *);

#endif
