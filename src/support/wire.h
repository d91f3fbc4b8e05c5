/* wire.h - messages of protobuf, encoded field by field.
 *
 * For what is written byte for byte as a log's own writer writes it, and for
 * messages that are longer than memory should hold.
 */
#ifndef SLV_SUPPORT_WIRE_H
#define SLV_SUPPORT_WIRE_H

#include "base/buf.h"
#include "base/bytes.h"

/* Append a number without a key; a number as a field; the key and the length of a
 * field whose n bytes the caller appends; and these with the bytes. */
void slv_wire_varint(struct slv_buf *, uint64_t);
void slv_wire_number(struct slv_buf *, uint32_t tag, uint64_t);
void slv_wire_span(struct slv_buf *, uint32_t tag, uint64_t n);
void slv_wire_text(struct slv_buf *, uint32_t tag, struct slv_span);

/* Append a finished message as a field of the next outer one, and empty it.  If
 * one of its appends has failed, this one fails. */
void slv_wire_message(
    struct slv_buf *outer, uint32_t tag, struct slv_buf *inner);

#endif
