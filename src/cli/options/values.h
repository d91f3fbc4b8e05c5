/* values.h - how the value of an option is read.
 *
 * Each of these puts what `value` says at `at`, which is of the type named
 * below; false: the value makes no sense, and what is at `at` no more.
 */
#ifndef SLV_CLI_VALUES_H
#define SLV_CLI_VALUES_H

#include <stdbool.h>

/* Of options without a value: a bool that becomes true, and an unsigned that
 * counts how often. */
bool slv_value_flag(void *at, const char *value);
bool slv_value_help(void *at, const char *value);
bool slv_value_count(void *at, const char *value);

/* const char *, borrowed: not empty; nor "-", which is no name of a file that
 * can be asked for twice; a name that a log can hold; a shell. */
bool slv_value_text(void *at, const char *value);
bool slv_value_file(void *at, const char *value);
bool slv_value_name(void *at, const char *value);
bool slv_value_shell(void *at, const char *value);

/* struct slv_words, to which it is added; struct slv_shard; struct slv_subset,
 * today's. */
bool slv_value_words(void *at, const char *value);
bool slv_value_shard(void *at, const char *value);
bool slv_value_subset(void *at, const char *value);

/* unsigned: 1 .. 1,024. */
bool slv_value_jobs(void *at, const char *value);

/* enum slv_colour, and bits of unsigned: SLV_KEEP_*, SLV_OK_*. */
bool slv_value_colour(void *at, const char *value);
bool slv_value_keep(void *at, const char *value);
bool slv_value_ok(void *at, const char *value);

/* uint64_t, 1 or more: seconds, or a number of s, m, h or d; bytes, or a number
 * of K, M or G, which are powers of 1,024. */
bool slv_value_span(void *at, const char *value);
bool slv_value_bytes(void *at, const char *value);

/* A bool that becomes true: the only digest there is to choose. */
bool slv_value_hash(void *at, const char *value);

/* struct slv_options: 0 .. 9,999 times the budget. */
bool slv_value_effort(void *at, const char *value);

/* struct slv_rules_given: a rule of a policy, and a file of them. */
bool slv_value_max_gap(void *at, const char *value);
bool slv_value_max_lost(void *at, const char *value);
bool slv_value_min_rate(void *at, const char *value);
bool slv_value_require(void *at, const char *value);
bool slv_value_policy(void *at, const char *value);

#endif
