/* cutting.h - a log with only some of its records, or with those of several logs.
 *
 * What is kept of them is put together without an index, like a log of a recorder that
 * was stopped; a repair of that adds the rest.  So a driver only has to say how records
 * are put together.
 */
#ifndef SLV_CORE_CUTTING_H
#define SLV_CORE_CUTTING_H

#include "base/buf.h"
#include "base/bytes.h"

struct slv_scan;

/* The records of a chunk. */
struct slv_cut_chunk {
	const struct slv_buf *content; /* with the declarations among them */
	uint64_t records;
	uint64_t from, to; /* their times, in ns since 1970 */
};

/* What a channel is called in a log that is made of several. */
struct slv_numbers {
	uint32_t channel;
	uint32_t schema; /* 0: it has none that has a number */
};

struct slv_cutting {
	/* The records of several logs can be in one. */
	bool joins;

	/* Two channels never have the same name: records know theirs by it. */
	bool named;

	/* Records of one time are taken together: there is no choice of
	 * channels. */
	bool whole;

	/* Records can be in any order: nothing between them depends on where
	 * it is. */
	bool sorts;

	/* Declarations are in chunks, next to the records. */
	bool declares_inside;

	/* Declarations stay, also of channels that have no records.  Numbers of
	 * channels have no gaps. */
	bool declares_all;

	/* Where a declaration was lost, a repair declares a channel of which
	 * nothing but the name is known. */
	bool has_placeholders;

	/* Times are in the payloads, and what they count from is in one record:
	 * they count from something else if it is gone. */
	bool dated_by_record;

	/* Append what precedes all else.  NULL: that is an item of the log. */
	void (*begin)(struct slv_buf *);

	/* Return true if a payload may have become this other one of the same
	 * length, because records after it are gone.  NULL: it stays as it
	 * is. */
	bool (*ends_in)(const uint8_t *was, const uint8_t *is, size_t len);

	/* The bytes are a record up to its payload, a declaration or a schema:
	 * give it these numbers; of a schema, ->schema.  The scan is that of
	 * the log which has it.  NULL: they are not in there.
	 *
	 * SLV_E_LIMIT: the format has no such numbers */
	enum slv_status (*renumber)(const struct slv_scan *, struct slv_buf *,
	    const struct slv_numbers *, struct slv_err *);

	/* Append a chunk, not compressed.  NULL: there are no chunks. */
	enum slv_status (*chunk)(
	    const struct slv_cut_chunk *, struct slv_buf *, struct slv_err *);
};

#endif
