/* buf.c - a growable byte string. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"

void
slv_buf_add(struct slv_buf *b, const void *bytes, size_t n)
{
	if (b->failed || n == 0)
		return;
	if (slv_grow(&b->at, &b->cap, b->len + n, 1, NULL) != SLV_OK) {
		b->failed = true;
		return;
	}
	memcpy(b->at + b->len, bytes, n);
	b->len += n;
}

void
slv_buf_text(struct slv_buf *b, const char *text)
{
	slv_buf_add(b, text, strlen(text));
}

void
slv_buf_put16(struct slv_buf *buf, uint16_t v)
{
	uint8_t bytes[sizeof(v)];

	slv_put_le16(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
slv_buf_put32(struct slv_buf *buf, uint32_t v)
{
	uint8_t bytes[sizeof(v)];

	slv_put_le32(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
slv_buf_put64(struct slv_buf *buf, uint64_t v)
{
	uint8_t bytes[sizeof(v)];

	slv_put_le64(bytes, v);
	slv_buf_add(buf, bytes, sizeof(bytes));
}

void
slv_buf_printf(struct slv_buf *b, const char *fmt, ...)
{
	va_list args, again;
	int n;

	if (b->failed)
		return;
	va_start(args, fmt);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, fmt, args);
	/* The final NUL needs space too. */
	if (n < 0
	    || slv_grow(&b->at, &b->cap, b->len + (size_t)n + 1, 1, NULL)
	        != SLV_OK) {
		b->failed = true;
	} else {
		vsnprintf((char *)b->at + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
	va_end(args);
}

enum slv_status
slv_buf_check(const struct slv_buf *b, struct slv_err *err)
{
	return b->failed ? slv_fail(err, SLV_E_NOMEM, "out of memory") : SLV_OK;
}

enum slv_status
slv_text_copy(const void *bytes, size_t n, char **out, struct slv_err *err)
{
	struct slv_buf b = { 0 };

	slv_buf_add(&b, bytes, n);
	*out = slv_buf_take(&b);
	return *out != NULL ? SLV_OK
	                    : slv_fail(err, SLV_E_NOMEM, "out of memory");
}

char *
slv_buf_take(struct slv_buf *b)
{
	char *text = NULL;

	slv_buf_add(b, "", 1);
	if (b->failed)
		slv_buf_free(b);
	else
		text = (char *)b->at;
	*b = (struct slv_buf){ 0 };
	return text;
}

void
slv_buf_free(struct slv_buf *b)
{
	slv_free(b->at);
	*b = (struct slv_buf){ 0 };
}
