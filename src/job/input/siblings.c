/* siblings.c - the other segments of a recording. */
#include "job/input/siblings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "formats/formats.h"
#include "job/inplace/undo.h"
#include "job/input/active.h"
#include "job/input/beside.h"

/* How many digits end the names of such logs; 0: they have no numbers. */
static unsigned
digits_of(const struct slv_format *format)
{
	unsigned n = 0;

	if (format != NULL)
		return format->numbered;
	for (size_t i = 0; n == 0 && slv_formats[i] != NULL; i++)
		n = slv_formats[i]->numbered;
	return n;
}

/* -1: the segment before the log, 2: the second one after it. */
static int
step_of(unsigned i)
{
	return (int)(i / 2 + 1) * (i % 2 == 0 ? -1 : 1);
}

enum slv_status
slv_sibling_name(const struct slv_format *format, const char *log, unsigned i,
    char **out, struct slv_err *err)
{
	unsigned digits = digits_of(format);
	size_t n = strlen(log);
	const char *tail = log + n - digits;
	long number, most = 1;

	*out = NULL;
	if (digits == 0 || n <= digits + 1 || tail[-1] != '.'
	    || strspn(tail, "0123456789") != digits)
		return SLV_OK;
	for (unsigned k = 0; k < digits; k++)
		most *= 10;
	number = strtol(tail, NULL, 10) + step_of(i);
	if (number < 0 || number >= most)
		return SLV_OK;
	*out = slv_strdup(log);
	if (*out == NULL)
		return slv_fail(err, SLV_E_NOMEM, "out of memory");
	snprintf(*out + n - digits, digits + 1, "%0*ld", (int)digits, number);
	return SLV_OK;
}

/* Open and read one. */
static enum slv_status
open_piece(
    struct slv_neighbours *all, struct slv_neighbour *one, struct slv_err *err)
{
	struct stat st;

	SLV_TRY(slv_beside_open(one->name, all->st, &one->source, &st, err));
	if (st.st_dev == all->st->st_dev && st.st_ino == all->st->st_ino)
		return SLV_OK;
	SLV_TRY(slv_undo_check_finished(one->name, err));
	SLV_TRY(slv_active_writer(one->source, err));
	SLV_TRY(
	    slv_scan_run(&one->scan, one->source, slv_formats, &all->how, err));
	one->good = one->scan.format != NULL;
	return SLV_OK;
}

/* For slv_siblings.get. */
static enum slv_status
get(void *ctx, const struct slv_format *format, unsigned i,
    struct slv_sibling *out, struct slv_err *err)
{
	struct slv_neighbours *all = ctx;
	struct slv_neighbour *one = &all->at[i];
	struct slv_err why = { 0 };

	*out = (struct slv_sibling){ .scan = NULL };
	if (one->name == NULL)
		SLV_TRY(slv_sibling_name(format, all->log, i, &one->name, err));
	if (one->name == NULL)
		return SLV_OK;
	out->step = step_of(i);
	if (!one->looked) {
		one->looked = true;
		(void)open_piece(all, one, &why);
	}
	/* The user did not name the file: it is no news that it cannot be
	 * read. */
	if (why.code == SLV_E_NOMEM || why.code == SLV_E_CANCELLED
	    || why.code == SLV_E_BUG) {
		*err = why;
		return why.code;
	}
	if (one->good && one->scan.format == format)
		out->scan = &one->scan;
	return SLV_OK;
}

void
slv_neighbours_init(struct slv_neighbours *all, const char *log,
    const struct stat *st, const struct slv_scan_options *opt)
{
	*all = (struct slv_neighbours){
		.log = log,
		.st = st,
		.how = {
			.limits = opt->limits,
			.no_digest = true,
			.glance = true,
			.cancel = opt->cancel,
			.meter = opt->meter,
		},
		.siblings = { .get = get, .ctx = all },
	};
}

void
slv_neighbours_free(struct slv_neighbours *all)
{
	for (size_t i = 0; i < SLV_SIBLINGS_MAX; i++) {
		slv_scan_free(&all->at[i].scan);
		slv_source_close(all->at[i].source);
		slv_free(all->at[i].name);
		all->at[i] = (struct slv_neighbour){ .name = NULL };
	}
}
