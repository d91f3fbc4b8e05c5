/* scan_names.h - findings about ranges and about the source, rather than units. */
#ifndef SLV_CORE_SCAN_NAMES_H
#define SLV_CORE_SCAN_NAMES_H

#include "core/scan/scan.h"

/* Bytes of other recordings, and bytes that could not be read.  After the walk. */
enum slv_status slv_scan_name_ranges(struct slv_scan *, struct slv_err *);

/* Damage of the compressed file that the source was decompressed from.  After the
 * driver has finished, because checksums of the log itself say more. */
enum slv_status slv_scan_name_packing(struct slv_scan *, struct slv_err *);

#endif
