/* facts.h - what a log says about itself, for people and for JSON.
 *
 * A driver fills it in after a scan.  Every string is owned by the facts and
 * is the log's own text: hostile until escaped.
 */
#ifndef SLV_CORE_FACTS_H
#define SLV_CORE_FACTS_H

#include "base/status.h"

/* In this order it is handed on in two registers. */
struct slv_moment {
	int64_t sec;    /* since 1970-01-01 UTC, rounded down */
	uint32_t nanos; /* 0 .. 999,999,999 */
	bool known;
};

struct slv_channel {
	uint32_t index; /* the log's own number of it */
	char *name;     /* NULL: the log does not tell */
	char *type;     /* NULL: the log does not tell */
	uint64_t messages;
	uint64_t bytes;                /* of payload */
	struct slv_moment first, last; /* earliest and latest */
};

struct slv_annotation {
	char *key, *value;
};

struct slv_facts {
	char dialect[32]; /* "" where the format has none */
	char version[48];
	char digest[32];              /* "sha1", "none" ... */
	struct slv_channel *channels; /* owned */
	size_t n_channels, cap_channels;
	struct slv_annotation *annotations; /* owned */
	size_t n_annotations, cap_annotations;
};

/* Append a channel without name and type, at *out, borrowed until the next
 * one. */
enum slv_status slv_facts_channel(struct slv_facts *, uint32_t index,
    struct slv_channel **out, struct slv_err *);

/* Append an annotation; takes over both strings, also when it fails.  A NULL
 * one is a string that found no memory. */
enum slv_status slv_facts_annotation(
    struct slv_facts *, char *key, char *value, struct slv_err *);

/* < 0, 0, > 0 as a is before, at, after b; both are known. */
static inline int
slv_moment_compare(struct slv_moment a, struct slv_moment b)
{
	if (a.sec != b.sec)
		return a.sec < b.sec ? -1 : 1;
	return a.nanos < b.nanos ? -1 : a.nanos > b.nanos;
}

/* Seconds from a to b, which are known; about. */
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
