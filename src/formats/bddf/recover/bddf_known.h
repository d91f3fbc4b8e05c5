/* bddf_known.h - what the surviving indexes say about places.
 *
 * A BDDF log stores nearly everything about its blocks in two places: offset,
 * series, time and additional indexes are in the index as well.  If the data
 * part is damaged, the index is the other evidence.
 */
#ifndef SLV_FORMATS_BDDF_KNOWN_H
#define SLV_FORMATS_BDDF_KNOWN_H

#include "formats/bddf/bddf_state.h"

enum bddf_known_kind {
	BDDF_K_FIRST,        /* the first block */
	BDDF_K_SERIES,       /* a SeriesDescriptor */
	BDDF_K_DATA,         /* a data block */
	BDDF_K_SERIES_INDEX, /* a SeriesBlockIndex */
	BDDF_K_FILE_INDEX,   /* the FileIndex */
	BDDF_K_END,          /* the end block */
	BDDF_K_UNSURE,       /* something: two entries claim the place */
};

/* A place where a block begins. */
struct bddf_known {
	uint64_t off;
	enum bddf_known_kind kind;
	bool found; /* the scan has the same block there */
	uint32_t series;
	struct bddf_entry entry; /* of data; its `extra` is in our pool */
};

struct bddf_knowledge {
	struct bddf_known *at; /* owned; sorted by offset: all that the scan has
			        * not found, and of those found the ones where
			        * another extent of the catalog begins, or
			        * orphans end */
	size_t n, cap;
	struct bddf_pool extras; /* as in struct bddf */
	uint64_t *orphans;       /* owned; in order: blocks that the index of
				  * their series does not name */
	size_t n_orphans, cap_orphans;
	struct slv_moment *missed; /* owned; in order: times of the data blocks
				    * that the scan has not found where the
				    * indexes have them; with orphans */
	size_t n_missed;
	struct slv_moment *astray; /* owned; in order: times of the orphans */
	size_t n_astray, cap_astray;
	uint64_t agreed; /* entries that the scan confirms */
	uint64_t odd;    /* entries that it contradicts */
	bool full;       /* there were more places than any index has */

	bool whole; /* every series has its index, which is readable; otherwise
		     * some entries may come from damaged index blocks */

	/* Every series has its index, and they agree with the scan wherever
	 * both have evidence: the rest of them can be trusted, and no block
	 * begins where they name none. */
	bool complete;
};

/* Read all SeriesBlockIndexes that the scan accepted.  Free the result, also
 * after a failure. */
enum slv_status bddf_know(
    struct slv_scan *, struct bddf_knowledge *, struct slv_err *);

/* The first place at or after off; k->n: there is none. */
size_t bddf_known_from(const struct bddf_knowledge *, uint64_t off);

/* What is known to begin at off; NULL: nothing, or nothing relevant. */
const struct bddf_known *bddf_known_at(
    const struct bddf_knowledge *, uint64_t off);

/* bddf_denied.c - exclude the blocks that no index names, if the indexes can be
 * trusted. */
enum slv_status bddf_denied(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

/* The same file - set the missed times, and sort those of the orphans. */
enum slv_status bddf_list_missed(struct bddf_knowledge *, struct slv_err *);

/* Return true if a block of this time is missed: a block with this time may be
 * that one, at another place. */
bool bddf_known_missed(const struct bddf_knowledge *, struct slv_moment);

/* Return true if an orphan has this time: a missed block with this time may be
 * that one, and is not missing. */
bool bddf_known_astray(const struct bddf_knowledge *, struct slv_moment);

/* bddf_odd.c - return true if the block that the scan has at off has a
 * DataDescriptor that few writers write. */
bool bddf_odd_at(const struct bddf *, uint64_t off);

/* The same file - exclude the blocks with a DataDescriptor that the log's
 * writer does not write and that no index has. */
enum slv_status bddf_odd_judge(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

/* Return true if the block that the scan has at off is not in the index of its
 * series. */
bool bddf_known_orphan(const struct bddf_knowledge *, uint64_t off);

/* The bytes with which a block must begin: its header, and for data the
 * DataDescriptor.  `next` is the offset of the next block, 0 = not known.
 * Leaves the buffer empty if they are unknown. */
void bddf_known_head(struct bddf_dialect, const struct bddf_knowledge *,
    const struct bddf_known *, uint64_t next, struct slv_buf *head);

/* bddf_witness.c - a block and its index entry differ in one bit, and nothing
 * else is wrong: is the entry right?  *yes = false if that is unknown, or if
 * *looked counts more entries than BDDF_LOOKS. */
enum slv_status bddf_index_right(struct slv_scan *,
    const struct bddf_knowledge *, const struct bddf_known *, uint64_t *looked,
    bool *yes, struct slv_err *);

/* bddf_known.c - add a place; one that the scan has too only if it is the edge
 * of something else. */
enum slv_status bddf_know_place(struct slv_scan *, struct bddf_knowledge *,
    const struct bddf_known *, struct slv_err *);

/* bddf_loose.c - add the entries of index blocks that do not parse. */
enum slv_status bddf_loose(
    struct slv_scan *, struct bddf_knowledge *, struct slv_err *);

/* bddf_contested.c - report the kept blocks that an index contradicts, and
 * count them as unsure. */
enum slv_status bddf_contested(struct slv_scan *, struct slv_err *);

void bddf_knowledge_free(struct bddf_knowledge *);

#endif
