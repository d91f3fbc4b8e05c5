/* rosbag_conn.h - connections: find them by id, and decide what declares
 * each. */
#ifndef SLV_FORMATS_ROSBAG_CONN_H
#define SLV_FORMATS_ROSBAG_CONN_H

#include "formats/rosbag/rosbag_state.h"

enum slv_status rosbag_conn_find(struct slv_scan *, uint32_t id, uint64_t off,
    uint32_t *out, bool *full, struct slv_err *);
/* Accept a declaration; *odd: the connection has a different one already. */
enum slv_status rosbag_conn_declare(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, uint64_t off, uint32_t *out, bool *odd,
    bool *full, struct slv_err *);
/* rosbag_number.c - make the number find the declared connection, which may be
 * a new one. */
struct rosbag_decl;
enum slv_status rosbag_conn_resolve(struct slv_scan *,
    const struct rosbag_decl *, uint32_t id, struct slv_err *);

/* For several connections of one number: the nth, if the number finds the one
 * at 0; NULL: there are fewer.  Add one at 0; or make sure that the nth
 * exists. */
struct rosbag_conn *rosbag_conn_nth(
    const struct rosbag *, uint32_t id, size_t nth);
/* The connection to which a number was given; NULL: none. */
struct rosbag_conn *rosbag_conn_given(struct rosbag *, uint32_t out);
enum slv_status rosbag_conn_insert(
    struct slv_scan *, uint32_t id, uint64_t off, struct slv_err *);
void rosbag_conn_prefer(struct rosbag *, uint32_t id, size_t nth);

/* Make the record there, in `texts`, the declaration of the connection. */
void rosbag_conn_declare_as(struct rosbag *, struct rosbag_conn *, size_t text);

/* Return true if it has messages, and all of them without payload. */
bool rosbag_conn_is_empty(const struct rosbag *, uint32_t id);
bool rosbag_conn_known(const struct rosbag *, uint32_t id);
/* Can readers accept a declaration; keep its acceptable part; and use that part
 * if there is no other declaration. */
bool rosbag_conn_sane(const uint8_t *record, const struct rosbag_record *);
enum slv_status rosbag_conn_spoilt(struct slv_scan *, const uint8_t *record,
    const struct rosbag_record *, uint64_t off, bool *full, struct slv_err *);
void rosbag_conn_settle(struct rosbag *);
/* Declare in the next chunks what only removed chunks declare. */
void rosbag_conn_move(struct rosbag *);
/* Return true if any message of the chunk has a declared connection. */
bool rosbag_chunk_is_of_use(const struct rosbag *, const struct rosbag_chunk *);

#endif
