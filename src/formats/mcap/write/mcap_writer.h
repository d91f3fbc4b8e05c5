/* mcap_writer.h - a new file, while it is written. */
#ifndef SLV_FORMATS_MCAP_WRITER_H
#define SLV_FORMATS_MCAP_WRITER_H

#include "codec/codec.h"
#include "core/format/writer.h"
#include "formats/mcap/build/mcap_make.h"

/* A message of a channel in the open chunk. */
struct mcap_noted {
	uint64_t time, offset;
};

/* A channel. */
struct mcap_writer_channel {
	uint16_t schema; /* 0: it has none */
	bool written;
	uint64_t n;               /* messages */
	struct mcap_noted *noted; /* owned; those in the open chunk */
	size_t n_noted, cap_noted;
};

/* A chunk that is written, for its ChunkIndex. */
struct mcap_writer_chunk {
	uint64_t off, len; /* of the record */
	uint64_t index_len;
	struct mcap_claim claim;
	size_t first, n; /* in the list of indexes */
};

/* Where the MessageIndex of a channel is. */
struct mcap_writer_index {
	uint16_t channel;
	uint64_t off;
};

/* A record that the summary points to. */
struct mcap_writer_extra {
	uint64_t off, len;
	char *name; /* owned */
};

struct mcap_writer {
	enum slv_codec_kind codec;
	uint64_t chunk_size; /* bytes of records */

	const struct slv_channel_info *channels; /* borrowed */
	uint32_t n_channels;
	struct mcap_writer_channel *at; /* owned; as many */
	uint32_t *schemas;    /* owned; a channel that has it, by id - 1 */
	bool *schema_written; /* owned */
	uint16_t n_schemas;

	struct slv_buf chunk;  /* owned; records of the open chunk */
	struct slv_buf packed; /* owned; ... compressed */
	uint64_t from, to;     /* its times */
	uint64_t n_here;       /* its messages */

	struct mcap_writer_chunk *chunks; /* owned */
	size_t n_chunks, cap_chunks;
	struct mcap_writer_index *indexes; /* owned; of all chunks */
	size_t n_indexes, cap_indexes;
	struct mcap_writer_extra *extras; /* owned */
	size_t n_extras, cap_extras;

	uint64_t first, last, n; /* times of all messages, and their number */
	uint64_t time;           /* of the last one */
	uint32_t crc;            /* of all bytes so far */
};

/* Append the records of a schema and of a channel. */
void mcap_writer_schema(
    const struct mcap_writer *, uint16_t id, struct slv_buf *);
void mcap_writer_channel(
    const struct mcap_writer *, uint32_t channel, struct slv_buf *);

/* mcap_writer_schemas.c - number the schemas, each once. */
enum slv_status mcap_writer_find_schemas(
    struct mcap_writer *, struct slv_err *);

/* mcap_writer_summary.c - append all from DataEnd on. */
enum slv_status mcap_writer_end(
    struct mcap_writer *, struct slv_outgoing *, struct slv_err *);

#endif
