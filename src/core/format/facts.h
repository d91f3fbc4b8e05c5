/* facts.h - what a log says about itself, for people and for JSON.
 *
 * A driver fills it in after a scan.  Every string is owned by the facts and
 * is the log's own text: hostile until escaped.
 */
#ifndef SLV_CORE_FACTS_H
#define SLV_CORE_FACTS_H

#include "base/status.h"

/* Members in this order are passed in two registers. */
struct slv_moment {
	int64_t sec;    /* since 1970-01-01 UTC, rounded down */
	uint32_t nanos; /* 0 .. 999,999,999 */
	bool known;
};

/* A word that programs know, and what the log says of it. */
struct slv_annotation {
	char *key, *value;
};

struct slv_channel {
	uint32_t index; /* the number that the log gives it */
	char *name;     /* NULL: the log does not state it */
	char *type;     /* NULL: the log does not state it */
	char *type_sum; /* a checksum of the type; NULL: not known */
	char *encoding; /* of its messages; NULL: the format has one */
	struct slv_annotation *notes; /* owned; what else is declared */
	size_t n_notes, cap_notes;
	uint64_t messages;
	uint64_t bytes;                /* bytes of payload */
	bool unweighed;                /* these bytes were not counted */
	struct slv_moment first, last; /* earliest and latest */
};

#define SLV_PACKS_MAX 4

/* The pieces of a log with one kind of compression. */
struct slv_pack {
	const char *kind; /* "lz4"; "none": not compressed; static */
	uint64_t pieces;
	uint64_t stored; /* bytes of the log that hold them */
	uint64_t size;   /* ... and bytes of their content */
};

/* What people call the parts of such a log, each in the singular. */
struct slv_terms {
	const char *unit;    /* "block", "message" */
	const char *channel; /* "channel", "connection" */
	const char *name;    /* of a channel: "name", "topic" */
	bool mixed;          /* a unit belongs to no single channel: lost units
			      * name none */
};

struct slv_facts {
	char dialect[32]; /* "" if the format has none */
	char version[48];
	char digest[32];              /* "sha1", "none" ... */
	struct slv_channel *channels; /* owned */
	size_t n_channels, cap_channels;
	struct slv_annotation *annotations; /* owned */
	size_t n_annotations, cap_annotations;
	struct slv_annotation *notes; /* owned; what programs noted, for other
	                               * programs */
	size_t n_notes, cap_notes;

	/* Set by a format that compresses, or that describes its types. */
	bool packs_pieces, sums_types;
	uint64_t pieces; /* total; the packs have fewer if only some were
			  * read */
	struct slv_pack packs[SLV_PACKS_MAX];
	size_t n_packs;

	struct slv_moment first, last; /* of all channels, if the log states
				        * more than its channels do */

	/* The date of the recording is unknown: times count from its start, as
	 * if that were 1970-01-01. */
	bool undated;

	/* End of what was recorded: everything after it is derived.  0: the
	 * format does not state it. */
	uint64_t recorded;

	/* The least size of the whole log, in bytes, by its header or index, if
	 * the file is smaller.  0: nothing states it. */
	uint64_t expected;
};

/* Append a channel without name and type, at *out, borrowed until the next
 * one. */
enum slv_status slv_facts_channel(struct slv_facts *, uint32_t index,
    struct slv_channel **out, struct slv_err *);

/* Append an annotation; takes over both strings, also on failure.  NULL is a
 * string for which there was no memory. */
enum slv_status slv_facts_annotation(
    struct slv_facts *, char *key, char *value, struct slv_err *);

/* The same of copies of these strings, and of a number. */
enum slv_status slv_facts_text(
    struct slv_facts *, const char *key, const char *value, struct slv_err *);
enum slv_status slv_facts_number(
    struct slv_facts *, const char *key, uint64_t, struct slv_err *);

/* Append a note about the log or about a channel; the same. */
enum slv_status slv_facts_note(
    struct slv_facts *, char *key, char *value, struct slv_err *);
enum slv_status slv_channel_note(
    struct slv_channel *, char *key, char *value, struct slv_err *);

/* Count a piece.
 *
 *   kind  static; one of at most SLV_PACKS_MAX kinds */
void slv_facts_pack(
    struct slv_facts *, const char *kind, uint64_t stored, uint64_t size);

/* < 0, 0, > 0 if a is before, equal to, after b; both are known. */
static inline int
slv_moment_compare(struct slv_moment a, struct slv_moment b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return a.nanos < b.nanos ? -1 : a.nanos > b.nanos;
}

/* Seconds from a to b, which are known; approximate. */
double slv_moment_seconds(struct slv_moment a, struct slv_moment b);

/* Widen [first, last] by `at`. */
static inline void
slv_moment_span(
    struct slv_moment at, struct slv_moment *first, struct slv_moment *last)
{
	if (!at.known)
		return;
	if (!first->known || slv_moment_compare(at, *first) < 0)
		*first = at;
	if (!last->known || slv_moment_compare(at, *last) > 0)
		*last = at;
}

void slv_facts_free(struct slv_facts *);

#endif
