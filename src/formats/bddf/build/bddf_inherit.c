/* bddf_inherit.c - what a proof need not read again.
 *
 * Where the output begins with the whole data part of the input, as it is,
 * another walk over the same bytes would learn the same.  What is new is the
 * index after them, and that is read.
 */
#include "base/mem.h"
#include "formats/bddf/bddf_state.h"

/* Whether the first scan kept all before the index, each byte at its place. */
static bool
is_whole(const struct slv_scan *first)
{
	const struct slv_catalog *c = &first->catalog;
	uint64_t end = ((const struct bddf *)first->state)->data_end;

	for (size_t i = 0; i < c->n && c->at[i].off < end; i++) {
		if (c->at[i].fate != SLV_KEPT)
			return false;
	}
	return bddf_stays(first);
}

enum slv_status
bddf_inherit(
    struct slv_scan *s, uint64_t upto, uint64_t *end, struct slv_err *err)
{
	const struct bddf *ref = s->reference->state;
	struct bddf *b = bddf_edit(s);

	*end = 0;
	if (upto < ref->data_end || !is_whole(s->reference))
		return SLV_OK;
	SLV_TRY(slv_grow(&b->series, &b->cap_series, ref->n_series + 1,
	    sizeof(*b->series), err));
	for (size_t i = 0; i < ref->n_series; i++) {
		const struct bddf_series *from = &ref->series[i];

		b->series[i] = (struct bddf_series){
			.declared = true,
			.block = from->block,
			.ident = from->ident,
			.hash = from->hash,
			.hash_odd = from->hash_odd,
			.n_names = from->n_names,
			.n = from->n,
			.bytes = from->bytes,
			.from = from->from,
			.to = from->to,
		};
	}
	b->n_series = ref->n_series;
	b->n_declared = ref->n_declared;
	b->first = ref->first;
	b->file = ref->file;
	b->data_end = ref->data_end;
	*end = ref->data_end;
	return SLV_OK;
}
