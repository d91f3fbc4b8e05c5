/* exitcode.c - the program's exit code. */
#include "cli/exitcode.h"

static const struct slv_exit_row rows[] = {
	{ SLV_EXIT_SOUND, "sound; nothing to repair" },
	{ SLV_EXIT_REPAIRED, "repaired, every record in the file kept" },
	{ SLV_EXIT_LOSSY, "repaired, records lost" },
	{ SLV_EXIT_DAMAGED,
	    "damage found and left, not recoverable, not a "
	    "log, or not supported" },
	{ SLV_EXIT_TROUBLE,
	    "the machine failed, the output exists, or "
	    "somebody is writing the file" },
	{ SLV_EXIT_USAGE,
	    "the command line makes no sense, or no log was found; nothing "
	    "done" },
	{ SLV_EXIT_STOPPED, "stopped by one of salvor's limits" },
	{ SLV_EXIT_POLICY, "a rule of yours is broken" },
};

const struct slv_exit_row *
slv_exit_row_at(size_t i)
{
	return i < sizeof(rows) / sizeof(*rows) ? &rows[i] : NULL;
}

static enum slv_exit
of_state(enum slv_state state)
{
	switch (state) {
	case SLV_STATE_INTACT:
	case SLV_STATE_INDEXED: return SLV_EXIT_SOUND;
	case SLV_STATE_REPAIRED: return SLV_EXIT_REPAIRED;
	case SLV_STATE_LOSSY: return SLV_EXIT_LOSSY;
	case SLV_STATE_DAMAGED:
	case SLV_STATE_UNRECOVERABLE:
	case SLV_STATE_UNRECOGNISED:
	case SLV_STATE_UNSUPPORTED: return SLV_EXIT_DAMAGED;
	case SLV_STATE_CANCELLED: return SLV_EXIT_STOPPED;
	case SLV_STATE_ACTIVE:
	case SLV_STATE_FAILED: return SLV_EXIT_TROUBLE;
	}
	return SLV_EXIT_TROUBLE;
}

/* The code, unless its class counts as a success. */
static enum slv_exit
allowed(enum slv_exit code, unsigned ok)
{
	return (code == SLV_EXIT_REPAIRED && (ok & SLV_OK_REPAIRED))
	        || (code == SLV_EXIT_LOSSY && (ok & SLV_OK_LOSSY))
	    ? SLV_EXIT_SOUND
	    : code;
}

int
slv_exit_again(int code, enum slv_state state, unsigned ok)
{
	enum slv_exit class = of_state(state);

	if ((code & (SLV_EXIT_TROUBLE | SLV_EXIT_USAGE | SLV_EXIT_STOPPED)) != 0
	    || (class & SLV_EXIT_LOSSY) == 0)
		return code;
	return (code & ~(int)SLV_EXIT_LOSSY) | (int)allowed(class, ok);
}

enum slv_exit
slv_exit_of_status(enum slv_status status)
{
	switch (status) {
	case SLV_OK: return SLV_EXIT_SOUND;
	case SLV_E_LIMIT:
	case SLV_E_CANCELLED: return SLV_EXIT_STOPPED;
	case SLV_E_IO:
	case SLV_E_NOMEM:
	case SLV_E_EXISTS:
	case SLV_E_REFUSED:
	case SLV_E_ACTIVE:
	case SLV_E_BUG: return SLV_EXIT_TROUBLE;
	case SLV_E_UNRELATED: return SLV_EXIT_DAMAGED;
	case SLV_E_USAGE: return SLV_EXIT_USAGE;
	}
	return SLV_EXIT_TROUBLE;
}

enum slv_exit
slv_exit_of(const struct slv_report *report, unsigned ok, bool describing)
{
	enum slv_exit code;

	if (report == NULL)
		return SLV_EXIT_TROUBLE;
	if (slv_report_status(report) != SLV_OK)
		return slv_exit_of_status(slv_report_status(report));
	if (describing
	    && (slv_report_state(report) == SLV_STATE_UNRECOGNISED
	        || slv_report_unfinished(report)))
		return SLV_EXIT_DAMAGED;
	/* For commands that only describe or undo: not everything was
	 * restored. */
	code = describing && slv_report_state(report) != SLV_STATE_LOSSY
	    ? SLV_EXIT_SOUND
	    : of_state(slv_report_state(report));
	return allowed(code, ok);
}
