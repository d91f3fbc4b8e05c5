/* mcap_state.h - what a scan of an MCAP file remembers, and the driver's parts.
 *
 * Memory: about 200 bytes a chunk and 16 for each channel in it, what schemas and
 * channels say, and 48 bytes a record while its chunk is read.  The records of a
 * chunk that cannot stay as it is stay listed.
 */
#ifndef SLV_FORMATS_MCAP_STATE_H
#define SLV_FORMATS_MCAP_STATE_H

#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/mcap/mcap_decl.h"
#include "formats/mcap/read/mcap_body.h"

#define MCAP_NONE SIZE_MAX

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/mcap/problems.def"
#undef SLV_PROBLEM
	MCAP_PROBLEMS
};
extern const struct slv_problem_info mcap_problems[MCAP_PROBLEMS];

/* What a unit is.  The tags up to MCAP_OPS are opcodes. */
enum {
	MCAP_TAG_NONE = 0,
	MCAP_TAG_MAGIC = MCAP_OPS,
	MCAP_TAG_PACKED,  /* a compressed chunk */
	MCAP_TAG_OTHER,   /* a record with an opcode that is not defined */
	MCAP_TAG_STRANGE, /* a chunk of an unknown compression */
	MCAP_TAGS
};
extern const char *const mcap_kinds[MCAP_TAGS];

/* How many messages of a channel a chunk holds, and where their index is. */
struct mcap_count {
	uint32_t decl; /* position in the list */
	uint64_t n;
	uint64_t index; /* in the input; 0: nowhere */
};

struct mcap_chunk {
	uint64_t off, data, data_end, end; /* in the input: its head, what it
	                                    * stores, and its index */
	uint64_t index;                    /* where that begins; end: nowhere */
	struct mcap_claim claim;           /* what its head says */
	enum slv_codec_kind codec;
	uint64_t size; /* bytes that are not compressed */
	bool headed;   /* a head is before it */
	bool bare;     /* ... and no damage either: only readers miss it */
	bool strange;  /* its compression is unknown */
	bool stored;   /* its data are as they were */
	bool damaged;  /* a part of its head is */
	bool stays;    /* its data are as they were, and so is its head */
	bool summed;   /* a checksum confirms them */
	bool framed;   /* ... or one of the compressed data does */
	bool refuted;  /* ... or contradicts them, and it is unknown where */
	bool indexed;  /* its index says the same */
	bool skimmed;  /* ... which is all that was read of it */
	bool has_index;
	bool declares;                 /* it holds schemas or channels */
	size_t first_entry, n_entries; /* that are listed */
	size_t first_count, n_counts;
	uint64_t messages, from, to; /* to < from: none */
	uint64_t sum;                /* a digest of their heads */
	uint64_t limit; /* how far it was read when it was decoded */
	size_t n_used;  /* channels that had messages when it was closed */

	/* In the output, when there is a plan; out_len 0: it is not there. */
	uint64_t out, out_len, out_index_len, out_size, out_stored;
	uint64_t out_messages, out_from, out_to;
	uint32_t out_crc;
	enum slv_codec_kind out_codec;
	size_t out_count, n_out_counts;
};

/* How long a chunk is, as its head states it. */
static inline uint64_t
mcap_claimed(const struct mcap_chunk *c)
{
	return c->data - c->off + c->claim.stored;
}

/* A stretch of the records that a compressed chunk holds and the plan keeps. */
struct mcap_made {
	size_t chunk;
	size_t entry;  /* the first record of it, among those of the chunk */
	uint64_t skip; /* bytes of that before it */
	uint32_t len;
};

/* What is copied, in order: a chunk, or records outside of chunks. */
struct mcap_item {
	uint64_t off, len;
	size_t chunk; /* MCAP_NONE: records */
	uint64_t out; /* in the output, when there is a plan */
};

/* An attachment or a metadata record. */
struct mcap_extra {
	unsigned op;
	uint64_t off, len;
	uint64_t out; /* in the output, when there is a plan */
	bool summed;  /* a checksum confirms it, or need not */
};

/* What a chunk index says, or the index of an attachment or of metadata. */
struct mcap_placed {
	unsigned op;
	uint64_t at;       /* where it says that */
	uint64_t off, len; /* in the input */
	uint64_t from, to; /* of a chunk */
};

/* The summary, as it is in the file. */
struct mcap_summary {
	uint64_t from, end; /* after DataEnd, up to the footer */
	uint64_t data_end;  /* where that record is; 0: nowhere */
	uint32_t data_crc;
	uint64_t footer; /* where it is; 0: nowhere */
	uint64_t start, offsets;
	uint32_t crc;
	bool ended;          /* the magic follows */
	uint64_t statistics; /* where they are; 0: nowhere */
	uint64_t counted;    /* messages, by its statistics; 0: unknown */
	uint64_t extras; /* attachments and metadata, if `counted` is known */
	uint64_t chunks; /* ... and chunks */
	bool proven;     /* a checksum confirms it */
	bool data_holds; /* the checksum of the data matches, if there is one */
	bool doubted;    /* it does not, so what no other confirms is unsure */
	bool odd;        /* it does not say what is here */
	bool stays;      /* the output has it as it is */
	unsigned groups; /* MCAP_BIT() of what is in it */
};

/* Where records that follow each other lead. */
struct mcap_chain {
	uint64_t end; /* of the last one */
	bool ends;    /* that is the magic that ends a file */
	bool cut;     /* the source ends in the next one */
};

/* Some of the records of a chain, so that others that join it are not followed. */
#define MCAP_WAY_MARKS 4096
struct mcap_way {
	uint64_t at[MCAP_WAY_MARKS]; /* in order */
	size_t n;
	uint64_t each, steps; /* one in so many is noted; of so many */
	struct mcap_chain to;
};

struct mcap {
	uint64_t header_off, header_len; /* 0: there is none */
	bool magic;
	struct slv_buf profile, library; /* owned; what the header says */

	enum slv_codec_kind usual; /* how the first chunk is compressed */
	bool chunked;              /* there is one */
	bool indexes;              /* ... and a MessageIndex */

	struct mcap_decl *decls; /* owned; as they came */
	size_t n_decls, cap_decls;
	uint32_t *by_id[2];   /* owned; positions + 1 of schemas and channels */
	struct slv_buf texts; /* owned */
	size_t n_used;        /* channels with messages */
	size_t n_rivals;      /* declarations that contradict the first one */
	bool orphans;         /* a channel is declared, and its schema is not */
	struct mcap_rival *rivals; /* owned; those, each once */
	size_t n_rival_rows, cap_rivals;

	struct mcap_item *items; /* owned; in order */
	size_t n_items, cap_items;
	struct mcap_chunk *chunks; /* owned; in order */
	size_t n_chunks, cap_chunks;
	size_t n_headed;           /* chunks with a head */
	size_t n_sums;             /* ... that states a checksum */
	struct mcap_count *counts; /* owned; of chunks */
	size_t n_counts, cap_counts;
	struct mcap_extra *extras; /* owned; in order */
	size_t n_extras, cap_extras;
	struct mcap_placed *placed; /* owned; by place, once all is read */
	size_t n_placed, cap_placed;
	uint64_t *spoilt; /* owned; where attachments are whose checksum does
	                   * not match */
	size_t n_spoilt, cap_spoilt;
	bool attachments_summed;  /* the writer gives them a checksum */
	struct mcap_entries kept; /* owned; of chunks that change */
	uint64_t memory;

	/* The last chunk, while it is open. */
	bool open, in_index, index_odd, gaps;
	bool orphaned; /* after it were indexes of a chunk that is lost */
	uint64_t next; /* where a record follows the last */
	uint64_t
	    missing; /* messages that its index names and that are not here */
	uint64_t doubts; /* ... and those whose time or channel differs there */
	uint32_t crc;    /* of what was read of it */
	struct mcap_entries entries; /* owned */
	uint32_t *here;              /* owned; channels in it, as they came */
	size_t n_here, cap_here;

	uint64_t upto;   /* end of the last unit */
	bool in_summary; /* it was after the data */
	struct mcap_summary summary;
	bool nothing; /* there is nothing to make a file of */
	bool unread;  /* chunks are there that cannot be decoded here */
	uint64_t messages, sum; /* of all; a digest of their heads */
	uint64_t in_chunks;     /* messages */
	uint64_t planned,
	    planned_sum; /* that the plan keeps, and their times */
	uint64_t planned_from, planned_to;
	struct mcap_count *out_counts; /* owned; of chunks of the plan */
	size_t n_out_counts, cap_out_counts;
	uint64_t from, to; /* times of all messages */
	uint64_t from_set; /* the first of them for a writer that keeps it in a
	                    * number that is unset while it is 0 */
	bool told;         /* the statistics at the end state them */
	uint64_t told_from, told_to;
	uint64_t quiet_from, quiet_to; /* no magic begins from there on up to
	                                * there, where one does */
	struct mcap_way *way; /* owned, or NULL; the one that leads furthest */
	struct mcap_made *made; /* owned; segments of the plan */
	size_t n_made, cap_made;
};

/* What is cached: what compressed chunks hold. */
enum { MCAP_CACHED_BODY, MCAP_CACHED_STREAMS };
extern const struct slv_cache_kind mcap_cached[];

static inline const struct mcap *
mcap_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for who may change it: not for what unit() and vouch() call. */
static inline struct mcap *
mcap_edit(struct slv_scan *s)
{
	return s->state;
}

/* Raise a row of ours. */
static inline enum slv_status
mcap_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &mcap_problems[row], off, len, want, got, err);
}

/* Where what is derived from the data begins; 0: nowhere. */
static inline uint64_t
mcap_summary_from(const struct mcap_summary *x)
{
	return x->data_end != 0 ? x->data_end : x->from;
}

/* Whether off is in what the walk takes for the summary. */
static inline bool
mcap_in_summary(const struct mcap *m, uint64_t off)
{
	return m->in_summary && off >= mcap_summary_from(&m->summary);
}

/* mcap_begin.c */
enum slv_status mcap_begin(struct slv_scan *, unsigned *bid, struct slv_err *);
enum slv_status mcap_find_magic(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* mcap_place.c - the last chunk that begins at off or before it; NULL: none does. */
const struct mcap_chunk *mcap_chunk_of(const struct mcap *, uint64_t off);
/* Whether the walk is in the data of this chunk. */
bool mcap_is_open(const struct mcap *, const struct mcap_chunk *);
/* Whether off is in the data of a chunk that is not compressed. */
bool mcap_is_inside(const struct mcap *, uint64_t off);

/* mcap_look.c - the record at off of the file, which was whole before and ended by
 * `end`.
 *
 * SLV_E_ACTIVE: it does no more */
enum slv_status mcap_look_again(const struct slv_scan *, uint64_t off,
    uint64_t end, struct mcap_record *, struct slv_err *);

/* mcap_look.c - the record at off of the file; the head of a chunk, even where a
 * part of it is damaged; the first record in [from, to) with an opcode of `ops`
 * that is one in every respect, to: none; whether one is at off, or has been; */
enum slv_status mcap_look(const struct slv_scan *, uint64_t off,
    struct mcap_record *, enum mcap_read *, struct slv_err *);
enum slv_status mcap_look_strict(const struct slv_scan *, uint64_t off,
    struct mcap_record *, bool *yes, struct slv_err *);
enum slv_status mcap_find(const struct slv_scan *, uint64_t from, uint64_t to,
    unsigned ops, uint64_t *out, struct slv_err *);
/* ... and whether a message can be one of this file: its time is near to that of
 * others, or, where nothing else states times, its channel is known. */
bool mcap_is_message(const struct mcap *, const struct mcap_record *);
bool mcap_is_ours(const struct mcap *, uint16_t channel, uint64_t log_time);
/* The same file - whether the time is near those of the messages so far, or those
 * that the statistics state. */
bool mcap_continues(const struct mcap *, uint64_t log_time);
/* The same file - whether what looks like the record [off, end) of an application is none,
 * as any byte can be its opcode: it reaches beyond its chunk, or the file goes on
 * within its head.  A byte that was inserted makes both: the length of the next record is
 * then read as the middle of another one. */
enum slv_status mcap_is_misread(const struct slv_scan *, uint64_t off,
    uint64_t end, bool *yes, struct slv_err *);
enum slv_status mcap_goes_on(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* The first compressed frame in [from, to); to: none. */
enum slv_status mcap_find_frame(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, enum slv_codec_kind *, struct slv_err *);

/* mcap_chain.c - follow records from off on; whether the magic is there. */
enum slv_status mcap_follow(const struct slv_scan *, uint64_t off,
    struct mcap_chain *, struct slv_err *);
/* Return true if a footer ends at `end`, as one does before the magic that ends a
 * file. */
enum slv_status mcap_is_after_footer(
    const struct slv_scan *, uint64_t end, bool *yes, struct slv_err *);
/* One record further; *on = false: there is none. */
enum slv_status mcap_step(
    const struct slv_scan *, struct mcap_chain *, bool *on, struct slv_err *);
enum slv_status mcap_is_magic(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);

/* mcap_unit.c */
enum slv_status mcap_unit(const struct slv_scan *, uint64_t off,
    enum slv_asking, struct slv_unit *, struct slv_err *);
enum slv_status mcap_vouch(const struct slv_scan *, uint64_t off,
    struct slv_unit *, enum slv_vouch *, struct slv_err *);
enum slv_status mcap_next_mark(const struct slv_scan *, uint64_t from,
    uint64_t to, uint64_t *out, struct slv_err *);

/* mcap_magic.c - the file ends with the magic. */
enum slv_status mcap_closed(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* mcap_glance.c */
slv_glance_fn mcap_glance;

/* mcap_inherit.c */
slv_inherit_fn mcap_inherit;

/* mcap_run.c */
slv_run_fn mcap_run;

/* mcap_accept.c */
enum slv_status mcap_accept(
    struct slv_scan *, uint64_t off, struct slv_unit *, struct slv_err *);

/* mcap_chunk.c - a chunk begins, with a head or without; it holds a record; and it
 * ends. */
enum slv_status mcap_chunk_open(struct slv_scan *, uint64_t off, uint64_t data,
    const struct mcap_claim *, bool headed, enum slv_codec_kind,
    struct slv_err *);
enum slv_status mcap_chunk_add(struct slv_scan *, const struct mcap_entry *,
    uint64_t place, struct slv_err *);
enum slv_status mcap_chunk_close(struct slv_scan *, struct slv_err *);
/* n more bytes of what is known are kept, unless that is too much. */
enum slv_status mcap_remember(struct slv_scan *, uint64_t n, struct slv_err *);
/* A message, in a chunk or not. */
enum slv_status mcap_count_message(struct slv_scan *, const struct mcap_entry *,
    uint64_t place, size_t *decl, uint64_t *sum, struct slv_err *);
/* A digest of what is said of a message; the sum over many does not depend on their
 * order. */
uint64_t mcap_sum(const struct mcap_entry *);

/* mcap_index.c - does a MessageIndex say what the open chunk holds? */
enum slv_status mcap_index_check(struct slv_scan *, uint64_t off,
    const struct mcap_record *, bool *same, bool *ours, struct slv_err *);

/* mcap_summary.c - does the summary say what is here? */
enum slv_status mcap_summary_check(struct slv_scan *, struct slv_err *);

/* mcap_attachment.c - does the checksum of an attachment not match? */
enum slv_status mcap_attachment_check(struct slv_scan *, uint64_t off,
    const struct mcap_record *, bool *refuted, struct slv_err *);

/* mcap_flip.c - which bit makes the checksum of a chunk match? */
enum slv_status mcap_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* mcap_carried.c - are the records at mark of a file inside a payload?  Does a payload
 * begin where another log does? */
slv_holds_fn mcap_holds;
enum slv_status mcap_carried(struct slv_scan *, uint64_t lost,
    const struct slv_unit *, uint64_t mark, uint64_t *skip, struct slv_err *);

/* mcap_finish.c */
enum slv_status mcap_finish(struct slv_scan *, struct slv_err *);
/* Whether chunks of the output have MessageIndexes: all of them, or none where the
 * writer was to write none. */
bool mcap_has_indexes(const struct mcap *);

/* Of [from, end) what is kept is rebuilt, once the queue of the catalog is applied. */
enum slv_status mcap_rebuild_kept(
    struct slv_scan *, uint64_t from, uint64_t end, struct slv_err *);
/* Whether the plan copies the chunk with its index. */
bool mcap_chunk_is_copied(const struct mcap *, const struct mcap_chunk *);
/* Whether it goes into the output. */
bool mcap_chunk_is_written(const struct slv_scan *, const struct mcap_chunk *);
/* Whether all its records can stay: the channels of its messages are declared, and no
 * declaration in it may be a wrong one. */
bool mcap_chunk_is_whole(const struct mcap *, const struct mcap_chunk *);
/* Return true if the channels of its messages are declared. */
bool mcap_chunk_is_declared(const struct mcap *, const struct mcap_chunk *);

/* mcap_build.c */
enum slv_status mcap_plan(
    struct slv_scan *, struct slv_plan *, bool *possible, struct slv_err *);

/* mcap_describe.c */

/* Count the texts of a schema that are stated again for one more of its channels.
 *
 * SLV_E_LIMIT: a small file would become gigabytes so */
enum slv_status mcap_repeat(const struct slv_scan *, uint64_t *sum,
    const struct mcap_decl *schema, struct slv_err *);

enum slv_status mcap_describe(
    struct slv_scan *, struct slv_facts *, struct slv_err *);
/* mcap_notes.c - what Metadata records and channels note. */
enum slv_status mcap_notes(
    struct slv_scan *, struct slv_facts *, struct slv_err *);
enum slv_status mcap_notes_of_channel(const struct mcap *,
    const struct mcap_decl *, struct slv_channel *, struct slv_err *);
const char *mcap_channel_name(struct slv_scan *, uint32_t channel);

/* mcap_records.c */
extern const struct slv_records mcap_records;

/* mcap_cut.c */
extern const struct slv_cutting mcap_cutting;

/* mcap_writer.c */
extern const struct slv_writing mcap_writing;

#endif
