/* dataflash.h - flight logs of ArduPilot (.bin). */
#ifndef SLV_FORMATS_DATAFLASH_H
#define SLV_FORMATS_DATAFLASH_H

#include "core/format/format.h"

extern const struct slv_format slv_format_dataflash;

#endif
