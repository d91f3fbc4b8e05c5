/* catalogue.c - every problem that any format can raise, in order of ids. */
#include <string.h>

#include "base/sort.h"
#include "formats/formats.h"

#define ROWS_MAX 1024 /* more than there are */

/* All rows that fit. */
struct catalogue {
	const struct slv_problem_info *at[ROWS_MAX];
	size_t n;
};

static void
add(struct catalogue *c, const struct slv_problem_info *rows, size_t n)
{
	for (size_t i = 0; i < n && c->n < ROWS_MAX; i++)
		c->at[c->n++] = &rows[i];
}

static int
by_id(const void *x, const void *y)
{
	const struct slv_problem_info *const *a = x, *const *b = y;

	return strcmp((*a)->id, (*b)->id);
}

const struct slv_problem_info *
slv_problem_at(size_t i)
{
	struct catalogue c = { .n = 0 };

	add(&c, slv_core_problems, SLV_CORE_PROBLEMS);
	add(&c, slv_policy_problems, SLV_POLICY_PROBLEMS);
	add(&c, slv_baseline_problems, SLV_BASELINE_PROBLEMS);
	add(&c, slv_set_problems, SLV_SET_PROBLEMS);
	add(&c, slv_ros2_problems, SLV_ROS2_PROBLEMS);
	for (size_t f = 0; slv_formats[f] != NULL; f++)
		add(&c, slv_formats[f]->problems, slv_formats[f]->n_problems);
	slv_sort(c.at, c.n, sizeof(c.at[0]), by_id);
	return i < c.n ? c.at[i] : NULL;
}
