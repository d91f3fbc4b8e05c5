/* carries.c - what outputs take over from inputs: mode, owner, attributes. */
#include "guard/carries.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static void
add_owner(struct slv_carries *c, const struct stat *st)
{
	for (size_t i = 0; i < c->n_owners; i++) {
		if (c->owners[i].uid == st->st_uid
		    && c->owners[i].gid == st->st_gid)
			return;
	}
	if (c->n_owners == SLV_OWNERS)
		return;
	c->owners[c->n_owners].uid = st->st_uid;
	c->owners[c->n_owners++].gid = st->st_gid;
}

void
slv_carries_add(struct slv_carries *c, const char *path)
{
	bool standard = strcmp(path, "-") == 0;
	struct stat st;

	if ((standard ? fstat(STDIN_FILENO, &st) : stat(path, &st)) != 0
	    || !S_ISREG(st.st_mode))
		return;
	c->modes |= st.st_mode & 0777;
	add_owner(c, &st);
	if (!c->attributes)
		c->attributes = (standard ? flistxattr(STDIN_FILENO, NULL, 0)
		                          : listxattr(path, NULL, 0))
		    > 0;
}
