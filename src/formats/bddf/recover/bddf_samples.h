/* bddf_samples.h - the whole samples of a cut block. */
#ifndef SLV_FORMATS_BDDF_SAMPLES_H
#define SLV_FORMATS_BDDF_SAMPLES_H

#include "formats/bddf/bddf_state.h"

/* Shorten the blocks of plain data that were left out because they are cut at a
 * known place. */
enum slv_status bddf_samples(
    struct slv_scan *, struct slv_mends *, struct slv_err *);

#endif
