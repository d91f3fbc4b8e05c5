/* bddf_entries.h - a SeriesBlockIndex, entry by entry, and a place among the
 * entries of a scan.
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
	uint64_t base; /* of the log: added to the offsets that are reported */
	struct bddf_entry entry; /* the present one; off is in this source */
	uint64_t n_extra;        /* its additional indexes so far */

	/* An additional index; n_extra does not include it yet.  NULL: not
	 * wanted. */
	void (*extra)(struct bddf_entries *, uint64_t value);
	/* An entry begins here: how many bytes from there on are entries that
	 * need no further check?  NULL: none. */
	size_t (*many)(struct bddf_entries *, const struct bddf_field *);
	/* The entry is complete. */
	void (*done)(struct bddf_entries *);
	void *ctx;
};

/* Read the body of a SeriesBlockIndex block.  The functions must not use the
 * window. */
enum slv_status bddf_entries_read(struct slv_window *, struct bddf_range body,
    struct bddf_entries *, enum bddf_read *, struct slv_err *);

/* The same, for some fields of a SeriesBlockIndex in memory. */
enum slv_status bddf_entries_memory(const uint8_t *bytes, size_t n,
    struct bddf_entries *, enum bddf_read *, struct slv_err *);

/* Accept a field of a DescriptorBlock that is walked: of its
 * SeriesBlockIndex. */
void bddf_entries_field(struct bddf_entries *, const struct bddf_field *);

/* A SeriesBlockIndex that is compared with the scan's entries of its series
 * while it is read: its entries with `entries`, the rest by its fields. */
struct bddf_check {
	struct bddf_entries entries;
	const struct bddf *ref;      /* has the scan's entries */
	const struct slv_plan *plan; /* the plan in a proof; NULL: no proof */
	struct bddf_cursor cursor;
	uint64_t index; /* its series, by the field before its entries */
	uint64_t known; /* entries that it has */
	bool begun, same;
	uint64_t n_more; /* entries after those, the first of them: */
	struct bddf_entry one;
	bool unsure; /* it has additional indexes, which are not kept */
	struct slv_hasher *hasher; /* borrowed; hashes at the same time; NULL:
				    * none */
};

void bddf_check_begin(struct bddf_check *, const struct slv_scan *);

/* The series is known, whatever the index states. */
void bddf_check_with(struct bddf_check *, uint64_t index);

/* Everything is read; `well`: it was well-formed. */
struct bddf_compared bddf_check_end(struct bddf_check *, bool well);

#endif
