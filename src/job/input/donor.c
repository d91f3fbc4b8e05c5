/* donor.c - another log of the same robot. */
#include "job/input/donor.h"

#include "formats/formats.h"
#include "job/inplace/undo.h"
#include "job/input/active.h"
#include "job/input/input.h"

enum slv_status
slv_donor_open(struct slv_donor *d, const struct slv_options *options,
    const struct stat *input, const struct slv_scan_options *opt,
    struct slv_err *err)
{
	const char *file = options->donor;
	struct slv_scan_options how = {
		.limits = opt->limits,
		.no_digest = true,
		.cancel = opt->cancel,
		.meter = opt->meter,
	};
	struct stat st;

	SLV_TRY(slv_input_other(options, NULL, file, &d->source, &st, err));
	if (st.st_dev == input->st_dev && st.st_ino == input->st_ino)
		return slv_fail(err, SLV_E_USAGE,
		    "%s: is the file itself, not another log", file);
	SLV_TRY(slv_undo_check_finished(file, err));
	SLV_TRY(slv_active_writer(d->source, err));
	SLV_TRY(slv_scan_run(&d->scan, d->source, slv_formats, &how, err));
	return d->scan.format != NULL
	    ? SLV_OK
	    : slv_fail(err, SLV_E_UNRELATED,
	        "%s: nothing can be taken from it: it is no log that salvor "
	        "knows",
	        file);
}

enum slv_status
slv_donor_check(
    const struct slv_donor *d, const struct slv_scan *s, struct slv_err *err)
{
	if (d->source == NULL || s->format == NULL)
		return SLV_OK;
	if (d->scan.format != s->format)
		return slv_fail(err, SLV_E_UNRELATED,
		    "%s: is a log of another format than %s", d->source->name,
		    s->source->name);
	return s->format->takes
	    ? SLV_OK
	    : slv_fail(err, SLV_E_USAGE,
	        "--donor makes no sense here: a log of this format takes "
	        "nothing from others");
}

void
slv_donor_free(struct slv_donor *d)
{
	slv_scan_free(&d->scan);
	slv_source_close(d->source);
	d->source = NULL;
}
