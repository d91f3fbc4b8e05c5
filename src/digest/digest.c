/* digest.c - running digests that can be copied, over BearSSL. */
#include "digest/digest.h"

void
slv_digest_init(struct slv_digest *d, enum slv_digest_kind kind)
{
	d->kind = kind;
	switch (kind) {
	case SLV_SHA1: br_sha1_init(&d->u.sha1); break;
	case SLV_SHA256: br_sha256_init(&d->u.sha256); break;
	}
}

void
slv_digest_add(struct slv_digest *d, const void *bytes, size_t n)
{
	switch (d->kind) {
	case SLV_SHA1: br_sha1_update(&d->u.sha1, bytes, n); break;
	case SLV_SHA256: br_sha256_update(&d->u.sha256, bytes, n); break;
	}
}

void
slv_digest_get(const struct slv_digest *d, uint8_t *out)
{
	switch (d->kind) {
	case SLV_SHA1: br_sha1_out(&d->u.sha1, out); break;
	case SLV_SHA256: br_sha256_out(&d->u.sha256, out); break;
	}
}

size_t
slv_digest_size(enum slv_digest_kind kind)
{
	switch (kind) {
	case SLV_SHA1: return br_sha1_SIZE;
	case SLV_SHA256: return br_sha256_SIZE;
	}
	return 0;
}
