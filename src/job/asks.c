/* asks.c - what a job asks of the audit. */
#include "job/rules/policy.h"
#include "job/work.h"

/* Return true if both ends and the index are enough, provided that they agree.
 * They are not enough for a map, which describes every byte, or for rules about
 * other data. */
static bool
is_glance(const struct slv_work *w)
{
	const struct slv_options *opt = w->opt;

	if (opt->mapfile != NULL || opt->domain_mapfile != NULL
	    || (w->source != NULL && w->source->packing != NULL)
	    || (opt->policy != NULL
	        && !slv_policy_needs_index_only(opt->policy)))
		return false;
	return (w->job == SLV_JOB_INFO && !opt->scan)
	    || (w->job == SLV_JOB_VERIFY && opt->quick && !opt->deep);
}

/* Return true if what an index describes need not be read.  A map and a plan are about
 * every byte. */
static bool
is_skim(const struct slv_work *w)
{
	const struct slv_options *opt = w->opt;

	return w->job == SLV_JOB_REPAIR && opt->in_place && opt->quick
	    && !opt->deep && opt->mapfile == NULL && opt->domain_mapfile == NULL
	    && opt->plan_out == NULL && opt->policy == NULL;
}

struct slv_audit_options
slv_work_asks(struct slv_work *w)
{
	const struct slv_options *opt = w->opt;
	bool writes = slv_report_writes(w->report);

	return (struct slv_audit_options){
		.scan = {
			.limits = slv_limits_fill(opt->limits),
			.keep = opt->keep,
			.time_window = opt->time_window,
			.settings = slv_work_settings(w),
			.glance = is_glance(w),
			.skim = writes && is_skim(w),
			.hashed = writes && opt->in_place && !opt->dry_run,
			.cancel = opt->cancel,
			.meter = &w->meter,
		},
		.plan = writes || w->job == SLV_JOB_VERIFY,
		.prove = writes,
		.unwritten = w->reads,
		.annotate = opt->annotate && w->job == SLV_JOB_REPAIR,
		/* Annotations move blocks, which in-place repair cannot. */
		.mark = !opt->no_annotate && !opt->in_place
		    && w->job == SLV_JOB_REPAIR,
		.reseal = opt->reseal || w->reads,
		.effort = opt->no_effort ? 0
		    : opt->effort == 0   ? 1
		                         : opt->effort,
	};
}
