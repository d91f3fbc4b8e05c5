/* test_places.c - which files a command line calls for. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "guard/places.h"
#include "guard/stage.h"
#include "support/check.h"
#include "options/options.h"

/* Places, as "r PATH", "l PATH", "w PATH", "m PATH", "g PATH" or
 * "c PATH", a line each. */
static bool
note(void *ctx, const char *path, enum slv_right right)
{
	static const char letters[] = "rlwmgc";

	slv_buf_printf(ctx, "%c %s\n", letters[right], path);
	return true;
}

static void
check_places(const struct slv_guard_job *job, const char *want)
{
	struct slv_buf got = { 0 };
	char *text;

	CHECK(slv_places(job, note, &got));
	text = slv_buf_take(&got);
	CHECK_STR(text, want);
	free(text);
}

/* What follows from a command line. */
static void
test_places(void)
{
	static char a[] = "/a.bddf", c[] = "d/c.bddf", standard[] = "-",
	            bag[] = "x.bag";
	static char *files[] = { a, c }, *piped[] = { standard };
	struct slv_options opt = { 0 };
	struct slv_guard_job job = {
		.files = files, .n_files = 2, .opt = &opt
	};

	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n"
	    "r d/c.bddf\nr d/c.bddf.salvor.json\n"
	    "r d/c.bddf.salvor-undo\n");
	job.report = "e/r.json";
	job.sums = "s";
	job.n_files = 1;
	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n"
	    "m e\nw e/r.json\nm .\nw s\n");
	job.report = job.sums = NULL;
	files[0] = bag;
	check_places(&job,
	    "r x.bag\nr x.bag.salvor.json\nr x.bag.salvor-undo\n"
	    "r x.orig.bag\nr x.orig.bag.salvor-undo\n"
	    "r x.bag.orig.active\nr x.bag.orig.active.salvor-undo\n");
	files[0] = a;
	job.repairs = true;
	check_places(&job,
	    "m /\nw /a.repaired.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.dry_run = true;
	check_places(&job,
	    "r /a.repaired.bddf\nr /a.repaired.bddf.salvor.json\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.split = true;
	opt.save_dropped = "saved";
	check_places(&job,
	    "r /a.repaired.bddf\nr /a.repaired.bddf.salvor.json\nl /\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\nl saved\n");
	opt.dry_run = false;
	check_places(&job,
	    "m /\nw /a.repaired.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\nm saved\n");
	opt = (struct slv_options){ .output = "-" };
	check_places(&job,
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	/* An extract is put together before it goes there. */
	job.spools = true;
	opt.temp_dir = "t";
	check_places(&job,
	    "m t\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	job.spools = false;
	opt = (struct slv_options){ .output_dir = "out/" };
	check_places(&job,
	    "m out\nw out/a.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.make_dirs = true;
	check_places(&job,
	    "m out\nw out/a.bddf\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\ng out/\n");
	opt.dry_run = true;
	check_places(&job,
	    "r out/a.bddf\nr out/a.bddf.salvor.json\n"
	    "r /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");

	/* In place the folder is changed, and that of the record. */
	opt = (struct slv_options){ .in_place = true };
	check_places(&job,
	    "c /\nc /\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.undo_file = "u/r";
	check_places(&job,
	    "c /\nc /\nc /\nc u\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");
	opt.dry_run = true;
	check_places(&job,
	    "r u/r\nr /a.bddf\nr /a.bddf.salvor.json\n"
	    "r /a.bddf.salvor-undo\n");

	/* Standard input may have to be kept somewhere. */
	job.files = piped;
	opt = (struct slv_options){ .output = "o/x" };
	check_places(&job, "m o\nw o/x\nm o\n");
	opt.output = "-";
	opt.temp_dir = "t";
	check_places(&job, "m t\n");
	job.repairs = false;
	opt.temp_dir = NULL;
	check_places(&job, "m /tmp\n");
	job.repairs = true;
	opt.output = NULL;
	check_places(&job, "m /tmp\n");

	/* Reports are read alone: nothing belongs to them. */
	files[0] = standard;
	job = (struct slv_guard_job){
		.files = files, .n_files = 2, .plain = true, .html = "h/p.html"
	};
	check_places(&job, "r d/c.bddf\nm h\nw h/p.html\n");
}

/* The output is where a link points. */
static void
test_places_link(void)
{
	static char *files[] = { input };
	struct slv_options opt = { .output = done };
	struct slv_guard_job job = {
		.files = files, .n_files = 1, .opt = &opt, .repairs = true
	};
	char want[6 * PATH];

	set_up();
	CHECK_I64(symlink("../out.bddf", done), 0);
	snprintf(want, sizeof(want),
	    "m %s/..\nw %s/../out.bddf\nr %s\nr %s\nr %s.salvor-undo\n", folder,
	    folder, input, sidecar, input);
	check_places(&job, want);
	tear_down();
}

CU_TestInfo place_tests[] = {
	{ "from a command line", test_places },
	{ "by a link", test_places_link },
	CU_TEST_INFO_NULL,
};
