/* bddf_frame.c - blocks as bytes: headers in four dialects. */
#include "formats/bddf/read/bddf_frame.h"

#include <string.h>

const struct bddf_dialect bddf_dialects[4] = {
	{ .grammar = false, .type_first = false },
	{ .grammar = false, .type_first = true },
	{ .grammar = true, .type_first = false },
	{ .grammar = true, .type_first = true },
};

const enum bddf_type bddf_types[2][3] = {
	{ BDDF_DATA, BDDF_DESCRIPTOR, BDDF_END },
	{ BDDF_DESCRIPTOR, BDDF_DATA, BDDF_END },
};

const char *
bddf_dialect_name(struct bddf_dialect d)
{
	static const char *const names[2][2] = {
		{ "sdk+last", "sdk+first" },
		{ "grammar+last", "grammar+first" },
	};

	return names[d.grammar][d.type_first];
}

void
bddf_head_put(struct bddf_dialect d, struct bddf_head h, uint8_t *header)
{
	/* Both numberings are their own inverse. */
	uint64_t number = bddf_types[d.grammar][h.type];

	slv_put_le64(header,
	    d.type_first ? h.size << 8 | number : h.size | number << 56);
}

void
bddf_end_header(struct bddf_dialect d, uint8_t *header)
{
	bddf_head_put(d,
	    (struct bddf_head){
	        .type = BDDF_END,
	        .size = d.grammar ? 20 : 24,
	    },
	    header);
}

bool
bddf_is_end_header(struct bddf_dialect d, const uint8_t *bytes, size_t n)
{
	uint8_t header[BDDF_HEADER_SIZE];

	bddf_end_header(d, header);
	return memcmp(header, bytes, n) == 0;
}
