/* mcap_encode.c - all from DataEnd on, made from what is known. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/sort.h"
#include "digest/crc32.h"
#include "formats/mcap/build/mcap_make.h"
#include "formats/mcap/summary/mcap_summary.h"

struct encoding {
	struct slv_scan *scan;
	const struct mcap *mcap;
	struct mcap_style style;
	uint64_t base; /* where the buffer begins in the output */
	struct slv_buf *out;
	struct mcap_ranks ranks;
	uint32_t *decls; /* owned; positions of declarations, in order */
	size_t n_decls;
	struct {
		unsigned op;
		uint64_t at, len;
	} groups[MCAP_OPS];
	size_t n_groups;
};

static uint64_t
where(const struct encoding *x)
{
	return x->base + x->out->len;
}

static int
compare_ids(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The declarations in their order: by number, or as they came. */
static enum slv_status
order_decls(struct encoding *x, struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	uint64_t *keys = slv_calloc(m->n_decls + 1, sizeof(*keys));

	x->decls = slv_calloc(m->n_decls + 1, sizeof(*x->decls));
	if (keys == NULL || x->decls == NULL) {
		slv_free(keys);
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		if (!mcap_decl_is_usable(m, d))
			continue;
		keys[x->n_decls++] =
		    (x->style.as_came ? (uint64_t)0 : (uint64_t)d->id << 32)
		    | i;
	}
	slv_sort(keys, x->n_decls, sizeof(*keys), compare_ids);
	for (size_t i = 0; i < x->n_decls; i++)
		x->decls[i] = (uint32_t)keys[i];
	slv_free(keys);
	return SLV_OK;
}

static enum slv_status
put_decls(struct encoding *x, unsigned op, struct slv_err *err)
{
	const struct mcap *m = x->mcap;

	(void)err;
	for (size_t i = 0; i < x->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[x->decls[i]];

		if (d->op == op)
			slv_buf_add(x->out, m->texts.at + d->text, d->len);
	}
	return SLV_OK;
}

static enum slv_status
put_schemas(struct encoding *x, struct slv_err *err)
{
	return put_decls(x, MCAP_SCHEMA, err);
}

static enum slv_status
put_channels(struct encoding *x, struct slv_err *err)
{
	return put_decls(x, MCAP_CHANNEL, err);
}

/* How many messages of each channel are in the output. */
static enum slv_status
count_all(const struct encoding *x, struct mcap_count **out, size_t *n,
    struct slv_err *err)
{
	const struct mcap *m = x->mcap;

	*n = 0;
	*out = slv_calloc(m->n_decls + 1, sizeof(**out));
	if (*out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	for (size_t order = 0; order < m->n_used; order++) {
		/* Rows are in the order of first messages. */
		(*out)[order].decl = UINT32_MAX;
	}
	for (size_t i = 0; i < m->n_decls; i++) {
		const struct mcap_decl *d = &m->decls[i];

		if (d->op == MCAP_CHANNEL && d->n > 0 && d->written > 0)
			(*out)[d->order] =
			    (struct mcap_count){ (uint32_t)i, d->written, 0 };
	}
	for (size_t i = 0; i < m->n_used; i++) {
		if ((*out)[i].decl != UINT32_MAX)
			(*out)[(*n)++] = (*out)[i];
	}
	return SLV_OK;
}

static enum slv_status
put_counts(struct encoding *x, const struct mcap_count *counts, size_t n,
    size_t used, bool map, struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	uint32_t *order = slv_calloc(n + 1, sizeof(*order));
	enum slv_status st = order == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : mcap_channel_order(
	        m, &x->style, &x->ranks, counts, n, used, map, order, err);

	slv_buf_put32(x->out, (uint32_t)(n * MCAP_COUNT));
	for (size_t i = 0; st == SLV_OK && i < n; i++) {
		const struct mcap_count *c = &counts[order[i]];

		slv_buf_put16(x->out, m->decls[c->decl].id);
		slv_buf_put64(x->out, map ? c->index : c->n);
	}
	slv_free(order);
	return st;
}

static enum slv_status
put_statistics(struct encoding *x, struct slv_err *err)
{
	const struct mcap *m = x->mcap;
	uint64_t chunks = 0, n[MCAP_OPS] = { 0 };
	struct mcap_count *counts;
	enum slv_status st;
	size_t at, n_counts;

	for (size_t i = 0; i < m->n_chunks; i++)
		chunks += m->chunks[i].out_len > 0;
	for (size_t i = 0; i < m->n_extras; i++)
		n[m->extras[i].op]++;
	for (size_t i = 0; i < x->n_decls; i++)
		n[m->decls[x->decls[i]].op]++;
	SLV_TRY(count_all(x, &counts, &n_counts, err));
	at = mcap_begin_record(x->out, MCAP_STATISTICS);
	slv_buf_put64(x->out, m->planned);
	slv_buf_put16(x->out, (uint16_t)n[MCAP_SCHEMA]);
	slv_buf_put32(x->out, (uint32_t)n[MCAP_CHANNEL]);
	slv_buf_put32(x->out, (uint32_t)n[MCAP_ATTACHMENT]);
	slv_buf_put32(x->out, (uint32_t)n[MCAP_METADATA]);
	slv_buf_put32(x->out, (uint32_t)chunks);
	slv_buf_put64(x->out, m->planned > 0 ? m->planned_from : 0);
	slv_buf_put64(x->out, m->planned > 0 ? m->planned_to : 0);
	st = put_counts(x, counts, n_counts, m->n_used, false, err);
	mcap_end_record(x->out, at);
	slv_free(counts);
	return st;
}

static enum slv_status
put_chunk_index(
    struct encoding *x, const struct mcap_chunk *c, struct slv_err *err)
{
	const char *name = mcap_codec_name(c->out_codec);
	bool some = c->out_messages > 0;
	size_t at = mcap_begin_record(x->out, MCAP_CHUNK_INDEX);

	slv_buf_put64(x->out, some ? c->out_from : 0);
	slv_buf_put64(x->out, some ? c->out_to : 0);
	slv_buf_put64(x->out, c->out);
	slv_buf_put64(x->out, c->out_len);
	SLV_TRY(put_counts(x,
	    c->n_out_counts > 0 ? x->mcap->out_counts + c->out_count : NULL,
	    c->n_out_counts, c->n_used, true, err));
	slv_buf_put64(x->out, c->out_index_len);
	mcap_put_text(
	    x->out, (struct slv_span){ (const uint8_t *)name, strlen(name) });
	slv_buf_put64(x->out, c->out_stored);
	slv_buf_put64(x->out, c->out_size);
	mcap_end_record(x->out, at);
	return SLV_OK;
}

static enum slv_status
put_chunk_indexes(struct encoding *x, struct slv_err *err)
{
	for (size_t i = 0; i < x->mcap->n_chunks; i++) {
		if (x->mcap->chunks[i].out_len > 0
		    && !x->mcap->chunks[i].strange)
			SLV_TRY(put_chunk_index(x, &x->mcap->chunks[i], err));
	}
	return SLV_OK;
}

/* A text of a record in the input. */
static enum slv_status
copy_text(struct encoding *x, uint64_t off, const struct mcap_record *r,
    enum mcap_field field, struct slv_err *err)
{
	const uint8_t *p;

	SLV_TRY(slv_window_view(
	    x->scan->window, off + r->at[field], (size_t)r->v[field], &p, err));
	mcap_put_text(x->out, (struct slv_span){ p, (size_t)r->v[field] });
	return SLV_OK;
}

/* The indexes of attachments, or of metadata. */
static enum slv_status
put_extras(struct encoding *x, unsigned op, struct slv_err *err)
{
	const struct mcap *m = x->mcap;

	for (size_t i = 0; i < m->n_extras; i++) {
		const struct mcap_extra *e = &m->extras[i];
		struct mcap_record r;
		size_t at;

		if (e->op != op)
			continue;
		SLV_TRY(
		    mcap_look_again(x->scan, e->off, e->off + e->len, &r, err));
		at = mcap_begin_record(x->out, op + 1);
		slv_buf_put64(x->out, e->out);
		slv_buf_put64(x->out, e->len);
		if (op == MCAP_ATTACHMENT) {
			slv_buf_put64(x->out, r.v[MCAP_LOG_TIME]);
			slv_buf_put64(x->out, r.v[MCAP_PUBLISH]);
			slv_buf_put64(x->out, r.v[MCAP_DATA]);
		}
		SLV_TRY(copy_text(x, e->off, &r, MCAP_NAME, err));
		if (op == MCAP_ATTACHMENT)
			SLV_TRY(copy_text(x, e->off, &r, MCAP_ENCODING, err));
		mcap_end_record(x->out, at);
	}
	return SLV_OK;
}

static enum slv_status
put_attachments(struct encoding *x, struct slv_err *err)
{
	return put_extras(x, MCAP_ATTACHMENT, err);
}

static enum slv_status
put_metadata(struct encoding *x, struct slv_err *err)
{
	return put_extras(x, MCAP_METADATA, err);
}

static enum slv_status (*const groups[MCAP_OPS])(
    struct encoding *, struct slv_err *) = {
	[MCAP_SCHEMA] = put_schemas,
	[MCAP_CHANNEL] = put_channels,
	[MCAP_STATISTICS] = put_statistics,
	[MCAP_CHUNK_INDEX] = put_chunk_indexes,
	[MCAP_ATTACHMENT_INDEX] = put_attachments,
	[MCAP_METADATA_INDEX] = put_metadata,
};

static void
put_offsets(struct encoding *x)
{
	for (size_t i = 0; i < x->n_groups; i++) {
		size_t at;

		if (x->groups[i].len == 0 && !x->style.empty_offsets)
			continue;
		at = mcap_begin_record(x->out, MCAP_SUMMARY_OFFSET);
		slv_buf_add(x->out, &(uint8_t){ (uint8_t)x->groups[i].op }, 1);
		slv_buf_put64(x->out, x->groups[i].at);
		slv_buf_put64(x->out, x->groups[i].len);
		mcap_end_record(x->out, at);
	}
}

static void
put_footer(struct encoding *x, size_t from, uint64_t start, uint64_t offsets)
{
	size_t at = mcap_begin_record(x->out, MCAP_FOOTER);
	uint32_t crc = 0;

	slv_buf_put64(x->out, start);
	slv_buf_put64(x->out, offsets);
	/* The checksum covers the length of the footer, too. */
	if (!x->out->failed)
		slv_put_le64(x->out->at + at - 8, MCAP_FOOTER_SIZE - MCAP_HEAD);
	if (x->style.summary_sum && !x->out->failed)
		crc = slv_crc32(0, x->out->at + from, x->out->len - from);
	slv_buf_put32(x->out, crc);
	mcap_end_record(x->out, at);
	slv_buf_add(x->out, MCAP_MAGIC, MCAP_MAGIC_SIZE);
}

static enum slv_status
encode(struct encoding *x, uint32_t data_crc, struct slv_err *err)
{
	uint64_t start, offsets;
	size_t from;

	SLV_TRY(order_decls(x, err));
	mcap_make_data_end(x->out, data_crc);
	from = x->out->len;
	start = where(x);
	for (const uint8_t *op = x->style.groups; *op != 0; op++) {
		uint64_t at = where(x);

		SLV_TRY(groups[*op](x, err));
		x->groups[x->n_groups].op = *op;
		x->groups[x->n_groups].at = at;
		x->groups[x->n_groups++].len = where(x) - at;
	}
	offsets = where(x);
	put_offsets(x);
	put_footer(x, from, start, offsets);
	return x->out->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                      : SLV_OK;
}

enum slv_status
mcap_summary_make(struct slv_scan *s, uint64_t at, uint32_t data_crc,
    struct slv_buf *out, struct slv_err *err)
{
	struct encoding x = {
		.scan = s,
		.mcap = mcap_of(s),
		.style = mcap_style_of(mcap_of(s)),
		.base = at - out->len,
		.out = out,
	};
	enum slv_status st = encode(&x, data_crc, err);

	slv_free(x.decls);
	mcap_ranks_free(&x.ranks);
	return st;
}
