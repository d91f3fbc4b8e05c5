/* csv_files.c - which channels share a file, and what the files are called. */
#include "job/text/csv_files.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/list.h"

#define STEM_MAX 150 /* bytes, so that the name is not too long anywhere */

/* A channel, or a file, while they are sorted. */
struct sorted {
	const struct slv_channel_info *info;
	const struct slv_schema_sum *sum;
	const char *stem; /* of a file */
	uint32_t i;
};

/* How a channel differs from another one; 0: they share a file. */
static int
compare_kinds(const struct sorted *a, const struct sorted *b)
{
	int order = strcmp(a->info->name, b->info->name);

	if (order == 0)
		order = strcmp(a->info->type, b->info->type);
	if (order == 0)
		order = strcmp(a->info->encoding, b->info->encoding);
	return order != 0 ? order : slv_schema_order(a->sum, b->sum);
}

static int
compare_channels(const void *p, const void *q)
{
	const struct sorted *a = p, *b = q;
	int order = compare_kinds(a, b);

	return order != 0 ? order : SLV_ORDER_OF(a->i, b->i);
}

static int
compare_stems(const void *p, const void *q)
{
	const struct sorted *a = p, *b = q;
	int order = strcasecmp(a->stem, b->stem);

	return order != 0 ? order : SLV_ORDER_OF(a->i, b->i);
}

static bool
is_safe(char c, bool first)
{
	bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	    || (c >= '0' && c <= '9');

	return word || (!first && (c == '_' || c == '-' || c == '.'));
}

/* The name of a channel as a part of a file name. */
static char *
make_stem(const char *name)
{
	struct slv_buf stem = { 0 };

	for (name += *name == '/'; *name != '\0'; name++) {
		bool first = stem.len == 0;

		if (stem.len + 3 > STEM_MAX)
			break;
		if (*name == '/' && !first)
			slv_buf_text(&stem, "_");
		else if (is_safe(*name, first))
			slv_buf_add(&stem, name, 1);
		else
			slv_buf_printf(
			    &stem, "%%%02X", (unsigned)(unsigned char)*name);
	}
	if (stem.len == 0)
		slv_buf_text(&stem, "unnamed");
	return slv_buf_take(&stem);
}

/* The file of each channel: first the first channel that it shares one with. */
static enum slv_status
find_groups(struct slv_csv_files *f, const struct slv_channels *channels,
    struct slv_err *err)
{
	uint32_t n = (uint32_t)channels->n, first = 0;
	struct sorted *order;

	SLV_TRY(slv_new(&order, n, sizeof(*order), err));
	for (uint32_t i = 0; i < n; i++)
		order[i] = (struct sorted){ .info = &channels->at[i],
			.sum = &channels->sums[i],
			.i = i };
	slv_sort(order, n, sizeof(*order), compare_channels);
	for (uint32_t k = 0; k < n; k++) {
		if (k == 0 || compare_kinds(&order[k], &order[k - 1]) != 0)
			first = order[k].i;
		f->of[order[k].i] = first;
	}
	slv_free(order);
	return SLV_OK;
}

/* Name the files; of those with the same stem all but the first get a number. */
static enum slv_status
name_files(struct slv_csv_files *f, struct sorted *order, struct slv_err *err)
{
	uint32_t same = 1;

	slv_sort(order, f->n, sizeof(*order), compare_stems);
	for (uint32_t k = 0; k < f->n; k++) {
		struct slv_buf name = { 0 };

		same =
		    k > 0 && strcasecmp(order[k].stem, order[k - 1].stem) == 0
		    ? same + 1
		    : 1;
		slv_buf_text(&name, order[k].stem);
		if (same > 1)
			slv_buf_printf(&name, "~%u", (unsigned)same);
		slv_buf_text(&name, ".csv");
		f->at[order[k].i].name = slv_buf_take(&name);
		if (f->at[order[k].i].name == NULL)
			return slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	return SLV_OK;
}

static enum slv_status
make_names(struct slv_csv_files *f, const struct slv_channel_info *channels,
    struct slv_err *err)
{
	struct sorted *order;
	enum slv_status st = SLV_OK;

	SLV_TRY(slv_new(&order, f->n, sizeof(*order), err));
	for (uint32_t i = 0; i < f->n && st == SLV_OK; i++) {
		order[i].i = i;
		order[i].stem = make_stem(channels[f->at[i].channel].name);
		if (order[i].stem == NULL)
			st = slv_fail(err, SLV_E_NOMEM, "out of memory");
	}
	if (st == SLV_OK)
		st = name_files(f, order, err);
	for (uint32_t i = 0; i < f->n; i++)
		slv_free((char *)(uintptr_t)order[i].stem);
	slv_free(order);
	return st;
}

enum slv_status
slv_csv_files_list(struct slv_csv_files *f, const struct slv_channels *channels,
    struct slv_err *err)
{
	uint32_t n = (uint32_t)channels->n;

	SLV_TRY(slv_new(&f->of, n, sizeof(*f->of), err));
	SLV_TRY(slv_new(&f->at, n, sizeof(*f->at), err));
	SLV_TRY(find_groups(f, channels, err));
	/* The first channel of a file comes before the others. */
	for (uint32_t i = 0; i < n; i++) {
		if (f->of[i] == i) {
			f->at[f->n].channel = i;
			f->of[i] = f->n++;
		} else {
			f->of[i] = f->of[f->of[i]];
		}
	}
	return make_names(f, channels->at, err);
}

void
slv_csv_files_free(struct slv_csv_files *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		slv_free(f->at[i].name);
	slv_free(f->at);
	slv_free(f->of);
}
