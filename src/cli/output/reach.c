/* reach.c - can a file be written there?
 *
 * A proposed command must work when it is typed.  The file system is asked, and
 * nothing is created: a command that only reads logs leaves no trace.
 */
#include "cli/output/reach.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define SLACK 65536 /* bytes; for the report next to a lossy output */
#define NAMES 100   /* names that are tried if one is taken */

void
slv_reach_directory(struct slv_buf *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		slv_buf_text(out, ".");
	else if (slash == path)
		slv_buf_text(out, "/");
	else
		slv_buf_add(out, path, (size_t)(slash - path));
}

static enum slv_reach
look_at_directory(const char *dir, uint64_t bytes)
{
	struct statvfs vfs;
	uint64_t blocks, room;

	if (access(dir, W_OK | X_OK) < 0)
		return SLV_REACH_DENIED;
	/* Pseudo file systems have no blocks: they report no space. */
	if (statvfs(dir, &vfs) < 0 || vfs.f_blocks == 0)
		return SLV_REACH_GOOD;
	blocks = geteuid() == 0 ? vfs.f_bfree : vfs.f_bavail;
	if (__builtin_mul_overflow(blocks, (uint64_t)vfs.f_frsize, &room)
	    || __builtin_add_overflow(bytes, (uint64_t)SLACK, &bytes))
		return SLV_REACH_GOOD;
	return room < bytes ? SLV_REACH_FULL : SLV_REACH_GOOD;
}

enum slv_reach
slv_reach_look(const char *path, uint64_t bytes)
{
	struct slv_buf dir = { 0 };
	enum slv_reach reach = SLV_REACH_GOOD;
	struct stat there;
	char *name;

	if (lstat(path, &there) == 0)
		return SLV_REACH_TAKEN;
	slv_reach_directory(&dir, path);
	name = slv_buf_take(&dir);
	if (name != NULL)
		reach = look_at_directory(name, bytes);
	slv_free(name);
	return reach;
}

void
slv_reach_beside(struct slv_buf *out, const char *path, uint64_t bytes)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	const char *dot = strrchr(name, '.');
	size_t n =
	    dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
	enum slv_reach reach = SLV_REACH_TAKEN;
	char *other = NULL;

	for (int i = 2; i < NAMES && reach == SLV_REACH_TAKEN; i++) {
		struct slv_buf b = { 0 };

		slv_free(other);
		slv_buf_printf(&b, "%.*s.%d%s", (int)n, path, i, path + n);
		other = slv_buf_take(&b);
		if (other == NULL)
			return;
		reach = slv_reach_look(other, bytes);
	}
	if (reach == SLV_REACH_GOOD)
		slv_buf_text(out, other);
	slv_free(other);
}

const char *
slv_reach_elsewhere(const char *name, uint64_t bytes)
{
	const char *const dirs[] = { ".", getenv("TMPDIR"), getenv("HOME"),
		"/tmp", "/var/tmp" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++) {
		struct slv_buf b = { 0 };
		bool good;
		char *path;

		if (dirs[i] == NULL || *dirs[i] == '\0')
			continue;
		slv_buf_printf(&b, "%s/%s", dirs[i], name);
		path = slv_buf_take(&b);
		good = path != NULL
		    && slv_reach_look(path, bytes) == SLV_REACH_GOOD;
		slv_free(path);
		if (good)
			return dirs[i];
	}
	return NULL;
}
