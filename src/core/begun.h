/* begun.h - a log that begins several times: what was written before it began
 * for the last time is its beginning once more.
 */
#ifndef SLV_CORE_BEGUN_H
#define SLV_CORE_BEGUN_H

#include "core/scan.h"

/* The last place at which the scanned log begins again, so that all bytes from
 * one beginning to the next are those after the last one, too, or zeros: nothing that is
 * in the file is lost where all but the last are left out.  What the scan
 * keeps is not searched, unless something that it leaves out follows within 1 MiB.
 *
 *   *start  the scan's base where it begins once
 *
 * SLV_E_IO, SLV_E_NOMEM, SLV_E_CANCELLED */
enum slv_status slv_begun_find(
    struct slv_scan *, uint64_t *start, struct slv_err *);

#endif
