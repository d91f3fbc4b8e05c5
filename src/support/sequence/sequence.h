/* sequence.h - messages in the order of the file, judged by their times.
 *
 * For flat formats: no index says which messages belong to a log, but those of a
 * stream (all messages of a topic) carry times that never go back.  A cluster of an
 * earlier log, or one that was written twice, reads as well as the log itself; only
 * times show it.
 *
 * What is kept is split into runs, at every loss and where time goes back or jumps.
 * Of all chains of runs in which no stream goes back the one with the most messages
 * is the log.  The others are left out, and so are single messages with a wrong
 * time.
 */
#ifndef SLV_SUPPORT_SEQUENCE_H
#define SLV_SUPPORT_SEQUENCE_H

#include "core/scan/scan.h"

#define SLV_NO_STREAM SIZE_MAX

/* A message that is kept. */
struct slv_message {
	uint64_t off, len;
	size_t stream;    /* SLV_NO_STREAM: it is no data */
	bool timed;       /* it is data, and has a time */
	bool unexplained; /* nothing says what it holds: left out */
	uint64_t time;    /* us */
	bool declares;    /* others need it: never left out */
};

/* What is kept of a stream. */
struct slv_sequence_stream {
	uint32_t channel;
	uint64_t n, first_off;
	uint64_t first, last; /* times of those that have one */
	uint64_t unexplained, unexplained_off; /* messages that were left out
						* as such; the first one */
};

/* What a format says about its messages. */
struct slv_sequence_rules {
	const struct slv_problem_info *stale; /* a run is of another time */
	const struct slv_problem_info *alone; /* ... has no times at all */
	const struct slv_problem_info *time;  /* a message has a wrong time */

	/* us that a message may be late, after one of another stream.  0: streams
	 * are not compared with each other, because each may be ahead of the
	 * others all the time. */
	uint64_t slack;

	/* The message at off, which is kept.  SLV_E_ACTIVE: it is not there
	 * any more. */
	enum slv_status (*read)(const struct slv_scan *, uint64_t off,
	    struct slv_message *, struct slv_err *);

	/* Data are missing before the message at off, for so many us.  NULL:
	 * the log has no place to say so. */
	enum slv_status (*gap)(
	    struct slv_scan *, uint64_t off, uint64_t us, struct slv_err *);
};

struct slv_sequence {
	const struct slv_sequence_rules *rules;
	struct slv_sequence_stream *streams; /* n is counted again */
	size_t n_streams;
	uint64_t from; /* messages before it are not judged */
	bool seamless; /* losses do not count: judge what a repair would
			* write */
};

/* Leave out messages that contradict the times of their stream, and count the kept
 * ones. */
enum slv_status slv_sequence_judge(
    struct slv_scan *, const struct slv_sequence *, struct slv_err *);

#endif
