/* test_questions.c - what a driver is asked changes none of its answers.
 *
 * A driver that asks itself about other places whenever a unit is accepted, in any
 * order and with an empty cache, judges all of testdata as the driver itself does.
 */
#include "suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"
#include "job/audit/audit.h"
#include "support/blob.h"
#include "support/check.h"
#include "support/testdata.h"

#define DRIVERS 8
#define PLACES  6 /* asked about at a time */
#define ASKINGS 3

static struct slv_format drivers[DRIVERS];
static const struct slv_format *asking_formats[DRIVERS + 1];
static uint64_t seed;

static uint64_t
draw(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return n > 0 ? (seed >> 33) % n : 0;
}

/* The driver of which s->format is the asking form. */
static const struct slv_format *
own(const struct slv_scan *s)
{
	return slv_formats[s->format - drivers];
}

struct answer {
	enum slv_status status;
	struct slv_unit unit;
	enum slv_vouch vouch;
	uint64_t mark; /* the next one */
};

static struct answer
ask(const struct slv_scan *s, uint64_t off, enum slv_asking asking)
{
	const struct slv_format *f = own(s);
	struct answer a = { .status = SLV_OK };
	struct slv_err err = { 0 };

	a.status = f->unit(s, off, asking, &a.unit, &err);
	if (a.status == SLV_OK && a.unit.verdict == SLV_UNIT_GOOD
	    && f->vouch != NULL)
		a.status = f->vouch(s, off, &a.unit, &a.vouch, &err);
	if (a.status == SLV_OK)
		a.status = f->next_mark(s, off, s->source->size, &a.mark, &err);
	return a;
}

static void
check_same(const struct answer *a, const struct answer *b)
{
	const struct slv_unit *u = &a->unit, *v = &b->unit;

	CHECK_U64(a->status, b->status);
	CHECK_U64(u->verdict, v->verdict);
	CHECK_U64(u->fate, v->fate);
	CHECK_U64(u->part, v->part);
	CHECK_U64(u->len, v->len);
	CHECK_U64(u->tag, v->tag);
	CHECK_U64(u->problem, v->problem);
	CHECK_U64(u->want, v->want);
	CHECK_U64(u->got, v->got);
	CHECK(u->ends == v->ends && u->sure == v->sure && u->weak == v->weak);
	CHECK_U64(u->channel, v->channel);
	CHECK_U64((uint64_t)u->time.sec, (uint64_t)v->time.sec);
	CHECK_U64(a->vouch, b->vouch);
	CHECK_U64(a->mark, b->mark);
}

/* Where a unit may begin. */
static uint64_t
mark_after(const struct slv_scan *s, uint64_t off)
{
	struct slv_err err = { 0 };
	uint64_t at = off;

	own(s)->next_mark(s, off, s->source->size, &at, &err);
	return at;
}

/* Ask about places near the unit at off and anywhere, twice, in another order. */
static void
ask_around(struct slv_scan *s, uint64_t off, uint64_t len)
{
	uint64_t at[PLACES] = { off, off + len }, size = s->source->size;
	uint64_t searched = s->cache->searched;
	struct answer first[PLACES][ASKINGS];
	unsigned from = (unsigned)draw(PLACES);

	for (unsigned i = 2; i < PLACES; i++)
		at[i] = i % 2 == 0 ? mark_after(s, draw(size))
		                   : off + draw(2 * len + 1);
	for (unsigned i = 0; i < PLACES; i++) {
		for (unsigned k = 0; at[i] < size && k < ASKINGS; k++)
			first[i][k] = ask(s, at[i], (enum slv_asking)k);
	}
	for (unsigned n = 0; n < PLACES; n++) {
		unsigned i = (from + PLACES - n) % PLACES;

		if (draw(2) == 0)
			slv_cache_drop(s->cache);
		for (unsigned k = ASKINGS; at[i] < size && k-- > 0;) {
			struct answer again = ask(s, at[i], (enum slv_asking)k);

			check_same(&first[i][k], &again);
		}
	}
	/* Work is bounded; ours does not count. */
	s->cache->searched = searched;
}

static enum slv_status
asking_accept(
    struct slv_scan *s, uint64_t off, struct slv_unit *u, struct slv_err *err)
{
	uint64_t len = u->len;

	if (s->proving == NULL)
		ask_around(s, off, len);
	SLV_TRY(own(s)->accept(s, off, u, err));
	if (s->proving == NULL)
		ask_around(s, off, len);
	return SLV_OK;
}

static void
make_drivers(void)
{
	for (size_t i = 0; i < DRIVERS; i++) {
		drivers[i] = *slv_formats[i];
		drivers[i].accept = asking_accept;
		drivers[i].run = NULL;
		asking_formats[i] = &drivers[i];
	}
	CHECK(slv_formats[DRIVERS] == NULL);
}

static void
audit(struct slv_audit *a, struct slv_source *source,
    const struct slv_format *const *formats)
{
	struct slv_audit_options opt = {
		.formats = formats,
		.plan = true,
	};
	struct slv_err err = { 0 };

	opt.scan.limits = slv_limits_fill(opt.scan.limits);
	CHECK_OK(slv_audit_run(a, source, &opt, &err), &err);
}

static void
check_problems(const struct slv_problems *p, const struct slv_problems *q)
{
	CHECK_U64(p->n, q->n);
	for (size_t i = 0; i < p->n && i < q->n; i++) {
		CHECK_STR(p->at[i].info->id, q->at[i].info->id);
		CHECK_U64(p->at[i].off, q->at[i].off);
		CHECK_U64(p->at[i].len, q->at[i].len);
		CHECK_U64(p->at[i].want, q->at[i].want);
		CHECK_U64(p->at[i].got, q->at[i].got);
	}
}

static void
check_catalogs(const struct slv_catalog *c, const struct slv_catalog *d)
{
	CHECK_U64(c->n, d->n);
	for (size_t i = 0; i < c->n && i < d->n; i++) {
		CHECK_U64(c->at[i].off, d->at[i].off);
		CHECK_U64(c->at[i].fate, d->at[i].fate);
		CHECK_U64(c->at[i].part, d->at[i].part);
	}
}

static void
check_file(const char *path)
{
	struct slv_source *source = NULL;
	struct slv_audit plain, asked;
	struct slv_err err = { 0 };
	struct blob file = { 0 };

	check_case("%s", path);
	CHECK(blob_read(&file, path));
	CHECK_OK(slv_source_memory(file.at, file.n, &source, &err), &err);
	audit(&plain, source, slv_formats);
	audit(&asked, source, asking_formats);
	CHECK_NAME(slv_state_name, plain.state, asked.state);
	CHECK_U64(plain.n_attempts, asked.n_attempts);
	CHECK_U64(plain.scan.units_kept, asked.scan.units_kept);
	CHECK_U64(plain.scan.units_lost, asked.scan.units_lost);
	CHECK_U64(plain.scan.units_unsure, asked.scan.units_unsure);
	CHECK_U64(plain.plan.size, asked.plan.size);
	check_problems(&plain.scan.problems, &asked.scan.problems);
	check_catalogs(&plain.scan.catalog, &asked.scan.catalog);
	slv_audit_free(&asked);
	slv_audit_free(&plain);
	slv_source_close(source);
	blob_free(&file);
}

static void
check_next(const char *path)
{
	seed++;
	check_file(path);
}

static void
check_folder(const char *name)
{
	make_drivers();
	seed = 0;
	CHECK(testdata_each(name, check_next) > 10);
}

static void
in_bddf(void)
{
	check_folder("bddf");
}

static void
in_carla(void)
{
	check_folder("carla");
}

static void
in_cyber(void)
{
	check_folder("cyber");
}

static void
in_rosbag(void)
{
	check_folder("rosbag");
}

static void
in_rosrecord(void)
{
	check_folder("rosrecord");
}

static void
in_dataflash(void)
{
	check_folder("dataflash");
}

static void
in_ulog(void)
{
	check_folder("ulog");
}

static void
in_mcap(void)
{
	check_folder("mcap");
}

CU_TestInfo questions_tests[] = {
	{ "about a BDDF log", in_bddf },
	{ "about a CARLA log", in_carla },
	{ "about a Cyber record", in_cyber },
	{ "about a bag", in_rosbag },
	{ "about a bag of version 1.2", in_rosrecord },
	{ "about a flight log of ArduPilot", in_dataflash },
	{ "about a flight log of PX4", in_ulog },
	{ "about an MCAP file", in_mcap },
	CU_TEST_INFO_NULL,
};
