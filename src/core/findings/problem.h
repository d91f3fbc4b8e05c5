/* problem.h - findings are data: a row of a table plus numbers.
 *
 * The rows (struct slv_problem_info, in salvor.h) are in problems.def files,
 * one for the core and one for each format, and in policy.def, baseline.def,
 * set.def and ros2.def.  A .def file is included once for the symbols and once for the rows:
 *
 *	SLV_PROBLEM(symbol, id, severity, remedy, risk, text, means, arises,
 *	    repair)
 *
 * In `text` {len}, {want} and {got} stand for the numbers of a finding, {name},
 * {here} and {there} for what it quotes, {why} for what decided.  The offset is
 * not in it: whoever shows the text shows the offset beside it.
 * A noun after one of them is plural, "{got} messages"; after 1 it is singular.
 *
 * Ids never change once released and are never reused.
 */
#ifndef SLV_CORE_PROBLEM_H
#define SLV_CORE_PROBLEM_H

#include "base/ranges.h"
#include "base/status.h"

#define SLV_PROBLEM_SYM(sym, id, sev, rem, risk, text, means, arises, repair)  \
	sym,
#define SLV_PROBLEM_ROW(                                                       \
    sym, id_, sev, rem, risk_, text_, means_, arises_, repair_)                \
	{                                                                      \
		.id = id_,                                                     \
		.severity = SLV_##sev,                                         \
		.remedy = SLV_##rem,                                           \
		.risk = SLV_RISK_##risk_,                                      \
		.text = text_,                                                 \
		.means = means_,                                               \
		.arises = arises_,                                             \
		.repair = repair_,                                             \
	},

enum slv_core_problem {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "core/findings/problems.def"
#undef SLV_PROBLEM
	SLV_CORE_PROBLEMS
};

extern const struct slv_problem_info slv_core_problems[SLV_CORE_PROBLEMS];

/* Rows that no scan raises: they are not about the log alone. */
enum slv_policy_problem {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "core/findings/policy.def"
#undef SLV_PROBLEM
	SLV_POLICY_PROBLEMS
};

extern const struct slv_problem_info slv_policy_problems[SLV_POLICY_PROBLEMS];

/* The same: rows about what the file was earlier. */
enum slv_baseline_problem {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "core/findings/baseline.def"
#undef SLV_PROBLEM
	SLV_BASELINE_PROBLEMS
};

extern const struct slv_problem_info
    slv_baseline_problems[SLV_BASELINE_PROBLEMS];

/* The same: rows about several logs. */
enum slv_set_problem {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "core/findings/set.def"
#undef SLV_PROBLEM
	SLV_SET_PROBLEMS
};

extern const struct slv_problem_info slv_set_problems[SLV_SET_PROBLEMS];

/* The same: rows about the metadata.yaml of a bag of ROS 2. */
enum slv_ros2_problem {
#define SLV_PROBLEM SLV_PROBLEM_SYM
#include "core/findings/ros2.def"
#undef SLV_PROBLEM
	SLV_ROS2_PROBLEMS
};

extern const struct slv_problem_info slv_ros2_problems[SLV_ROS2_PROBLEMS];

#define SLV_SAYS_MAX 128 /* bytes of a quotation, with its NUL */

/* One finding. */
struct slv_problem {
	const struct slv_problem_info *info;
	uint64_t off, len;  /* where in the input, bytes */
	uint64_t want, got; /* meaning: see the row's text */

	/* The name, and the content of this place and of another one, if the
	 * row's text quotes them; slv_problem_quote sets them. */
	char name[SLV_SAYS_MAX], here[SLV_SAYS_MAX], there[SLV_SAYS_MAX];
	const char *why; /* what decided between them; static; NULL: "" */
};

struct slv_problem_count {
	const struct slv_problem_info *info;
	uint64_t n;
};

/* The findings of one scan.  Past `max` they are counted, not listed. */
struct slv_problems {
	struct slv_problem *at; /* owned; the first `max` */
	size_t n, cap;
	size_t max;
	struct slv_problem_count *counts; /* owned; every row raised */
	size_t n_counts, cap_counts;
};

enum slv_status slv_problems_add(
    struct slv_problems *, const struct slv_problem *, struct slv_err *);

/* The listed findings of one row in the range are of another one: what follows them
 * shows it. */
enum slv_status slv_problems_recast(struct slv_problems *,
    const struct slv_problem_info *from, const struct slv_problem_info *to,
    const struct slv_range *, struct slv_err *);

/* How many findings of a row there are. */
uint64_t slv_problems_count(
    const struct slv_problems *, const struct slv_problem_info *);

/* How many findings are damage that a repair acts on. */
uint64_t slv_problems_damage(const struct slv_problems *);

/* How many findings are damage that a repair leaves unchanged: some byte is
 * wrong, and its position is unknown. */
uint64_t slv_problems_left(const struct slv_problems *);

/* How many findings there are in total, listed or not. */
uint64_t slv_problems_total(const struct slv_problems *);

/* Quote n bytes, as far as there is space, without control characters. */
void slv_problem_quote(char *out, const void *bytes, size_t n);

/* Write the finding's sentence into text, always ending it with NUL. */
void slv_problem_text(const struct slv_problem *, char *text, size_t size);

void slv_problems_free(struct slv_problems *);

#endif
