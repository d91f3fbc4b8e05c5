/* fuzz_bag.c - any bytes as the metadata.yaml of a bag of ROS 2.
 *
 * What it says is compared with a file that is there.  One that is made of both agrees
 * with the file, and so does what is made of that: the same bytes.  A text that is
 * YAML says the same when it is written again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/ros2/bag.h"
#include "fuzz/promises.h"
#include "support/make_bddf.h"
#include "support/scratch.h"

#define FILE_OF_BAG "bag_0.mcap"

/* A log as MCAP. */
static const struct blob *
a_file(void)
{
	static struct blob made;
	const struct recipe recipe = {
		.series = 2, .blocks = 5, .most = 90, .keys = 1, .seed = 1
	};
	struct made_log log = { 0 };
	struct slv_options opt = { .to = "mcap" };
	struct slv_report *r = NULL;
	char out[600];

	if (made.n > 0)
		return &made;
	make_bddf(&log, &recipe, NULL);
	scratch_write("log", log.bytes.at, log.bytes.n);
	made_free(&log);
	snprintf(out, sizeof(out), "%s", scratch_path("out"));
	opt.output = out;
	FUZZ_CHECK(slv_export(scratch_path("log"), &opt, &r) == SLV_OK);
	slv_report_free(r);
	FUZZ_CHECK(blob_read(&made, out));
	scratch_clean();
	return &made;
}

/* Judge the bag.  Returns what there is to say; *text is a metadata.yaml that agrees
 * with the files, or empty. */
static size_t
judge(const char *folder, struct slv_buf *text)
{
	struct slv_bag b = { .folder = NULL };
	struct slv_err err = { 0 };
	bool possible = false;
	size_t total;
	char *said;

	fuzz_ok(slv_bag_open(&b, folder, &err), &err);
	for (size_t i = 0; i < b.n_files; i++) {
		struct slv_options opt = { .no_effort = true };
		struct slv_report *r = NULL;

		if (!b.files[i].there)
			continue;
		FUZZ_CHECK(strcmp(b.files[i].name, FILE_OF_BAG) == 0);
		FUZZ_CHECK(slv_info(b.files[i].path, &opt, &r) == SLV_OK);
		fuzz_ok(slv_bag_add(&b, i, r, &err), &err);
		slv_report_free(r);
	}
	fuzz_ok(slv_bag_judge(&b, &err), &err);
	said = slv_bag_text(&b, SLV_STATE_DAMAGED, NULL);
	FUZZ_CHECK(said != NULL);
	free(said);
	said = slv_bag_json(&b, SLV_STATE_DAMAGED, NULL);
	FUZZ_CHECK(said != NULL);
	free(said);
	fuzz_ok(slv_bag_make(&b, text, &possible, &err), &err);
	if (!possible)
		text->len = 0;
	total = b.total;
	slv_bag_free(&b);
	return total;
}

static void
check_yaml(const uint8_t *bytes, size_t n)
{
	struct slv_yaml y = { .n = 0 }, back = { .n = 0 };
	struct slv_buf out = { 0 };
	struct slv_err err = { 0 };

	fuzz_ok(slv_yaml_read(&y, bytes, n, &err), &err);
	FUZZ_CHECK(y.n <= SLV_YAML_NODES);
	if (y.why[0] == '\0' && y.n > 0) {
		slv_yaml_write(&y, &out);
		fuzz_ok(slv_buf_check(&out, &err), &err);
		fuzz_ok(slv_yaml_read(&back, out.at, out.len, &err), &err);
		FUZZ_CHECK(back.why[0] == '\0');
		FUZZ_CHECK(slv_yaml_equal(&y, 0, &back, 0));
	}
	slv_buf_free(&out);
	slv_yaml_free(&y);
	slv_yaml_free(&back);
}

void
fuzz_bag(const uint8_t *bytes, size_t n)
{
	const char *folder = fuzz_scratch();
	const struct blob *file = a_file();
	struct slv_buf text = { 0 }, again = { 0 };

	check_yaml(bytes, n);
	scratch_write(FILE_OF_BAG, file->at, file->n);
	scratch_write(SLV_BAG_METADATA, bytes, n);
	(void)judge(folder, &text);
	FUZZ_CHECK(scratch_holds(FILE_OF_BAG, file->at, file->n));
	FUZZ_CHECK(scratch_holds(SLV_BAG_METADATA, bytes, n));
	if (text.len > 0) {
		scratch_write(SLV_BAG_METADATA, text.at, text.len);
		FUZZ_CHECK(judge(folder, &again) == 0);
		FUZZ_CHECK(again.len == text.len
		    && memcmp(again.at, text.at, text.len) == 0);
	}
	slv_buf_free(&text);
	slv_buf_free(&again);
	scratch_clean();
}
