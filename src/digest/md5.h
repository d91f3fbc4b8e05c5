/* md5.h - MD5 of a few bytes, because formats name types with it.  It proves
 * nothing. */
#ifndef SLV_DIGEST_MD5_H
#define SLV_DIGEST_MD5_H

#include <stddef.h>
#include <stdint.h>

#define SLV_MD5_SIZE 16 /* bytes */

void slv_md5(const void *bytes, size_t n, uint8_t out[SLV_MD5_SIZE]);

#endif
