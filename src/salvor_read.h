/* salvor_read.h - read the records of a log, damaged or not.
 *
 * A part of salvor.h, which includes it; the conventions there apply.
 *
 *	struct slv_log *log;
 *	struct slv_reader *reader;
 *	const struct slv_record *rec;
 *
 *	if (slv_log_open("drive.bag", NULL, &log) == SLV_OK
 *	    && slv_reader_open(log, &reader) == SLV_OK) {
 *		while ((rec = slv_reader_next(reader)) != NULL)
 *			use(slv_log_channel(log, rec->channel), rec);
 *		slv_reader_close(reader);
 *	}
 *	if (slv_log_status(log) != SLV_OK)
 *		complain(slv_log_error(log));
 *	slv_log_close(log);
 *
 * What is read is what slv_repair() would write with the same options, record for
 * record; nothing is written.  Damage is no error: a damaged log has fewer records,
 * and slv_log_report() says what is missing.
 *
 * Threads: a log and its readers are used by one thread at a time; different logs
 * can be used by different threads at once.
 *
 * Memory: what slv_repair() needs, plus one decoded chunk and one record; see
 * "order" below for more.
 */
#ifndef SALVOR_READ_H
#define SALVOR_READ_H

#include "salvor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A log that is open and audited. */
struct slv_log;

/* A pass over its records. */
struct slv_reader;

/* Audit a log and find what of it can be read.
 *
 *   path     as for slv_repair(); "-" is standard input
 *   options  copied; the strings in it are borrowed until slv_log_close().  NULL:
 *            the default.  Options that are about an output have no effect
 *   *out     close it, also after a failure; NULL after SLV_E_NOMEM
 *
 * A file that is no log opens, and has no channels: see slv_reader_open(). */
enum slv_status slv_log_open(
    const char *path, const struct slv_options *, struct slv_log **out);

/* The same for a file that is open: it is read from its first byte on, whatever its
 * position, through a duplicate of the descriptor.
 *
 *   name  for messages; NULL: "(file)" */
enum slv_status slv_log_open_fd(
    int fd, const char *name, const struct slv_options *, struct slv_log **out);

/* The same for n bytes of memory, borrowed until slv_log_close().
 *
 *   name  for messages; NULL: "(memory)" */
enum slv_status slv_log_open_memory(const void *bytes, size_t n,
    const char *name, const struct slv_options *, struct slv_log **out);

/* Bytes that the caller supplies. */
struct slv_input {
	size_t size_of; /* sizeof(struct slv_input) */
	uint64_t size;  /* bytes; they do not change while the log is open */

	/* Read exactly n bytes at off, which are inside [0, size).  0, or an
	 * errno; EIO is taken for bad sectors: what they held is lost, and the
	 * rest is read. */
	int (*read_at)(void *ctx, uint64_t off, void *buf, size_t n);

	/* Called once, also if opening fails; NULL: not wanted. */
	void (*close)(void *ctx);
	void *ctx;
};

/* The same for these bytes; the struct is copied.
 *
 *   name  for messages; NULL: "(input)" */
enum slv_status slv_log_open_input(const struct slv_input *, const char *name,
    const struct slv_options *, struct slv_log **out);

/* Close it after its readers.  NULL is allowed. */
void slv_log_close(struct slv_log *);

/* The first failure of the log or of one of its readers, and its text, "" if there
 * is none; borrowed until slv_log_close().  SLV_E_USAGE counts until the next
 * slv_reader_open(). */
enum slv_status slv_log_status(const struct slv_log *);
const char *slv_log_error(const struct slv_log *);

/* What slv_repair() would report with "dry-run"; borrowed until slv_log_close(). */
const struct slv_report *slv_log_report(const struct slv_log *);

struct slv_pair {
	const char *key, *value;
};

/* A channel: what the format calls a connection, a series, or a kind of packet.  All
 * texts are the log's own, so they may hold anything but a NUL: see slv_escape(). */
struct slv_channel_info {
	size_t
	    size_of; /* of the library's struct: later versions append members */
	const char *name; /* "/imu/data"; "": not stated */
	const char *type; /* "sensor_msgs/Imu"; "": not stated */

	/* How records are encoded, as MCAP calls it: "ros1", "protobuf", "cdr".
	 * "pod": numbers of BDDF; "carla": a packet. */
	const char *encoding;
	const char *schema_encoding; /* "ros1msg", "protobuf"; "": no schema */
	const void *schema;
	size_t schema_len;
	const struct slv_pair *meta; /* what else the log says about it */
	size_t n_meta;
	uint64_t records; /* that can be read */
};

/* Channels are numbered from 0 in the order of their declarations.  NULL: there are
 * not so many.  Borrowed until slv_log_close(). */
uint32_t slv_log_channels(const struct slv_log *);
const struct slv_channel_info *slv_log_channel(
    const struct slv_log *, uint32_t channel);

/* What confirms a record. */
enum slv_sureness {
	SLV_SURE_SUSPECT,   /* a finding is about it: it may not be what was
			     * recorded */
	SLV_SURE_STRUCTURE, /* it parses, and agrees with what is around it */
	SLV_SURE_CHECKSUM,  /* and a checksum confirms it */
	SLV_SURE_DIGEST,    /* the log's own digest confirms every byte */
};

/* Bits of slv_record.flags. */
enum {
	/* Records of this channel may be lost before it: bytes are. */
	SLV_RECORD_AFTER_GAP = 1 << 0,

	/* Its bytes are not in the input: they were decoded from a damaged
	 * chunk, which begins at ->off or after it. */
	SLV_RECORD_MADE = 1 << 1,

	/* The log gives it the number in ->sequence. */
	SLV_RECORD_NUMBERED = 1 << 2,
};

#define SLV_NO_STAMP INT64_MIN  /* a time that the log does not state */
#define SLV_UNPACKED UINT64_MAX /* in slv_record.inner */

/* A record. */
struct slv_record {
	size_t
	    size_of; /* of the library's struct: later versions append members */
	uint32_t channel;
	unsigned flags;             /* SLV_RECORD_* */
	int64_t log_ns, publish_ns; /* since 1970-01-01 UTC, or SLV_NO_STAMP */

	/* The number that the log gives it; without one, how many records of its
	 * channel precede it in the log. */
	uint64_t sequence;
	const void *data; /* its payload; never NULL */
	size_t len;
	uint64_t off;   /* where it begins in the input; if its head is rebuilt,
			 * where its payload does.  In a compressed chunk: where
			 * the chunk begins */
	uint64_t inner; /* ... and where in its content; or SLV_UNPACKED */
	enum slv_sureness sure;
};

/* Begin a pass over the records that the options of the log take: all of
 * them, if nothing is set there.
 *
 *   *out  NULL after a failure
 *
 * SLV_E_REFUSED: no record can be read: the file is no log, or nothing of it can be
 * recovered, or it is encrypted, or of a format of which salvor reads no records
 * SLV_E_USAGE: the choice makes no sense */
enum slv_status slv_reader_open(struct slv_log *, struct slv_reader **out);

/* Choose records, before the first one is read:
 *
 *   "start", "end"  records from `start` on, and before `end`: seconds since 1970
 *                   ("1700000000.25"), UTC ("2023-11-14T22:13:20.25Z"), or from the
 *                   first record ("+10.5s") or the last one ("-5s"); "ms", "min"
 *                   and "h" are units, too.  Records without a time are then left
 *                   out
 *   "include", "exclude"
 *                   channels with a name that matches, as a whole, an extended
 *                   regular expression; each may be set several times
 *   "type"          channels with a type that matches one; may be set several times
 *   "timespan"      "5m": so long from `start`, or up to `end`; if neither is set, up
 *                   to the last record and including it
 *   "latched"       "none" (default); "auto": records before `start` that still hold
 *                   then; or a regular expression: of channels with such a name the
 *                   last record before `start`, too
 *   "order"         "file" (default), or "time": by log time, and in the order of
 *                   the file if that is equal or not stated.  That takes 40 bytes a
 *                   record and, while they are sorted, twice that; and 64 MiB of
 *                   decoded chunks, or one chunk if it is longer
 *
 * SLV_E_USAGE: there is no such choice, or the value makes no sense, or a record was
 * read; slv_log_error() says which */
enum slv_status slv_reader_set(
    struct slv_reader *, const char *name, const char *value);

/* The next record; NULL at the end, and after a failure, which slv_log_status() then
 * reports.  The record and its data are borrowed until the next call with this log
 * or a reader of it.
 *
 * A failure may be: SLV_E_ACTIVE, the file has changed since it was opened;
 * SLV_E_LIMIT, a record is longer than "max-chunk", or the index of "time"
 * than "max-memory"; SLV_E_CANCELLED; SLV_E_IO; SLV_E_NOMEM. */
const struct slv_record *slv_reader_next(struct slv_reader *);

/* Write the records that the reader has not read yet to a file of another format,
 * which appears complete or not at all, and is read again before that.
 *
 *   path  the file; "-" is standard output.  the option "force" replaces one that
 *         exists
 *   to    "mcap" or "ndjson"; NULL: by the ending of the path
 *
 * MCAP: messages in the order of the reader, in chunks as the options "compression"
 * and "chunk-size" say, with checksums, indexes and a summary; the same records make
 * the same bytes.  A message without a time has that of the one before it.  A metadata record
 * "salvor" says what was lost.
 *
 * NDJSON: a line of JSON a record, see docs/text-export.md.
 *
 * SLV_E_EXISTS: the file exists with other bytes, and force is not set
 * SLV_E_LIMIT:  the format cannot hold so many channels
 * SLV_E_USAGE:  there is no such format, or the file is the input */
enum slv_status slv_reader_export(
    struct slv_reader *, const char *path, const char *to);

/* NULL is allowed. */
void slv_reader_close(struct slv_reader *);

#ifdef __cplusplus
}
#endif

#endif
