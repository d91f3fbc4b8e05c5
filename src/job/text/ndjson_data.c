/* ndjson_data.c - a payload as a value of JSON.
 *
 * Bytes are base64.  Numbers that JSON does not have are strings, as in the JSON of
 * protobuf: "NaN", "Infinity", "-Infinity".  Text that is not UTF-8 is an object with
 * the member "base64".
 */
#include "job/text/ndjson.h"

#include <math.h>

#include "base/text/base64.h"
#include "base/json/json_string.h"
#include "job/text/plain.h"

/* A comma, unless this is the first one, and the name. */
static void
begin(struct slv_buf *out, const char *name)
{
	uint8_t last = out->len > 0 ? out->at[out->len - 1] : '[';

	if (last != '[' && last != '{' && last != ':')
		slv_buf_add(out, ",", 1);
	if (name == NULL)
		return;
	slv_buf_add(out, "\"", 1);
	slv_buf_text(out, name);
	slv_buf_add(out, "\":", 2);
}

static void
put_open(void *ctx, const char *name, bool is_list, uint64_t n)
{
	(void)n;
	begin(ctx, name);
	slv_buf_add(ctx, is_list ? "[" : "{", 1);
}

static void
put_close(void *ctx, bool is_list)
{
	slv_buf_add(ctx, is_list ? "]" : "}", 1);
}

static void
put_base64(struct slv_buf *out, struct slv_span bytes)
{
	slv_buf_add(out, "\"", 1);
	slv_base64(out, bytes.at, bytes.len);
	slv_buf_add(out, "\"", 1);
}

static void
put_text(struct slv_buf *out, struct slv_span text)
{
	if (slv_json_string(out, text))
		return;
	slv_buf_text(out, "{\"base64\":");
	put_base64(out, text);
	slv_buf_add(out, "}", 1);
}

static void
put_odd(struct slv_buf *out, double v)
{
	slv_buf_text(out,
	    isnan(v)    ? "\"NaN\""
	        : v > 0 ? "\"Infinity\""
	                : "\"-Infinity\"");
}

static void
put_value(void *ctx, const char *name, const struct slv_value *v)
{
	struct slv_buf *out = ctx;

	begin(out, name);
	if (slv_put_plain(out, v))
		return;
	switch (v->type) {
	case SLV_VALUE_TEXT32: put_text(out, v->bytes); break;
	case SLV_VALUE_BYTE: put_base64(out, v->bytes); break;
	case SLV_VALUE_F32: put_odd(out, (double)v->f32); break;
	default: put_odd(out, v->f64); break;
	}
}

const struct slv_visitor slv_ndjson_visitor = {
	.open = put_open,
	.close = put_close,
	.value = put_value,
};

bool
slv_ndjson_data(struct slv_buf *out, const struct slv_layout *layout,
    struct slv_span payload)
{
	size_t begun = out->len;

	if (slv_layout_walk(layout, payload, &slv_ndjson_visitor, out))
		return true;
	out->len = begun;
	return false;
}
