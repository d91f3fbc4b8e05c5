/* rosbag_make.h - encode records. */
#ifndef SLV_FORMATS_ROSBAG_MAKE_H
#define SLV_FORMATS_ROSBAG_MAKE_H

#include "base/buf.h"
#include "base/bytes.h"
#include "codec/codec.h"
#include "formats/rosbag/read/rosbag_record.h"

/* Encode the header of a message, ROSBAG_MESSAGE_FIELDS bytes, without the length
 * of its payload.  The fields have the order of the header `like`; false: that is
 * not the header of a message. */
bool rosbag_message_head(
    const uint8_t *like, uint32_t conn, struct rosbag_time, uint8_t *out);
/* Copy n bytes of a record, from offset `skip` on, with another connection
 * number. */
void rosbag_make_numbered(const uint8_t *record, uint32_t conn, uint64_t skip,
    uint64_t n, uint8_t *out);
/* Append encoded records. */
void rosbag_make_header(
    uint64_t index_pos, uint32_t conns, uint32_t chunks, struct slv_buf *);
void rosbag_make_chunk(
    enum slv_codec_kind, uint32_t size, uint32_t len, struct slv_buf *);
void rosbag_make_index(uint32_t conn, uint32_t count, struct slv_buf *);
void rosbag_make_conn(uint32_t conn, struct slv_span topic,
    const struct slv_buf *data, struct slv_buf *);
void rosbag_make_info(uint64_t chunk, struct rosbag_time from,
    struct rosbag_time to, uint32_t count, struct slv_buf *);

#endif
