/* plan_diff.h - a plan compared with its input.
 *
 * A repair in place changes a file where the output differs from it: the common
 * part is patched, a longer output is appended, a longer input is cut off.
 */
#ifndef SLV_CORE_PLAN_DIFF_H
#define SLV_CORE_PLAN_DIFF_H

#include "base/ranges.h"
#include "core/catalog/catalog.h"
#include "core/plan/plan.h"

/* The next range of the output at or after `from` that differs, or may differ,
 * from the same place of the input; false: none. */
bool slv_plan_next_change(
    const struct slv_plan *, uint64_t from, struct slv_range *out);

/* Find recorded bytes that the output has at another offset than the input,
 * because bytes before them are dropped or inserted.  An index that repeats
 * them is no move, nor is an index that is shifted.
 *
 *   what  the first of them in the input
 *   to    where the output has them
 *
 * false: none */
bool slv_plan_moves(const struct slv_plan *, const struct slv_catalog *,
    struct slv_range *what, uint64_t *to);

/* The ranges where the output of the sealed plan really differs from the file
 * that was scanned, up to the end of the shorter one.  Ranges less than a
 * sector apart are one.
 *
 *   raw  the file; the plan's input may show it with patches */
enum slv_status slv_plan_patches(const struct slv_plan *,
    struct slv_source *raw, struct slv_ranges *out, struct slv_err *);

#endif
