/* cyber.h - the driver of Apollo Cyber records. */
#ifndef SLV_FORMATS_CYBER_H
#define SLV_FORMATS_CYBER_H

#include "core/format/format.h"

extern const struct slv_format slv_format_cyber;

#endif
