/* walk_bddf.c - what a BDDF log holds, found by following its sizes. */
#include "support/make_bddf.h"

#include <bearssl.h>
#include <stdio.h>
#include <string.h>

#define END_SIZE 40

const char *
made_name(const struct recipe *r)
{
	static char name[48];

	snprintf(name, sizeof(name), "%s+%s/%s", r->grammar ? "grammar" : "sdk",
	    r->type_first ? "first" : "last", r->no_sha1 ? "none" : "sha1");
	return name;
}

static uint64_t
little(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* What a descriptor block holds, by its first byte: the oneof's tag. */
static enum made_kind
kind_of(const uint8_t *body, uint64_t size)
{
	static const enum made_kind kinds[] = {
		[0x0a >> 3] = MADE_FILE,
		[0x12 >> 3] = MADE_SERIES,
		[0x1a >> 3] = MADE_INDEX,
		[0x22 >> 3] = MADE_FILE_INDEX,
	};

	if (size == 0 || body[0] >> 3 > 4)
		return MADE_FILE_INDEX;
	return kinds[body[0] >> 3];
}

bool
made_walk(struct made_log *log, bool grammar, bool type_first,
    const uint8_t *bytes, size_t n)
{
	size_t at = 4;

	made_free(log);
	blob_set(&log->bytes, bytes, n);
	if (n < 4 || memcmp(bytes, "BDDF", 4) != 0)
		return false;
	while (n - at >= 12) {
		unsigned type = bytes[type_first ? at : at + 7];
		uint64_t size = little(bytes + at + type_first, 7);
		struct made_block b = { .off = at };

		if (type == 2) {
			b.kind = MADE_END;
			b.end = at + END_SIZE;
			made_note(log, b);
			return b.end == n
			    && memcmp(bytes + n - 4, "FDDB", 4) == 0;
		}
		if (type > 2 || size > n - at - 12)
			return false;
		if ((type == 0) == grammar) {
			b.kind = kind_of(bytes + at + 8, size);
			b.end = at + 8 + (size_t)size;
		} else {
			b.kind = MADE_DATA;
			b.end = at + 12 + (size_t)size;
			b.payload = at + 12 + (size_t)little(bytes + at + 8, 4);
			if (b.payload > b.end)
				return false;
		}
		made_note(log, b);
		at = b.end;
	}
	return false;
}

bool
made_digest_ok(const uint8_t *bytes, size_t n, bool no_sha1)
{
	uint8_t digest[br_sha1_SIZE] = { 0 };
	br_sha1_context sha1;

	br_sha1_init(&sha1);
	br_sha1_update(&sha1, bytes, n - 24);
	if (!no_sha1)
		br_sha1_out(&sha1, digest);
	return memcmp(bytes + n - 24, digest, sizeof(digest)) == 0;
}

size_t
made_data_end(const struct made_log *log)
{
	size_t end = 4;

	for (size_t i = 0; i < log->n; i++) {
		if (log->blocks[i].kind <= MADE_DATA)
			end = log->blocks[i].end;
	}
	return end;
}
