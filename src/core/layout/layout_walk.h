/* layout_walk.h - what walks over payloads of all encodings share. */
#ifndef SLV_CORE_LAYOUT_WALK_H
#define SLV_CORE_LAYOUT_WALK_H

#include "core/layout/layout.h"

struct slv_walk {
	uint64_t budget; /* bytes of text */
	const struct slv_visitor *visitor;
	void *ctx;
};

/* Bytes of a value; 0: it says how long it is. */
extern const uint8_t slv_value_sizes[SLV_VALUE_TYPES];

/* Is there room for one more thing with that name? */
bool slv_walk_spend(struct slv_walk *, const char *name);

/* The number with these bits. */
struct slv_value slv_walk_number(enum slv_value_type, uint64_t bits);

/* Visit a value that is bytes. */
void slv_walk_visit(
    struct slv_walk *, const char *name, enum slv_value_type, struct slv_span);

/* layout_fields.c - a message of protobuf. */
bool slv_walk_fields(
    struct slv_walk *, const struct slv_layout *, struct slv_span payload);

#endif
