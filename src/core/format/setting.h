/* setting.h - what a caller may tell the driver of one format.
 *
 * A driver declares its settings in rows; jobs hand on what the caller gave, by
 * name, to whichever driver reads the log.  The core knows none of the names.
 */
#ifndef SLV_CORE_SETTING_H
#define SLV_CORE_SETTING_H

struct slv_scan;

enum slv_setting_type {
	SLV_SETTING_FLAG, /* given or not */
	SLV_SETTING_TEXT,
};

/* One that a driver has. */
struct slv_setting_row {
	const char *name; /* as the option of the command line; NULL: no more */
	enum slv_setting_type type;
};

/* One that was given. */
struct slv_setting {
	const char *name;  /* NULL: no more */
	const char *value; /* of a flag "" */
};

/* The value of a setting of the scan, borrowed; NULL: it was not given. */
const char *slv_scan_setting(const struct slv_scan *, const char *name);

#endif
