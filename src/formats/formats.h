/* formats.h - the drivers there are; one line each in formats.c. */
#ifndef SLV_FORMATS_FORMATS_H
#define SLV_FORMATS_FORMATS_H

#include "core/format/format.h"

/* Every driver, ending with NULL. */
extern const struct slv_format *const slv_formats[];

#endif
