/* setting.h - options of one format, passed to its driver by name.
 *
 * A driver declares its settings in rows.  A job passes on what the caller
 * gave, by name, to the driver that reads the log.  The core knows none of the
 * names.
 */
#ifndef SLV_CORE_SETTING_H
#define SLV_CORE_SETTING_H

struct slv_scan;

enum slv_setting_type {
	SLV_SETTING_FLAG, /* given or not */
	SLV_SETTING_TEXT,
};

/* A setting that a driver has. */
struct slv_setting_row {
	const char *name; /* name of the command line option; NULL: end */
	enum slv_setting_type type;
};

/* A setting that was given. */
struct slv_setting {
	const char *name;  /* NULL: end */
	const char *value; /* "" for a flag */
};

/* The value of a setting of the scan, borrowed; NULL: it was not given. */
const char *slv_scan_setting(const struct slv_scan *, const char *name);

#endif
