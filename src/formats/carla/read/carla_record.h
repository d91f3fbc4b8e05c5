/* carla_record.h - one event: an actor is spawned, destroyed or attached. */
#ifndef SLV_FORMATS_CARLA_RECORD_H
#define SLV_FORMATS_CARLA_RECORD_H

#include "formats/carla/read/carla_packet.h"

#define CARLA_ACTORS ((uint32_t)1 << 20) /* there are no ids from here on */

/* Return true if the bytes are text: UTF-8 without control characters. */
bool carla_is_text(const uint8_t *, size_t n);

struct carla_record {
	size_t len;   /* bytes */
	uint64_t key; /* the actor */
	bool plain;   /* all its values are possible */
};

/* Called for each record of a packet, which is at off. */
typedef enum slv_status (*carla_record_fn)(
    void *ctx, uint64_t off, const struct carla_record *, struct slv_err *);

/* Return true if the packet holds events. */
bool carla_record_in(const struct carla_packet *);

/* The record of such a packet, of type id, that begins at off and ends before
 * `end`; *yes: there is one. */
enum slv_status carla_record_read(const struct slv_scan *, uint8_t id,
    enum carla_vectors, uint64_t off, uint64_t end, struct carla_record *,
    bool *yes, struct slv_err *);

/* Report the records of a packet that fits, if it holds events. */
enum slv_status carla_record_each(const struct slv_scan *,
    const struct carla_packet *, enum carla_vectors, carla_record_fn, void *ctx,
    struct slv_err *);

/* Return true if p begins like the record of a spawned actor, which can be
 * recognised without its packet; n bytes of it exist.  Always false if it ends
 * before the name of its blueprint does. */
bool carla_record_is_actor(const uint8_t *p, size_t n, enum carla_vectors);

/* The least bytes of such a record, and the most that are needed to recognise
 * it. */
#define CARLA_RECORD_MIN  ((size_t)4 + 1 + 24 + 4 + 2 + 2)
#define CARLA_RECORD_HEAD ((size_t)4 + 1 + 48 + 4 + 2 + 255)

#endif
