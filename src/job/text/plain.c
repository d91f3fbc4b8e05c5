/* plain.c - values that all text formats write alike. */
#include "job/text/plain.h"

#include <math.h>

#include "base/text/number.h"

bool
slv_put_plain(struct slv_buf *out, const struct slv_value *v)
{
	switch (v->type) {
	case SLV_VALUE_BOOL:
		slv_buf_text(out, v->u != 0 ? "true" : "false");
		return true;
	case SLV_VALUE_I64: slv_number_i64(out, v->i); return true;
	case SLV_VALUE_F32:
		if (isfinite(v->f32))
			slv_number_f32(out, v->f32);
		return isfinite(v->f32);
	case SLV_VALUE_F64:
		if (isfinite(v->f64))
			slv_number_f64(out, v->f64);
		return isfinite(v->f64);
	case SLV_VALUE_TEXT32:
	case SLV_VALUE_BYTE: return false;
	default: slv_number_u64(out, v->u); return true;
	}
}
