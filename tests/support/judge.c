/* judge.c - a DataDescriptor as nanopb's generated decoder reads it. */
#include "support/judge.h"

#include <pb_decode.h>
#include <stdlib.h>
#include <string.h>

#include "support/blob.h"

static bool
collect(pb_istream_t *stream, const pb_field_t *field, void **arg)
{
	struct judged *j = *arg;

	(void)field;
	while (stream->bytes_left > 0) {
		uint64_t v;

		if (!pb_decode_varint(stream, &v))
			return false;
		if (j->n_extras < JUDGE_EXTRAS)
			j->extras[j->n_extras] = (int64_t)v;
		j->n_extras++;
	}
	return true;
}

/* nanopb takes keys of more than 32 bits if the excess is only a sign, steps
 * over unknown numbers of more than 64, and hands the callback a number of
 * any wire type. */
static bool
is_plain(pb_istream_t *stream, bool inner)
{
	while (stream->bytes_left > 0) {
		pb_istream_t at = *stream, sub;
		pb_wire_type_t wire;
		uint32_t tag;
		uint64_t v;
		bool eof, good;

		if (!pb_decode_varint(&at, &v) || v >> 32 != 0
		    || !pb_decode_tag(stream, &wire, &tag, &eof)
		    || (tag == 3 && !inner && wire != PB_WT_VARINT
		        && wire != PB_WT_STRING))
			return false;
		if (wire == PB_WT_VARINT) {
			good = pb_decode_varint(stream, &v);
		} else if (tag == 2 && wire == PB_WT_STRING && !inner) {
			good = pb_make_string_substream(stream, &sub)
			    && is_plain(&sub, true)
			    && pb_close_string_substream(stream, &sub);
		} else {
			good = pb_skip_field(stream, wire);
		}
		if (!good)
			return false;
	}
	return true;
}

void
judge_data(struct judged *j, const uint8_t *bytes, size_t n)
{
	pb_istream_t stream = pb_istream_from_buffer(bytes, n), same = stream;

	*j = (struct judged){
		.message = bosdyn_api_DataDescriptor_init_zero,
	};
	j->message.additional_indexes.funcs.decode = collect;
	j->message.additional_indexes.arg = j;
	j->good = is_plain(&same, false)
	    && pb_decode(
	        &stream, bosdyn_api_DataDescriptor_fields, &j->message);
}

const char *
judge_values(const struct judged *want, const struct bddf_data *got,
    const struct bddf_pool *pool)
{
	const bosdyn_api_Timestamp *t = &want->message.timestamp;

	if (got->series != want->message.series_index)
		return "series_index";
	if (got->has_time != want->message.has_timestamp)
		return "whether there is a timestamp";
	if (got->sec != (got->has_time ? t->seconds : 0))
		return "seconds";
	/* The generated decoder cuts a number of more than 32 bits. */
	if (bddf_data_time_ok(got)
	    && got->nanos != (got->has_time ? t->nanos : 0))
		return "nanos";
	if (got->n_extra != want->n_extras || pool->n != want->n_extras)
		return "how many additional_indexes there are";
	for (uint32_t i = 0; i < want->n_extras && i < JUDGE_EXTRAS; i++) {
		if (bddf_pool_at(pool, i) != want->extras[i])
			return "additional_indexes";
	}
	return "";
}

bool
judge_beginnings(const uint8_t *bytes, size_t n, enum bddf_read whole)
{
	enum bddf_read last = BDDF_CUT;

	for (size_t have = 0; have < n; have++) {
		uint8_t *part = must_alloc(have);
		struct bddf_data d;
		enum bddf_read r;

		memcpy(part, bytes, have);
		r = bddf_data_get(part, have, n, &d, NULL);
		free(part);
		if (r != BDDF_CUT
		    && !(r == BDDF_BROKEN && whole == BDDF_BROKEN))
			return false;
		if (last == BDDF_BROKEN && r != BDDF_BROKEN)
			return false;
		last = r;
	}
	return true;
}
