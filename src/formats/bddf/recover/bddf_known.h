/* bddf_known.h - what the surviving indexes say stood where.
 *
 * A BDDF log stores nearly everything about its blocks twice: where each
 * begins, its series, time and additional indexes stand in the index as well.
 * Where the data part was hit, this is the other witness.
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
	struct bddf_known *at; /* owned; by offset: all that the scan has not
	                        * found, and of those found the ones where
	                        * another extent of the catalog begins, or
	                        * orphans end */
	size_t n, cap;
	struct bddf_pool extras; /* as struct bddf's */
	uint64_t *orphans;       /* owned; in order: where blocks begin that
	                          * the index of their series does not name */
	size_t n_orphans, cap_orphans;
	struct slv_moment *missed; /* owned; in order: times of the blocks of
	                            * data that the scan has not found where
	                            * the indexes have them; with orphans */
	size_t n_missed;
	struct slv_moment *astray; /* owned; in order: times of the orphans */
	size_t n_astray, cap_astray;
	uint64_t agreed; /* entries that the scan confirms */
	uint64_t odd;    /* that it contradicts */
	bool full;       /* there were more places than any index has */

	bool whole; /* every series has its index, which can be read; else
	             * some entries may be those of damaged index blocks */

	/* Every series has its index and they agree with the scan wherever it
	 * can tell: what they say of the rest is to be believed, and no block
	 * begins where they name none. */
	bool complete;
};

/* Ask all SeriesBlockIndexes that the scan accepted.  The knowledge must be
 * freed, also after a failure. */
enum slv_status bddf_know(
    struct slv_scan *, struct bddf_knowledge *, struct slv_err *);

/* The first place at or behind off; k->n: there is none. */
size_t bddf_known_from(const struct bddf_knowledge *, uint64_t off);

/* What is known to begin at off; NULL: nothing, or nothing of interest. */
const struct bddf_known *bddf_known_at(
    const struct bddf_knowledge *, uint64_t off);

/* bddf_denied.c - set aside the blocks that no index names, where the indexes
 * can be believed. */
enum slv_status bddf_denied(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

/* The same file - fill in the times that are missed, and sort those of the
 * orphans. */
enum slv_status bddf_list_missed(struct bddf_knowledge *, struct slv_err *);

/* Whether a block of this time is missed: then one of this time may be that one,
 * at another place. */
bool bddf_known_missed(const struct bddf_knowledge *, struct slv_moment);

/* Whether an orphan has this time: then a block of this time that is missed may be
 * that one, and is not missing. */
bool bddf_known_astray(const struct bddf_knowledge *, struct slv_moment);

/* bddf_odd.c - whether the block that the scan has at off has a DataDescriptor
 * that few writers write. */
bool bddf_odd_at(const struct bddf *, uint64_t off);

/* The same file - exclude the blocks with a DataDescriptor that the log's writer
 * does not write and that no index has. */
enum slv_status bddf_odd_judge(struct slv_scan *, const struct bddf_knowledge *,
    struct slv_mends *, struct slv_err *);

/* Whether the block that the scan has at off is not in the index of its
 * series. */
bool bddf_known_orphan(const struct bddf_knowledge *, uint64_t off);

/* The bytes that a block must begin with: its header, and of data the
 * DataDescriptor; `next` is where the block behind it begins, 0 = not known.
 * Leaves the buffer empty where they cannot be told. */
void bddf_known_head(struct bddf_dialect, const struct bddf_knowledge *,
    const struct bddf_known *, uint64_t next, struct slv_buf *head);

/* bddf_witness.c - a block and its index entry differ in one bit and nothing
 * else is wrong: is the entry right?  *yes = false where nobody can tell, or
 * more entries were *looked at than BDDF_LOOKS. */
enum slv_status bddf_index_right(struct slv_scan *,
    const struct bddf_knowledge *, const struct bddf_known *, uint64_t *looked,
    bool *yes, struct slv_err *);

/* bddf_known.c - take a place down: one that the scan has too only where it helps,
 * at the edge of something else. */
enum slv_status bddf_know_place(struct slv_scan *, struct bddf_knowledge *,
    const struct bddf_known *, struct slv_err *);

/* bddf_loose.c - take down the entries of index blocks that do not parse. */
enum slv_status bddf_loose(
    struct slv_scan *, struct bddf_knowledge *, struct slv_err *);

/* bddf_contested.c - report the kept blocks that an index contradicts, and count
 * them as unsure. */
enum slv_status bddf_contested(struct slv_scan *, struct slv_err *);

void bddf_knowledge_free(struct bddf_knowledge *);

#endif
