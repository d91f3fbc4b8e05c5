/* unread.c - report unusable lines of journals. */
#include "cli/batch/unread.h"

#include "cli/terminal/term.h"

#define LISTED 10 /* lines that are listed */

static void
say(const struct slv_unread *u, const char *path)
{
	unsigned long long line = u->line;

	switch (u->why) {
	case SLV_UNREAD_TORN:
		slv_term_error("%s: line %llu is torn, as a run that was "
		               "killed leaves it; it counts for nothing",
		    path, line);
		break;
	case SLV_UNREAD_GARBLED:
		slv_term_error("%s: line %llu is no line of a journal; the "
		               "file may be damaged",
		    path, line);
		break;
	case SLV_UNREAD_FOREIGN:
		slv_term_error("%s: line %llu is of \"salvor %s\"; it counts "
		               "for nothing here",
		    path, line, u->command);
		break;
	}
}

uint64_t
slv_unread_say(const struct slv_journal *j, const char *const *paths, bool torn)
{
	const struct slv_unread *u;
	uint64_t others = 0;

	for (size_t i = 0; (u = slv_journal_unread(j, i)) != NULL; i++) {
		bool other = u->why != SLV_UNREAD_TORN;

		others += other;
		if (other ? others <= LISTED : torn)
			say(u, paths[u->file]);
	}
	if (others > LISTED)
		slv_term_error("and %llu more lines that could not be used",
		    (unsigned long long)others - LISTED);
	return others;
}
