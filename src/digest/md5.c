/* md5.c - MD5, over BearSSL. */
#include "digest/md5.h"

#include <bearssl.h>

void
slv_md5(const void *bytes, size_t n, uint8_t out[SLV_MD5_SIZE])
{
	br_md5_context c;

	br_md5_init(&c);
	br_md5_update(&c, bytes, n);
	br_md5_out(&c, out);
}
