/* records.h - what a driver tells a reader of records.
 *
 * A reader walks over a sound log, item by item: one that needs no repair, or what
 * a repair would write.  The driver says what each item is, and what the channels
 * are.  Whatever the bytes say, its functions read no byte that does not exist:
 * what does not parse is SLV_E_BUG, because a scan has found the log sound.
 */
#ifndef SLV_CORE_RECORDS_H
#define SLV_CORE_RECORDS_H

#include "base/bytes.h"
#include "core/format/facts.h"

struct slv_scan;

/* What is needed to understand the records of a channel, in addition to its facts
 * (core/format/facts.h).  All texts are the log's own: hostile until escaped. */
struct slv_channel_about {
	uint32_t index; /* the number that the log gives it, as in the facts */
	char *encoding; /* of its records: "ros1", "protobuf" */
	char *schema_encoding; /* "ros1msg"; "": there is no schema */
	const uint8_t *schema; /* borrowed from `own`, or as slv_channel_share
				* says */
	size_t schema_len;
	uint32_t schema_index; /* the number that the log gives the schema; 0:
			        * none */
	char *own;
	struct slv_annotation *meta; /* what else the log says about it */
	size_t n_meta, cap_meta;
};

/* The channels of a log, in the order of their declarations. */
struct slv_channel_list {
	struct slv_channel_about *at; /* owned, with all in it */
	size_t n, cap;
};

/* Append a channel with empty texts, at *out, borrowed until the next one. */
enum slv_status slv_channel_list_add(struct slv_channel_list *, uint32_t index,
    struct slv_channel_about **out, struct slv_err *);

/* Replace one of its texts. */
enum slv_status slv_channel_text(
    char **text, struct slv_span, struct slv_err *);
enum slv_status slv_channel_schema(
    struct slv_channel_about *, struct slv_span, struct slv_err *);
/* Use a schema that outlives the list, or that of another channel of the list: many
 * channels may have a long one. */
static inline void
slv_channel_share(struct slv_channel_about *c, struct slv_span schema)
{
	c->schema = schema.at;
	c->schema_len = schema.len;
}
enum slv_status slv_channel_meta(struct slv_channel_about *,
    struct slv_span key, struct slv_span value, struct slv_err *);

void slv_channel_list_free(struct slv_channel_list *);

/* A string as a span. */
static inline struct slv_span
slv_span_of(const char *text)
{
	size_t n = 0;

	while (text[n] != '\0')
		n++;
	return (struct slv_span){ (const uint8_t *)text, n };
}

enum slv_item_kind {
	SLV_ITEM_OTHER,   /* no record: go on after it */
	SLV_ITEM_RECORD,  /* a record */
	SLV_ITEM_PACK,    /* compressed bytes, which hold records */
	SLV_ITEM_DECLARE, /* it declares a channel */
	SLV_ITEM_CHUNK,   /* the head of a chunk; its records follow */
	SLV_ITEM_DERIVED, /* it can be made of the others, such as an index */
	SLV_ITEM_HEAD,    /* a log begins with it, and has one */
	SLV_ITEM_SCHEMA,  /* it describes channels, which follow */
};

#define SLV_NO_TIME INT64_MIN

/* What begins at a place of the log, or of the content of a PACK. */
struct slv_item {
	enum slv_item_kind kind;
	uint64_t len; /* bytes up to the next item; > 0 */
	bool ends;    /* no record follows it */
	bool summed;  /* a checksum confirms it */

	/* Of a RECORD; the channel of a DECLARE, too, and of a SCHEMA its own
	 * number. */
	uint32_t channel;           /* the number that the log gives it */
	int64_t log_ns, publish_ns; /* since 1970; SLV_NO_TIME: none */
	bool numbered;              /* the log gives it this number: */
	uint64_t sequence;
	uint64_t data, data_len; /* its payload, from its beginning on */

	/* Passed from item() to content(), for a PACK. */
	uint64_t priv[12];
};

/* The content of a PACK. */
struct slv_content {
	const uint8_t *at;
	size_t len;
	bool summed; /* a checksum confirms it */
};

/* Functions get a scan that has found the log sound, and may be asked about any
 * item in any order. */
struct slv_records {
	/* List the channels.
	 *
	 * SLV_E_REFUSED: the records cannot be read, such as encrypted ones */
	enum slv_status (*channels)(
	    struct slv_scan *, struct slv_channel_list *, struct slv_err *);

	/* What begins at off?  It is the beginning of the log, or where an item
	 * ends. */
	enum slv_status (*item)(struct slv_scan *, uint64_t off,
	    struct slv_item *, struct slv_err *);

	/* Decode the PACK at off; borrowed until the next call.  NULL: the
	 * format has none. */
	enum slv_status (*content)(struct slv_scan *, uint64_t off,
	    const struct slv_item *, struct slv_content *, struct slv_err *);

	/* What begins at `at` of the content? */
	enum slv_status (*inner)(const struct slv_scan *,
	    const struct slv_content *, uint64_t at, struct slv_item *,
	    struct slv_err *);
};

/* Nanoseconds since 1970, if an i64 holds them. */
static inline int64_t
slv_moment_ns(struct slv_moment at)
{
	int64_t ns;

	if (!at.known
	    || __builtin_mul_overflow(at.sec, INT64_C(1000000000), &ns)
	    || __builtin_add_overflow(ns, (int64_t)at.nanos, &ns))
		return SLV_NO_TIME;
	return ns;
}

#endif
