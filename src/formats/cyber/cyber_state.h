/* cyber_state.h - what a scan of a record remembers, and the driver's parts.
 *
 * Memory: about 250 bytes a section that is no message, 16 for each stretch of
 * messages between two losses, 120 an entry of the index, and the names and
 * types of channels.  Messages are not listed: nothing in a record points to
 * one.
 */
#ifndef SLV_FORMATS_CYBER_STATE_H
#define SLV_FORMATS_CYBER_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/cyber/read/cyber_wire.h"

#define CYBER_CHANNELS_MAX 65536 /* more are no record */
#define CYBER_HEAD_FIELDS  15    /* that are numbers, by their tags */
#define CYBER_BREAKS_MAX   1024  /* that are noted, the first ones */

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/cyber/problems.def"
#undef SLV_PROBLEM
	CYBER_PROBLEMS
};
extern const struct slv_problem_info cyber_problems[CYBER_PROBLEMS];

/* The numbers of the header, by their tags. */
enum cyber_number {
	CYBER_MAJOR = 1,
	CYBER_MINOR,
	CYBER_COMPRESS,
	CYBER_CHUNK_INTERVAL,
	CYBER_SEGMENT_INTERVAL,
	CYBER_INDEX_POSITION,
	CYBER_N_CHUNKS,
	CYBER_N_CHANNELS,
	CYBER_BEGIN,
	CYBER_END,
	CYBER_N_MESSAGES,
	CYBER_SIZE,
	CYBER_COMPLETE,
	CYBER_CHUNK_RAW,
	CYBER_SEGMENT_RAW,
};

/* The header: of a damaged one what can be read, else what writers put. */
struct cyber_head {
	uint64_t v[CYBER_HEAD_FIELDS + 1]; /* enum cyber_number */
	uint32_t has;                      /* bits 1 << tag */
	uint8_t rest[CYBER_DATA_START];    /* map and vehicle, as they are */
	size_t rest_len;
	bool whole;  /* it is as it was written */
	bool padded; /* and so is what fills its room */
	bool plain;  /* no number in it was hit, as far as can be seen */
};

/* What a channel is said to be. */
struct cyber_spec {
	uint64_t at;           /* where that stands in the input */
	size_t name, name_len; /* in `texts` */
	size_t type, type_len;
	uint64_t desc, desc_len; /* its description, in the input */
	bool held;               /* ... no: a donor's, in `held` */
	uint64_t hash;           /* of that */
};

struct cyber_channel {
	size_t name, name_len; /* in `texts` */
	size_t item;           /* that declares it first; SIZE_MAX: none */
	bool contested;        /* what it is nothing in the record decides */
	bool doubted;          /* declarations differ in its type */
	uint64_t need_off;     /* of its first message */
	uint64_t messages, bytes;
	uint64_t first, last; /* ns; 0: not known */
	char *shown;          /* owned; its name, once asked for */
};

struct cyber_run {
	uint64_t off, len; /* in the input */
};

enum cyber_kind { CYBER_IS_CHANNEL, CYBER_IS_CHUNK, CYBER_IS_OTHER };

#define CYBER_TURNS 4 /* that are noted: backward ones, and one still */

/* Where time does not go on. */
struct cyber_turn {
	uint64_t off;    /* of a message; 0: there is none */
	uint64_t before; /* where the one before it begins; of the first message
	                  * of a chunk, where that begins */
	uint64_t step;   /* ns */
};

/* A section, or a chunk, which is two. */
struct cyber_item {
	enum cyber_kind kind;
	uint64_t off, end; /* in the input; of a chunk, of its header; equal:
	                    * it has none */
	bool stays;        /* as it is, byte for byte */

	union {
		struct cyber_spec spec; /* of a channel */

		/* Of a chunk: where time steps back most, and where it does not
		 * move last. */
		struct cyber_turn turns[CYBER_TURNS];
	};

	/* Of a chunk. */
	bool broken_head; /* the bytes of its header are damaged */
	bool broken_body; /* ... or of the head of its body */
	bool claims;      /* its header can be read */
	struct cyber_claim claim;
	uint64_t body;      /* where the section of its body begins */
	bool bodied;        /* it does */
	uint64_t body_size; /* as the section says */
	size_t first_run, n_runs;
	uint64_t bytes;         /* of all runs */
	struct cyber_claim own; /* what it holds */
	uint64_t from, to;      /* times of its first and last message */
	uint64_t out;           /* where it is in the output */
};

/* An entry of the index. */
struct cyber_entry {
	enum cyber_type type;
	uint64_t position;        /* in the input */
	struct cyber_claim claim; /* of a channel or a body: messages only */
	struct cyber_spec spec;
};

/* Of messages; ns, 0: there are none. */
struct cyber_times {
	uint64_t from, to;
};

/* Where something that is no part of a record, or damaged, was passed by. */
struct cyber_break {
	uint64_t unit;     /* where the unit before it begins */
	uint64_t upto, at; /* it is between */
	struct cyber_times before;
	struct cyber_times behind; /* up to the next one */
};

/* Messages that were passed by, as they may be a piece that another one
 * carries. */
struct cyber_piece {
	uint64_t off, messages;
	struct cyber_times times;
};

struct cyber {
	struct cyber_head head;
	uint64_t head_len; /* bytes of the header's room that are there */

	struct cyber_channel *channels; /* owned; as they came */
	size_t n_channels, cap_channels;
	uint32_t *by_name; /* owned; positions, sorted by name */
	size_t cap_by_name;
	uint32_t recent;      /* the channel that was looked up last */
	struct slv_buf texts; /* owned; names and types */
	struct slv_buf held;  /* owned; descriptions that a donor gave */
	/* Of a donor, and of each sibling: whether it was asked if it is odd
	 * (cyber_donor.c), and is. */
	struct {
		bool known, odd;
	} kin[1 + SLV_SIBLINGS_MAX];

	struct cyber_item *items; /* owned; in order */
	size_t n_items, cap_items;
	struct cyber_run *runs; /* owned */
	size_t n_runs, cap_runs;
	bool open;           /* the last item is a chunk that may go on */
	bool gap;            /* something was left out after the last unit */
	uint64_t unit, upto; /* begin and end of the last unit */

	uint64_t index, index_end;   /* where it is; equal: there is none */
	struct cyber_entry *entries; /* owned */
	size_t n_entries, cap_entries;
	uint64_t indexed[CYBER_TYPES]; /* messages of all entries of a type */
	bool index_stays;              /* its section is as it was */
	bool index_whole;              /* all of it could be read */
	bool index_ends;               /* its positions are those of the ends */
	bool index_holds;              /* it says what is there */

	/* cyber_carried.c */
	uint64_t carrier; /* content of the longest message that was lost and
	                   * carried a piece of a record */
	struct {
		uint64_t lost, end; /* of the message that is left out */
	} booked;
	struct cyber_piece *pieces; /* owned */
	size_t n_pieces, cap_pieces;
	struct cyber_break *breaks; /* owned */
	size_t n_breaks, cap_breaks;

	uint64_t last_time;       /* of the last message, ns */
	uint64_t last_off;        /* where it begins */
	struct cyber_times times; /* of all */
	uint64_t messages, sum;   /* of all; a digest of their heads */
	size_t n_chunks, n_declared;
	struct cyber_claim span; /* what the chunks' headers say, in all */
};

/* Where it ends in the input, where it is as it was. */
static inline uint64_t
cyber_item_end(const struct cyber_item *item)
{
	return item->kind == CYBER_IS_CHUNK
	    ? item->body + CYBER_SECTION + item->bytes
	    : item->end;
}

extern const struct slv_cache_kind cyber_cached[];

/* Its settings. */
#define CYBER_DEEP    "deep"
#define CYBER_RECHUNK "rechunk"

static inline const struct cyber *
cyber_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for who may change it: not for what unit() and vouch() call. */
static inline struct cyber *
cyber_edit(struct slv_scan *s)
{
	return s->state;
}

/* Where the record ends in the input, as its header states; 0: it does not. */
static inline uint64_t
cyber_stated_end(const struct slv_scan *s)
{
	uint64_t size = cyber_of(s)->head.v[CYBER_SIZE];

	return size > 0 && size <= UINT64_MAX - s->base ? size + s->base : size;
}

/* Raise a row of ours. */
static inline enum slv_status
cyber_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &cyber_problems[row], off, len, want, got, err);
}

static inline struct slv_moment
cyber_moment(uint64_t ns)
{
	return (struct slv_moment){
		.sec = (int64_t)(ns / 1000000000),
		.nanos = (uint32_t)(ns % 1000000000),
		.known = true,
	};
}

/* What stands in a section, as its head and as its content tell. */
struct cyber_section {
	enum cyber_read read; /* of its head: WHOLE, or SHORT at the end */
	uint32_t type;        /* as the head says */
	uint64_t size;
	enum cyber_type found; /* as the content looks; CYBER_TYPES: like
	                        * nothing */
	uint64_t len;          /* of the content: what it says of itself, or,
	                        * where it does not, the head */
	bool agrees;           /* the head says the same */
	bool torn;             /* of an index: other units are in its length */
	struct cyber_claim claim;
	struct cyber_decl decl; /* from the content on */
};

/* What may follow. */
enum cyber_next {
	CYBER_NEXT_ANY,
	CYBER_NEXT_MESSAGE,
	CYBER_NEXT_SECTION,
};

/* cyber_begin.c */
enum slv_status cyber_begin(struct slv_scan *, unsigned *bid, struct slv_err *);
/* Whether a section or a message is at off, and something follows it. */
enum slv_status cyber_is_chain(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);

/* cyber_glance.c - as slv_format.glance. */
enum slv_status cyber_glance(struct slv_scan *, bool *yes, struct slv_err *);

/* cyber_header.c - read what is there of the header, n bytes; and make one. */
void cyber_head_get(const uint8_t *p, size_t n, struct cyber_head *);
void cyber_put_head(struct slv_buf *, const struct cyber_head *);

/* cyber_look.c - what stands at off. */
enum slv_status cyber_look_message(const struct slv_scan *, uint64_t off,
    struct cyber_message *, enum cyber_read *, struct slv_err *);
enum slv_status cyber_look_section(const struct slv_scan *, uint64_t off,
    struct cyber_section *, struct slv_err *);
/* Whether another record begins there, or the one that other bytes precede. */
enum slv_status cyber_look_record(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* Whether that is a section of a kind that we do not know, and fits. */
bool cyber_section_is_strange(
    const struct slv_scan *, uint64_t off, const struct cyber_section *);
/* The first place in [from, to) where the header of a record is, as
 * slv_format.next_log wants it. */
enum slv_status cyber_next_log(struct slv_scan *, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *);

/* Whether that is, or has been, the beginning of a message or a section, or the
 * end of the file. */
enum slv_status cyber_goes_on(const struct slv_scan *, uint64_t off,
    enum cyber_next, bool *yes, struct slv_err *);
enum slv_status cyber_next_mark(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* cyber_unit.c */
enum slv_status cyber_unit(const struct slv_scan *, uint64_t off,
    enum slv_asking, struct slv_unit *, struct slv_err *);
enum slv_status cyber_vouch(const struct slv_scan *, uint64_t off,
    struct slv_unit *, enum slv_vouch *, struct slv_err *);

/* cyber_any.c - a field of any protobuf. */
enum cyber_wire {
	CYBER_VARINT = 0,
	CYBER_FIXED64 = 1,
	CYBER_SPAN = 2,
	CYBER_FIXED32 = 5,
};
struct cyber_any {
	uint32_t tag;
	enum cyber_wire wire;
	uint64_t number;   /* of a VARINT; of a SPAN, its length */
	uint64_t off, len; /* in the input: what follows key and length */
};
/* The field that begins at off and must end before `end`; *good: it does. */
enum slv_status cyber_any_get(const struct slv_scan *, uint64_t off,
    uint64_t end, struct cyber_any *, bool *good, struct slv_err *);

/* cyber_hole.c - where in the content [off, end) pages of zeros stand that begin
 * and end as pages do, and not as fields; 0: nowhere. */
enum slv_status cyber_find_hole(const struct slv_scan *, uint64_t off,
    uint64_t end, uint64_t *hole, struct slv_err *);

/* cyber_accept.c */
enum slv_status cyber_accept(
    struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

/* cyber_channel.c - find a channel, or add it.  *out: its position. */
enum slv_status cyber_channel_find(struct slv_scan *, const uint8_t *name,
    size_t len, uint32_t *out, struct slv_err *);
bool cyber_channel_known(
    const struct cyber *, const uint8_t *name, size_t len, uint32_t *out);
/* Take down what the declaration at `off`, whose spans count from there,
 * says. */
enum slv_status cyber_spec_read(struct slv_scan *, uint64_t off,
    const struct cyber_decl *, struct cyber_spec *, struct slv_err *);
bool cyber_spec_same(
    const struct cyber *, const struct cyber_spec *, const struct cyber_spec *);
enum slv_status cyber_declare(struct slv_scan *, uint64_t off, uint64_t end,
    const struct cyber_spec *, bool stays, struct slv_err *);
/* Append a description, as it is. */
enum slv_status cyber_desc_load(struct slv_scan *, const struct cyber_spec *,
    struct slv_buf *, struct slv_err *);
/* Declare a channel of which no section is there, in front of what stands at
 * `position`; and put all that were declared so where they belong. */
enum slv_status cyber_declare_at(struct slv_scan *, uint64_t position,
    const struct cyber_spec *, struct slv_err *);
enum slv_status cyber_order(struct cyber *, struct slv_err *);

/* cyber_rescue.c - declare channels that only the index does. */
enum slv_status cyber_rescue(struct slv_scan *, struct slv_err *);

/* cyber_compare.c - where two descriptions differ. */
struct cyber_difference {
	uint64_t from; /* the first byte that differs */
	bool zeros[2]; /* of one length: all is zeros there, in the one and in
	                * the other, and no single bit was hit */
};
enum slv_status cyber_desc_compare(struct slv_scan *, const struct cyber_spec *,
    const struct cyber_spec *, struct cyber_difference *, struct slv_err *);

/* cyber_rival.c - let all declarations of a channel say the same, and raise those
 * that do not. */
enum slv_status cyber_settle(struct slv_scan *, struct slv_err *);

/* cyber_donor.c - take declarations that are lost from another record. */
enum slv_status cyber_take(struct slv_scan *, struct slv_err *);
/* Keep a description that stands in `from`: no plan copies from another file. */
enum slv_status cyber_desc_hold(struct cyber *, struct slv_scan *from,
    struct cyber_spec *, struct slv_err *);
/* What other records of the robot declare under a name, one after another. */
struct cyber_kin {
	struct slv_span name;
	unsigned next;                 /* 0: the first one */
	struct slv_scan *scan;         /* NULL: there is no other */
	const struct cyber_spec *spec; /* as it declares it */
};
enum slv_status cyber_kin_next(
    struct slv_scan *, struct cyber_kin *, struct slv_err *);
/* What it says was believed. */
void cyber_kin_used(struct slv_scan *, const struct cyber_kin *);

/* cyber_chunk.c - a chunk begins, with a header or without; its body does; a
 * message of it; and it ends. */
enum slv_status cyber_chunk_open(struct slv_scan *, uint64_t off, uint64_t end,
    const struct cyber_claim *, struct slv_err *);
enum slv_status cyber_chunk_body(
    struct slv_scan *, uint64_t off, uint64_t size, struct slv_err *);
enum slv_status cyber_chunk_add(struct slv_scan *, uint64_t off,
    const struct cyber_message *, uint32_t channel, struct slv_err *);
enum slv_status cyber_chunk_close(struct slv_scan *, struct slv_err *);
struct cyber_item *cyber_item_add(
    struct slv_scan *, enum cyber_kind, uint64_t off, uint64_t end);
/* Count a message of an item; and lengthen its last stretch, or begin one. */
void cyber_item_count(struct cyber_item *, const struct cyber_message *);
enum slv_status cyber_item_run(struct cyber *, struct cyber_item *,
    uint64_t off, uint64_t len, struct slv_err *);
/* Whether its body is as long as it says, and messages from end to end. */
bool cyber_chunk_is_full(const struct cyber *, const struct cyber_item *);
/* What follows a message, of `len` bytes and with this content, at off in the
 * open chunk: where all before it is there, and the header and the head of the
 * body agree, these know. */
enum cyber_next cyber_chunk_next(
    const struct cyber *, uint64_t off, uint64_t len, uint64_t content);
/* Whether a chunk goes into the output. */
bool cyber_chunk_is_written(const struct cyber_item *);
/* What its header says there. */
const struct cyber_claim *cyber_chunk_claim(const struct cyber_item *);

/* cyber_index.c - read the index; and does it say what is there? */
enum slv_status cyber_index_read(
    struct slv_scan *, uint64_t off, uint64_t end, struct slv_err *);
void cyber_index_judge(struct cyber *);
/* Whether messages that the index lists, and that are not before it, are after
 * its end at off: parts of the file changed places. */
enum slv_status cyber_index_before(
    struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* Where the last of the entries begins that begin at off, and where it ends. */
enum slv_status cyber_index_end(const struct slv_scan *, uint64_t off,
    uint64_t *last, uint64_t *end, struct slv_err *);

/* cyber_finish.c - whether the header counts what is there; and whether all of the
 * record stands as it was from its first byte on, whatever is behind it. */
bool cyber_head_holds(const struct slv_scan *);
bool cyber_is_as_it_was(const struct slv_scan *);
enum slv_status cyber_finish(struct slv_scan *, struct slv_err *);

/* cyber_stale.c - note that something stands in front of the unit at off that is
 * none, and a message's time, before it is counted; and set aside what is of
 * another recording. */
enum slv_status cyber_break_add(
    struct slv_scan *, uint64_t off, struct slv_err *);
void cyber_break_time(struct cyber *, uint64_t time);
enum slv_status cyber_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* cyber_stray.c - as slv_format.strays. */
enum slv_status cyber_strays(
    struct slv_scan *, struct slv_strays *, struct slv_err *);

/* cyber_carried.c - as slv_format.carried. */
enum slv_status cyber_carried(struct slv_scan *, uint64_t lost,
    const struct slv_unit *, uint64_t mark, uint64_t *skip, struct slv_err *);

/* Whether the units at `mark`, which nothing in front of them confirms, are a
 * piece that a message carries. */
enum slv_status cyber_is_carried(
    const struct slv_scan *, uint64_t mark, bool *yes, struct slv_err *);

/* cyber_piece.c - trust pieces that were passed by and are of this record. */
enum slv_status cyber_trust_pieces(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* cyber_lost.c - how many messages are missing, as exactly as is known. */
enum slv_status cyber_count_lost(struct slv_scan *, struct slv_err *);
/* ... and of which channels, as slv_format.missing. */
enum slv_status cyber_missing(
    struct slv_scan *, struct slv_gap_list *, struct slv_err *);

/* cyber_deep.c - check what messages hold, where that is wanted. */
enum slv_status cyber_deep(struct slv_scan *, struct slv_err *);

/* cyber_rechunk.c - note chunks that readers do not take, or split them. */
enum slv_status cyber_rechunk(struct slv_scan *, struct slv_err *);

/* cyber_build.c */
enum slv_status cyber_plan(
    struct slv_scan *, struct slv_plan *, bool *possible, struct slv_err *);

/* cyber_describe.c */
enum slv_status cyber_describe(
    struct slv_scan *, struct slv_facts *, struct slv_err *);
const char *cyber_channel_name(struct slv_scan *, uint32_t channel);

#endif
