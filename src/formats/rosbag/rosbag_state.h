/* rosbag_state.h - the state of a scan of a bag, and the parts of the driver.
 *
 * Memory: about 150 bytes per chunk and 8 per connection in it, the text of
 * each connection, and 32 bytes per message while its chunk is read.  The
 * messages of a chunk that cannot stay as it is stay listed; the content of a
 * compressed chunk is decoded again when it is written.
 */
#ifndef SLV_FORMATS_ROSBAG_STATE_H
#define SLV_FORMATS_ROSBAG_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/rosbag/read/rosbag_body.h"

#define ROSBAG_CONNS_MAX 65536 /* a bag never has more */

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/rosbag/problems.def"
#undef SLV_PROBLEM
	ROSBAG_PROBLEMS
};
extern const struct slv_problem_info rosbag_problems[ROSBAG_PROBLEMS];

/* A connection. */
struct rosbag_conn {
	uint32_t id;  /* in the input */
	uint32_t out; /* in the output: unique */
	size_t decl;  /* its first readable declaration, by index; SIZE_MAX:
		       * none */
	bool used;    /* a message of its own follows one of them, or preceded
		       * the first */
	bool declared;
	bool in_tail;              /* the index names it */
	bool taken;                /* its declaration is from a donor */
	size_t spoilt;             /* rebuilt from the rest of a damaged
			      * declaration, */
	uint32_t spoilt_len;       /* in `texts`; 0: there is none */
	size_t text;               /* its record, in `texts` */
	uint32_t len;              /* bytes of it */
	uint32_t head;             /* bytes of it before its data */
	uint32_t topic, topic_len; /* in the record */
	uint64_t need_off;         /* if undeclared: the first unit that needed
				    * it */
	size_t chunk;              /* the chunk where it first appears;
				    * SIZE_MAX: none */
	bool unannounced;          /* ... and no record declares it earlier */
	char *name;                /* owned; its topic, on demand */

	uint64_t n, bytes; /* messages, and their payload */
	struct slv_moment from, to;

	/* In the open chunk. */
	uint32_t first, last, n_here; /* entries; ROSBAG_NONE */
	bool indexed;                 /* its index says the same */
};

/* How many messages of a connection a chunk holds. */
struct rosbag_count {
	uint32_t conn; /* index of the connection */
	uint32_t n;
};

struct rosbag_chunk {
	uint64_t off, end;       /* in the input, index included */
	uint64_t data, data_end; /* what it stores; in a compressed one
				  * everything decoded */
	uint64_t index;          /* offset of its index; end: none */
	enum slv_codec_kind codec;
	uint32_t size; /* bytes, not compressed */
	bool headed;   /* a header precedes it */
	bool opened;   /* ... which its writer never completed */
	bool stored;   /* its data are unchanged */
	bool shorter;  /* its header states in two places that there was more */
	bool summed;   /* ... and a checksum confirms it */
	bool doubtful; /* it and its index contradict each other, and either may
		        * be wrong */
	bool stays;    /* and its header is unchanged */
	bool indexed;  /* its index is right */
	bool unannounced; /* it uses connections before their declaration */
	bool declares;    /* it is compressed and holds declarations */
	bool refuted; /* ... one of which is wrong, and no checksum proves it */
	bool gone;    /* none of its messages has a declared connection */
	bool renumbered; /* a connection in it gets another number */
	size_t first_entry, n_entries; /* listed entries */
	size_t first_count, n_counts;
	struct rosbag_time from, to;
	uint64_t messages, sum; /* a digest of their times and sizes */
	uint64_t upto;          /* end of its last unit that is not part of an
				 * index */
	uint64_t gap;    /* bytes between it and the unit before it, ... */
	uint64_t room;   /* and how many of these an index and a lost header
			 * needed; 0: not known */
	bool verbatim;   /* the plan copies it, with its index */
	uint32_t lends;  /* connections that it declares first without having a
			 * message of, once there is a plan */
	uint64_t limit;  /* how far it was read, and what was expected, when */
	uint32_t expect; /* it was decoded */
};

/* A range of the records in a compressed chunk that the plan keeps. */
struct rosbag_made {
	size_t chunk;
	uint64_t from; /* offset among all of them */
	uint32_t len;
};

/* A CHUNK_INFO record. */
struct rosbag_info {
	uint64_t chunk;
	struct rosbag_time from, to;
	size_t first_count, n_counts; /* sorted by connection id */
};

struct rosbag_range {
	uint64_t off, len; /* in the input; len 0: missing */
};

#define ROSBAG_SEEN 64 /* indexes that may be that of a chunk */

/* The index of the open chunk, read where something in the chunk is lost. */
struct rosbag_guide {
	uint64_t data;             /* of the chunk; 0: of none yet */
	uint64_t at;               /* where it begins */
	struct rosbag_names names; /* owned; none: there is no such index */

	/* The range that was searched for records of an index, and their offsets:
	 * a bag may have as many gaps as chunks. */
	struct slv_range searched;
	uint64_t seen[ROSBAG_SEEN];
	size_t n_seen;
	uint64_t read, most; /* bytes of indexes, in all; 0: not known yet */
};

struct rosbag {
	struct rosbag_range magic, header;
	uint32_t version[2];
	struct rosbag_record head; /* what the bag header says */
	enum slv_codec_kind usual; /* how the first chunk is compressed */
	bool plain;                /* some chunks are not compressed */

	struct rosbag_conn *conns; /* owned; in order of appearance */
	size_t n_conns, cap_conns;
	uint32_t *by_id; /* owned; indexes, sorted by id */
	size_t cap_by_id;
	struct slv_buf texts;      /* owned; records of connections */
	struct rosbag_decl *decls; /* owned; in order of appearance */
	size_t n_decls, cap_decls;
	bool conns_odd;  /* two of them conflict */
	uint32_t given;  /* the last number that was given to one; 0: none */
	bool unverified; /* unconfirmed messages are kept */

	struct rosbag_chunk *chunks; /* owned; in order */
	size_t n_chunks, cap_chunks;
	struct rosbag_count *counts; /* owned; of chunks and infos */
	size_t n_counts, cap_counts;
	struct rosbag_entries kept; /* owned; of chunks that change */
	uint64_t memory;            /* bytes of the kept entries */

	/* The last chunk, while it is open. */
	bool open, in_index;
	bool index_odd;                /* a record of its index differs */
	struct rosbag_claim claim;     /* by its header; 0, 0 if it has none */
	struct rosbag_entries entries; /* owned */
	uint64_t next;                 /* end of the last record */
	uint64_t longest;              /* bytes of a message, in any chunk */
	bool gaps;                     /* something is missing in it */
	size_t n_here;                 /* connections in it */
	uint32_t *here;                /* owned; these connections */
	size_t cap_here;

	uint64_t upto; /* end of the last unit */
	bool in_tail;  /* that was an index record */

	uint64_t claimed; /* end of the messages that were left out, as they
			   * state it */
	struct rosbag_range *orphans; /* owned; index records that do not follow
				       * their chunks */
	size_t n_orphans, cap_orphans;

	uint64_t tail; /* offset of the index; 0: there is none */
	uint64_t tail_end;
	uint64_t tail_gap, tail_room; /* as in struct rosbag_chunk */
	uint64_t tail_conns;
	struct rosbag_info *infos; /* owned */
	size_t n_infos, cap_infos;
	bool tail_odd;   /* a connection in it has a different declaration */
	bool tail_holds; /* it describes the bag correctly */
	bool tail_stays; /* ... and still will after the repaired chunks */
	bool head_stays; /* so does the bag header */

	/* For an encrypted bag. */
	struct rosbag_range secrets; /* its connections, at the end */
	bool secrets_odd;            /* something else is between them */
	bool locked;         /* something is missing that cannot be rebuilt */
	uint64_t first_info; /* offset of the first CHUNK_INFO */
	size_t header_text;  /* the bag header, in `texts` */

	struct rosbag_body *torn; /* owned; the damaged stream whose parts
				   * follow; NULL: none yet */
	struct rosbag_guide guide;

	uint64_t messages, sum;        /* of all chunks */
	uint64_t planned, planned_sum; /* of what the plan keeps */
	struct rosbag_made *made;      /* owned; segments of the plan */
	size_t n_made, cap_made;
};

/* When the messages of each chunk were recorded, by the index. */
struct rosbag_infos {
	struct rosbag_times {
		uint64_t chunk; /* its offset in the input */
		struct rosbag_time from, to;
	} * at; /* owned; by offset */
	size_t n, cap;
};

/* Kinds of cached values, one of each, except bodies, which have the offset of
 * the stored data as key, and records, which have their own.  rosbag_cached.c */
enum {
	ROSBAG_CACHED_BODY,   /* struct rosbag_body */
	ROSBAG_CACHED_RECORD, /* struct rosbag_record, whole */
	ROSBAG_CACHED_STREAMS,
	ROSBAG_CACHED_INFOS, /* struct rosbag_infos, by the offset of the
			      * index */
};
extern const struct slv_cache_kind rosbag_cached[];

static inline const struct rosbag *
rosbag_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct rosbag *
rosbag_edit(struct slv_scan *s)
{
	return s->state;
}

/* Bytes that a compressed chunk may hold; no header can state more. */
static inline size_t
rosbag_chunk_max(const struct slv_scan *s)
{
	return (size_t)slv_min64(s->opt.limits.max_chunk, UINT32_MAX);
}

/* rosbag_streams.c */
extern const struct slv_stream_rules rosbag_streams;

/* Raise a row of this format. */
static inline enum slv_status
rosbag_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &rosbag_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn rosbag_begin;
slv_unit_fn rosbag_unit;
slv_vouch_fn rosbag_vouch;
slv_accept_fn rosbag_accept;
slv_next_mark_fn rosbag_next_mark;
slv_finish_fn rosbag_finish;
slv_plan_fn rosbag_plan;
slv_describe_fn rosbag_describe;
slv_channel_name_fn rosbag_channel_name;
slv_glance_fn rosbag_glance;
slv_carried_fn rosbag_carried;
slv_strays_fn rosbag_strays;
slv_missing_fn rosbag_missing;

static inline struct slv_moment
rosbag_moment(struct rosbag_time t)
{
	return (struct slv_moment){
		.sec = t.sec,
		.nanos = t.nsec,
		.known = true,
	};
}

static inline int
rosbag_time_compare(struct rosbag_time a, struct rosbag_time b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return a.nsec < b.nsec ? -1 : a.nsec > b.nsec;
}

/* Return true if it is left out: readers of an index cannot use a chunk without
 * messages, but one that was recorded like this stays. */
static inline bool
rosbag_chunk_is_empty(const struct rosbag_chunk *c)
{
	return c->messages == 0 && (!c->stays || c->size == 0);
}

/* rosbag_begin.c - the first line of a bag in [from, to); to: none. */
enum slv_status rosbag_find_magic(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* The latest possible end of an index.  The offset of its last entry is a u32,
 * and some of its zeros may be counted among those that end the file. */
static inline uint64_t
rosbag_index_limit(const struct slv_scan *s)
{
	return slv_min64(s->logical_end + sizeof(uint32_t), s->source->size);
}

/* rosbag_look.c - the record at off; its header must exist.  SHORT: it begins
 * like one and the file ends. */
enum slv_status rosbag_look(const struct slv_scan *, uint64_t off,
    struct rosbag_record *, struct slv_err *);
/* Return true if off is, or was, the beginning of a record, or the end of the
 * file. */
enum slv_status rosbag_goes_on(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* Return true if the record [off, end) ends at such a place, and not inside a
 * record after which another one follows: that would mean that bytes of the
 * record are missing and that it has swallowed the beginning of the other
 * one. */
enum slv_status rosbag_ends(const struct slv_scan *, uint64_t off, uint64_t end,
    bool *yes, struct slv_err *);
/* The first record in [from, to) with an op of `ops`; to: none. */
enum slv_status rosbag_find(const struct slv_scan *, uint64_t from, uint64_t to,
    unsigned ops, uint64_t *out, struct slv_err *);
/* The first compressed stream that begins in [from, to); to: none. */
enum slv_status rosbag_find_stream(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, enum slv_codec_kind *, struct slv_err *);
/* How far the bytes at off may be compressed, so that what looks like a message
 * there is not one; off: they are not. */
enum slv_status rosbag_packed_upto(
    const struct slv_scan *, uint64_t off, uint64_t *end, struct slv_err *);

/* rosbag_donor.c - take lost declarations from another bag. */
enum slv_status rosbag_take(struct slv_scan *, struct slv_err *);

/* rosbag_chunk.c - the open chunk. */
enum slv_status rosbag_chunk_open(struct slv_scan *, uint64_t off,
    const struct rosbag_claim *, uint64_t data, enum slv_codec_kind,
    struct slv_err *);
enum slv_status rosbag_chunk_add(
    struct slv_scan *, const struct rosbag_entry *, struct slv_err *);
enum slv_status rosbag_chunk_close(struct slv_scan *, struct slv_err *);
/* Count n more bytes of kept state, unless that is too much. */
enum slv_status rosbag_remember(
    struct slv_scan *, uint64_t n, struct slv_err *);
/* Checksum of a message's header fields, payload excluded; the sum over many
 * messages does not depend on their order. */
uint64_t rosbag_sum(uint32_t id, const struct rosbag_entry *);

/* rosbag_index.c - does an INDEX_DATA record, len bytes with its header,
 * describe the open chunk correctly?  *ours: it is about this chunk at all. */
enum slv_status rosbag_index_check(struct slv_scan *, uint64_t off,
    const struct rosbag_record *, uint64_t len, bool *same, bool *ours,
    struct slv_err *);

/* rosbag_mend.c - headers that the index of their chunk corrects; and raise the
 * messages with an undecided time. */
enum slv_status rosbag_doubt(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* rosbag_doubted.c - count messages that a payload may carry as unsure. */
enum slv_status rosbag_doubt_carried(struct slv_scan *, struct slv_err *);

/* rosbag_moved.c - what indexes name and is in the wrong place; what a payload
 * carried. */
struct rosbag_keys;
enum slv_status rosbag_moved(struct slv_scan *, const struct rosbag_keys *named,
    struct slv_mends *, struct slv_err *);

/* Return true if the bytes before the chunk were left out; a chunk of a
 * recording that was joined to this one begins where the previous one ends. */
static inline bool
rosbag_follows_gap(const struct slv_scan *s, const struct rosbag_chunk *c)
{
	const struct slv_catalog *k = &s->catalog;

	return c == rosbag_of(s)->chunks
	    ? c->off != s->base + ROSBAG_DATA_START
	    : k->at[slv_catalog_find(k, c->off - 1)].fate == SLV_LOST;
}

/* rosbag_other.c - records with the declarations of another bag. */
enum slv_status rosbag_other(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* rosbag_twice.c */
enum slv_status rosbag_twice(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* rosbag_confirm.c - slv_packs.confirm. */
enum slv_status rosbag_confirm(const struct slv_scan *, const uint8_t *chunk,
    size_t n, uint64_t *len, bool *yes, struct slv_err *);

/* rosbag_finish.c - is a CHUNK_INFO about this chunk, as it is; and are its
 * counts, which are sorted by id, those of the chunk? */
bool rosbag_counts_same(const struct rosbag *, const struct rosbag_info *,
    const struct rosbag_chunk *);
bool rosbag_info_same(const struct rosbag *, const struct rosbag_info *,
    const struct rosbag_chunk *);
/* Offset of the data of a compressed chunk in the input. */
struct rosbag_range rosbag_chunk_stored(const struct rosbag_chunk *);
/* Return true if only spaces fill the page after the fields of the bag header
 * at off. */
enum slv_status rosbag_is_padded(const struct slv_scan *, uint64_t off,
    const struct rosbag_record *, bool *yes, struct slv_err *);

/* rosbag_absent.c - before chunks where bytes are missing; and chunks of which
 * only the index is left, if nothing else is known to be lost. */
enum slv_status rosbag_absent_before(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_absent_named(struct slv_scan *, struct slv_err *);

/* rosbag_lost.c - bytes of the rest of an index of the open chunk, and of the
 * header of the next one if that is missing. */
uint64_t rosbag_head_room(
    const struct rosbag *, enum slv_codec_kind, bool headed);

/* rosbag_tail.c - compare the index at the end, and the bag header, with the
 * chunks, and decide whether the recording ended there. */
enum slv_status rosbag_tail_finish(struct slv_scan *, struct slv_err *);

/* rosbag_missing.c - raise what the index names and is not in the file at all;
 * and list for each gap what was in it. */
enum slv_status rosbag_gone(struct slv_scan *, struct slv_err *);

/* rosbag_cipher.c - in an encrypted bag: the last chunk is read, and left out
 * if its index is incomplete; is everything there that cannot be rebuilt; and
 * its header with other numbers, appended to the buffer. */
enum slv_status rosbag_cipher_close(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_cipher_finish(struct slv_scan *, struct slv_err *);
void rosbag_cipher_header(const struct rosbag *, uint64_t index_pos,
    uint32_t conns, uint32_t chunks, struct slv_buf *);

/* rosbag_list.c - slv_packs.show. */
enum slv_status rosbag_show_packed(
    struct slv_scan *, uint64_t off, const struct slv_unit *, struct slv_err *);

/* rosbag_records.c */
extern const struct slv_records rosbag_records;

/* rosbag_cut.c */
extern const struct slv_cutting rosbag_cutting;

#endif
