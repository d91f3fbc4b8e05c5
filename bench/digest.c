/* digest.c - nothing but the SHA-1 of a file, for bench/run.
 *
 * usage: digest [--bearssl] FILE
 *
 * Computed as salvor does it on this machine, or by BearSSL.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "digest/digest.h"

#define STRIDE ((size_t)256 << 10) /* bytes hashed at once, as in salvor */

int
main(int argc, char **argv)
{
	bool bear = argc == 3 && strcmp(argv[1], "--bearssl") == 0;
	uint8_t *room = slv_alloc_pages(STRIDE), sha1[SLV_SHA1_SIZE];
	struct slv_digest d = { .kind = SLV_SHA1 };
	FILE *file;
	size_t n;

	if (argc != 2 && !bear) {
		fputs("usage: digest [--bearssl] FILE\n", stderr);
		return 16;
	}
	file = fopen(argv[argc - 1], "rb");
	if (room == NULL || file == NULL) {
		perror(argv[argc - 1]);
		return 1;
	}
	setvbuf(file, NULL, _IONBF, 0);
	d.u.how = slv_digest_choose(SLV_SHA1, bear ? 0 : slv_sha_cpu())->how;
	d.u.how->init(&d.u.how);
	while ((n = fread(room, 1, STRIDE, file)) > 0)
		slv_digest_add(&d, room, n);
	if (ferror(file)) {
		perror(argv[argc - 1]);
		return 1;
	}
	slv_digest_get(&d, sha1);
	for (size_t i = 0; i < sizeof(sha1); i++)
		printf("%02x", sha1[i]);
	printf("  %s\n", argv[argc - 1]);
	fclose(file);
	free(room);
	return 0;
}
