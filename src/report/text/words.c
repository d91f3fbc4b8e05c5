/* words.c - numbers, sizes and times as people read them. */
#include "report/text/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text/amount.h"
#include "base/text/count.h"

#define DAY       86400
#define SHORT     10 /* seconds of a span that is told with fractions */
#define FIRST_SEC (-INT64_C(62167219200)) /* 0000-01-01T00:00:00Z */
#define LAST_SEC  INT64_C(253402300799)   /* 9999-12-31T23:59:59Z */

struct slv_words
slv_words_count(uint64_t n)
{
	struct slv_count c = slv_count(n);
	struct slv_words w;

	memcpy(w.text, c.text, sizeof(c.text));
	return w;
}

struct slv_words
slv_words_some(uint64_t n, const char *what)
{
	struct slv_words w = slv_words_count(n);
	size_t len = strlen(w.text);

	snprintf(w.text + len, sizeof(w.text) - len, " %s%s", what,
	    n == 1 ? "" : "s");
	return w;
}

struct slv_words
slv_words_size(uint64_t bytes)
{
	struct slv_amount a = slv_amount(bytes);
	struct slv_words w;

	memcpy(w.text, a.text, sizeof(a.text));
	return w;
}

bool
slv_words_can_date(struct slv_moment m)
{
	return m.known && m.sec >= FIRST_SEC && m.sec <= LAST_SEC;
}

struct date {
	unsigned year, month, day, hour, min, sec;
};

/* Days are counted from the first of March 400 years before the year 0, so
 * that a leap day ends its year; 400 years are 146,097 days, and 60 of them
 * lie between the first of January and of March of a leap year. */
static struct date
date_of(int64_t sec)
{
	uint64_t since =
	    (uint64_t)(sec - FIRST_SEC) + (uint64_t)(146097 - 60) * DAY;
	unsigned days = (unsigned)(since / DAY), rest = (unsigned)(since % DAY);
	unsigned era = days / 146097, doe = days % 146097;
	unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	unsigned month = (5 * doy + 2) / 153; /* 0 = March */

	return (struct date){
		.year = era * 400 + yoe + (month >= 10) - 400,
		.month = month < 10 ? month + 3 : month - 9,
		.day = doy - (153 * month + 2) / 5 + 1,
		.hour = rest / 3600,
		.min = rest / 60 % 60,
		.sec = rest % 60,
	};
}

struct slv_words
slv_words_rfc3339(struct slv_moment m)
{
	struct slv_words w;
	struct date d = date_of(m.sec);

	snprintf(w.text, sizeof(w.text),
	    "%04u-%02u-%02uT%02u:%02u:%02u.%09" PRIu32 "Z", d.year, d.month,
	    d.day, d.hour, d.min, d.sec, m.nanos);
	return w;
}

/* A moment that no calendar has. */
static struct slv_words
undated(struct slv_moment m)
{
	struct slv_words w;

	if (!m.known)
		snprintf(w.text, sizeof(w.text), "-");
	else
		snprintf(w.text, sizeof(w.text), "%" PRId64 " s", m.sec);
	return w;
}

struct slv_words
slv_words_moment(struct slv_moment m)
{
	struct slv_words w;
	struct date d;

	if (!slv_words_can_date(m))
		return undated(m);
	d = date_of(m.sec);
	snprintf(w.text, sizeof(w.text),
	    "%04u-%02u-%02u %02u:%02u:%02u.%03" PRIu32, d.year, d.month, d.day,
	    d.hour, d.min, d.sec, m.nanos / 1000000);
	return w;
}

struct slv_words
slv_words_clock(struct slv_moment m)
{
	struct slv_words w = slv_words_moment(m);

	if (slv_words_can_date(m))
		memmove(w.text, w.text + 11, strlen(w.text + 11) + 1);
	return w;
}

bool
slv_words_same_day(struct slv_moment a, struct slv_moment b)
{
	return slv_words_can_date(a) && slv_words_can_date(b)
	    && (a.sec - FIRST_SEC) / DAY == (b.sec - FIRST_SEC) / DAY;
}

struct slv_words
slv_words_span(struct slv_moment first, struct slv_moment last)
{
	struct slv_words w;
	struct date a, b;

	if (!first.known || !last.known) {
		w.text[0] = '\0';
		return w;
	}
	if (!slv_words_can_date(first) || !slv_words_can_date(last)) {
		snprintf(w.text, sizeof(w.text),
		    "%" PRId64 " s to %" PRId64 " s", first.sec, last.sec);
		return w;
	}
	a = date_of(first.sec);
	b = date_of(last.sec);
	if (slv_moment_compare(first, last) == 0)
		snprintf(w.text, sizeof(w.text), "%.23s UTC",
		    slv_words_moment(first).text);
	else if (last.sec - first.sec < SHORT && first.sec - last.sec < SHORT)
		snprintf(w.text, sizeof(w.text), "%.23s to %.23s UTC",
		    slv_words_moment(first).text,
		    slv_words_same_day(first, last)
		        ? slv_words_clock(last).text
		        : slv_words_moment(last).text);
	else if (slv_words_same_day(first, last))
		snprintf(w.text, sizeof(w.text),
		    "%04u-%02u-%02u %02u:%02u:%02u to %02u:%02u:%02u UTC",
		    a.year, a.month, a.day, a.hour, a.min, a.sec, b.hour, b.min,
		    b.sec);
	else
		snprintf(w.text, sizeof(w.text),
		    "%04u-%02u-%02u %02u:%02u:%02u to "
		    "%04u-%02u-%02u %02u:%02u:%02u UTC",
		    a.year, a.month, a.day, a.hour, a.min, a.sec, b.year,
		    b.month, b.day, b.hour, b.min, b.sec);
	return w;
}

struct slv_words
slv_words_lasting(struct slv_moment first, struct slv_moment last)
{
	struct slv_words w;
	double span = slv_moment_seconds(first, last);
	uint64_t s;

	if (!slv_words_can_date(first) || !slv_words_can_date(last)
	    || span < 0) {
		snprintf(w.text, sizeof(w.text), "-");
		return w;
	}
	s = (uint64_t)span;
	if (s < 60)
		snprintf(w.text, sizeof(w.text), "%.3f s", span);
	else if (s < 3600)
		snprintf(w.text, sizeof(w.text),
		    "%" PRIu64 " min %02" PRIu64 " s", s / 60, s % 60);
	else if (s < 2 * DAY)
		snprintf(w.text, sizeof(w.text),
		    "%" PRIu64 " h %02" PRIu64 " min", s / 3600, s / 60 % 60);
	else
		w = slv_words_some(s / DAY, "day");
	return w;
}

struct slv_words
slv_words_rate(uint64_t n, struct slv_moment first, struct slv_moment last)
{
	struct slv_words w;
	double span = 0, rate = 0;

	if (n >= 2 && first.known && last.known)
		span = slv_moment_seconds(first, last);
	if (span > 0)
		rate = (double)(n - 1) / span;
	if (rate <= 0)
		snprintf(w.text, sizeof(w.text), "-");
	else if (rate >= 100 && rate < 1e6)
		snprintf(w.text, sizeof(w.text), "%.0f Hz", rate);
	else
		snprintf(w.text, sizeof(w.text), "%.3g Hz", rate);
	return w;
}
