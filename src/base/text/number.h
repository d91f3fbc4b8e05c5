/* number.h - numbers as text that machines read back.
 *
 * Whatever the locale: digits, a point, an exponent after "e".
 */
#ifndef SLV_BASE_NUMBER_H
#define SLV_BASE_NUMBER_H

#include "base/buf.h"

void slv_number_u64(struct slv_buf *, uint64_t);
void slv_number_i64(struct slv_buf *, int64_t);

/* A finite number: the shortest text that is read back as this one, or all digits of
 * a whole number; with a point or an exponent, so that it does not look like an
 * integer. */
void slv_number_f64(struct slv_buf *, double);
void slv_number_f32(struct slv_buf *, float);

#endif
