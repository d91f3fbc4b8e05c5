/* words.h - numbers, sizes and times as people read them.
 *
 * Everything is exact unless its comment says "about", and none of it
 * depends on a locale or a time zone.
 */
#ifndef SLV_REPORT_WORDS_H
#define SLV_REPORT_WORDS_H

#include "base/status.h"
#include "core/format/facts.h"

/* A short text, returned by value. */
struct slv_words {
	char text[64];
};

/* "350,120" */
struct slv_words slv_words_count(uint64_t n);

/* "1 block", "394 blocks"; `what` is the singular. */
struct slv_words slv_words_some(uint64_t n, const char *what);

/* "441 bytes", "350 KB": about, in powers of 1,000. */
struct slv_words slv_words_size(uint64_t bytes);

/* Whether RFC 3339 can write the moment: it is known and in the years 0000
 * to 9999. */
bool slv_words_can_date(struct slv_moment);

/* "2026-03-01T09:12:04.000000001Z"; the moment can be dated. */
struct slv_words slv_words_rfc3339(struct slv_moment);

/* "2026-03-01 09:12:04.123", cut to milliseconds.  "-" when not known; what
 * cannot be dated is given in seconds. */
struct slv_words slv_words_moment(struct slv_moment);

/* The same without the date: "09:12:04.123". */
struct slv_words slv_words_clock(struct slv_moment);

/* Whether both can be dated and fall on one day in UTC. */
bool slv_words_same_day(struct slv_moment, struct slv_moment);

/* "2024-03-01 09:12:04 to 09:31:55 UTC", with the second date where it is
 * another one, and with milliseconds where it is short; "" when not known. */
struct slv_words slv_words_span(
    struct slv_moment first, struct slv_moment last);

/* "12.345 s", "19 min 51 s", "3 h 04 min": about. */
struct slv_words slv_words_lasting(
    struct slv_moment first, struct slv_moment last);

/* "9.98 Hz", about: n moments spread over the span; "-" for fewer than two
 * or no span. */
struct slv_words slv_words_rate(
    uint64_t n, struct slv_moment first, struct slv_moment last);

#endif
