/* mcap_names.c - which messages of a chunk the index after it names. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/search.h"
#include "base/sort.h"
#include "formats/mcap/mcap_state.h"

static int
compare(const void *a, const void *b)
{
	const struct mcap_named *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static enum slv_status
read_index(const struct slv_scan *s, uint64_t off, const struct mcap_record *r,
    struct mcap_names *out, struct slv_err *err)
{
	size_t n = (size_t)(r->v[MCAP_DATA] / MCAP_ENTRY);
	const uint8_t *p;

	SLV_TRY(
	    slv_grow(&out->at, &out->cap, out->n + n, sizeof(*out->at), err));
	off += r->at[MCAP_DATA];
	for (size_t i = 0; i < n; i++, off += MCAP_ENTRY) {
		SLV_TRY(slv_window_view(s->window, off, MCAP_ENTRY, &p, err));
		out->at[out->n++] = (struct mcap_named){ slv_get_le64(p + 8),
			slv_get_le64(p), (uint16_t)r->v[MCAP_ID] };
	}
	return SLV_OK;
}

enum slv_status
mcap_names_read(const struct slv_scan *s, uint64_t off, size_t max,
    struct mcap_names *out, struct slv_err *err)
{
	out->n = 0;
	while (off < s->logical_end) {
		struct mcap_record r;
		bool yes;

		SLV_TRY(mcap_look_strict(s, off, &r, &yes, err));
		if (!yes || r.op != MCAP_MESSAGE_INDEX
		    || r.v[MCAP_DATA] / MCAP_ENTRY > max - out->n)
			break;
		SLV_TRY(read_index(s, off, &r, out, err));
		off += mcap_span(&r);
	}
	slv_sort(out->at, out->n, sizeof(*out->at), compare);
	return SLV_OK;
}

const struct mcap_named *
mcap_names_place(const struct mcap_names *names, uint64_t offset)
{
	struct slv_search f = { .high = names->n };

	while (slv_search(&f))
		slv_search_on(&f, names->at[f.mid].offset < offset);
	return f.low < names->n && names->at[f.low].offset == offset
	    ? &names->at[f.low]
	    : NULL;
}

bool
mcap_names_tell(
    const struct mcap_names *names, uint64_t offset, uint16_t id, uint64_t time)
{
	const struct mcap_named *x = mcap_names_place(names, offset);

	return x != NULL && x->id == id && x->time == time;
}
