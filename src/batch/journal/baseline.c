/* baseline.c - what a file was, by the digests in a journal.
 *
 * Digests stay in the journal until they are needed: those of a large archive
 * are large.
 */
#include "batch/journal/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/text/base64.h"
#include "report/json/json_object.h"

bool
slv_baseline_is(const struct slv_journal *j)
{
	const struct slv_entry *e;

	for (size_t i = 0; (e = slv_journal_at(j, i)) != NULL; i++) {
		if (e->kept.there)
			return true;
	}
	return false;
}

/* Return true if these are digests as salvor makes them.  The job checks their
 * number. */
static bool
take(json_t *digests, struct slv_buf *sums)
{
	const char *kind =
	    json_string_value(json_object_get(digests, "algorithm"));
	const char *values =
	    json_string_value(json_object_get(digests, "values"));

	return kind != NULL && values != NULL
	    && strcmp(kind, SLV_PIECE_KIND) == 0
	    && json_integer_value(json_object_get(digests, "piece"))
	    == (json_int_t)SLV_PIECE
	    && slv_base64_read(sums, values) && !sums->failed && sums->len > 0;
}

struct slv_baseline
slv_baseline_of(
    const struct slv_journal *j, const char *path, struct slv_buf *sums)
{
	const struct slv_entry *e = slv_journal_find(j, path);
	struct slv_baseline none = { 0 };
	json_t *line = NULL;
	char *text;
	bool good;

	if (e == NULL || !e->kept.there)
		return none;
	text = slv_journal_kept(j, e);
	if (text != NULL)
		line = json_loads(text, 0, NULL);
	slv_free(text);
	good = take(json_object_get(line, "digests"), sums);
	json_decref(line);
	if (!good)
		return none;
	return (struct slv_baseline){
		.size = e->kept.stamp.size,
		.mtime_ns = e->kept.stamp.mtime,
		.since = e->kept.when,
		.sums = sums->at,
		.n_sums = sums->len,
	};
}
