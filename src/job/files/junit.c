/* junit.c - audits as one JUnit XML file.
 *
 * It begins with sums over all cases, so it is held until they are known.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "job/files/lines_part.h"
#include "report/junit_case.h"
#include "salvor_many.h"

struct slv_junit {
	struct slv_lines *lines; /* owned */
	struct slv_buf cases;    /* owned */
	struct slv_junit_counts counts;
	uint64_t done;
};

enum slv_status
slv_junit_open(const char *path, const volatile sig_atomic_t *cancel,
    struct slv_junit **out, struct slv_err *err)
{
	struct slv_junit *j = slv_calloc(1, sizeof(*j));

	if (j == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (slv_lines_open(path, SLV_LINES_JUNIT, cancel, &j->lines, err)
	    != SLV_OK) {
		slv_free(j);
		return err->code;
	}
	*out = j;
	return SLV_OK;
}

enum slv_status
slv_junit_add(struct slv_junit *j, const char *file, const char *json,
    double seconds, struct slv_err *err)
{
	if (slv_junit_case(&j->cases, &j->counts, file, json, seconds))
		j->done++;
	return j->cases.failed ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	                       : SLV_OK;
}

enum slv_status
slv_junit_commit(struct slv_junit *j, uint64_t given, struct slv_err *err)
{
	struct slv_buf head = { 0 };
	struct slv_lines *lines = j->lines;

	if (j->done < given)
		slv_junit_stopped(&j->cases, &j->counts, j->done, given);
	slv_junit_tail(&j->cases);
	slv_junit_head(&head, &j->counts);
	if (slv_lines_part(j->lines, &head, err) == SLV_OK
	    && slv_lines_part(j->lines, &j->cases, err) == SLV_OK) {
		j->lines = NULL;
		slv_lines_commit(lines, err);
	}
	slv_buf_free(&head);
	slv_junit_discard(j);
	return err->code;
}

void
slv_junit_discard(struct slv_junit *j)
{
	if (j->lines != NULL)
		slv_lines_discard(j->lines);
	slv_buf_free(&j->cases);
	slv_free(j);
}
