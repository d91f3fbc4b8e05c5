/* target.c - where the output of a repair goes. */
#include "job/output/target.h"
#include "options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/text/packed_name.h"
#include "io/names/link.h"
#include "job/output/outname.h"

const char *
slv_target_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

char *
slv_target_in(const char *dir, const char *name)
{
	size_t n = strlen(dir), room = n + strlen(name) + 2;
	char *path = slv_realloc(NULL, room);
	bool slash = n > 0 && dir[n - 1] == '/';

	if (path != NULL)
		snprintf(path, room, "%s%s%s", dir, slash ? "" : "/", name);
	return path;
}

/* The name of a repaired log in another directory: it is not compressed. */
static char *
repaired_in(const char *dir, const char *file)
{
	char *path = slv_target_in(dir, slv_target_base(file));

	if (path != NULL)
		path[slv_packed_stem(path)] = '\0';
	return path;
}

/* The name of an export: formats are named as files of them end. */
static char *
exported_in(const char *dir, const char *file, const char *format)
{
	const char *base = slv_target_base(file), *dot = strrchr(base, '.');
	bool numbered = dot != NULL && dot[1] != '\0'
	    && dot[1 + strspn(dot + 1, "0123456789")] == '\0';
	struct slv_buf ending = { 0 };
	char *name = NULL, *path = NULL, *suffix;

	slv_buf_printf(&ending, ".%s", format);
	suffix = slv_buf_take(&ending);
	/* The number of a segment tells it from the others. */
	if (suffix != NULL)
		name = slv_outname_with(base, numbered ? dot : "", suffix);
	if (name != NULL)
		path = slv_target_in(dir, name);
	slv_free(suffix);
	slv_free(name);
	return path;
}

enum slv_status
slv_target_path(const char *file, const struct slv_options *opt, char **out,
    struct slv_err *err)
{
	*out = NULL;
	if (opt->output != NULL && strcmp(opt->output, "-") != 0)
		return slv_link_follow_new(opt->output, out, err);
	if (opt->output != NULL)
		*out = slv_strdup(opt->output);
	else if (opt->supply.kind != SLV_SUPPLY_NONE && opt->output_dir == NULL)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is not read from a file, so that its output needs a "
		    "name or a folder",
		    file);
	else if (strcmp(file, "-") == 0)
		return slv_fail(err, SLV_E_USAGE, "%s",
		    opt->in_place
		        ? "standard input cannot be changed in place"
		        : "standard input has no name to derive one from; "
		          "-o OUT says where the output goes");
	else if (opt->in_place)
		return slv_link_follow(file, out, err);
	else if (opt->output_dir != NULL && opt->to != NULL)
		*out = exported_in(opt->output_dir, file, opt->to);
	else if (opt->output_dir != NULL)
		*out = repaired_in(opt->output_dir, file);
	else
		*out = slv_outname(file);
	if (*out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	return SLV_OK;
}

char *
slv_repair_target(const char *file, const struct slv_options *opt)
{
	struct slv_err err = { 0 };
	char *path;

	return slv_target_path(file, slv_options_of(opt), &path, &err) == SLV_OK
	    ? path
	    : NULL;
}
