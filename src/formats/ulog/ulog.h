/* ulog.h - flight logs of PX4 (.ulg). */
#ifndef SLV_FORMATS_ULOG_H
#define SLV_FORMATS_ULOG_H

#include "core/format/format.h"

extern const struct slv_format slv_format_ulog;

#endif
