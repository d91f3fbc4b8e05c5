/* bddf_head.c - the bytes that a block must begin with, going by the index.
 *
 * As the vendor's writer has them: fields in order of their numbers, zeros
 * left out, lists packed.
 */
#include "formats/bddf/build/bddf_write.h"
#include "formats/bddf/recover/bddf_known.h"

#define TAG_LEN(tag) ((tag) << 3 | 2)
#define DATA_HEAD    (BDDF_HEADER_SIZE + 4)
#define EXTRAS_MAX   256 /* of a block whose head is worth mending */

static void
put_byte(struct slv_buf *out, unsigned byte)
{
	slv_buf_add(out, &(uint8_t){ (uint8_t)byte }, 1);
}

static void
put_header(struct slv_buf *out, struct bddf_dialect dialect,
    enum bddf_type type, uint64_t size)
{
	uint8_t header[BDDF_HEADER_SIZE];

	bddf_head_put(
	    dialect, (struct bddf_head){ .type = type, .size = size }, header);
	slv_buf_add(out, header, sizeof(header));
}

static void
put_data_descriptor(struct slv_buf *out, const struct bddf_pool *extras,
    uint32_t series, const struct bddf_entry *e, uint64_t n_extra)
{
	struct slv_buf part = { 0 };

	bddf_put_number(out, 1, series);
	if (e->nanos != BDDF_NO_TIME) {
		bddf_put_number(&part, 1, (uint64_t)e->sec);
		bddf_put_number(&part, 2, e->nanos);
		slv_wire_message(out, 2, &part);
	}
	for (uint64_t i = 0; i < n_extra; i++)
		slv_wire_varint(
		    &part, (uint64_t)bddf_pool_at(extras, e->extra + i));
	if (n_extra > 0)
		slv_wire_message(out, 3, &part);
}

static void
put_data_head(struct bddf_dialect dialect, uint64_t block_size,
    const struct slv_buf *descriptor, struct slv_buf *out)
{
	uint8_t size[8];

	put_header(out, dialect, BDDF_DATA, block_size);
	slv_put_le64(size, descriptor->len);
	slv_buf_add(out, size, 4);
	slv_buf_add(out, descriptor->at, descriptor->len);
	out->failed |= descriptor->failed;
}

static void
data_head(struct bddf_dialect dialect, const struct bddf_knowledge *k,
    const struct bddf_known *one, uint64_t next, struct slv_buf *out)
{
	uint64_t n_extra = one->entry.extra != 0
	    ? (uint64_t)bddf_pool_at(&k->extras, one->entry.extra - 1)
	    : 0;
	struct slv_buf descriptor = { 0 };

	if (n_extra > EXTRAS_MAX)
		return;
	put_data_descriptor(
	    &descriptor, &k->extras, one->series, &one->entry, n_extra);
	if (next - one->off >= DATA_HEAD + descriptor.len)
		put_data_head(
		    dialect, next - one->off - DATA_HEAD, &descriptor, out);
	slv_buf_free(&descriptor);
}

void
bddf_make_data(struct bddf_dialect dialect, const struct bddf *from,
    const struct bddf_entry *e, uint32_t series, uint64_t payload,
    struct slv_buf *out)
{
	struct slv_buf descriptor = { 0 };

	put_data_descriptor(
	    &descriptor, &from->extras, series, e, bddf_extras(from, e));
	put_data_head(dialect, descriptor.len + payload, &descriptor, out);
	slv_buf_free(&descriptor);
}

/* A descriptor block of a size has one way to write its outer tag and
 * length. */
static void
descriptor_head(struct bddf_dialect dialect, const struct bddf_known *one,
    uint64_t next, unsigned member, struct slv_buf *out)
{
	uint64_t size = next - one->off - BDDF_HEADER_SIZE, inner = 0;
	bool fits = false;

	for (size_t n = 1; n <= 10 && !fits && size > n; n++) {
		inner = size - 1 - n;
		fits = bddf_varint_size(inner) == n;
	}
	if (!fits)
		return;
	put_header(out, dialect, BDDF_DESCRIPTOR, size);
	put_byte(out, TAG_LEN(member));
	slv_wire_varint(out, inner);
	if (one->kind == BDDF_K_SERIES)
		bddf_put_number(out, 1, one->series);
}

void
bddf_known_head(struct bddf_dialect dialect, const struct bddf_knowledge *k,
    const struct bddf_known *one, uint64_t next, struct slv_buf *head)
{
	static const unsigned members[] = {
		[BDDF_K_FIRST] = BDDF_FILE,
		[BDDF_K_SERIES] = BDDF_SERIES,
		[BDDF_K_SERIES_INDEX] = BDDF_SERIES_INDEX,
		[BDDF_K_FILE_INDEX] = BDDF_INDEX,
	};
	uint8_t header[BDDF_HEADER_SIZE];

	head->len = 0;
	if (one->kind == BDDF_K_END) {
		bddf_end_header(dialect, header);
		slv_buf_add(head, header, sizeof(header));
		return;
	}
	if (one->kind == BDDF_K_UNSURE
	    || next < one->off + BDDF_HEADER_SIZE + 2)
		return;
	if (one->kind == BDDF_K_DATA)
		data_head(dialect, k, one, next, head);
	else
		descriptor_head(dialect, one, next, members[one->kind], head);
}
