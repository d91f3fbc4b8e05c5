/* packed_name.h - names of logs that were compressed as a whole: NAME.mcap.zstd,
 * as rosbag2 writes them, and NAME.mcap.zst. */
#ifndef SLV_BASE_PACKED_NAME_H
#define SLV_BASE_PACKED_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a path without the ending of its compression; all of them if it has
 * another name. */
size_t slv_packed_stem(const char *path);

/* Return true if it has such a name. */
bool slv_packed_is(const char *path);

#endif
