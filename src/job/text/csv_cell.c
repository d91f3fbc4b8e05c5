/* csv_cell.c - cells of comma-separated values. */
#include "job/text/csv_cell.h"

#include <math.h>
#include <string.h>

#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "job/text/plain.h"

#define MARK "base64:"

static bool
is_text(struct slv_span s)
{
	struct slv_utf8 u = { 0 };
	bool good = s.len < sizeof(MARK) - 1
	    || memcmp(s.at, MARK, sizeof(MARK) - 1) != 0;

	for (size_t i = 0; good && i < s.len; i++)
		good = s.at[i] != '\0' && slv_utf8_add(&u, s.at[i]);
	return good && u.more == 0;
}

/* Readers differ in what they do with blanks at the ends. */
static bool
is_plain(struct slv_span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] < ' ' || s.at[i] == '"' || s.at[i] == ',')
			return false;
	}
	return s.len == 0 || (s.at[0] != ' ' && s.at[s.len - 1] != ' ');
}

void
slv_csv_bytes(struct slv_buf *out, struct slv_span s)
{
	slv_base64(out, s.at, s.len);
}

void
slv_csv_text(struct slv_buf *out, struct slv_span s)
{
	if (!is_text(s)) {
		slv_buf_text(out, MARK);
		slv_csv_bytes(out, s);
		return;
	}
	if (is_plain(s)) {
		slv_buf_add(out, s.at, s.len);
		return;
	}
	slv_buf_add(out, "\"", 1);
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] == '"')
			slv_buf_add(out, "\"", 1);
		slv_buf_add(out, s.at + i, 1);
	}
	slv_buf_add(out, "\"", 1);
}

static void
put_odd(struct slv_buf *out, double v)
{
	slv_buf_text(out, isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
}

void
slv_csv_value(struct slv_buf *out, const struct slv_value *v)
{
	if (slv_put_plain(out, v))
		return;
	switch (v->type) {
	case SLV_VALUE_TEXT32: slv_csv_text(out, v->bytes); break;
	case SLV_VALUE_BYTE: slv_csv_bytes(out, v->bytes); break;
	case SLV_VALUE_F32: put_odd(out, (double)v->f32); break;
	default: put_odd(out, v->f64); break;
	}
}
