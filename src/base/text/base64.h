/* base64.h - bytes as letters, as RFC 4648 has them. */
#ifndef SLV_BASE_BASE64_H
#define SLV_BASE_BASE64_H

#include "base/buf.h"

/* Append n bytes, padded. */
void slv_base64(struct slv_buf *, const void *bytes, size_t n);

/* Append the bytes of such text.  false: it is none, and what was appended is
 * of no use. */
bool slv_base64_read(struct slv_buf *, const char *text);

#endif
