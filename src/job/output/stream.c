/* stream.c - an output that is no file under a name. */
#include "job/output/stream.h"

#include <unistd.h>

#include "io/sys.h"

/* Its descriptor, and what it is called. */
static int
descriptor_of(const struct slv_stream *s, const char **name)
{
	bool own = s != NULL && s->has_fd;

	*name = own ? "(output)" : "standard output";
	return own ? s->fd : STDOUT_FILENO;
}

static bool
is_call(const struct slv_stream *s)
{
	return s != NULL && s->outlet.write != NULL;
}

enum slv_status
slv_stream_open(
    const struct slv_stream *s, struct slv_sink **out, struct slv_err *err)
{
	const char *name;
	int fd = descriptor_of(s, &name);

	return is_call(s) ? slv_sink_call(&s->outlet, out, err)
	                  : slv_sink_fd(fd, name, out, err);
}

enum slv_status
slv_stream_check(
    const struct slv_stream *s, const struct stat *input, struct slv_err *err)
{
	const char *name;
	int fd = descriptor_of(s, &name);
	struct stat st;

	if (is_call(s) || slv_sys.fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)
	    || st.st_dev != input->st_dev || st.st_ino != input->st_ino)
		return SLV_OK;
	return slv_fail(err, SLV_E_USAGE,
	    "%s is the input itself; name another output", name);
}
