/* formats.c - the drivers there are. */
#include "formats/formats.h"

#include "formats/bddf/bddf.h"
#include "formats/carla/carla.h"
#include "formats/cyber/cyber.h"
#include "formats/dataflash/dataflash.h"
#include "formats/mcap/mcap.h"
#include "formats/rosbag/rosbag.h"
#include "formats/rosrecord/rosrecord.h"
#include "formats/ulog/ulog.h"

const struct slv_format *const slv_formats[] = {
	&slv_format_bddf,
	&slv_format_carla,
	&slv_format_cyber,
	&slv_format_dataflash,
	&slv_format_mcap,
	&slv_format_rosbag,
	&slv_format_rosrecord,
	&slv_format_ulog,
	NULL,
};
