/* packed_name.c - names of logs that were compressed as a whole. */
#include "base/text/packed_name.h"

#include <string.h>

size_t
slv_packed_stem(const char *path)
{
	/* What rosbag2 appends, and what people do. */
	static const char *const endings[] = { ".zstd", ".zst" };
	static const char log[] = ".mcap";
	size_t n = strlen(path), stem;

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t tail = strlen(endings[i]);

		stem = n > tail ? n - tail : 0;
		if (stem >= strlen(log) && strcmp(path + stem, endings[i]) == 0
		    && memcmp(path + stem - strlen(log), log, strlen(log)) == 0)
			return stem;
	}
	return n;
}

bool
slv_packed_is(const char *path)
{
	return path[slv_packed_stem(path)] != '\0';
}
