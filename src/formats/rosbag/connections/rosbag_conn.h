/* rosbag_conn.h - connections: find them by id, and settle what declares
 * each. */
#ifndef SLV_FORMATS_ROSBAG_CONN_H
#define SLV_FORMATS_ROSBAG_CONN_H

#include "formats/rosbag/rosbag_state.h"

enum slv_status rosbag_conn_find(struct slv_scan *, uint32_t id, uint64_t off,
    uint32_t *out, bool *full, struct slv_err *);
/* A declaration; *odd: the connection is declared otherwise. */
enum slv_status rosbag_conn_declare(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, uint64_t off, uint32_t *out, bool *odd,
    bool *full, struct slv_err *);
/* rosbag_number.c - let the number find the connection that is declared, which
 * may be a new one. */
struct rosbag_decl;
enum slv_status rosbag_conn_resolve(struct slv_scan *,
    const struct rosbag_decl *, uint32_t id, struct slv_err *);

/* Of several connections of one number: the nth, where the number finds the one
 * at 0; NULL: there are not so many.  Add one at 0; or let the nth be there. */
struct rosbag_conn *rosbag_conn_nth(
    const struct rosbag *, uint32_t id, size_t nth);
/* The connection with a number that was given to it; NULL: none. */
struct rosbag_conn *rosbag_conn_given(struct rosbag *, uint32_t out);
enum slv_status rosbag_conn_insert(
    struct slv_scan *, uint32_t id, uint64_t off, struct slv_err *);
void rosbag_conn_prefer(struct rosbag *, uint32_t id, size_t nth);

/* Let the record there, in `texts`, be what declares the connection. */
void rosbag_conn_declare_as(struct rosbag *, struct rosbag_conn *, size_t text);

/* Whether it has messages, and none of them a payload. */
bool rosbag_conn_is_empty(const struct rosbag *, uint32_t id);
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

#endif
