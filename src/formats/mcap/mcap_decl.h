/* mcap_decl.h - schemas and channels: found by number, and what they say. */
#ifndef SLV_FORMATS_MCAP_DECL_H
#define SLV_FORMATS_MCAP_DECL_H

#include "core/scan/scan.h"
#include "formats/mcap/read/mcap_body.h"

struct mcap;

/* A schema or a channel. */
struct mcap_decl {
	unsigned op; /* MCAP_SCHEMA, MCAP_CHANNEL */
	uint16_t id;
	uint16_t schema;       /* of a channel; 0: it has none */
	bool declared;         /* a record says what it is */
	bool recorded;         /* ... one outside the summary */
	bool in_summary;       /* the summary has it */
	bool proven;           /* a checksum confirms what it says */
	size_t chunk;          /* the last one that says it, counted from 1 */
	bool late;             /* ... and none before its first message */
	uint32_t votes;        /* how often it is declared so */
	bool contested;        /* ... and otherwise */
	bool tied;             /* ... and nothing tells which is right */
	bool right_in_summary; /* the summary says the same */
	size_t text;           /* the content of its record, in `texts` */
	uint64_t len;
	uint64_t place;    /* of the first record outside the summary */
	uint64_t need_off; /* late: where it was needed first */
	size_t order;      /* of channels: how many had messages before it */
	char *name;        /* owned; its topic, once asked for */

	uint64_t n, bytes;    /* messages, and their payload */
	uint64_t least, most; /* bytes of one */
	struct slv_moment from, to;
	uint64_t written; /* ... in the output, when there is a plan */
	uint64_t n_here;  /* messages in the open chunk */
	uint64_t named;   /* ... and how many its index names */
	uint32_t first_here, last_here; /* their positions */
};

/* What else is declared under a number. */
struct mcap_rival {
	size_t decl; /* position in the list */
	size_t text; /* the record, in `texts` */
	uint64_t len;
	uint32_t votes;       /* how often it is declared so */
	bool proven, summary; /* as of a declaration; the summary has it */
	size_t chunk;
	uint64_t place;
};

/* Find a schema or channel, or add it; SIZE_MAX: it is unknown. */
size_t mcap_decl_find(const struct mcap *, unsigned op, uint16_t id);
enum slv_status mcap_decl_get(
    struct slv_scan *, unsigned op, uint16_t id, size_t *out, struct slv_err *);
/* Remember what this record says, which begins at off of these bytes.
 *
 *   place    where that is in the file
 *   proven   a checksum confirms it
 *   summary  it is in the summary */
enum slv_status mcap_declare(struct slv_scan *, const struct mcap_bytes *,
    uint64_t off, const struct mcap_record *, uint64_t place, bool proven,
    bool summary, struct slv_err *);
/* No reader takes the declaration of this number that is in a chunk. */
enum slv_status mcap_decl_refuse(
    struct slv_scan *, unsigned op, uint16_t id, struct slv_err *);
/* All is read: which of the declarations under a number is right? */
enum slv_status mcap_decl_settle(struct slv_scan *, struct slv_err *);
/* What the open chunk declares is confirmed. */
void mcap_decl_prove(struct mcap *);
/* Return true if the record at off of these bytes, which declares something, is not
 * the one that is right. */
enum slv_status mcap_decl_is_wrong(const struct mcap *,
    const struct mcap_bytes *, uint64_t off, const struct mcap_entry *,
    bool *yes, struct slv_err *);
/* What it says. */
struct slv_span mcap_decl_text(
    const struct mcap *, const struct mcap_decl *, enum mcap_field);
/* Whether readers know what its messages are. */
bool mcap_decl_is_usable(const struct mcap *, const struct mcap_decl *);
/* Return false for a message or a channel that readers cannot use. */
bool mcap_entry_is_usable(const struct mcap *, const struct mcap_entry *);

#endif
