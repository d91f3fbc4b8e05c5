/* amount.c - sizes for people. */
#include "base/text/amount.h"

#include <stddef.h>
#include <stdio.h>

struct slv_amount
slv_amount(uint64_t bytes)
{
	static const char *const units[] = { "KB", "MB", "GB", "TB", "PB",
		"EB" };
	struct slv_amount a;
	uint64_t tenths = bytes / 100 + (bytes % 100 >= 50);
	size_t u = 0;

	if (bytes < 1000) {
		snprintf(a.text, sizeof(a.text), "%u byte%s", (unsigned)bytes,
		    bytes == 1 ? "" : "s");
		return a;
	}
	for (; tenths >= 9995; u++)
		tenths = tenths / 1000 + (tenths % 1000 >= 500);
	if (tenths < 100)
		snprintf(a.text, sizeof(a.text), "%u.%u %s",
		    (unsigned)tenths / 10 % 10, (unsigned)tenths % 10,
		    units[u]);
	else
		snprintf(a.text, sizeof(a.text), "%u %s",
		    ((unsigned)tenths + 5) / 10 % 10000, units[u]);
	return a;
}
