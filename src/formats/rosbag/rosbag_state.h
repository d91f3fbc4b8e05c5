/* rosbag_state.h - what a scan of a bag remembers, and the driver's parts.
 *
 * Memory: about 150 bytes a chunk and 8 for each connection in it, what a
 * connection says, and 32 bytes a message while its chunk is read.  The
 * messages of a chunk that cannot stay as it is stay listed; what a compressed
 * one holds is decoded again when it is written.
 */
#ifndef SLV_FORMATS_ROSBAG_STATE_H
#define SLV_FORMATS_ROSBAG_STATE_H

#include "core/plan.h"
#include "core/scan.h"
#include "codec/crew.h"
#include "formats/rosbag/rosbag_record.h"

#define ROSBAG_CONNS_MAX  65536               /* more are no bag */
#define ROSBAG_STREAM_MAX ((uint64_t)1 << 30) /* bytes a chunk stores */
#define ROSBAG_NONE       UINT32_MAX

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/rosbag/problems.def"
#undef SLV_PROBLEM
	ROSBAG_PROBLEMS
};
extern const struct slv_problem_info rosbag_problems[ROSBAG_PROBLEMS];

/* A record in the data of a chunk: a message, or a connection, whose time is
 * 0. */
struct rosbag_entry {
	uint64_t at; /* in the input; of a compressed chunk in what it holds */
	uint32_t len;
	uint32_t conn; /* position in the list of connections */
	struct rosbag_time time;
	uint32_t next; /* of the same connection in the chunk; ROSBAG_NONE.  Of
	                * a connection its place in the list of declarations */
	bool is_conn;
};

struct rosbag_entries {
	struct rosbag_entry *at; /* owned */
	size_t n, cap;
};

/* What compressed data hold, as far as can be told. */
struct rosbag_part {
	uint64_t in, in_end; /* in the input */
	size_t from, upto;   /* entries */
	uint64_t messages;   /* among these */
	bool torn;           /* something is missing behind them */
	bool sure;
};

/* What the index behind them names. */
struct rosbag_names {
	struct rosbag_named *at; /* owned; by offset */
	size_t n, cap;
	uint32_t *conns; /* owned; of which it tells, sorted */
	size_t n_conns, cap_conns;
};

struct rosbag_body {
	uint64_t off; /* where the compressed data begin in the input */
	enum slv_codec_kind codec;
	uint32_t expect; /* bytes that it should hold; 0: not known */
	uint64_t limit;  /* and how far they were read */
	struct slv_decode decode;
	struct rosbag_entries entries;
	struct rosbag_part *parts; /* owned */
	size_t n_parts, cap_parts;
	struct rosbag_entries sorted; /* what was decoded before anything that
	                               * nothing vouches for */
	struct rosbag_names names;    /* of damaged ones */
	bool whole;          /* all of it, and records from end to end */
	uint64_t messages;   /* among the entries */
	uint64_t unverified; /* left out: a byte of them is wrong somewhere */
};

/* Compressed data in the input. */
struct rosbag_stream {
	uint64_t off, end;
	enum slv_codec_kind codec;
};

#define ROSBAG_AHEAD 80 /* streams that are decoded ahead, at most */

struct rosbag_ahead {
	struct slv_crew *crew;                      /* owned; NULL: none yet */
	struct rosbag_stream streams[ROSBAG_AHEAD]; /* submitted: a ring */
	size_t first, n;
	uint64_t next; /* where to look for another */
	struct slv_buf
	    spare; /* owned; memory of the last chunk that was read */
};

/* A connection. */
struct rosbag_conn {
	uint32_t id;
	bool declared;
	bool in_tail;        /* the index names it */
	bool taken;          /* its declaration is a donor's */
	size_t spoilt;       /* what is left of a damaged declaration, as one */
	uint32_t spoilt_len; /* of ours, in `texts`; 0: there is none */
	size_t text;         /* its record, in `texts` */
	uint32_t len;        /* bytes of it */
	uint32_t head;       /* of which this many are before its data */
	uint32_t topic, topic_len; /* in the record */
	uint64_t need_off;         /* not declared: the first that needed it */
	size_t chunk;              /* in which it comes first; SIZE_MAX: none */
	bool unannounced;          /* ... and no record declares it before */
	char *name;                /* owned; its topic, once asked for */

	uint64_t n, bytes; /* messages, and their payload */
	struct slv_moment from, to;

	/* In the chunk that is open. */
	uint32_t first, last, n_here; /* entries; ROSBAG_NONE */
	bool indexed;                 /* its index says the same */
};

/* How many messages of a connection a chunk holds. */
struct rosbag_count {
	uint32_t conn; /* position in the list */
	uint32_t n;
};

/* What the header of a chunk says of its data. */
struct rosbag_claim {
	uint32_t len;  /* bytes in the file */
	uint32_t size; /* ... not compressed */
};

struct rosbag_chunk {
	uint64_t off, end;       /* in the input: with its index */
	uint64_t data, data_end; /* what it stores; of a compressed one all
	                          * that was decoded */
	uint64_t index;          /* where its index begins; end: nowhere */
	enum slv_codec_kind codec;
	uint32_t size;    /* bytes, not compressed */
	bool headed;      /* a header stands in front of it */
	bool opened;      /* ... which its writer never came back to */
	bool stored;      /* its data are as they were */
	bool summed;      /* ... and so says a checksum */
	bool stays;       /* and so is its header */
	bool indexed;     /* its index says the same */
	bool unannounced; /* it uses connections not declared before */
	bool gone;        /* no message in it is of one that is declared */
	size_t first_entry, n_entries; /* that are listed */
	size_t first_count, n_counts;
	struct rosbag_time from, to;
	uint64_t messages, sum; /* a digest of their times and sizes */
	uint64_t upto;          /* end of its last unit that is no index */
	bool verbatim;          /* the plan copies it, with its index */
	uint64_t limit;  /* how far it was read, and what was expected, when */
	uint32_t expect; /* it was decoded */
};

/* A stretch of the records that a compressed chunk holds and the plan keeps. */
struct rosbag_made {
	size_t chunk;
	uint64_t from; /* in all of them */
	uint32_t len;
};

/* A CHUNK_INFO record. */
struct rosbag_info {
	uint64_t chunk;
	struct rosbag_time from, to;
	size_t first_count, n_counts; /* in order of the connections' ids */
};

struct rosbag_range {
	uint64_t off, len; /* in the input; len 0: not there */
};

struct rosbag {
	struct rosbag_range magic, header;
	uint32_t version[2];
	struct rosbag_record head; /* what the header says */
	enum slv_codec_kind usual; /* how the first chunk is compressed */
	bool plain; /* there are chunks that are not compressed */

	struct rosbag_conn *conns; /* owned; as they came */
	size_t n_conns, cap_conns;
	uint32_t *by_id; /* owned; positions, sorted by id */
	size_t cap_by_id;
	struct slv_buf texts;      /* owned; records of connections */
	struct rosbag_decl *decls; /* owned; as they came */
	size_t n_decls, cap_decls;
	bool conns_odd;  /* two of them contradict each other */
	bool unverified; /* messages are kept that nothing vouches for */

	struct rosbag_chunk *chunks; /* owned; in order */
	size_t n_chunks, cap_chunks;
	struct rosbag_count *counts; /* owned; of chunks and infos */
	size_t n_counts, cap_counts;
	struct rosbag_entries kept; /* owned; of chunks that change */
	uint64_t memory;            /* bytes of what is kept */

	/* The last chunk, while it is open. */
	bool open, in_index;
	bool index_odd; /* a record of its index says something else */
	struct rosbag_claim claim; /* its header's; 0, 0 where it has none */
	struct rosbag_entries entries; /* owned */
	uint64_t next;                 /* where a record follows the last */
	bool gaps;                     /* something is missing in it */
	size_t n_here;                 /* connections that it uses */
	uint32_t *here;                /* owned; those */
	size_t cap_here;

	uint64_t upto; /* end of the last unit */
	bool in_tail;  /* that was one of the index */

	uint64_t tail; /* where the index begins; 0: there is none */
	uint64_t tail_end;
	uint64_t tail_conns;
	struct rosbag_info *infos; /* owned */
	size_t n_infos, cap_infos;
	bool tail_odd;   /* a connection in it is declared otherwise */
	bool tail_holds; /* it says what is there */
	bool tail_stays; /* ... and so it will behind the repaired chunks */
	bool head_stays; /* the bag header does, too */

	/* Of an encrypted bag. */
	struct rosbag_range secrets; /* its connections, at the end */
	bool secrets_odd;            /* something else is among them */
	bool locked;         /* what nobody could make anew is missing */
	uint64_t first_info; /* where the first CHUNK_INFO stands */
	size_t header_text;  /* the bag header, in `texts` */

	struct rosbag_ahead ahead;
	struct rosbag_body body;   /* the last one that was looked at */
	struct rosbag_body broken; /* the last damaged one */

	uint64_t messages, sum;        /* of all chunks */
	uint64_t planned, planned_sum; /* that the plan keeps */
	struct rosbag_made *made;      /* owned; segments of the plan */
	size_t n_made, cap_made;
};

static inline struct rosbag *
rosbag_of(const struct slv_scan *s)
{
	return s->state;
}

/* Bytes that a compressed chunk may hold; no header can say more. */
static inline size_t
rosbag_chunk_max(const struct slv_scan *s)
{
	return (size_t)slv_min64(s->opt.limits.max_chunk, UINT32_MAX);
}

/* Raise a row of ours. */
static inline enum slv_status
rosbag_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &rosbag_problems[row], off, len, want, got, err);
}

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

/* Whether it is left out: readers of an index have no use for a chunk without
 * messages, but one that somebody has written so stays. */
static inline bool
rosbag_chunk_is_empty(const struct rosbag_chunk *c)
{
	return c->messages == 0 && (!c->stays || c->size == 0);
}

/* rosbag_begin.c */
enum slv_status rosbag_begin(
    struct slv_scan *, unsigned *bid, struct slv_err *);

/* rosbag_look.c - the record at off, of which the header must be there.
 * SHORT: it begins like one and the file ends. */
enum slv_status rosbag_look(struct slv_scan *, uint64_t off,
    struct rosbag_record *, enum rosbag_read *, struct slv_err *);
/* Whether what stands at off is, or has been, the beginning of a record; the
 * end of the file is, too. */
enum slv_status rosbag_goes_on(
    struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* The first record in [from, to) with an op of `ops`; to: none. */
enum slv_status rosbag_find(struct slv_scan *, uint64_t from, uint64_t to,
    unsigned ops, uint64_t *out, struct slv_err *);
/* The first compressed stream that begins in [from, to); to: none. */
enum slv_status rosbag_find_stream(struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, enum slv_codec_kind *, struct slv_err *);
/* How far what stands at off may be compressed, so that what looks like a message
 * there is none; off: it is not. */
enum slv_status rosbag_packed_upto(
    struct slv_scan *, uint64_t off, uint64_t *end, struct slv_err *);

/* rosbag_unit.c */
enum slv_status rosbag_unit(struct slv_scan *, uint64_t off, enum slv_asking,
    struct slv_unit *, struct slv_err *);
enum slv_status rosbag_vouch(struct slv_scan *, uint64_t off, struct slv_unit *,
    enum slv_vouch *, struct slv_err *);
enum slv_status rosbag_next_mark(struct slv_scan *, uint64_t from, uint64_t to,
    uint64_t *out, struct slv_err *);

/* rosbag_carried.c - as slv_format.carried. */
enum slv_status rosbag_carried(struct slv_scan *, uint64_t lost, uint64_t end,
    uint64_t mark, uint64_t *skip, struct slv_err *);

/* rosbag_body.c - what the compressed data at off hold; borrowed until the
 * next call. */
enum slv_status rosbag_body_at(struct slv_scan *, uint64_t off,
    const struct rosbag_claim *, enum slv_codec_kind, struct rosbag_body **,
    struct slv_err *);
/* Decode it again, as it was: all that [off, limit) holds. */
enum slv_status rosbag_body_again(struct slv_scan *, uint64_t off,
    uint64_t limit, uint32_t size, enum slv_codec_kind, struct rosbag_body **,
    struct slv_err *);
/* rosbag_ahead.c - decode chunks that begin at `from` or behind it in other
 * threads; and take what has become of one.  *had = false: nobody has decoded
 * it. */
enum slv_status rosbag_ahead_go(
    struct slv_scan *, uint64_t from, struct slv_err *);
enum slv_status rosbag_ahead_get(struct slv_scan *,
    const struct rosbag_stream *, struct slv_decode *, bool *had,
    struct slv_err *);
/* Decode another chunk into what this one was decoded into. */
void rosbag_ahead_spare(struct rosbag_ahead *, struct slv_buf *);
/* The part of the last damaged stream that begins at off; NULL: none. */
const struct rosbag_part *rosbag_part_at(const struct rosbag *, uint64_t off);
/* Whether it is one that nothing vouches for, behind others. */
bool rosbag_part_tells(const struct rosbag_body *, const struct rosbag_part *);
void rosbag_body_free(struct rosbag_body *);
/* Put a record down that was decoded, unless it is one of those sorted. */
enum slv_status rosbag_body_add(struct rosbag_body *, uint64_t at,
    const struct rosbag_record *, struct slv_err *);

/* rosbag_again.c - before what nothing vouches for: sort what was put down; and
 * whether the message at a place of what was decoded is among that. */
enum slv_status rosbag_body_sort(struct rosbag_body *, struct slv_err *);
bool rosbag_body_has(
    const struct rosbag_body *, uint64_t at, const struct rosbag_record *);

/* rosbag_named.c - read the records of an index from off on, unless they name
 * more than max messages. */
enum slv_status rosbag_names_read(struct slv_scan *, uint64_t off, size_t max,
    struct rosbag_names *, struct slv_err *);
void rosbag_names_free(struct rosbag_names *);
/* What they say of a message at an offset. */
enum rosbag_opinion { ROSBAG_NAMED, ROSBAG_NAMED_OTHERWISE, ROSBAG_NOT_NAMED };
enum rosbag_opinion rosbag_names_opinion(
    const struct rosbag_names *, uint64_t offset, const struct rosbag_record *);
/* Whether they are about this piece of a body; put the messages down that they
 * name in it, from a place of what was decoded on.  *end: behind the last. */
bool rosbag_names_hold(struct rosbag_body *, const struct slv_piece *);
enum slv_status rosbag_names_follow(struct rosbag_body *,
    const struct slv_piece *, size_t from, size_t *end, struct slv_err *);

/* rosbag_conn.c */
enum slv_status rosbag_conn_find(struct slv_scan *, uint32_t id, uint64_t off,
    uint32_t *out, bool *full, struct slv_err *);
/* A declaration; *odd: the connection is declared otherwise. */
enum slv_status rosbag_conn_declare(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, uint64_t off, uint32_t *out, bool *odd,
    bool *full, struct slv_err *);
/* Let the record there, in `texts`, be what declares the connection. */
void rosbag_conn_declare_as(struct rosbag *, struct rosbag_conn *, size_t text);

bool rosbag_conn_known(const struct rosbag *, uint32_t id);
/* Whether readers can take a declaration; keep of one what they can; and use
 * that where no other was found. */
bool rosbag_conn_sane(const uint8_t *record, const struct rosbag_record *);
enum slv_status rosbag_conn_spoilt(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, uint64_t off, bool *full, struct slv_err *);
void rosbag_conn_settle(struct rosbag *);
/* What only chunks that go declare is to be declared in the next ones. */
void rosbag_conn_move(struct rosbag *);
/* Whether any message of the chunk is of a connection that is declared. */
bool rosbag_chunk_is_of_use(const struct rosbag *, const struct rosbag_chunk *);

/* rosbag_donor.c - take declarations that are lost from another bag. */
enum slv_status rosbag_take(struct slv_scan *, struct slv_err *);

/* rosbag_accept.c */
enum slv_status rosbag_accept(
    struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

/* rosbag_chunk.c - the chunk that is open. */
enum slv_status rosbag_chunk_open(struct slv_scan *, uint64_t off,
    const struct rosbag_claim *, uint64_t data, enum slv_codec_kind,
    struct slv_err *);
enum slv_status rosbag_chunk_add(
    struct slv_scan *, const struct rosbag_entry *, struct slv_err *);
enum slv_status rosbag_chunk_close(struct slv_scan *, struct slv_err *);
/* n more bytes of what is known are kept, unless that is too much. */
enum slv_status rosbag_remember(
    struct slv_scan *, uint64_t n, struct slv_err *);
/* A number that depends on all that a reader is told of a message but its
 * payload; the sum over many does not depend on their order. */
uint64_t rosbag_sum(uint32_t id, const struct rosbag_entry *);

/* rosbag_index.c - whether an INDEX_DATA record, len bytes with its header,
 * says of the open chunk what it holds; *ours: it is about this chunk at
 * all. */
enum slv_status rosbag_index_check(struct slv_scan *, uint64_t off,
    const struct rosbag_record *, uint64_t len, bool *same, bool *ours,
    struct slv_err *);

/* rosbag_mend.c */
enum slv_status rosbag_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* rosbag_twice.c */
enum slv_status rosbag_twice(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

/* rosbag_confirm.c - as slv_format.confirm. */
enum slv_status rosbag_confirm(const struct slv_scan *, const uint8_t *chunk,
    size_t n, uint64_t *len, bool *yes, struct slv_err *);

/* rosbag_finish.c - whether a CHUNK_INFO is about this chunk, as it is; and
 * whether its counts, which are by id, are those of the chunk. */
bool rosbag_counts_same(const struct rosbag *, const struct rosbag_info *,
    const struct rosbag_chunk *);
bool rosbag_info_same(const struct rosbag *, const struct rosbag_info *,
    const struct rosbag_chunk *);
enum slv_status rosbag_finish(struct slv_scan *, struct slv_err *);
/* Where the data of a compressed chunk stand in the input. */
struct rosbag_range rosbag_chunk_stored(const struct rosbag_chunk *);
/* Whether nothing but spaces fills the page behind the fields of the bag header
 * at off. */
enum slv_status rosbag_is_padded(struct slv_scan *, uint64_t off,
    const struct rosbag_record *, bool *yes, struct slv_err *);

/* rosbag_tail.c - hold the index at the end, and the bag header, against the
 * chunks, and tell whether the recording ended there. */
enum slv_status rosbag_tail_finish(struct slv_scan *, struct slv_err *);

/* rosbag_glance.c - what the index says; as slv_format.glance. */
enum slv_status rosbag_glance(struct slv_scan *, bool *yes, struct slv_err *);

/* rosbag_missing.c - raise what the index names and is not in the file at
 * all; and tell of each gap what was in it. */
enum slv_status rosbag_gone(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_missing(
    struct slv_scan *, struct slv_gap_list *, struct slv_err *);

/* rosbag_build.c */
enum slv_status rosbag_plan(
    struct slv_scan *, struct slv_plan *, bool *possible, struct slv_err *);

/* rosbag_make.c - the header of a message but for the length of its payload,
 * ROSBAG_MESSAGE_FIELDS bytes, with the fields in the order of another one;
 * false: that is none. */
bool rosbag_message_head(
    const uint8_t *like, uint32_t conn, struct rosbag_time, uint8_t *out);
/* Records made anew, behind what the buffer holds. */
void rosbag_make_header(
    uint64_t index_pos, uint32_t conns, uint32_t chunks, struct slv_buf *);
void rosbag_make_chunk(
    enum slv_codec_kind, uint32_t size, uint32_t len, struct slv_buf *);
void rosbag_make_index(uint32_t conn, uint32_t count, struct slv_buf *);
void rosbag_make_conn(uint32_t conn, struct slv_span topic,
    const struct slv_buf *data, struct slv_buf *);
void rosbag_make_info(uint64_t chunk, struct rosbag_time from,
    struct rosbag_time to, uint32_t count, struct slv_buf *);
void rosbag_put32(struct slv_buf *, uint32_t);

/* rosbag_cipher.c - of an encrypted bag: the last chunk is read, and left out
 * where its index is not whole; whether all is there that nobody can make; and
 * its header with other numbers, behind what the buffer holds. */
enum slv_status rosbag_cipher_close(struct slv_scan *, struct slv_err *);
enum slv_status rosbag_cipher_finish(struct slv_scan *, struct slv_err *);
void rosbag_cipher_header(const struct rosbag *, uint64_t index_pos,
    uint32_t conns, uint32_t chunks, struct slv_buf *);

/* rosbag_list.c - as slv_format.show_packed. */
enum slv_status rosbag_show_packed(
    struct slv_scan *, uint64_t off, const struct slv_unit *, struct slv_err *);

/* rosbag_describe.c */
enum slv_status rosbag_describe(
    struct slv_scan *, struct slv_facts *, struct slv_err *);
const char *rosbag_channel_name(struct slv_scan *, uint32_t channel);

#endif
