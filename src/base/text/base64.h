/* base64.h - bytes as base64 (RFC 4648). */
#ifndef SLV_BASE_BASE64_H
#define SLV_BASE_BASE64_H

#include "base/buf.h"

/* Append n bytes, padded. */
void slv_base64(struct slv_buf *, const void *bytes, size_t n);

/* Append the bytes of such text.  false: it is invalid, and the appended bytes
 * are useless. */
bool slv_base64_read(struct slv_buf *, const char *text);

#endif
