/* cyber_unit.h - the kinds of units, by which accept() knows them again. */
#ifndef SLV_FORMATS_CYBER_UNIT_H
#define SLV_FORMATS_CYBER_UNIT_H

#include "formats/cyber/cyber_state.h"

extern const char cyber_kind_header[];
extern const char cyber_kind_message[];
extern const char cyber_kind_other[]; /* a section of unknown type */
extern const char *const cyber_kinds[CYBER_TYPES];

#endif
