/* test_bddf_big.c - logs and blocks of more than 4 GiB, and an index that is
 * hashed while it is compared.
 *
 * The large file is sparse: payloads that nobody looks at cost neither disk
 * nor time.  SALVOR_LONG=1 reads them all, for the digest.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "support/check.h"
#include "support/make_bddf.h"
#include "support/scratch.h"
#include "options/options.h"

#define BIG ((uint64_t)5 << 30) /* bytes */

static const struct recipe recipe = {
	.no_sha1 = true,
	.series = 1,
	.blocks = 2,
	.least = 100,
	.most = 100,
	.keys = 1,
	.seed = 3,
};

static void
put(int fd, const uint8_t *bytes, size_t n, uint64_t off)
{
	CHECK(pwrite(fd, bytes, n, (off_t)off) == (ssize_t)n);
}

/* Three blocks, the second of more than 4 GiB, and no index; *third is where
 * the third begins.  False where there is no room for so large a file. */
static bool
write_big(uint64_t *third)
{
	int fd = open(scratch_path("big.bddf"), O_RDWR | O_CREAT, 0600);
	struct made_log log = { 0 };
	const struct made_block *last;
	uint8_t head[8];
	uint64_t size;
	bool room;

	make_bddf(&log, &recipe, NULL);
	last = &log.blocks[3];
	CHECK_U64(last->kind, MADE_DATA);
	*third = last->end + BIG;
	size = last->end - last->off;
	room = ftruncate(fd, (off_t)(*third + size)) == 0;
	if (room) {
		put(fd, log.bytes.at, last->end, 0);
		for (int i = 0; i < 8; i++)
			head[i] = (uint8_t)((size - 12 + BIG) >> 8 * i);
		put(fd, head, sizeof(head), last->off);
		put(fd, log.bytes.at + last->off, (size_t)size, *third);
	}
	close(fd);
	made_free(&log);
	return room;
}

struct seen {
	unsigned data;
	uint64_t off, longest;
};

static bool
look(void *ctx, const struct slv_block *b)
{
	struct seen *seen = ctx;

	if (strcmp(b->kind, "data") == 0) {
		seen->data++;
		seen->off = b->off;
		if (b->len > seen->longest)
			seen->longest = b->len;
	}
	return true;
}

static void
check_channel(const struct slv_report *r)
{
	if (!CHECK_U64(r->facts.n_channels, 1))
		return;
	CHECK_U64(r->facts.channels[0].messages, 3);
	CHECK_U64(r->facts.channels[0].bytes, 300 + BIG);
}

static void
listed(void)
{
	struct seen seen = { 0 };
	struct slv_options opt = { .on_block = look, .on_block_ctx = &seen };
	struct slv_report *r = NULL;
	uint64_t third;

	if (write_big(&third)) {
		CHECK_OK(slv_list(scratch_path("big.bddf"), &opt, &r), NULL);
		CHECK_U64(seen.data, 3);
		CHECK_U64(seen.off, third);
		CHECK(seen.longest > BIG);
		check_channel(r);
		slv_report_free(r);
	}
	scratch_clean();
}

static void
planned(void)
{
	struct slv_options opt = { .dry_run = true };
	struct slv_report *r = NULL;
	uint64_t third;

	if (getenv("SALVOR_LONG") != NULL && write_big(&third)) {
		CHECK_OK(slv_repair(scratch_path("big.bddf"), &opt, &r), NULL);
		CHECK_NAME(
		    slv_state_name, slv_report_state(r), SLV_STATE_REPAIRED);
		CHECK(r->verified && r->output_size > third);
		CHECK_U64(r->bytes[SLV_KEPT], r->size);
		check_channel(r);
		slv_report_free(r);
	}
	scratch_clean();
}

/* What comes of the log with a bit of byte `at` flipped. */
static void
check_flipped(const struct made_log *log, size_t at)
{
	struct slv_options opt = { .output = scratch_path("out.bddf"),
		.no_sidecar = true };
	struct slv_report *r = NULL;

	log->bytes.at[at] ^= 1;
	scratch_write("in.bddf", log->bytes.at, log->bytes.n);
	log->bytes.at[at] ^= 1;
	check_case("byte %zu", at);
	CHECK_OK(slv_repair(scratch_path("in.bddf"), &opt, &r), NULL);
	CHECK_NAME(slv_state_name, slv_report_state(r), SLV_STATE_REPAIRED);
	CHECK(scratch_holds("out.bddf", log->bytes.at, log->bytes.n));
	slv_report_free(r);
	scratch_clean();
}

static void
large_index(void)
{
	static const struct recipe many = {
		.series = 1,
		.blocks = 60000,
		.least = 8,
		.most = 8,
		.steady = true,
		.seed = 4,
	};
	const struct made_block *index = NULL;
	struct made_log log = { 0 };
	struct slv_options opt = { 0 };
	struct slv_report *r = NULL;

	make_bddf(&log, &many, NULL);
	for (size_t i = 0; i < log.n; i++) {
		if (log.blocks[i].kind == MADE_INDEX)
			index = &log.blocks[i];
	}
	if (CHECK(index != NULL && index->end - index->off > 1 << 20)) {
		scratch_write("in.bddf", log.bytes.at, log.bytes.n);
		CHECK_OK(slv_verify(scratch_path("in.bddf"), &opt, &r), NULL);
		CHECK_NAME(
		    slv_state_name, slv_report_state(r), SLV_STATE_INTACT);
		slv_report_free(r);
		check_flipped(&log, index[-1].off + 9);
		check_flipped(&log, index->off + 4);
		check_flipped(&log, index->off + 30);
		check_flipped(&log, (index->off + index->end) / 2);
		check_flipped(&log, index->end - 30);
		check_flipped(&log, index->end - 2);
	}
	made_free(&log);
}

static CU_TestInfo tests[] = {
	{ "large index", large_index },
	{ "listed", listed },
	{ "planned", planned },
	CU_TEST_INFO_NULL,
};

static CU_SuiteInfo suites[] = {
	{ .pName = "big", .pTests = tests },
	CU_SUITE_INFO_NULL,
};

int
main(void)
{
	int r;

	scratch_open();
	r = slv_test_main(suites);
	scratch_close();
	return r;
}
