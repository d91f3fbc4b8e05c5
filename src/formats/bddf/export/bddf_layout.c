/* bddf_layout.c - how blocks of plain numbers are laid out, and messages of which the
 * caller has descriptions. */
#include <string.h>

#include "core/format/records.h"
#include "core/layout/layout.h"
#include "formats/bddf/bddf_state.h"
#include "support/layouts/proto_layout.h"

/* By the number of the type. */
static const enum slv_value_type types[BDDF_PODS] = {
	SLV_VALUE_STRUCT, /* there is no such type */
	SLV_VALUE_I8,
	SLV_VALUE_I16,
	SLV_VALUE_I32,
	SLV_VALUE_I64,
	SLV_VALUE_U8,
	SLV_VALUE_U16,
	SLV_VALUE_U32,
	SLV_VALUE_U64,
	SLV_VALUE_F32,
	SLV_VALUE_F64,
};

/* A whole number; UINT64_MAX: it is none, or a large one. */
static uint64_t
number_of(const char *text)
{
	uint64_t n = 0;

	if (*text == '\0')
		return UINT64_MAX;
	for (; *text != '\0'; text++) {
		if (*text < '0' || *text > '9' || n > SLV_LAYOUT_COUNT)
			return UINT64_MAX;
		n = n * 10 + (uint64_t)(*text - '0');
	}
	return n;
}

uint8_t
bddf_pod_of(const struct slv_channel_info *c)
{
	uint64_t n = 0;

	if (strcmp(c->encoding, "pod") != 0)
		return 0;
	for (size_t i = 0; i < c->n_meta; i++) {
		if (strcmp(c->meta[i].key, "pod_type") == 0)
			n = number_of(c->meta[i].value);
	}
	return n < BDDF_PODS ? (uint8_t)n : 0;
}

enum slv_status
bddf_layout(const struct slv_channel_info *c, struct slv_layout *out,
    bool *known, struct slv_err *err)
{
	static const char dimension[] = "dimension.";
	uint64_t each = 1;

	if (strcmp(c->encoding, "protobuf") == 0)
		return slv_proto_layout(c, out, known, err);
	for (size_t i = 0; i < c->n_meta && each > 0; i++) {
		uint64_t n = number_of(c->meta[i].value);

		if (strncmp(c->meta[i].key, dimension, sizeof(dimension) - 1)
		    == 0)
			each = n <= SLV_LAYOUT_COUNT / each ? each * n : 0;
	}
	out->root = (struct slv_member){
		.type = types[bddf_pod_of(c)],
		.many = SLV_MANY_REST,
		.count = (uint32_t)each,
	};
	*known = out->root.type != SLV_VALUE_STRUCT && each > 0;
	return SLV_OK;
}
