/* judge.c - a DataDescriptor and a BlockEntry as nanopb's generated coder has
 * them. */
#include "support/judge.h"

#include <pb_decode.h>
#include <pb_encode.h>

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
 * over unknown numbers of more than 64, hands the callback a number of any
 * wire type, and cuts the nanoseconds.  time_tag is the field number of the
 * Timestamp; 0: this is one. */
static bool
is_plain(struct judged *j, pb_istream_t *stream, uint32_t time_tag)
{
	while (stream->bytes_left > 0) {
		pb_istream_t at = *stream, sub;
		pb_wire_type_t wire;
		uint32_t tag;
		uint64_t v;
		bool eof, good;

		if (!pb_decode_varint(&at, &v) || v >> 32 != 0
		    || !pb_decode_tag(stream, &wire, &tag, &eof)
		    || (tag == 3 && time_tag != 0 && wire != PB_WT_VARINT
		        && wire != PB_WT_STRING))
			return false;
		if (wire == PB_WT_VARINT) {
			good = pb_decode_varint(stream, &v);
			if (tag == 2 && time_tag == 0)
				j->nanos = v;
		} else if (tag == time_tag && wire == PB_WT_STRING) {
			good = pb_make_string_substream(stream, &sub)
			    && is_plain(j, &sub, 0)
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
	bosdyn_api_DataDescriptor *d = &j->message;

	*j = (struct judged){ 0 };
	d->additional_indexes.funcs.decode = collect;
	d->additional_indexes.arg = j;
	j->good = is_plain(j, &same, bosdyn_api_DataDescriptor_timestamp_tag)
	    && pb_decode(&stream, bosdyn_api_DataDescriptor_fields, d);
}

void
judge_entry(struct judged *j, const uint8_t *bytes, size_t n)
{
	pb_istream_t stream = pb_istream_from_buffer(bytes, n), same = stream;
	bosdyn_api_BlockEntry *e = &j->entry;

	*j = (struct judged){ 0 };
	e->additional_indexes.funcs.decode = collect;
	e->additional_indexes.arg = j;
	j->good = is_plain(j, &same, bosdyn_api_BlockEntry_timestamp_tag)
	    && pb_decode(&stream, bosdyn_api_BlockEntry_fields, e);
}

struct list {
	const int64_t *at;
	size_t n;
};

static bool
put_numbers(pb_ostream_t *stream, const struct list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (!pb_encode_varint(stream, (uint64_t)list->at[i]))
			return false;
	}
	return true;
}

/* The packed list; nothing where it is empty. */
static bool
put_list(pb_ostream_t *stream, const pb_field_t *field, void *const *arg)
{
	pb_ostream_t sizing = PB_OSTREAM_SIZING;
	const struct list *list = *arg;

	return list->n == 0
	    || (put_numbers(&sizing, list)
	        && pb_encode_tag(stream, PB_WT_STRING, field->tag)
	        && pb_encode_varint(stream, sizing.bytes_written)
	        && put_numbers(stream, list));
}

size_t
judge_entry_put(bosdyn_api_BlockEntry *e, const int64_t *extras, size_t n,
    uint8_t *out, size_t room)
{
	pb_ostream_t stream = pb_ostream_from_buffer(out, room);
	struct list list = { extras, n };

	e->additional_indexes.funcs.encode = put_list;
	e->additional_indexes.arg = &list;
	if (!pb_encode_tag(&stream, PB_WT_STRING,
	        bosdyn_api_SeriesBlockIndex_block_entries_tag)
	    || !pb_encode_submessage(&stream, bosdyn_api_BlockEntry_fields, e))
		return 0;
	return stream.bytes_written;
}
