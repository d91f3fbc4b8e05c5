/* bddf_state.h - the state of a scan of a BDDF log, and the functions that the files
 * of the driver share.
 *
 * Memory: 12 bytes per data block (struct bddf_kept), 8 more if it has additional
 * indexes, and 8 for each of these; about 700 bytes per series.
 */
#ifndef SLV_FORMATS_BDDF_STATE_H
#define SLV_FORMATS_BDDF_STATE_H

#include "core/digest/flip.h"
#include "core/format/fill.h"
#include "core/plan/patch.h"
#include "core/plan/plan.h"
#include "core/scan/scan.h"
#include "formats/bddf/index/bddf_chunk.h"
#include "formats/bddf/read/bddf_frame.h"

#define BDDF_GAP_MAX        65536 /* missing declarations in a row, at most */
#define BDDF_UNDECLARED_MAX 1024  /* how far above them data may be */
#define BDDF_LOOKS          (1u << 26) /* entries read for one purpose */

/* Members of a DescriptorBlock: their field numbers. */
enum { BDDF_FILE = 1, BDDF_SERIES = 2, BDDF_SERIES_INDEX = 3, BDDF_INDEX = 4 };

enum {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "formats/bddf/problems.def"
#undef SLV_PROBLEM
	BDDF_PROBLEMS
};
extern const struct slv_problem_info bddf_problems[BDDF_PROBLEMS];

struct bddf_range {
	uint64_t off, len; /* in the input; len 0: missing */
};

/* Bytes of a SeriesDescriptor that the FileIndex corrects. */
struct bddf_mend {
	struct bddf_range at;   /* in the descriptor; len 0: none */
	struct bddf_range from; /* as many bytes in the FileIndex */
};

struct bddf_series {
	bool declared;
	bool early; /* its data precede it, because a declaration was lost: a
		     * later one is moved before them */
	struct bddf_range block; /* its SeriesDescriptor block */
	uint64_t placed; /* in the output, if it is a placeholder or moved */
	struct bddf_range ident; /* its SeriesIdentifier; of an undeclared
				  * series, the one in the FileIndex */
	uint64_t hash;           /* identifier_hash as written there */
	bool hash_odd;           /* not the hash of the identifier */
	bool strange; /* declared with a field that version 1.0 does not have */
	bool hash_again; /* the FileIndex has the same hash */
	struct bddf_mend mend;
	uint32_t n_names;  /* additional_index_names */
	uint32_t turn;     /* the number that was the next one when it was
			    * declared */
	uint64_t need_off; /* if undeclared: the first unit that needed it */

	struct bddf_chunk *first, *last; /* owned; empty in a proof */
	uint64_t n;                      /* data blocks */
	uint64_t bytes;                  /* of payload */
	struct slv_moment from, to;

	char *name; /* owned; for listings, on demand */

	struct bddf_range index; /* its SeriesBlockIndex block */
	bool index_same;         /* it describes the scan correctly */
	uint64_t index_n;        /* n when it was compared */
	uint64_t index_at;       /* its offset in the FileIndex; 0: none */
	struct bddf_range index_ident; /* its identifier there, if equal */

	size_t ident_seg; /* of the plan, if its FileIndex is rebuilt */

	const struct bddf_chunk *next_chunk; /* in a proof: the place in the */
	uint32_t next_at;                    /* reference's entries */
};

/* Data blocks in a row with times that are within the window of each other. */
struct bddf_era {
	uint64_t off, end;   /* in the input: start of the first, end of the
			      * last */
	uint64_t n;          /* blocks with a time */
	int64_t first, last; /* seconds: first and last */
	bool vouched;        /* an index names one of them */
	bool mended;         /* its only block was corrected */
};

/* A data block at which the time of its series goes back, or that follows bytes
 * which were left out. */
struct bddf_turn {
	uint64_t off; /* in the input */
	int64_t sec;
	uint32_t nanos, series;
	bool back; /* its series had a later time before */
	bool torn; /* bytes before it were left out */
};

/* A data block with a DataDescriptor that few writers write. */
struct bddf_odd {
	uint64_t off, end; /* in the input */
	uint32_t series, n_extra;
	bool spelled; /* as bddf_data.odd */
	bool strange; /* as bddf_data.strange; else only n_extra may be wrong */
};

/* A SeriesBlockIndex block. */
struct bddf_found_index {
	uint32_t series;
	struct bddf_range block;
};

/* A range of the input that the plan copied, and its offset in the output. */
struct bddf_piece {
	uint64_t in, out, len;
};

/* The first block. */
struct bddf_file {
	uint32_t version[3];
	uint32_t checksum; /* 1 NONE, 2 SHA1 */
	uint32_t checksum_bytes;
};

/* What a descriptor block says, as far as the scan needs it. */
struct bddf_desc {
	uint64_t ident_off, ident_len;
	uint64_t hash;
	uint32_t member; /* of the oneof; 0 = unknown */
	uint32_t series;
	uint32_t n_names;
	uint32_t version[3];
	uint32_t checksum, checksum_bytes;
	uint8_t n_idents;
	bool typed;   /* a series states of which type its data are */
	bool jumbled; /* its fields are not in the order of writers */
	bool strange; /* has unknown fields or an unknown member */
};

/* An index, compared with the entries of its series at that time. */
struct bddf_compared {
	bool sure;       /* it was well-formed, and its first field is the
			  * series */
	uint64_t series; /* its series */
	uint64_t n;      /* number of entries */
	bool same;       /* the entries are equal, or, if there is */
	bool more;       /* one more, it is this: */
	struct bddf_entry one;
	uint64_t descriptor, total; /* its other fields */
};

/* The last descriptor block: the one after a data block is read to confirm it,
 * and then for itself. */
struct bddf_last {
	struct bddf_range body;
	struct bddf_desc desc;
	enum bddf_read read;
	struct bddf_compared compared; /* of an index */
};

/* Kinds of cached values, by offset, and a counter. */
enum {
	BDDF_CACHED_DATA, /* struct bddf_data, whole: the next block usually
			   * confirms one */
	BDDF_CACHED_DESC, /* struct bddf_last */
	BDDF_CACHED_TRIES /* unsigned: how often bddf_named() found nothing */
};
extern const struct slv_cache_kind bddf_cached[];

struct bddf {
	struct bddf_dialect dialect;
	bool first_parses; /* the block at 4 is a FileFormatDescriptor */

	struct bddf_range first; /* the FileFormatDescriptor block */
	bool first_late;         /* other blocks precede it */
	struct bddf_file file;
	struct slv_buf first_made; /* owned; replaces it, if not empty */

	struct bddf_series *series; /* owned; index = series_index */
	size_t n_series, cap_series;
	size_t n_declared; /* up to the highest declared one */
	struct bddf_pool extras;
	uint64_t memory;           /* bytes of entries */
	struct bddf_place *places; /* owned; sorted; none before all is read */
	size_t n_places, cap_places;

	struct bddf_era *eras; /* owned; in order */
	size_t n_eras, cap_eras;
	bool eras_full; /* there were too many to be clocks */

	struct bddf_turn *turns; /* owned; in order */
	size_t n_turns, cap_turns;
	size_t n_torn, n_back; /* with `torn`, and the others */

	/* Kept blocks whose next head has an impossible size (bddf_size.c). */
	struct bddf_range *weak; /* owned; in order */
	size_t n_weak, cap_weak;

	/* Kept blocks with a DataDescriptor that few writers write
	 * (bddf_odd.c). */
	struct bddf_odd *odd; /* owned; in order */
	size_t n_odd, cap_odd;

	/* Descriptor blocks with a member that version 1.0 does not have. */
	struct bddf_range *unnamed; /* owned; in order */
	size_t n_unnamed, cap_unnamed;

	bool foreign; /* everything that follows is another recording */
	/* ... because this block declares a series that was declared otherwise. */
	struct bddf_range clash_block;
	uint32_t clash;    /* the number of that series */
	bool in_index;     /* the last unit was an index block */
	uint64_t data_end; /* end of the last unit of the data part */

	struct bddf_range file_index; /* the FileIndex block */
	bool empty_index;             /* it is the vendor's empty one */
	bool index_first;             /* a series was declared after it */
	bool index_same;              /* it describes the scan correctly, except
				       * for offsets of missing blocks */

	struct bddf_found_index *found; /* owned; the first of each series */
	size_t n_found, cap_found;

	bool has_end;
	struct bddf_range end; /* the end block, as far as it exists */
	uint64_t end_index;    /* index offset in it */
	bool end_whole;        /* its header, offset field and magic are
			        * whole */

	uint64_t made_index; /* offset of the FileIndex in the plan; 0: none */
	struct bddf_piece *pieces; /* owned; set by the plan */
	size_t n_pieces, cap_pieces;
};

/* What a unit passes from unit() to accept(). */
union bddf_priv {
	struct bddf_data data;
	struct bddf_desc desc;
};
_Static_assert(sizeof(union bddf_priv) <= sizeof(((struct slv_unit *)0)->priv),
    "a unit's private part holds ours");

static inline const struct bddf *
bddf_of(const struct slv_scan *s)
{
	return s->state;
}

/* The same, for code that may change it: not for unit() and vouch(). */
static inline struct bddf *
bddf_edit(struct slv_scan *s)
{
	return s->state;
}

/* The state with the entries: in a proof, that of the first scan. */
static inline struct bddf *
bddf_reference(const struct slv_scan *s)
{
	return s->reference != NULL ? s->reference->state : s->state;
}

/* What a unit is.  The members of a DescriptorBlock follow OTHER in the order
 * of their numbers. */
enum bddf_tag {
	BDDF_TAG_BYTES,
	BDDF_TAG_MAGIC,
	BDDF_TAG_LOG, /* another log, or this one repeated */
	BDDF_TAG_DATA,
	BDDF_TAG_DESCRIPTOR, /* a descriptor that does not parse */
	BDDF_TAG_OTHER,
	BDDF_TAG_FILE = BDDF_TAG_OTHER + BDDF_FILE,
	BDDF_TAG_SERIES = BDDF_TAG_OTHER + BDDF_SERIES,
	BDDF_TAG_SERIES_INDEX = BDDF_TAG_OTHER + BDDF_SERIES_INDEX,
	BDDF_TAG_FILE_INDEX = BDDF_TAG_OTHER + BDDF_INDEX,
	BDDF_TAG_EMPTY_INDEX,
	BDDF_TAG_INDEX, /* part of the index that does not parse */
	BDDF_TAG_END,
	BDDF_TAGS
};
extern const char *const bddf_kinds[BDDF_TAGS];

static inline bool
bddf_is_data(const struct slv_unit *u)
{
	return u->tag == BDDF_TAG_DATA;
}

/* Return true if one flipped bit makes one number of the other. */
static inline bool
bddf_one_bit_apart(uint64_t x, uint64_t y)
{
	uint64_t odd = x ^ y;

	return odd != 0 && (odd & (odd - 1)) == 0;
}

/* How many additional indexes a block has. */
static inline uint64_t
bddf_extras(const struct bddf *b, const struct bddf_entry *e)
{
	return e->extra != 0 ? (uint64_t)bddf_pool_at(&b->extras, e->extra - 1)
	                     : 0;
}

/* Raise a row of this format. */
static inline enum slv_status
bddf_problem(struct slv_scan *s, unsigned row, uint64_t off, uint64_t len,
    uint64_t want, uint64_t got, struct slv_err *err)
{
	return slv_scan_problem(
	    s, &bddf_problems[row], off, len, want, got, err);
}

/* The functions that core/format/format.h explains. */
slv_begin_fn bddf_begin;
slv_unit_fn bddf_unit;
slv_vouch_fn bddf_vouch;
slv_accept_fn bddf_accept;
slv_next_mark_fn bddf_next_mark;
slv_finish_fn bddf_finish;
slv_plan_fn bddf_plan;
slv_describe_fn bddf_describe;
slv_channel_name_fn bddf_channel_name;
slv_glance_fn bddf_glance;
slv_inherit_fn bddf_inherit;
slv_run_fn bddf_run;
slv_carried_fn bddf_carried;
slv_strays_fn bddf_strays;
slv_missing_fn bddf_missing;
slv_fill_fn bddf_fill;

/* bddf_desc.c - parse the body [off, off + len) of a descriptor block.  An
 * index is also compared, into the state's `last`. */
enum slv_status bddf_desc_get(const struct slv_scan *, uint64_t off,
    uint64_t len, struct bddf_desc *, enum bddf_read *, struct slv_err *);

/* The same, for a body that differs from the log. */
enum slv_status bddf_desc_memory(const uint8_t *body, size_t n,
    struct bddf_desc *, enum bddf_read *, struct slv_err *);

/* bddf_log.c - a unit that is the beginning of this log, or a whole other log;
 * BAD if no log begins at off. */
enum slv_status bddf_log(const struct slv_scan *, uint64_t off, enum slv_asking,
    struct slv_unit *, struct slv_err *);
/* Where in [from, end) the magic of another log is that reaches past an offset, `end`
 * or later: the block that ends there was cut, and the other log follows.  end:
 * nowhere. */
enum slv_status bddf_log_across(const struct slv_scan *, uint64_t from,
    uint64_t end, uint64_t past, uint64_t *out, struct slv_err *);

/* bddf_unit.c - as bddf_unit(), without a test for the beginning of a log. */
enum slv_status bddf_block(const struct slv_scan *, uint64_t off,
    enum slv_asking, struct slv_unit *, struct slv_err *);
/* Read the DataDescriptor of `size` > 0 bytes in the block at off, of which the
 * first `have` exist. */
enum slv_status bddf_data_at(const struct slv_scan *, uint64_t off,
    uint32_t size, size_t have, struct bddf_data *, enum bddf_read *,
    struct slv_err *);

/* bddf_named.c - return true if the index at the end of the file has the block
 * at off, of an undeclared series. */
enum slv_status bddf_named(const struct slv_scan *, uint64_t off,
    uint32_t series, bool *yes, struct slv_err *);

/* Where the log continues inside or after the data block at off, which has a
 * whole head and follows kept blocks; its end: nowhere. */
enum slv_status bddf_goes_on(
    const struct slv_scan *, uint64_t off, uint64_t *mark, struct slv_err *);

/* bddf_size.c - return true if the size of the data block at off can be right;
 * the rest of its head is. */
enum slv_status bddf_size_holds(const struct slv_scan *, uint64_t off,
    const struct slv_unit *before, bool *yes, struct slv_err *);
/* Return true if no block has this size, not even a cut one. */
bool bddf_size_absurd(const struct slv_scan *, uint64_t size);
/* Return true if a block that ends at `end` swallows the footer of the log. */
enum slv_status bddf_swallows_footer(const struct slv_scan *, uint64_t off,
    uint64_t end, bool *yes, struct slv_err *);

/* bddf_swallows.c - return true if the block at off, which follows damage, has blocks
 * of this log in what it says is its payload. */
enum slv_status bddf_swallows(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);

/* bddf_vouch.c - return true if a block of this log begins at off, as far as it
 * exists. */
enum slv_status bddf_begins(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);
/* The same for a block with a right head. */
enum slv_status bddf_head_begins(
    const struct slv_scan *, uint64_t off, bool *yes, struct slv_err *);

/* bddf_accept.c - accept a good data block. */
enum slv_status bddf_take(struct slv_scan *, uint64_t off, uint64_t len,
    const struct bddf_data *, struct slv_moment at, struct slv_err *);

/* bddf_series.c */
enum slv_status bddf_series_add(
    struct slv_scan *, size_t upto, uint64_t need_off, struct slv_err *);
enum slv_status bddf_entry_add(struct slv_scan *, struct bddf_series *,
    const struct bddf_entry *, struct slv_err *);
/* The first or the last block of a series that is not in [off, end);
 * BDDF_NOWHERE: there is none. */
struct bddf_entry bddf_entry_outside(
    const struct bddf_series *, uint64_t off, uint64_t end, bool last);
void bddf_state_free(void *state);

/* bddf_cut.c */
extern const struct slv_cutting bddf_cutting;

/* bddf_compare.c - return true if the body of a SeriesBlockIndex describes the
 * scan correctly. */
enum slv_status bddf_index_series(struct slv_scan *, struct bddf_range body,
    size_t index, bool *same, struct slv_err *);
/* Check a made segment: entries [arg >> 32, arg) of a chunk. */
enum slv_status bddf_index_made(const void *chunk, uint64_t arg,
    const uint8_t *bytes, size_t n, struct slv_err *);

/* bddf_index.c - the same for a FileIndex. */
enum slv_status bddf_index_file(
    struct slv_scan *, struct bddf_range body, bool *same, struct slv_err *);
/* The offset of the index of a series by the FileIndex block; 0: none. */
enum slv_status bddf_index_at(const struct slv_scan *, struct bddf_range block,
    uint32_t series, uint64_t *out, struct slv_err *);
/* The offset of the identifier_hash of a SeriesDescriptor block. */
enum slv_status bddf_hash_bytes(struct slv_scan *, struct bddf_range block,
    struct bddf_range *out, struct slv_err *);
/* Note an index block of this size (without its header) if readers will not
 * accept it. */
enum slv_status bddf_note_huge(
    struct slv_scan *, uint64_t off, uint64_t size, struct slv_err *);
/* Return true if two ranges hold the same bytes. */
enum slv_status bddf_same_bytes(struct slv_scan *, struct bddf_range,
    struct bddf_range, bool *same, struct slv_err *);

/* bddf_mend.c */
enum slv_status bddf_mend(
    struct slv_scan *, bool bold, struct slv_mends *, struct slv_err *);

/* bddf_first.c - the log states a version or checksum that does not exist:
 * correct one wrong bit of that block. */
enum slv_status bddf_mend_first(
    struct slv_scan *, struct slv_mends *, struct slv_err *);
bool bddf_file_supported(const struct bddf_file *);

/* bddf_hash.c - correct hashes and identifiers with a few wrong bits. */
enum slv_status bddf_mend_hashes(
    struct slv_scan *, struct slv_mends *, struct slv_err *);
/* Count the blocks of series with a wrong hash or identifier as unsure. */
void bddf_doubt_hashes(struct slv_scan *);
/* bddf_order.c */
enum slv_status bddf_reorder(struct slv_scan *, struct slv_plan *,
    unsigned effort, bool *found, struct slv_err *);

/* bddf_doubt.c */
enum slv_status bddf_doubt(
    struct slv_scan *, struct slv_doubts *, struct slv_err *);
enum slv_status bddf_sensible(const struct slv_scan *, uint64_t block,
    uint64_t len, uint64_t off, uint8_t byte, bool *yes, struct slv_err *);

/* bddf_glance.c */
enum slv_status bddf_closed(
    const struct slv_scan *, bool *yes, struct slv_err *);

/* bddf_finish.c - has_content: is there anything to make a log of?  stays: does
 * every block keep its offset, so that a surviving index still holds? */
bool bddf_has_content(const struct bddf *);
bool bddf_stays(const struct slv_scan *);
enum slv_status bddf_finish_first(struct slv_scan *, struct slv_err *);

/* bddf_notes.c */
enum slv_status bddf_annotate(
    struct slv_scan *, const struct slv_notes *, bool *done, struct slv_err *);

/* bddf_describe.c */
enum slv_status bddf_annotations(
    struct slv_scan *, struct slv_facts *, struct slv_err *);

/* bddf_records.c */
extern const struct slv_records bddf_records;
extern const struct slv_exporting bddf_exporting;
slv_layout_fn bddf_layout;

/* bddf_layout.c - the type of the plain numbers of a channel; 0: it has none, or
 * of an unknown type. */
#define BDDF_PODS 11
uint8_t bddf_pod_of(const struct slv_channel_info *);

#endif
