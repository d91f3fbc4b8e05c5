/* carla.h - the driver of CARLA recorder logs. */
#ifndef SLV_FORMATS_CARLA_H
#define SLV_FORMATS_CARLA_H

#include "core/format/format.h"

extern const struct slv_format slv_format_carla;

#endif
