/* bddf_cut.c - a log with only some of its blocks, or with those of several logs.
 *
 * A series has its number in its declaration and in the DataDescriptor of each block.
 * All other bytes of both stay as they are.
 */
#include "base/fields.h"
#include "core/format/cutting.h"
#include "formats/bddf/bddf_state.h"
#include "proto/bddf.pb.h"
#include "support/wire.h"

#define SERIES 1 /* tag of the number, in both messages */

_Static_assert(SERIES == bosdyn_api_SeriesDescriptor_series_index_tag
        && SERIES == bosdyn_api_DataDescriptor_series_index_tag,
    "one tag for both");

/* Append the message with another number. */
static bool
put_numbered(struct slv_span message, uint32_t number, struct slv_buf *out)
{
	/* As its writers do it: first, and left out if it is 0. */
	if (number != 0)
		slv_wire_number(out, SERIES, number);
	while (message.len > 0) {
		const uint8_t *at = message.at;
		struct slv_field f;

		if (!slv_field_take(&message, &f))
			return false;
		if (f.number != SERIES || f.kind != SLV_FIELD_VARINT)
			slv_buf_add(out, at, (size_t)(message.at - at));
	}
	return true;
}

/* Append the body of a declaration with another number. */
static bool
put_declaration(struct slv_span body, uint32_t number, struct slv_buf *out)
{
	const uint32_t member =
	    bosdyn_api_DescriptorBlock_series_descriptor_tag;

	while (body.len > 0) {
		const uint8_t *at = body.at;
		struct slv_buf inner = { 0 };
		struct slv_field f;
		bool good = slv_field_take(&body, &f);

		if (good && f.number == member && f.kind == SLV_FIELD_BYTES) {
			good = put_numbered(f.content, number, &inner);
			slv_wire_message(out, member, &inner);
		} else if (good) {
			slv_buf_add(out, at, (size_t)(body.at - at));
		}
		slv_buf_free(&inner);
		if (!good)
			return false;
	}
	return true;
}

/* What precedes a payload: the header, and the DataDescriptor with its size. */
static bool
renumber_data(struct slv_buf *head, struct bddf_head h, uint32_t number,
    uint8_t *header, struct bddf_dialect dialect, struct slv_buf *out)
{
	const size_t was = head->len - BDDF_DATA_HEAD;

	if (!put_numbered((struct slv_span){ head->at + BDDF_DATA_HEAD, was },
	        number, out))
		return false;
	h.size = h.size - was + out->len;
	bddf_head_put(dialect, h, header);
	slv_put_le32(header + BDDF_HEADER_SIZE, (uint32_t)out->len);
	return true;
}

static enum slv_status
renumber(const struct slv_scan *s, struct slv_buf *head,
    const struct slv_numbers *to, struct slv_err *err)
{
	const struct bddf_dialect dialect = bddf_of(s)->dialect;
	struct bddf_head h = bddf_head_get(dialect, head->at);
	uint8_t header[BDDF_DATA_HEAD];
	struct slv_buf body = { 0 };
	size_t n = BDDF_DATA_HEAD;
	bool good;

	if (h.type == BDDF_DATA) {
		good =
		    renumber_data(head, h, to->channel, header, dialect, &body);
	} else {
		n = BDDF_HEADER_SIZE;
		good = put_declaration(
		    (struct slv_span){ head->at + n, head->len - n },
		    to->channel, &body);
		h.size = body.len;
		bddf_head_put(dialect, h, header);
	}
	head->len = 0;
	slv_buf_add(head, header, n);
	slv_buf_add(head, body.at, body.len);
	head->failed |= body.failed;
	slv_buf_free(&body);
	return good ? slv_buf_check(head, err)
	            : slv_fail(err, SLV_E_BUG, "%s: no message of its format",
	                s->source->name);
}

/* No block depends on where another one is, and the index of a log has all series. */
const struct slv_cutting bddf_cutting = {
	.joins = true,
	.named = true,
	.sorts = true,
	.declares_all = true,
	.has_placeholders = true,
	.renumber = renumber,
};
