/* fuzz_glance.c - what the index says of a sound log is what the log holds.
 *
 * Where both ends and the index agree no more is read: of a log that is found
 * sound when all of it is read, that must be the same blocks, channels and times.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/promises.h"
#include "report/report.h"

static struct slv_report *
look(fuzz_job job, const char *path, const struct slv_options *opt)
{
	struct slv_report *r = NULL;
	enum slv_status st = job(path, opt, &r);

	FUZZ_CHECK(r != NULL);
	(void)fuzz_within(st, &r->err);
	return r;
}

static void
check_moment(struct slv_moment a, struct slv_moment b)
{
	FUZZ_CHECK(a.known == b.known);
	FUZZ_CHECK(!a.known || slv_moment_compare(a, b) == 0);
}

/* A name that is not known is none. */
static bool
is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void
check_channel(const struct slv_channel *a, const struct slv_channel *b)
{
	FUZZ_CHECK(a->index == b->index && a->messages == b->messages);
	FUZZ_CHECK(a->unweighed || b->unweighed || a->bytes == b->bytes);
	FUZZ_CHECK(is_same(a->name, b->name));
	check_moment(a->first, b->first);
	check_moment(a->last, b->last);
}

void
fuzz_glance(const uint8_t *bytes, size_t n)
{
	const char *path = fuzz_file(bytes, n);
	const struct slv_options quick = { .quick = true,
		.limits = FUZZ_LIMITS };
	const struct slv_options all = {
		.scan = true, .no_effort = true, .limits = FUZZ_LIMITS
	};
	struct slv_report *index = look(slv_info, path, &quick);
	struct slv_report *whole = look(slv_info, path, &all);
	struct slv_report *verdict = look(slv_verify, path, &quick);

	FUZZ_CHECK(whole->state != SLV_STATE_INDEXED);
	FUZZ_CHECK(index->state == SLV_STATE_INDEXED
	    || index->err.code != SLV_OK || whole->err.code != SLV_OK
	    || index->state == whole->state);
	FUZZ_CHECK((index->state == SLV_STATE_INDEXED)
	    == (verdict->state == SLV_STATE_INDEXED));
	if (index->state == SLV_STATE_INDEXED
	    && whole->state == SLV_STATE_INTACT) {
		const struct slv_facts *a = &index->facts, *b = &whole->facts;

		/* No index names a descriptor of an unknown kind. */
		FUZZ_CHECK(index->units_kept <= whole->units_kept);
		FUZZ_CHECK(a->n_channels == b->n_channels);
		for (size_t i = 0; i < a->n_channels; i++)
			check_channel(&a->channels[i], &b->channels[i]);
	}
	slv_report_free(index);
	slv_report_free(whole);
	slv_report_free(verdict);
}
