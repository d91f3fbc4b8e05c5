/* notes.h - what a repair writes into the log about itself, if the format has a
 * place for it.
 */
#ifndef SLV_CORE_NOTES_H
#define SLV_CORE_NOTES_H

#include <stddef.h>

/* The note that every repair writes: it is "lossy" or "repaired". */
#define SLV_NOTE_STATE "salvor:state"

#define SLV_NOTES_MAX  8
#define SLV_NOTE_SIZE  48 /* bytes of a value, its NUL included */

struct slv_note {
	const char *key; /* static; "salvor:state" */
	char value[SLV_NOTE_SIZE];
};

struct slv_notes {
	struct slv_note at[SLV_NOTES_MAX];
	size_t n;
};

#endif
