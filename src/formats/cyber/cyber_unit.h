/* cyber_unit.h - the kinds of units, by which accept() knows them again. */
#ifndef SLV_FORMATS_CYBER_UNIT_H
#define SLV_FORMATS_CYBER_UNIT_H

#include "formats/cyber/cyber_state.h"

extern const char cyber_kind_header[];
extern const char cyber_kind_message[];
extern const char cyber_kind_other[]; /* a section of unknown type */
extern const char *const cyber_kinds[CYBER_TYPES];

/* What unit() hands on in slv_unit.priv. */
enum {
	CYBER_U_CONTENT, /* bytes of it at the unit's end */
	CYBER_U_TIME,    /* of a message, ns */
	CYBER_U_CHANNEL, /* ... where it stands, + 1; 0: it is a new one */
};

#endif
