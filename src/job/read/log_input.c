/* log_input.c - logs that are not opened by name: a descriptor, memory, functions of
 * the caller. */
#include "job/input/active.h"
#include "job/input/input.h"
#include "job/input/served.h"
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
	struct slv_log *log =
	    slv_log_new(name != NULL ? name : "(file)", options);
	struct slv_source *source = NULL;

	*out = log;
	if (log == NULL)
		return SLV_E_NOMEM;
	if (slv_input_fd(fd, log->name, &source, &log->work.st, &log->err)
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
	(void)slv_input_memory(bytes, n, (*out)->name, &source, &(*out)->err);
	return audit(*out, source);
}

enum slv_status
slv_log_open_input(const struct slv_input *input, const char *name,
    const struct slv_options *options, struct slv_log **out)
{
	struct slv_source *source = NULL;

	*out = slv_log_new(name != NULL ? name : "(input)", options);
	if (*out == NULL) {
		if (input->close != NULL)
			input->close(input->ctx);
		return SLV_E_NOMEM;
	}
	(void)slv_served_source(input, (*out)->name, &source, &(*out)->err);
	return audit(*out, source);
}
