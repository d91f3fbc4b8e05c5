/* proof.c - is an output still what the journal says? */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text/hex.h"
#include "batch/journal/journal.h"
#include "digest/digest.h"
#include "io/names/named.h"

#define ROOM ((size_t)256 << 10) /* bytes read at once */

/* Return true if everything was readable. */
static bool
digest(int fd, struct slv_digest *d)
{
	uint8_t *room = slv_realloc(NULL, ROOM);
	ssize_t n = room != NULL ? 1 : -1;

	while (n > 0 || (n < 0 && room != NULL && errno == EINTR)) {
		n = read(fd, room, ROOM);
		if (n > 0)
			slv_digest_add(d, room, (size_t)n);
	}
	slv_free(room);
	return n == 0;
}

bool
slv_entry_proves(const struct slv_entry *e)
{
	static const struct slv_named how = {
		.what = "an output",
		.flags = O_RDONLY,
	};
	uint8_t is[SLV_SHA256_SIZE], was[SLV_SHA256_SIZE];
	struct slv_digest d;
	bool good;
	int fd = -1;

	if (e->output == NULL || e->sha256 == NULL
	    || !slv_hex_read(e->sha256, was, sizeof(was)))
		return false;
	slv_digest_init(&d, SLV_SHA256);
	good = slv_named_open(e->output, &how, &fd, NULL) == SLV_OK
	    && digest(fd, &d);
	if (fd >= 0)
		close(fd);
	slv_digest_get(&d, is);
	return good && memcmp(is, was, sizeof(is)) == 0;
}
