/* test_stop.c - who is told to stop does: each loop that can be long looks at `cancel`.
 *
 * The flag is set when nothing but the loop is left to do, and windows do not know it, so
 * that no other look at it ends the function.
 */
#include "suites.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "batch/ros2/bag.h"
#include "batch/ros2/yaml.h"
#include "core/compare.h"
#include "core/copies/choose.h"
#include "core/readings/begun.h"
#include "core/readings/exchange_fit.h"
#include "formats/carla/carla.h"
#include "formats/formats.h"
#include "io/names/named.h"
#include "job/audit/audit.h"
#include "job/input/packed.h"
#include "job/input/served.h"
#include "job/readings/reading_ways.h"
#include "support/blob.h"
#include "support/check.h"

static volatile sig_atomic_t cancel;

static void
read_log(struct blob *file, const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/testdata/%s", check_top(), name);
	CHECK(blob_read(file, path));
}

static struct slv_source *
source_of(const struct blob *file)
{
	struct slv_source *source = NULL;
	struct slv_err err = { 0 };

	CHECK_OK(slv_source_memory(file->at, file->n, &source, &err), &err);
	return source;
}

/* Scan without a flag, and set it later. */
static struct slv_scan_options
how(void)
{
	struct slv_scan_options opt = { .no_digest = true };

	opt.limits = slv_limits_fill(opt.limits);
	cancel = 0;
	return opt;
}

/* ---- places of one log ------------------------------------------------------ */

static void
places(void)
{
	struct slv_scan_options opt = how();
	struct slv_begun begun = { .n = 0 };
	struct slv_source *source;
	struct slv_scan s = { 0 };
	struct slv_err err = { 0 };
	struct blob file = { 0 };
	uint64_t same, at;

	read_log(&file, "bddf/good-patrol.bddf");
	/* What is not kept is searched for beginnings. */
	blob_fill(&file, 0xe5, 5000);
	source = source_of(&file);
	CHECK_OK(slv_scan_run(&s, source, slv_formats, &opt, &err), &err);
	CHECK_OK(slv_begun_find(&s, &begun, &err), &err);
	CHECK_OK(slv_compare(&s, 0, 0, 1000, &same, &err), &err);
	CHECK_U64(same, 1000);
	CHECK_OK(slv_begun_next(&s, s.format, 0, file.n, &at, &err), &err);
	CHECK_U64(at, 0);
	s.opt.cancel = &cancel;
	cancel = 1;
	CHECK_STATUS(slv_begun_find(&s, &begun, &err), SLV_E_CANCELLED, &err);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(slv_begun_next(&s, s.format, 0, file.n, &at, &err),
	    SLV_E_CANCELLED, &err);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(
	    slv_compare(&s, 0, 0, 1000, &same, &err), SLV_E_CANCELLED, &err);
	slv_scan_free(&s);
	slv_source_close(source);
	blob_free(&file);
}

/* ---- two copies -------------------------------------------------------------- */

/* Two copies of a log, and what is joined of them. */
struct pair {
	struct blob raw[2];
	struct slv_source *source[2];
	struct slv_copy copy[2];
	struct slv_alignment alignment;
	struct slv_choices choices;
	struct slv_joint joint;
};

/* Each copy is damaged in another place of one chunk. */
static void
open_pair(struct pair *p)
{
	struct slv_scan_options opt = how();
	struct slv_err err = { 0 };

	*p = (struct pair){ .raw = { { 0 } } };
	for (size_t i = 0; i < 2; i++) {
		read_log(&p->raw[i], "rosbag/good-tiny-lz4.bag");
		memset(p->raw[i].at + 4300 + 120 * i, 0x5a, 4);
		p->source[i] = source_of(&p->raw[i]);
		CHECK_OK(slv_copy_scan(&p->copy[i], p->source[i], slv_formats,
		             &opt, &err),
		    &err);
	}
	CHECK_OK(
	    slv_align(&p->alignment, &p->copy[0], &p->copy[1], &err), &err);
	p->copy[0].scan.opt.cancel = &cancel;
}

static enum slv_status
choose(struct pair *p, struct slv_err *err)
{
	return slv_choose(&p->choices, &p->joint, &p->alignment, &p->copy[0],
	    &p->copy[1], err);
}

static void
free_pair(struct pair *p)
{
	slv_choices_free(&p->choices);
	slv_joint_free(&p->joint);
	slv_alignment_free(&p->alignment);
	for (size_t i = 0; i < 2; i++) {
		slv_copy_free(&p->copy[i]);
		slv_source_close(p->source[i]);
		blob_free(&p->raw[i]);
	}
}

/* Bytes are chosen, and choices tried against the checksum of the chunk. */
static void
copies(void)
{
	struct slv_trial trial = { .effort = 1, .cancel = &cancel };
	struct slv_scan_options opt = how();
	struct slv_source *source = NULL;
	struct slv_copy joined = { .n = 0 };
	struct slv_err err = { 0 };
	struct pair p;

	open_pair(&p);
	cancel = 1;
	CHECK_STATUS(choose(&p, &err), SLV_E_CANCELLED, &err);
	free_pair(&p);
	err = (struct slv_err){ 0 };
	open_pair(&p);
	CHECK_OK(choose(&p, &err), &err);
	CHECK(p.choices.n >= 2);
	CHECK_OK(slv_joined_source(&p.joint, "joined", &source, &err), &err);
	CHECK_OK(slv_copy_scan(&joined, source, slv_formats, &opt, &err), &err);
	trial.joint = &p.joint;
	trial.seal = &joined.scan.seal;
	cancel = 1;
	CHECK_STATUS(slv_choices_confirm(&p.choices, &trial, &joined, &err),
	    SLV_E_CANCELLED, &err);
	slv_copy_free(&joined);
	slv_source_close(source);
	free_pair(&p);
}

/* ---- pieces that changed places ---------------------------------------------- */

static struct slv_format counting;
static unsigned units, last; /* `cancel` is set at the last one */

static enum slv_status
count_unit(const struct slv_scan *s, uint64_t off, enum slv_asking why,
    struct slv_unit *u, struct slv_err *err)
{
	units++;
	cancel |= units == last;
	return slv_format_carla.unit(s, off, why, u, err);
}

/* Look for exchanges, and stop at a unit; 0: do not. */
static enum slv_status
exchange(struct slv_audit *audit, unsigned at)
{
	struct slv_audit_options opt = { .effort = 1 };
	struct slv_way_input in = { .audit = audit, .opt = &opt };
	struct slv_view view = { .n_why = 0 };
	struct slv_err err = { 0 };
	enum slv_status st;
	bool any;

	CHECK_OK(slv_view_init(&view, &err), &err);
	cancel = 0;
	units = 0;
	last = at;
	st = slv_way_exchange(&in, 0, &view, &any, &err);
	CHECK(st != SLV_OK || at > 0 || any);
	slv_view_free(&view);
	return st;
}

/* At any of the units that are read for it. */
static void
exchanges(void)
{
	static const struct slv_format *const formats[] = { &counting, NULL };
	struct slv_scan_options opt = how();
	struct slv_audit audit = { .input = NULL };
	struct slv_err err = { 0 };
	struct blob file = { 0 };
	uint8_t piece[512];
	unsigned all;

	counting = slv_format_carla;
	counting.unit = count_unit;
	read_log(&file, "carla/good-0.9.15.log");
	memcpy(piece, file.at + 512, 512);
	memcpy(file.at + 512, file.at + 7 * 512, 512);
	memcpy(file.at + 7 * 512, piece, 512);
	audit.read = source_of(&file);
	CHECK_OK(
	    slv_scan_run(&audit.scan, audit.read, formats, &opt, &err), &err);
	audit.scan.opt.cancel = &cancel;
	CHECK_NAME(slv_status_name, exchange(&audit, 0), SLV_OK);
	all = units;
	for (unsigned k = 1; k <= all; k++) {
		check_case("stopped at unit %u", k);
		CHECK_NAME(
		    slv_status_name, exchange(&audit, k), SLV_E_CANCELLED);
	}
	CHECK(all > 100);
	slv_scan_free(&audit.scan);
	slv_source_close(audit.read);
	blob_free(&file);
	check_case("%s", "");
}

/* ---- input ------------------------------------------------------------------- */

static int
serve_and_stop(void *ctx, uint64_t off, void *buf, size_t n)
{
	const struct blob *file = ctx;

	memcpy(buf, file->at + off, n);
	cancel = 1;
	return 0;
}

/* All of a compressed log is read before it is decompressed: a frame of zstd with five
 * bytes as they are. */
static void
compressed(void)
{
	const struct slv_spool spool = {
		.dir = "/tmp", .hold = 1 << 24, .cancel = &cancel
	};
	struct blob file = { 0 };
	struct slv_input input = { .size_of = sizeof(input),
		.read_at = serve_and_stop,
		.ctx = &file };
	struct slv_source *source = NULL;
	struct slv_err err = { 0 };
	bool packed, spooled;

	blob_set(&file, "\x28\xb5\x2f\xfd\x20\x05\x29\0\0bytes", 14);
	input.size = file.n;
	cancel = 0;
	CHECK_OK(slv_served_source(&input, "log", &source, &err), &err);
	CHECK_STATUS(slv_packed_open(&source, &spool, &packed, &spooled, &err),
	    SLV_E_CANCELLED, &err);
	slv_source_close(source);
	blob_free(&file);
}

static void
waiting(void)
{
	struct slv_err err = { 0 };
	int ends[2];

	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], "x", 1) == 1);
	cancel = 1;
	CHECK_STATUS(slv_await(ends[0], SLV_AWAIT_INPUT, &cancel, "pipe", &err),
	    SLV_E_CANCELLED, &err);
	close(ends[0]);
	close(ends[1]);
}

/* ---- bags of ROS 2 ----------------------------------------------------------- */

static void
bags(void)
{
	struct slv_yaml y = { .cancel = &cancel };
	const struct slv_bag bag = { .cancel = &cancel };
	struct slv_err err = { 0 };

	cancel = 1;
	CHECK_STATUS(
	    slv_yaml_read(&y, "a: [1, 2]", 9, &err), SLV_E_CANCELLED, &err);
	slv_yaml_free(&y);
	err = (struct slv_err){ 0 };
	CHECK_STATUS(slv_bag_go_on(&bag, &err), SLV_E_CANCELLED, &err);
}

CU_TestInfo stop_tests[] = {
	{ "places of a log are compared and searched", places },
	{ "bytes of copies are chosen", copies },
	{ "exchanges are tried", exchanges },
	{ "a log is decompressed", compressed },
	{ "somebody is waited for", waiting },
	{ "metadata of a bag are read", bags },
	CU_TEST_INFO_NULL,
};
