/* bag.c - a bag of ROS 2: its folder, its metadata.yaml, its findings. */
#include "batch/ros2/bag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "io/read/slurp.h"

/* "folder/name"; NULL: out of memory. */
static char *
below(const char *folder, const char *name)
{
	struct slv_buf b = { 0 };

	slv_buf_printf(&b, "%s/%s", folder, name);
	return slv_buf_take(&b);
}

/* A regular file only: a link could name any file of the machine. */
static bool
has_metadata(const char *folder)
{
	char *path = below(folder, SLV_BAG_METADATA);
	struct stat st;
	bool yes = path != NULL && lstat(path, &st) == 0 && S_ISREG(st.st_mode);

	slv_free(path);
	return yes;
}

bool
slv_bag_is(const char *folder)
{
	struct stat st;

	return stat(folder, &st) == 0 && S_ISDIR(st.st_mode)
	    && (has_metadata(folder) || slv_bag_has_files(folder));
}

static enum slv_status
read_metadata(struct slv_bag *b, struct slv_err *err)
{
	const struct slv_slurp how = {
		.what = "a " SLV_BAG_METADATA,
		.most = SLV_YAML_MOST,
		.cancel = b->cancel,
		.plain = true,
	};
	char *path = below(b->folder, SLV_BAG_METADATA);
	enum slv_status st = path == NULL
	    ? slv_fail(err, SLV_E_NOMEM, "out of memory")
	    : slv_slurp_path(path, &how, &b->metadata, err);

	slv_free(path);
	/* A metadata.yaml that is too long is a finding, not a failure. */
	if (st == SLV_E_USAGE && b->metadata.len > SLV_YAML_MOST) {
		*err = (struct slv_err){ 0 };
		st = SLV_OK;
	}
	return st;
}

enum slv_status
slv_bag_open(struct slv_bag *b, const char *folder, struct slv_err *err)
{
	size_t n = strlen(folder);

	b->root = SLV_YAML_NONE;
	b->folder = slv_strdup(folder);
	if (b->folder == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	while (n > 1 && b->folder[n - 1] == '/')
		b->folder[--n] = '\0';
	b->has_metadata = has_metadata(b->folder);
	if (b->has_metadata)
		SLV_TRY(read_metadata(b, err));
	return slv_bag_find_files(b, err);
}

enum slv_status
slv_bag_go_on(const struct slv_bag *b, struct slv_err *err)
{
	return slv_is_cancelled(b->cancel)
	    ? slv_fail(err, SLV_E_CANCELLED, "stopped")
	    : SLV_OK;
}

bool
slv_bag_has(const struct slv_bag *b, enum slv_bag_row row)
{
	size_t i = 0;

	while (i < b->n_findings && b->findings[i].row != row)
		i++;
	return i < b->n_findings;
}

char *
slv_bag_path(const struct slv_bag *b, const char *name)
{
	return below(b->folder, name);
}

enum slv_status
slv_bag_raise(struct slv_bag *b, enum slv_bag_row row, struct slv_err *err,
    const char *fmt, ...)
{
	char text[1024];
	va_list args;
	char *copy;

	if (b->total++ >= SLV_BAG_FINDINGS)
		return SLV_OK;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	SLV_TRY(slv_grow(&b->findings, &b->cap_findings, b->n_findings + 1,
	    sizeof(*b->findings), err));
	copy = slv_strdup(text);
	if (copy == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	b->findings[b->n_findings++] = (struct slv_bag_finding){ row, copy };
	return SLV_OK;
}

void
slv_bag_free(struct slv_bag *b)
{
	for (size_t i = 0; i < b->n_files; i++) {
		slv_free(b->files[i].path);
		slv_free(b->files[i].output);
	}
	for (size_t i = 0; i < b->n_topics; i++)
		slv_bag_topic_free(&b->topics[i]);
	for (size_t i = 0; i < b->n_findings; i++)
		slv_free(b->findings[i].text);
	slv_free(b->files);
	slv_free(b->by_name);
	slv_free(b->topics);
	slv_free(b->findings);
	slv_free(b->folder);
	slv_free(b->distro);
	slv_buf_free(&b->metadata);
	slv_yaml_free(&b->yaml);
	slv_yaml_free(&b->noted);
	*b = (struct slv_bag){ .n_files = 0 };
}
