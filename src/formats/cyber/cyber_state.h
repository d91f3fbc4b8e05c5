/* cyber_state.h - the state of a scan of a record, and the parts of the driver.
 *
 * Memory: about 250 bytes per section that is not a message, 16 per run of
 * messages between two losses, 120 per index entry, and the names and types of
 * channels.  Messages are not listed: nothing in a record points to one.
 */
#ifndef SLV_FORMATS_CYBER_STATE_H
#define SLV_FORMATS_CYBER_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/cyber/read/cyber_wire.h"

#define CYBER_CHANNELS_MAX 65536 /* a record never has more */
#define CYBER_HEAD_FIELDS  15    /* numeric fields, by tag */
#define CYBER_BREAKS_MAX   1024  /* breaks that are noted; later ones are not */

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

/* The header: the readable part of a damaged one, otherwise the defaults of
 * writers. */
struct cyber_head {
	uint64_t v[CYBER_HEAD_FIELDS + 1]; /* enum cyber_number */
	uint32_t has;                      /* bits 1 << tag */
	uint8_t rest[CYBER_DATA_START];    /* map and vehicle, unchanged */
	size_t rest_len;
	bool whole;  /* it is as it was written */
	bool padded; /* and so is the padding of its room */
	bool plain;  /* no number in it looks damaged */
};

/* What a declaration says about a channel. */
struct cyber_spec {
	uint64_t at;           /* offset of the declaration in the input */
	size_t name, name_len; /* in `texts` */
	size_t type, type_len;
	uint64_t desc, desc_len; /* its description, in the input */
	bool held;               /* ... no: of a donor, in `held` */
	uint64_t hash;           /* hash of the description */
};

struct cyber_channel {
	size_t name, name_len; /* in `texts` */
	size_t item;           /* index of its first declaration; SIZE_MAX:
			        * none */
	bool contested;        /* nothing in the record decides what it is */
	bool doubted;          /* declarations differ in its type */
	uint64_t need_off;     /* offset of its first message */
	uint64_t messages, bytes;
	uint64_t first, last; /* ns; 0: not known */
	char *shown;          /* owned; its name, on demand */
};

struct cyber_run {
	uint64_t off, len; /* in the input */
};

enum cyber_kind { CYBER_IS_CHANNEL, CYBER_IS_CHUNK, CYBER_IS_OTHER };

#define CYBER_TURNS 4 /* that are noted: backward ones, and one standstill */

/* A place where time does not advance. */
struct cyber_turn {
	uint64_t off;    /* offset of a message; 0: there is none */
	uint64_t before; /* offset of the one before it; for the first message
			  * of a chunk, of the chunk */
	uint64_t step;   /* ns */
};

/* A section, or a chunk, which is two sections. */
struct cyber_item {
	enum cyber_kind kind;
	uint64_t off, end; /* in the input; of a chunk, of its header; equal: it
			    * has no header */
	bool stays;        /* unchanged, byte for byte */

	union {
		struct cyber_spec spec; /* for a channel */

		/* In a chunk: the place where time steps back most, and the
		 * last one where it does not advance. */
		struct cyber_turn turns[CYBER_TURNS];
	};

	/* For a chunk. */
	bool broken_head; /* its header is damaged */
	bool broken_body; /* ... or the head of its body */
	bool claims;      /* its header is readable */
	struct cyber_claim claim;
	uint64_t body;      /* offset of the section of its body */
	bool bodied;        /* there is such a section */
	uint64_t body_size; /* as the section states */
	size_t first_run, n_runs;
	uint64_t bytes;         /* of all its runs */
	bool doubted;           /* a content may carry messages of it */
	struct cyber_claim own; /* its content */
	uint64_t from, to;      /* times of its first and last message */
	uint64_t out;           /* its offset in the output */
};

/* An entry of the index. */
struct cyber_entry {
	enum cyber_type type;
	uint64_t position;        /* in the input */
	struct cyber_claim claim; /* for a channel or a body: messages only */
	struct cyber_spec spec;
};

/* Times of messages; ns, 0: there are none. */
struct cyber_times {
	uint64_t from, to;
};

/* A place where bytes that are damaged or not part of a record were skipped. */
struct cyber_break {
	uint64_t unit;     /* offset of the unit before it */
	uint64_t upto, at; /* the break is between these */
	struct cyber_times before;
	struct cyber_times behind; /* up to the next break */
	bool unsure;               /* all messages before it are */
};

/* Messages that were skipped because another message may carry them. */
struct cyber_piece {
	uint64_t off, messages;
	struct cyber_times times;
};

struct cyber {
	struct cyber_head head;
	uint64_t head_len; /* bytes of the header's room that exist */

	struct cyber_channel *channels; /* owned; in order of appearance */
	size_t n_channels, cap_channels;
	uint32_t *by_name; /* owned; indexes, sorted by name */
	size_t cap_by_name;
	uint32_t recent;      /* the last channel that was looked up */
	struct slv_buf texts; /* owned; names and types */
	struct slv_buf held;  /* owned; descriptions from a donor */
	/* For a donor and each sibling: it was checked for contradictions
	 * (cyber_donor.c), and has some. */
	struct {
		bool known, odd;
	} kin[1 + SLV_SIBLINGS_MAX];

	struct cyber_item *items; /* owned; in order */
	size_t n_items, cap_items;
	struct cyber_run *runs; /* owned */
	size_t n_runs, cap_runs;
	bool open;           /* the last item is a chunk that may continue */
	bool gap;            /* something was left out after the last unit */
	uint64_t unit, upto; /* beginning and end of the last unit */

	uint64_t index, index_end;   /* its range; equal: there is no index */
	struct cyber_entry *entries; /* owned */
	size_t n_entries, cap_entries;
	uint64_t indexed[CYBER_TYPES]; /* messages of all entries of a type */
	bool index_stays;              /* its section is unchanged */
	bool index_whole;              /* all of it was readable */
	bool index_ends;               /* its positions are those of the ends */
	bool index_holds;              /* it describes the record correctly */

	/* cyber_carried.c */
	uint64_t carrier; /* content of the longest lost message that carried a
			   * piece of a record */
	struct {
		uint64_t lost, end; /* range of the message that is left out */
		uint64_t viewed;    /* bytes, to find all of these */
	} booked;
	/* A message that is left out may carry the messages up to here. */
	uint64_t doubted_upto;
	struct cyber_piece *pieces; /* owned */
	size_t n_pieces, cap_pieces;
	struct cyber_break *breaks; /* owned */
	size_t n_breaks, cap_breaks;

	uint64_t last_time;       /* of the last message, ns */
	uint64_t last_off;        /* its offset */
	struct cyber_times times; /* of all messages */
	uint64_t messages, sum;   /* of all messages; a digest of their heads */
	size_t n_chunks, n_declared;
	struct cyber_claim span; /* totals of the chunk headers */
};

/* End of the record in the input, if it is unchanged. */
static inline uint64_t
cyber_item_end(const struct cyber_item *item)
{
	return item->kind == CYBER_IS_CHUNK
	    ? item->body + CYBER_SECTION + item->bytes
	    : item->end;
}

/* Kinds of cached values.  vouch() has looked at a message already when it asks
 * what follows the one before. */
enum {
	CYBER_CACHED_CARRIER, /* struct cyber_carrier */
	CYBER_CACHED_MESSAGE, /* struct cyber_message, whole, by its offset */
};
extern const struct slv_cache_kind cyber_cached[];

/* The driver's settings. */
#define CYBER_DEEP    "deep"
#define CYBER_RECHUNK "rechunk"

static inline const struct cyber *
cyber_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct cyber *
cyber_edit(struct slv_scan *s)
{
	return s->state;
}

/* End of the record in the input, as its header states; 0: it does not. */
static inline uint64_t
cyber_stated_end(const struct slv_scan *s)
{
	uint64_t size = cyber_of(s)->head.v[CYBER_SIZE];

	return size > 0 && size <= UINT64_MAX - s->base ? size + s->base : size;
}

/* Raise a row of this format. */
static inline enum slv_status
cyber_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &cyber_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn cyber_begin;
slv_unit_fn cyber_unit;
slv_vouch_fn cyber_vouch;
slv_accept_fn cyber_accept;
slv_next_mark_fn cyber_next_mark;
slv_finish_fn cyber_finish;
slv_plan_fn cyber_plan;
slv_describe_fn cyber_describe;
slv_channel_name_fn cyber_channel_name;
slv_glance_fn cyber_glance;
slv_next_log_fn cyber_next_log;
slv_carried_fn cyber_carried;
slv_strays_fn cyber_strays;
slv_missing_fn cyber_missing;

static inline struct slv_moment
cyber_moment(uint64_t ns)
{
	return (struct slv_moment){
		.sec = (int64_t)(ns / 1000000000),
		.nanos = (uint32_t)(ns % 1000000000),
		.known = true,
	};
}

/* A section, by its head and by its content. */
struct cyber_section {
	enum cyber_read read; /* its head: WHOLE, or SHORT at the end */
	uint32_t type;        /* as the head says */
	uint64_t size;
	enum cyber_type found; /* what the content looks like; CYBER_TYPES:
			        * nothing known */
	uint64_t len;          /* bytes of content, by itself if it shows that,
			        * otherwise by the head */
	bool agrees;           /* the head says the same */
	bool torn;             /* of an index: its length contains other
			        * units */
	struct cyber_claim claim;
	struct cyber_decl decl; /* offsets from the content on */
};

/* What may follow. */
enum cyber_next {
	CYBER_NEXT_ANY,
	CYBER_NEXT_MESSAGE,
	CYBER_NEXT_SECTION,
};

/* cyber_begin.c - return true if a section or a message is at off, and something follows it. */
enum slv_status cyber_is_chain(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);

/* How many of these n bytes are the padding that follows the header: C++ begins with a
 * '0', Python does not, and one writer has nothing else. */
size_t cyber_padding(const uint8_t *, size_t n);

/* cyber_header.c - read what exists of the header, n bytes; and encode one. */
void cyber_head_get(const uint8_t *p, size_t n, struct cyber_head *);
void cyber_put_head(struct slv_buf *, const struct cyber_head *);

/* cyber_look.c - what is at off. */
enum slv_status cyber_look_message(const struct slv_scan *, uint64_t off,
    struct cyber_message *, struct slv_err *);
enum slv_status cyber_look_section(const struct slv_scan *, uint64_t off,
    struct cyber_section *, struct slv_err *);
/* *yes: a record begins there: another one, or this one after other bytes. */
enum slv_status cyber_look_record(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* Return true if it is a section of an unknown kind that fits. */
bool cyber_section_is_strange(
    const struct slv_scan *, uint64_t off, const struct cyber_section *);
/* *yes: a message or a section begins there, maybe damaged, or the file ends there. */
enum slv_status cyber_goes_on(const struct slv_scan *, uint64_t off,
    enum cyber_next, bool *yes, struct slv_err *);

/* cyber_any.c - one field of any protobuf message. */
enum cyber_wire {
	CYBER_VARINT = 0,
	CYBER_FIXED64 = 1,
	CYBER_SPAN = 2,
	CYBER_FIXED32 = 5,
};
struct cyber_any {
	uint32_t tag;
	enum cyber_wire wire;
	uint64_t number;   /* for a VARINT its value; for a SPAN its length */
	uint64_t off, len; /* in the input: the bytes after key and length */
};
/* The field at off, which must end before `end`; *good: it does. */
enum slv_status cyber_any_get(const struct slv_scan *, uint64_t off,
    uint64_t end, struct cyber_any *, bool *good, struct slv_err *);

/* cyber_hole.c - the offset of pages of zeros in the content [off, end) that
 * have the bounds of pages and not of fields; 0: none. */
enum slv_status cyber_find_hole(const struct slv_scan *, uint64_t off,
    uint64_t end, uint64_t *hole, struct slv_err *);

/* cyber_channel.c - find a channel, or add it.  *out: its index. */
enum slv_status cyber_channel_find(struct slv_scan *, const uint8_t *name,
    size_t len, uint32_t *out, struct slv_err *);
bool cyber_channel_known(
    const struct cyber *, const uint8_t *name, size_t len, uint32_t *out);
/* Store what the declaration at `off`, with spans relative to it, says. */
enum slv_status cyber_spec_read(struct slv_scan *, uint64_t off,
    const struct cyber_decl *, struct cyber_spec *, struct slv_err *);
bool cyber_spec_same(
    const struct cyber *, const struct cyber_spec *, const struct cyber_spec *);
enum slv_status cyber_declare(struct slv_scan *, uint64_t off, uint64_t end,
    const struct cyber_spec *, bool stays, struct slv_err *);
/* Append a description unchanged. */
enum slv_status cyber_desc_load(struct slv_scan *, const struct cyber_spec *,
    struct slv_buf *, struct slv_err *);
/* Declare a channel that has no section, before `position`; and move all
 * channels that were declared like this to their places. */
enum slv_status cyber_declare_at(struct slv_scan *, uint64_t position,
    const struct cyber_spec *, struct slv_err *);
enum slv_status cyber_order(struct cyber *, struct slv_err *);

/* cyber_rescue.c - declare channels that only the index declares. */
enum slv_status cyber_rescue(struct slv_scan *, struct slv_err *);

/* cyber_compare.c - where two descriptions differ. */
struct cyber_difference {
	uint64_t from; /* the first byte that differs */
	bool zeros[2]; /* of equal length: one of them has only zeros there, and
		        * no single bit differs */
};
enum slv_status cyber_desc_compare(struct slv_scan *, const struct cyber_spec *,
    const struct cyber_spec *, struct cyber_difference *, struct slv_err *);

/* cyber_rival.c - make all declarations of a channel equal, and raise those
 * that are not. */
enum slv_status cyber_settle(struct slv_scan *, struct slv_err *);

/* cyber_donor.c - take lost declarations from another record. */
enum slv_status cyber_take(struct slv_scan *, struct slv_err *);
/* Keep a description from `from`, because no plan copies from another file. */
enum slv_status cyber_desc_hold(struct cyber *, struct slv_scan *from,
    struct cyber_spec *, struct slv_err *);
/* Iterate over what other records of the robot declare under a name. */
struct cyber_kin {
	struct slv_span name;
	unsigned next;                 /* 0: the first one */
	struct slv_scan *scan;         /* NULL: there is no further one */
	const struct cyber_spec *spec; /* its declaration */
};
enum slv_status cyber_kin_next(
    struct slv_scan *, struct cyber_kin *, struct slv_err *);
/* The caller has used it. */
void cyber_kin_used(struct slv_scan *, const struct cyber_kin *);

/* cyber_chunk.c - a chunk begins, with or without a header; its body begins; a
 * message of it; it ends. */
enum slv_status cyber_chunk_open(struct slv_scan *, uint64_t off, uint64_t end,
    const struct cyber_claim *, struct slv_err *);
enum slv_status cyber_chunk_body(
    struct slv_scan *, uint64_t off, uint64_t size, struct slv_err *);
enum slv_status cyber_chunk_add(struct slv_scan *, uint64_t off,
    const struct cyber_message *, uint32_t channel, struct slv_err *);
enum slv_status cyber_chunk_close(struct slv_scan *, struct slv_err *);
struct cyber_item *cyber_item_add(
    struct slv_scan *, enum cyber_kind, uint64_t off, uint64_t end);
/* Count a message of an item, and extend its last run or begin one. */
void cyber_item_count(struct cyber_item *, const struct cyber_message *);
enum slv_status cyber_item_run(struct cyber *, struct cyber_item *,
    uint64_t off, uint64_t len, struct slv_err *);
/* Return true if its body has the stated length, and messages from end to
 * end. */
bool cyber_chunk_is_full(const struct cyber *, const struct cyber_item *);
/* What follows a message at off in the open chunk, of `len` bytes and with this
 * content.  Header and head of the body show it, if they agree and nothing
 * before it is missing. */
enum cyber_next cyber_chunk_next(
    const struct cyber *, uint64_t off, uint64_t len, uint64_t content);
/* Return true if a chunk goes into the output. */
bool cyber_chunk_is_written(const struct cyber_item *);
/* What its header will say there. */
const struct cyber_claim *cyber_chunk_claim(const struct cyber_item *);

/* cyber_index.c - read the index; does it describe the record correctly? */
enum slv_status cyber_index_read(
    struct slv_scan *, uint64_t off, uint64_t end, struct slv_err *);
void cyber_index_judge(struct cyber *);
/* Return true if messages that the index lists, and that are missing before it,
 * are after its end at off: parts of the file changed places. */
enum slv_status cyber_index_before(
    struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* Beginning and end of the last entry that begins at off. */
enum slv_status cyber_index_end(const struct slv_scan *, uint64_t off,
    uint64_t *last, uint64_t *end, struct slv_err *);

/* cyber_finish.c - does the header count correctly; and is the whole record
 * unchanged from its first byte on, whatever follows it? */
bool cyber_head_holds(const struct slv_scan *);
bool cyber_is_as_it_was(const struct slv_scan *);

/* cyber_stale.c - note that something before the unit at off is not part of the
 * record; note a message's time before it is counted; and exclude what belongs
 * to another recording. */
enum slv_status cyber_break_add(
    struct slv_scan *, uint64_t off, struct slv_err *);
void cyber_break_time(struct cyber *, uint64_t time);
enum slv_status cyber_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* Return true if the units at `mark`, which nothing before them confirms, are a
 * piece that a message carries. */
enum slv_status cyber_is_carried(
    const struct slv_scan *, uint64_t mark, bool *yes, struct slv_err *);
/* Doubt the messages from `mark` on if others carry such: as many bytes as the longest
 * carried ones have, or up to `inside`, where the message ends that may carry them.
 * 0: its head is lost. */
enum slv_status cyber_doubt(
    struct slv_scan *, uint64_t mark, uint64_t inside, struct slv_err *);

/* cyber_piece.c - trust skipped pieces that belong to this record. */
enum slv_status cyber_trust_pieces(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* cyber_lost.c - how many messages are missing, as exactly as is known. */
enum slv_status cyber_count_lost(struct slv_scan *, struct slv_err *);

/* cyber_deep.c - check the content of messages, if requested. */
enum slv_status cyber_deep(struct slv_scan *, struct slv_err *);

/* cyber_rechunk.c - note chunks that readers do not accept, or split them. */
enum slv_status cyber_rechunk(struct slv_scan *, struct slv_err *);

/* cyber_records.c */
extern const struct slv_records cyber_records;

/* cyber_cut.c */
extern const struct slv_cutting cyber_cutting;

#endif
