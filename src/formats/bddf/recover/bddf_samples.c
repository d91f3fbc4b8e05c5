/* bddf_samples.c - the whole samples of a cut block.
 *
 * The payload of a series of plain data is an array of samples of one size,
 * so what is before the cut of a block is good for as many as fit.  The
 * header is rewritten, and the block ends after the last of them.  Only on
 * request: what was recorded as one block is then handed out as a part of it.
 */
#include "formats/bddf/recover/bddf_samples.h"

#include "formats/bddf/read/bddf_proto.h"
#include "proto/bddf.pb.h"

#define DATA_HEAD (BDDF_HEADER_SIZE + 4)

/* The type of a series of plain data. */
struct pod {
	uint64_t element; /* bytes; 0: no such type */
	uint64_t sample;  /* bytes; 0: none, or too many to be true */
};

static uint64_t
element_size(uint64_t type)
{
	static const uint8_t sizes[] = { 0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8 };

	return type < sizeof(sizes) ? sizes[type] : 0;
}

static bool
visit(void *ctx, const struct bddf_field *f)
{
	struct pod *pod = ctx;

	if (f->in != bosdyn_api_PodTypeDescriptor_fields
	    || f->event != BDDF_VALUE)
		return true;
	if (f->tag == bosdyn_api_PodTypeDescriptor_pod_type_tag)
		pod->element = element_size(f->value);
	else if (f->tag == bosdyn_api_PodTypeDescriptor_dimension_tag)
		pod->sample = f->value <= UINT32_MAX / (pod->sample + 1)
		    ? pod->sample * f->value
		    : 0;
	return true;
}

/* Bytes of one sample of a series; 0: it has none, or the size is unknown. */
static enum slv_status
sample_size(
    struct slv_scan *s, uint32_t series, uint64_t *size, struct slv_err *err)
{
	const struct bddf *b = bddf_of(s);
	struct pod pod = { .sample = 1 };
	struct bddf_range block;
	enum bddf_read read;

	*size = 0;
	if (series >= b->n_series || !b->series[series].declared)
		return SLV_OK;
	block = b->series[series].block;
	SLV_TRY(bddf_walk(s->window, block.off + BDDF_HEADER_SIZE,
	    block.len - BDDF_HEADER_SIZE, bosdyn_api_DescriptorBlock_fields,
	    visit, &pod, &read, err));
	if (read == BDDF_WHOLE)
		*size = pod.element * pod.sample;
	return SLV_OK;
}

/* End of the readable bytes from off on: at an unreadable sector, at the zeros that reach
 * the end of the file, or at the end of the file. */
static uint64_t
known_end(const struct slv_scan *s, uint64_t off)
{
	const struct slv_range *r =
	    slv_ranges_from(&s->source->unreadable, off);
	uint64_t end = s->logical_end;

	return r == NULL ? end : slv_min64(end, slv_max64(r->off, off));
}

/* If the data block at off is cut, keep its complete samples. */
static enum slv_status
shorten(struct slv_scan *s, uint64_t off, const struct slv_unit *u,
    struct slv_mends *out, struct slv_err *err)
{
	struct bddf_dialect dialect = bddf_of(s)->dialect;
	struct slv_problem p = { .info = &bddf_problems[BDDF_P_SAMPLES] };
	uint8_t header[BDDF_HEADER_SIZE];
	struct bddf_head head;
	uint64_t payload, end = known_end(s, off), sample, stated;
	const uint8_t *bytes;
	uint32_t size;

	SLV_TRY(sample_size(s, u->channel, &sample, err));
	if (sample == 0 || end < off + DATA_HEAD)
		return SLV_OK;
	SLV_TRY(slv_window_view(s->window, off, DATA_HEAD, &bytes, err));
	head = bddf_head_get(dialect, bytes);
	size = slv_get_le32(bytes + BDDF_HEADER_SIZE);
	payload = off + DATA_HEAD + size;
	stated = head.size - size;
	if (end <= payload || end - payload >= stated
	    || (end - payload) / sample == 0)
		return SLV_OK;
	p.off = off;
	p.got = (end - payload) / sample;
	p.want = stated / sample;
	p.len = DATA_HEAD + size + p.got * sample;
	head.size = size + p.got * sample;
	bddf_head_put(dialect, head, header);
	SLV_TRY(slv_mends_add(out, off, header, sizeof(header), &p, err));
	return slv_ranges_add(&out->trusted, off, 1, err);
}

/* Try the blocks of a range that was left out, one after the other. */
static enum slv_status
visit_lost(struct slv_scan *s, const struct slv_extent *x,
    struct slv_mends *out, struct slv_err *err)
{
	uint64_t off = x->off, end = x->off + x->len;
	struct slv_unit u;

	for (; off < end && off < s->logical_end; off += u.len) {
		SLV_TRY(bddf_block(s, off, SLV_ASK_NEXT, &u, err));
		if (u.verdict != SLV_UNIT_BAD && bddf_is_data(&u)
		    && u.has_channel)
			SLV_TRY(shorten(s, off, &u, out, err));
		if (u.verdict != SLV_UNIT_GOOD)
			break;
	}
	return SLV_OK;
}

enum slv_status
bddf_samples(struct slv_scan *s, struct slv_mends *out, struct slv_err *err)
{
	for (size_t i = 0; i < s->catalog.n; i++) {
		if (s->catalog.at[i].fate == SLV_LOST)
			SLV_TRY(visit_lost(s, &s->catalog.at[i], out, err));
	}
	return SLV_OK;
}
