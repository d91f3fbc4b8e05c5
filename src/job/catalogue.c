/* catalogue.c - every problem that any format can raise, in order of ids. */
#include <string.h>

#include "formats/formats.h"

/* The row that follows `after` in order of ids; NULL: none. */
static const struct slv_problem_info *
next_of(const struct slv_problem_info *rows, size_t n, const char *after,
    const struct slv_problem_info *best)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(rows[i].id, after) > 0
		    && (best == NULL || strcmp(rows[i].id, best->id) < 0))
			best = &rows[i];
	}
	return best;
}

const struct slv_problem_info *
slv_problem_at(size_t at)
{
	const struct slv_problem_info *row = NULL;

	for (size_t i = 0; i <= at; i++) {
		const char *after = row != NULL ? row->id : "";
		const struct slv_problem_info *best =
		    next_of(slv_core_problems, SLV_CORE_PROBLEMS, after, NULL);

		best = next_of(
		    slv_policy_problems, SLV_POLICY_PROBLEMS, after, best);
		best = next_of(
		    slv_baseline_problems, SLV_BASELINE_PROBLEMS, after, best);
		best = next_of(slv_set_problems, SLV_SET_PROBLEMS, after, best);
		best =
		    next_of(slv_ros2_problems, SLV_ROS2_PROBLEMS, after, best);
		for (size_t f = 0; slv_formats[f] != NULL; f++)
			best = next_of(slv_formats[f]->problems,
			    slv_formats[f]->n_problems, after, best);
		if (best == NULL)
			return NULL;
		row = best;
	}
	return row;
}
