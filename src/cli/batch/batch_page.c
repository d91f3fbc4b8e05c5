/* batch_page.c - progress and summary of a batch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/packed_name.h"
#include "base/sort.h"
#include "base/text/amount.h"
#include "batch/journal/tally.h"
#include "batch/ros2/bag.h"
#include "cli/batch/batch_state.h"
#include "cli/terminal/term.h"
#include "salvor_many.h"

#define MCAP ".mcap"

/* The files in progress, and for how long if that is known.  The terminal cuts
 * off what does not fit. */
static void
put_doing(struct slv_buf *out, const struct slv_batch *b,
    const struct slv_doing *doing, size_t n)
{
	const char *between = ": ";

	for (size_t i = 0; i < n; i++, between = ", ") {
		const char *path = b->find.at[b->tasks[doing[i].nth]].path;
		const char *slash = strrchr(path, '/');
		char *name = slv_escape(slash != NULL ? slash + 1 : path);

		slv_buf_printf(out, "%s%s", between, name != NULL ? name : "?");
		if (doing[i].ms >= 1000)
			slv_buf_printf(out, " (%llu s)",
			    (unsigned long long)doing[i].ms / 1000);
		slv_free(name);
	}
}

static char *
line_of(const struct slv_batch *b, double spent, const struct slv_doing *doing,
    size_t n)
{
	struct slv_buf out = { 0 };
	uint64_t all = b->n_tasks;
	double rate = spent > 0 ? (double)b->done_bytes / spent : 0;

	slv_buf_printf(&out, "%llu of %llu file%s, %s, %s/s, %llu damaged",
	    (unsigned long long)b->done, (unsigned long long)all,
	    all == 1 ? "" : "s", slv_amount(b->done_bytes).text,
	    slv_amount((uint64_t)rate).text, (unsigned long long)b->damaged);
	if (b->done > 0 && b->done < all)
		slv_buf_printf(&out, ", %.0f s left",
		    spent * (double)(all - b->done) / (double)b->done);
	put_doing(&out, b, doing, n);
	return slv_buf_take(&out);
}

void
slv_batch_draw(struct slv_batch *b, const struct slv_doing *doing, size_t n)
{
	struct timespec now;

	if (!slv_pace_cares(&b->pace))
		return;
	now = slv_clock();
	if (slv_pace_is_due(&b->pace, now))
		slv_pace_show(&b->pace, now,
		    line_of(
		        b, slv_clock_seconds(b->pace.began, now), doing, n));
}

static void
put_count(struct slv_buf *out, uint64_t n, const char *what)
{
	if (n > 0)
		slv_buf_printf(
		    out, "  %8llu  %s\n", (unsigned long long)n, what);
}

static void
put_bytes(struct slv_buf *out, const struct slv_totals *t)
{
	const char *between = "bytes: ";

	for (int i = 0; i < SLV_BYTES; i++) {
		if (t->bytes[i] == 0)
			continue;
		slv_buf_printf(out, "%s%s %s", between,
		    slv_amount(t->bytes[i]).text, slv_byte_names[i]);
		between = ", ";
	}
	if (*between == ',')
		slv_buf_text(out, "\n");
	if (t->unsure > 0)
		slv_buf_printf(out,
		    "unsure: %llu kept records may not be what was recorded\n",
		    (unsigned long long)t->unsure);
}

static void
put_worst(struct slv_buf *out, const struct slv_batch *b)
{
	if (b->n_worst > 0)
		slv_buf_text(out, "most lost:\n");
	for (size_t i = 0; i < b->n_worst; i++) {
		char *name = slv_escape(b->worst[i].path);

		slv_buf_printf(out, "  %8s  %s\n",
		    slv_amount(b->worst[i].bytes).text,
		    name != NULL ? name : "?");
		slv_free(name);
	}
}

/* The verdict of a file is "sound" if nothing confirms its bytes, and so is a
 * count of files, because some may be such files. */
static const char *
word_of(enum slv_state state)
{
	return state == SLV_STATE_INTACT ? "sound" : slv_state_name(state);
}

/* The folder of an MCAP file that was found; NULL: it is another file. */
static char *
folder_of(const struct slv_found *f)
{
	size_t n = slv_packed_stem(f->path), tail = strlen(MCAP);
	const char *slash = strrchr(f->path, '/');
	char *folder;

	if (slash == NULL || n < tail
	    || memcmp(f->path + n - tail, MCAP, tail) != 0)
		return NULL;
	folder = slv_strdup(f->path);
	if (folder != NULL)
		folder[slash - f->path] = '\0';
	return folder;
}

static int
by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* How many folders are bags of ROS 2.  Their files were judged one by one, which must not
 * look like a verdict about the bag. */
static uint64_t
count_bags(const struct slv_batch *b)
{
	char **folders = slv_calloc(b->find.n + 1, sizeof(*folders));
	size_t n = 0;
	uint64_t bags = 0;

	for (size_t i = 0; folders != NULL && i < b->find.n; i++) {
		folders[n] = folder_of(&b->find.at[i]);
		n += folders[n] != NULL;
	}
	slv_sort(folders, n, sizeof(*folders), by_name);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(folders[i - 1], folders[i]) != 0)
			bags += slv_bag_is(folders[i]);
	}
	for (size_t i = 0; i < n; i++)
		slv_free(folders[i]);
	slv_free(folders);
	return bags;
}

bool
slv_batch_summary(struct slv_batch *b)
{
	static const char *const skips[SLV_SKIPS] = {
		"left out by --include and --exclude",
		"left out: salvor's own",
		"left out: changed too lately (--min-age)",
		"left out: no regular files",
		"left to other shards",
		"left for other turns (--subset)",
	};
	static const char *const baselines[SLV_BASELINES] = {
		[SLV_BASELINE_UNKNOWN] = "not known to the baseline",
		[SLV_BASELINE_SAME] = "the same as in the baseline",
		[SLV_BASELINE_DIFFERS] = "not what they were (baseline: "
		                         "differs)",
		[SLV_BASELINE_CHANGED] = "rewritten since the baseline",
	};
	const struct slv_totals *t = &b->records.totals;
	struct slv_buf out = { 0 };

	if (b->args->quiet > 1)
		return true;
	slv_buf_printf(&out, "%llu file%s", (unsigned long long)t->files,
	    t->files == 1 ? "" : "s");
	if (t->files < b->find.n - b->no_logs)
		slv_buf_printf(&out, " of %llu",
		    (unsigned long long)(b->find.n - b->no_logs));
	slv_buf_printf(&out, ", %s\n", slv_amount(t->size).text);
	for (int i = 0; i < SLV_STATES; i++)
		put_count(&out, t->states[i], word_of((enum slv_state)i));
	put_count(&out, t->policy_failed, "break the rules (policy: fail)");
	for (int i = SLV_BASELINE_NONE + 1; i < SLV_BASELINES; i++)
		put_count(&out, t->baseline[i], baselines[i]);
	put_count(&out, b->records.n_sets, "sets of segments");
	put_count(&out, b->records.n_broken, "of these are not complete");
	put_count(&out, b->args->batch.recursive ? count_bags(b) : 0,
	    "bags of ROS 2: metadata.yaml not compared, name the folder for "
	    "that");
	put_count(&out, b->earlier, "of these were done before");
	put_count(
	    &out, b->left, "left to do: the time is over (--max-duration)");
	put_count(&out, b->no_logs, "left out: no logs");
	for (int i = 0; i < SLV_SKIPS; i++)
		put_count(&out, b->find.skipped[i], skips[i]);
	put_bytes(&out, t);
	put_worst(&out, b);
	return slv_term_page(slv_files_people(b->args), slv_buf_take(&out));
}
