/* cyber_unit.h - the kinds of units, which unit() passes to accept(). */
#ifndef SLV_FORMATS_CYBER_UNIT_H
#define SLV_FORMATS_CYBER_UNIT_H

#include "formats/cyber/cyber_state.h"

/* What a unit is.  Sections follow SECTION in the order of their types. */
enum cyber_tag {
	CYBER_TAG_MESSAGE,
	CYBER_TAG_OTHER, /* a section of unknown type */
	CYBER_TAG_SECTION,
	CYBER_TAG_HEADER = CYBER_TAG_SECTION + CYBER_HEADER,
	CYBER_TAG_CHUNK_HEADER = CYBER_TAG_SECTION + CYBER_CHUNK_HEADER,
	CYBER_TAG_CHUNK_BODY = CYBER_TAG_SECTION + CYBER_CHUNK_BODY,
	CYBER_TAG_INDEX = CYBER_TAG_SECTION + CYBER_INDEX,
	CYBER_TAG_CHANNEL = CYBER_TAG_SECTION + CYBER_CHANNEL,
	CYBER_TAGS
};
extern const char *const cyber_kinds[CYBER_TAGS];

/* What unit() passes on in slv_unit.priv. */
enum {
	CYBER_U_CONTENT, /* bytes of it at the unit's end */
	CYBER_U_TIME,    /* of a message, ns */
	CYBER_U_CHANNEL, /* ... 1 + its index; 0: it is new */
};

/* Messages that carry pieces of a record: the content of the longest one, and
 * of the longest one that is damaged and may carry some. */
struct cyber_carrier {
	bool known; /* the search was done */
	uint64_t longest, damaged;
};

#endif
