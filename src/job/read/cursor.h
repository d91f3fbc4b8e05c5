/* cursor.h - walk over the records of a log.
 *
 * What readers, and jobs that write records elsewhere, are made of.  Records come in
 * the order of the log, or one by one from known places.
 */
#ifndef SLV_JOB_CURSOR_H
#define SLV_JOB_CURSOR_H

#include "job/read/filter.h"
#include "job/read/log.h"

/* Where an item is. */
struct slv_spot {
	uint64_t
	    off; /* in what is read; of a record in a chunk, of the chunk */
	uint64_t inner; /* in the content of the chunk; SLV_UNPACKED */
};

#define SLV_CURSOR_PACKS 128 /* chunks that are kept */
#define SLV_CURSOR_KEPT                                                        \
	((size_t)64 << 20) /* bytes of them, at most, unless one
					     * is longer */

/* A decoded chunk that may be needed again. */
struct slv_kept_pack {
	uint64_t off;
	struct slv_item item;
	struct slv_content content; /* owned */
	uint64_t used;              /* when; 0: the slot is empty */
};

/* A channel, while records pass. */
struct slv_passed {
	uint64_t n;    /* records so far */
	size_t losses; /* losses before the last one of them */
};

struct slv_cursor {
	struct slv_log *log; /* borrowed */
	struct slv_spot at;  /* of the next item */
	bool ended;

	/* The chunk that `at` is in. */
	struct slv_item pack;
	struct slv_content content; /* borrowed */
	uint64_t decoded;           /* the log's counter when it was taken */

	/* The last record. */
	struct slv_spot spot;
	struct slv_item item;
	struct slv_record record;
	size_t line;        /* of the plan, where it was found */
	struct slv_buf buf; /* owned; a long payload */

	struct slv_passed *passed; /* owned; by channel; NULL: not counted */
	size_t losses;             /* those before `at` */

	bool keeps; /* keep chunks: records will come in another order */
	struct slv_kept_pack kept[SLV_CURSOR_PACKS];
	size_t bytes; /* of kept chunks */
	uint64_t clock;
};

/* Begin with the first record of the log. Its channels are listed. */
enum slv_status slv_cursor_begin(struct slv_cursor *, struct slv_log *);

/* Find the next item of any kind: ->item and ->spot are set.  The next one after a
 * PACK is the first one in it.  ->ended: there is none, or nothing that is recorded
 * follows. */
enum slv_status slv_cursor_step(struct slv_cursor *);

/* Go on after the PACK that was found. */
void slv_cursor_skip(struct slv_cursor *);

/* Find the next record: ->record is set, except for its payload.  ->ended: there is
 * none. */
enum slv_status slv_cursor_next(struct slv_cursor *);

/* Find the record at a place where one was found before.  Its sequence is not set,
 * unless the log numbers it, nor what was lost before it. */
enum slv_status slv_cursor_find(struct slv_cursor *, struct slv_spot);

/* Set the payload of the record that was found, borrowed until the next call about
 * the log. */
enum slv_status slv_cursor_load(struct slv_cursor *);

/* Where the record is, for a filter. */
static inline struct slv_record_place
slv_cursor_place(const struct slv_cursor *c)
{
	return (struct slv_record_place){ c->spot.off, c->spot.inner };
}

void slv_cursor_free(struct slv_cursor *);

#endif
