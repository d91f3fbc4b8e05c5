/* totals.c - sums over many reports. */
#include "report/report.h"
#include "salvor_many.h"

_Static_assert(SLV_BYTES == SLV_FATES, "salvor.h counts the fates of bytes");
_Static_assert(SLV_STATES == SLV_STATE_FAILED + 1, "and the states of files");

void
slv_totals_add(struct slv_totals *t, const struct slv_report *r)
{
	t->files++;
	t->states[r->state]++;
	t->failures += r->err.code != SLV_OK;
	t->size += r->size;
	for (int fate = 0; fate < SLV_FATES; fate++)
		t->bytes[fate] += r->bytes[fate];
	t->unsure += r->units_unsure;
	t->problems += r->n_problems_total;
	t->policy_failed += r->policy == SLV_POLICY_FAIL;
	t->baseline[r->against.verdict]++;
	if (r->outcome == SLV_OUT_WRITTEN || r->outcome == SLV_OUT_ALREADY) {
		t->outputs++;
		t->output_size += r->output_size;
	}
}

void
slv_totals_join(struct slv_totals *t, const struct slv_totals *more)
{
	t->files += more->files;
	for (int i = 0; i < SLV_STATES; i++)
		t->states[i] += more->states[i];
	t->failures += more->failures;
	t->size += more->size;
	for (int i = 0; i < SLV_FATES; i++)
		t->bytes[i] += more->bytes[i];
	t->outputs += more->outputs;
	t->output_size += more->output_size;
	t->unsure += more->unsure;
	t->problems += more->problems;
	t->policy_failed += more->policy_failed;
	for (int i = 0; i < SLV_BASELINES; i++)
		t->baseline[i] += more->baseline[i];
}
