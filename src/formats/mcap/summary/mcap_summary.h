/* mcap_summary.h - the end of a file: what is derived from all that is before it.
 *
 *	DataEnd, [schemas, channels, statistics, chunk indexes, attachment indexes,
 *	metadata indexes], [summary offsets], footer, magic
 */
#ifndef SLV_FORMATS_MCAP_SUMMARY_H
#define SLV_FORMATS_MCAP_SUMMARY_H

#include "formats/mcap/mcap_state.h"

/* How the program that wrote the file writes what is derived. */
struct mcap_style {
	const char *library;   /* what its name in the header begins with */
	const uint8_t *groups; /* of the summary, in order; a 0 ends them */
	bool hashed;  /* lists by channel are in the order of libstdc++'s hash
	               * tables, */
	bool by_id;   /* ... or of the channels' numbers, */
	bool as_came; /* ... or in which the channels were declared, and so are
	               * schemas and channels; else in the order of their first
	               * messages, and schemas and channels by number */
	bool empty_offsets; /* groups without records have a SummaryOffset */
	bool data_sum;      /* DataEnd has a checksum */
	bool summary_sum;   /* the footer has one */
};

/* mcap_style.c - that of this file's writer, as far as its header and what is left
 * of its summary tell. */
struct mcap_style mcap_style_of(const struct mcap *);

/* mcap_order.c - numbers of channels, in the order of their first messages, put into
 * the order in which a table of libstdc++ lists them: n positions. */
enum slv_status mcap_hash_order(
    const uint16_t *ids, size_t n, uint32_t *order, struct slv_err *);
/* The order of all channels of the file, which grows with them. */
struct mcap_ranks {
	struct mcap_table *table; /* owned */
	uint16_t *ids;            /* owned; channels as they got messages */
};
void mcap_ranks_free(struct mcap_ranks *);
/* In which order lists by channel are written: positions among these counts.
 *
 *   used  so many channels had messages by then; if each call has at least as many
 *         as the one before, all calls together look at each channel once
 *   map   a list within a ChunkIndex; else MessageIndexes, or of Statistics */
enum slv_status mcap_channel_order(const struct mcap *,
    const struct mcap_style *, struct mcap_ranks *, const struct mcap_count *,
    size_t n, size_t used, bool map, uint32_t *order, struct slv_err *);

/* mcap_placed.c - note what the record of the summary at `at` says is in the file. */
enum slv_status mcap_placed_add(struct slv_scan *, uint64_t at,
    const struct mcap_record *, struct slv_err *);
/* ... once all are noted: put them in order, and read the statistics. */
enum slv_status mcap_placed_settle(struct slv_scan *, struct slv_err *);
/* The noted record that is at this place, if any. */
const struct mcap_placed *mcap_placed_at(const struct mcap *, uint64_t off);
bool mcap_is_placed(const struct mcap *, uint64_t off);
/* Whether a place is in a chunk or an attachment that the summary names. */
bool mcap_is_in_placed(const struct mcap *, uint64_t off);
/* The chunk that begins at this place; NULL: none does. */
const struct mcap_chunk *mcap_chunk_at(const struct mcap *, uint64_t off);
/* Whether the summary names a chunk as long as this one and with its times, as its
 * head states them. */
bool mcap_is_like(const struct mcap_placed *, const struct mcap_chunk *);

/* Note up to where chunks are that a summary names in their place, if its checksum
 * confirms it. */
void mcap_own_placed(struct slv_scan *);
/* Whether the summary names as many chunks as it counts; `there`: and each of them is in
 * its place. */
bool mcap_names_chunks(const struct mcap *, bool there);

/* mcap_missing.c - report what the summary names or counts and the file does not
 * have. */
enum slv_status mcap_find_missing(struct slv_scan *, struct slv_err *);

/* mcap_encode.c - all from DataEnd on, of a file whose data end at `at`, where
 * everything is at its ->out. */
enum slv_status mcap_summary_make(struct slv_scan *, uint64_t at,
    uint32_t data_crc, struct slv_buf *out, struct slv_err *);

#endif
