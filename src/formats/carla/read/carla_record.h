/* carla_record.h - one event: an actor that appears, vanishes or is attached. */
#ifndef SLV_FORMATS_CARLA_RECORD_H
#define SLV_FORMATS_CARLA_RECORD_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_ACTORS ((uint32_t)1 << 20) /* ids from here on are none */

/* Whether the bytes are a text: UTF-8 without control characters. */
bool carla_is_text(const uint8_t *, size_t n);

struct carla_record {
	size_t len;   /* bytes */
	uint64_t key; /* whom it is about */
	bool plain;   /* everything in it can be */
};

/* Called for each record of a packet, which stands at off. */
typedef enum slv_status (*carla_record_fn)(
    void *ctx, uint64_t off, const struct carla_record *, struct slv_err *);

/* Whether the packet tells of events. */
bool carla_record_in(const struct carla_packet *);

/* The record of such a packet, of type id, that begins at off and ends in front
 * of `end`; *yes: there is one. */
enum slv_status carla_record_read(const struct slv_scan *, uint8_t id,
    enum carla_vectors, uint64_t off, uint64_t end, struct carla_record *,
    bool *yes, struct slv_err *);

/* Hand out the records of a packet that fits, if it tells of events. */
enum slv_status carla_record_each(const struct slv_scan *,
    const struct carla_packet *, enum carla_vectors, carla_record_fn, void *ctx,
    struct slv_err *);

/* Whether p begins as the record of an actor that appears does, which is known
 * by itself; what there is of it is n bytes.  Never yes where it ends before
 * the name of its blueprint does. */
bool carla_record_is_actor(const uint8_t *p, size_t n, enum carla_vectors);

/* Bytes of such a record at least; and that telling it needs, at most. */
#define CARLA_RECORD_MIN  ((size_t)4 + 1 + 24 + 4 + 2 + 2)
#define CARLA_RECORD_HEAD ((size_t)4 + 1 + 48 + 4 + 2 + 255)

#endif
