/* digest.c - running digests that can be copied, and how they are computed. */
#include "digest/digest.h"

const struct slv_digest_way slv_digest_ways[] = {
#ifdef SLV_SHA_X86
	{ SLV_SHA1, "x86 SHA instructions", SLV_SHA_X86_NEEDS,
	    &slv_sha1_x86.how },
	{ SLV_SHA256, "x86 SHA instructions", SLV_SHA_X86_NEEDS,
	    &slv_sha256_x86.how },
#endif
#ifdef SLV_SHA_ARM
	{ SLV_SHA1, "Armv8 SHA instructions", SLV_SHA1_ARM_NEEDS,
	    &slv_sha1_arm.how },
	{ SLV_SHA256, "Armv8 SHA instructions", SLV_SHA256_ARM_NEEDS,
	    &slv_sha256_arm.how },
#endif
	{ SLV_SHA1, "BearSSL", 0, &br_sha1_vtable },
	{ SLV_SHA256, "BearSSL", 0, &br_sha256_vtable },
	{ .how = NULL },
};

const struct slv_digest_way *
slv_digest_choose(enum slv_digest_kind kind, uint64_t has)
{
	const struct slv_digest_way *way = slv_digest_ways;

	while (way->kind != kind || (way->needs & ~has) != 0)
		way++;
	return way;
}

const struct slv_digest_way *
slv_digest_here(enum slv_digest_kind kind)
{
	return slv_digest_choose(kind, slv_sha_cpu());
}

void
slv_digest_init(struct slv_digest *d, enum slv_digest_kind kind)
{
	d->kind = kind;
	d->u.how = slv_digest_here(kind)->how;
	d->u.how->init(&d->u.how);
}

void
slv_digest_add(struct slv_digest *d, const void *bytes, size_t n)
{
	d->u.how->update(&d->u.how, bytes, n);
}

void
slv_digest_get(const struct slv_digest *d, uint8_t *out)
{
	d->u.how->out(&d->u.how, out);
}

size_t
slv_digest_size(enum slv_digest_kind kind)
{
	switch (kind) {
	case SLV_SHA1: return SLV_SHA1_SIZE;
	case SLV_SHA256: return SLV_SHA256_SIZE;
	}
	return 0;
}
