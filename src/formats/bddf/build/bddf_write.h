/* bddf_write.h - encode blocks: indexes, heads of data, declarations. */
#ifndef SLV_FORMATS_BDDF_WRITE_H
#define SLV_FORMATS_BDDF_WRITE_H

#include "formats/bddf/bddf_state.h"
#include "support/wire.h"

/* bddf_encode.c - index blocks.  bddf_out is the offset in the output of a
 * block of the input, which is unchanged before there is a plan; bddf_piece_of
 * is the piece that holds it. */
uint64_t bddf_out(const struct bddf *, uint64_t in);
struct bddf_piece bddf_piece_of(const struct bddf *, uint64_t in);

/* As bddf_out, for many blocks in order: *piece is that of the previous block;
 * empty at first. */
static inline uint64_t
bddf_out_next(const struct bddf *b, struct bddf_piece *piece, uint64_t in)
{
	if (in - piece->in >= piece->len)
		*piece = bddf_piece_of(b, in);
	return in - piece->in + piece->out;
}

enum slv_status bddf_encode_series(
    const struct bddf *, size_t index, struct slv_plan *, struct slv_err *);

/* bddf_head.c - the bytes before a payload: for an entry of `from`, as a block
 * of the series. */
void bddf_make_data(struct bddf_dialect, const struct bddf *from,
    const struct bddf_entry *, uint32_t series, uint64_t payload,
    struct slv_buf *);

/* bddf_message.c - small messages.  Whole blocks, header included; the
 * identifier of a series that nothing names any more. */
void bddf_make_file(
    struct bddf_dialect, const struct slv_notes *, struct slv_buf *);
/* A finished FileFormatDescriptor as a block; empties the buffer. */
void bddf_put_file(
    struct bddf_dialect, struct slv_buf *file, struct slv_buf *out);
/* The notes as annotations of a FileFormatDescriptor; NULL: none. */
void bddf_put_notes(const struct slv_notes *, struct slv_buf *file);
void bddf_make_series(struct bddf_dialect, uint32_t index,
    struct slv_span ident, uint64_t hash, uint32_t n_names, struct slv_buf *);
void bddf_make_ident(uint32_t index, struct slv_buf *, uint64_t *hash);
/* A numeric field; zero is not written. */
void bddf_put_number(struct slv_buf *, uint32_t tag, uint64_t);

#endif
