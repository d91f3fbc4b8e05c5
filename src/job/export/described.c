/* described.c - the channels of a log, as an export describes them. */
#include "job/export/described.h"

#include <string.h>

#include "base/mem.h"
#include "io/read/slurp.h"

#define DESCRIPTORS_MAX ((size_t)64 << 20) /* bytes of them that are read */

/* What the caller has of descriptions of messages. */
static enum slv_status
read_descriptors(struct slv_described *d, struct slv_log *log)
{
	const struct slv_options *opt = &log->opt;
	const struct slv_slurp how = {
		.what = "a set of descriptors",
		.most = DESCRIPTORS_MAX,
		.cancel = opt->cancel,
	};

	return opt->descriptors == NULL ? SLV_OK
	                                : slv_slurp_path(opt->descriptors, &how,
	                                    &d->descriptors, &log->err);
}

enum slv_status
slv_described_make(struct slv_described *d, struct slv_log *log, bool as_logged)
{
	const struct slv_channels *from = &log->channels;
	const struct slv_exporting *how = log->scan->format->exporting;
	struct slv_export_help help = { .as_logged = as_logged };
	struct slv_err *err = &log->err;

	d->at = slv_calloc(from->n + 1, sizeof(*d->at));
	if (d->at == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	if (from->n > 0)
		memcpy(d->at, from->at, from->n * sizeof(*from->at));
	if (how == NULL || (as_logged && !how->takes_messages))
		return SLV_OK;
	d->state = slv_calloc(1, how->state_size);
	if (d->state == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	d->how = how;
	SLV_TRY(read_descriptors(d, log));
	help.descriptors =
	    (struct slv_span){ d->descriptors.at, d->descriptors.len };
	return how->begin(d->state, &help, d->at, (uint32_t)from->n, err);
}

void
slv_described_free(struct slv_described *d)
{
	if (d->how != NULL)
		d->how->release(d->state);
	slv_free(d->state);
	slv_free(d->at);
	slv_buf_free(&d->descriptors);
}
