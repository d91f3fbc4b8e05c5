/* bddf_message.c - encode the few messages that are rebuilt, with nanopb. */
#include <stdio.h>

#include "core/format/notes.h"
#include "formats/bddf/bddf_state.h"
#include "formats/bddf/build/bddf_write.h"
#include "proto/bddf.pb.h"

#define FIELD(message, name) bosdyn_api_##message##_##name##_tag
#define NOTE_KEY             "salvor:rebuilt"

void
bddf_put_number(struct slv_buf *buf, uint32_t tag, uint64_t v)
{
	if (v != 0)
		slv_wire_number(buf, tag, v);
}

static struct slv_span
text(const char *s)
{
	return (struct slv_span){ (const uint8_t *)s, strlen(s) };
}

/* An entry of a map<string, string>. */
static void
put_pair(struct slv_buf *buf, uint32_t tag, const char *key, const char *value)
{
	struct slv_buf pair = { 0 };

	slv_wire_text(&pair, 1, text(key));
	slv_wire_text(&pair, 2, text(value));
	slv_wire_message(buf, tag, &pair);
}

/* The finished member as a DescriptorBlock with its header; empties it. */
static void
put_block(struct slv_buf *buf, struct bddf_dialect dialect, uint32_t member,
    struct slv_buf *inner)
{
	uint8_t header[BDDF_HEADER_SIZE];
	struct slv_buf body = { 0 };

	slv_wire_message(&body, member, inner);
	bddf_head_put(dialect,
	    (struct bddf_head){ .type = BDDF_DESCRIPTOR, .size = body.len },
	    header);
	slv_buf_add(buf, header, sizeof(header));
	slv_buf_add(buf, body.at, body.len);
	buf->failed |= body.failed;
	slv_buf_free(&body);
}

void
bddf_put_file(
    struct bddf_dialect dialect, struct slv_buf *file, struct slv_buf *out)
{
	put_block(out, dialect, BDDF_FILE, file);
}

void
bddf_put_notes(const struct slv_notes *notes, struct slv_buf *file)
{
	for (size_t i = 0; notes != NULL && i < notes->n; i++)
		put_pair(file, FIELD(FileFormatDescriptor, annotations),
		    notes->at[i].key, notes->at[i].value);
}

void
bddf_make_file(struct bddf_dialect dialect, const struct slv_notes *notes,
    struct slv_buf *out)
{
	struct slv_buf version = { 0 }, file = { 0 };

	bddf_put_number(&version, FIELD(FileFormatVersion, major_version), 1);
	slv_wire_message(&file, FIELD(FileFormatDescriptor, version), &version);
	put_pair(&file, FIELD(FileFormatDescriptor, annotations), NOTE_KEY,
	    "the first block was lost; version and annotations are not the "
	    "log's own");
	bddf_put_number(&file, FIELD(FileFormatDescriptor, checksum_type),
	    bosdyn_api_FileFormatDescriptor_CheckSumType_CHECKSUM_TYPE_SHA1);
	bddf_put_number(&file, FIELD(FileFormatDescriptor, checksum_num_bytes),
	    BDDF_DIGEST_SIZE);
	bddf_put_notes(notes, &file);
	bddf_put_file(dialect, &file, out);
}

void
bddf_make_series(struct bddf_dialect dialect, uint32_t index,
    struct slv_span ident, uint64_t hash, uint32_t n_names, struct slv_buf *out)
{
	struct slv_buf series = { 0 };
	char name[32];

	bddf_put_number(&series, FIELD(SeriesDescriptor, series_index), index);
	slv_wire_text(
	    &series, FIELD(SeriesDescriptor, series_identifier), ident);
	bddf_put_number(
	    &series, FIELD(SeriesDescriptor, identifier_hash), hash);
	put_pair(&series, FIELD(SeriesDescriptor, annotations), NOTE_KEY,
	    "the declaration of this series was lost; its type is not known");
	for (uint32_t i = 0; i < n_names; i++) {
		snprintf(name, sizeof(name), "salvor:lost-%u", i);
		slv_wire_text(&series,
		    FIELD(SeriesDescriptor, additional_index_names),
		    text(name));
	}
	put_block(out, dialect, BDDF_SERIES, &series);
}

void
bddf_make_ident(uint32_t index, struct slv_buf *out, uint64_t *hash)
{
	static const char type[] = "salvor:lost-series";
	static const char key[] = "salvor:series-index";
	struct slv_digest d;
	uint8_t bytes[SLV_DIGEST_MAX];
	char value[16];
	int n = snprintf(value, sizeof(value), "%u", index);

	slv_wire_text(out, FIELD(SeriesIdentifier, series_type), text(type));
	put_pair(out, FIELD(SeriesIdentifier, spec), key, value);
	slv_digest_init(&d, SLV_SHA1);
	slv_digest_add(&d, type, sizeof(type) - 1);
	slv_digest_add(&d, key, sizeof(key) - 1);
	slv_digest_add(&d, value, (size_t)n);
	slv_digest_get(&d, bytes);
	*hash = 0;
	for (int i = 0; i < 8; i++)
		*hash = *hash << 8 | bytes[i];
}
