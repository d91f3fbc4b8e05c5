/* log_input.c - logs that are not opened by name: a descriptor, memory, functions of
 * the caller. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "io/sys.h"
#include "job/input/active.h"
#include "job/read/log.h"

/* Audit what a source holds, unless it could not be opened. */
static enum slv_status
audit(struct slv_log *log, struct slv_source *source)
{
	return source != NULL ? slv_log_audit(log, source) : log->err.code;
}

enum slv_status
slv_log_open_fd(int fd, const char *name, const struct slv_options *options,
    struct slv_log **out)
{
	struct slv_source *source = NULL;
	struct slv_log *log =
	    slv_log_new(name != NULL ? name : "(file)", options);
	int own = log != NULL ? slv_sys.dup(fd) : -1;

	*out = log;
	if (log == NULL)
		return SLV_E_NOMEM;
	if (own < 0)
		return slv_fail_errno(&log->err, "%s: cannot read", log->name);
	if (slv_source_fd_open(
	        own, log->name, &source, &log->work.st, &log->err)
	        != SLV_OK
	    || slv_active_writer(source, &log->err) != SLV_OK) {
		slv_source_close(source);
		return log->err.code;
	}
	return audit(log, source);
}

enum slv_status
slv_log_open_memory(const void *bytes, size_t n, const char *name,
    const struct slv_options *options, struct slv_log **out)
{
	struct slv_source *source = NULL;

	*out = slv_log_new(name != NULL ? name : "(memory)", options);
	if (*out == NULL)
		return SLV_E_NOMEM;
	if (slv_source_memory(bytes, n, &source, &(*out)->err) == SLV_OK)
		source->name = (*out)->name;
	return audit(*out, source);
}

/* A source of the caller's. */
struct input_source {
	struct slv_source base;
	struct slv_input input;
};

static int
call(const struct slv_input *in, uint64_t off, uint8_t *buf, size_t n)
{
	return in->read_at(in->ctx, off, buf, n);
}

/* Read what can be read of n bytes, sector by sector. */
static enum slv_status
read_sectors(struct input_source *s, uint64_t off, uint8_t *buf, size_t n,
    struct slv_err *err)
{
	while (n > 0) {
		size_t part =
		    (size_t)slv_min64(n, SLV_SECTOR - off % SLV_SECTOR);
		int bad = call(&s->input, off, buf, part);

		if (bad != 0 && bad != EIO) {
			errno = bad;
			return slv_fail_errno(err, "%s: cannot read at %llu",
			    s->base.name, (unsigned long long)off);
		}
		if (bad != 0) {
			memset(buf, 0, part);
			SLV_TRY(slv_ranges_add(
			    &s->base.unreadable, off, part, err));
		}
		off += part;
		buf += part;
		n -= part;
	}
	return SLV_OK;
}

static enum slv_status
input_read(struct slv_source *source, uint64_t off, void *buf, size_t n,
    struct slv_err *err)
{
	struct input_source *s = (struct input_source *)source;
	int bad = call(&s->input, off, buf, n);

	if (bad == EIO)
		return read_sectors(s, off, buf, n, err);
	if (bad == 0)
		return SLV_OK;
	errno = bad;
	return slv_fail_errno(err, "%s: cannot read at %llu", source->name,
	    (unsigned long long)off);
}

static void
input_close(struct slv_source *source)
{
	struct input_source *s = (struct input_source *)source;

	if (s->input.close != NULL)
		s->input.close(s->input.ctx);
	free(s);
}

static const struct slv_source_ops input_ops = {
	.read = input_read,
	.close = input_close,
};

enum slv_status
slv_log_open_input(const struct slv_input *input, const char *name,
    const struct slv_options *options, struct slv_log **out)
{
	struct input_source *s = slv_calloc(1, sizeof(*s));

	*out = s != NULL ? slv_log_new(name != NULL ? name : "(input)", options)
	                 : NULL;
	if (*out == NULL) {
		free(s);
		if (input->close != NULL)
			input->close(input->ctx);
		return SLV_E_NOMEM;
	}
	s->base.ops = &input_ops;
	s->base.size = input->size;
	s->base.name = (*out)->name;
	s->input = *input;
	return audit(*out, &s->base);
}
