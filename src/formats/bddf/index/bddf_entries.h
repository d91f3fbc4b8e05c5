/* bddf_entries.h - a SeriesBlockIndex, entry by entry, and a place among the
 * entries that a scan took down.
 *
 * An index may be larger than memory, so it is walked and not loaded.
 */
#ifndef SLV_FORMATS_BDDF_ENTRIES_H
#define SLV_FORMATS_BDDF_ENTRIES_H

#include "formats/bddf/bddf_state.h"
#include "formats/bddf/read/bddf_proto.h"

/* A SeriesBlockIndex while it is read. */
struct bddf_entries {
	uint64_t index, descriptor, total; /* its fields, as far as read */
	uint64_t base; /* of the log: offsets are handed out with it added */
	struct bddf_entry entry; /* the present one; off in this source */
	uint64_t n_extra;        /* additional indexes of it so far */

	/* An additional index; n_extra does not count it yet.  NULL: nobody
	 * asks. */
	void (*extra)(struct bddf_entries *, uint64_t value);
	/* An entry begins here: how many bytes from there on are entries that
	 * need no more than this look?  NULL: none. */
	size_t (*many)(struct bddf_entries *, const struct bddf_field *);
	/* The entry is complete. */
	void (*done)(struct bddf_entries *);
	void *ctx;
};

/* Read the body of a SeriesBlockIndex block.  The functions must not use the
 * window. */
enum slv_status bddf_entries_read(struct slv_window *, struct bddf_range body,
    struct bddf_entries *, enum bddf_read *, struct slv_err *);

/* The same, of some fields of a SeriesBlockIndex in memory. */
enum slv_status bddf_entries_memory(const uint8_t *bytes, size_t n,
    struct bddf_entries *, enum bddf_read *, struct slv_err *);

/* Take a field of a DescriptorBlock that is walked: of its SeriesBlockIndex. */
void bddf_entries_field(struct bddf_entries *, const struct bddf_field *);

/* A SeriesBlockIndex that is compared with the scan's entries of its series
 * while it is read: what is in `entries`, or goes by its fields. */
struct bddf_check {
	struct bddf_entries entries;
	const struct bddf *ref;      /* holds the scan's */
	const struct slv_plan *plan; /* what is proven; NULL: no proof */
	struct bddf_cursor cursor;
	uint64_t index; /* the series: what it says in front of its entries */
	uint64_t known; /* entries that it has */
	bool begun, same;
	uint64_t n_more; /* entries behind those, the first of them: */
	struct bddf_entry one;
	bool unsure; /* it has additional indexes, which nobody keeps */
	struct slv_hasher *hasher; /* borrowed; goes along; NULL: none does */
};

void bddf_check_begin(struct bddf_check *, const struct slv_scan *);

/* The series is known, whatever it says. */
void bddf_check_with(struct bddf_check *, uint64_t index);

/* All is read; `well` says whether it was well-formed. */
struct bddf_compared bddf_check_end(struct bddf_check *, bool well);

#endif
