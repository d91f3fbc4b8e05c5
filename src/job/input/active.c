/* active.c - is another process writing the input while it is judged? */
#include "job/input/active.h"

#include <string.h>

enum slv_status
slv_active_writer(struct slv_source *source, struct slv_err *err)
{
	if (!slv_source_has_writer(source))
		return SLV_OK;
	return slv_fail(err, SLV_E_ACTIVE,
	    "%s: somebody has it open for writing", source->name);
}

enum slv_status
slv_active_change(const char *name, const struct stat *opened,
    const struct stat *now, struct slv_err *err)
{
	if (now->st_dev != opened->st_dev || now->st_ino != opened->st_ino)
		return slv_fail(err, SLV_E_ACTIVE,
		    "%s: was replaced while it was read", name);
	if (now->st_size != opened->st_size
	    || now->st_mtim.tv_sec != opened->st_mtim.tv_sec
	    || now->st_mtim.tv_nsec != opened->st_mtim.tv_nsec)
		return slv_fail(
		    err, SLV_E_ACTIVE, "%s: changed while it was read", name);
	return SLV_OK;
}

enum slv_status
slv_active_touch(const char *name, const struct stat *opened,
    const struct stat *now, struct slv_err *err)
{
	SLV_TRY(slv_active_change(name, opened, now, err));
	if (now->st_ctim.tv_sec != opened->st_ctim.tv_sec
	    || now->st_ctim.tv_nsec != opened->st_ctim.tv_nsec)
		return slv_fail(
		    err, SLV_E_ACTIVE, "%s: changed while it was read", name);
	return SLV_OK;
}

void
slv_active_unsay(struct slv_report *r)
{
	r->assurance = SLV_BY_NOTHING;
	r->end = SLV_END_UNKNOWN;
	r->repairable = r->proven = r->verified = false;
	memset(r->bytes, 0, sizeof(r->bytes));
	r->units_lost = 0;
	r->n_map = 0;
	slv_tiles_free(&r->tiles);
	slv_gap_list_free(&r->gaps);
	for (size_t i = 0; i < r->n_kinds; i++)
		r->kinds[i].lost = 0;
	r->n_problems = 0;
	r->n_problems_total = 0;
	r->n_plan = 0;
}
