/* stage.c - the files that all tests of the guard use. */
#include "guard/stage.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"

char input[PATH], sidecar[PATH], secret[PATH], new[PATH];
char folder[PATH], made[PATH], done[PATH];

static void
name(char *to, const char *base)
{
	snprintf(to, PATH, "%s", scratch_path(base));
}

void
name_paths(void)
{
	name(input, "in.bddf");
	name(sidecar, "in.bddf.salvor.json");
	name(secret, "secret");
	name(new, "new");
	name(folder, "folder");
	name(made, "folder/made");
	name(done, "folder/done");
}

void
set_up(void)
{
	scratch_clean();
	scratch_write("in.bddf", "log", 3);
	scratch_write("in.bddf.salvor.json", "{}", 2);
	scratch_write("secret", "key", 3);
	mkdir(folder, 0700);
}

void
tear_down(void)
{
	unlink(made);
	unlink(done);
	rmdir(folder);
	scratch_clean();
}
